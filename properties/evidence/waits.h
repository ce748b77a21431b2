// For what a turn may fail though every request succeeded, and leave its work to a later one. Of facts about a turn.
#pragma once

#include "properties/evidence/facts.h"
#include "properties/evidence/moment.h"

namespace ordeal::properties {

/// Something that may keep it from all work: caches that do not show what it has read or what its process was told, a
/// set that is going or another one by now or of a strategy whose gate is off, a revision that has to be read and
/// nobody can.
bool may_stop_for_all(const Moment& moment);
/// Something that may keep it from the pod of this place: one that holds its name, a claim that leaves, or is to leave
/// with a pod or a set of before.
bool may_wait_at(const Moment& moment, Ordinal ordinal);
/// A claim of this place is being deleted.
bool claim_leaves(const Moment& moment, Ordinal ordinal);
/// The pod of this place was given a node and has not started, and a claim that it uses is being deleted: that goes no
/// sooner than the pod.
bool holds_a_leaving_claim(const Slot& slot, const Listing<Claim>& claims);
/// A claim of this place belongs to a pod or a set of before: the collector is to take it.
bool claim_is_left_behind(const Moment& moment, Ordinal ordinal);
/// A claim of a pod that does not run is being deleted, or the name of one that is to be made is taken, and the turn
/// asks for another one before long: to wait so is as good as to fail, and ends the work on pods of the range. Status
/// and surplus pods do not wait for it.
bool comes_again_for_a_place(const Moment& moment);
/// What the turn left undone for pods of the range, it meant to.
inline bool meant_it(const Moment& moment) { return moment.facts->clean && !comes_again_for_a_place(moment); }
/// Something that may keep it from the pod of whatever place.
bool may_wait_somewhere(const Moment& moment);
/// The turn failed for that and for nothing else: it knew all there is to know, and no request failed.
bool fails_for_a_place(const Moment& moment);
/// The turn failed, the one before surely did not, and nothing but the failure is to make the next one.
bool fails_first(const Moment& moment);

}  // namespace ordeal::properties
