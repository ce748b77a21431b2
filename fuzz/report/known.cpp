#include "fuzz/report/known.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/controller/releases.h"

namespace ordeal::fuzz {

namespace {

/// A row is made of it for each of its lines of releases and each of its promises.
struct Fact {
  std::vector<std::string_view> controllers;
  std::string_view thread, about;
  std::vector<std::string_view> promises;
  std::array<std::string_view, 4> needs = {};
};

// Of two facts about one promise of one release the first whose needs are met is told.
const std::vector<Fact>& facts() {
  static const std::vector<Fact> all{
      Fact{{"kubernetes-1.37..kubernetes-1.11"},
           "kubernetes/kubernetes#67250",
           "a pod of a broken revision has to be deleted by hand before an OrderedReady set takes the next one",
           {"update.replaces-broken-revision-in-order", "update.replaces-broken-while-others-go"}},
      Fact{{"kubernetes-1.37..kubernetes-1.11"},
           "kubernetes/kubernetes#136831",
           "a rollout counts as complete when all pods are ready, before they are available",
           {"status.completion-needs-availability"},
           {"minReadySeconds"}},
      Fact{{"kubernetes-1.36..kubernetes-1.11"},
           "kubernetes/kubernetes#73492",
           "currentRevision does not follow when pods were replaced by hand under OnDelete",
           {"status.every-strategy-completes", "convergence.every-rollout-declared-complete"}},
      Fact{{"kubernetes-1.37..kubernetes-1.11"},
           "kubernetes/kubernetes#75498",
           "currentReplicas is lowered for pods that were never counted",
           {"status.current-replicas-exact"}},
      Fact{{"kubernetes-1.37..kubernetes-1.11"},
           "kubernetes/kubernetes#75498",
           "currentReplicas is lowered for pods that were never counted, below zero",
           {"status.never-negative"}},
      Fact{{"kubernetes-1.37..kubernetes-1.11"},
           "kubernetes/kubernetes#96218",
           "a Parallel set without the maxUnavailable gate does not look at pods with lower ordinals",
           {"update.waits-for-lower-pods"}},
      Fact{{"kubernetes-1.37..kubernetes-1.34"},
           "kubernetes/kubernetes#96218",
           "a Parallel set without the maxUnavailable gate does not look at pods with lower ordinals",
           {"update.unavailable-within-budget"},
           {"MaxUnavailableStatefulSet off", "control.turn-gate"}},
      Fact{{"kubernetes-1.37..kubernetes-1.6"},
           "kubernetes/kubernetes#141094",
           "a pod web-01 is taken for member 1, and web-1 is asked to change in its stead, whoever owns it",
           {"ownership.foreign-pods-untouched"},
           {"user.add-pod as=leading-zero"}},
      Fact{
          {"kubernetes-1.37..kubernetes-1.24", "kruise-1.7.0..kruise-0.3.0"},
          "no public thread found",
          "a turn that waits for the collector to take a claim asks for no other one, and what becomes of claims makes none",
          {"waking.leaves-nothing-undone"}},
      Fact{{"kubernetes-1.37..kubernetes-1.6"},
           "kubernetes/kubernetes#141094",
           "a pod web-01 is taken for member 1, and web-1 is asked to have its volumes, whatever it has itself",
           {"identity.update-keeps-volumes"},
           {"user.add-pod as=leading-zero"}},
      Fact{
          {"kubernetes-1.37..kubernetes-1.24"},
          "no public thread found",
          "scaled down with whenScaled Delete and up again with Retain, a pod is made on a claim that the collector is about to take",
          {"storage.claims-at-rest"},
          {"user.set-retention"}},
      Fact{
          {"kubernetes-1.37..kubernetes-1.31"},
          "kubernetes/kubernetes#78209, #141094",
          "without a rollingUpdate block outdated pods are made and deleted in turn while the status lags; and a pod web-01 that cannot be renamed fails every turn",
          {"convergence.comes-to-rest"},
          {"no rollingUpdate", "user.add-pod as=leading-zero"}},
      Fact{
          {"kubernetes-1.35.0..kubernetes-1.31"},
          "kubernetes/kubernetes#135428",
          "a set that waits for its dependents to go is looked at again after each minReadySeconds, and records a revision each time",
          {"convergence.comes-to-rest"},
          {"user.delete-set propagation=foreground"}},
      Fact{{"kubernetes-1.28..kubernetes-1.6"},
           "kubernetes/kubernetes#129018",
           "a negative revisionHistoryLimit kills the process in every turn",
           {"convergence.comes-to-rest"}},
      Fact{
          {"kubernetes-1.37..kubernetes-1.27", "kruise-1.7.0..kruise-0.3.0"},
          "no public thread found",
          "the pod of a Parallel set that waits for the collector to take its claim counts as there and outdated, and is deleted",
          {"deletion.justified"},
          {"whenScaled=Delete"}},
      Fact{
          {"kubernetes-1.37..kubernetes-1.31"},
          "no public thread found",
          "scaled down and up again with whenScaled Delete, a pod waits for the collector to take its claim, and no event tells that it has",
          {"identity.whole-range-at-rest"},
          {"whenScaled=Delete"}},
      Fact{{"kubernetes-1.37..kubernetes-1.31"},
           "no public thread found",
           "a failed pod waits, unwoken, for the collector to take its claim, and scaling down waits for the pod",
           {"scaling.completes"},
           {"whenScaled=Delete"}},
      Fact{{"kubernetes-1.37..kubernetes-1.31"},
           "no public thread found",
           "a failed pod waits, unwoken, for the collector to take its claim, and the update waits for the pod",
           {"update.completes"},
           {"whenScaled=Delete"}},
      Fact{{"kubernetes-1.37..kubernetes-1.31"},
           "no public thread found",
           "a failed pod behind one that waits, unwoken, for the collector to take its claim is not replaced",
           {"convergence.finished-pods-replaced"},
           {"whenScaled=Delete"}},
      Fact{
          {"kubernetes-1.35.0..kubernetes-1.24"},
          "kubernetes/kubernetes#135428",
          "surplus pods are counted as available, so that a set with as many of them as replicas asks for no further turn while others are still young",
          {"convergence.asks-to-be-woken"}},
      Fact{{"kubernetes-1.35.0..kubernetes-1.31"},
           "kubernetes/kubernetes#135428",
           "surplus pods are counted as available, so that no turn is asked for while others are still young",
           {"scaling.completes", "identity.whole-range-at-rest", "update.completes", "storage.owners-at-rest",
            "convergence.finished-pods-replaced"},
           {"minReadySeconds"}},
      Fact{
          {"kubernetes-1.37..kubernetes-1.36"},
          "no public thread found",
          "a set that waits for its dependents to go is to adopt an orphan revision, which a set that is going may not: its turns fail",
          {"convergence.comes-to-rest"},
          {"user.delete-set propagation=foreground"}},
      Fact{
          {"kubernetes-1.37..kubernetes-1.36"},
          "no public thread found",
          "a revision of its template that belongs to somebody else is used, but never listed: every turn asks for it again",
          {"convergence.comes-to-rest"},
          {"user.add-revision as=owned-by-other"}},
      Fact{{"kubernetes-1.37..kubernetes-1.6"},
           "no public thread found",
           "for a set that waits for its dependents to go a revision is recorded and pruned in every turn",
           {"convergence.no-writes-at-rest"},
           {"user.delete-set propagation=foreground"}},
      Fact{{"kubernetes-1.37..kubernetes-1.6"},
           "kubernetes/kubernetes#141094",
           "a pod web-00 is taken for member 0, and web-0 is asked to change in its stead in every turn",
           {"convergence.no-writes-at-rest"},
           {"user.add-pod as=leading-zero"}},
      Fact{{"kubernetes-1.37..kubernetes-1.24"},
           "no public thread found",
           "a pod waits, unwoken, for the collector to take its claim, and the next turn makes the claim anew",
           {"convergence.no-writes-at-rest"},
           {"whenScaled=Delete"}},
      Fact{
          {"kubernetes-1.37..kubernetes-1.27", "kruise-1.7.0..kruise-0.3.0"},
          "no public thread found",
          "a claim made anew for a pending pod gets its owners only in the next turn, and nothing makes one: claims wake nobody",
          {"convergence.no-writes-at-rest"},
          {"whenDeleted=Delete", "user.delete-claim"}},
      Fact{
          {"kubernetes-1.37..kubernetes-1.31"},
          "no public thread found",
          "an earlier set's reference behind the right one: both are taken away, and the right one comes back only in another turn",
          {"convergence.no-writes-at-rest", "storage.owners-at-rest"},
          {"user.add-claim-owner owner=earlier-set"}},
      Fact{
          {"kubernetes-1.37"},
          "no public thread found",
          "Recreate deletes surplus pods whose claims are not theirs yet, and with whenScaled Delete nothing collects these",
          {"storage.marked-before-scale-down", "storage.scaled-down-claims-go"},
          {"Recreate"}},
      Fact{
          {"kubernetes-1.37"},
          "no public thread found",
          "a Recreate that finds no pod to stop is begun and complete in one turn, and Progressing, which stays False, is as new as that turn",
          {"status.transition-times"},
          {"Recreate"}},
      Fact{
          {"kubernetes-1.37..kubernetes-1.6"},
          "kubernetes/kubernetes#141094",
          "a pod web-01 is taken for member 1, a write of web-1 in its stead conflicts, and web-1 as cached needs no write",
          {"errors.failure-is-reported"},
          {"user.add-pod as=leading-zero"}},
      Fact{{"kubernetes-1.36..kubernetes-1.24"},
           "kubernetes/kubernetes#137409",
           "with the maxUnavailable gate broken outdated pods of a Parallel set consume the budget",
           {"update.replaces-broken-at-once"}},
      Fact{
          {"kubernetes-1.36..kubernetes-1.24"},
          "kubernetes/kubernetes#137409",
          "with the maxUnavailable gate broken outdated pods of a Parallel set consume the budget, and nothing replaces them",
          {"update.replaces-broken-revision"}},
      Fact{{"kubernetes-1.36..kubernetes-1.24"},
           "kubernetes/kubernetes#137409",
           "with the maxUnavailable gate nothing replaces broken outdated pods of a Parallel set",
           {"convergence.every-pod-available"}},
      Fact{{"kubernetes-1.35.0..kubernetes-1.6"},
           "kubernetes/kubernetes#136812",
           "a pod that is gone already makes its deletion fail, unless it was outdated",
           {"errors.missing-pod-is-no-error"}},
      Fact{{"kubernetes-1.35.0..kubernetes-1.24"},
           "kubernetes/kubernetes#112871",
           "all of minReadySeconds is waited for again, however little of it is left",
           {"convergence.woken-in-time"}},
      Fact{{"kubernetes-1.35.0..kubernetes-1.24"},
           "kubernetes/kubernetes#112871",
           "all of minReadySeconds is waited for again, however little of it is left",
           {"status.counts-at-rest", "convergence.no-writes-at-rest"},
           {"minReadySeconds", "user.set-min-ready"}},
      Fact{{"kubernetes-1.34..kubernetes-1.6"},
           "kubernetes/kubernetes#134773",
           "a template that only is written in other bytes starts a rollout",
           {"revisions.same-meaning-same-revision"}},
      Fact{{"kubernetes-1.34..kubernetes-1.11"},
           "kubernetes/kubernetes#134773",
           "a template that only is written in other bytes, by another release say, starts a rollout",
           {"revisions.no-restart-without-change"}},
      Fact{{"kubernetes-1.34..kubernetes-1.6"},
           "kubernetes/kubernetes#134773",
           "a template that only is written in other bytes starts a rollout",
           {"status.counts-at-rest", "update.completes"},
           {"user.add-revision as=older-encoder", "user.add-revision as=owned-by-other"}},
      Fact{{"kubernetes-1.34..kubernetes-1.31"},
           "kubernetes/kubernetes#134773",
           "a template that only is written in other bytes starts a rollout",
           {"convergence.rollout-declared-complete"},
           {"user.add-revision as=older-encoder", "user.add-revision as=owned-by-other"}},
      Fact{{"kubernetes-1.31..kubernetes-1.24"},
           "kubernetes/kubernetes#112307",
           "an update waits for pods to be ready, not for them to be available",
           {"update.waits-for-successors", "update.respects-budget", "update.unavailable-within-budget"}},
      Fact{{"kubernetes-1.28..kubernetes-1.6"},
           "kubernetes/kubernetes#129018",
           "a negative revisionHistoryLimit kills the process",
           {"errors.never-dies"}},
      Fact{{"kubernetes-1.28..kubernetes-1.6"},
           "kubernetes/kubernetes#129018",
           "a negative revisionHistoryLimit prunes all of the history, then kills the process",
           {"revisions.pruned-beyond-limit", "revisions.negative-limit-keeps-all"}},
      Fact{{"kubernetes-1.28..kubernetes-1.6"},
           "kubernetes/kubernetes#122709",
           "a failed pod is deleted and made again in one turn, and in every turn until it is gone",
           {"identity.no-second-pod", "identity.old-gone-before-new", "ordering.create-or-delete", "deletion.not-twice",
            "storage.claims-only-for-pods"}},
      Fact{{"kubernetes-1.28..kubernetes-1.6"},
           "kubernetes/kubernetes#122709",
           "a failed pod is deleted and made again in one turn, and in every turn until it is gone",
           {"waking.by-events"},
           {"pod.fail"}},
      Fact{{"kubernetes-1.28..kubernetes-1.27"},
           "kubernetes/kubernetes#122709",
           "a failed pod that is to be made again is not counted any more",
           {"status.replicas", "status.updated-replicas"}},
      Fact{{"kubernetes-1.24..kubernetes-1.6"},
           "kubernetes/kubernetes#117865",
           "what a turn makes and scales away is counted before anybody has seen it",
           {"status.replicas", "status.current-replicas"}},
      Fact{{"kubernetes-1.24..kubernetes-1.15"},
           "kubernetes/kubernetes#117865",
           "what a turn makes and scales away is counted before anybody has seen it",
           {"status.updated-replicas"}},
      Fact{{"kubernetes-1.24..kubernetes-1.6"},
           "kubernetes/kubernetes#117865",
           "pods whose number is no place, or another pod's place, are counted, and no rollout is complete beside them",
           {"status.ready-replicas", "status.available-replicas", "status.counts-at-rest", "status.completes-when-done",
            "convergence.rollout-declared-complete"},
           {"user.add-pod as=overflow", "user.add-pod as=leading-zero"}},
      Fact{{"kubernetes-1.24"},
           "kubernetes/kubernetes#114870",
           "owners about to be written are put into the cached claim, and taken for written when the call has failed",
           {"errors.failure-is-reported", "errors.ordered-stops", "errors.parallel-stops",
            "errors.conflict-never-deletes", "convergence.same-view-same-calls", "storage.no-pod-on-stale-claim",
            "convergence.waits-quietly"},
           {"claims"}},
      Fact{{"kubernetes-1.11..kubernetes-1.6"},
           "kubernetes/kubernetes#52653",
           "pods at the current revision are not counted as updated, not even when no update is under way",
           {"status.updated-replicas", "status.written-when-changed", "status.counts-at-rest"}},
      Fact{{"kubernetes-1.28..kubernetes-1.15"},
           "kubernetes/kubernetes#122709",
           "a failed pod that is to be made again is not counted any more",
           {"status.written-when-changed"}},
      Fact{{"kubernetes-1.28..kubernetes-1.24"},
           "kubernetes/kubernetes#122709",
           "a failed pod that is to be made again is not counted any more",
           {"status.written-despite-failure"}},
      Fact{{"kubernetes-1.20..kubernetes-1.6"},
           "kubernetes/kubernetes#113833",
           "no status is written when a pod could not be created or deleted",
           {"status.written-despite-failure"}},
      Fact{{"kubernetes-1.24"},
           "kubernetes/kubernetes#117865",
           "a place that waits for the collector to take its claim ends the turn of a Parallel set, too",
           {"scaling.parallel-removes-all"},
           {"whenScaled=Delete"}},
      Fact{
          {"kubernetes-1.28..kubernetes-1.24"},
          "no public thread found",
          "with whenScaled Delete whatever owns a claim and is called like its pod is taken for an earlier pod: no pod is made",
          {"ordering.parallel-creates-all", "storage.strange-volumes-not-accepted"}},
      Fact{{"kubernetes-1.28..kubernetes-1.6"},
           "kubernetes/kubernetes#118310",
           "a pod that ended with success is not replaced, and an OrderedReady set waits for it for ever",
           {"convergence.finished-pods-replaced", "identity.whole-range-at-rest", "scaling.completes"}},
      Fact{{"kubernetes-1.28..kubernetes-1.27", "kubernetes-1.20..kubernetes-1.11"},
           "kubernetes/kubernetes#118310",
           "a pod that ended with success is not replaced, and an OrderedReady set waits for it for ever",
           {"update.completes"}},
      Fact{{"kubernetes-1.20..kubernetes-1.6"},
           "kubernetes/kubernetes#118310",
           "a pod that ended with success is not replaced, be it of an outdated revision or of none",
           {"update.replaces-broken-revision"}},
      Fact{{"kubernetes-1.28..kubernetes-1.6"},
           "kubernetes/kubernetes#118310",
           "pods behind one that ended with success are not looked at",
           {"convergence.identity-repaired"}},
      Fact{{"kubernetes-1.24"},
           "kubernetes/kubernetes#109251",
           "a small percentage of a small set is no pod at all, and updates stop",
           {"update.completes", "equivalence.order-of-edits", "equivalence.management-policies",
            "equivalence.lost-replies", "equivalence.crashes", "update.uses-the-budget"}},
      Fact{
          {"kubernetes-1.28..kubernetes-1.11"},
          "kubernetes/kubernetes#119684",
          "a rollout is complete when all pods that there happen to be agree; a pod below the partition can come back updated",
          {"status.completion-needs-all-updated"}},
      Fact{{"kubernetes-1.28..kubernetes-1.11"},
           "kubernetes/kubernetes#119684",
           "a rollout is complete when all pods that there happen to be agree, and pods are made and replaced in turn",
           {"economy.few-writes-to-rest"},
           {"no rollingUpdate"}},
      Fact{{"kubernetes-1.28..kubernetes-1.24"},
           "kubernetes/kubernetes#122400",
           "a claim that somebody else controls is given to the set all the same, and owners are known by UID alone",
           {"storage.owners-by-policy", "storage.taken-claim-gets-no-owner", "storage.earlier-owner-untouched",
            "storage.owners-at-rest", "storage.marked-before-scale-down"}},
      Fact{{"kubernetes-1.27..kubernetes-1.6"},
           "kubernetes/kubernetes#119232",
           "the label came with 1.28",
           {"identity.pod-index-label", "identity.repaired-with-its-index"}},
      Fact{{"kubernetes-1.24..kubernetes-1.6"},
           "kubernetes/kubernetes#113270",
           "a pending pod that has lost its claim waits for ever",
           {"storage.pending-pod-gets-claims"}},
      Fact{{"kubernetes-1.20..kubernetes-1.6"},
           "kubernetes/kubernetes#74374, #93457, #113270",
           "a pod whose claim vanished stays pending for ever",
           {"convergence.every-pod-available"}},
      Fact{{"kubernetes-1.19..kubernetes-1.6"},
           "kubernetes/kubernetes#74374, #93457",
           "a pod is made onto a claim that is being deleted",
           {"storage.no-pod-on-dying-claim"}},
      Fact{{"kubernetes-1.15..kubernetes-1.11"},
           "kubernetes/kubernetes#78853",
           "what only the newest template has shows through in pods of an older one",
           {"identity.made-from-its-revision", "identity.template-labels"}},
      Fact{{"kubernetes-1.15..kubernetes-1.11"},
           "kubernetes/kubernetes#78853",
           "what only the newest template has shows through in pods of an older one",
           {"equivalence.crashes"},
           {"user.edit-template"}},
      Fact{{"kubernetes-1.11..kubernetes-1.6"},
           "kubernetes/kubernetes#55159, #67039",
           "a template that the cache does not show yet is recorded again",
           {"revisions.one-per-template", "equivalence.crashes", "equivalence.management-policies",
            "equivalence.lost-replies", "revisions.same-template-same-name"}},
      Fact{
          {"kubernetes-1.11..kubernetes-1.6"},
          "kubernetes/kubernetes#55159, #67039",
          "with a cache that is behind a revision is recorded in each turn, under the first name that none of those before has",
          {"economy.bounded-turn"}},
      Fact{{"kubernetes-1.6"},
           "kubernetes/kubernetes#44229",
           "a pod on its way out counts as long as it is ready",
           {"ordering.predecessors-ready", "scaling.predecessors-ready"}},
      Fact{{"kruise-1.7.0"},
           "openkruise/kruise#1749",
           "a pod's number is taken for its place when its revision is chosen",
           {"update.recreates-current-below-partition", "update.creates-by-count"}},
      Fact{{"kruise-1.5.1", "kruise-0.3.0"},
           "openkruise/kruise#1480",
           "an update overlooks unavailable pods that come later in its order",
           {"update.waits-for-successors", "update.one-at-a-time", "update.respects-budget",
            "update.replaces-broken-at-once", "update.unavailable-within-budget"}},
      Fact{{"kruise-0.6.0"},
           "openkruise/kruise#353",
           "no status is written when only availableReplicas has changed",
           {"status.written-when-changed", "status.written-despite-failure", "status.counts-at-rest",
            "equivalence.order-of-edits", "equivalence.crashes", "equivalence.lost-replies", "equivalence.rollback",
            "equivalence.management-policies"}},
      Fact{
          {"kruise-0.6.0"},
          "openkruise/kruise#353",
          "no status is written when only availableReplicas has changed, and so a claim just made is not looked at again",
          {"convergence.no-writes-at-rest"},
          {"minReadySeconds"}},
      Fact{{"kruise-0.4.0"},
           "openkruise/kruise#240",
           "with one orphan among its revisions a set is stuck",
           {"convergence.comes-to-rest", "waking.fails-with-cause", "status.written-despite-failure",
            "revisions.history-within-limit-on-errors"}},
      Fact{{"kubernetes-1.17..kubernetes-1.6"},
           "kubernetes/kubernetes#85690",
           "a turn that fails prunes no history",
           {"revisions.history-within-limit-on-errors"}},
      Fact{{"kubernetes-1.17..kubernetes-1.6"},
           "kubernetes/kubernetes#86801",
           "with one orphan among its revisions a set is stuck",
           {"waking.fails-with-cause"}},
      Fact{{"kruise-0.3.0"},
           "openkruise/kruise#196",
           "a small percentage of a small set is no pod at all, and updates stop",
           {"update.uses-the-budget", "update.completes", "update.replaces-broken-revision", "equivalence.crashes",
            "equivalence.lost-replies", "equivalence.order-of-edits", "equivalence.management-policies",
            "convergence.every-pod-available"}},
      Fact{
          {"kubernetes-1.37"},
          "no public thread found",
          "a pod that is yet to be made, since a claim waits for the collector, is deleted by its name, whoever holds that",
          {"deletion.only-own-pods", "ownership.foreign-pods-untouched"},
          {"no rollingUpdate"}},
      Fact{
          {"kubernetes-1.37..kubernetes-1.31", "kruise-1.7.0..kruise-0.3.0"},
          "no public thread found",
          "a pod that is yet to be made, since a claim waits for the collector, is deleted by its name, whoever holds that",
          {"deletion.not-twice"},
          {"whenScaled=Delete"}},
      // At level strict such a pod is nobody's, and the promises that are broken for taking it are many.
      Fact{{"kubernetes-1.37..kubernetes-1.6"},
           "kubernetes/kubernetes#141094",
           "a pod web-00 is taken for a member of the set",
           {any_promise},
           {"user.add-pod as=leading-zero"}},
  };
  return all;
}

std::vector<Known> rows_of(const std::vector<Fact>& all) {
  std::vector<Known> rows;
  for (const Fact& fact : all)
    for (const std::string_view controller : fact.controllers)
      for (const std::string_view promise : fact.promises)
        rows.push_back({controller, promise, fact.thread, fact.about, fact.needs});
  return rows;
}

/// Whether a controller is the one of a row, or lies between the two of it in the order of the releases.
bool speaks_of(const Known& one, std::string_view controller) {
  const std::size_t dots = one.controller.find("..");
  const std::string_view newest = one.controller.substr(0, dots);
  const std::string_view oldest = dots == std::string_view::npos ? newest : one.controller.substr(dots + 2);
  bool begun = false, ended = false;
  for (const std::span<const Release> family : release_families())
    for (const Release& release : family) {
      begun = begun || release.rules.name == newest;
      if (begun && !ended && release.rules.name == controller) return true;
      ended = ended || (begun && release.rules.name == oldest);
    }
  return false;
}

bool explains(const Known& one, const properties::Cause& cause) {
  const auto named = [&](std::string_view need) { return !need.empty() && cause.names(need); };
  return one.needs.front().empty() || std::ranges::any_of(one.needs, named);
}

}  // namespace

std::span<const Known> known_violations() {
  static const std::vector<Known> rows = rows_of(facts());
  return rows;
}

const Known* find_known(std::string_view controller, std::string_view invariant, const properties::Cause* cause) {
  const Release* release = find_release(controller);
  const std::string_view table = release != nullptr ? release->rules.name : controller;
  const auto is_about = [&](const Known& one) {
    return one.invariant == invariant || (one.invariant == any_promise && cause != nullptr);
  };
  for (const Known& one : known_violations())
    if (is_about(one) && speaks_of(one, table) && (cause == nullptr || explains(one, *cause))) return &one;
  return release != nullptr && !release->based_on.empty() ? find_known(release->based_on, invariant, cause) : nullptr;
}

}  // namespace ordeal::fuzz
