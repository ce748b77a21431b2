// What promises about revisions ask in more than one of their files.
#pragma once

#include <algorithm>
#include <span>

#include "properties/evidence/facts.h"
#include "properties/evidence/history.h"
#include "properties/evidence/moment.h"

namespace ordeal::properties::revisions {

/// In the very bytes that this controller writes.
inline bool same_bytes(const Moment& m, const Revision& held) { return same(held.data.bytes, m.facts->template_bytes); }
inline const PodTemplate& wanted(const Moment& m) { return *m.facts->set->spec->pod_template; }

/// Some revision holds the template in its very bytes: it is preferred to a newer one that only means the same, and
/// that is a return.
inline bool was_recorded(const Moment& m) {
  return std::ranges::any_of(m.facts->history, [&](const Revision* held) { return same_bytes(m, *held); });
}

/// Nobody has touched a revision, and nothing was amiss since the trial began, or since the set last converged.
inline bool leaves_revisions_alone(const History& history) {
  return !history.touched_revisions && (history.calm || history.undisturbed());
}

/// How many revisions they asked for.
inline std::int32_t creations(std::span<const Call> calls) {
  return static_cast<std::int32_t>(
      std::ranges::count_if(calls, [](const Call& call) { return call.is(Verb::create, Kind::revision); }));
}

}  // namespace ordeal::properties::revisions
