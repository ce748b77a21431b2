// Small questions about one sync that several families ask: what came before a call, and what the controller could
// know.
#pragma once

#include <algorithm>
#include <ranges>
#include <span>
#include <tuple>
#include <type_traits>

#include "core/api/names.h"
#include "properties/evidence/facts.h"
#include "properties/evidence/history.h"
#include "properties/evidence/moment.h"

namespace ordeal::properties {

/// However often a key has failed, its next turn comes within that: client-go's back-off per key.
inline constexpr Time longest_wait = Time::seconds(1000);

/// The turn before this one of the same process, which has not been started anew; null when there is none.
inline const Sync* last_turn(const Moment& m) {
  const Sync* last = m.history.last_sync;
  return last != nullptr && last->started == m.sync->started && !last->died ? last : nullptr;
}

/// It was shown the same as the turn before it of the same process, which was as content with it. What one reads may be
/// news to it, and none to the next.
inline bool saw_the_same_as_before(const Moment& m) {
  const Sync* last = last_turn(m);
  if (last == nullptr || (m.sync->has_read_news() && !last->read_news)) return false;
  return last->seen.reached == m.sync->seen.reached && last->clean;
}

/// The calls of the sync before this one of its.
inline std::span<const Call> calls_until(const Sync& sync, const Call& call) {
  return sync.calls.first(static_cast<std::size_t>(&call - sync.calls.data()));
}
/// Those before the first that is `so(call)`; all when none is.
template <class So>
std::span<const Call> calls_before_first(const Sync& sync, So so) {
  return sync.calls.first(static_cast<std::size_t>(std::ranges::find_if(sync.calls, so) - sync.calls.begin()));
}
/// Those before the one the moment is about.
inline std::span<const Call> calls_before(const Moment& m) { return calls_until(*m.sync, *m.call); }

/// One of `calls` did so to the object of this name, and succeeded. Looks at the latest first: a pod's claims are
/// written right before it.
inline bool done_to(std::span<const Call> calls, Verb verb, Kind kind, const Text& name) {
  return std::any_of(calls.rbegin(), calls.rend(), [&](const Call& call) {
    return call.is(verb, kind) && call.request.name == name && !call.failed();
  });
}

/// The calls of the sync that follow this one of its.
inline std::span<const Call> calls_after(const Sync& sync, const Call& call) {
  return sync.calls.subspan(static_cast<std::size_t>(&call - sync.calls.data()) + 1);
}

/// What the set tells once the turn has ended.
inline const StatefulSetStatus& status_after(const Sync& sync, const StatefulSet& seen) {
  const StatefulSetStatus* told = &seen.status;
  for (const Call& call : sync.calls)
    if (call.writes_status() && !call.failed()) told = &call.request.status();
  return *told;
}

/// The cache of this kind has not got as far as these versions.
inline bool is_behind(const Sync& sync, const Told::Versions& versions, Kind kind) {
  const auto place = static_cast<std::size_t>(kind);
  return sync.seen.reached[place] < versions[place];
}

/// As the caches of that turn had it; null: not at all.
template <class T>
const T* shown_in(const Sync& turn, const Cluster& truth, const Text& name) {
  const auto log = truth.store<T>().log();
  const auto is_meant = [&](const Change<T>& change) {
    return change.version <= turn.seen.reached[static_cast<std::size_t>(kind_v<T>)] &&
           change.object().meta.name == name;
  };
  const auto at = std::ranges::find_if(log.rbegin(), log.rend(), is_meant);
  return at != log.rend() ? at->after : nullptr;
}

/// The commit by which the set's spec became what it is.
inline Version spec_since(const Cluster& truth, const StatefulSet& set) {
  const auto makes_it = [&](const Change<StatefulSet>& change) {
    if (change.after == nullptr || change.after->meta.uid != set.meta.uid) return false;
    return change.before == nullptr || change.before->meta.generation != change.after->meta.generation;
  };
  const auto log = truth.sets().log();
  const auto at = std::ranges::find_if(log.rbegin(), log.rend(), makes_it);
  return at != log.rend() ? at->version : Version::none;
}

/// What a call asks for, of which object, in whatever words: alike for two calls that ask for the same, and in some
/// order.
inline std::tuple<Verb, Kind, bool, const Text&> asked_for(const Call& call) {
  const Request& request = call.request;
  const bool adds_owner = request.verb == Verb::patch_owners && request.owner_patch().add.has_value();
  return {request.verb, request.kind, adds_owner, request.name};
}
inline bool same_request(const Call& a, const Call& b) { return asked_for(a) == asked_for(b); }

/// What the API server had no time or no strength for may well succeed at once: it may be asked once more.
inline bool may_pass(Code code) {
  return code == Code::internal || code == Code::timeout || code == Code::unavailable ||
         code == Code::too_many_requests;
}

/// The turn has made an object of this kind and name itself: what the view shows under it is another one, and gone.
inline bool made_before(const Moment& m) {
  const Request& request = m.call->request;
  return std::ranges::any_of(calls_before(m), [&](const Call& call) {
    return call.is(Verb::create, request.kind) && call.reply.ok() && call.request.name == request.name;
  });
}

/// An object as the controller knows it once `calls` were answered: the last answer about it, else the view. Null when
/// there is none by that. With a UID, only the one that has it, whoever else held the name before or after it.
template <class T>
const T* as_known(const Sync& sync, std::span<const Call> calls, const Text& name, Uid uid = Uid::none) {
  const auto is_meant = [&](const T* it) {
    return it != nullptr && it->meta.name == name && (uid == Uid::none || it->meta.uid == uid);
  };
  for (const Call& call : std::views::reverse(calls)) {
    if (call.request.kind != kind_v<T>) continue;
    const T* answered = call.reply.as<T>();
    if (is_meant(answered))
      return call.request.verb == Verb::remove && !answered->meta.terminating() ? nullptr : answered;
    const bool is_gone = call.reply.code == Code::not_found && call.request.verb != Verb::create;
    if (is_gone && call.request.name == name) return nullptr;
  }
  const T* shown = sync.seen.of<T>().find(name);
  return is_meant(shown) ? shown : nullptr;
}

/// Work on claims and pods, once it is clear whose they are and which revision they are to have. To let go of a pod is
/// none, nor is to update one that is on its way out.
inline bool is_work(const Sync& sync, const Call& call) {
  if (!call.writes() || call.lets_go || call.request.verb == Verb::patch_owners) return false;
  if (call.request.kind != Kind::pod || call.request.verb != Verb::update)
    return call.request.kind == Kind::pod || call.request.kind == Kind::claim;
  const Pod* shown = sync.seen.pods.find(call.request.name);
  return shown == nullptr || !shown->meta.terminating();
}

/// What is done once the update revision is chosen: work, a status, pruning.
inline bool follows_the_choice(const Sync& sync, const Call& call) {
  const bool prunes = call.is(Verb::remove, Kind::revision);
  return is_work(sync, call) || call.writes_status() || prunes;
}

/// A read finds nothing of a name that the turn has not been refused: nobody holds it, as is good to know.
inline bool finds_no_holder(std::span<const Call> calls, const Call& read) {
  if (read.request.verb != Verb::get || read.reply.code != Code::not_found) return false;
  return std::ranges::none_of(calls, [&](const Call& call) {
    return call.is(Verb::create, read.request.kind) && call.request.name == read.request.name &&
           call.reply.code == Code::already_exists;
  });
}

/// Among `calls` the choice of the update revision failed: then neither it nor the current one counts as known. To read
/// another revision than the one that failed makes nothing good.
inline bool choice_failed(const Sync& sync, std::span<const Call> calls) {
  const Text* failed = nullptr;
  for (const Call& call : calls) {
    if (follows_the_choice(sync, call)) break;
    if (call.request.kind != Kind::revision || finds_no_holder(calls, call)) continue;
    const bool writes = call.request.verb == Verb::create || call.request.verb == Verb::update;
    if (!writes && call.request.verb != Verb::get) continue;
    if (call.failed()) failed = &call.request.name;
    else if (failed != nullptr && (writes || call.request.name == *failed)) failed = nullptr;
  }
  return failed != nullptr;
}

/// One of `calls` made the set the controller of this object, and said so.
inline bool was_adopted(std::span<const Call> calls, Kind kind, const Text& name, Uid set) {
  for (const Call& call : calls) {
    if (!call.is(Verb::patch_owners, kind) || call.failed() || call.request.name != name) continue;
    const auto& add = call.request.owner_patch().add;
    if (add && add->uid == set) return true;
  }
  return false;
}

/// A set or a pod that there is or was, and not one that somebody only wrote down.
inline bool ever_existed(const Cluster& truth, const OwnerReference& owner) {
  const auto was_it = [&](const auto& change) { return change.object().meta.uid == owner.uid; };
  if (refers_to_set(owner)) return std::ranges::any_of(truth.sets().log(), was_it);
  return refers_to_pod(owner) && std::ranges::any_of(truth.pods().log(), was_it);
}

/// The set bears this very label or annotation: nobody gave it to what the set makes.
inline bool is_of_the_set(const Shared<StringMap>& of_set, const Text& key, const Text& value) {
  return of_set != nullptr && of_set->has(key, value);
}
/// A label or an annotation without a prefix is private to users; machines have to put one before theirs (Kubernetes
/// Labels and Selectors, section Syntax and character set).
inline bool has_prefix(const Text& key) { return key.view().find('/') != std::string_view::npos; }

/// What a request that creates or updates a pod, a claim or a revision sends.
inline const ObjectMeta& meta_of(const Request& request) {
  if (request.kind == Kind::pod) return request.pod().meta;
  return request.kind == Kind::claim ? request.claim().meta : request.revision().meta;
}

/// The view shows a pod under the name of a place, and the set may not have it: there is nobody to ask but whoever
/// holds the name.
inline bool is_name_taken(const Moment& m, const Slot& slot) {
  return slot.pod == nullptr && m.sync->seen.pods.find(pod_name(m.facts->set->meta.name, slot.ordinal)) != nullptr;
}

/// The set a stored pod belongs to, as stored now; null when there is none of its owner's UID.
inline const StatefulSet* owner_in(const Cluster& truth, const Pod& pod) {
  const OwnerReference* owner = pod.meta.controller();
  const StatefulSet* set = owner != nullptr ? truth.sets().find(owner->name) : nullptr;
  return set != nullptr && set->meta.uid == owner->uid ? set : nullptr;
}

}  // namespace ordeal::properties
