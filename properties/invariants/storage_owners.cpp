// Owners of claims, call by call.
#include <algorithm>

#include "core/api/names.h"
#include "properties/evidence/before.h"
#include "properties/evidence/claims.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/removal.h"
#include "properties/invariants/storage.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::storage {
namespace {

/// The claim a PUT is about as the controller was shown it, and whose it should be; nothing when that is not clear.
/// What a patch that was refused would have come to depends on what it met, which the controller was not shown.
struct Put {
  const Claim* shown = nullptr;
  ClaimOwners owners;
};
std::optional<Put> put_of(const Moment& m) {
  const auto place = place_of_call(m);
  const Claim* shown = m.sync->seen.claims.find(m.call->request.name);
  if (!place || shown == nullptr || m.facts->irregular) return std::nullopt;
  if (m.call->request.partial && m.call->reply.code == Code::invalid) return std::nullopt;
  auto owners = owners_wanted(*m.facts, place->ordinal);
  if (!owners) return std::nullopt;
  return Put{shown, std::move(*owners)};
}

/// The claims of a condemned pod that neither are right as shown nor were put right by `before`; the first of them. One
/// that is going already, or that somebody else controls, cannot be made the pod's.
Text unmarked_claim(const Moment& m, const Pod& pod, std::span<const Call> before) {
  const Ordinal ordinal = parse_member(pod.meta.name).ordinal;
  auto owners = owners_wanted(*m.facts, ordinal);
  owners->pod = pod.meta.uid;
  owners->pod_name = pod.meta.name;
  Text unmarked;
  each_claim(*m.facts->set, ordinal, [&](const Text& name) {
    const Claim* claim = m.sync->seen.claims.find(name);
    if (!unmarked.empty() || claim == nullptr || claim->meta.terminating()) return;
    if (owners->is_controlled_by_others(*claim) || owners->are_right(*claim)) return;
    if (!done_to(before, Verb::update, Kind::claim, name)) unmarked = name;
  });
  return unmarked;
}

/// The first claim of the pod that is collected when it is gone, and was not freed by `before`.
Text claim_that_goes_with(const Moment& m, const Pod& pod, std::span<const Call> before) {
  const Ordinal ordinal = parse_member(pod.meta.name).ordinal;
  const auto wanted = owners_wanted(*m.facts, ordinal);
  Text goes;
  each_claim(*m.facts->set, ordinal, [&](const Text& name) {
    const Claim* claim = m.sync->seen.claims.find(name);
    if (!goes.empty() || claim == nullptr || claim->meta.terminating() ||
        done_to(before, Verb::update, Kind::claim, name))
      return;
    const auto is_the_pods = [&](const OwnerReference& owner) { return owner.uid == pod.meta.uid; };
    if (!wanted->belongs_to_earlier(*claim) && std::ranges::any_of(owners_of(claim->meta), is_the_pods)) goes = name;
  });
  return goes;
}

}  // namespace

Judgement update_changes_owners_only(const Moment& m) {
  const Claim* shown = m.sync->seen.claims.find(m.call->request.name);
  if (shown == nullptr) return Judgement::not_applicable();
  const Claim& sent = m.call->request.claim();
  const bool fine = same(shown->spec, sent.spec) && alike(shown->meta.labels, sent.meta.labels) &&
                    alike(shown->meta.annotations, sent.meta.annotations) &&
                    same(shown->meta.finalizers, sent.meta.finalizers);
  return Judgement::of(
      fine, [&] { return words("the update of claim ", m.call->request.name, " changes more than owners"); });
}

Judgement updates_own_claims_only(const Moment& m) {
  if (m.facts->set == nullptr || m.facts->irregular) return Judgement::not_applicable();
  const auto place = place_of_call(m);
  return Judgement::of(place && owners_wanted(*m.facts, place->ordinal), [&] {
    return words("claim ", m.call->request.name, " was written to, which belongs to no place and no surplus pod of ",
                 m.facts->set->meta.name);
  });
}

