// The walk of small worlds against one that shares nothing with it, and what a walker promises.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "properties/explore/slow_walk.h"
#include "properties/explore/walker.h"
#include "properties/invariants/catalogue.h"
#include "properties/mutants/mutants.h"
#include "properties/trial/hand_made.h"

namespace ordeal::properties {
namespace {

/// A breadth-first walk in one thread, as plain as can be.
class Plain final : public Surveyor {
 public:
  explicit Plain(const Scope& scope, const Rules& rules = strict_rules())
      : controller_(make_reference(rules, scope.start.environment.gates)),
        program_(*controller_),
        walker_(scope, program_, {.level = Level::strict}, library_, ends_) {
    Words words;
    hash_ = walker_.first(words);
    paths_[hash_];
    open_.push_back({hash_, words});
    for (std::size_t next = 0; next < open_.size() && broken.empty(); ++next) {
      const auto [hash, state] = open_[next];
      hash_ = hash;
      walker_.survey(state, hash, *this);
    }
  }
  void on_next(Move move, const Hash128& hash, std::span<const std::uint32_t> words) override {
    ++transitions;
    if (paths_.contains(hash)) return;
    std::vector<Move> path = paths_[hash_];
    path.push_back(move);
    paths_[hash] = path;
    open_.push_back({hash, {words.begin(), words.end()}});
  }
  void on_broken(std::span<const Move> moves, const Invariant& invariant) override {
    std::vector<Move> path = paths_[hash_];
    path.insert(path.end(), moves.begin(), moves.end());
    broken.emplace(invariant.id, path);
  }
  std::size_t states() const { return paths_.size(); }
  Walker& walker() { return walker_; }

  std::map<std::string_view, std::vector<Move>> broken;
  std::size_t transitions = 0;

