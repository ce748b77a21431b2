// Questions about one turn as a whole: whether it waits, goes on, was told that its world is another one by now.
#pragma once

#include <algorithm>

#include "properties/evidence/trace.h"

namespace ordeal::properties {

/// The turn asks to be followed at once, as soon as a rate limiter allows.
inline bool asks_at_once(const Sync& sync) {
  const SyncResult& result = sync.result;
  return result.requeue_after && (result.rate_limited || *result.requeue_after <= Time::seconds(1));
}

/// It has changed what wakes the set when it is shown.
inline bool will_be_woken(const Sync& sync) {
  return std::ranges::any_of(sync.calls, [](const Call& call) {
    return call.writes() && !call.failed() && (call.request.kind == Kind::pod || call.request.kind == Kind::set);
  });
}

/// It has begun something, and leaves the rest to the next turn. What was refused has begun nothing: to come again then
/// is to fail.
inline bool goes_on(const Sync& sync) {
  const auto begins = [](const Call& call) { return call.writes() && !call.failed(); };
  return (asks_at_once(sync) && std::ranges::any_of(sync.calls, begins)) ||
         (sync.rest_by_events && will_be_woken(sync));
}

inline bool stops_a_pod(const Sync& sync) {
  return std::ranges::any_of(sync.calls,
                             [](const Call& call) { return call.is(Verb::remove, Kind::pod) && !call.failed(); });
}

/// A live read told the turn that the set it was shown is going, or another one by now.
inline bool was_told_its_set_goes(const Sync& sync) {
  return std::ranges::any_of(sync.calls, [&](const Call& call) {
    const StatefulSet* live = call.is(Verb::get, Kind::set) ? call.reply.as<StatefulSet>() : nullptr;
    const StatefulSet* shown = live != nullptr ? sync.seen.sets.find(sync.key.name) : nullptr;
    return shown != nullptr && (live->meta.terminating() || live->meta.uid != shown->meta.uid);
  });
}

/// A live read told the turn that the pod it was shown is going, gone, or another one by now: the caches will show it
/// before long.
inline bool was_told_the_pod_goes(const Sync& sync, const Pod& pod) {
  return std::ranges::any_of(sync.calls, [&](const Call& call) {
    if (!call.is(Verb::get, Kind::pod) || call.request.name != pod.meta.name) return false;
    const Pod* live = call.reply.as<Pod>();
    return call.reply.code == Code::not_found ||
           (live != nullptr && (live->meta.uid != pod.meta.uid || live->meta.terminating()));
  });
}

/// The call failed, and not as a read does that finds nothing where nothing is shown either: that is an answer.
bool went_wrong(const Sync& sync, const Call& call);

inline bool something_went_wrong(const Sync& sync) {
  return std::ranges::any_of(sync.calls, [&](const Call& call) { return went_wrong(sync, call); });
}

/// It failed, or something it asked for did and it comes again: that may be its way to fail.
inline bool may_have_failed(const Sync& sync) {
  return sync.result.failed || (sync.result.requeue_after && something_went_wrong(sync));
}

/// The sync ran to its end without an error of its own or of the world's: what it left undone, it meant to, or leaves
/// to the turn that it asks for at once. Not so one that waits for its caches, and one that was told that its set is no
/// more what it was.
inline bool ran_through(const Sync& sync) {
  return !sync.died && !sync.result.failed && !sync.waits && !was_told_its_set_goes(sync) &&
         !something_went_wrong(sync);
}

/// The same of one that leaves nothing to a turn at once: what it left undone, it meant to.
inline bool ran_cleanly(const Sync& sync) { return ran_through(sync) && !goes_on(sync); }

}  // namespace ordeal::properties
