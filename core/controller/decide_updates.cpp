// Which pods an update deletes, and how many: semantics.md 6.9.
#include <algorithm>

#include "core/controller/decisions.h"

namespace ordeal::decide {

std::int32_t partition_or_zero(const StatefulSetSpec& spec) {
  if (!spec.rolling_update) return 0;
  return spec.rolling_update->partition.value_or(0);
}

namespace {

/// Percentages are rounded down, whatever documents say: a small part of few pods is nothing.
std::int32_t floor_of(std::int64_t pods, const StatefulSetSpec& spec) {
  if (!spec.rolling_update || !spec.rolling_update->max_unavailable) return 1;
  const auto [value, percent] = *spec.rolling_update->max_unavailable;
  return static_cast<std::int32_t>(percent ? pods * value / 100 : std::int64_t{value});
}

}  // namespace

std::int32_t floor_or_nothing(const StatefulSetSpec& spec) { return floor_of(spec.replicas.value_or(1), spec); }

/// And at least one pod may always be missing.
std::int32_t floor_at_least_one(const StatefulSetSpec& spec) { return std::max(1, floor_or_nothing(spec)); }

/// Of the pods that the partition does not hold back.
std::int32_t floor_of_those_to_update(const StatefulSetSpec& spec) {
  const std::int64_t pods = std::int64_t{spec.replicas.value_or(1)} - partition_or_zero(spec);
  return std::max(1, floor_of(std::max<std::int64_t>(0, pods), spec));
}

/// Whether there is a pod at all is not asked: one that waits for its claim to be collected is to be deleted, too.
bool outdated_and_staying(const PodState& state) { return !state.at_update && !state.terminating; }

bool outdated_seen_and_not_deleted(const PodState& state) {
  return state.created && !state.at_update && !state.terminating && !state.deleted;
}

namespace {

Reason reason_for(const Rollout& rollout, const PodState& place) {
  return rollout.rules.unhealthy(place) ? Reason::replace_broken : Reason::update_pod;
}

/// Calls `see(index, place)` for the places an update may touch, from the highest down, until it returns false.
template <class See>
void from_the_top(const Rollout& rollout, See see) {
  const auto lowest = static_cast<std::size_t>(std::max(rollout.partition, 0));
  for (std::size_t i = rollout.places.size(); i-- > lowest;)
    if (!see(i, rollout.places[i])) return;
}

/// Whether a replacement would be at another revision. Without a rollingUpdate block the lowest pods are recreated at
/// the current one, as many as status.currentReplicas says once the deletions are counted: the same pod again helps
/// nobody.
class Change {
 public:
  explicit Change(const Rollout& rollout) : rollout_(rollout) {
    StatefulSetStatus counted;
    for (const std::span<const PodState> states : {rollout.places, rollout.condemned})
      for (const PodState& state : states) rollout.rules.tally(state, counted);
    at_current_ = counted.current_replicas;
  }
  bool would_come(std::size_t index) const {
    const PodState& place = rollout_.places[index];
    return !place.at_current ||
           rollout_.rules.side_of_missing(*rollout_.set.spec, index, place.ordinal, at_current_ - 1) == Side::update;
  }
  void note_deletion_of(const PodState& place) {
    if (place.at_current) --at_current_;
  }

