#include "fuzz/report/known.h"

#include <algorithm>
#include <array>

#include "core/controller/releases.h"

namespace ordeal::fuzz {

namespace {

constexpr std::array known{
    Known{"kubernetes-1.37..kubernetes-1.11", "update.replaces-broken-revision-in-order", "kubernetes/kubernetes#67250",
          "a pod of a broken revision has to be deleted by hand before an OrderedReady set takes the next one"},
    Known{"kubernetes-1.37..kubernetes-1.11", "status.completion-needs-availability", "kubernetes/kubernetes#136831",
          "a rollout counts as complete when all pods are ready, before they are available",
          {"minReadySeconds"}},
    Known{"kubernetes-1.36..kubernetes-1.11", "status.every-strategy-completes", "kubernetes/kubernetes#73492",
          "currentRevision does not follow when pods were replaced by hand under OnDelete"},
    Known{"kubernetes-1.36..kubernetes-1.11", "convergence.every-rollout-declared-complete", "kubernetes/kubernetes#73492",
          "currentRevision does not follow when pods were replaced by hand under OnDelete"},
    Known{"kubernetes-1.37..kubernetes-1.11", "status.current-replicas-exact", "kubernetes/kubernetes#75498",
          "currentReplicas is lowered for pods that were never counted"},
    Known{"kubernetes-1.37..kubernetes-1.11", "status.never-negative", "kubernetes/kubernetes#75498",
          "currentReplicas is lowered for pods that were never counted, below zero"},
    Known{"kubernetes-1.37..kubernetes-1.11", "update.waits-for-lower-pods", "kubernetes/kubernetes#96218",
          "a Parallel set without the maxUnavailable gate does not look at pods with lower ordinals"},
    Known{"kubernetes-1.37..kubernetes-1.34", "update.unavailable-within-budget", "kubernetes/kubernetes#96218",
          "a Parallel set without the maxUnavailable gate does not look at pods with lower ordinals",
          {"MaxUnavailableStatefulSet off", "control.turn-gate"}},
    Known{"kubernetes-1.37..kubernetes-1.6", "ownership.foreign-pods-untouched", "kubernetes/kubernetes#141094",
          "a pod web-01 is taken for member 1, and web-1 is asked to change in its stead, whoever owns it",
          {"user.add-pod as=leading-zero"}},
    Known{"kubernetes-1.37..kubernetes-1.36", "convergence.comes-to-rest", "kubernetes/kubernetes#78209, #141094",
          "without a rollingUpdate block outdated pods are made and deleted in turn while the status lags; and a "
          "pod web-01 that cannot be renamed fails every turn",
          {"no rollingUpdate", "user.add-pod as=leading-zero"}},
    Known{"kubernetes-1.35.0..kubernetes-1.34", "convergence.comes-to-rest", "kubernetes/kubernetes#135428",
          "while any pod is not available another turn is asked for after each minReadySeconds, whatever it would "
          "wait for"},
    Known{"kubernetes-1.28..kubernetes-1.6", "convergence.comes-to-rest", "kubernetes/kubernetes#129018",
          "a negative revisionHistoryLimit kills the process in every turn"},
    Known{"kubernetes-1.37..kubernetes-1.31", "identity.whole-range-at-rest", "no public thread found",
          "scaled down and up again with whenScaled Delete, a pod waits for the collector to take its claim, and no "
          "event tells that it has",
          {"whenScaled=Delete"}},
    Known{"kubernetes-1.37..kubernetes-1.31", "scaling.completes", "no public thread found",
          "a failed pod waits, unwoken, for the collector to take its claim, and scaling down waits for the pod",
          {"whenScaled=Delete"}},
    Known{"kubernetes-1.37..kubernetes-1.31", "update.completes", "no public thread found",
          "a failed pod waits, unwoken, for the collector to take its claim, and the update waits for the pod",
          {"whenScaled=Delete"}},
    Known{"kubernetes-1.37..kubernetes-1.31", "convergence.finished-pods-replaced", "no public thread found",
          "a failed pod behind one that waits, unwoken, for the collector to take its claim is not replaced",
          {"whenScaled=Delete"}},
    Known{"kubernetes-1.35.0..kubernetes-1.24", "convergence.asks-to-be-woken", "kubernetes/kubernetes#135428",
          "surplus pods are counted as available, so that a set with as many of them as replicas asks for no "
          "further turn while others are still young"},
    Known{"kubernetes-1.35.0..kubernetes-1.31", "scaling.completes", "kubernetes/kubernetes#135428",
          "surplus pods are counted as available, so that no turn is asked for while others are still young",
          {"minReadySeconds"}},
    Known{"kubernetes-1.35.0..kubernetes-1.31", "update.completes", "kubernetes/kubernetes#135428",
          "surplus pods are counted as available, so that no turn is asked for while others are still young",
          {"minReadySeconds"}},
    Known{"kubernetes-1.37..kubernetes-1.6", "convergence.no-writes-at-rest", "no public thread found",
          "for a set that waits for its dependents to go a revision is recorded and pruned in every turn",
          {"user.delete-set propagation=foreground"}},
    Known{"kubernetes-1.37..kubernetes-1.6", "convergence.no-writes-at-rest", "kubernetes/kubernetes#141094",
          "a pod web-00 is taken for member 0, and web-0 is asked to change in its stead in every turn",
          {"user.add-pod as=leading-zero"}},
    Known{"kubernetes-1.37..kubernetes-1.24", "convergence.no-writes-at-rest", "no public thread found",
          "a pod waits, unwoken, for the collector to take its claim, and the next turn makes the claim anew",
          {"whenScaled=Delete"}},
    Known{"kubernetes-1.37", "storage.marked-before-scale-down", "no public thread found",
          "Recreate deletes surplus pods whose claims are not theirs yet, and with whenScaled Delete nothing collects these",
          {"Recreate"}},
    Known{"kubernetes-1.37", "storage.scaled-down-claims-go", "no public thread found",
          "Recreate deletes surplus pods whose claims are not theirs yet, and with whenScaled Delete nothing collects these",
          {"Recreate"}},
    Known{"kubernetes-1.37..kubernetes-1.6", "errors.failure-is-reported", "kubernetes/kubernetes#141094",
          "a pod web-01 is taken for member 1, a write of web-1 in its stead conflicts, and web-1 as cached needs no write",
          {"user.add-pod as=leading-zero"}},
    Known{"kubernetes-1.36..kubernetes-1.24", "update.replaces-broken-at-once", "kubernetes/kubernetes#137409",
          "with the maxUnavailable gate broken outdated pods of a Parallel set consume the budget"},
    Known{"kubernetes-1.36..kubernetes-1.24", "update.replaces-broken-revision", "kubernetes/kubernetes#137409",
          "with the maxUnavailable gate broken outdated pods of a Parallel set consume the budget, and nothing "
          "replaces them"},
    Known{"kubernetes-1.36..kubernetes-1.24", "convergence.every-pod-available", "kubernetes/kubernetes#137409",
          "with the maxUnavailable gate nothing replaces broken outdated pods of a Parallel set"},
    Known{"kubernetes-1.35.0..kubernetes-1.6", "errors.missing-pod-is-no-error", "kubernetes/kubernetes#136812",
          "a pod that is gone already makes its deletion fail, unless it was outdated"},
    Known{"kubernetes-1.35.0..kubernetes-1.24", "convergence.woken-in-time", "kubernetes/kubernetes#112871",
          "all of minReadySeconds is waited for again, however little of it is left"},
    Known{"kubernetes-1.34..kubernetes-1.6", "revisions.same-meaning-same-revision", "kubernetes/kubernetes#134773",
          "a template that only is written in other bytes starts a rollout"},
    Known{"kubernetes-1.31..kubernetes-1.24", "update.waits-for-successors", "kubernetes/kubernetes#112307",
          "an update waits for pods to be ready, not for them to be available"},
    Known{"kubernetes-1.31..kubernetes-1.24", "update.respects-budget", "kubernetes/kubernetes#112307",
          "an update waits for pods to be ready, not for them to be available"},
    Known{"kubernetes-1.31..kubernetes-1.24", "update.unavailable-within-budget", "kubernetes/kubernetes#112307",
          "an update waits for pods to be ready, not for them to be available"},
    Known{"kubernetes-1.28..kubernetes-1.6", "errors.never-dies", "kubernetes/kubernetes#129018",
          "a negative revisionHistoryLimit kills the process"},
    Known{"kubernetes-1.28..kubernetes-1.6", "revisions.pruned-beyond-limit", "kubernetes/kubernetes#129018",
          "a negative revisionHistoryLimit prunes all of the history, then kills the process"},
    Known{"kubernetes-1.28..kubernetes-1.6", "revisions.negative-limit-keeps-all", "kubernetes/kubernetes#129018",
          "a negative revisionHistoryLimit prunes all of the history, then kills the process"},
    Known{"kubernetes-1.28..kubernetes-1.6", "identity.no-second-pod", "kubernetes/kubernetes#122709",
          "a failed pod is deleted and made again in one turn, and in every turn until it is gone"},
    Known{"kubernetes-1.28..kubernetes-1.6", "ordering.create-or-delete", "kubernetes/kubernetes#122709",
          "a failed pod is deleted and made again in one turn, and in every turn until it is gone"},
    Known{"kubernetes-1.28..kubernetes-1.6", "deletion.not-twice", "kubernetes/kubernetes#122709",
          "a failed pod is deleted and made again in one turn, and in every turn until it is gone"},
    Known{"kubernetes-1.28..kubernetes-1.6", "storage.claims-only-for-pods", "kubernetes/kubernetes#122709",
          "a failed pod is deleted and made again in one turn, and in every turn until it is gone"},
    Known{"kubernetes-1.28..kubernetes-1.27", "status.replicas", "kubernetes/kubernetes#122709",
          "a failed pod that is to be made again is not counted any more"},
    Known{"kubernetes-1.28..kubernetes-1.27", "status.updated-replicas", "kubernetes/kubernetes#122709",
          "a failed pod that is to be made again is not counted any more"},
    Known{"kubernetes-1.24..kubernetes-1.6", "status.replicas", "kubernetes/kubernetes#117865",
          "what a turn makes and scales away is counted before anybody has seen it"},
    Known{"kubernetes-1.24..kubernetes-1.6", "status.current-replicas", "kubernetes/kubernetes#117865",
          "what a turn makes and scales away is counted before anybody has seen it"},
    Known{"kubernetes-1.24..kubernetes-1.15", "status.updated-replicas", "kubernetes/kubernetes#117865",
          "what a turn makes and scales away is counted before anybody has seen it"},
    Known{"kubernetes-1.11..kubernetes-1.6", "status.updated-replicas", "kubernetes/kubernetes#52653",
          "pods at the current revision are not counted as updated, not even when no update is under way"},
    Known{"kubernetes-1.11..kubernetes-1.6", "status.written-when-changed", "kubernetes/kubernetes#52653",
          "pods at the current revision are not counted as updated, not even when no update is under way"},
    Known{"kubernetes-1.11..kubernetes-1.6", "status.counts-at-rest", "kubernetes/kubernetes#52653",
          "pods at the current revision are not counted as updated, not even when no update is under way"},
    Known{"kubernetes-1.28..kubernetes-1.15", "status.written-when-changed", "kubernetes/kubernetes#122709",
          "a failed pod that is to be made again is not counted any more"},
    Known{"kubernetes-1.28..kubernetes-1.24", "status.written-despite-failure", "kubernetes/kubernetes#122709",
          "a failed pod that is to be made again is not counted any more"},
    Known{"kubernetes-1.20..kubernetes-1.6", "status.written-despite-failure", "kubernetes/kubernetes#113833",
          "no status is written when a pod could not be created or deleted"},
    Known{"kubernetes-1.28..kubernetes-1.24", "ordering.parallel-creates-all", "no public thread found",
          "with whenScaled Delete whatever owns a claim and is called like its pod is taken for an earlier pod: no pod is made"},
    Known{"kubernetes-1.28..kubernetes-1.6", "convergence.finished-pods-replaced", "kubernetes/kubernetes#118310",
          "a pod that ended with success is not replaced, and an OrderedReady set waits for it for ever"},
    Known{"kubernetes-1.28..kubernetes-1.6", "identity.whole-range-at-rest", "kubernetes/kubernetes#118310",
          "a pod that ended with success is not replaced, and an OrderedReady set waits for it for ever"},
    Known{"kubernetes-1.28..kubernetes-1.6", "scaling.completes", "kubernetes/kubernetes#118310",
          "a pod that ended with success is not replaced, and an OrderedReady set waits for it for ever"},
    Known{"kubernetes-1.28..kubernetes-1.27", "update.completes", "kubernetes/kubernetes#118310",
          "a pod that ended with success is not replaced, and an OrderedReady set waits for it for ever"},
    Known{"kubernetes-1.20..kubernetes-1.11", "update.completes", "kubernetes/kubernetes#118310",
          "a pod that ended with success is not replaced, and an OrderedReady set waits for it for ever"},
    Known{"kubernetes-1.20..kubernetes-1.6", "convergence.identity-repaired", "kubernetes/kubernetes#118310",
          "pods behind one that ended with success are not looked at"},
    Known{"kubernetes-1.24", "update.completes", "kubernetes/kubernetes#109251",
          "a small percentage of a small set is no pod at all, and updates stop"},
    Known{"kubernetes-1.24", "update.uses-the-budget", "kubernetes/kubernetes#109251",
          "a small percentage of a small set is no pod at all, and updates stop"},
    Known{"kubernetes-1.28..kubernetes-1.11", "status.completion-needs-all-updated", "kubernetes/kubernetes#119684",
          "a rollout is complete when all pods that there happen to be agree; a pod below the partition can come "
          "back updated"},
    Known{"kubernetes-1.28..kubernetes-1.24", "storage.owners-by-policy", "kubernetes/kubernetes#122400",
          "a claim that somebody else controls is given to the set all the same, and owners are known by UID alone"},
    Known{"kubernetes-1.28..kubernetes-1.24", "storage.taken-claim-gets-no-owner", "kubernetes/kubernetes#122400",
          "a claim that somebody else controls is given to the set all the same, and owners are known by UID alone"},
    Known{"kubernetes-1.28..kubernetes-1.24", "storage.earlier-owner-untouched", "kubernetes/kubernetes#122400",
          "a claim that somebody else controls is given to the set all the same, and owners are known by UID alone"},
    Known{"kubernetes-1.28..kubernetes-1.24", "storage.owners-at-rest", "kubernetes/kubernetes#122400",
          "a claim that somebody else controls is given to the set all the same, and owners are known by UID alone"},
    Known{"kubernetes-1.28..kubernetes-1.24", "storage.marked-before-scale-down", "kubernetes/kubernetes#122400",
          "a claim that somebody else controls is given to the set all the same, and owners are known by UID alone"},
    Known{"kubernetes-1.27..kubernetes-1.6", "identity.pod-index-label", "kubernetes/kubernetes#119232",
          "the label came with 1.28"},
    Known{"kubernetes-1.24..kubernetes-1.6", "storage.pending-pod-gets-claims", "kubernetes/kubernetes#113270",
          "a pending pod that has lost its claim waits for ever"},
    Known{"kubernetes-1.20..kubernetes-1.6", "convergence.every-pod-available", "kubernetes/kubernetes#74374, #93457, #113270",
          "a pod whose claim vanished stays pending for ever"},
    Known{"kubernetes-1.19..kubernetes-1.6", "storage.no-pod-on-dying-claim", "kubernetes/kubernetes#74374, #93457",
          "a pod is made onto a claim that is being deleted"},
    Known{"kubernetes-1.15..kubernetes-1.11", "identity.made-from-its-revision", "kubernetes/kubernetes#78853",
          "what only the newest template has shows through in pods of an older one"},
    Known{"kubernetes-1.11..kubernetes-1.6", "revisions.one-per-template", "kubernetes/kubernetes#55159, #67039",
          "a template that the cache does not show yet is recorded again"},
    Known{"kubernetes-1.11..kubernetes-1.6", "revisions.same-template-same-name", "kubernetes/kubernetes#55159, #67039",
          "a template that the cache does not show yet is recorded again"},
    Known{"kubernetes-1.6", "ordering.predecessors-ready", "kubernetes/kubernetes#44229",
          "a pod on its way out counts as long as it is ready"},
    Known{"kubernetes-1.6", "scaling.predecessors-ready", "kubernetes/kubernetes#44229",
          "a pod on its way out counts as long as it is ready"},
    Known{"kruise-1.7.0", "update.recreates-current-below-partition", "openkruise/kruise#1749",
          "a pod's number is taken for its place when its revision is chosen"},
    Known{"kruise-1.7.0", "update.creates-by-count", "openkruise/kruise#1749",
          "a pod's number is taken for its place when its revision is chosen"},
    Known{"kruise-1.5.1", "update.waits-for-successors", "openkruise/kruise#1480",
          "an update overlooks unavailable pods that come later in its order"},
    Known{"kruise-0.3.0", "update.waits-for-successors", "openkruise/kruise#1480",
          "an update overlooks unavailable pods that come later in its order"},
    Known{"kruise-1.5.1", "update.one-at-a-time", "openkruise/kruise#1480",
          "an update overlooks unavailable pods that come later in its order"},
    Known{"kruise-0.3.0", "update.one-at-a-time", "openkruise/kruise#1480",
          "an update overlooks unavailable pods that come later in its order"},
    Known{"kruise-1.5.1", "update.respects-budget", "openkruise/kruise#1480",
          "an update overlooks unavailable pods that come later in its order"},
    Known{"kruise-0.3.0", "update.respects-budget", "openkruise/kruise#1480",
          "an update overlooks unavailable pods that come later in its order"},
    Known{"kruise-1.5.1", "update.replaces-broken-at-once", "openkruise/kruise#1480",
          "an update overlooks unavailable pods that come later in its order"},
    Known{"kruise-0.3.0", "update.replaces-broken-at-once", "openkruise/kruise#1480",
          "an update overlooks unavailable pods that come later in its order"},
    Known{"kruise-1.5.1", "update.unavailable-within-budget", "openkruise/kruise#1480",
          "an update overlooks unavailable pods that come later in its order"},
    Known{"kruise-0.3.0", "update.unavailable-within-budget", "openkruise/kruise#1480",
          "an update overlooks unavailable pods that come later in its order"},
    Known{"kruise-0.6.0", "status.written-when-changed", "openkruise/kruise#353",
          "no status is written when only availableReplicas has changed"},
    Known{"kruise-0.6.0", "status.written-despite-failure", "openkruise/kruise#353",
          "no status is written when only availableReplicas has changed"},
    Known{"kruise-0.6.0", "status.counts-at-rest", "openkruise/kruise#353",
          "no status is written when only availableReplicas has changed"},
    Known{"kruise-0.4.0", "convergence.comes-to-rest", "openkruise/kruise#240",
          "with one orphan among its revisions a set is stuck"},
    Known{"kruise-0.3.0", "update.uses-the-budget", "openkruise/kruise#196",
          "a small percentage of a small set is no pod at all, and updates stop"},
    Known{"kruise-0.3.0", "update.completes", "openkruise/kruise#196",
          "a small percentage of a small set is no pod at all, and updates stop"},
    Known{"kruise-0.3.0", "update.replaces-broken-revision", "openkruise/kruise#196",
          "a small percentage of a small set is no pod at all, and updates stop"},
    Known{"kruise-0.3.0", "convergence.every-pod-available", "openkruise/kruise#196",
          "a small percentage of a small set is no pod at all, and updates stop"},
};

/// Whether a controller is the one of a row, or lies between the two of it in the order of the releases.
bool speaks_of(const Known& one, std::string_view controller) {
  const std::size_t dots = one.controller.find("..");
  const std::string_view newest = one.controller.substr(0, dots);
  const std::string_view oldest = dots == std::string_view::npos ? newest : one.controller.substr(dots + 2);
  bool begun = false, ended = false;
  for (const std::span<const Release> family : {kubernetes_releases(), kruise_releases()})
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

std::span<const Known> known_violations() { return known; }

const Known* find_known(std::string_view controller, std::string_view invariant, const properties::Cause* cause) {
  const Release* release = find_release(controller);
  const std::string_view table = release != nullptr ? release->rules.name : controller;
  for (const Known& one : known)
    if (one.invariant == invariant && speaks_of(one, table) && (cause == nullptr || explains(one, *cause))) return &one;
  return release != nullptr && !release->based_on.empty() ? find_known(release->based_on, invariant, cause) : nullptr;
}

}  // namespace ordeal::fuzz
