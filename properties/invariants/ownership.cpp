#include "properties/invariants/ownership.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <vector>

#include "core/api/names.h"
#include "properties/evidence/at_rest.h"
#include "properties/evidence/before.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/turn.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::ownership {
namespace {

/// The pod a call is about, as shown; null when the view has none of that name or there is no set to speak of.
const Pod* shown_pod(const Moment& m) {
  return m.facts->set == nullptr ? nullptr : m.sync->seen.pods.find(m.call->request.name);
}
bool adopts(const Moment& m) { return m.facts->set != nullptr && m.call->request.owner_patch().add.has_value(); }
bool releases(const Moment& m) { return m.facts->set != nullptr && m.call->request.owner_patch().remove.has_value(); }

/// The pod as a write of it is meant for: as it was read since where an update says so, and as shown else.
const Pod* written_upon(const Moment& m, const Pod& shown) {
  const Request& request = m.call->request;
  const Pod* read = as_known<Pod>(*m.sync, calls_before(m), shown.meta.name, shown.meta.uid);
  const bool is_meant =
      read != nullptr && request.verb == Verb::update && request.pod().meta.version == read->meta.version;
  return is_meant ? read : &shown;
}

/// It makes the set the pod's controller, by adoption or by sending the pod back with other owners.
bool takes_over(const Moment& m) {
  if (m.facts->set == nullptr) return false;
  const Request& request = m.call->request;
  return request.verb == Verb::update ? request.pod().meta.controlled_by(m.facts->set->meta.uid) : adopts(m);
}

/// The set selects the pod and the pod's name says it is a member.
bool fits(const StatefulSet& set, const Pod& pod) {
  return set.spec->selector.matches(pod.meta.labels.get()) &&
         parse_member(pod.meta.name).parent == set.meta.name.view();
}

/// The pod has a name the set would give. Whether others ("web-01") are members is a matter of taste.
bool bears_a_name_of(const StatefulSet& set, const Pod& pod) {
  return parse_member(pod.meta.name).parent == set.meta.name.view() && is_given_name(pod.meta.name);
}

/// The call got an answer from the API server itself that the set is there, is the same, and is not going away.
bool confirms(const Call& call, Uid set) {
  if (!call.is(Verb::get, Kind::set) || call.request.may_be_old || call.failed()) return false;
  const StatefulSet* live = call.reply.as<StatefulSet>();
  return live != nullptr && live->meta.uid == set && !live->meta.terminating();
}

/// The set that owns it, where that is another one than the turn is for, and there.
const OwnerReference* other_set_of(const Moment& m, const ObjectMeta& meta) {
  for (const OwnerReference& owner : owners_of(meta)) {
    if (!refers_to_set(owner) || owner.name == m.sync->key.name) continue;
    const StatefulSet* other = m.truth.sets().find(owner.name);
    if (other != nullptr && other->meta.uid == owner.uid) return &owner;
  }
  return nullptr;
}

/// Whose the thing is that a request is about, by what is stored and by what the request says; empty when it is no
/// other set's.
Text other_set_in(const Moment& m, const Call& call) {
  const Request& request = call.request;
  if (request.kind == Kind::set) return request.name == m.sync->key.name ? Text() : request.name;
  const bool makes = request.verb == Verb::create;  // where the name is taken nothing happens to what bears it
  const auto owner_of = [&](const auto* before) {
    const auto* sent = std::get_if<std::remove_cvref_t<decltype(*before)>>(&request.body);
    const OwnerReference* owner = before != nullptr && !makes ? other_set_of(m, before->meta) : nullptr;
    return owner == nullptr && sent != nullptr ? other_set_of(m, sent->meta) : owner;
  };
  for (const OwnerReference* owner :
       {owner_of(call.pod_before), owner_of(call.claim_before), owner_of(call.revision_before)})
    if (owner != nullptr) return owner->name;
  return {};
}

}  // namespace

// --- pods --------------------------------------------------------------------------------------------------------------

