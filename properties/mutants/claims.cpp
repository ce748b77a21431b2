// Claims: what is made, whom they belong to, and when a pod may use them.
#include <algorithm>

#include "properties/mutants/wrong.h"

namespace ordeal::properties {

namespace {

template <auto change>
Claim built_but(const StatefulSet& set, const ClaimTemplate& from, const Text& name) {
  Claim claim = decide::build_claim_of_its_set(set, from, name);
  change(claim, set, from);
  return claim;
}
void set_labels(Claim& claim, const StringMap& labels) {
  claim.meta.labels = std::make_shared<const StringMap>(labels);
}
void own(Claim& claim, const StatefulSet& set, const ClaimTemplate&) {
  claim.meta.owners = std::make_shared<const Owners>(Owners{decide::controlled_by(set.meta)});
}

/// The same policy whether the pod is in the range or not.
template <bool as_in_range>
ClaimTarget wherever(RetentionPolicy policy, bool) {
  return decide::target_by_policy(policy, as_in_range);
}
ClaimTarget swapped(RetentionPolicy policy, bool in_range) {
  return decide::target_by_policy({policy.when_scaled, policy.when_deleted}, in_range);
}

bool is_right_unless_unowned(const Owners* owners, const ClaimSide& side, const Rules& rules) {
  return (owners != nullptr && !owners->empty()) || decide::owners_follow_policy(owners, side, rules);
}
/// References to an earlier set or pod of the name count as if they were nobody's.
bool is_right_but_earlier(const Owners* owners, const ClaimSide& side, const Rules& rules) {
  if (owners == nullptr) return decide::owners_follow_policy(owners, side, rules);
  const ClaimTarget wanted = rules.claim_target(side.policy, side.in_range);
  const auto named = [&](Uid uid) {
    return uid != Uid::none && std::ranges::any_of(*owners, [&](const OwnerReference& o) { return o.uid == uid; });
  };
  return ClaimTarget{named(side.set), named(side.pod)} == wanted;
}

Owners added_to(const Owners* owners, const ClaimSide& side, const Rules& rules) {
  Owners next = owners != nullptr ? *owners : Owners();
  for (const OwnerReference& owner : decide::owners_by_policy(nullptr, side, rules))
    if (std::ranges::find(next, owner.uid, &OwnerReference::uid) == next.end()) next.push_back(owner);
  return next;
}
Owners without_uid(const Owners* owners, const ClaimSide& side, const Rules& rules) {
  Owners next = decide::owners_by_policy(owners, side, rules);
  for (OwnerReference& owner : next)
    if (owner.uid == side.pod) owner.uid = side.set;
  return next;
}

constexpr Wrong rows[] = {
    {"storage-needs-a-policy", "A claim of a set without a retention policy kills the process.",
     "convergence.comes-to-rest", [](Rules& r) { r.dies_without_policy = true; }},
    {"storage-claim-of-nobody", "With whenDeleted Delete a new claim is nobody's until a later turn.",
     "storage.deleted-sets-claims-go", [](Rules& r) { r.build_claim = decide::build_claim; }},
    {"storage-claim-without-spec", "New claims do not ask for what their template asks for.", "storage.claim-spec",
     [](Rules& r) {
       r.build_claim = built_but<[](Claim& claim, const StatefulSet&, const ClaimTemplate&) {
         claim.spec = std::make_shared<const std::string>("{}");
       }>;
     }},
    {"storage-claim-without-selector", "New claims lack the labels that the set selects by.", "storage.claim-labels",
     [](Rules& r) {
       r.build_claim = built_but<[](Claim& claim, const StatefulSet&, const ClaimTemplate& from) {
         set_labels(claim, from.labels);
       }>;
     }},
    {"storage-claim-without-labels", "New claims lack the labels of their template.", "storage.claim-labels",
     [](Rules& r) {
       r.build_claim = built_but<[](Claim& claim, const StatefulSet& set, const ClaimTemplate&) {
         set_labels(claim, set.spec->selector.match_labels);
       }>;
     }},
    {"storage-new-claims-owned", "New claims belong to the set, whatever the retention policy.",
     "storage.new-claim-owners", [](Rules& r) { r.build_claim = built_but<own>; }},
    {"storage-always-owned-by-set", "Claims always come to belong to the set.", "storage.owners-by-policy",
     [](Rules& r) { r.claim_target = [](RetentionPolicy, bool) { return ClaimTarget{.set = true, .pod = false}; }; }},
    {"storage-range-ignored", "Claims of surplus pods are treated as those of the range.",
     "storage.marked-before-scale-down", [](Rules& r) { r.claim_target = wherever<true>; }},
    {"storage-all-surplus", "Claims of the range are treated as those of surplus pods.", "storage.owners-by-policy",
     [](Rules& r) { r.claim_target = wherever<false>; }},
    {"storage-policy-swapped", "whenDeleted and whenScaled are taken for each other.", "storage.owners-by-policy",
     [](Rules& r) { r.claim_target = swapped; }},
    {"storage-owners-never-put-right", "Owners of claims are always taken for right.", "storage.owners-at-rest",
     [](Rules& r) { r.claim_is_right = [](const Owners*, const ClaimSide&, const Rules&) { return true; }; }},
    {"storage-owners-wait-for-pods", "While an ordered set waits for a pod no claim gets other owners.",
     "storage.owners-while-unwell", [](Rules& r) { r.mends_claims_while_waiting = false; }},
    {"storage-any-owner-is-right", "A claim that has any owner is taken for right.", "storage.marked-before-scale-down",
     [](Rules& r) { r.claim_is_right = is_right_unless_unowned; }},
    {"storage-takes-from-earlier", "Claims of an earlier set or pod of the name are taken over.",
     "storage.earlier-owner-untouched", [](Rules& r) { r.claim_is_right = is_right_but_earlier; }},
    {"storage-written-whatever-the-answer",
     "Owners that were to be written are taken for written, even if the call was refused.", "storage.owners-at-rest",
     [](Rules& r) { r.writes_into_cache = true; }},
    {"economy-shared-labels", "The places of a batch write the labels of their claims into the template they share.",
     "economy.no-data-race", [](Rules& r) { r.shares_claim_labels = true; }},
    {"storage-only-adds-owners", "References that the policy no longer wants stay.", "storage.owners-by-policy",
     [](Rules& r) { r.claim_owners = added_to; }},
    {"storage-pod-by-wrong-uid", "A claim's reference to its pod bears the UID of the set.", "storage.owners-by-policy",
     [](Rules& r) { r.claim_owners = without_uid; }},
    {"storage-pod-on-stale-claim", "Pods are created onto claims that still belong to an earlier pod.",
     "storage.no-pod-on-stale-claim",
     [](Rules& r) { r.claim_is_stale = [](const Owners*, const ClaimSide&) { return false; }; }},
    {"storage-pod-on-claim-of-earlier-set", "Pods are created onto claims that still belong to an earlier set.",
     "storage.no-pod-on-claim-of-earlier-set", [](Rules& r) { r.claim_is_stale = decide::names_an_earlier_pod; }},
    {"storage-any-owner-is-stale", "No pod is created while its claim has any owner.", "identity.whole-range-at-rest",
     [](Rules& r) {
       r.claim_is_stale = [](const Owners* owners, const ClaimSide&) { return owners != nullptr && !owners->empty(); };
     }},
    {"storage-pod-on-dying-claim", "Pods are created onto claims that are being deleted.",
     "storage.no-pod-on-dying-claim",
     [](Rules& r) { r.claim_is_usable = [](const Claim&, const Pod*) { return true; }; }},
    {"storage-waits-for-what-its-pod-holds",
     "A pending pod that was given a node, and holds its leaving claim, makes the turn wait for that claim.",
     "update.replaces-broken-revision", [](Rules& r) { r.claim_is_usable = decide::not_terminating; }},
    {"storage-no-claim-is-usable", "No claim that is there may be used.", "convergence.comes-to-rest",
     [](Rules& r) { r.claim_is_usable = [](const Claim&, const Pod*) { return false; }; }},
    {"storage-lost-claims-stay-lost", "A pending pod whose claim is gone is left to wait for it.",
     "storage.pending-pod-gets-claims", [](Rules& r) { r.restores_claims = [](const Pod&) { return false; }; }},
    {"storage-restores-for-all", "Missing claims are created for running pods, too.",
     "storage.no-claims-for-running-pods", [](Rules& r) { r.restores_claims = [](const Pod&) { return true; }; }},
    {"economy-touches-pods", "A pod whose claims got other owners is written, too, unchanged.",
     "economy.no-empty-update", [](Rules& r) { r.touches_pod_for_claims = true; }},
    {"economy-retains-twice",
     "Parallel: owners of claims that were just written are compared with the cache and written again.",
     "economy.each-write-once", [](Rules& r) { r.mends_claims_once = false; }},
};

}  // namespace

std::span<const Wrong> wrong_claims() { return rows; }

}  // namespace ordeal::properties
