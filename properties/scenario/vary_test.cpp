#include "properties/scenario/vary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "properties/scenario/generate.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::properties {
namespace {

Scenario drawn(std::uint64_t seed, std::size_t steps = 32) {
  Seeded choices(seed);
  return generate_scenario(choices, nullptr, steps);
}

Scenario varied(std::uint64_t seed, const Scenario& scenario, std::size_t steps_at_most = max_steps) {
  Seeded choices(seed);
  return vary(choices, scenario, steps_at_most);
}

bool is_accepted(const Scenario& scenario) {
  StatefulSet set = scenario.set;
  apply_defaults(set, scenario.environment.api);
  return validate_create(set, scenario.environment.api).empty();
}

TEST(Vary, TheApiServerStillTakesTheSetHoweverOftenItIsVaried) {
  Scenario scenario = drawn(1);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    scenario = varied(seed, scenario, 64);
    ASSERT_TRUE(is_accepted(scenario)) << write_scenario(scenario);
    ASSERT_LE(scenario.steps.size(), 64u);
  }
}

TEST(Vary, TheSameChoicesMakeTheSameScenario) {
  const Scenario scenario = drawn(2);
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    EXPECT_EQ(write_scenario(varied(seed, scenario)), write_scenario(varied(seed, scenario)));
}

TEST(Vary, WhatItMakesIsNear) {
  const Scenario scenario = drawn(3);
  constexpr std::size_t changes = 4, longest = 8;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    std::vector<Step> left = varied(seed, scenario).steps;
    std::size_t kept = 0;
    for (const Step& step : scenario.steps) {
      const auto at = std::ranges::find(left, step);
      if (at == left.end()) continue;
      ++kept;
      left.erase(at);
    }
    ASSERT_GE(kept + changes * longest, scenario.steps.size());
  }
}

TEST(Vary, NothingIsOutOfReach) {
  const Scenario scenario = drawn(4);
  std::set<StepKind> kinds;
  std::set<std::string> sets, environments;
  std::size_t struck = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    const Scenario other = varied(seed, scenario);
    for (const Step& step : other.steps) kinds.insert(step.kind);
    Scenario set = scenario, environment = scenario;
    set.set = other.set;
    environment.environment = other.environment;
    sets.insert(write_scenario(set));
    environments.insert(write_scenario(environment));
    struck += std::ranges::count_if(other.steps, [](const Step& step) { return step.at_call > 0; }) > 0 ? 1 : 0;
  }
  EXPECT_EQ(kinds.size(), step_kind_count);
  EXPECT_GT(sets.size(), 50u);
  EXPECT_GT(environments.size(), 5u);
  EXPECT_GT(struck, 100u);
}

TEST(Vary, AnEmptyLifeGrows) {
  Scenario empty = drawn(5);
  empty.steps.clear();
  std::size_t longest = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) longest = std::max(longest, varied(seed, empty).steps.size());
  EXPECT_GT(longest, 3u);
}

TEST(Splice, IsABeginningOfOneAndAnEndOfTheOther) {
  const Scenario one = drawn(6), other = drawn(7);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Seeded choices(seed);
    const Scenario made = splice(choices, one, other);
    const auto [in_one, in_made] = std::ranges::mismatch(one.steps, made.steps);
    const auto [back_other, back_made] =
        std::mismatch(other.steps.rbegin(), other.steps.rend(), made.steps.rbegin(), made.steps.rend());
    ASSERT_GE((in_made - made.steps.begin()) + (back_made - made.steps.rbegin()),
              static_cast<std::ptrdiff_t>(made.steps.size()));
  }
}

}  // namespace
}  // namespace ordeal::properties
