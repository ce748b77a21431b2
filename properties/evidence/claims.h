// Whose claim is it, and who should own it: semantics.md 8, written down once more for the invariants alone.
#pragma once

#include <algorithm>
#include <optional>

#include "core/api/names.h"
#include "properties/evidence/facts.h"
#include "properties/evidence/history.h"
#include "properties/evidence/moment.h"

namespace ordeal::properties {

/// The place in a set that a claim's name says it is for.
struct ClaimPlace {
  const ClaimTemplate* from = nullptr;
  Ordinal ordinal = Ordinal::none;
};
std::optional<ClaimPlace> place_of_claim(const StatefulSet& set, std::string_view claim_name);
/// The claim's template asks for this owner.
inline bool is_of_template(const ClaimTemplate& from, const OwnerReference& owner) {
  return from.owners && std::ranges::find(*from.owners, owner) != from.owners->end();
}
/// An owner that its template asks for keeps the claim, whatever becomes of its pod and its set.
inline bool is_kept_by_its_template(const ClaimTemplate& from, const Claim& claim) {
  return claim.meta.owners && std::ranges::any_of(*claim.meta.owners, [&](const OwnerReference& owner) {
           return is_of_template(from, owner);
         });
}
/// Of the claim that the moment's call is about.
inline std::optional<ClaimPlace> place_of_call(const Moment& m) {
  return m.facts->set == nullptr ? std::nullopt : place_of_claim(*m.facts->set, m.call->request.name.view());
}

inline RetentionPolicy policy_of(const StatefulSet& set) { return set.spec->retention.value_or(RetentionPolicy{}); }

inline bool has_claims(const Facts& facts) { return facts.set != nullptr && !facts.set->spec->claim_templates.empty(); }
inline bool deletes_scaled(const Facts& facts) {
  return has_claims(facts) && policy_of(*facts.set).when_scaled == Retention::remove;
}
/// Calls `see(claim name)` for each claim of a member of the set.
template <class See>
void each_claim(const StatefulSet& set, Ordinal ordinal, See see) {
  for (const ClaimTemplate& from : set.spec->claim_templates) see(claim_name(from.name, set.meta.name, ordinal));
}

/// The set and the pod that a claim may belong to, for telling their references from everybody else's.
struct ClaimOwners {
  Text set_name, pod_name;
  Uid set = Uid::none, pod = Uid::none;  // pod: none when there is no such pod
  bool in_range = true;
  RetentionPolicy policy;

  bool names_set(const OwnerReference& owner) const;  // by apiVersion, kind and name, whatever the UID
  bool names_pod(const OwnerReference& owner) const;
  bool is_ours(const OwnerReference& owner) const;  // names one of them and has its UID
  bool wants_set() const {
    return in_range ? policy.when_deleted == Retention::remove
                    : policy == RetentionPolicy{Retention::remove, Retention::retain};
  }
  bool wants_pod() const { return !in_range && policy.when_scaled == Retention::remove; }
  bool retains_all() const { return policy == RetentionPolicy{}; }

  /// The first reference that names the set, or the first that names the pod, is to an earlier one: hands off.
  bool belongs_to_earlier(const Claim& claim) const;
  /// Some reference names the set, or the pod, and is to an earlier one. Where another one before it is to the present
  /// one, it is nobody's promise what is to be done: the collector takes the reference away, sooner or later.
  bool names_earlier(const Claim& claim) const;
  /// Somebody else controls the claim: nothing of ours is to be added.
  bool is_controlled_by_others(const Claim& claim) const;
  /// Somebody else controls the claim, or an earlier set or pod is named: nothing of ours need be added.
  bool is_taken(const Claim& claim) const;
  /// The set or the pod is among the claim's owners.
  bool has_ours(const Claim& claim) const;
  /// The claim's owners are what the policy asks for, or the claim is not to be touched.
  bool are_right(const Claim& claim) const;
};
/// Of the claim at this place: in the range whether or not there is a pod, outside it for a condemned pod.
/// Nothing when the ordinal has neither.
std::optional<ClaimOwners> owners_wanted(const Facts& facts, Ordinal ordinal);

/// That this set or pod owns its claim need not be the controller's doing: somebody made it so, and not as controllers
/// do now.
bool may_be_somebodys_doing(const History& history, const OwnerReference& owner);

/// The claimed pod of this ordinal, in its place or condemned; null when there is none.
const Pod* pod_at(const Facts& facts, Ordinal ordinal);

}  // namespace ordeal::properties
