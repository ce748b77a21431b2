#include "properties/invariants/storage.h"

#include <algorithm>

#include "core/api/names.h"
#include "properties/invariants/at_rest.h"
#include "properties/invariants/claims.h"
#include "properties/invariants/history.h"
#include "properties/invariants/lookup.h"
#include "properties/invariants/removal.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::storage {
namespace {

bool has_claims(const Facts& facts) { return facts.set != nullptr && !facts.set->spec->claim_templates.empty(); }
bool deletes_scaled(const Facts& facts) {
  return has_claims(facts) && policy_of(*facts.set).when_scaled == Retention::remove;
}

/// Calls `see(claim template, claim name)` for each claim of a member of the set.
template <class See>
void each_claim(const StatefulSet& set, Ordinal ordinal, See see) {
  for (const ClaimTemplate& from : set.spec->claim_templates) see(from, claim_name(from.name, set.meta.name, ordinal));
}

/// Looks for a claim call that succeeded, the latest first: a pod's claims are written right before it.
bool was_done(std::span<const Call> calls, Verb verb, const Text& name) {
  return std::any_of(calls.rbegin(), calls.rend(), [&](const Call& call) {
    return call.is(verb, Kind::claim) && call.request.name == name && !call.failed();
  });
}

/// Finds calls that are expected in about the order they are asked for: each search goes on where the last one ended.
class CallFinder {
 public:
  explicit CallFinder(std::span<const Call> calls) : calls_(calls) {}
  bool updated_claim(std::span<const Call> before, const Text& name) {
    for (std::size_t tried = 0; tried < before.size(); ++tried, ++next_) {
      const Call& call = calls_[next_ % before.size()];
      if (call.is(Verb::update, Kind::claim) && call.request.name == name && !call.failed()) return true;
    }
    return false;
  }

