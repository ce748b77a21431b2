// No decoy is taken for a violation, in as many trials of the general generator as a test can take.
#include "properties/mutants/decoys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/controller/reference.h"
#include "properties/scenario/choices.h"
#include "properties/scenario/generate.h"
#include "properties/trial/trial.h"

namespace ordeal::properties {
namespace {

constexpr std::uint64_t trials = 400, related_every = 20;

class DecoyTest : public testing::TestWithParam<std::size_t> {};

TEST_P(DecoyTest, Passes) {
  const Decoy& decoy = decoys()[GetParam()];
  Court court;
  for (std::uint64_t index = 0; index < trials; ++index) {
    Seeded choices(seed_of_trial(23, index));
    const Scenario scenario = generate_scenario(choices);
    TrialOptions options{.level = decoy.level, .guards_inputs = true};
    if (index % related_every == 0) options.relations = relations();
    const auto controller = decoy.make(scenario.environment.gates);
    const TrialResult result = court.try_scenario(scenario, *controller, options);
    for (const Breach& breach : result.breaches)
      ADD_FAILURE() << decoy.id << ", trial " << index << ": " << breach.invariant->id << ": " << breach.violation.claim;
    ASSERT_EQ(result.verdict, Verdict::held) << decoy.id << ", trial " << index << ": " << result.inconclusive;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, DecoyTest, testing::Range(std::size_t{0}, decoys().size()), [](const auto& info) {
  std::string name(decoys()[info.param].id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// A decoy that never does anything else than the reference proves nothing: some trial must go another way.
TEST(Decoys, EveryOneIsOdd) {
  const auto digest = [](const Scenario& scenario, Controller& controller) {
    return Court().try_scenario(scenario, controller).digest;
  };
  for (const Decoy& decoy : decoys()) {
    bool odd = decoy.id.ends_with("-in-another-order") || decoy.id == "pods-carry-a-note" ||
               decoy.id == "deletes-the-version-it-saw" || decoy.id == "deletes-by-name" || decoy.id == "says-the-grace-period";  // not what a digest holds
    for (std::uint64_t index = 0; index < 1500 && !odd; ++index) {
      Seeded choices(seed_of_trial(29, index));
      const Scenario scenario = generate_scenario(choices);
      const auto controller = decoy.make(scenario.environment.gates);
      const auto reference = make_reference(strict_rules(), scenario.environment.gates);
      odd = digest(scenario, *controller) != digest(scenario, *reference);
    }
    EXPECT_TRUE(odd) << decoy.id;
  }
}

TEST(Decoys, HaveIdsOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const Decoy& decoy : decoys()) {
    EXPECT_TRUE(ids.insert(decoy.id).second) << decoy.id;
    EXPECT_EQ(find_decoy(decoy.id), &decoy);
  }
  EXPECT_EQ(find_decoy("none-such"), nullptr);
}

}  // namespace
}  // namespace ordeal::properties
