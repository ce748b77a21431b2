// A pod and its claims, and how claims are made. Whose they are: storage_owners.cpp; what becomes of them:
// storage_truth.cpp.
#include "properties/invariants/storage.h"

#include <algorithm>

#include "core/api/names.h"
#include "properties/evidence/at_rest.h"
#include "properties/evidence/claims.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::storage {
namespace {

/// The turn was shown it, has made it, or has read it.
bool is_known(const Moment& m, const Text& name) {
  return m.sync->seen.claims.find(name) != nullptr || done_to(calls_before(m), Verb::create, Kind::claim, name) ||
         done_to(calls_before(m), Verb::get, Kind::claim, name);
}

/// Its creation was refused, since it was there already.
bool was_found_there(std::span<const Call> calls, const Text& name) {
  return std::ranges::any_of(calls, [&](const Call& call) {
    return call.is(Verb::create, Kind::claim) && call.request.name == name && call.reply.code == Code::already_exists;
  });
}

/// The pod being created, as a member of the set whose claims matter; nothing when it needs none.
std::optional<Ordinal> member_with_claims(const Moment& m) {
  if (!has_claims(*m.facts)) return std::nullopt;
  const auto [parent, ordinal] = parse_member(m.call->request.name);
  if (ordinal == Ordinal::none || parent != m.facts->set->meta.name.view()) return std::nullopt;
  return ordinal;
}

/// Of the claims of a pod that is created none is such a `bad(name)` one; else `say(name)` is what is wrong.
template <class Bad, class Say>
Judgement no_claim_of_new_pod(const Moment& m, Bad bad, Say say) {
  const auto ordinal = member_with_claims(m);
  if (!ordinal) return Judgement::not_applicable();
  Text found;
  each_claim(*m.facts->set, *ordinal, [&](const Text& name) {
    if (bad(name)) found = name;
  });
  return Judgement::of(found.empty(), [&] { return say(found); });
}

/// The same of claims as the controller was shown them, or was told by an answer since.
template <class Bad>
Judgement no_pod_on_claim_that(const Moment& m, std::string_view how, Bad bad) {
  const auto is_bad = [&](const Text& name) {
    const Claim* claim = as_known<Claim>(*m.sync, calls_before(m), name);
    return claim != nullptr && bad(*claim);
  };
  return no_claim_of_new_pod(m, is_bad, [&](const Text& found) {
    return words("pod ", m.call->request.name, " was created while its claim ", found, " ", how);
  });
}

}  // namespace

Judgement claims_before_pod(const Moment& m) {
  const auto is_missing = [&](const Text& name) {
    return !is_known(m, name) && !was_found_there(calls_before(m), name);
  };
  return no_claim_of_new_pod(m, is_missing, [&](const Text& missing) {
    return words("pod ", m.call->request.name, " was created before its claim ", missing);
  });
}

/// It may be leaving, or somebody else's.
Judgement no_pod_on_unseen_claim(const Moment& m) {
  const auto is_unseen = [&](const Text& name) { return !is_known(m, name) && was_found_there(calls_before(m), name); };
  return no_claim_of_new_pod(m, is_unseen, [&](const Text& unseen) {
    return words("pod ", m.call->request.name, " was created onto claim ", unseen, ", which nobody has looked at");
  });
}

Judgement no_pod_on_dying_claim(const Moment& m) {
  return no_pod_on_claim_that(m, "is being deleted", [](const Claim& claim) { return claim.meta.terminating(); });
}

namespace {

Judgement no_pod_on_claim_of_earlier_one(const Moment& m) {
  return no_pod_on_claim_that(m, "belongs to an earlier one", [&](const Claim& claim) {
    return std::ranges::any_of(owners_of(claim.meta), [&](const OwnerReference& owner) {
      return refers_to_pod(owner) && owner.name == m.call->request.name;
    });
  });
}

}  // namespace

Judgement no_pod_on_stale_claim(const Moment& m) {
  return deletes_scaled(*m.facts) ? no_pod_on_claim_of_earlier_one(m) : Judgement::not_applicable();
}

Judgement no_pod_on_claim_of_earlier_pod(const Moment& m) {
  return deletes_scaled(*m.facts) ? Judgement::not_applicable() : no_pod_on_claim_of_earlier_one(m);
}

Judgement no_pod_on_claim_of_earlier_set(const Moment& m) {
  return no_pod_on_claim_that(m, "belongs to an earlier set of the name", [&](const Claim& claim) {
    const ObjectMeta& set = m.facts->set->meta;
    return std::ranges::any_of(owners_of(claim.meta), [&](const OwnerReference& owner) {
      return refers_to_set(owner) && owner.name == set.name && owner.uid != set.uid;
    });
  });
}

