// What holds of every scenario, tried with RapidCheck through our own generator and our own simplifications.
#include <sstream>

#include "properties/scenario/rapidcheck_bridge.h"

namespace ordeal::properties {
namespace {

bool same_scenario(const Scenario& a, const Scenario& b) {
  return a.steps == b.steps && a.environment == b.environment && *a.set.spec == *b.set.spec &&
         a.set.meta.name == b.set.meta.name && same(a.set.meta.labels, b.set.meta.labels) &&
         same(a.set.meta.annotations, b.set.meta.annotations);
}

RC_GTEST_PROP(ScenarioProperties, ReadingUndoesWriting, ()) {
  const Scenario scenario = *any_scenario();
  const auto read = read_scenario(write_scenario(scenario));
  RC_ASSERT(read.has_value());
  RC_ASSERT(same_scenario(*read, scenario));
}

RC_GTEST_PROP(ScenarioProperties, ASimplificationIsAnotherScenarioThatCanBeWrittenAndRead, ()) {
  const Scenario scenario = *any_scenario(12);
  const std::string text = write_scenario(scenario);
  for (const Scenario& simpler : simplifications(scenario)) {
    const std::string written = write_scenario(simpler);
    RC_ASSERT(written != text);
    RC_ASSERT(read_scenario(written).has_value());
  }
}

RC_GTEST_PROP(ScenarioProperties, SimplifyingEndsWhateverIsAccepted, ()) {
  const std::uint64_t seed = *any_seed();
  const Scenario scenario = *any_scenario(32);
  // An arbitrary but fixed opinion about which scenarios fail.
  const auto fails = [seed](const Scenario& s) {
    return Seeded(seed ^ std::hash<std::string>{}(write_scenario(s))).up_to(3) != 0;
  };
  const Shrunk shrunk = shrink(scenario, fails);
  RC_ASSERT(shrunk.minimal);
  RC_ASSERT(shrunk.scenario.steps.size() <= scenario.steps.size());
  for (const Scenario& simpler : simplifications(shrunk.scenario)) RC_ASSERT(!fails(simpler));
}

RC_GTEST_PROP(ScenarioProperties, AnyBytesAreAScenario, (const std::vector<std::uint8_t>& bytes)) {
  const Scenario scenario = decode_scenario(bytes);
  RC_ASSERT(scenario.steps.size() <= max_steps);
  RC_ASSERT(same_scenario(scenario, decode_scenario(bytes)));
}

/// The bridge itself: a property that fails shrinks to the smallest scenario, and what is printed replays.
TEST(RapidCheckBridge, ShrinksByOurSimplificationsAndPrintsAScenario) {
  rc::detail::TestParams params;
  params.seed = 1;
  params.maxSuccess = 200;
  const auto result = rc::detail::checkTestable(
      [] {
        const Scenario scenario = *any_scenario();
        RC_ASSERT(std::none_of(scenario.steps.begin(), scenario.steps.end(),
                               [](const Step& s) { return s.kind == StepKind::scale && s.a >= 2; }));
      },
      rc::detail::TestMetadata(), params);
  rc::detail::FailureResult failure;
  ASSERT_TRUE(result.match(failure));
  ASSERT_EQ(failure.counterExample.size(), 1u);
  const auto read = read_scenario(failure.counterExample.front().second);
  ASSERT_TRUE(read.has_value()) << failure.counterExample.front().second;
  ASSERT_EQ(read->steps.size(), 1u);
  EXPECT_EQ(describe(read->steps.front()), "user.scale replicas=2");
}

}  // namespace
}  // namespace ordeal::properties