Judgement foreign_pods_untouched(const Moment& m) {
  const Pod* shown = shown_pod(m);
  if (shown == nullptr || made_before(m)) return Judgement::not_applicable();
  if (m.call->lets_go) return Judgement::not_applicable();  // an earlier set's
  const Pod* pod = written_upon(m, *shown);
  const OwnerReference* holder = pod->meta.controller();
  return Judgement::of(holder == nullptr || holder->uid == m.facts->set->meta.uid, [&] {
    return words("pod ", pod->meta.name, " is controlled by ", holder->kind, " ", holder->name,
                 ", and the set asked to ", name_of(m.call->request.verb), " it");
  });
}

Judgement sets_apart(const Moment& m) {
  if (m.truth.sets().live().size() < 2) return Judgement::not_applicable();
  for (const Call& call : m.sync->calls) {
    if (!call.writes() || !call.fresh) continue;  // a cache may be late to tell whose it is by now
    if (const Text other = other_set_in(m, call); !other.empty())
      return Judgement::broken(words("in a turn for set ", m.sync->key.name, " there was a request to ", call.request,
                                     ", which is set ", other, "'s"));
  }
  return Judgement::held();
}

Judgement namespaces_apart(const Moment& m) {
  const auto stray =
      std::ranges::find_if(m.sync->calls, [](const Call& call) { return call.request.name.view().contains('/'); });
  return Judgement::of(stray == m.sync->calls.end(), [&] {
    return words("in a turn for set ", m.sync->key.name, " there was a request to ", stray->request,
                 ", in another namespace");
  });
}

Judgement orphan_adopted_first(const Moment& m) {
  const Pod* pod = shown_pod(m);
  if (pod == nullptr || pod->meta.controller() != nullptr) return Judgement::not_applicable();
  if (m.facts->irregular) return Judgement::not_applicable();  // the request may be meant to rename web-07
  if (m.call->lets_go) return Judgement::not_applicable();
  return Judgement::of(was_adopted(calls_before(m), Kind::pod, pod->meta.name, m.facts->set->meta.uid), [&] {
    return words("pod ", pod->meta.name, " belongs to nobody and was not adopted before the request to ",
                 name_of(m.call->request.verb), " it");
  });
}

Judgement adopts_only_matching(const Moment& m) {
  const Pod* pod = shown_pod(m);
  if (pod == nullptr || !adopts(m)) return Judgement::not_applicable();
  return Judgement::of(pod->meta.controller() == nullptr && fits(*m.facts->set, *pod), [&] {
    return words("pod ", pod->meta.name, " was adopted though it ",
                 pod->meta.controller() != nullptr ? "has a controller" : "does not fit the set");
  });
}

Judgement adopts_nothing_dying(const Moment& m) {
  const Pod* pod = shown_pod(m);
  if (pod == nullptr || !adopts(m)) return Judgement::not_applicable();
  return Judgement::of(!pod->meta.terminating() && !m.facts->deleting, [&] {
    return words("pod ", pod->meta.name, " was adopted though ", m.facts->deleting ? "the set" : "it",
                 " is being deleted");
  });
}

namespace {

bool names_as_controller(const OwnerReference& owner, const ObjectMeta& set) {
  return refers_to_set(owner) && owner.name == set.name && owner.uid == set.uid && owner.controller;
}

}  // namespace

Judgement adopts_in_its_own_name(const Moment& m) {
  if (!adopts(m)) return Judgement::not_applicable();
  const OwnerReference& added = *m.call->request.owner_patch().add;
  return Judgement::of(names_as_controller(added, m.facts->set->meta) && added.block_owner_deletion, [&] {
    return words(m.call->request.name, " was adopted in the name of ", added.api_version, " ", added.kind, " ",
                 added.name, added.controller ? "" : ", not as controller",
                 added.block_owner_deletion ? "" : ", and not so that it is waited for");
  });
}

Judgement confirms_before_adopting(const Moment& m) {
  if (!adopts(m)) return Judgement::not_applicable();
  const Uid set = m.call->request.owner_patch().add->uid;
  const bool asked = std::ranges::any_of(calls_before(m), [&](const Call& call) { return confirms(call, set); });
  return Judgement::of(asked, [&] {
    return words(m.call->request.name, " was adopted without asking whether ", m.facts->set->meta.name, " still lives");
  });
}