namespace {

/// A turn comes to this pod and puts it right: an OrderedReady set waits for one that is not healthy, unless it is
/// pending. One that is on its way out leaves its claims to the next one, in a Parallel set that is wanted again, too.
bool is_tended(const Facts& facts, const Pod& pod) {
  if (pod.phase == Phase::pending) return true;
  return !Facts::terminal(pod) && (!facts.ordered || facts.surely_healthy(pod));
}

/// Places that a turn comes to: an OrderedReady set ends at the first whose pod is not healthy.
std::size_t places_reached(const Facts& facts) {
  if (!facts.ordered) return facts.slots.size();
  const auto waits = [&](const Slot& slot) { return slot.pod == nullptr || !facts.surely_healthy(*slot.pod); };
  const auto last = std::ranges::find_if(facts.slots, waits) - facts.slots.begin();
  return std::min(static_cast<std::size_t>(last) + 1, facts.slots.size());
}

/// The turn may be judged by what it did for the claims of pods that are there: replacing a pod may end it.
bool tends_claims(const Moment& m) {
  const Facts& facts = *m.facts;
  return has_claims(facts) && is_regular(facts) && !facts.recreating() && facts.removals.empty() && meant_it(m);
}

bool all_places_are_well(const Facts& facts) {
  return std::ranges::all_of(facts.slots,
                             [&](const Slot& slot) { return slot.pod != nullptr && facts.surely_healthy(*slot.pod); });
}
/// A turn comes to surplus pods when all places are well, in whatever state they are: what they leave behind is decided
/// now.
bool comes_to_surplus(const Facts& facts) { return !facts.condemned.empty() && all_places_are_well(facts); }

/// The pod of a claim's place, where a turn comes to it; null otherwise.
const Pod* tended_pod(const Facts& facts, const ClaimPlace& place, std::size_t reached, bool surplus_too) {
  const auto index = facts.place_of(place.ordinal);
  if (!index) return surplus_too ? pod_at(facts, place.ordinal) : nullptr;
  const auto at = static_cast<std::size_t>(*index);
  const Pod* pod = at < reached ? facts.slots[at].pod : nullptr;
  return pod != nullptr && is_tended(facts, *pod) ? pod : nullptr;
}

auto tended_pods(const Facts& facts, bool surplus_too) {
  return [&facts, reached = places_reached(facts), surplus_too](const ClaimPlace& place) {
    return tended_pod(facts, place, reached, surplus_too);
  };
}
/// The pod of a claim's place, if it is of the range and stays there, whether or not a turn comes to it.
const Pod* staying_pod(const Facts& facts, const ClaimPlace& place) {
  const auto index = facts.place_of(place.ordinal);
  const Pod* pod = index ? facts.slots[static_cast<std::size_t>(*index)].pod : nullptr;
  return pod != nullptr && !pod->meta.terminating() && !Facts::terminal(*pod) ? pod : nullptr;
}

/// Calls `see(claim, its pod)` for each claim that has other owners than the policy asks for, of the pods that `pod_of`
/// finds for their places.
template <class PodOf, class See>
void each_claim_to_mark(const Moment& m, PodOf pod_of, See see) {
  const Facts& facts = *m.facts;
  const bool retains_all = policy_of(*facts.set) == RetentionPolicy{};
  for (const Claim* claim : m.sync->seen.claims.all) {
    if (retains_all && owners_of(claim->meta).empty()) continue;  // most are like that, and quickly told
    const auto place = place_of_claim(*facts.set, claim->meta.name.view());
    const Pod* pod = place ? pod_of(*place) : nullptr;
    if (pod != nullptr && !claim->meta.terminating() && !owners_wanted(facts, place->ordinal)->are_right(*claim))
      see(*claim, *pod);
  }
}

}  // namespace

