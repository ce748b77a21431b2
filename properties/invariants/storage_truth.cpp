// What becomes of claims, from the log.
#include <algorithm>

#include "core/api/names.h"
#include "properties/evidence/at_rest.h"
#include "properties/evidence/claims.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/removal.h"
#include "properties/invariants/storage.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::storage {
namespace {

bool rests_with_claims(const Moment& m) { return is_at_rest(m) && has_claims(*m.facts); }
/// The last turn asked for another one: it may have told of what it found by an event.
bool comes_again(const Moment& m) {
  return m.history.last_sync != nullptr && m.history.last_sync->result.requeue_after.has_value();
}
/// Every pod of the range is there and healthy: no claim is out of the controller's reach.
bool all_healthy(const Facts& facts) {
  return std::ranges::all_of(facts.slots,
                             [&](const Slot& slot) { return slot.pod != nullptr && facts.healthy(*slot.pod); });
}

/// "StatefulSet web (controller), Pod web-0", or "nobody". One of another group than its kind's has that beside it.
std::string owners_text(const Claim& claim) {
  std::string text;
  for (const OwnerReference& owner : owners_of(claim.meta)) {
    const bool is_usual = owner.api_version == group_version_apps || owner.api_version == "v1";
    text += words(text.empty() ? "" : ", ", owner.kind, is_usual ? "" : " of ",
                  is_usual ? "" : owner.api_version.view(), " ", owner.name, owner.controller ? " (controller)" : "");
  }
  return text.empty() ? "nobody" : text;
}

/// The first claim of the range, not on its way out, that is `so(whose it should be, claim)`; null when none is.
template <class So>
const Claim* first_claim(const Moment& m, So so) {
  const Claim* found = nullptr;
  for (const Slot& slot : m.facts->slots) {
    const auto wanted = owners_wanted(*m.facts, slot.ordinal);
    each_claim(*m.facts->set, slot.ordinal, [&](const Text& name) {
      const Claim* claim = m.truth.claims().find(name);
      if (found == nullptr && claim != nullptr && !claim->meta.terminating() && so(*wanted, *claim)) found = claim;
    });
    if (found != nullptr) break;
  }
  return found;
}

/// A set of the log that the claim is named after, in its newest version; null when there was none.
const StatefulSet* set_of_claim(const Cluster& truth, std::string_view claim) {
  const auto log = truth.sets().log();
  for (auto change = log.rbegin(); change != log.rend(); ++change)
    if (place_of_claim(change->object(), claim)) return &change->object();
  return nullptr;
}

/// Whether `so(version)` of every version the set ever had, incarnations included.
template <class So>
bool always(const Cluster& truth, const Text& set, So so) {
  return std::ranges::all_of(truth.sets().log(), [&](const Change<StatefulSet>& change) {
    return change.after == nullptr || change.after->meta.name != set || so(*change.after);
  });
}

/// The commit since which the ordinal has been outside the set's range, with whenScaled Delete all the time since.
/// Nothing when it was never inside, is not outside now, or the policy was another meanwhile.
std::optional<Version> scaled_down_since(const Cluster& truth, const StatefulSet& set, Ordinal ordinal) {
  std::optional<Version> since;
  bool inside = false, deletes = true;
  for (const Change<StatefulSet>& change : truth.sets().log()) {
    if (change.after == nullptr || change.after->meta.uid != set.meta.uid) continue;
    const bool covered = change.after->spec->covers(ordinal);
    if (inside && !covered) since = change.version, deletes = true;
    if (covered) since.reset();
    deletes = deletes && policy_of(*change.after).when_scaled == Retention::remove;
    inside = covered;
  }
  return deletes ? since : std::nullopt;
}

/// After that commit the pod, until then neither terminating nor gone, was taken away as one that is too many.
bool taken_away_since(const Cluster& truth, const Text& pod, Uid set, Version since) {
  return std::ranges::any_of(truth.pods().log(), [&](const Change<Pod>& change) {
    return change.version > since && change.before != nullptr && change.before->meta.name == pod &&
           change.before->meta.controlled_by(set) && takes_away(change);
  });
}

/// The set on trial as it was last, there or gone: it was made before any neighbour. Null: there was none.
const StatefulSet* last_of_the_set(const Cluster& truth) {
  const auto log = truth.sets().log();
  const StatefulSet* last = nullptr;
  for (const Change<StatefulSet>& change : log)
    if (change.object().meta.name == log.front().object().meta.name) last = &change.object();
  return last;
}

}  // namespace

