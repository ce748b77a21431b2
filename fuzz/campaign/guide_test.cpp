#include "fuzz/campaign/guide.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {
namespace {

using namespace properties;

const FirstSets any_set{.given = {}, .drawn_too = true};

Encounters::Bits bits(std::initializer_list<std::size_t> set) {
  Encounters::Bits met;
  for (const std::size_t bit : set) met.set(bit);
  return met;
}

TEST(Guide, KeepsWhatMetSomethingForTheFirstTime) {
  Guide guide(any_set, 1);
  const Scenario scenario = guide.scenario(0);
  guide.learn(scenario, bits({1, 2}));
  guide.learn(scenario, bits({2}));
  EXPECT_EQ(guide.kept(), 1u);
  guide.learn(scenario, bits({2, 3}));
  EXPECT_EQ(guide.kept(), 2u);
}

TEST(Guide, DrawsAtRandomUntilSomethingIsKept) {
  Guide guide(any_set, 5);
  for (std::uint64_t trial = 0; trial < 20; ++trial)
    EXPECT_EQ(write_scenario(guide.scenario(trial)), write_scenario(scenario_of_trial(any_set, 5, trial)));
}

TEST(Guide, ThenMostlyLooksAroundIt) {
  Guide guide(any_set, 2);
  Scenario kept = guide.scenario(0);
  kept.steps.assign(40, Step{StepKind::advance, 0, 7, 0});
  guide.learn(kept, bits({1}));
  int near = 0;
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    const Scenario made = guide.scenario(trial);
    near += std::ranges::count(made.steps, kept.steps[0]) >= 8 ? 1 : 0;
  }
  EXPECT_GT(near, 120);
  EXPECT_LT(near, 260);
}

TEST(Guide, MakesTheSameOfTheSame) {
  Guide one(any_set, 3), other(any_set, 3);
  for (std::uint64_t n = 0; n < 100; ++n) {
    const Scenario a = one.scenario(n), b = other.scenario(n);
    ASSERT_EQ(write_scenario(a), write_scenario(b));
    one.learn(a, bits({n % 30}));
    other.learn(b, bits({n % 30}));
  }
}

}  // namespace
}  // namespace ordeal::fuzz