Judgement pending_pod_gets_claims(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!tends_claims(m)) return Judgement::not_applicable();
  bool applied = false;
  for (const Slot& slot : std::span(facts.slots).first(places_reached(facts))) {
    if (slot.pod == nullptr || slot.pod->phase != Phase::pending || slot.pod->meta.terminating()) continue;
    Text missing;
    each_claim(*facts.set, slot.ordinal, [&](const Text& name) {
      if (m.sync->seen.claims.find(name) != nullptr) return;
      applied = true;
      if (!done_to(m.sync->calls, Verb::create, Kind::claim, name)) missing = name;
    });
    if (!missing.empty())
      return Judgement::broken(
          words("pod ", slot.pod->meta.name, " is pending, and claim ", missing, " is missing and was not created"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement claims_follow_policy(const Moment& m) {
  if (!tends_claims(m)) return Judgement::not_applicable();
  bool applied = false;
  const Claim* passed_over = nullptr;
  const Pod* pod_of_it = nullptr;
  each_claim_to_mark(m, tended_pods(*m.facts, comes_to_surplus(*m.facts)), [&](const Claim& claim, const Pod& pod) {
    applied = true;
    if (passed_over == nullptr && !done_to(m.sync->calls, Verb::update, Kind::claim, claim.meta.name))
      passed_over = &claim, pod_of_it = &pod;
  });
  if (!applied) return Judgement::not_applicable();
  return Judgement::of(passed_over == nullptr, [&] {
    return words("pod ", pod_of_it->meta.name, " is there, and its claim ", passed_over->meta.name,
                 " was not given the owners that the retention policy asks for",
                 pod_of_it->meta.terminating() ? ": a pod that terminates counts, too" : "");
  });
}

Judgement owners_while_quiet(const Moment& m) {
  if (m.sync->wrote() || !tends_claims(m) || !all_places_are_well(*m.facts)) return Judgement::not_applicable();
  const Claim* wrong = nullptr;
  each_claim_to_mark(m, tended_pods(*m.facts, /*surplus_too=*/false),
                     [&](const Claim& claim, const Pod&) { wrong = &claim; });
  return Judgement::of(wrong == nullptr, [&] {
    return words("every pod is well and the turn did nothing, though the owners of claim ", wrong->meta.name,
                 " are not what the retention policy says");
  });
}

/// Whoever waits for a pod may wait for long, and what the others' claims belong to may be collected meanwhile.
Judgement owners_while_unwell(const Moment& m) {
  const Facts& facts = *m.facts;
  if (m.sync->wrote() || !tends_claims(m) || all_places_are_well(facts)) return Judgement::not_applicable();
  const auto pod_of = [&](const ClaimPlace& place) { return staying_pod(facts, place); };
  const auto is_asked_about = [&](const Claim* claim) {
    const auto place = place_of_claim(*facts.set, claim->meta.name.view());
    return place && pod_of(*place) != nullptr && !claim->meta.terminating();
  };
  if (std::ranges::none_of(m.sync->seen.claims.all, is_asked_about)) return Judgement::not_applicable();
  const Claim* wrong = nullptr;
  each_claim_to_mark(m, pod_of, [&](const Claim& claim, const Pod&) { wrong = &claim; });
  return Judgement::of(wrong == nullptr, [&] {
    return words("the turn did nothing, though the owners of claim ", wrong->meta.name,
                 " are not what the retention policy says");
  });
}

// --- making claims -----------------------------------------------------------------------------------------------------

Judgement never_deletes_claims(const Moment& m) {
  for (const Call& call : m.sync->calls)
    if (call.is(Verb::remove, Kind::claim))
      return Judgement::broken(words("the controller deleted claim ", call.request.name));
  return has_claims(*m.facts) ? Judgement::held() : Judgement::not_applicable();
}

Judgement existing_claim_is_used(const Moment& m) {
  return Judgement::of(m.sync->seen.claims.find(m.call->request.name) == nullptr,
                       [&] { return words("claim ", m.call->request.name, " was created though it is there"); });
}

Judgement claims_only_for_pods(const Moment& m) {
  const auto place = place_of_call(m);
  if (!place || m.facts->irregular) return Judgement::not_applicable();
  if (!m.facts->in_range(place->ordinal))
    return Judgement::broken(words("claim ", m.call->request.name, " was created for an ordinal outside the range"));
  return Judgement::held();
}

Judgement no_claims_before_their_turn(const Moment& m) {
  const Facts& facts = *m.facts;
  const auto place = place_of_call(m);
  const auto index = place ? facts.place_of(place->ordinal) : std::nullopt;
  if (!index || !is_regular(facts) || !facts.ordered || facts.slots[static_cast<std::size_t>(*index)].pod != nullptr)
    return Judgement::not_applicable();  // of a pod that is there: no-claims-for-running-pods
  const auto before = std::span(facts.slots).first(static_cast<std::size_t>(*index));
  const auto first =
      std::ranges::find_if(before, [&](const Slot& slot) { return slot.pod == nullptr || !facts.healthy(*slot.pod); });
  return Judgement::of(first == before.end(), [&] {
    return words("claim ", m.call->request.name, " was created while its pod waits for ordinal ",
                 number(first->ordinal));
  });
}

Judgement no_claims_for_running_pods(const Moment& m) {
  const auto place = place_of_call(m);
  if (!place || m.facts->irregular || !m.facts->in_range(place->ordinal)) return Judgement::not_applicable();
  const Pod* pod = pod_at(*m.facts, place->ordinal);
  // A pod that lacks one of its volumes is repaired whole: all its claims are made, if need be.
  const bool needed =
      pod == nullptr || pod->phase == Phase::pending || !has_its_claims(*m.facts->set, *pod, place->ordinal);
  return Judgement::of(needed, [&] {
    return words("claim ", m.call->request.name, " was created for pod ", pod->meta.name, ", which runs already");
  });
}

Judgement claim_name_of_a_place(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  return Judgement::of(place_of_call(m).has_value(), [&] {
    return words("claim ", m.call->request.name, " is of no template and ordinal of ", m.facts->set->meta.name);
  });
}

Judgement claim_spec(const Moment& m) {
  const auto place = place_of_call(m);
  if (!place) return Judgement::not_applicable();
  return Judgement::of(same(m.call->request.claim().spec, place->from->spec), [&] {
    return words("claim ", m.call->request.name, " asks for something else than its template");
  });
}

Judgement claim_labels(const Moment& m) {
  const auto place = place_of_call(m);
  if (!place) return Judgement::not_applicable();
  const Claim& made = m.call->request.claim();
  const StringMap& selected = m.facts->set->spec->selector.match_labels;
  const auto lacks = [&](const Text& key, const Text& value) {
    return made.meta.labels == nullptr || !made.meta.labels->has(key, value);
  };
  for (const auto& [key, value] : selected)
    if (lacks(key, value))
      return Judgement::broken(words("claim ", made.meta.name, " lacks the selector's label ", key));
  for (const auto& [key, value] : place->from->labels)
    if (selected.find(key) == nullptr && lacks(key, value))
      return Judgement::broken(words("claim ", made.meta.name, " lacks its template's label ", key));
  if (made.meta.labels == nullptr) return Judgement::held();
  for (const auto& [key, value] : *made.meta.labels)
    if (!has_prefix(key) && selected.find(key) == nullptr && place->from->labels.find(key) == nullptr)
      return Judgement::broken(words("claim ", made.meta.name, " is given label ", key, ", which nobody asked for"));
  return Judgement::held();
}

Judgement claim_annotations(const Moment& m) {
  const auto place = place_of_call(m);
  if (!place) return Judgement::not_applicable();
  const Claim& made = m.call->request.claim();
  for (const auto& [key, value] : place->from->annotations)
    if (made.meta.annotations == nullptr || !made.meta.annotations->has(key, value))
      return Judgement::broken(words("claim ", made.meta.name, " lacks its template's annotation ", key));
  if (made.meta.annotations == nullptr) return Judgement::held();
  for (const auto& [key, value] : *made.meta.annotations)
    if ((!has_prefix(key) || is_of_the_set(m.facts->set->meta.annotations, key, value)) &&
        place->from->annotations.find(key) == nullptr)
      return Judgement::broken(
          words("claim ", made.meta.name, " is given annotation ", key, ", which nobody asked for"));
  return Judgement::held();
}

Judgement claim_owners_of_template(const Moment& m) {
  const auto place = place_of_call(m);
  if (!place || (!place->from->owners && !place->from->finalizers)) return Judgement::not_applicable();
  const ObjectMeta& made = m.call->request.claim().meta;
  const auto held = owners_of(made);
  for (const OwnerReference& owner : place->from->owners ? *place->from->owners : Owners{})
    if (std::ranges::find(held, owner) == held.end())
      return Judgement::broken(words("claim ", made.name, " lacks its template's owner ", owner.kind, " ", owner.name));
  for (const Text& finalizer : place->from->finalizers ? *place->from->finalizers : std::vector<Text>{})
    if (!made.has_finalizer(finalizer))
      return Judgement::broken(words("claim ", made.name, " lacks its template's finalizer ", finalizer));
  return Judgement::held();
}

Judgement new_claim_owners(const Moment& m) {
  const auto place = place_of_call(m);
  if (!place || !m.facts->in_range(place->ordinal)) return Judgement::not_applicable();
  const auto wanted = owners_wanted(*m.facts, place->ordinal);
  for (const OwnerReference& owner : owners_of(m.call->request.claim().meta))
    if (!is_of_template(*place->from, owner) &&
        (!wanted->names_set(owner) || owner.uid != wanted->set || !wanted->wants_set()))
      return Judgement::broken(words("claim ", m.call->request.name, " was created with owner ", owner.kind, " ",
                                     owner.name, ", which the retention policy does not ask for"));
  return Judgement::held();
}

}  // namespace ordeal::properties::storage
