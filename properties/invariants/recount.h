// What a status is held against: a recount of the set's pods, and how far what is written may be off it. For promises
// about the status alone. Covered by status_test.cpp.
#pragma once

#include <algorithm>
#include <span>

#include "properties/evidence/facts.h"
#include "properties/evidence/moment.h"

namespace ordeal::properties::status {

// --- when there is one --------------------------------------------------------------------------------------------------

/// Not while a set on its way out holds a pod whose number is too large to be one: releases count it as the set's, and
/// a controller that never took it for one does not.
bool is_countable(const Facts& facts);
/// What a set that is on its way out still counts as its own is nobody's promise.
bool counts_are_promised(const Facts& facts);
bool rests_counted(const Moment& m);
inline const StatefulSetStatus& shown(const Moment& m) { return m.facts->set->status; }
bool writes_status(const Sync& sync);

// --- how far off --------------------------------------------------------------------------------------------------------

/// Pods that a turn has made, and found gone, and of which an answer told another readiness than the turn was shown:
/// whether it counts these already is not promised. One that is only being deleted is there, but at no revision.
struct Turnover {
  std::int32_t made = 0, removed = 0, unlike = 0;
  bool allows(std::int32_t told, std::int32_t counted) const {
    return told <= counted + made + unlike && told >= counted - removed - unlike;
  }
};
Turnover turnover_of(const Moment& m, std::span<const Call> calls);
/// Of updated pods: what the turn deletes may be counted out at once.
Turnover turnover_of_updated(const Moment& m, std::span<const Call> calls);
/// Of those at the current revision.
Turnover turnover_of_current(const Moment& m, std::span<const Call> calls);
Turnover turnover_of_readiness(const View& seen, std::span<const Call> calls);
bool tells_available(const Facts& facts, const StatefulSetStatus& told, Turnover readiness = {});

/// The write is a patch that leaves this field as it was stored.
template <class T>
bool leaves(const Moment& m, T StatefulSetStatus::* field) {
  const Call& call = *m.call;
  return call.request.partial && call.set_before != nullptr &&
         call.set_before->status.*field == call.request.status().*field;
}

// --- revisions ----------------------------------------------------------------------------------------------------------

/// The revision that this status calls the current one, or has to.
const Text& current_one(const Facts& facts, const StatefulSetStatus& written);
/// How many pods are at that.
std::int32_t at_current(const Facts& facts, const StatefulSetStatus& written);
bool holds_template(const Revision* revision, const StatefulSet& set);
/// The place that is not as a finished rollout leaves it, or null.
template <class Fine>
const Slot* first_unlike(const Facts& facts, Fine fine) {
  const auto slot = std::ranges::find_if(facts.slots, [&](const Slot& s) { return s.pod == nullptr || !fine(*s.pod); });
  return slot == facts.slots.end() ? nullptr : &*slot;
}
/// Every place is healthy and updated, and nothing else is there.
bool is_done(const Facts& facts);

}  // namespace ordeal::properties::status
