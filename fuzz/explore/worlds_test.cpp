#include "fuzz/explore/worlds.h"

#include <gtest/gtest.h>

#include <set>

#include "fuzz/explore/explore.h"

namespace ordeal::fuzz {
namespace {

using namespace properties;

const FirstSets drawn{.given = {}, .drawn_too = true};

TEST(Worlds, CanAllBeWalked) {
  for (std::uint64_t number = 0; number < 500; ++number) {
    const Scope scope = world_of(drawn, 1, number);
    ASSERT_EQ(why_not_walked(scope), "") << number;
    ASSERT_LE(scope.start.set.spec->replicas.value_or(1), scope.replicas) << number;
  }
}

TEST(Worlds, AreOfManySorts) {
  std::set<std::string> sorts;
  for (std::uint64_t number = 0; number < 100; ++number) sorts.insert(text_of(world_of(drawn, 1, number)));
  EXPECT_GT(sorts.size(), 60u);
}

TEST(Worlds, BeginWithTheUsersSets) {
  const FirstSets given{.given = corpus_sets(), .drawn_too = false};
  ASSERT_FALSE(given.given.empty());
  for (std::uint64_t number = 0; number < given.given.size(); ++number)
    EXPECT_EQ(world_of(given, 1, number).start.set.meta.name, given.given[number].meta.name);
}

TEST(Worlds, AreWalkedAsFarAsTheApiServerKnowsThem) {
  for (const std::string_view name : {"kubernetes-1.6", "kubernetes-1.20", "kubernetes-1.37"}) {
    const ControllerKind& controller = *find_controller(name);
    const KnownFields known = known_fields(controller.name);
    bool has_budgets = false;
    for (std::uint64_t number = 0; number < 60; ++number) {
      const Scope scope = walk_of(controller, drawn, 1, number).scope;
      EXPECT_FALSE(has_unknown(scope.start, known)) << name << ", " << number;
      EXPECT_TRUE(known.rolling_update || scope.partitions.empty()) << name << ", " << number;
      has_budgets |= !scope.max_unavailable.empty();
    }
    EXPECT_EQ(has_budgets, known.max_unavailable) << name;
  }
}

TEST(Worlds, HoldForStrict) {
  ExploreWatcher watcher;
  const std::atomic<bool> stop = false;
  for (std::uint64_t number = 0; number < 12; ++number) {
    ExploreOptions options = walk_of(*find_controller("strict"), drawn, 1, number);
    options.states = 1'000;
    const Certificate c = explore(options, watcher, stop);
    EXPECT_TRUE(c.findings.empty() && c.unclear.empty()) << number << ": " << text_of(options.scope);
    EXPECT_TRUE(c.reach == Reach::all || (c.reach == Reach::states && c.states >= 1'000)) << number;
  }
}

}  // namespace
}  // namespace ordeal::fuzz