 private:
  std::span<const Call> calls_;
  std::size_t next_ = 0;
};

/// The pod being created, as a member of the set whose claims matter; nothing when it needs none.
std::optional<Ordinal> member_with_claims(const Moment& m) {
  if (!has_claims(*m.facts)) return std::nullopt;
  const auto [parent, ordinal] = parse_member(m.call->request.name);
  if (ordinal == Ordinal::none || parent != m.facts->set->meta.name.view()) return std::nullopt;
  return ordinal;
}

std::optional<ClaimPlace> place_of_call(const Moment& m) {
  return m.facts->set == nullptr ? std::nullopt : place_of_claim(*m.facts->set, m.call->request.name);
}

/// The claim a PUT is about as the controller was shown it, and whose it should be; nothing when that is not clear.
struct Put {
  const Claim* shown = nullptr;
  ClaimOwners owners;
};
std::optional<Put> put_of(const Moment& m) {
  const auto place = place_of_call(m);
  const Claim* shown = m.sync->seen.claims.find(m.call->request.name);
  if (!place || shown == nullptr || m.facts->irregular) return std::nullopt;
  auto owners = owners_wanted(*m.facts, place->ordinal);
  if (!owners) return std::nullopt;
  return Put{shown, std::move(*owners)};
}

/// "StatefulSet web (controller), Pod web-0", or "nobody".
std::string owners_text(const Claim& claim) {
  std::string text;
  for (const OwnerReference& owner : owners_of(claim.meta))
    text += words(text.empty() ? "" : ", ", owner.kind, " ", owner.name, owner.controller ? " (controller)" : "");
  return text.empty() ? "nobody" : text;
}

/// The claims of a condemned pod that neither are right as shown nor were put right by `before`; the first of them.
Text unmarked_claim(const Moment& m, const Pod& pod, std::span<const Call> before, CallFinder& finder) {
  const Ordinal ordinal = parse_member(pod.meta.name).ordinal;
  auto owners = owners_wanted(*m.facts, ordinal);
  owners->pod = pod.meta.uid;
  owners->pod_name = pod.meta.name;
  Text unmarked;
  each_claim(*m.facts->set, ordinal, [&](const ClaimTemplate&, const Text& name) {
    const Claim* claim = m.sync->seen.claims.find(name);
    if (!unmarked.empty() || claim == nullptr || owners->are_right(*claim)) return;
    if (!finder.updated_claim(before, name)) unmarked = name;
  });
  return unmarked;
}

/// The first claim of a pod in range that is collected when this pod is gone, and was not freed by `before`.
Text claim_that_goes_with(const Moment& m, const Slot& slot, std::span<const Call> before, CallFinder& finder) {
  const auto wanted = owners_wanted(*m.facts, slot.ordinal);
  Text goes;
  each_claim(*m.facts->set, slot.ordinal, [&](const ClaimTemplate&, const Text& name) {
    const Claim* claim = m.sync->seen.claims.find(name);
    if (!goes.empty() || claim == nullptr || claim->meta.terminating() || finder.updated_claim(before, name)) return;
    const auto is_the_pods = [&](const OwnerReference& owner) { return owner.uid == slot.pod->meta.uid; };
    if (!wanted->belongs_to_earlier(*claim) && std::ranges::any_of(owners_of(claim->meta), is_the_pods)) goes = name;
  });
  return goes;
}

bool settled(const Moment& m) {
  return m.facts != nullptr && has_claims(*m.facts) && is_regular(*m.facts) && m.history.came_to_rest;
}
/// Every pod of the range is there and healthy: no claim is out of the controller's reach.
bool all_healthy(const Facts& facts) {
  return std::ranges::all_of(facts.slots, [&](const Slot& slot) { return slot.pod != nullptr && facts.healthy(*slot.pod); });
}

// --- what became of a set, from the log --------------------------------------------------------------------------------

bool covers(const StatefulSet& set, Ordinal ordinal) {
  const std::int64_t index = std::int64_t{number(ordinal)} - set.spec->ordinals_start.value_or(0);
  return index >= 0 && index < set.spec->replicas.value_or(1);
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

/// A set or a pod that there is or was, and not one that somebody only wrote down.
bool ever_existed(const Cluster& truth, const OwnerReference& owner) {
  const auto was_it = [&](const auto& change) { return change.object().meta.uid == owner.uid; };
  if (refers_to_set(owner)) return std::ranges::any_of(truth.sets().log(), was_it);
  return refers_to_pod(owner) && std::ranges::any_of(truth.pods().log(), was_it);
}

/// The commit since which the ordinal has been outside the set's range, with whenScaled Delete all the time since.
/// Nothing when it was never inside, is not outside now, or the policy was another meanwhile.
std::optional<Version> scaled_down_since(const Cluster& truth, const StatefulSet& set, Ordinal ordinal) {
  std::optional<Version> since;
  bool inside = false, deletes = true;
  for (const Change<StatefulSet>& change : truth.sets().log()) {
    if (change.after == nullptr || change.after->meta.uid != set.meta.uid) continue;
    const bool covered = covers(*change.after, ordinal);
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
           controlled_by(change.before->meta, set) && takes_away(change);
  });
}

/// Of the claims of a pod that is created none is, as the controller was shown it, such a `bad` one.
template <class Bad>
Judgement no_pod_on_claim_that(const Moment& m, std::string_view how, Bad bad) {
  const auto ordinal = member_with_claims(m);
  if (!ordinal) return Judgement::not_applicable();
  Text found;
  each_claim(*m.facts->set, *ordinal, [&](const ClaimTemplate&, const Text& name) {
    const Claim* claim = m.sync->seen.claims.find(name);
    if (claim != nullptr && bad(*claim)) found = name;
  });
  return Judgement::of(found.empty(), [&] {
    return words("pod ", m.call->request.name, " was created while its claim ", found, " ", how);
  });
}

}  // namespace

// --- a pod and its claims ----------------------------------------------------------------------------------------------

