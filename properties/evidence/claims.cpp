#include "properties/evidence/claims.h"

#include <algorithm>

#include "core/api/names.h"
#include "properties/evidence/lookup.h"

namespace ordeal::properties {

std::optional<ClaimPlace> place_of_claim(const StatefulSet& set, std::string_view claim_name) {
  const auto [parent, ordinal] = parse_member(claim_name);
  if (ordinal == Ordinal::none) return std::nullopt;
  const std::string_view set_name = set.meta.name.view();
  for (const ClaimTemplate& from : set.spec->claim_templates) {
    const std::string_view own = from.name.view();
    if (parent.size() == own.size() + 1 + set_name.size() && parent.starts_with(own) && parent[own.size()] == '-' &&
        parent.ends_with(set_name))
      return ClaimPlace{&from, ordinal};
  }
  return std::nullopt;
}

bool ClaimOwners::names_set(const OwnerReference& owner) const {
  return refers_to_set(owner) && owner.name == set_name;
}

bool ClaimOwners::names_pod(const OwnerReference& owner) const {
  return refers_to_pod(owner) && owner.name == pod_name;
}

bool ClaimOwners::is_ours(const OwnerReference& owner) const {
  return (names_set(owner) && owner.uid == set) || (names_pod(owner) && pod != Uid::none && owner.uid == pod);
}

bool ClaimOwners::belongs_to_earlier(const Claim& claim) const {
  const auto owners = owners_of(claim.meta);
  const auto of_set = std::ranges::find_if(owners, [&](const auto& owner) { return names_set(owner); });
  if (of_set != owners.end() && of_set->uid != set) return true;
  const auto of_pod = std::ranges::find_if(owners, [&](const auto& owner) { return names_pod(owner); });
  return of_pod != owners.end() && of_pod->uid != pod;
}

bool ClaimOwners::names_earlier(const Claim& claim) const {
  return std::ranges::any_of(owners_of(claim.meta), [&](const OwnerReference& owner) {
    return !is_ours(owner) && (names_set(owner) || names_pod(owner));
  });
}

bool ClaimOwners::is_controlled_by_others(const Claim& claim) const {
  return std::ranges::any_of(owners_of(claim.meta), [&](const OwnerReference& owner) {
    return owner.controller && !names_set(owner) && !names_pod(owner);
  });
}

bool ClaimOwners::is_taken(const Claim& claim) const {
  return std::ranges::any_of(owners_of(claim.meta), [&](const OwnerReference& owner) {
    if (is_ours(owner)) return false;
    return owner.controller || names_set(owner) || names_pod(owner);
  });
}

bool ClaimOwners::has_ours(const Claim& claim) const {
  return std::ranges::any_of(owners_of(claim.meta), [&](const OwnerReference& owner) { return is_ours(owner); });
}

bool ClaimOwners::are_right(const Claim& claim) const {
  if (names_earlier(claim) || is_controlled_by_others(claim)) return true;
  bool has_set = false, has_pod = false;
  for (const OwnerReference& owner : owners_of(claim.meta))
    if (is_ours(owner)) (names_set(owner) ? has_set : has_pod) = true;
  return has_set == wants_set() && has_pod == wants_pod();
}

bool may_be_somebodys_doing(const History& history, const OwnerReference& owner) {
  return history.was_made_owner && (refers_to_pod(owner) || refers_to_set(owner)) && !owner.controller;
}

const Pod* pod_at(const Facts& facts, Ordinal ordinal) {
  if (const auto index = facts.place_of(ordinal)) return facts.slots[static_cast<std::size_t>(*index)].pod;
  const auto at = std::ranges::lower_bound(facts.condemned, number(ordinal), std::ranges::greater{},
                                           [](const Pod* pod) { return number(parse_member(pod->meta.name).ordinal); });
  return at != facts.condemned.end() && parse_member((*at)->meta.name).ordinal == ordinal ? *at : nullptr;
}

std::optional<ClaimOwners> owners_wanted(const Facts& facts, Ordinal ordinal) {
  const Pod* pod = pod_at(facts, ordinal);
  const bool in_range = facts.in_range(ordinal);
  if (pod == nullptr && !in_range) return std::nullopt;
  return ClaimOwners{.set_name = facts.set->meta.name,
                     .pod_name = pod != nullptr ? pod->meta.name : pod_name(facts.set->meta.name, ordinal),
                     .set = facts.set->meta.uid,
                     .pod = pod != nullptr ? pod->meta.uid : Uid::none,
                     .in_range = in_range,
                     .policy = policy_of(*facts.set)};
}

}  // namespace ordeal::properties