Judgement foreign_owners_kept(const Moment& m) {
  const auto put = put_of(m);
  if (!put) return Judgement::not_applicable();
  const auto is_foreign = [&](const OwnerReference& owner) {
    return !put->owners.names_set(owner) && !put->owners.names_pod(owner);
  };
  const auto before = owners_of(put->shown->meta), after = owners_of(m.call->request.claim().meta);
  auto kept = after.begin();
  for (const OwnerReference& owner : before) {
    if (!is_foreign(owner)) continue;
    kept = std::find_if(kept, after.end(), is_foreign);
    if (kept == after.end() || !(*kept == owner))
      return Judgement::broken(words("the owner ", owner.kind, " ", owner.name, " of claim ", m.call->request.name,
                                     " was not left as it was"));
    ++kept;
  }
  const View& seen = m.sync->seen;
  if (const Claim* stored = m.call->claim_before)
    for (const OwnerReference& owner : owners_of(stored->meta))
      if (is_foreign(owner) && drops_owner(seen, *m.call, owner))
        return Judgement::broken(words("the update of claim ", m.call->request.name, " takes away its owner ",
                                       owner.kind, " ", owner.name, ", of which the turn was not shown"));
  const auto is_new = [&](const OwnerReference& owner) {
    return is_foreign(owner) && !was_met_unseen(seen, *m.call, owner);
  };
  return Judgement::of(std::find_if(kept, after.end(), is_new) == after.end(), [&] {
    return words("claim ", m.call->request.name, " was given an owner that is neither the set nor its pod");
  });
}

Judgement owners_by_policy(const Moment& m) {
  const auto put = put_of(m);
  if (!put || put->owners.belongs_to_earlier(*put->shown)) return Judgement::not_applicable();
  const ClaimOwners& wanted = put->owners;
  const bool must_add = wanted.retains_all() || !wanted.is_taken(*put->shown);
  const bool may_add = must_add || !wanted.is_controlled_by_others(*put->shown);
  int sets = 0, pods = 0, others = 0;
  for (const OwnerReference& owner : owners_of(m.call->request.claim().meta)) {
    if (wanted.is_ours(owner)) ++(wanted.names_set(owner) ? sets : pods);
    else if (wanted.names_set(owner) || wanted.names_pod(owner)) ++others;
  }
  const bool all = sets == (wanted.wants_set() ? 1 : 0) && pods == (wanted.wants_pod() ? 1 : 0);
  const bool fine =
      (others == 0 || wanted.names_earlier(*put->shown)) && ((may_add && all) || (!must_add && sets + pods == 0));
  return Judgement::of(fine, [&] {
    return words("claim ", m.call->request.name, wanted.in_range ? " of a pod in range" : " of a condemned pod",
                 " was given ", sets, " references to the set, ", pods, " to the pod and ", others, " to earlier ones");
  });
}

