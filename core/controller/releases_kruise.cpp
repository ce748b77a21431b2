// Defects of OpenKruise's controller (openkruise/kruise#N is kruise#N), a fork: each is the newest Kubernetes with the
// rows that were wrong there, so that what is found is that defect. Named after the release it was in.
#include <array>

#include "core/controller/decisions.h"
#include "core/controller/releases.h"

namespace ordeal {

namespace {

template <class Change>
Release kruise(std::string_view name, std::string_view about, Change change) {
  Release release{kubernetes_1_37_rules(), about, {.reserve_ordinals = true}, "kubernetes-1.37"};
  release.rules.name = name;
  change(release.rules);
  return release;
}

/// Kruise has one update loop for any set, and no gate.
void update_by(Rules& rules, void (*updates)(const Rollout&, std::vector<Replacement>&)) {
  rules.updates_one_by_one = rules.updates_in_order = rules.updates_in_parallel = updates;
}

std::array<Release, 7> make_releases() {
  return {
      kruise("kruise-1.7.0", "OpenKruise 1.7.0: a pod's number is taken for its place when its revision is chosen",
             [](Rules& rules) { rules.side_of_missing = decide::below_partition_by_ordinal; }),  // kruise#1749
      kruise("kruise-1.6.0", "OpenKruise 1.6.0: reserved ordinals are not passed over when claims are given owners",
             [](Rules& rules) { rules.claims_pass_over_reserved = false; }),  // kruise#1530
      kruise("kruise-1.5.1", "OpenKruise 1.5.1: an update overlooks unavailable pods that come later in its order",
             [](Rules& rules) { update_by(rules, decide::until_the_budget_is_met); }),  // kruise#1480
      kruise("kruise-1.0.0", "OpenKruise 1.0.0: scaling down does not wait for minReadySeconds of surplus pods",
             [](Rules& rules) { rules.condemned_choice = decide::highest_if_ready_or_only_broken; }),  // kruise#879
      kruise("kruise-0.6.0", "OpenKruise 0.6.0: the status is not written when only availableReplicas has changed",
             [](Rules& rules) { rules.status_differs = decide::newer_or_other_counts_but_available; }),  // kruise#353
      kruise("kruise-0.4.0", "OpenKruise 0.4.0: with one orphan among its revisions a set is stuck",
             [](Rules& rules) { rules.adopts_owned_revisions = true; }),  // kruise#240
      kruise("kruise-0.3.0", "OpenKruise 0.3.0: a small percentage of a small set is no pod at all, and updates stop",
             [](Rules& rules) {
               update_by(rules, decide::until_the_budget_is_met);  // kruise#1480
               rules.budget = decide::floor_or_nothing;            // kruise#196
             }),
  };
}

}  // namespace

std::span<const Release> kruise_releases() {
  static const auto releases = make_releases();
  return releases;
}

}  // namespace ordeal