Judgement retain_never_collects(const Moment& m) {
  const auto& [before, after, version] = *m.claim_change;
  if (before == nullptr || after != nullptr) return Judgement::not_applicable();
  const StatefulSet* set = set_of_claim(m.truth, before->meta.name);
  if (set == nullptr) return Judgement::not_applicable();
  const auto retains = [](const StatefulSet& s) { return policy_of(s) == RetentionPolicy{}; };
  if (!always(m.truth, set->meta.name, retains)) return Judgement::not_applicable();
  for (const OwnerReference& owner : owners_of(before->meta))
    if (ever_existed(m.truth, owner) && !may_be_somebodys_doing(m.history, owner) &&
        (owner.name == set->meta.name || parse_member(owner.name).parent == set->meta.name.view()))
      return Judgement::broken(words("claim ", before->meta.name, " went with its owner ", owner.kind, " ", owner.name,
                                     ", though the policy is Retain"));
  return Judgement::held();
}

Judgement replacement_keeps_data(const Moment& m) {
  const auto& [before, after, version] = *m.claim_change;
  if (before == nullptr || after != nullptr) return Judgement::not_applicable();
  const StatefulSet* set = set_of_claim(m.truth, before->meta.name);
  if (set == nullptr || m.truth.sets().find(set->meta.name) == nullptr) return Judgement::not_applicable();
  const Ordinal ordinal = place_of_claim(*set, before->meta.name)->ordinal;
  if (!always(m.truth, set->meta.name, [&](const StatefulSet& s) { return s.spec->covers(ordinal); }))
    return Judgement::not_applicable();
  for (const OwnerReference& owner : owners_of(before->meta))
    if (refers_to_pod(owner) && ever_existed(m.truth, owner) && !may_be_somebodys_doing(m.history, owner))
      return Judgement::broken(
          words("claim ", before->meta.name, " went with pod ", owner.name, ", which was never scaled down"));
  return Judgement::held();
}

Judgement claims_at_rest(const Moment& m) {
  // A later set of the name may start on claims that leave with the earlier one. So may a pod that was created from a
  // view in which its claim was not leaving yet: the claim is kept for as long as the pod uses it.
  if (!rests_with_claims(m) || m.history.touched_claims || m.history.set_recreated) return Judgement::not_applicable();
  for (const Slot& slot : m.facts->slots) {
    Text missing;
    if (slot.pod == nullptr) continue;
    each_claim(*m.facts->set, slot.ordinal, [&](const Text& name) {
      const Claim* claim = m.truth.claims().find(name);
      const bool leaves = claim != nullptr && claim->meta.terminating();
      if (claim == nullptr || (leaves && !m.history.was_stale)) missing = name;
    });
    if (!missing.empty())
      return Judgement::broken(words("pod ", slot.pod->meta.name, " stays without its claim ", missing));
  }
  return Judgement::held();
}

Judgement strange_volumes_not_accepted(const Moment& m) {
  if (!is_regular(*m.facts) || !has_claims(*m.facts)) return Judgement::not_applicable();
  const bool stuck = blocked_by_broken_update(*m.facts) || blocked_by_broken_surplus(*m.facts);
  for (const Slot& slot : m.facts->slots) {
    const bool is_there = slot.pod != nullptr && !slot.pod->meta.terminating();
    // An ordered controller looks no further than to the first pod that is not well.
    if (m.facts->ordered && (!is_there || !m.facts->surely_healthy(*slot.pod))) break;
    if (!is_there || has_its_claims(*m.facts->set, *slot.pod, slot.ordinal)) continue;
    if (stuck && m.facts->outdated(*slot.pod)) continue;  // the update that is to replace it waits for a human
    return Judgement::of(!m.history.came_to_rest || comes_again(m), [&] {
      return words("pod ", slot.pod->meta.name,
                   " lacks the volumes of its claims, and no turn fails or asks for another for that");
    });
  }
  return Judgement::not_applicable();
}

