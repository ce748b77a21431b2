// When a set must be as it should, and what documented limits may keep it from reaching, once everything else is well.
// Of facts about the truth.
#pragma once

#include <span>

#include "properties/evidence/facts.h"
#include "properties/evidence/history.h"
#include "properties/evidence/moment.h"

namespace ordeal::properties {

/// Everything came to rest, and the set may act: what it has not done by now it never will.
inline bool is_at_rest(const Moment& m) { return m.history.came_to_rest && is_regular(*m.facts); }
/// Everything came to rest, and the set is there to stay, whoever holds which place.
inline bool rests_and_stays(const Moment& m) {
  return m.history.came_to_rest && m.facts->set != nullptr && !m.facts->deleting;
}

/// The pod has for each claim template a volume of that name, bound to the claim of this ordinal; the claim under
/// another volume's name is not what the set asks for.
bool has_its_claims(const StatefulSet& set, const Pod& pod, Ordinal ordinal);

/// kubernetes/kubernetes#67250: an OrderedReady set waits for a pod of an older revision that never becomes ready. Not
/// so for one that has ended: it is replaced.
bool blocked_by_broken_update(const Facts& facts);
/// Two surplus pods of an OrderedReady set are broken, the highest of them too: each waits for the other.
bool blocked_by_broken_surplus(const Facts& facts);
/// A pod was adopted that lacks the volumes of its claims: pods cannot be given any, so no update of it ever succeeds.
bool is_unrepairable(const Facts& facts, const Slot& slot);
bool blocked_by_unrepairable_pod(const Facts& facts);
/// A pod was adopted that cannot start before there is a claim that is not of the set's: nobody makes that one.
bool waits_for_a_strange_claim(const Facts& facts, const Slot& slot);
/// Kubernetes asks to be woken for minReadySeconds only while the number of available pods is not the one wanted;
/// surplus pods are counted, and may make up for one that is not available yet. Then nobody looks again.
bool sleeps_through_min_ready(const Facts& facts);
/// Something of all that keeps a set from being whole until a human sees to it.
bool needs_a_human(const Facts& facts);
/// The places, from below, that none of this keeps from having a pod that has not ended: a set comes to all before one
/// whose pod nobody can repair, an OrderedReady set to all before one whose pod it waits for; surplus pods wait for the
/// range, not the other way round.
std::span<const Slot> places_free(const Facts& facts);
/// The name of the update revision is taken by an equal one that is somebody else's: Kubernetes uses it, and never
/// lists it.
bool follows_foreign_revision(const Facts& facts);
/// The name of its revision no longer fits into the label of a pod, and every pod is refused: the set's own name is too
/// long for ten more characters, or the revision is named after another set. A longer hash is the controller's choice.
bool has_too_long_names(const Facts& facts, const Cluster& truth);

}  // namespace ordeal::properties