Judgement names_the_incarnation(const Moment& m) {
  const Request& request = m.call->request;
  const Pod* pod = request.kind == Kind::pod ? shown_pod(m) : nullptr;
  const Revision* revision = request.kind == Kind::revision ? m.sync->seen.revisions.find(request.name) : nullptr;
  const bool came_to_nothing = !request.owner_patch().add && !request.owner_patch().remove;
  if ((pod == nullptr && revision == nullptr) || came_to_nothing) return Judgement::not_applicable();
  const Uid seen = pod != nullptr ? pod->meta.uid : revision->meta.uid;
  return Judgement::of(request.owner_patch().object_uid == seen, [&] {
    return words("the owners of ", name_of(request.kind), " ", request.name,
                 " were patched without naming the UID of the one that was seen");
  });
}

Judgement stops_without_its_set(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const auto learnt = std::ranges::find_if(m.sync->calls, [&](const Call& call) {
    if (!call.is(Verb::get, Kind::set)) return false;
    const StatefulSet* live = call.reply.as<StatefulSet>();
    if (call.failed()) return call.reply.code == Code::not_found;
    return live != nullptr && (live->meta.uid != m.facts->set->meta.uid || live->meta.terminating());
  });
  if (learnt == m.sync->calls.end()) return Judgement::not_applicable();
  const StatefulSet* live = learnt->reply.as<StatefulSet>();
  const bool is_still_there = live != nullptr && live->meta.uid == m.facts->set->meta.uid;  // and may have a status
  for (const Call& call : std::ranges::subrange(learnt, m.sync->calls.end()))
    if (call.writes() && call.request.verb != Verb::patch_owners && !(is_still_there && call.writes_status()))
      return Judgement::broken(
          words("the set was gone, going or another one by then, and still there came a request to ", call.request));
  return Judgement::held();
}

Judgement never_steals(const Moment& m) {
  if (!takes_over(m) || !m.call->committed || m.call->pod_before == nullptr) return Judgement::not_applicable();
  const OwnerReference* holder = m.call->pod_before->meta.controller();
  return Judgement::of(holder == nullptr || holder->uid == m.facts->set->meta.uid, [&] {
    return words("pod ", m.call->request.name, " was taken from ", holder->kind, " ", holder->name);
  });
}

Judgement releases_only_mismatched(const Moment& m) {
  const Pod* pod = shown_pod(m);
  if (pod == nullptr || !releases(m)) return Judgement::not_applicable();
  const bool ours = pod->meta.controlled_by(m.facts->set->meta.uid);
  const bool fit = fits(*m.facts->set, *pod) && bears_a_name_of(*m.facts->set, *pod);
  return Judgement::of(ours && !fit, [&] {
    return words("pod ", pod->meta.name, " was released though it ", ours ? "fits the set" : "is not the set's");
  });
}

Judgement releases_only_itself(const Moment& m) {
  if (!releases(m)) return Judgement::not_applicable();
  const Uid removed = *m.call->request.owner_patch().remove;
  if (removed == Uid::none) return Judgement::not_applicable();  // nothing: it was released before
  return Judgement::of(removed == m.facts->set->meta.uid, [&] {
    return words("the release of pod ", m.call->request.name, " takes away a reference that is not the set's");
  });
}

Judgement one_controller(const Moment& m) {
  const Request& request = m.call->request;
  const auto controllers = std::ranges::count_if(owners_of(meta_of(request)), [&](const OwnerReference& owner) {
    return owner.controller && !was_met_unseen(m.sync->seen, *m.call, owner);
  });
  return Judgement::of(controllers <= 1,
                       [&] { return words("the request to ", request, " gives it ", controllers, " controllers"); });
}

