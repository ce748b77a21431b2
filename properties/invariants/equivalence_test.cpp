// What two ends may differ in, and what not; that twins are made and compared at all is ../trial/relations_test.cpp.
#include "properties/invariants/equivalence.h"

#include <gmock/gmock.h>

#include "properties/evidence/history.h"
#include "properties/evidence/outcome.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {
namespace {

using ::testing::HasSubstr;

Shared<PodTemplate> made_from(const char* document) {
  PodTemplate made;
  made.document = document;
  return std::make_shared<const PodTemplate>(std::move(made));
}

Outcome whole_set() {
  Outcome left;
  left.whole = true;
  left.spec = std::make_shared<const StatefulSetSpec>();
  left.update_revision = {.name = "web-1", .data = {.bytes = nullptr, .decoded = made_from("one")}};
  left.status.replicas = left.status.ready_replicas = 1;
  left.status.updated_replicas = left.status.available_replicas = 1;
  left.places = {{.pod = "web-0",
                  .revision = left.update_revision,
                  .made_from = made_from("one"),
                  .claims = {{.name = "data-web-0", .there = true, .of_set = true}}}};
  return left;
}

Judgement judged(const char* id, const TwinOutcomes& twins) {
  const Cluster truth;
  const Environment environment;
  const History history;
  const auto asked = std::ranges::find(equivalence::invariants, std::string_view(id), &Invariant::id);
  return asked->check({.truth = truth, .environment = environment, .history = history, .twins = &twins});
}

using Change = std::function<void(Outcome&)>;
Outcome changed(const Change& change) {
  Outcome left = whole_set();
  change(left);
  return left;
}

TEST(Equivalence, WhatIsLeftMayNotDependOnTheWay) {
  struct Case {
    Change change;
    const char* said;
  };
  const Case cases[] = {
      {[](Outcome& o) { o.places[0].pod = "web-1"; }, "pod web-0 became web-1"},
      {[](Outcome& o) { o.places[0].revision = {.name = "web-2"}; }, "pod web-0 is at web-1 one way and at web-2"},
      {[](Outcome& o) { o.places[0].made_from = made_from("two"); }, "pod web-0 is made from another template"},
      {[](Outcome& o) { o.places[0].claims[0].of_set = false; },
       "claim data-web-0 belongs to the set one way and has no owner of the set's the other"},
      {[](Outcome& o) { o.places[0].claims[0].of_pod = true; }, "and belongs to set and pod the other"},
      {[](Outcome& o) { o.update_revision = {.name = "web-2"}; }, "status.updateRevision is web-1 one way and web-2"},
      {[](Outcome& o) { o.status.replicas = 2; }, "status.replicas is 1 one way and 2 the other"},
      {[](Outcome& o) { o.status.ready_replicas = 0; }, "status.readyReplicas is 1 one way and 0"},
      {[](Outcome& o) { o.status.available_replicas = 0; }, "status.availableReplicas is 1 one way and 0"},
      {[](Outcome& o) { o.status.updated_replicas = 0; }, "status.updatedReplicas is 1 one way and 0"},
  };
  for (const Invariant& invariant : equivalence::invariants)
    for (const Case& c : cases) {
      const Judgement judgement = judged(invariant.id.data(), {whole_set(), changed(c.change)});
      ASSERT_NE(judgement.violation(), nullptr) << invariant.id << ": " << c.said;
      EXPECT_THAT(judgement.violation()->claim, HasSubstr(c.said));
    }
}

TEST(Equivalence, WhatDependsOnWhatWasBeforeMayDiffer) {
  const Change cases[] = {
      [](Outcome&) {},
      [](Outcome& o) { o.places[0].revision.name = o.update_revision.name = "web-other-hash"; },
      [](Outcome& o) { o.places[0].claims[0] = {.name = "data-web-0", .there = false}; },
      [](Outcome& o) { o.status.current_replicas = 1; },
  };
  for (const Change& change : cases) {
    const Judgement judgement = judged("equivalence.rollback", {whole_set(), changed(change)});
    EXPECT_TRUE(judgement.applied());
    EXPECT_EQ(judgement.violation(), nullptr) << judgement.violation()->claim;
  }
  const Change unsettled = [](Outcome& o) { o.places[0].settled_by_spec = false; };
  const Change older = [&](Outcome& o) {
    unsettled(o);
    o.places[0].revision = {.name = "web-0"};
    o.places[0].made_from = made_from("zero");
    o.status.updated_replicas = 0;
  };
  EXPECT_EQ(judged("equivalence.rollback", {changed(unsettled), changed(older)}).violation(), nullptr);
}

TEST(Equivalence, OnlyWholeSetsOfTheSameSpecAreCompared) {
  const Change other_spec = [](Outcome& o) {
    StatefulSetSpec spec;
    spec.min_ready_seconds = 5;
    o.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  };
  const Change other_policy = [](Outcome& o) {
    StatefulSetSpec spec;
    spec.pod_management = PodManagement::parallel;
    o.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  };
  const Change not_whole = [](Outcome& o) { o.whole = false; };
  for (const Change& change : {other_spec, not_whole})
    EXPECT_FALSE(judged("equivalence.rollback", {whole_set(), changed(change)}).applied());
  EXPECT_TRUE(judged("equivalence.management-policies", {whole_set(), changed(other_policy)}).applied());
}

TEST(Equivalence, RequestsAndWritesAreComparedWhereTheyAreWhatIsPromised) {
  const Change more = [](Outcome& o) {
    o.requests = 1;
    o.writes = 1;
  };
  EXPECT_NE(judged("equivalence.list-order", {whole_set(), changed(more)}).violation(), nullptr);
  EXPECT_NE(judged("equivalence.resync", {whole_set(), changed(more)}).violation(), nullptr);
  EXPECT_EQ(judged("equivalence.crashes", {whole_set(), changed(more)}).violation(), nullptr);
}

}  // namespace
}  // namespace ordeal::properties
