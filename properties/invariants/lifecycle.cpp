#include "properties/invariants/lifecycle.h"

#include <algorithm>

#include "properties/evidence/lookup.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::lifecycle {
namespace {

/// Holds when the sync of a set on its way out makes no call for which `forbidden`.
template <class Forbidden>
Judgement none_while_deleting(const Moment& m, Forbidden forbidden) {
  if (m.facts->set == nullptr || !m.facts->deleting) return Judgement::not_applicable();
  for (const Call& call : m.sync->calls)
    if (call.writes() && !call.lets_go && forbidden(call))
      return Judgement::broken(
          words("set ", m.facts->set->meta.name, " is being deleted, and its controller asked to ", call.request));
  return Judgement::held();
}
/// It was deleted in the foreground, and the collector was done with it. One that is deleted again, in the background,
/// goes at once, with the collector's finalizer still on it.
bool went_in_foreground(const Cluster& truth, const ObjectMeta& gone) {
  if (gone.has_finalizers()) return false;
  const auto log = truth.sets().log();
  for (auto change = log.rbegin(); change != log.rend(); ++change) {
    const StatefulSet* version = change->after;
    if (version != nullptr && version->meta.uid == gone.uid && version->meta.has_finalizers())
      return version->meta.has_finalizer(finalizer_foreground);
  }
  return false;
}

/// Whether the set controlled the object at that time; a turn that is under way may give it one more afterwards.
template <class T>
bool was_controlled(const Store<T>& store, Uid uid, Uid set, Version at) {
  const auto log = store.log();
  const auto last = std::find_if(log.rbegin(), log.rend(), [&](const Change<T>& change) {
    return change.version < at && change.object().meta.uid == uid;
  });
  return last != log.rend() && last->after != nullptr && last->after->meta.controlled_by(set);
}

/// The first live object that the set controls, and controlled when it went, or null. Claims may do without
/// blockOwnerDeletion, and then nothing waits for them (storage.owners-wait-for-their-claim, strict).
template <class T>
const ObjectMeta* first_left(const Store<T>& store, Uid set, Version went) {
  const auto is_waited_for = [](const T& held) {
    return !std::is_same_v<T, Claim> || held.meta.controller()->block_owner_deletion;
  };
  for (const T* held : store.live().all())
    if (held->meta.controlled_by(set) && is_waited_for(*held) && was_controlled(store, held->meta.uid, set, went))
      return &held->meta;
  return nullptr;
}

bool patches_owners(const Call& call) { return call.request.verb == Verb::patch_owners; }

/// An API server stores what metadata comes with a status. What is sent of a version that the set has no more is
/// refused.
bool changes_metadata(const Moment& m, const Call& call) {
  const Request& request = call.request;
  if (!request.meta || !call.committed || call.set_before == nullptr) return false;
  if (same_meta(*request.meta, call.set_before->meta)) return false;
  return m.facts->set == nullptr || !same_meta(*request.meta, m.facts->set->meta);
}

}  // namespace

Judgement deleting_leaves_pods(const Moment& m) {
  return none_while_deleting(m, [](const Call& c) { return c.request.kind == Kind::pod && !patches_owners(c); });
}
Judgement deleting_leaves_claims(const Moment& m) {
  return none_while_deleting(m, [](const Call& c) { return c.request.kind == Kind::claim; });
}
Judgement deleting_leaves_owners(const Moment& m) { return none_while_deleting(m, patches_owners); }
Judgement deleting_leaves_revisions(const Moment& m) {
  return none_while_deleting(m, [](const Call& c) { return c.request.kind == Kind::revision && !patches_owners(c); });
}

Judgement gone_means_nothing(const Moment& m) {
  if (m.facts->set != nullptr) return Judgement::not_applicable();
  for (const Call& call : m.sync->calls)
    if (call.writes() && !call.lets_go)
      return Judgement::broken(
          words("set ", m.sync->key.name, " is not there, and its controller asked to ", call.request));
  return Judgement::held();
}

Judgement set_untouched(const Moment& m) {
  for (const Call& call : m.sync->calls)
    if (changes_metadata(m, call))
      return Judgement::broken(words("with a status the controller changed the metadata of set ", call.request.name));
  for (const Call& call : m.sync->calls)
    if (call.request.kind == Kind::set && call.writes() && call.request.verb != Verb::update_status &&
        call.request.verb != Verb::patch)
      return Judgement::broken(
          words("the controller asked to ", name_of(call.request.verb), " set ", call.request.name));
  return Judgement::held();
}

Judgement only_its_own_status(const Moment& m) {
  return Judgement::of(m.call->request.name == m.sync->key.name, [&] {
    return words("a turn for ", m.sync->key.name, " wrote the status of ", m.call->request.name);
  });
}

Judgement status_of_the_same_set(const Moment& m) {
  if (m.facts->set == nullptr || !m.call->committed || m.call->set_before == nullptr)
    return Judgement::not_applicable();
  return Judgement::of(m.call->set_before->meta.uid == m.facts->set->meta.uid, [&] {
    return words("the status of an earlier ", m.call->request.name, " was written to the one that is there now");
  });
}

Judgement foreground_waits(const Moment& m) {
  const auto& [before, after, version] = *m.set_change;
  if (before == nullptr || after != nullptr || !went_in_foreground(m.truth, before->meta))
    return Judgement::not_applicable();
  const ObjectMeta* left = first_left(m.truth.pods(), before->meta.uid, version);
  if (left == nullptr) left = first_left(m.truth.claims(), before->meta.uid, version);
  if (left == nullptr) left = first_left(m.truth.revisions(), before->meta.uid, version);
  return Judgement::of(left == nullptr, [&] {
    return words("set ", before->meta.name, " was deleted in the foreground and went before ", left->name,
                 ", which it controls");
  });
}

}  // namespace ordeal::properties::lifecycle
