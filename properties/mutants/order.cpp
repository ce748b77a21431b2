// Which pods count as what, what an OrderedReady set waits for, and scaling down.
#include <algorithm>

#include "properties/mutants/wrong.h"

namespace ordeal::properties {

namespace {

bool since_created(const Pod& pod, std::int32_t min_ready_seconds, Time now) {
  return pod.ready && pod.meta.created + Time::seconds(min_ready_seconds) < now;
}
bool a_second_early(const Pod& pod, std::int32_t min_ready_seconds, Time now) {
  return decide::ready_for_at_least(pod, std::max(min_ready_seconds - 1, 0), now);
}
bool a_second_late(const Pod& pod, std::int32_t min_ready_seconds, Time now) {
  return decide::ready_for_at_least(pod, min_ready_seconds == 0 ? 0 : min_ready_seconds + 1, now);
}

std::optional<std::size_t> rollback_of_any(const Rollout& rollout, std::size_t stopped_at) {
  const PodState& place = rollout.places[stopped_at];
  const bool may = rollout.set.spec->strategy != Strategy::on_delete && decide::outdated_seen_and_not_deleted(place);
  return may ? std::optional(stopped_at) : std::nullopt;
}
std::optional<std::size_t> rollback_of_updated(const Rollout& rollout, std::size_t stopped_at) {
  const PodState& place = rollout.places[stopped_at];
  const bool broken = place.created && !place.running_ready && !place.terminating;
  if (rollout.set.spec->strategy != Strategy::on_delete && broken) return stopped_at;
  return decide::highest_broken_outdated(rollout, stopped_at);
}
std::optional<std::size_t> rollback_when_nothing_goes(const Rollout& rollout, std::size_t stopped_at) {
  const bool one_is_going = std::ranges::any_of(rollout.places, &PodState::terminating);
  return one_is_going ? std::nullopt : decide::highest_broken_outdated(rollout, stopped_at);
}
std::optional<std::size_t> rollback_on_delete(const Rollout& rollout, std::size_t stopped_at) {
  StatefulSet set = rollout.set;
  auto spec = std::make_shared<StatefulSetSpec>(*set.spec);
  spec->strategy = Strategy::rolling_update;
  set.spec = std::move(spec);
  const Rollout rolling{rollout.rules,  set, rollout.places, rollout.condemned, rollout.partition, rollout.budget,
                        rollout.ordered};
  return decide::highest_broken_outdated(rolling, stopped_at);
}

bool lowest_first(const PodState& a, const PodState& b) { return decide::highest_ordinal_first(b, a); }
std::optional<std::size_t> lowest(std::span<const PodState> condemned, const Rules&) { return condemned.size() - 1; }
/// Terminating ones are not waited for.
std::optional<std::size_t> next_that_stays(std::span<const PodState> condemned, const Rules&) {
  const auto at = std::ranges::find(condemned, false, &PodState::terminating);
  if (at == condemned.end()) return std::nullopt;
  return static_cast<std::size_t>(at - condemned.begin());
}
/// While the highest waits for minReadySeconds, the lowest that waits for anything goes.
std::optional<std::size_t> lowest_beneath_a_young_one(std::span<const PodState> condemned, const Rules& rules) {
  const PodState& highest = condemned.front();
  for (std::size_t i = condemned.size() - 1; highest.running_ready && !highest.available && i > 0; --i)
    if (!condemned[i].available && !condemned[i].terminating) return i;
  return decide::highest_in_any_case(condemned, rules);
}

constexpr Wrong rows[] = {
    {"status-available-when-ready", "Pods count as available as soon as they are ready.", "status.available-replicas",
     [](Rules& r) { r.available = [](const Pod& pod, std::int32_t, Time) { return pod.ready; }; }},
    {"status-available-since-created", "minReadySeconds are counted from a pod's creation.",
     "status.available-replicas", [](Rules& r) { r.available = since_created; }},
    {"status-available-early", "Pods count as available a second before minReadySeconds have passed.",
     "status.available-replicas", [](Rules& r) { r.available = a_second_early; }},
    {"status-available-late", "Pods count as available a second after minReadySeconds have passed.",
     "status.available-replicas", [](Rules& r) { r.available = a_second_late; }},
    {"deletion-replaces-pending", "Pods that have not started yet are taken for failed ones.", "deletion.justified",
     [](Rules& r) {
       r.is_terminal = [](Phase phase) { return phase == Phase::pending || decide::failed_or_succeeded(phase); };
     }},
    {"deletion-replaces-unknown", "Pods of which nobody can tell how they are, are taken for failed ones.",
     "deletion.justified",
     [](Rules& r) {
       r.is_terminal = [](Phase phase) { return phase == Phase::unknown || decide::failed_or_succeeded(phase); };
     }},
    {"convergence-succeeded-stays", "Pods that ended with success are not replaced.",
     "convergence.finished-pods-replaced",
     [](Rules& r) { r.is_terminal = [](Phase phase) { return phase == Phase::failed; }; }},
    {"convergence-failed-stays", "Pods that failed are not replaced.", "convergence.finished-pods-replaced",
     [](Rules& r) { r.is_terminal = [](Phase phase) { return phase == Phase::succeeded; }; }},
    {"update-young-pods-are-healthy", "An update takes pods that are ready but young for available.",
     "update.respects-budget",
     [](Rules& r) { r.unhealthy = [](const PodState& s) { return s.terminating || !s.running_ready; }; }},
    {"update-terminating-are-healthy", "An update takes terminating pods for available.", "update.respects-budget",
     [](Rules& r) { r.unhealthy = [](const PodState& s) { return !s.running_ready || !s.available; }; }},
    {"update-all-are-healthy", "An update takes every pod for available.", "update.respects-budget",
     [](Rules& r) { r.unhealthy = [](const PodState&) { return false; }; }},
    {"update-none-is-healthy", "An update takes no pod for available.", "update.uses-the-budget",
     [](Rules& r) { r.unhealthy = [](const PodState&) { return true; }; }},
    {"ordering-waits-for-nobody", "OrderedReady does not wait for pods to become ready.", "ordering.predecessors-ready",
     [](Rules& r) { r.holds_back = [](const PodState&) { return false; }; }},
    {"ordering-ready-is-enough", "OrderedReady waits until pods are ready, not until they are available.",
     "ordering.predecessors-available",
     [](Rules& r) { r.holds_back = [](const PodState& s) { return s.terminating || !s.running_ready; }; }},
    {"ordering-ignores-terminating", "OrderedReady goes on while a lower pod is terminating.",
     "ordering.predecessors-ready",
     [](Rules& r) { r.holds_back = [](const PodState& s) { return !s.running_ready || !s.available; }; }},
    {"ordering-always-waits", "OrderedReady never gets past the first pod.", "identity.whole-range-at-rest",
     [](Rules& r) { r.holds_back = [](const PodState&) { return true; }; }},
    {"identity-replaces-at-once", "A failed pod is replaced in the turn that deletes it.", "identity.no-second-pod",
     [](Rules& r) { r.terminal_pods = TerminalPods::create_at_once; }},
    {"ordering-parallel-stops-to-wait", "A place that has to wait ends the turn of a Parallel set.",
     "ordering.parallel-creates-all", [](Rules& r) { r.stop_ends_parallel = true; }},
    {"update-no-forced-rollback", "OrderedReady waits for a broken pod of an old revision for ever.",
     "update.replaces-broken-revision-in-order", [](Rules& r) { r.forced_rollback = decide::no_forced_rollback; }},
    {"update-rolls-back-when-nothing-goes",
     "OrderedReady leaves a broken pod of an old revision while any other one is terminating.",
     "update.replaces-broken-while-others-go", [](Rules& r) { r.forced_rollback = rollback_when_nothing_goes; }},
    {"update-rolls-back-any", "OrderedReady deletes any outdated pod it would have to wait for.",
     "update.respects-partition", [](Rules& r) { r.forced_rollback = rollback_of_any; }},
    {"update-rolls-back-updated", "OrderedReady deletes updated pods that it would have to wait for.",
     "update.only-outdated", [](Rules& r) { r.forced_rollback = rollback_of_updated; }},
    {"update-rolls-back-on-delete", "With OnDelete broken outdated pods are deleted.", "update.waits-for-users",
     [](Rules& r) { r.forced_rollback = rollback_on_delete; }},
    {"scaling-lowest-first", "OrderedReady scales away the lowest surplus pod first.", "scaling.highest-first",
     [](Rules& r) { r.condemned_choice = lowest; }},
    {"scaling-after-creation", "Parallel: surplus pods wait until every missing pod could be made.",
     "scaling.missing-pods-do-not-block", [](Rules& r) { r.scales_down_first = false; }},
    {"scaling-sorted-upwards", "Surplus pods are put in ascending order.", "scaling.highest-first",
     [](Rules& r) { r.condemned_before = lowest_first; }},
    {"scaling-waits-for-nobody", "OrderedReady scales the next pod away while the last one is still terminating.",
     "scaling.successors-gone", [](Rules& r) { r.condemned_choice = next_that_stays; }},
    {"scaling-passes-young-over",
     "OrderedReady scales a lower pod away that is not available, while the highest is ready, but not yet available.",
     "scaling.highest-first", [](Rules& r) { r.condemned_choice = lowest_beneath_a_young_one; }},
    {"scaling-broken-block-each-other", "A broken surplus pod waits for lower broken ones.",
     "scaling.broken-pods-do-not-block",
     [](Rules& r) { r.condemned_choice = decide::highest_if_healthy_or_only_broken; }},
    {"scaling-never", "OrderedReady never scales down.", "scaling.completes",
     [](Rules& r) {
       r.condemned_choice = [](std::span<const PodState>, const Rules&) { return std::optional<std::size_t>(); };
     }},
    {"storage-marks-late",
     "The claims of a surplus pod are marked just before that pod goes, not all before the first.",
     "storage.all-marked-before-first", [](Rules& r) { r.marks_claims_first = false; }},
};

}  // namespace

std::span<const Wrong> wrong_order() { return rows; }

}  // namespace ordeal::properties
