#include <algorithm>

#include "core/controller/decisions.h"

namespace ordeal::decide {

bool ready_for_at_least(const Pod& pod, std::int32_t min_ready_seconds, Time now) {
  if (!pod.ready || min_ready_seconds == 0) return pod.ready;
  return pod.ready_changed && *pod.ready_changed + Time::seconds(min_ready_seconds) <= now;
}

bool ready_for_longer(const Pod& pod, std::int32_t min_ready_seconds, Time now) {
  if (!pod.ready || min_ready_seconds == 0) return pod.ready;
  return pod.ready_changed && *pod.ready_changed + Time::seconds(min_ready_seconds) < now;
}

bool failed_or_succeeded(Phase phase) { return phase == Phase::failed || phase == Phase::succeeded; }
bool failed_only(Phase phase) { return phase == Phase::failed; }

bool terminating_or_not_available(const PodState& state) { return state.terminating || !state.available; }

bool terminating_or_not_ready(const PodState& state) { return state.terminating || !state.running_ready; }

/// A pod that has ended serves nobody, whatever its Ready condition still says.
bool not_serving(const PodState& state) { return state.terminating || !state.running_ready || !state.available; }

bool until_running_ready_available(const PodState& state) {
  return state.terminating || !state.running_ready || !state.available;
}

bool until_running_ready(const PodState& state) { return !state.running_ready; }

// --- scaling down ------------------------------------------------------------------------------------------------------

/// Of web-07 and web-7 the one that is listed first.
bool highest_ordinal_first(const PodState& a, const PodState& b) { return a.ordinal > b.ordinal; }
bool highest_ordinal_last_listed_first(const PodState& a, const PodState& b) { return a.ordinal >= b.ordinal; }

namespace {

std::optional<std::size_t> first_unless_terminating(std::span<const PodState> condemned) {
  return condemned.front().terminating ? std::nullopt : std::optional<std::size_t>(0);
}

}  // namespace

/// The lowest unhealthy pod of the set may go; a higher one that is broken waits for it. One that is merely young where
/// unhealthy means not ready is no such pod, and waits until it is available.
std::optional<std::size_t> highest_if_healthy_or_only_broken(std::span<const PodState> condemned, const Rules& rules) {
  const PodState& highest = condemned.front();
  if (highest.running_ready && highest.available) return first_unless_terminating(condemned);
  const auto lower = condemned.subspan(1);
  const bool only = rules.unhealthy(highest) && std::none_of(lower.begin(), lower.end(), rules.unhealthy);
  return only ? first_unless_terminating(condemned) : std::nullopt;
}

std::optional<std::size_t> highest_if_ready_or_only_broken(std::span<const PodState> condemned, const Rules& rules) {
  if (condemned.front().running_ready) return first_unless_terminating(condemned);
  return highest_if_healthy_or_only_broken(condemned, rules);
}

std::optional<std::size_t> highest_in_any_case(std::span<const PodState> condemned, const Rules&) {
  return first_unless_terminating(condemned);
}

}  // namespace ordeal::decide
