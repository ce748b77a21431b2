// Each line of an explanation is checked by trying it here again.
#include "fuzz/engine/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fuzz/engine/controllers.h"
#include "fuzz/engine/first_sets.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using namespace properties;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::StartsWith;

Step step(StepKind kind, std::int32_t a = 0, std::int32_t b = 0) { return {.kind = kind, .a = a, .b = b}; }

Scenario web(std::vector<Step> steps) {
  const ReadSets read = read_sets("web.yaml", R"(
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 2
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
)");
  return {.set = read.sets.at(0), .environment = {}, .steps = std::move(steps)};
}

/// A mutant whose update does not stop at the partition.
Explanation explained(const Scenario& scenario) {
  Dock dock(*find_controller("mutant:update-ignores-partition"));
  return explain(scenario, *find_invariant("update.respects-partition"), dock, Level::strict);
}

const std::vector<Step> minimal = {step(StepKind::settle), step(StepKind::set_partition, 2),
                                   step(StepKind::edit_template, 1)};

TEST(Explain, NamesEachStepItCannotDoWithout) {
  const Explanation found = explained(web(minimal));
  EXPECT_THAT(found.idle, IsEmpty());
  EXPECT_THAT(found.needed, Contains(Field(&Remedy::of, "step 2, user.set-partition partition=2")));
  EXPECT_THAT(found.needed, Contains(Field(&Remedy::of, StartsWith("step 3, user.edit-template image=1"))));
  EXPECT_THAT(found.needed, Contains(AllOf(Field(&Remedy::of, "step 2, user.set-partition partition=2"),
                                           Field(&Remedy::change, "partition=0"))));
}

TEST(Explain, NamesStepsThatDoNothing) {
  std::vector<Step> steps = minimal;
  steps.insert(steps.begin() + 1, step(StepKind::advance, 5));
  EXPECT_THAT(explained(web(steps)).idle, ElementsAre("step 2, time.advance seconds=5"));
}

TEST(Explain, FindsTheFirstStepAfterWhichNothingHelps) {
  std::vector<Step> steps = minimal;
  steps.push_back(step(StepKind::settle));
  steps.push_back(step(StepKind::set_partition, 0));
  const Explanation found = explained(web(steps));
  EXPECT_EQ(found.unavoidable_after, 4u) << "once the pod is deleted it is broken; an edit before that could avoid it";
  EXPECT_EQ(found.continuations, 33u);
}

TEST(Explain, TheNearestScenarioHolds) {
  const Explanation found = explained(web(minimal));
  ASSERT_TRUE(found.nearest);
  EXPECT_EQ(found.nearest->of, "step 3, user.edit-template image=1 flavour=plain");
  EXPECT_EQ(found.nearest->change, "image=0");
  std::vector<Step> near = minimal;
  near[2].a = 0;
  Court court;
  Dock dock(*find_controller("mutant:update-ignores-partition"));
  EXPECT_EQ(court.try_scenario(web(near), dock).verdict, Verdict::held);
}

TEST(Explain, IsTheSameTwice) {
  const Explanation one = explained(web(minimal)), other = explained(web(minimal));
  EXPECT_EQ(one.trials, other.trials);
  EXPECT_EQ(one.needed.size(), other.needed.size());
}

}  // namespace
}  // namespace ordeal::fuzz