/// A reference that was there before may stay as it was.
Judgement owners_wait_for_their_claim(const Moment& m) {
  const auto put = put_of(m);
  if (!put) return Judgement::not_applicable();
  const auto before = owners_of(put->shown->meta);
  bool applied = false;
  for (const OwnerReference& owner : owners_of(m.call->request.claim().meta)) {
    if (!put->owners.is_ours(owner) || std::ranges::find(before, owner) != before.end()) continue;
    applied = true;
    if (!owner.controller || !owner.block_owner_deletion)
      return Judgement::broken(
          words("claim ", m.call->request.name, " was given the owner ", owner.kind, " ", owner.name,
                owner.controller ? ", whose end does not wait for it" : ", which does not control it"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement earlier_owner_untouched(const Moment& m) {
  const auto put = put_of(m);
  if (!put) return Judgement::not_applicable();
  return Judgement::of(!put->owners.belongs_to_earlier(*put->shown), [&] {
    return words("claim ", m.call->request.name, " belongs to an earlier set or pod of its name, and was changed");
  });
}

Judgement taken_claim_gets_no_owner(const Moment& m) {
  const auto& [before, after, version] = *m.claim_change;
  if (before == nullptr || after == nullptr) return Judgement::not_applicable();
  const OwnerReference* holder = before->meta.controller();
  const bool taken = holder != nullptr && !refers_to_set(*holder) && !refers_to_pod(*holder);
  const OwnerReference* now = after->meta.controller();
  const bool being_taken = now != nullptr && !refers_to_set(*now) && !refers_to_pod(*now);
  if (!taken && !being_taken) return Judgement::not_applicable();
  const auto held = owners_of(before->meta);
  for (const OwnerReference& owner : owners_of(after->meta)) {
    if (ever_existed(m.truth, owner) && !may_be_somebodys_doing(m.history, owner) &&
        std::ranges::find(held, owner.uid, &OwnerReference::uid) == held.end())
      return Judgement::broken(words("claim ", after->meta.name, " of a foreign controller was given the owner ",
                                     owner.kind, " ", owner.name));
  }
  return Judgement::held();
}

Judgement marked_before_scale_down(const Moment& m) {
  if (!deletes_scaled(*m.facts) || m.facts->irregular) return Judgement::not_applicable();
  const Removed& removed = removed_by(m, *m.call);
  if (removed.why != Removal::condemned) return Judgement::not_applicable();
  const Text claim = unmarked_claim(m, *removed.pod, calls_before(m));
  return Judgement::of(claim.empty(), [&] {
    return words("pod ", m.call->request.name, " was scaled down before its claim ", claim, " was its own");
  });
}

Judgement freed_before_scale_down(const Moment& m) {
  if (!has_claims(*m.facts) || deletes_scaled(*m.facts) || m.facts->irregular) return Judgement::not_applicable();
  const Removed& removed = removed_by(m, *m.call);
  if (removed.why != Removal::condemned) return Judgement::not_applicable();
  const Text claim = claim_that_goes_with(m, *removed.pod, calls_before(m));
  return Judgement::of(claim.empty(), [&] {
    return words("pod ", m.call->request.name, " was scaled down while its claim ", claim,
                 " was to go with it, and whenScaled is Retain");
  });
}

namespace {
Judgement freed_before(const Moment& m, bool update_only) {
  if (!has_claims(*m.facts) || m.facts->irregular) return Judgement::not_applicable();
  const Removed& removed = removed_by(m, *m.call);
  const auto index = static_cast<std::size_t>(removed.index);
  if (removed.index < 0 || index >= m.facts->slots.size()) return Judgement::not_applicable();
  if (update_only && removed.why != Removal::outdated) return Judgement::not_applicable();
  const Text claim = claim_that_goes_with(m, *m.facts->slots[index].pod, calls_before(m));
  return Judgement::of(claim.empty(), [&] {
    return words("pod ", removed.pod->meta.name, " was replaced while its claim ", claim, " was to go with it");
  });
}
}  // namespace

Judgement freed_before_updated(const Moment& m) { return freed_before(m, /*update_only=*/true); }
Judgement freed_before_replaced(const Moment& m) { return freed_before(m, /*update_only=*/false); }

Judgement all_marked_before_first(const Moment& m) {
  if (!has_claims(*m.facts) || m.facts->irregular || m.facts->condemned.empty()) return Judgement::not_applicable();
  const auto first = std::ranges::find_if(m.sync->calls, [&](const Call& call) {
    return call.is(Verb::remove, Kind::pod) && removed_by(m, call).why == Removal::condemned;
  });
  if (first == m.sync->calls.end()) return Judgement::not_applicable();
  const auto before = m.sync->calls.first(static_cast<std::size_t>(first - m.sync->calls.begin()));
  for (const Pod* pod : m.facts->condemned)
    if (const Text claim = unmarked_claim(m, *pod, before); !claim.empty())
      return Judgement::broken(words("pod ", first->request.name, " was scaled down before claim ", claim,
                                     " had the owners that the policy asks for"));
  return Judgement::held();
}

}  // namespace ordeal::properties::storage
