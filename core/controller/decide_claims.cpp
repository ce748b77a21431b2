// Claims and the retention policy: semantics.md 8.
#include <algorithm>

#include "core/controller/decisions.h"

namespace ordeal::decide {

namespace {

bool names_set(const OwnerReference& owner, const ClaimSide& side) {
  return owner.kind == kind_stateful_set && owner.name == side.set_name && owner.api_version == group_version_apps;
}
bool names_pod(const OwnerReference& owner, const ClaimSide& side) {
  return owner.kind == kind_pod && owner.name == side.pod_name && owner.api_version == group_version_core;
}
bool names_either(const OwnerReference& owner, const ClaimSide& side) {
  return names_set(owner, side) || names_pod(owner, side);
}

/// What the references of a claim say about the set and its pod.
struct Found {
  bool earlier = false;          // the first that names the set, or the pod, is to another one of that name
  bool foreign = false;          // somebody else controls it, or another one of the name is named
  bool not_controlling = false;  // ours, but not as controller
  ClaimTarget ours;
};
Found read(const Owners& owners, const ClaimSide& side) {
  Found found;
  bool set_named = false, pod_named = false;
  for (const OwnerReference& owner : owners) {
    const bool of_set = names_set(owner, side), of_pod = !of_set && names_pod(owner, side);
    const bool is_set = owner.uid == side.set, is_pod = side.pod != Uid::none && owner.uid == side.pod;
    // A pod that is about to be renamed is an owner under its old name, which is a stranger's.
    const bool ours = (of_set && is_set) || (of_pod && is_pod);
    if (!ours && (of_set || of_pod)) {
      found.earlier = found.earlier || !(of_set ? set_named : pod_named);
      found.foreign = true;
    }
    if (!ours && owner.controller) found.foreign = true;
    if ((is_set || is_pod) && !owner.controller) found.not_controlling = true;
    found.ours.set |= is_set;
    found.ours.pod |= is_pod;
    set_named |= of_set;
    pod_named |= of_pod;
  }
  return found;
}

OwnerReference owner_of(const Text& group_version, const Text& kind, const Text& name, Uid uid) {
  return {group_version, kind, name, uid, true, true};
}

}  // namespace

ClaimTarget target_by_policy(RetentionPolicy policy, bool in_range) {
  const bool with_set = policy.when_deleted == Retention::remove;
  const bool with_pod = policy.when_scaled == Retention::remove;
  if (in_range) return {with_set, false};
  return {with_set && !with_pod, with_pod};
}

bool owners_follow_policy(const Owners* owners, const ClaimSide& side, const Rules& rules) {
  const ClaimTarget wanted = rules.claim_target(side.policy, side.in_range);
  if (owners == nullptr || owners->empty()) return wanted == ClaimTarget{};
  const Found found = read(*owners, side);
  if (found.earlier) return true;
  const bool retains_all = side.policy == RetentionPolicy{};
  if (found.foreign && !retains_all) return found.ours == ClaimTarget{};
  return !found.not_controlling && found.ours == wanted;
}

Owners owners_by_policy(const Owners* owners, const ClaimSide& side, const Rules& rules) {
  Owners next;
  bool foreign = false;
  if (owners != nullptr) {
    foreign = read(*owners, side).foreign;
    std::copy_if(owners->begin(), owners->end(), std::back_inserter(next),
                 [&](const OwnerReference& owner) { return !names_either(owner, side); });
  }
  if (foreign) return next;
  const ClaimTarget wanted = rules.claim_target(side.policy, side.in_range);
  if (wanted.set) next.push_back(owner_of(group_version_apps, kind_stateful_set, side.set_name, side.set));
  if (wanted.pod) next.push_back(owner_of(group_version_core, kind_pod, side.pod_name, side.pod));
  return next;
}

/// An earlier set's or pod's reference is taken away and the right one given in one write: no event asks for a second.
Owners owners_by_policy_at_once(const Owners* owners, const ClaimSide& side, const Rules& rules) {
  const Owners left = owners_by_policy(owners, side, rules);
  return owners_by_policy(&left, side, rules);
}

bool names_an_earlier_pod(const Owners* owners, const ClaimSide& side) {
  if (side.policy.when_scaled != Retention::remove || owners == nullptr) return false;
  return std::any_of(owners->begin(), owners->end(),
                     [&](const OwnerReference& owner) { return names_pod(owner, side) && owner.uid != side.pod; });
}

bool names_an_earlier_owner(const Owners* owners, const ClaimSide& side) {
  if (owners == nullptr) return false;
  return std::any_of(owners->begin(), owners->end(), [&](const OwnerReference& owner) {
    return (names_pod(owner, side) && owner.uid != side.pod) || (names_set(owner, side) && owner.uid != side.set);
  });
}

bool not_terminating(const Claim& claim, const Pod*) { return !claim.meta.terminating(); }
bool even_if_terminating(const Claim&, const Pod*) { return true; }

/// A claim stays while a pod uses it that was given a node: to wait until it has gone would be to wait for that pod.
bool not_terminating_or_held_by_its_pod(const Claim& claim, const Pod* pod) {
  if (!claim.meta.terminating()) return true;
  if (pod == nullptr || pod->node.empty() || pod->volumes == nullptr) return false;
  return std::any_of(pod->volumes->begin(), pod->volumes->end(),
                     [&](const Volume& volume) { return volume.claim == claim.meta.name; });
}

bool while_pending(const Pod& pod) { return pod.phase == Phase::pending; }
bool never_restored(const Pod&) { return false; }

// --- before foreign controllers of claims were respected -----------------------------------------------------------------

namespace {

bool has_owner(const Owners* owners, Uid uid) {
  return owners != nullptr && uid != Uid::none &&
         std::any_of(owners->begin(), owners->end(), [&](const OwnerReference& owner) { return owner.uid == uid; });
}

void add_plain_owner(Owners& owners, OwnerReference owner) {
  if (has_owner(&owners, owner.uid)) return;
  owner.controller = owner.block_owner_deletion = false;
  owners.push_back(std::move(owner));
}

}  // namespace

bool owners_by_uid_follow_policy(const Owners* owners, const ClaimSide& side, const Rules& rules) {
  return rules.claim_target(side.policy, side.in_range) ==
         ClaimTarget{.set = has_owner(owners, side.set), .pod = has_owner(owners, side.pod)};
}

Owners plain_owners_by_policy(const Owners* owners, const ClaimSide& side, const Rules& rules) {
  const ClaimTarget wanted = rules.claim_target(side.policy, side.in_range);
  Owners next = owners != nullptr ? *owners : Owners();
  std::erase_if(next, [&](const OwnerReference& owner) {
    return (owner.uid == side.set && !wanted.set) || (owner.uid == side.pod && side.pod != Uid::none && !wanted.pod);
  });
  if (wanted.set) add_plain_owner(next, owner_of(group_version_apps, kind_stateful_set, side.set_name, side.set));
  if (wanted.pod) add_plain_owner(next, owner_of(group_version_core, kind_pod, side.pod_name, side.pod));
  return next;
}

bool names_anything_else_of_the_pods_name(const Owners* owners, const ClaimSide& side) {
  if (side.policy.when_scaled != Retention::remove || owners == nullptr) return false;
  return std::any_of(owners->begin(), owners->end(),
                     [&](const OwnerReference& owner) { return owner.name == side.pod_name && owner.uid != side.pod; });
}

bool owners_are_left_alone(const Owners*, const ClaimSide&, const Rules&) { return true; }
bool never_stale(const Owners*, const ClaimSide&) { return false; }

}  // namespace ordeal::decide
