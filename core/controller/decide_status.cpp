// Status and what to wait for: semantics.md 7 and 4.6.
#include <algorithm>

#include "core/controller/decisions.h"

namespace ordeal::decide {

/// Terminating pods count as replicas and ready, but belong to no revision any more.
void count_what_exists(const PodState& state, StatefulSetStatus& status) {
  if (!state.created) return;
  ++status.replicas;
  if (state.running_ready) ++status.ready_replicas;
  if (state.running_ready && state.available) ++status.available_replicas;
  if (state.terminating) return;
  if (state.at_current) ++status.current_replicas;
  if (state.at_update) ++status.updated_replicas;
}

/// Counts on while it works: what it makes is counted at once, what it scales away belongs to no revision any more.
void count_with_own_work(const PodState& state, StatefulSetStatus& status) {
  const bool scaled_away = state.deleted && !state.in_range;
  if (!state.created && !state.made) return;
  ++status.replicas;
  if (state.running_ready) ++status.ready_replicas;
  if (state.running_ready && state.available) ++status.available_replicas;
  if (state.terminating || scaled_away) return;
  if (state.at_current) ++status.current_replicas;
  if (state.at_update) ++status.updated_replicas;
}

/// What is at the current revision is not counted as updated, even when both are one.
void count_with_own_work_current_first(const PodState& state, StatefulSetStatus& status) {
  PodState apart = state;
  if (apart.at_current) apart.at_update = false;
  count_with_own_work(apart, status);
}

bool always_lowers(const PodState&, bool deleted, const Gates&) { return deleted; }
bool lowers_before_it_asks(const PodState&, bool deleted, const Gates& gates) {
  return deleted || !gates.max_unavailable;
}
bool lowers_if_counted(const PodState& outdated, bool deleted, const Gates&) {
  return deleted && outdated.created && outdated.at_current && !outdated.terminating;
}

/// By counts alone: a condemned pod can stand in for a missing one.
bool any_complete_by_counts(const Rollout& rollout, const StatefulSetStatus& counted) {
  const std::int32_t wanted = rollout.set.spec->replicas.value_or(1);
  return counted.updated_replicas == wanted && counted.ready_replicas == wanted && counted.replicas == wanted;
}

bool complete_by_counts(const Rollout& rollout, const StatefulSetStatus& counted) {
  return rollout.set.spec->strategy == Strategy::rolling_update && any_complete_by_counts(rollout, counted);
}

/// Against the pods that there are, however many there should be.
bool complete_by_own_counts(const Rollout& rollout, const StatefulSetStatus& counted) {
  return rollout.set.spec->strategy == Strategy::rolling_update && counted.updated_replicas == counted.replicas &&
         counted.ready_replicas == counted.replicas;
}

bool complete_by_places(const Rollout& rollout, const StatefulSetStatus&) {
  if (rollout.set.meta.terminating() || !rollout.condemned.empty()) return false;
  if (rollout.places.empty() && rollout.partition > 0) return false;  // pods that come next are held back (k8s#121534)
  return std::all_of(rollout.places.begin(), rollout.places.end(), [](const PodState& place) {
    return place.created && place.at_update && place.running_ready && place.available && !place.terminating;
  });
}

// --- conditions --------------------------------------------------------------------------------------------------------

namespace {

constexpr const char* progressing = "Progressing";

/// Down, as it is written; before time zero, too, where a clock may be.
Time whole_seconds_of(Time time) {
  constexpr std::int64_t second = Time::seconds(1).ms;
  return {time.ms - ((time.ms % second) + second) % second};
}

/// The time is that of the last change of the status, not of the words beside it.
void set_condition(std::vector<StatefulSetCondition>& conditions, StatefulSetCondition wanted) {
  const auto held =
      std::find_if(conditions.begin(), conditions.end(), [&](const auto& c) { return c.type == wanted.type; });
  if (held == conditions.end()) return conditions.push_back(std::move(wanted));
  if (held->status == wanted.status) wanted.last_transition = held->last_transition;
  *held = std::move(wanted);
}

/// `how`: it goes on, or null. Only what has begun is ever told to be complete.
std::vector<StatefulSetCondition> told_anew(const Progress& progress, const char* how, bool ends) {
  auto conditions = progress.told;
  const Time now = whole_seconds_of(progress.now);
  if (how != nullptr) set_condition(conditions, {progressing, "True", "RecreateInProgress", how, now});
  const bool has_begun =
      std::any_of(conditions.begin(), conditions.end(), [](const auto& c) { return c.type == progressing; });
  if (ends && has_begun)
    set_condition(conditions, {progressing, "False", "RecreateCompleted", "all pods are new and ready", now});
  return conditions;
}

const char* how_pods_are_stopped(const Progress& progress) {
  return progress.recreation && *progress.recreation != RecreateStage::done ? "outdated pods are being stopped"
                                                                            : nullptr;
}

}  // namespace

std::vector<StatefulSetCondition> no_conditions(const Progress&) { return {}; }

std::vector<StatefulSetCondition> progress_of_recreation(const Progress& progress) {
  const char* how = how_pods_are_stopped(progress);
  if (how == nullptr && progress.recreation && progress.changes) how = "new pods are to be created";
  return told_anew(progress, how, progress.complete && progress.recreates);
}

/// Of a set that has another strategy by now, too.
std::vector<StatefulSetCondition> progress_since_pods_were_stopped(const Progress& progress) {
  return told_anew(progress, how_pods_are_stopped(progress), progress.complete);
}

// --- when it is written ------------------------------------------------------------------------------------------------

bool newer_or_other_counts(const StatefulSetStatus& told, const StatefulSetStatus& counted) {
  return counted.observed_generation > told.observed_generation || counted.replicas != told.replicas ||
         counted.current_replicas != told.current_replicas || counted.ready_replicas != told.ready_replicas ||
         counted.updated_replicas != told.updated_replicas || counted.available_replicas != told.available_replicas ||
         counted.current_revision != told.current_revision || counted.update_revision != told.update_revision;
}

bool newer_or_other_counts_but_available(const StatefulSetStatus& told, const StatefulSetStatus& counted) {
  StatefulSetStatus overlooked = counted;
  overlooked.available_replicas = told.available_replicas;
  return newer_or_other_counts(told, overlooked);
}

bool newer_or_other_counts_or_conditions(const StatefulSetStatus& told, const StatefulSetStatus& counted) {
  return newer_or_other_counts(told, counted) || counted.conditions != told.conditions;
}

bool any_field_differs(const StatefulSetStatus& told, const StatefulSetStatus& counted) {
  return newer_or_other_counts_or_conditions(told, counted) ||
         counted.observed_generation != told.observed_generation ||
         counted.collision_count.value_or(0) != told.collision_count.value_or(0);
}

// --- waiting -----------------------------------------------------------------------------------------------------------

std::optional<Time> soonest_available_or_all_of_it(const Waiting& waiting) {
  if (waiting.min_ready_seconds == 0 || waiting.available == waiting.ready) return std::nullopt;
  return waiting.soonest ? waiting.soonest : Time::seconds(waiting.min_ready_seconds);
}

/// However little of it is left; and surplus pods can make up the number.
std::optional<Time> all_of_it_again(const Waiting& waiting) {
  if (waiting.min_ready_seconds == 0 || waiting.available == waiting.replicas) return std::nullopt;
  return Time::seconds(waiting.min_ready_seconds);
}

/// Whatever the counts say, and also for the collector, which tells nobody when it is done.
std::optional<Time> soonest_change(const Waiting& waiting) {
  constexpr Time collector_pace = Time::seconds(1);
  if (!waiting.for_collector) return waiting.soonest;
  return waiting.soonest ? std::min(*waiting.soonest, collector_pace) : collector_pace;
}

}  // namespace ordeal::decide