/// A reference to another set of the name is no longer anybody's.
Judgement other_owners_kept(const Moment& m) {
  const ObjectMeta* stored = meta_stored_before(*m.call);
  if (stored == nullptr) return Judgement::not_applicable();
  bool any = false;
  for (const OwnerReference& owner : owners_of(*stored)) {
    if (owner.controller || (refers_to_set(owner) && owner.name == m.sync->key.name)) continue;
    any = true;
    if (drops_owner(m.sync->seen, *m.call, owner))
      return Judgement::broken(words("the update of ", name_of(m.call->request.kind), " ", m.call->request.name,
                                     " takes away its owner ", owner.kind, " ", owner.name));
  }
  return any ? Judgement::held() : Judgement::not_applicable();
}

// --- at once -----------------------------------------------------------------------------------------------------------

namespace {

/// The turn asked for other owners of this pod, by a patch or by an update.
bool changes_owners(const Sync& sync, const Pod& pod) {
  return std::ranges::any_of(sync.calls, [&](const Call& call) {
    return (call.is(Verb::patch_owners, Kind::pod) || call.is(Verb::update, Kind::pod)) &&
           call.request.name == pod.meta.name;
  });
}

/// Of these pods the turn saw to one at least: what it did makes another turn.
Judgement one_is_seen_to(const Moment& m, std::span<const Pod* const> pods, std::string_view what) {
  if (pods.empty() || !m.facts->clean) return Judgement::not_applicable();
  const bool any = std::ranges::any_of(pods, [&](const Pod* pod) { return changes_owners(*m.sync, *pod); });
  return Judgement::of(any, [&] { return words("pod ", pods.front()->meta.name, what); });
}

/// Pods that a turn is to adopt.
std::vector<const Pod*> fitting_orphans(const Facts& facts) {
  std::vector<const Pod*> fitting;
  for (const Pod* orphan : facts.orphans)
    if (bears_a_name_of(*facts.set, *orphan)) fitting.push_back(orphan);
  return fitting;
}

/// Pods that it is to release.
std::vector<const Pod*> misfits(const Moment& m) {
  const Facts& facts = *m.facts;
  std::vector<const Pod*> mismatched;
  auto claimed = facts.claimed.begin();  // which fit, and stand in the same order: most turns have no others
  for (const Pod* pod : m.sync->seen.pods.all) {
    if (claimed != facts.claimed.end() && *claimed == pod) ++claimed;
    else if (pod->meta.controlled_by(facts.set->meta.uid) && !fits(*facts.set, *pod)) mismatched.push_back(pod);
  }
  return mismatched;
}

bool is_refused(const Call& call) {
  return call.is(Verb::patch_owners, Kind::pod) && call.failed() && call.reply.code != Code::not_found;
}

}  // namespace

Judgement adopted_at_once(const Moment& m) {
  return one_is_seen_to(m, fitting_orphans(*m.facts), " fits the set and belongs to nobody, and was not adopted");
}

Judgement released_at_once(const Moment& m) {
  if (m.facts->set == nullptr || m.facts->deleting) return Judgement::not_applicable();
  return one_is_seen_to(m, misfits(m), " does not fit the set any more, and was not released");
}

Judgement refusal_holds_up_no_other(const Moment& m) {
  const Sync& sync = *m.sync;
  const auto refused = std::ranges::find_if(sync.calls, is_refused);
  if (refused == sync.calls.end() || sync.died || goes_on(sync) || m.facts->set == nullptr || m.facts->deleting)
    return Judgement::not_applicable();
  const bool asks_in_vain =
      std::ranges::any_of(sync.calls, [](const Call& call) { return call.is(Verb::get, Kind::set) && call.failed(); });
  if (asks_in_vain) return Judgement::not_applicable();
  std::vector<const Pod*> due = fitting_orphans(*m.facts);
  std::ranges::copy(misfits(m), std::back_inserter(due));
  if (due.size() < 2) return Judgement::not_applicable();
  const auto left = std::ranges::find_if_not(due, [&](const Pod* pod) { return changes_owners(sync, *pod); });
  return Judgement::of(left == due.end(), [&] {
    return words("pod ", (*left)->meta.name, " was to be adopted or released, and was not tried because pod ",
                 refused->request.name, " was refused");
  });
}