Judgement owners_at_rest(const Moment& m) {
  if (!rests_with_claims(m) || !all_healthy(*m.facts)) return Judgement::not_applicable();
  const Claim* wrong =
      first_claim(m, [](const ClaimOwners& wanted, const Claim& claim) { return !wanted.are_right(claim); });
  return Judgement::of(wrong == nullptr, [&] {
    return words("the owners of claim ", wrong->meta.name, " are not what the retention policy says, but ",
                 owners_text(*wrong));
  });
}

Judgement owners_control_at_rest(const Moment& m) {
  if (!rests_with_claims(m) || !all_healthy(*m.facts)) return Judgement::not_applicable();
  const auto is_given = [](const ClaimOwners& wanted, const Claim& claim) {
    return wanted.has_ours(claim) && !wanted.names_earlier(claim) && !wanted.is_controlled_by_others(claim);
  };
  if (first_claim(m, is_given) == nullptr) return Judgement::not_applicable();
  const Claim* plain = first_claim(m, [&](const ClaimOwners& wanted, const Claim& claim) {
    const auto controls_nothing = [&](const OwnerReference& owner) {
      return wanted.is_ours(owner) && !owner.controller;
    };
    return is_given(wanted, claim) && std::ranges::any_of(owners_of(claim.meta), controls_nothing);
  });
  return Judgement::of(plain == nullptr, [&] {
    return words("no owner controls claim ", plain->meta.name, "; its owners are ", owners_text(*plain));
  });
}

Judgement taken_claim_loses_our_owners(const Moment& m) {
  if (!rests_with_claims(m) || !all_healthy(*m.facts)) return Judgement::not_applicable();
  const auto is_taken = [](const ClaimOwners& wanted, const Claim& claim) {
    return wanted.is_controlled_by_others(claim) && !wanted.names_earlier(claim);
  };
  if (first_claim(m, is_taken) == nullptr) return Judgement::not_applicable();
  const Claim* kept = first_claim(m, [&](const ClaimOwners& wanted, const Claim& claim) {
    return is_taken(wanted, claim) && wanted.has_ours(claim);
  });
  return Judgement::of(kept == nullptr, [&] {
    return words("claim ", kept->meta.name, " is somebody else's, and its owners are ", owners_text(*kept));
  });
}

Judgement deleted_sets_claims_go(const Moment& m) {
  if (!m.history.came_to_rest || m.history.touched_claims || m.facts->set != nullptr)
    return Judgement::not_applicable();
  const StatefulSet* last = last_of_the_set(m.truth);
  if (last == nullptr) return Judgement::not_applicable();
  const auto deletes = [](const StatefulSet& s) { return policy_of(s).when_deleted == Retention::remove; };
  const auto orphans = [](const StatefulSet& s) { return s.meta.has_finalizer(finalizer_orphan); };
  if (!always(m.truth, last->meta.name, [&](const StatefulSet& s) { return deletes(s) && !orphans(s); }))
    return Judgement::not_applicable();
  for (const Claim* claim : m.truth.claims().live().all()) {
    if (claim->meta.terminating()) continue;  // a pod that somebody freed of the set still uses it
    const auto place = place_of_claim(*last, claim->meta.name);
    if (place && !is_kept_by_its_template(*place->from, *claim))
      return Judgement::broken(words("claim ", claim->meta.name, " is still there though its set is gone"));
  }
  return Judgement::held();
}

Judgement scaled_down_claims_go(const Moment& m) {
  if (!rests_with_claims(m) || !deletes_scaled(*m.facts)) return Judgement::not_applicable();
  if (!m.history.left_alone() || m.history.evicted) return Judgement::not_applicable();
  const StatefulSet& set = *m.facts->set;
  for (const Claim* claim : m.truth.claims().live().all()) {
    const auto place = place_of_claim(set, claim->meta.name);
    if (!place || m.facts->in_range(place->ordinal) || is_kept_by_its_template(*place->from, *claim)) continue;
    const auto since = scaled_down_since(m.truth, set, place->ordinal);
    if (since && taken_away_since(m.truth, pod_name(set.meta.name, place->ordinal), set.meta.uid, *since))
      return Judgement::broken(words("claim ", claim->meta.name, " is still there though its pod was scaled down"));
  }
  return Judgement::held();
}

}  // namespace ordeal::properties::storage