 private:
  Library library_;
  Ends ends_;
  std::unique_ptr<Controller> controller_;
  OneProcess program_;
  Walker walker_;
  Hash128 hash_;
  std::map<Hash128, std::vector<Move>> paths_;
  std::vector<std::pair<Hash128, Words>> open_;
};

Scope world(int replicas, int templates, int edits, std::initializer_list<Mishap> mishaps = {},
            std::string_view more = "") {
  Scope scope;
  scope.start = hand_made("replicas: " + std::to_string(replicas) + std::string(more));
  scope.replicas = static_cast<std::uint8_t>(replicas);
  scope.templates = static_cast<std::uint8_t>(templates);
  scope.edits = static_cast<std::uint8_t>(edits);
  for (const Mishap mishap : mishaps) scope.mishaps[static_cast<std::size_t>(mishap)] = 1;
  return scope;
}

void expect_alike(const Scope& scope) {
  SCOPED_TRACE(text_of(scope));
  const Plain walk(scope);
  const testing::SlowWalk slow = testing::slow_walk(scope);
  EXPECT_TRUE(walk.broken.empty());
  EXPECT_EQ(walk.states(), slow.states.size());
  EXPECT_EQ(walk.transitions, slow.transitions);
}

// The same as in one_pod.pml, which SPIN counts (ci/spin).
TEST(Walk, CountsOfOnePod) {
  const std::size_t states[] = {9, 27, 61, 99};
  for (int edits = 0; edits < 4; ++edits)
    EXPECT_EQ(Plain(world(1, 1, edits)).states(), states[edits]) << edits << " edits";
}

TEST(Walk, AnIndependentWalkCountsAsMany) {
  expect_alike(world(1, 1, 1));
  expect_alike(world(1, 2, 1));
  expect_alike(world(2, 1, 1));
}
TEST(Walk, AnIndependentWalkCountsAsManyWithTroubles) {
  expect_alike(world(1, 1, 1, {Mishap::crash}));
  expect_alike(world(1, 1, 0, {Mishap::timeout, Mishap::conflict}));
  expect_alike(world(1, 1, 0, {Mishap::fail, Mishap::unready, Mishap::remove}));
}
TEST(Walk, AnIndependentWalkCountsAsManyWithAStaleCache) {
  expect_alike(world(1, 1, 1, {Mishap::stale}));
  expect_alike(world(1, 1, 0, {Mishap::stale, Mishap::remove}));
}

TEST(Walk, StatesThatDifferInNothingButNamesAreOne) {
  const Plain few(world(1, 1, 2)), more(world(1, 1, 3));
  EXPECT_LT(more.states(), 2 * few.states());  // UIDs, versions and generations grow, worlds do not
}

TEST(Walk, AStoryBreaksThePromiseOnItsOwn) {
  const Mutant& mutant = *find_mutant("revisions-never-new");
  Plain walk(world(2, 2, 2), mutant.rules);
  ASSERT_FALSE(walk.broken.empty());
  for (const auto& [id, path] : walk.broken) {
    EXPECT_FALSE(path.empty());
    const auto controller = make_reference(mutant.rules, {});
    EXPECT_TRUE(try_by_hand(walk.walker().story(path), *controller).broke(id)) << id;
  }
}

TEST(Walk, WhoeverCannotBeSentBackIsRefused) {
  const Scope scope = world(1, 1, 0);
  Scripted scripted({});
  OneProcess program(scripted);
  Library library;
  Ends ends;
  EXPECT_THROW(Walker(scope, program, {.level = Level::strict}, library, ends), std::invalid_argument);
}

TEST(Walk, SetsThatDeleteClaimsAreRefused) {
  const Scope scope = world(1, 1, 0, {}, "\npersistentVolumeClaimRetentionPolicy: {whenScaled: Delete}");
  EXPECT_NE(why_not_walked(scope).find("found: Delete"), std::string::npos);
  EXPECT_TRUE(why_not_walked(world(1, 1, 0)).empty());
}

std::string claim_templates(int count) {
  std::string text = "\nvolumeClaimTemplates:";
  for (int i = 0; i < count; ++i)
    text += "\n- {metadata: {name: d" + std::to_string(i) +
            "}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}";
  return text;
}

TEST(Walk, MoreClaimsThanAStateCanCountAreRefused) {
  EXPECT_EQ(why_not_walked(world(1, 1, 0, {}, claim_templates(100))), "");
  EXPECT_EQ(why_not_walked(world(1, 1, 0, {}, claim_templates(101))),
            "spec.volumeClaimTemplates: at most 100 claims can be walked (found: 101 templates for each of 1 pod)");
  EXPECT_EQ(why_not_walked(world(8, 1, 0, {}, claim_templates(12))), "");
  EXPECT_NE(why_not_walked(world(8, 1, 0, {}, claim_templates(13))), "");
}

TEST(Walk, TheMostClaimsAreWalked) {
  const Plain walk(world(1, 1, 0, {Mishap::crash}, claim_templates(100)));
  EXPECT_TRUE(walk.broken.empty());
}

/// Goes as far as the walker does; the states past the limit come after the first turn.
std::string why_it_ends(const Scope& scope) {
  try {
    const Plain walk(scope);
    return {};
  } catch (const std::length_error& error) {
    return error.what();
  }
}
TEST(Walk, WhatDoesNotFitIntoAStateEndsTheWalk) {
  EXPECT_EQ(why_it_ends(world(1, 1, 0, {}, claim_templates(255))), "");
  EXPECT_EQ(why_it_ends(world(1, 1, 0, {}, claim_templates(256))),
            "a state counts up to 255 objects of a kind and events to come (found: 256)");
}
TEST(Walk, ACallThatCannotBeNamedEndsTheWalk) {
  const std::string why = why_it_ends(world(1, 1, 0, {Mishap::conflict}, claim_templates(255)));
  EXPECT_NE(why.find("one of the first 255 calls of a turn"), std::string::npos) << why;
}

}  // namespace
}  // namespace ordeal::properties
