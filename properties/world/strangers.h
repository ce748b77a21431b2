// Objects that the controller on trial did not make: pods, claims and owners that others bring, each wrong in one way
// or like one of the set's own.
#pragma once

#include <vector>

#include "core/api/objects.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

Shared<Owners> owned_by(Text api_version, Text kind, Text name, Uid uid);
/// Somebody else's controller, every second time another set; it never goes away: it is not in this cluster's
/// collector.
Shared<Owners> foreign_owner(std::int32_t index);
/// The owners of one of this set's after that; the same where nothing is to be changed.
Shared<Owners> other_owners(const ObjectMeta& held, std::int32_t index, PodOwner as);
/// Another controller has taken it, beside those that were or, with every fourth index from 0 on, in place of them.
Shared<Owners> owners_of_taken(const ObjectMeta& held, std::int32_t index);
/// Another group's StatefulSet of this name.
Shared<Owners> namesake_owner(const Text& set);
/// A further owner of this claim of the set's. A controller that looks for its set or pod among owners has to look at
/// kind, group and UID, too.
OwnerReference further_owner(const Text& claim, const Text& set, ClaimOwner as);

Shared<StringMap> with_labels(const StringMap& base, std::initializer_list<StringMap::Entry> more);

/// What a claim asks for, but so much room: little, or a great deal.
inline constexpr const char *little_storage = "1Mi", *much_storage = "1Ti";
Shared<std::string> with_storage(const std::string& claim_spec, const char* quantity);

/// The member that many places after the first of the range.
Ordinal member_at(const StatefulSet& like, std::int32_t index);

/// A pod called as that member of the set, or nearly so. `like` is the set as it is or was; `live` the same if it
/// is there, else null.
Pod strange_pod(const StatefulSet& like, const StatefulSet* live, std::int32_t index, ForeignPod as);
/// The claims that a pod names.
std::vector<Claim> claims_of(const Pod& pod, const StatefulSet& like);
/// The first revision of a set of that name and namespace that holds this, after so many collisions; nobody owns it.
Revision recorded(const ObjectMeta& set, const RevisionData& data, std::int32_t collisions);
/// What a revision of that template holds that was recorded before some of its fields had a default: it means the same.
RevisionData without_defaults(const PodTemplate& content);
/// The claim of member `ordinal` for the first claim template or the last, or for none; there has to be one.
Claim strange_claim(const StatefulSet& like, Ordinal ordinal, ForeignClaim as);

}  // namespace ordeal::properties
