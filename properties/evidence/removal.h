// Questions about deletions that several families ask: what a call removes, in what state it was, who it belonged to.
#pragma once

#include <algorithm>

#include "core/api/names.h"
#include "properties/evidence/facts.h"
#include "properties/evidence/moment.h"

namespace ordeal::properties {

/// What a DELETE of a pod of the moment's sync removes.
inline const Removed& removed_by(const Moment& moment, const Call& call) {
  const auto& removals = moment.facts->removals;
  return *std::ranges::lower_bound(removals, &call, {}, &Removed::call);
}

/// A pod's condition, as far as an update cares.
enum class Condition : std::uint8_t {
  available,
  turning,   // at this very moment minReadySeconds are over: either of its neighbours
  settling,  // ready, but not for long enough yet
  broken,
};
inline Condition condition_of(const Facts& facts, const Pod& pod) {
  if (!Facts::running_and_ready(pod)) return Condition::broken;
  if (facts.surely_available(pod)) return Condition::available;
  return facts.available(pod) ? Condition::turning : Condition::settling;
}

/// Calls `see(removed)` for each deletion of a pod in the sync, in order, however often it was tried.
template <class See>
void each_removal(const Moment& moment, See see) {
  for (const Removed& removed : moment.facts->removals)
    if (!removed.again) see(removed);
}

/// Calls `see(removed)` for each deletion that is a rolling update's, in order.
template <class See>
void each_update(const Moment& moment, See see) {
  if (!moment.facts->rolling()) return;
  each_removal(moment, [&](const Removed& removed) {
    if (removed.why == Removal::outdated) see(removed);
  });
}

/// The turn asks to be followed at once.
inline bool asks_at_once(const Sync& sync) {
  return sync.result.requeue_after && *sync.result.requeue_after <= Time::seconds(1);
}

/// It has begun something, and leaves the rest to the next turn.
inline bool goes_on(const Sync& sync) { return asks_at_once(sync) && sync.wrote(); }

/// A live read told the turn that the set it was shown is going, or another one by now.
inline bool was_told_of_the_end(const Sync& sync) {
  return std::ranges::any_of(sync.calls, [&](const Call& call) {
    const StatefulSet* live = call.is(Verb::get, Kind::set) ? call.reply.as<StatefulSet>() : nullptr;
    const StatefulSet* shown = live != nullptr ? sync.seen.sets.find(sync.key.name) : nullptr;
    return shown != nullptr && (live->meta.terminating() || live->meta.uid != shown->meta.uid);
  });
}

/// A live read told the turn that the pod it was shown is going, gone, or another one by now: the caches will show it
/// before long.
inline bool was_told_of_its_end(const Sync& sync, const Pod& pod) {
  return std::ranges::any_of(sync.calls, [&](const Call& call) {
    if (!call.is(Verb::get, Kind::pod) || call.request.name != pod.meta.name) return false;
    const Pod* live = call.reply.as<Pod>();
    return call.reply.code == Code::not_found ||
           (live != nullptr && (live->meta.uid != pod.meta.uid || live->meta.terminating()));
  });
}

/// A claim is leaving, and the turn asks for another one before long: to wait so is as good as to fail.
inline bool comes_again_for_a_claim(const Sync& sync) {
  constexpr Time before_long = Time::seconds(60);
  return sync.result.requeue_after && *sync.result.requeue_after <= before_long &&
         std::ranges::any_of(sync.seen.claims.all, [](const Claim* claim) { return claim->meta.terminating(); });
}

/// The sync ran to its end without an error of its own or of the world's: what it left undone, it meant to. Not so one
/// that waits for its caches, one that goes on at once with what it has begun, and one that was told that its set is no
/// more what it was.
inline bool ran_cleanly(const Sync& sync) {
  if (sync.died || sync.result.failed || sync.guarded) return false;
  if (goes_on(sync) || was_told_of_the_end(sync) || comes_again_for_a_claim(sync)) return false;
  return !sync.met_a_failure();
}

/// The set may act at all: it is there, it is not going away, and it is clear who holds which place.
inline bool is_regular(const Facts& facts) { return facts.set != nullptr && !facts.deleting && !facts.irregular; }

/// A Parallel set that may act, and has no pods of another revision to stop first.
inline bool works_at_once(const Facts& facts) { return is_regular(facts) && !facts.ordered && !facts.recreating(); }

/// The view shows a pod under the name of a place, and the set may not have it: there is nobody to ask but whoever
/// holds the name.
inline bool is_name_taken(const Moment& m, const Slot& slot) {
  return slot.pod == nullptr && m.sync->seen.pods.find(pod_name(m.facts->set->meta.name, slot.ordinal)) != nullptr;
}

/// A partition holds back pods that are yet to be made: whether such a rollout is complete is disputed
/// (kubernetes/kubernetes#121534).
inline bool nobody_is_above_the_partition(const Facts& facts) { return facts.slots.empty() && facts.partition > 0; }

/// The set a stored pod belongs to, as stored now; null when there is none of its owner's UID.
inline const StatefulSet* owner_in(const Cluster& truth, const Pod& pod) {
  const OwnerReference* owner = pod.meta.controller();
  const StatefulSet* set = owner != nullptr ? truth.sets().find(owner->name) : nullptr;
  return set != nullptr && set->meta.uid == owner->uid ? set : nullptr;
}

/// The pod exists on and nothing more, before the change; afterwards it is terminating or gone.
inline bool takes_away(const Change<Pod>& change) {
  if (change.before == nullptr || change.before->meta.terminating()) return false;
  return change.after == nullptr || change.after->meta.terminating();
}

}  // namespace ordeal::properties
