// The canary misbehaves now and then: neither never nor in most trials, and in the same ones each time.
#include "properties/mutants/canary.h"

#include <gtest/gtest.h>

#include <set>

#include "properties/mutants/processes_test.h"
#include "properties/scenario/choices.h"
#include "properties/scenario/generate.h"
#include "properties/trial/trial.h"

namespace ordeal::properties {
namespace {

std::set<std::uint64_t> trials_broken(std::uint64_t trials) {
  Court court;
  Processes canary(make_canary);
  std::set<std::uint64_t> broken;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    Seeded choices(seed_of_trial(21, trial));
    const Scenario scenario = generate_scenario(choices);
    const TrialResult result = court.try_scenario(scenario, canary);
    EXPECT_NE(result.verdict, Verdict::inconclusive) << trial;
    for (const Breach& breach : result.breaches) EXPECT_EQ(breach.invariant->id, "identity.hostname") << trial;
    if (!result.breaches.empty()) broken.insert(trial);
  }
  return broken;
}

TEST(Canary, MisbehavesInAboutOneTrialInAHundred) {
  constexpr std::uint64_t trials = 4000;
  const auto broken = trials_broken(trials);
  EXPECT_GE(broken.size(), trials / 200);
  EXPECT_LE(broken.size(), trials / 50);
  EXPECT_EQ(trials_broken(trials), broken);
}

}  // namespace
}  // namespace ordeal::properties