Judgement claims_before_pod(const Moment& m) {
  const auto ordinal = member_with_claims(m);
  if (!ordinal) return Judgement::not_applicable();
  Text missing;
  each_claim(*m.facts->set, *ordinal, [&](const ClaimTemplate&, const Text& name) {
    const bool known = m.sync->seen.claims.find(name) != nullptr || was_done(calls_before(m), Verb::create, name) ||
                       was_done(calls_before(m), Verb::get, name);
    if (!known) missing = name;
  });
  return Judgement::of(missing.empty(), [&] {
    return words("pod ", m.call->request.name, " was created before its claim ", missing);
  });
}

Judgement no_pod_on_dying_claim(const Moment& m) {
  return no_pod_on_claim_that(m, "is being deleted", [](const Claim& claim) { return claim.meta.terminating(); });
}

Judgement no_pod_on_stale_claim(const Moment& m) {
  if (!deletes_scaled(*m.facts)) return Judgement::not_applicable();
  return no_pod_on_claim_that(m, "belongs to an earlier one", [&](const Claim& claim) {
    return std::ranges::any_of(owners_of(claim.meta), [&](const OwnerReference& owner) {
      return refers_to_pod(owner) && owner.name == m.call->request.name;
    });
  });
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

/// A turn comes to this pod and puts it right: an OrderedReady set waits for one that is not healthy, unless it is pending.
bool is_tended(const Facts& facts, const Pod& pod) {
  if (pod.phase == Phase::pending) return true;
  return !Facts::terminal(pod) && !pod.meta.terminating() && (!facts.ordered || facts.surely_healthy(pod));
}

/// Places that a turn comes to: an OrderedReady set ends at the first whose pod is not healthy.
std::size_t places_reached(const Facts& facts) {
  if (!facts.ordered) return facts.slots.size();
  const auto waits = [&](const Slot& slot) { return slot.pod == nullptr || !facts.surely_healthy(*slot.pod); };
  const auto last = std::ranges::find_if(facts.slots, waits) - facts.slots.begin();
  return std::min(static_cast<std::size_t>(last) + 1, facts.slots.size());
}

/// The turn may be judged by what it did for the claims of pods that are there: replacing a pod may end it.
bool tends_claims(const Facts& facts) {
  return has_claims(facts) && is_regular(facts) && !facts.recreating() && facts.removals.empty();
}

/// The pod of a claim's place, where a turn comes to it; null otherwise.
const Pod* tended_pod(const Facts& facts, const ClaimPlace& place, std::size_t reached) {
  if (!facts.in_range(place.ordinal)) return nullptr;
  const auto index = static_cast<std::size_t>(number(place.ordinal) - facts.start);
  const Pod* pod = index < reached ? facts.slots[index].pod : nullptr;
  return pod != nullptr && is_tended(facts, *pod) ? pod : nullptr;
}

}  // namespace

