// Status: what is counted, when a rollout is complete, what is written, and when to wake up.
#include <algorithm>

#include "properties/mutants/wrong.h"

namespace ordeal::properties {

namespace {

/// The right counts of a pod, changed.
template <auto change>
void counted_but(const PodState& state, StatefulSetStatus& status) {
  StatefulSetStatus own;
  decide::count_what_exists(state, own);
  change(state, own);
  status.replicas += own.replicas;
  status.ready_replicas += own.ready_replicas;
  status.available_replicas += own.available_replicas;
  status.current_replicas += own.current_replicas;
  status.updated_replicas += own.updated_replicas;
}

bool places_are_updated_and_ready(const Rollout& rollout) {
  return std::ranges::all_of(rollout.places,
                             [](const PodState& p) { return p.created && p.at_update && p.running_ready; });
}
bool by_ready_places(const Rollout& rollout, const StatefulSetStatus&) {
  return rollout.condemned.empty() && !rollout.set.meta.terminating() && places_are_updated_and_ready(rollout);
}
bool by_present_pods(const Rollout& rollout, const StatefulSetStatus&) {
  return !rollout.set.meta.terminating() && std::ranges::all_of(rollout.places, [](const PodState& place) {
    return place.pod == nullptr || (place.at_update && place.running_ready && place.available);
  });
}
bool even_without_pods(const Rollout& rollout, const StatefulSetStatus& counted) {
  Rollout unpartitioned = rollout;
  unpartitioned.partition = 0;
  return decide::complete_by_places(unpartitioned, counted);
}
bool rolling_only(const Rollout& rollout, const StatefulSetStatus& counted) {
  return rollout.set.spec->strategy == Strategy::rolling_update && decide::complete_by_places(rollout, counted);
}

/// Whether they differ in more than what `hide` makes equal.
template <auto hide>
bool differs_besides(const StatefulSetStatus& told, const StatefulSetStatus& counted) {
  StatefulSetStatus hidden = counted;
  hide(hidden, told);
  return decide::any_field_differs(told, hidden);
}

std::optional<Time> after_all_of_it(const Waiting& waiting) {
  const auto soonest = decide::soonest_change(waiting);
  return soonest && waiting.soonest ? Time::seconds(waiting.min_ready_seconds) + *waiting.soonest : soonest;
}

std::optional<Time> in_whole_seconds(const Waiting& waiting) {
  const auto soonest = decide::soonest_change(waiting);
  return soonest ? std::optional(Time::seconds((*soonest + Time{500}).whole_seconds())) : std::nullopt;
}

std::vector<StatefulSetCondition> told_once_more(const Progress& progress) {
  auto conditions = progress.told;
  if (conditions.size() == 1) conditions.push_back(progress.told.front());
  return conditions;
}

std::vector<StatefulSetCondition> told_to_be_new(const Progress& progress) {
  auto conditions = progress.told;
  for (StatefulSetCondition& told : conditions) told.last_transition = Time::seconds(progress.now.ms / 1000);
  return conditions;
}

/// Silent of a Recreate that is complete, or of one that goes on.
template <bool complete>
std::vector<StatefulSetCondition> silent_when(const Progress& progress) {
  return progress.complete == complete ? progress.told : decide::progress_since_pods_were_stopped(progress);
}

std::vector<StatefulSetCondition> silent_of_others(const Progress& progress) {
  return progress.recreates ? decide::progress_since_pods_were_stopped(progress) : progress.told;
}

std::vector<StatefulSetCondition> progressing_until_complete(const Progress& told) {
  Progress progress = told;
  if (progress.recreates && !progress.complete) progress.recreation = RecreateStage::wait;
  return decide::progress_since_pods_were_stopped(progress);
}

using Counts = StatefulSetStatus;

constexpr Wrong rows[] = {
    {"status-clears-conditions", "The status is written anew, without the conditions that others wrote into it.",
     "status.conditions-of-others-kept", [](Rules& r) { r.tells = decide::no_conditions; }},
    {"status-repeats-conditions", "A condition that was told is told once more.", "status.one-condition-of-a-type",
     [](Rules& r) { r.tells = told_once_more; }},
    {"status-conditions-always-new", "Conditions are as new as the status that tells them.", "status.transition-times",
     [](Rules& r) { r.tells = told_to_be_new; }},
    {"status-recreates-in-silence", "That a Recreate goes on is not told.", "status.tells-of-recreation",
     [](Rules& r) { r.tells = silent_when<false>; }},
    {"status-recreates-for-ever", "That a Recreate is complete is not told.", "status.recreation-ends-at-rest",
     [](Rules& r) { r.tells = silent_when<true>; }},
    {"status-recreation-outlives-its-strategy", "A Recreate that goes on by another strategy is told for ever.",
     "status.recreation-ends-at-rest", [](Rules& r) { r.tells = silent_of_others; }},
    {"status-progresses-at-any-change", "Progressing is told as long as the set is not what it is to be.",
     "status.progress-needs-an-update", [](Rules& r) { r.tells = progressing_until_complete; }},
    {"status-counts-what-is-missing", "Empty places count as replicas.", "status.replicas",
     [](Rules& r) { r.tally = counted_but<[](const PodState&, Counts& own) { own.replicas = 1; }>; }},
    {"status-terminating-are-gone", "Terminating pods do not count as replicas.", "status.replicas",
     [](Rules& r) {
       r.tally = counted_but<[](const PodState& s, Counts& own) {
         if (s.terminating) own = Counts();
       }>;
     }},
    {"status-ready-when-created", "Pods count as ready as soon as they exist.", "status.ready-replicas",
     [](Rules& r) { r.tally = counted_but<[](const PodState&, Counts& own) { own.ready_replicas = own.replicas; }>; }},
    {"status-available-is-ready", "availableReplicas counts ready pods.", "status.available-replicas",
     [](Rules& r) {
       r.tally = counted_but<[](const PodState&, Counts& own) { own.available_replicas = own.ready_replicas; }>;
     }},
    {"status-updated-terminating", "Terminating pods count as updated.", "status.updated-replicas",
     [](Rules& r) {
       r.tally = counted_but<[](const PodState& s, Counts& own) { own.updated_replicas = s.created && s.at_update; }>;
     }},
    {"status-current-terminating", "Terminating pods count as current.", "status.current-replicas",
     [](Rules& r) {
       r.tally = counted_but<[](const PodState& s, Counts& own) { own.current_replicas = s.created && s.at_current; }>;
     }},
    {"status-no-update-no-updated", "updatedReplicas is 0 when no update is running.", "status.updated-replicas",
     [](Rules& r) {
       r.tally = counted_but<[](const PodState& s, Counts& own) {
         if (s.at_current) own.updated_replicas = 0;
       }>;
     }},
    {"status-always-lowers", "Every deletion of an update lowers currentReplicas, whatever the pod's revision.",
     "status.current-replicas-exact", [](Rules& r) { r.lowers_current = decide::always_lowers; }},
    {"status-never-lowers", "No deletion of an update lowers currentReplicas.", "status.current-replicas-exact",
     [](Rules& r) { r.lowers_current = [](const PodState&, bool, const Gates&) { return false; }; }},
    {"status-early-completion", "A rollout is declared complete by counting, before pods are available.",
     "status.completion-needs-availability", [](Rules& r) { r.completes = decide::complete_by_counts; }},
    {"status-complete-without-pods", "A rollout is declared complete without pods, whatever the partition.",
     "status.completion-heeds-partition", [](Rules& r) { r.completes = even_without_pods; }},
    {"status-complete-when-ready", "A rollout is declared complete when its pods are ready, not available.",
     "status.completion-needs-availability", [](Rules& r) { r.completes = by_ready_places; }},
    {"status-complete-with-gaps", "A rollout is declared complete when the pods that are there are updated.",
     "status.completion-needs-all-updated", [](Rules& r) { r.completes = by_present_pods; }},
    {"status-complete-at-once", "A rollout is declared complete as soon as it begins.",
     "status.completion-needs-all-updated",
     [](Rules& r) { r.completes = [](const Rollout&, const Counts&) { return true; }; }},
    {"status-complete-never", "No rollout is ever declared complete.", "status.completes-when-done",
     [](Rules& r) { r.completes = [](const Rollout&, const Counts&) { return false; }; }},
    {"status-complete-rolling-only", "With OnDelete and Recreate no rollout is declared complete.",
     "status.every-strategy-completes", [](Rules& r) { r.completes = rolling_only; }},
    {"status-always-written", "The status is written in every turn.", "status.no-needless-write",
     [](Rules& r) { r.status_differs = [](const Counts&, const Counts&) { return true; }; }},
    {"status-never-written", "The status is never written.", "status.written-when-changed",
     [](Rules& r) { r.status_differs = [](const Counts&, const Counts&) { return false; }; }},
    {"status-available-not-written", "A status that differs in availableReplicas only is not written.",
     "status.written-when-changed",
     [](Rules& r) {
       r.status_differs =
           differs_besides<[](Counts& h, const Counts& told) { h.available_replicas = told.available_replicas; }>;
     }},
    {"status-revision-not-written", "A status that differs in updateRevision only is not written.",
     "status.written-when-changed",
     [](Rules& r) {
       r.status_differs =
           differs_besides<[](Counts& h, const Counts& told) { h.update_revision = told.update_revision; }>;
     }},
    {"status-generation-not-written", "A status that differs in observedGeneration only is not written.",
     "status.written-when-changed",
     [](Rules& r) {
       r.status_differs =
           differs_besides<[](Counts& h, const Counts& told) { h.observed_generation = told.observed_generation; }>;
     }},
    {"errors-no-status-after-failure", "A failed call leaves the status unwritten.", "status.written-despite-failure",
     [](Rules& r) { r.status_after_failure = false; }},
    {"convergence-never-woken", "Nobody asks to be woken when minReadySeconds have passed.",
     "convergence.asks-to-be-woken",
     [](Rules& r) { r.requeue = [](const Waiting&) -> std::optional<Time> { return std::nullopt; }; }},
    {"convergence-woken-late", "To be woken is asked for after minReadySeconds more than what is left.",
     "convergence.woken-in-time", [](Rules& r) { r.requeue = after_all_of_it; }},
    {"economy-waits-whole-seconds", "The time until a pod is available is rounded to whole seconds, at last to none.",
     "economy.no-busy-loop", [](Rules& r) { r.requeue = in_whole_seconds; }},
    {"convergence-collector-not-awaited", "Nobody asks to be woken when the collector has taken a stale claim.",
     "waking.leaves-nothing-undone",
     [](Rules& r) { r.requeue = [](const Waiting& waiting) { return waiting.soonest; }; }},
};

}  // namespace

std::span<const Wrong> wrong_status() { return rows; }

}  // namespace ordeal::properties
