// Questions about deletions that several families ask: what a call removes, and why.
#pragma once

#include <algorithm>

#include "properties/evidence/facts.h"
#include "properties/evidence/moment.h"

namespace ordeal::properties {

/// What a DELETE of a pod of the moment's sync removes.
inline const Removed& removed_by(const Moment& moment, const Call& call) {
  const auto& removals = moment.facts->removals;
  return *std::ranges::lower_bound(removals, &call, {}, &Removed::call);
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

/// The answer to a deletion: nothing is left of the pod. Whatever comes next need not wait for it.
inline bool left_nothing(const Call& removal) {
  const Pod* held = removal.reply.ok() ? removal.reply.as<Pod>() : nullptr;
  return held != nullptr && !held->meta.terminating();
}

/// The pod exists on and nothing more, before the change; afterwards it is terminating or gone.
inline bool takes_away(const Change<Pod>& change) {
  if (change.before == nullptr || change.before->meta.terminating()) return false;
  return change.after == nullptr || change.after->meta.terminating();
}

}  // namespace ordeal::properties
