#include "fuzz/report/known.h"

#include <algorithm>
#include <array>

namespace ordeal::fuzz {

namespace {

constexpr std::array known{
    Known{"kubernetes-1.37", "update.replaces-broken-revision-in-order", "kubernetes/kubernetes#67250",
          "a pod of a broken revision has to be deleted by hand before an OrderedReady set takes the next one"},
    Known{"kubernetes-1.37", "status.completion-needs-availability", "kubernetes/kubernetes#136831",
          "a rollout counts as complete when all pods are ready, before they are available", {"minReadySeconds"}},
    Known{"kubernetes-1.37", "status.every-strategy-completes", "kubernetes/kubernetes#73492",
          "currentRevision may not follow when pods were replaced by hand under OnDelete", {"OnDelete"}},
    Known{"kubernetes-1.37", "status.current-replicas-exact", "kubernetes/kubernetes#75498",
          "currentReplicas is lowered for pods that were never counted"},
    Known{"kubernetes-1.37", "status.never-negative", "kubernetes/kubernetes#75498",
          "currentReplicas is lowered for pods that were never counted, below zero"},
    Known{"kubernetes-1.37", "update.unavailable-within-budget", "kubernetes/kubernetes#96218",
          "a Parallel set without the maxUnavailable gate does not look at pods with lower ordinals",
          {"MaxUnavailableStatefulSet off", "control.turn-gate"}},
    Known{"kubernetes-1.37", "ownership.foreign-pods-untouched", "kubernetes/kubernetes#141094",
          "a pod web-01 is taken for member 1, and web-1 is asked to change in its stead, whoever owns it",
          {"user.add-pod as=leading-zero"}},
    Known{"kubernetes-1.37", "identity.update-only-own-pods", "kubernetes/kubernetes#141094",
          "a pod web-01 is taken for member 1, and web-1 is asked to change in its stead", {"user.add-pod as=leading-zero"}},
    Known{"kubernetes-1.37", "identity.update-changes-identity-only", "kubernetes/kubernetes#141094",
          "a pod web-01 is taken for member 1, and all of it is written to web-1", {"user.add-pod as=leading-zero"}},
    Known{"kubernetes-1.37", "convergence.comes-to-rest", "kubernetes/kubernetes#78209, #141094",
          "without a rollingUpdate block outdated pods are made and deleted in turn while the status lags; and a pod web-01 "
          "that cannot be renamed fails every turn",
          {"no rollingUpdate", "user.add-pod as=leading-zero"}},
    Known{"kubernetes-1.37", "identity.whole-range-at-rest", "no public thread found",
          "scaled down and up again with whenScaled Delete, a pod waits for the collector to take its claim, and no event tells "
          "that it has",
          {"whenScaled=Delete"}},
    Known{"kubernetes-1.37", "convergence.finished-pods-replaced", "no public thread found",
          "a failed pod behind one that waits, unwoken, for the collector to take its claim is not replaced", {"whenScaled=Delete"}},
    Known{"kubernetes-1.37", "convergence.asks-to-be-woken", "no public thread found",
          "pods outside the range are counted as available, so that a set with as many of them as replicas asks for no "
          "further turn while others are still young"},
    Known{"kubernetes-1.37", "convergence.no-writes-at-rest", "no public thread found",
          "for a set that waits for its dependents to go a revision is recorded and pruned in every turn",
          {"user.delete-set propagation=foreground"}},
    Known{"kubernetes-1.37", "convergence.no-writes-at-rest", "kubernetes/kubernetes#141094",
          "a pod web-00 is taken for member 0, and web-0 is asked to change in its stead in every turn",
          {"user.add-pod as=leading-zero"}},
    Known{"kubernetes-1.37", "convergence.no-writes-at-rest", "no public thread found",
          "a pod waits, unwoken, for the collector to take its claim, and the next turn makes the claim anew",
          {"whenScaled=Delete"}},
    Known{"kubernetes-1.37", "scaling.completes", "no public thread found",
          "pods outside the range are counted as available, so that no turn is asked for while one of them is still awaited",
          {"minReadySeconds"}},
};

bool explains(const Known& one, const properties::Cause& cause) {
  const auto named = [&](std::string_view need) { return !need.empty() && cause.names(need); };
  return one.needs.front().empty() || std::ranges::any_of(one.needs, named);
}

}  // namespace

std::span<const Known> known_violations() { return known; }

const Known* find_known(std::string_view controller, std::string_view invariant, const properties::Cause* cause) {
  for (const Known& one : known)
    if (one.controller == controller && one.invariant == invariant && (cause == nullptr || explains(one, *cause)))
      return &one;
  return nullptr;
}

}  // namespace ordeal::fuzz
