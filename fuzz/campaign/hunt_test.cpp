#include "fuzz/campaign/hunt.h"

#include <gtest/gtest.h>

#include "core/controller/rules_table.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using properties::Mutant;
const std::atomic<bool> go_on = false;

HuntOptions hunt_for(std::vector<const Mutant*> mutants) {
  return {.mutants = std::move(mutants), .sets = {.given = corpus_sets(), .drawn_too = true}, .seed = 5};
}
const Mutant* mutant(std::string_view id) { return properties::find_mutant(id); }

TEST(Hunt, TellsWhoWasFoundByWhatAndHowShort) {
  const auto hunted = hunt(hunt_for({mutant("identity-no-hostname")}), go_on);
  ASSERT_EQ(hunted.size(), 1u);
  EXPECT_EQ(hunted[0].broken, properties::find_invariant("identity.hostname"));
  EXPECT_TRUE(hunted[0].as_expected());
  EXPECT_GE(hunted[0].trials, 1u);
  EXPECT_GT(hunted[0].seconds, 0);
  EXPECT_LE(hunted[0].steps, 2u);
}

TEST(Hunt, WhoeverKeepsEveryPromiseSurvives) {
  const Mutant harmless{"harmless", "Nothing is wrong.", "identity.hostname", strict_rules()};
  HuntOptions options = hunt_for({&harmless});
  options.time_each = std::chrono::milliseconds(300);
  const auto hunted = hunt(options, go_on);
  ASSERT_EQ(hunted.size(), 1u);
  EXPECT_EQ(hunted[0].broken, nullptr);
  EXPECT_FALSE(hunted[0].as_expected());
  EXPECT_GT(hunted[0].trials, 1u);
  EXPECT_GE(hunted[0].seconds, 0.3);
  EXPECT_EQ(hunted[0].steps, 0u);
}

TEST(Hunt, WalksThroughSmallWorldsWhenAsked) {
  HuntOptions options = hunt_for({mutant("scaling-one-too-many")});
  options.engine = Engine::exhaustive;
  const auto hunted = hunt(options, go_on);
  ASSERT_EQ(hunted.size(), 1u);
  EXPECT_NE(hunted[0].broken, nullptr);
  EXPECT_LE(hunted[0].trials, 5u) << "worlds, not trials";
  EXPECT_TRUE(hunted[0].finding.minimal);
}

TEST(Hunt, IsTheSameForAnyJobs) {
  HuntOptions options =
      hunt_for({mutant("identity-no-subdomain"), mutant("deletion-by-name"), mutant("ordering-waits-for-nobody"),
                mutant("update-ignores-partition"), mutant("status-complete-at-once")});
  const auto one = hunt(options, go_on);
  options.jobs = 3;
  const auto three = hunt(options, go_on);
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].mutant, three[i].mutant);
    EXPECT_EQ(one[i].broken, three[i].broken) << one[i].mutant->id;
    EXPECT_EQ(one[i].trials, three[i].trials) << one[i].mutant->id;
    EXPECT_EQ(one[i].steps, three[i].steps) << one[i].mutant->id;
  }
}

TEST(Hunt, AnotherPromiseIsToldApart) {
  Mutant misnamed = *mutant("identity-no-hostname");
  misnamed.invariant = "identity.subdomain";
  const auto hunted = hunt(hunt_for({&misnamed}), go_on);
  ASSERT_EQ(hunted.size(), 1u);
  EXPECT_EQ(hunted[0].broken, properties::find_invariant("identity.hostname"));
  EXPECT_FALSE(hunted[0].as_expected());
}

TEST(Hunt, StoppedLeavesOutWhatIsUnclear) {
  const std::atomic<bool> stop = true;
  EXPECT_TRUE(hunt(hunt_for({mutant("identity-no-hostname")}), stop).empty());
}

}  // namespace
}  // namespace ordeal::fuzz
