#include "properties/mutants/mutants.h"

#include <algorithm>
#include <vector>

#include "core/controller/decisions.h"

namespace ordeal::properties {

namespace {

template <class Change>
Rules strict_but(std::string_view id, Change change) {
  Rules rules = strict_rules();
  rules.name = id;
  change(rules);
  return rules;
}

Pod without_hostname(const StatefulSet& set, const Shared<PodTemplate>& from, const Text& revision, Ordinal ordinal) {
  Pod pod = decide::build_pod(set, from, revision, ordinal);
  pod.hostname = Text();
  return pod;
}

Pod counted_from_one(const StatefulSet& set, const Shared<PodTemplate>& from, const Text& revision, Ordinal ordinal) {
  Pod pod = decide::build_pod(set, from, revision, ordinal);
  StringMap labels = *pod.meta.labels;
  labels.set(label_pod_index, decimal(number(ordinal) + 1));
  pod.meta.labels = std::make_shared<const StringMap>(std::move(labels));
  return pod;
}

std::optional<std::size_t> lowest_condemned(std::span<const PodState> condemned, const Rules&) {
  return condemned.size() - 1;
}

bool pending_is_terminal(Phase phase) { return phase == Phase::pending || decide::failed_or_succeeded(phase); }

void all_at_once(const Rollout& rollout, std::vector<Replacement>& chosen) {
  for (std::size_t i = rollout.places.size(); i-- > static_cast<std::size_t>(std::max(rollout.partition, 0));)
    if (rollout.rules.may_update(rollout.places[i])) chosen.push_back({i, Reason::update_pod});
}

/// The parallel rule before the fix of k8s#137409: broken pods of an old revision consume the budget.
void budget_only(const Rollout& rollout, std::vector<Replacement>& chosen) {
  std::int32_t left = rollout.budget;
  for (const PodState& place : rollout.places) left -= rollout.rules.unhealthy(place) ? 1 : 0;
  for (std::size_t i = rollout.places.size(); i-- > static_cast<std::size_t>(std::max(rollout.partition, 0)) && left > 0;)
    if (rollout.rules.may_update(rollout.places[i])) {
      chosen.push_back({i, Reason::update_pod});
      --left;
    }
}

Claiming never_releases(const ObjectMeta& set, const ObjectMeta& pod, Fit fit) {
  const Claiming claiming = decide::claim_adopt_or_release(set, pod, fit);
  return claiming == Claiming::release ? Claiming::ignore : claiming;
}

std::vector<Mutant> make_mutants() {
  std::vector<Mutant> list;
  const auto add = [&](std::string_view id, std::string_view about, std::string_view invariant, auto change) {
    list.push_back({id, about, invariant, strict_but(id, change)});
  };
  add("identity-no-hostname", "New pods get no host name.", "identity.hostname",
      [](Rules& r) { r.build_pod = without_hostname; });
  add("identity-index-from-one", "The index label of new pods counts from one.", "identity.pod-index-label",
      [](Rules& r) { r.build_pod = counted_from_one; });
  add("ordering-waits-for-nobody", "OrderedReady does not wait for pods to become ready.", "ordering.predecessors-ready",
      [](Rules& r) { r.holds_back = [](const PodState&) { return false; }; });
  add("scaling-lowest-first", "OrderedReady scales away the lowest surplus pod first.", "scaling.highest-first",
      [](Rules& r) { r.condemned_choice = lowest_condemned; });
  add("deletion-replaces-pending", "Pods that have not started yet are taken for failed ones.", "deletion.justified",
      [](Rules& r) { r.is_terminal = pending_is_terminal; });
  add("deletion-by-name", "Pods are deleted by name alone.", "deletion.the-pod-it-saw",
      [](Rules& r) { r.precondition = Precondition::none; });
  add("update-ignores-partition", "The update does not stop at the partition.", "update.respects-partition",
      [](Rules& r) { r.partition = [](const StatefulSetSpec&) { return 0; }; });
  add("update-ignores-budget", "All outdated pods are deleted at once.", "update.respects-budget", [](Rules& r) {
    r.updates_in_order = all_at_once;
    r.updates_in_parallel = all_at_once;
  });
  add("update-broken-uses-budget", "Broken pods of an old revision consume maxUnavailable, so nothing replaces them.",
      "update.replaces-broken-revision", [](Rules& r) { r.updates_in_parallel = budget_only; });
  add("update-no-forced-rollback", "OrderedReady waits for a broken pod of an old revision for ever.",
      "update.replaces-broken-revision-in-order", [](Rules& r) { r.forced_rollback = decide::no_forced_rollback; });
  add("revisions-forgets-live", "Revisions that pods were made from are pruned.", "revisions.kept-for-pods",
      [](Rules& r) { r.pods_keep_revisions = false; });
  add("revisions-negative-is-zero", "A negative revisionHistoryLimit keeps nothing.", "revisions.negative-limit-keeps-all",
      [](Rules& r) {
        r.surplus_revisions = [](std::size_t unused, std::optional<std::int32_t> limit) {
          const auto kept = static_cast<std::size_t>(std::max(limit.value_or(10), 0));
          return unused > kept ? unused - kept : 0;
        };
      });
  add("status-always-lowers", "Every deletion of an update lowers currentReplicas, whatever the pod's revision.",
      "status.current-replicas-exact", [](Rules& r) { r.lowers_current = decide::always_lowers; });
  add("status-early-completion", "A rollout is declared complete by counting, before pods are available.",
      "status.completion-needs-availability", [](Rules& r) { r.completes = decide::complete_by_counts; });
  add("storage-marks-late", "The claims of a surplus pod are marked just before that pod goes, not all before the first.",
      "storage.all-marked-before-first", [](Rules& r) { r.marks_claims_first = false; });
  add("storage-always-owned-by-set", "Claims always come to belong to the set.", "storage.owners-by-policy", [](Rules& r) {
    r.claim_target = [](RetentionPolicy, bool) { return ClaimTarget{.set = true, .pod = false}; };
  });
  add("ownership-never-releases", "Pods that the set no longer selects are not released.",
      "ownership.mismatched-released-at-rest", [](Rules& r) { r.claiming = never_releases; });
  add("lifecycle-works-while-deleting", "Pods are still worked on while the set is being deleted.",
      "lifecycle.deleting-leaves-pods", [](Rules& r) {
        r.may_work = [](const StatefulSet&) { return true; };
        r.records_while_deleting = true;  // or there would be no template to work with
      });
  add("errors-no-status-after-failure", "A failed call leaves the status unwritten.", "status.written-despite-failure",
      [](Rules& r) { r.status_after_failure = false; });
  add("errors-missing-is-failure", "A pod that is gone already makes its deletion fail.", "errors.missing-pod-is-no-error",
      [](Rules& r) { r.missing_is_deleted = [](Reason) { return false; }; });
  add("convergence-never-woken", "Nobody asks to be woken when minReadySeconds have passed.", "convergence.asks-to-be-woken",
      [](Rules& r) { r.requeue = [](const Waiting&) -> std::optional<Time> { return std::nullopt; }; });
  return list;
}

}  // namespace

std::span<const Mutant> mutants() {
  static const std::vector<Mutant> list = make_mutants();
  return list;
}

const Mutant* find_mutant(std::string_view id) {
  const auto all = mutants();
  const auto at = std::find_if(all.begin(), all.end(), [&](const Mutant& m) { return m.id == id; });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace ordeal::properties
