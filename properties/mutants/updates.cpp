// Updates: how far they go, how many pods at a time, which ones, and the strategy Recreate.
#include <algorithm>

#include "properties/mutants/wrong.h"

namespace ordeal::properties {

namespace {

using Chosen = std::vector<Replacement>;

std::size_t lowest_of(const Rollout& rollout) { return static_cast<std::size_t>(std::max(rollout.partition, 0)); }

void all_at_once(const Rollout& rollout, Chosen& chosen) {
  for (std::size_t i = rollout.places.size(); i-- > lowest_of(rollout);)
    if (rollout.rules.may_update(rollout.places[i])) chosen.push_back({i, Reason::update_pod});
}

void lowest_within_budget(const Rollout& rollout, Chosen& chosen) {
  std::int32_t left = rollout.budget - decide::all_unhealthy(rollout);
  for (std::size_t i = lowest_of(rollout); i < rollout.places.size() && left > 0; ++i)
    if (rollout.rules.may_update(rollout.places[i])) {
      chosen.push_back({i, Reason::update_pod});
      --left;
    }
}

/// Whatever is unavailable already is not counted.
void whole_budget(const Rollout& rollout, Chosen& chosen) {
  Chosen all;
  all_at_once(rollout, all);
  const auto taken = std::min(all.size(), static_cast<std::size_t>(rollout.budget));
  chosen.insert(chosen.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(taken));
}

/// New pods that are not available yet do not count, unless all that may be unavailable are.
void new_ones_forgotten(const Rollout& rollout, Chosen& chosen) {
  if (decide::all_unhealthy(rollout) >= rollout.budget)
    return decide::broken_that_it_helps_then_budget(rollout, chosen);
  Rules rules = rollout.rules;
  rules.unhealthy = [](const PodState& s) { return decide::not_serving(s) && !s.at_update; };
  decide::broken_that_it_helps_then_budget(
      {rules, rollout.set, rollout.places, rollout.condemned, rollout.partition, rollout.budget, rollout.ordered},
      chosen);
}

/// Broken pods of an old revision consume the budget.
void broken_use_budget(const Rollout& rollout, Chosen& chosen) {
  std::int32_t left = rollout.budget - decide::all_unhealthy(rollout);
  for (std::size_t i = rollout.places.size(); i-- > lowest_of(rollout) && left > 0;)
    if (rollout.rules.may_update(rollout.places[i])) {
      chosen.push_back({i, Reason::update_pod});
      --left;
    }
}

/// Of the right ones those that `keeps` is true of.
template <class Keeps>
void some_of_them(const Rollout& rollout, Chosen& chosen, Keeps keeps) {
  Chosen all;
  decide::broken_that_it_helps_then_budget(rollout, all);
  std::ranges::copy_if(all, std::back_inserter(chosen), keeps);
}

void only_broken(const Rollout& rollout, Chosen& chosen) {
  some_of_them(rollout, chosen, [](const Replacement& r) { return r.reason == Reason::replace_broken; });
}

/// Those that are ready, but not available yet, wait until they are.
void without_the_settling(const Rollout& rollout, Chosen& chosen) {
  some_of_them(rollout, chosen, [&](const Replacement& r) {
    return r.reason != Reason::replace_broken || !rollout.places[r.index].running_ready;
  });
}

void one_of_them(const Rollout& rollout, Chosen& chosen) {
  decide::as_many_as_the_budget(rollout, chosen);
  if (chosen.size() > 1) chosen.resize(1);
}

/// The highest outdated pod, whatever became of those above.
void next_without_waiting(const Rollout& rollout, Chosen& chosen) {
  Chosen all;
  all_at_once(rollout, all);
  if (!all.empty()) chosen.push_back(all.front());
}
void next_from_below(const Rollout& rollout, Chosen& chosen) {
  if (decide::all_unhealthy(rollout) > 0) return decide::next_that_costs_no_second(rollout, chosen);
  Chosen all;
  all_at_once(rollout, all);
  if (!all.empty()) chosen.push_back(all.back());
}
void nothing(const Rollout&, Chosen&) {}

RecreateStage ignoring_condemned(const Rollout& rollout) {
  return decide::all_old_ones_first(
      {rollout.rules, rollout.set, rollout.places, {}, rollout.partition, rollout.budget, rollout.ordered});
}
RecreateStage without_waiting(const Rollout& rollout) {
  const RecreateStage stage = decide::all_old_ones_first(rollout);
  return stage == RecreateStage::wait ? RecreateStage::done : stage;
}

constexpr Wrong rows[] = {
    {"update-ignores-partition", "The update does not stop at the partition.", "update.respects-partition",
     [](Rules& r) { r.partition = [](const StatefulSetSpec&) { return 0; }; }},
    {"update-one-below-partition", "The update goes on to one pod below the partition.", "update.respects-partition",
     [](Rules& r) { r.partition = [](const StatefulSetSpec& spec) { return decide::partition_or_zero(spec) - 1; }; }},
    {"update-stops-above-partition", "The update leaves out the pod at the partition.", "update.completes",
     [](Rules& r) { r.partition = [](const StatefulSetSpec& spec) { return decide::partition_or_zero(spec) + 1; }; }},
    {"update-partition-is-ordinal", "The partition is taken for an ordinal, the start not counted in.",
     "update.respects-partition",
     [](Rules& r) {
       r.partition = [](const StatefulSetSpec& spec) {
         return decide::partition_or_zero(spec) - spec.ordinals_start.value_or(0);
       };
     }},
    {"update-percentage-rounds-up", "A percentage of maxUnavailable is rounded up.", "update.rounds-down",
     [](Rules& r) { r.budget = [](const StatefulSetSpec& spec) { return budget_rounded(spec, 99, 1); }; }},
    {"update-percentage-may-be-zero", "A small percentage of maxUnavailable allows no pod at all.",
     "update.uses-the-budget",
     [](Rules& r) { r.budget = [](const StatefulSetSpec& spec) { return budget_rounded(spec, 0, 0); }; }},
    {"update-percentage-of-the-rest", "A percentage of maxUnavailable is one of the pods above the partition.",
     "update.percentage-of-all-pods", [](Rules& r) { r.budget = decide::floor_of_those_to_update; }},
    {"update-counts-from-the-partition-on", "Unavailable pods below the partition use up no maxUnavailable.",
     "update.counts-pods-below-partition", [](Rules& r) { r.used_up = decide::unhealthy_from_the_partition_on; }},
    {"update-forgets-the-going", "A pod of the update revision that is on its way out does not count as unavailable.",
     "update.respects-budget",
     [](Rules& r) {
       r.unhealthy = [](const PodState& s) { return decide::not_serving(s) && !(s.at_update && s.terminating); };
     }},
    {"update-one-more-than-budget", "An update may make one pod more unavailable than maxUnavailable.",
     "update.respects-budget",
     [](Rules& r) { r.budget = [](const StatefulSetSpec& spec) { return decide::floor_at_least_one(spec) + 1; }; }},
    {"update-budget-is-one", "maxUnavailable is not read.", "update.uses-the-budget",
     [](Rules& r) { r.budget = [](const StatefulSetSpec&) { return 1; }; }},
    {"update-takes-updated", "Pods at the update revision are updated, too.", "update.only-outdated",
     [](Rules& r) { r.may_update = [](const PodState& s) { return s.created && !s.terminating && !s.deleted; }; }},
    {"deletion-takes-terminating", "Outdated pods that are terminating are deleted again.", "deletion.not-twice",
     [](Rules& r) { r.may_update = [](const PodState& s) { return s.created && !s.at_update && !s.deleted; }; }},
    {"update-takes-none", "No pod is ever updated.", "update.completes",
     [](Rules& r) { r.may_update = [](const PodState&) { return false; }; }},
    {"update-one-waits-for-higher-only", "In a Parallel set without maxUnavailable lower broken pods are not counted.",
     "update.waits-for-lower-pods", [](Rules& r) { r.updates_one_by_one = decide::next_from_the_top; }},
    {"update-one-is-all", "Without maxUnavailable all outdated pods are deleted at once.", "update.one-at-a-time",
     [](Rules& r) { r.updates_one_by_one = all_at_once; }},
    {"update-one-without-waiting", "Without maxUnavailable the next pod is updated before the last one is back.",
     "update.waits-for-successors", [](Rules& r) { r.updates_one_by_one = next_without_waiting; }},
    {"update-one-from-below", "Without maxUnavailable pods are updated from the smallest ordinal.",
     "update.largest-ordinal-first", [](Rules& r) { r.updates_one_by_one = next_from_below; }},
    {"update-ignores-budget", "All outdated pods are deleted at once.", "update.respects-budget",
     [](Rules& r) { r.updates_in_order = r.updates_in_parallel = all_at_once; }},
    {"update-ordered-from-below", "OrderedReady updates pods from the smallest ordinal.",
     "update.largest-ordinal-first", [](Rules& r) { r.updates_in_order = lowest_within_budget; }},
    {"update-ordered-one-at-a-time", "OrderedReady updates one pod at a time, whatever the budget.",
     "update.uses-the-budget", [](Rules& r) { r.updates_in_order = one_of_them; }},
    {"update-ordered-never", "OrderedReady does not update pods.", "update.completes",
     [](Rules& r) { r.updates_in_order = nothing; }},
    {"update-parallel-from-below", "Parallel updates pods from the smallest ordinal.", "update.largest-ordinal-first",
     [](Rules& r) { r.updates_in_parallel = lowest_within_budget; }},
    {"update-parallel-whole-budget", "Parallel does not count pods that are unavailable already.",
     "update.respects-budget", [](Rules& r) { r.updates_in_parallel = whole_budget; }},
    {"update-parallel-forgets-new-ones", "Parallel does not count new pods that are not available yet.",
     "update.respects-budget", [](Rules& r) { r.updates_in_parallel = new_ones_forgotten; }},
    {"update-broken-uses-budget", "Broken pods of an old revision consume maxUnavailable, so nothing replaces them.",
     "update.replaces-broken-revision", [](Rules& r) { r.updates_in_parallel = broken_use_budget; }},
    {"update-parallel-only-broken", "Parallel updates broken pods only.", "update.completes",
     [](Rules& r) { r.updates_in_parallel = only_broken; }},
    {"update-settling-wait", "Outdated pods that are ready wait until they are available.",
     "update.replaces-settling-at-once", [](Rules& r) { r.updates_in_parallel = without_the_settling; }},
    {"convergence-replaces-in-vain", "Parallel replaces broken pods even by others of the same revision.",
     "convergence.comes-to-rest", [](Rules& r) { r.updates_in_parallel = decide::broken_then_budget; }},
    {"update-repairs-first",
     "A pod that lacks the volumes of its claims is to be repaired, in vain, before any update.",
     "update.replaces-unrepairable", [](Rules& r) { r.left_to_update = decide::nothing_is_left_to_update; }},
    {"update-recreate-stops-nothing", "Recreate stops no pods.", "update.recreate-stops-all",
     [](Rules& r) { r.recreation = [](const Rollout&) { return RecreateStage::done; }; }},
    {"update-recreate-mixes", "Recreate does not wait until the old pods are gone.", "update.recreate-never-mixes",
     [](Rules& r) { r.recreation = without_waiting; }},
    {"update-recreate-without-its-gate", "A set of the strategy Recreate whose gate is off gets a rolling update.",
     "update.recreate-never-mixes", [](Rules& r) { r.recreate_needs_gate = false; }},
    {"storage-replaced-takes-claims", "A pod that was surplus for a moment, and fails, takes its claims with it.",
     "storage.freed-before-replaced", [](Rules& r) { r.mends_claims_first = false; }},
    {"storage-claims-orphaned", "A surplus pod is deleted in a way that takes it from its claims.",
     "storage.scaled-down-claims-go", [](Rules& r) { r.propagation = Propagation::orphan; }},
    {"storage-pods-wait-for-claims", "A pod is deleted so that it waits for its claims, which wait for it.",
     "scaling.completes", [](Rules& r) { r.propagation = Propagation::foreground; }},
    {"storage-recreate-leaves-claims", "Recreate deletes surplus pods whose claims are not marked as theirs.",
     "storage.marked-before-scale-down", [](Rules& r) { r.recreate_marks_claims = r.mends_claims_first = false; }},
    {"status-recreate-still-counts", "currentReplicas still counts the pods that Recreate has deleted.",
     "status.current-replicas-exact", [](Rules& r) { r.recreate_lowers_current = false; }},
    {"update-recreate-forgets-surplus", "Recreate does not see surplus pods.", "update.recreate-stops-all",
     [](Rules& r) { r.recreation = ignoring_condemned; }},
};

}  // namespace

std::span<const Wrong> wrong_updates() { return rows; }

std::int32_t budget_rounded(const StatefulSetSpec& spec, std::int32_t rounding, std::int32_t at_least) {
  if (!spec.rolling_update || !spec.rolling_update->max_unavailable) return 1;
  const auto [value, percent] = *spec.rolling_update->max_unavailable;
  const std::int64_t pods =
      percent ? (std::int64_t{spec.replicas.value_or(1)} * value + rounding) / 100 : std::int64_t{value};
  return static_cast<std::int32_t>(std::max<std::int64_t>(at_least, pods));
}

}  // namespace ordeal::properties
