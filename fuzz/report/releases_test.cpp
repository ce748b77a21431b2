// Every release breaks the promises it is known to break, as known_facts.cpp names them, and no others.
//
// The trials are those of `ordeal run --controller NAME --seed 1`, at the level that releases are tried at. What is
// known is the data: a violation without a row is a false alarm or news; a row without a violation is no longer true,
// or among those that so few trials need not show.
#include "core/controller/releases.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "fuzz/engine/run.h"
#include "fuzz/report/known.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/known_fields.h"

namespace ordeal::fuzz {
namespace {

constexpr std::uint64_t trials_of_each = 1500, seed = 1;
using Ids = std::set<std::string_view>;

/// Known violations that take more trials than that: the thread and the promise.
constexpr std::pair<std::string_view, std::string_view> seldom[] = {
    {"kubernetes/kubernetes#55159, #67039", "economy.bounded-turn"},
    {"openkruise/kruise#353", "convergence.no-writes-at-rest"},
    {"openkruise/kruise#196", "update.replaces-broken-revision"},
    {"openkruise/kruise#196", "convergence.every-pod-available"},
    {"kubernetes/kubernetes#78209, #141094", "convergence.comes-to-rest"},
    {"kubernetes/kubernetes#141094", "ownership.foreign-pods-untouched"},
    {"kubernetes/kubernetes#96218", "update.unavailable-within-budget"},
    {"kubernetes/kubernetes#114870", "storage.scaled-down-claims-go"},
    {"kubernetes/kubernetes#135428", "convergence.asks-to-be-woken"},
    {"kubernetes/kubernetes#135428", "convergence.comes-to-rest"},
    {"no public thread found", "status.generation-at-rest"},
    {"no public thread found", "economy.overwrites-nothing"},
    {"no public thread found", "errors.ordered-stops"},
    {"no public thread found", "ownership.foreign-revisions-untouched"},
    {"no public thread found", "deletion.justified"},
    {"no public thread found", "status.counts-at-rest"},
    {"no public thread found", "deletion.only-own-pods"},
    {"no public thread found", "ownership.foreign-pods-untouched"},
    {"no public thread found", "scaling.completes"},
    {"no public thread found", "update.completes"},
    {"kubernetes/kubernetes#135428", "scaling.completes"},
    {"kubernetes/kubernetes#135428", "identity.whole-range-at-rest"},
    {"kubernetes/kubernetes#135428", "update.completes"},
    {"kubernetes/kubernetes#122400", "storage.earlier-owner-untouched"},
    {"kubernetes/kubernetes#113270", "storage.claims-at-rest"},
    {"kubernetes/kubernetes#118310", "convergence.identity-repaired"},
    {"no public thread found", "identity.whole-range-at-rest"},
    {"no public thread found", "update.replaces-broken-revision"},
    {"no public thread found", "convergence.every-pod-available"},
    {"no public thread found", "convergence.finished-pods-replaced"},
    {"no public thread found", "convergence.no-writes-at-rest"},
    {"no public thread found", "storage.scaled-down-claims-go"},
    {"no public thread found", "storage.freed-before-updated"},
    {"no public thread found", "storage.freed-before-scale-down"},
    {"no public thread found", "storage.owners-at-rest"},
    {"no public thread found", "status.completion-needs-all-updated"},
    {"no public thread found", "convergence.comes-to-rest"},
    {"kubernetes/kubernetes#134773", "status.counts-at-rest"},
    {"kubernetes/kubernetes#134773", "update.completes"},
    {"kubernetes/kubernetes#122709", "waking.by-events"},
    {"kubernetes/kubernetes#55159, #67039", "equivalence.crashes"},
    {"kubernetes/kubernetes#109251", "equivalence.order-of-edits"},
    {"kubernetes/kubernetes#109251", "equivalence.management-policies"},
    {"kubernetes/kubernetes#109251", "equivalence.lost-replies"},
    {"kubernetes/kubernetes#109251", "equivalence.crashes"},
    {"kubernetes/kubernetes#55159, #67039", "equivalence.lost-replies"},
    {"kubernetes/kubernetes#55159, #67039", "equivalence.management-policies"},
    {"kubernetes/kubernetes#118310", "convergence.identity-repaired"},
    {"kubernetes/kubernetes#118310", "update.replaces-broken-revision"},
    {"no public thread found", "ordering.parallel-creates-all"},
    {"no public thread found", "convergence.identity-repaired"},
    {"kubernetes/kubernetes#141094", "errors.failure-is-reported"},
    {"no public thread found", "errors.failure-is-reported"},
    {"kubernetes/kubernetes#117865", "status.completes-when-done"},
    {"kubernetes/kubernetes#117865", "convergence.rollout-declared-complete"},
    {"kubernetes/kubernetes#114870", "economy.inputs-untouched"},  // by the real one: a table only acts as if
    {"kubernetes/kubernetes#114870", "errors.parallel-stops"},
    {"kubernetes/kubernetes#114870", "storage.freed-before-updated"},
    {"kubernetes/kubernetes#114870", "storage.freed-before-scale-down"},
    {"kubernetes/kubernetes#114870", "errors.conflict-never-deletes"},
    {"kubernetes/kubernetes#117865", "scaling.parallel-removes-all"},
    {"kubernetes/kubernetes#114870", "convergence.waits-quietly"},
    {"no public thread found", "storage.marked-before-scale-down"},
    {"kubernetes/kubernetes#141094", "identity.update-keeps-volumes"},
    {"no public thread found", "storage.claims-at-rest"},
    {"openkruise/kruise#196", "equivalence.crashes"},
    {"openkruise/kruise#196", "equivalence.lost-replies"},
    {"openkruise/kruise#353", "equivalence.crashes"},
    {"openkruise/kruise#353", "equivalence.lost-replies"},
    {"openkruise/kruise#353", "equivalence.order-of-edits"},
    {"openkruise/kruise#353", "equivalence.rollback"},
    {"kubernetes/kubernetes#134773", "convergence.rollout-declared-complete"},
    {"openkruise/kruise#1480", "update.unavailable-within-budget"},
    {"openkruise/kruise#1480", "update.waits-for-successors"},
    {"kubernetes/kubernetes#114870", "storage.no-pod-on-stale-claim"},
    {"openkruise/kruise#353", "equivalence.management-policies"},
    {"kubernetes/kubernetes#134773", "revisions.no-restart-without-change"},
    {"kubernetes/kubernetes#114870", "convergence.same-view-same-calls"},
    {"kubernetes/kubernetes#118310", "scaling.completes"},
    {"kubernetes/kubernetes#122709", "storage.no-claims-for-running-pods"},
    {"openkruise/kruise#240", "status.written-despite-failure"},
    {"openkruise/kruise#240", "revisions.history-within-limit-on-errors"},
    {"kubernetes/kubernetes#112871", "status.counts-at-rest"},
    {"kubernetes/kubernetes#112871", "storage.strange-volumes-not-accepted"},
    {"kubernetes/kubernetes#112871", "convergence.no-writes-at-rest"},
    {"kubernetes/kubernetes#119684", "economy.few-writes-to-rest"},
    {"kubernetes/kubernetes#78853", "equivalence.crashes"},
    {"no public thread found", "status.transition-times"},
    {"no public thread found", "storage.strange-volumes-not-accepted"},
    {"no public thread found", "deletion.not-twice"},
    {"no public thread found", "ownership.orphan-adopted-first"},
    {"kubernetes/kubernetes#78209, #141094", "economy.few-writes-to-rest"},
    {"kubernetes/kubernetes#135428", "storage.owners-at-rest"},
    {"no public thread found", "waking.by-events"},
    {"kubernetes/kubernetes#55159, #67039", "revisions.only-returned-to-moves"},
    {"kubernetes/kubernetes#55159, #67039", "revisions.unchanged-template-writes-nothing"},
    {"openkruise/kruise#1530", "storage.scaled-down-claims-go"},
    {"openkruise/kruise#196", "equivalence.management-policies"},
    {"openkruise/kruise#196", "equivalence.order-of-edits"},
};

bool is_seldom(const Known& known) {
  return std::ranges::find(seldom, std::pair(known.thread, known.invariant)) != std::end(seldom);
}

Ids broken_by(const ControllerKind& kind) {
  const FirstSets sets{.given = corpus_sets(), .drawn_too = true};
  properties::Court court;
  Dock dock(kind);
  Ids broken;
  for (std::uint64_t trial = 0; trial < trials_of_each; ++trial) {
    properties::Scenario scenario = scenario_of_trial(sets, seed, trial);
    leave_out_unknown(scenario, find_release(kind.name)->known);
    for (const properties::Breach& breach : court.try_scenario(scenario, dock, {.level = kind.level}).breaches)
      broken.insert(breach.invariant->id);
  }
  return broken;
}

Ids known_of(const ControllerKind& kind) {
  Ids known;
  for (const properties::Invariant& invariant : properties::catalogue)
    if (invariant.level <= kind.level && find_known(kind.name, invariant.id) != nullptr) known.insert(invariant.id);
  return known;
}

class ReleaseTest : public testing::TestWithParam<std::string> {};

TEST_P(ReleaseTest, BreaksWhatItIsKnownToBreakAndNothingElse) {
  const ControllerKind& kind = *find_controller(GetParam());
  const Ids broken = broken_by(kind), known = known_of(kind);
  EXPECT_THAT(broken, testing::IsSubsetOf(known));
  for (const std::string_view id : known)
    EXPECT_TRUE(broken.contains(id) || is_seldom(*find_known(kind.name, id))) << id << " was not broken";
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const std::span<const Release> family : release_families())
    for (const Release& release : family) all.emplace_back(release.rules.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Every, ReleaseTest, testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
});

}  // namespace
}  // namespace ordeal::fuzz