Judgement pending_pod_gets_claims(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!tends_claims(facts)) return Judgement::not_applicable();
  bool applied = false;
  for (const Slot& slot : std::span(facts.slots).first(places_reached(facts))) {
    if (slot.pod == nullptr || slot.pod->phase != Phase::pending || slot.pod->meta.terminating()) continue;
    Text missing;
    each_claim(*facts.set, slot.ordinal, [&](const ClaimTemplate&, const Text& name) {
      if (m.sync->seen.claims.find(name) != nullptr) return;
      applied = true;
      if (!was_done(m.sync->calls, Verb::create, name)) missing = name;
    });
    if (!missing.empty() && ran_cleanly(*m.sync))
      return Judgement::broken(words("pod ", slot.pod->meta.name, " is pending, and claim ", missing, " is missing and was not created"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement claims_follow_policy(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!tends_claims(facts)) return Judgement::not_applicable();
  const std::size_t reached = places_reached(facts);
  bool applied = false;
  for (const Claim* claim : m.sync->seen.claims.all) {
    const auto place = place_of_claim(*facts.set, claim->meta.name.view());
    const Pod* pod = place ? tended_pod(facts, *place, reached) : nullptr;
    if (pod == nullptr || owners_wanted(facts, place->ordinal)->are_right(*claim)) continue;
    applied = true;
    if (!was_done(m.sync->calls, Verb::update, claim->meta.name) && ran_cleanly(*m.sync))
      return Judgement::broken(words("pod ", pod->meta.name, " is there, and its claim ", claim->meta.name,
                                     " was not given the owners that the retention policy asks for"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

// --- making claims -----------------------------------------------------------------------------------------------------

Judgement never_deletes_claims(const Moment& m) {
  if (!has_claims(*m.facts)) return Judgement::not_applicable();
  for (const Call& call : m.sync->calls)
    if (call.is(Verb::remove, Kind::claim))
      return Judgement::broken(words("the controller deleted claim ", call.request.name));
  return Judgement::held();
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
  const Pod* pod = pod_at(*m.facts, place->ordinal);
  // A pod that lacks one of its volumes is repaired whole: all its claims are made, if need be.
  const bool needed = pod == nullptr || pod->phase == Phase::pending || !has_its_claims(*m.facts->set, *pod, place->ordinal);
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
  if (!place || place->from->annotations.empty()) return Judgement::not_applicable();
  const Claim& made = m.call->request.claim();
  for (const auto& [key, value] : place->from->annotations)
    if (made.meta.annotations == nullptr || !made.meta.annotations->has(key, value))
      return Judgement::broken(words("claim ", made.meta.name, " lacks its template's annotation ", key));
  return Judgement::held();
}

Judgement new_claim_owners(const Moment& m) {
  const auto place = place_of_call(m);
  if (!place || !m.facts->in_range(place->ordinal)) return Judgement::not_applicable();
  const auto wanted = owners_wanted(*m.facts, place->ordinal);
  for (const OwnerReference& owner : owners_of(m.call->request.claim().meta))
    if (!wanted->names_set(owner) || owner.uid != wanted->set || !wanted->wants_set())
      return Judgement::broken(words("claim ", m.call->request.name, " was created with owner ", owner.kind, " ",
                                     owner.name, ", which the retention policy does not ask for"));
  return Judgement::held();
}

// --- owners ------------------------------------------------------------------------------------------------------------

Judgement update_changes_owners_only(const Moment& m) {
  const Claim* shown = m.sync->seen.claims.find(m.call->request.name);
  if (shown == nullptr) return Judgement::not_applicable();
  const Claim& sent = m.call->request.claim();
  const bool fine = same(shown->spec, sent.spec) && alike(shown->meta.labels, sent.meta.labels) &&
                    alike(shown->meta.annotations, sent.meta.annotations) &&
                    same(shown->meta.finalizers, sent.meta.finalizers);
  return Judgement::of(fine, [&] { return words("the update of claim ", m.call->request.name, " changes more than owners"); });
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
  return Judgement::of(std::find_if(kept, after.end(), is_foreign) == after.end(), [&] {
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
  const bool fine = others == 0 && ((may_add && all) || (!must_add && sets + pods == 0));
  return Judgement::of(fine, [&] {
    return words("claim ", m.call->request.name, wanted.in_range ? " of a pod in range" : " of a condemned pod",
                 " was given ", sets, " references to the set, ", pods, " to the pod and ", others, " to earlier ones");
  });
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
  for (const OwnerReference& owner : owners_of(after->meta)) {
    if (ever_existed(m.truth, owner) && std::ranges::find(owners_of(before->meta), owner) == owners_of(before->meta).end())
      return Judgement::broken(words("claim ", after->meta.name, " of a foreign controller was given the owner ",
                                     owner.kind, " ", owner.name));
  }
  return Judgement::held();
}

Judgement marked_before_scale_down(const Moment& m) {
  if (!deletes_scaled(*m.facts) || m.facts->irregular) return Judgement::not_applicable();
  bool applied = false;
  CallFinder finder(m.sync->calls);
  for (const Call& call : m.sync->calls) {
    if (!call.is(Verb::remove, Kind::pod)) continue;
    const Removed removed = removed_by(m, call);
    if (removed.why != Removal::condemned) continue;
    applied = true;
    const auto before = m.sync->calls.first(static_cast<std::size_t>(&call - m.sync->calls.data()));
    if (const Text claim = unmarked_claim(m, *removed.pod, before, finder); !claim.empty())
      return Judgement::broken(words("pod ", call.request.name, " was scaled down before its claim ", claim, " was its own"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement freed_before_replaced(const Moment& m) {
  if (!has_claims(*m.facts) || m.facts->irregular) return Judgement::not_applicable();
  bool applied = false;
  CallFinder finder(m.sync->calls);
  for (const Call& call : m.sync->calls) {
    const auto slot = std::ranges::find_if(m.facts->slots, [&](const Slot& s) { return s.pod != nullptr && s.pod->meta.name == call.request.name; });
    if (!call.is(Verb::remove, Kind::pod) || slot == m.facts->slots.end()) continue;
    applied = true;
    const auto before = m.sync->calls.first(static_cast<std::size_t>(&call - m.sync->calls.data()));
    if (const Text claim = claim_that_goes_with(m, *slot, before, finder); !claim.empty())
      return Judgement::broken(words("pod ", call.request.name, " was replaced while its claim ", claim, " was to go with it"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement all_marked_before_first(const Moment& m) {
  if (!has_claims(*m.facts) || m.facts->irregular || m.facts->condemned.empty()) return Judgement::not_applicable();
  const auto first = std::ranges::find_if(m.sync->calls, [&](const Call& call) {
    return call.is(Verb::remove, Kind::pod) && removed_by(m, call).why == Removal::condemned;
  });
  if (first == m.sync->calls.end()) return Judgement::not_applicable();
  const auto before = m.sync->calls.first(static_cast<std::size_t>(first - m.sync->calls.begin()));
  CallFinder finder(m.sync->calls);
  for (const Pod* pod : m.facts->condemned)
    if (const Text claim = unmarked_claim(m, *pod, before, finder); !claim.empty())
      return Judgement::broken(words("pod ", first->request.name, " was scaled down before claim ", claim, " had the owners that the policy asks for"));
  return Judgement::held();
}

// --- what becomes of them ----------------------------------------------------------------------------------------------

Judgement retain_never_collects(const Moment& m) {
  const auto& [before, after, version] = *m.claim_change;
  if (before == nullptr || after != nullptr) return Judgement::not_applicable();
  const StatefulSet* set = set_of_claim(m.truth, before->meta.name);
  if (set == nullptr) return Judgement::not_applicable();
  const auto retains = [](const StatefulSet& s) { return policy_of(s) == RetentionPolicy{}; };
  if (!always(m.truth, set->meta.name, retains)) return Judgement::not_applicable();
  for (const OwnerReference& owner : owners_of(before->meta))
    if (ever_existed(m.truth, owner) &&
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
  if (!always(m.truth, set->meta.name, [&](const StatefulSet& s) { return covers(s, ordinal); }))
    return Judgement::not_applicable();
  for (const OwnerReference& owner : owners_of(before->meta))
    if (refers_to_pod(owner) && ever_existed(m.truth, owner))
      return Judgement::broken(words("claim ", before->meta.name, " went with pod ", owner.name,
                                     ", which was never scaled down"));
  return Judgement::held();
}

Judgement claims_at_rest(const Moment& m) {
  // A later set of the name may start on claims that leave with the earlier one. So may a pod that was created from a view
  // in which its claim was not leaving yet: the claim is kept for as long as the pod uses it.
  if (!settled(m) || m.history.interfered || m.history.set_recreated) return Judgement::not_applicable();
  for (const Slot& slot : m.facts->slots) {
    Text missing;
    if (slot.pod == nullptr) continue;
    each_claim(*m.facts->set, slot.ordinal, [&](const ClaimTemplate&, const Text& name) {
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
  if (m.facts == nullptr || !has_claims(*m.facts) || !is_regular(*m.facts)) return Judgement::not_applicable();
  for (const Slot& slot : m.facts->slots) {
    const bool is_there = slot.pod != nullptr && !slot.pod->meta.terminating();
    // An ordered controller looks no further than to the first pod that is not well.
    if (m.facts->ordered && (!is_there || !m.facts->surely_healthy(*slot.pod))) break;
    if (!is_there || has_its_claims(*m.facts->set, *slot.pod, slot.ordinal)) continue;
    return Judgement::of(!m.history.came_to_rest, [&] {
      return words("nobody minds that pod ", slot.pod->meta.name, " lacks the volumes of its claims");
    });
  }
  return Judgement::not_applicable();
}

Judgement owners_at_rest(const Moment& m) {
  if (!settled(m) || !all_healthy(*m.facts)) return Judgement::not_applicable();
  for (const Slot& slot : m.facts->slots) {
    const auto wanted = owners_wanted(*m.facts, slot.ordinal);
    const Claim* wrong = nullptr;
    each_claim(*m.facts->set, slot.ordinal, [&](const ClaimTemplate&, const Text& name) {
      const Claim* claim = m.truth.claims().find(name);
      if (claim != nullptr && !claim->meta.terminating() && !wanted->are_right(*claim)) wrong = claim;
    });
    if (wrong != nullptr)
      return Judgement::broken(words("the owners of claim ", wrong->meta.name, " are not what the retention policy says, but ", owners_text(*wrong)));
  }
  return Judgement::held();
}

Judgement deleted_sets_claims_go(const Moment& m) {
  if (!m.history.came_to_rest || m.history.interfered || m.facts == nullptr || m.facts->set != nullptr) return Judgement::not_applicable();
  const auto log = m.truth.sets().log();
  if (log.empty()) return Judgement::not_applicable();
  const StatefulSet& last = log.back().object();
  const auto deletes = [](const StatefulSet& s) { return policy_of(s).when_deleted == Retention::remove; };
  const auto orphans = [](const StatefulSet& s) {
    return s.meta.finalizers && std::ranges::find(*s.meta.finalizers, finalizer_orphan) != s.meta.finalizers->end();
  };
  if (!always(m.truth, last.meta.name, [&](const StatefulSet& s) { return deletes(s) && !orphans(s); })) return Judgement::not_applicable();
  for (const Claim* claim : m.truth.claims().live().all())
    if (place_of_claim(last, claim->meta.name))
      return Judgement::broken(words("claim ", claim->meta.name, " is still there though its set is gone"));
  return Judgement::held();
}

Judgement scaled_down_claims_go(const Moment& m) {
  if (!settled(m) || !deletes_scaled(*m.facts)) return Judgement::not_applicable();
  if (m.history.interfered || m.history.was_stale || m.history.had_faults || m.history.force_deleted)
    return Judgement::not_applicable();
  const StatefulSet& set = *m.facts->set;
  for (const Claim* claim : m.truth.claims().live().all()) {
    const auto place = place_of_claim(set, claim->meta.name);
    if (!place || m.facts->in_range(place->ordinal)) continue;
    const auto since = scaled_down_since(m.truth, set, place->ordinal);
    if (since && taken_away_since(m.truth, pod_name(set.meta.name, place->ordinal), set.meta.uid, *since))
      return Judgement::broken(words("claim ", claim->meta.name, " is still there though its pod was scaled down"));
  }
  return Judgement::held();
}

}  // namespace ordeal::properties::storage