// --- revisions ---------------------------------------------------------------------------------------------------------

Judgement foreign_revisions_untouched(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const Revision* known = as_known<Revision>(*m.sync, calls_before(m), m.call->request.name, m.call->request.uid);
  if (known == nullptr) return Judgement::not_applicable();
  const Uid set = m.facts->set->meta.uid;
  const Revision* shown = m.sync->seen.revisions.find(known->meta.name);
  const bool was_ours = shown != nullptr && shown->meta.uid == known->meta.uid && shown->meta.controlled_by(set);
  const bool ours = known->meta.controlled_by(set) ||
                    (known->meta.controller() == nullptr &&  // adopted in this turn, or orphaned in it
                     (was_ours || was_adopted(calls_before(m), Kind::revision, known->meta.name, set)));
  return Judgement::of(ours, [&] {
    return words("revision ", known->meta.name, " is not the set's, and the set asked to ",
                 name_of(m.call->request.verb), " it");
  });
}

Judgement adopts_only_orphan_revisions(const Moment& m) {
  if (!adopts(m)) return Judgement::not_applicable();
  const Revision* held = m.sync->seen.revisions.find(m.call->request.name);
  if (held == nullptr) return Judgement::not_applicable();
  const bool fine = held->meta.controller() == nullptr && m.facts->set->spec->selector.matches(held->meta.labels.get());
  return Judgement::of(fine, [&] {
    return words("revision ", held->meta.name, " was adopted though it ",
                 held->meta.controller() != nullptr ? "has a controller" : "is not selected by the set");
  });
}

Judgement new_revision_is_owned(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const OwnerReference* owner = m.call->request.revision().meta.controller();
  return Judgement::of(
      owner != nullptr && names_as_controller(*owner, m.facts->set->meta) && owner->block_owner_deletion, [&] {
        return words("revision ", m.call->request.name,
                     " was created without the set as its controller, or not so that the set waits for it");
      });
}

Judgement no_owner_beside_the_set(const Moment& m) {
  const Request& request = m.call->request;
  const ObjectMeta& made = meta_of(request);
  if (m.facts->set == nullptr || owners_of(made).empty()) return Judgement::not_applicable();
  const auto other = std::ranges::find_if(
      owners_of(made), [&](const OwnerReference& owner) { return owner.uid != m.facts->set->meta.uid; });
  return Judgement::of(other == owners_of(made).end(), [&] {
    return words(name_of(request.kind), " ", request.name, " was created with ", other->kind, " ", other->name,
                 " as a further owner");
  });
}

// --- in the end --------------------------------------------------------------------------------------------------------

Judgement orphans_adopted_at_rest(const Moment& m) {
  if (!rests_and_stays(m)) return Judgement::not_applicable();
  for (const Pod* orphan : m.facts->orphans)
    if (bears_a_name_of(*m.facts->set, *orphan))
      return Judgement::broken(words("pod ", orphan->meta.name, " fits the set, belongs to nobody, and stays so"));
  return Judgement::held();
}

Judgement mismatched_released_at_rest(const Moment& m) {
  if (!rests_and_stays(m)) return Judgement::not_applicable();
  for (const Pod* pod : m.truth.pods().live().all())
    if (pod->meta.controlled_by(m.facts->set->meta.uid) && !fits(*m.facts->set, *pod))
      return Judgement::broken(words("pod ", pod->meta.name, " does not fit the set any more, by its ",
                                     m.facts->set->spec->selector.matches(pod->meta.labels.get()) ? "name" : "labels",
                                     ", and the set keeps it"));
  return Judgement::held();
}

Judgement revisions_adopted_at_rest(const Moment& m) {
  if (!rests_and_stays(m)) return Judgement::not_applicable();
  for (const Revision* held : m.facts->history)
    if (held->meta.controller() == nullptr)
      return Judgement::broken(words("revision ", held->meta.name, " fits the set, belongs to nobody, and stays so"));
  return Judgement::held();
}

}  // namespace ordeal::properties::ownership