 private:
  const Rollout& rollout_;
  std::int32_t at_current_ = 0;
};

bool is_broken_and_outdated(const Rollout& rollout, const PodState& place) {
  return outdated_seen_and_not_deleted(place) && !place.running_ready && !rollout.rules.is_terminal(place.pod->phase);
}

std::optional<std::size_t> highest_broken(const Rollout& rollout) {
  const Change change(rollout);
  std::optional<std::size_t> highest;
  from_the_top(rollout, [&](std::size_t i, const PodState& place) {
    if (is_broken_and_outdated(rollout, place) && change.would_come(i)) highest = i;
    return !highest;
  });
  return highest;
}

}  // namespace

std::int32_t all_unhealthy(const Rollout& rollout) {
  return static_cast<std::int32_t>(std::ranges::count_if(rollout.places, rollout.rules.unhealthy));
}

std::int32_t unhealthy_from_the_partition_on(const Rollout& rollout) {
  std::int32_t unhealthy = 0;
  from_the_top(rollout, [&](std::size_t, const PodState& place) {
    unhealthy += rollout.rules.unhealthy(place) ? 1 : 0;
    return true;
  });
  return unhealthy;
}

// --- gate off ----------------------------------------------------------------------------------------------------------

void next_from_the_top(const Rollout& rollout, std::vector<Replacement>& chosen) {
  from_the_top(rollout, [&](std::size_t i, const PodState& place) {
    if (!rollout.rules.may_update(place)) return !rollout.rules.unhealthy(place);
    chosen.push_back({i, reason_for(rollout, place)});
    return false;
  });
}

/// In a Parallel set lower pods may be unavailable, too: then a working pod stays, and a broken outdated one makes
/// room.
void next_that_costs_no_second(const Rollout& rollout, std::vector<Replacement>& chosen) {
  if (rollout.ordered) return next_from_the_top(rollout, chosen);
  if (const auto broken = highest_broken(rollout)) return chosen.push_back({*broken, Reason::replace_broken});
  next_from_the_top(rollout, chosen);
  if (chosen.empty()) return;
  const PodState& next = rollout.places[chosen.back().index];
  const std::int32_t own = rollout.rules.unhealthy(next) ? 1 : 0;
  // No broken one is left that it would help.
  if (all_unhealthy(rollout) > own || is_broken_and_outdated(rollout, next)) chosen.pop_back();
}

// --- gate on -----------------------------------------------------------------------------------------------------------

namespace {

std::int32_t left_of_the_budget(const Rollout& rollout) { return rollout.budget - rollout.rules.used_up(rollout); }

}  // namespace

void as_many_as_the_budget(const Rollout& rollout, std::vector<Replacement>& chosen) {
  std::int32_t left = left_of_the_budget(rollout);
  from_the_top(rollout, [&](std::size_t i, const PodState& place) {
    if (left <= 0) return false;
    if (!rollout.rules.may_update(place)) return true;
    chosen.push_back({i, reason_for(rollout, place)});
    return --left > 0;
  });
}

/// Counts what it has come past and nothing below, and only then asks for the budget.
void until_the_budget_is_met(const Rollout& rollout, std::vector<Replacement>& chosen) {
  std::int32_t left = rollout.budget;
  from_the_top(rollout, [&](std::size_t i, const PodState& place) {
    const bool replaced = rollout.rules.may_update(place);
    if (replaced) chosen.push_back({i, reason_for(rollout, place)});
    if (replaced || !place.at_update || !place.running_ready || !place.available || place.terminating) --left;
    return left > 0;
  });
}

namespace {

void within(std::int32_t budget, const Rollout& rollout, std::vector<Replacement>& chosen) {
  from_the_top(rollout, [&](std::size_t i, const PodState& place) {
    if (budget <= 0) return false;
    if (!rollout.rules.may_update(place) || rollout.rules.unhealthy(place)) return true;
    chosen.push_back({i, Reason::update_pod});
    return --budget > 0;
  });
}

/// Outdated pods that are unavailable anyway cost no budget.
template <class Helps>
void broken_first(const Rollout& rollout, std::vector<Replacement>& chosen, Helps helps) {
  from_the_top(rollout, [&](std::size_t i, const PodState& place) {
    if (rollout.rules.may_update(place) && rollout.rules.unhealthy(place) && helps(i, place))
      chosen.push_back({i, Reason::replace_broken});
    return true;
  });
}

}  // namespace

void broken_then_budget(const Rollout& rollout, std::vector<Replacement>& chosen) {
  const std::int32_t left = left_of_the_budget(rollout);
  broken_first(rollout, chosen, [](std::size_t, const PodState&) { return true; });
  within(left, rollout, chosen);
}

void broken_that_it_helps_then_budget(const Rollout& rollout, std::vector<Replacement>& chosen) {
  const std::int32_t left = left_of_the_budget(rollout);
  Change change(rollout);
  broken_first(rollout, chosen, [&](std::size_t i, const PodState& place) {
    if (!change.would_come(i)) return false;
    change.note_deletion_of(place);
    return true;
  });
  within(left, rollout, chosen);
}

// --- Recreate, forced rollback -----------------------------------------------------------------------------------------

RecreateStage all_old_ones_first(const Rollout& rollout) {
  RecreateStage stage = RecreateStage::done;
  for (const std::span<const PodState> states : {rollout.places, rollout.condemned})
    for (const PodState& state : states) {
      if (!state.created || state.at_update) continue;
      if (!state.terminating) return RecreateStage::stop_all;
      stage = RecreateStage::wait;
    }
  return stage;
}

std::optional<std::size_t> no_forced_rollback(const Rollout&, std::size_t) { return std::nullopt; }

/// Only when it is a broken outdated pod that holds the set up; behind an updated one that is not ready yet it is
/// waited.
std::optional<std::size_t> highest_broken_outdated(const Rollout& rollout, std::size_t stopped_at) {
  const bool may =
      rollout.set.spec->strategy != Strategy::on_delete && static_cast<std::int64_t>(stopped_at) >= rollout.partition;
  if (!may || !is_broken_and_outdated(rollout, rollout.places[stopped_at])) return std::nullopt;
  return highest_broken(rollout);
}

bool nothing_is_left_to_update(const Rollout&, std::size_t) { return false; }

bool outdated_without_its_volumes(const Rollout& rollout, std::size_t index) {
  const PodState& place = rollout.places[index];
  const bool may = rollout.set.spec->strategy != Strategy::on_delete &&
                   static_cast<std::int64_t>(index) >= rollout.partition && !place.stored;
  return may && outdated_seen_and_not_deleted(place) && Change(rollout).would_come(index);
}

}  // namespace ordeal::decide
