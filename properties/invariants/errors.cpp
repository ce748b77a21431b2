#include "properties/invariants/errors.h"

#include <algorithm>
#include <vector>

#include "core/api/names.h"
#include "properties/evidence/before.h"
#include "properties/evidence/claims.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/removal.h"
#include "properties/evidence/turn.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::errors {
namespace {

constexpr Time longest_first_wait = Time::seconds(60);

/// There is nothing left to remove, or to tell the status of.
bool is_gone(const Call& call) {
  const Verb verb = call.request.verb;
  return (verb == Verb::remove || verb == Verb::update_status) && call.reply.code == Code::not_found;
}
/// The same of one that was asked for again, or to change the owners of.
bool leaves_nothing(const Call& again) {
  return is_gone(again) || (again.request.verb == Verb::patch_owners && again.reply.code == Code::not_found);
}

/// It reads the object that the call was about, and is answered.
bool looks_at_what_was_asked_for(const Call& call, const Call& later) {
  const bool answered = !later.failed() || later.reply.code == Code::not_found;
  return answered && later.is(Verb::get, call.request.kind) && later.request.name == call.request.name;
}

/// Of the object that a removal meant: the one with the UID it names, or else the one that was shown.
Uid meant_by(const Sync& sync, const Request& removal) {
  if (removal.uid != Uid::none) return removal.uid;
  return with_type(removal.kind, [&]<class T>(std::type_identity<T>) {
    const T* shown = sync.seen.of<T>().find(removal.name);
    return shown != nullptr ? shown->meta.uid : Uid::none;
  });
}

bool came_to_pass(const OwnerPatch& patch, const ObjectMeta& there) {
  const bool is_another = patch.object_uid != Uid::none && there.uid != patch.object_uid;
  if (is_another) return true;  // of the one that was meant nothing is left
  if (patch.add) return there.controller() != nullptr;
  return !patch.remove ||
         std::ranges::find(owners_of(there), *patch.remove, &OwnerReference::uid) == owners_of(there).end();
}

/// Nobody knows what became of the request; what was read then says that it came to pass, or that nothing is left to
/// do.
bool shows_it_done(const Sync& sync, const Call& call, const Call& read) {
  const Request& asked = call.request;
  const ObjectMeta* there = meta_read(read);
  const StatefulSet* set = sync.seen.sets.find(sync.key.name);
  switch (asked.verb) {
    case Verb::create:
      return there != nullptr && (asked.kind != Kind::pod || (set != nullptr && there->controlled_by(set->meta.uid)));
    case Verb::remove: return there == nullptr || there->terminating() || there->uid != meant_by(sync, asked);
    case Verb::patch_owners: return there == nullptr || came_to_pass(asked.owner_patch(), *there);
    default: return there == nullptr || asked.version == Version::none || there->version != asked.version;
  }
}

/// A cache that is looked into anew has shown how the object is by now.
bool is_shown_anew(const Sync& sync, const Call& call) {
  return with_type(call.request.kind, [&]<class T>(std::type_identity<T>) {
    return std::ranges::any_of(sync.taken, [&](const Taken& taken) {
      return taken.news.name == call.request.name && std::holds_alternative<const T*>(taken.news.now);
    });
  });
}

/// The version of the object asked about that its cache shows after so many calls, or none: it may be looked into anew.
Version shown_after(const Sync& sync, std::size_t calls, const Request& asked) {
  const ObjectMeta* shown = meta_shown_before(sync.seen, asked);
  with_type(asked.kind, [&]<class T>(std::type_identity<T>) {
    for (const Taken& taken : sync.taken) {
      const T* const* now = std::get_if<const T*>(&taken.news.now);
      if (now != nullptr && taken.calls < calls && taken.news.name == asked.name) shown = meta_in(*now);
    }
  });
  return shown != nullptr ? shown->version : Version::none;
}

/// Nobody is woken for a claim: one that is read with the owners it was shown with still lacks those it was to get.
bool is_still_to_be_owned(const Sync& sync, const Call& update, const Call& read) {
  const Claim *shown = sync.seen.claims.find(read.request.name), *there = read.reply.as<Claim>();
  if (!update.is(Verb::update, Kind::claim) || shown == nullptr || there == nullptr) return false;
  return there->meta.uid == shown->meta.uid && !there->meta.terminating() &&
         std::ranges::equal(owners_of(there->meta), owners_of(shown->meta));
}

/// The object turned out to be newer than the one that was seen, and was read; or it was read what became of a request
/// that was not answered: there may be nothing left to do.
bool is_moot(const Sync& sync, const Call& call) {
  const Code code = call.reply.code;
  if (code != Code::conflict && code != Code::timeout) return false;
  if (code == Code::conflict && is_shown_anew(sync, call)) return true;
  return std::ranges::any_of(calls_after(sync, call), [&](const Call& later) {
    return looks_at_what_was_asked_for(call, later) && !is_still_to_be_owned(sync, call, later) &&
           (code == Code::conflict ? !is_as_shown(sync.seen, later) : shows_it_done(sync, call, later));
  });
}
/// A claim that is there already need not be made; of one that is gone nothing is left to be changed.
bool is_claim_as_wanted(const Call& call) {
  if (call.request.kind != Kind::claim) return false;
  return call.reply.code == (call.request.verb == Verb::create ? Code::already_exists : Code::not_found);
}
/// It found what the call was to make: the name is taken by the set's own.
bool finds_it_made(const Sync& sync, const Call& call, const Call& later) {
  if (call.reply.code != Code::already_exists || !looks_at_what_was_asked_for(call, later)) return false;
  const StatefulSet* set = sync.seen.sets.find(sync.key.name);
  const Pod* there = later.reply.as<Pod>();
  return set != nullptr && there != nullptr && there->meta.controlled_by(set->meta.uid);
}
/// It makes whoever holds the name the set's.
bool takes_what_is_there(const Call& call, const Call& later) {
  return call.is(Verb::create, Kind::pod) && call.reply.code == Code::already_exists &&
         later.is(Verb::patch_owners, Kind::pod) && later.request.name == call.request.name && !later.failed() &&
         later.request.owner_patch().add;
}
/// It found nothing of that name, and so it is made.
bool makes_what_was_not_found(const Call& call, const Call& later) {
  return call.request.verb == Verb::get && call.reply.code == Code::not_found &&
         later.is(Verb::create, call.request.kind) && later.request.name == call.request.name && !later.failed();
}
/// Nothing was to be changed, and so nothing is left undone.
bool asked_for_nothing(const Sync& sync, const Call& call) {
  return call.request.verb == Verb::update && writes_as_shown(sync.seen, call.request);
}
/// It failed, and nothing in the same turn made that good: neither another attempt nor a look at what is there.
bool failed_for_good(const Sync& sync, const Call& call) {
  if (!call.failed() || is_gone(call) || is_moot(sync, call) || asked_for_nothing(sync, call)) return false;
  return std::ranges::none_of(calls_after(sync, call), [&](const Call& later) {
    return (same_request(call, later) && (!later.failed() || leaves_nothing(later))) ||
           finds_it_made(sync, call, later) || takes_what_is_there(call, later) ||
           makes_what_was_not_found(call, later);
  });
}
const Call* first_failed_work(const Sync& sync) {
  const auto at = std::ranges::find_if(sync.calls, [&](const Call& call) {
    return call.failed() && is_work(sync, call) && !is_claim_as_wanted(call) && failed_for_good(sync, call);
  });
  return at == sync.calls.end() ? nullptr : &*at;
}

/// The ordinal whose pod or claim a call is about.
Ordinal ordinal_of(const Facts& facts, const Call& call) {
  if (call.request.kind == Kind::pod) return parse_member(call.request.name).ordinal;
  const auto place = place_of_claim(*facts.set, call.request.name);
  return place ? place->ordinal : Ordinal::none;
}

// --- the stages of a Parallel turn -------------------------------------------------------------------------------------

/// Pods of the range are worked on in batches of 1, 2, 4, ... and at most 500.
int batch_of(std::int64_t index) {
  int batch = 0;
  for (std::int64_t size = 1; index >= size; ++batch) {
    index -= size;
    size = std::min<std::int64_t>(2 * size, 500);
  }
  return batch;
}

enum class Stage : std::uint8_t { range, condemned_claims, condemned, update };
Stage stage_of(const Moment& m, const Call& call) {
  const bool removes = call.is(Verb::remove, Kind::pod);
  if (!m.facts->in_range(ordinal_of(*m.facts, call))) return removes ? Stage::condemned : Stage::condemned_claims;
  return removes && removed_by(m, call).why != Removal::terminal ? Stage::update : Stage::range;
}

/// After `failed` the turn should have ended before `call`: it belongs to a later stage, or updates go one by one. That
/// a pod of the range could not be made is no reason to keep surplus pods (kubernetes/kubernetes#140858).
bool is_of_a_later_stage(const Moment& m, const Call& failed, const Call& call) {
  const Stage at = stage_of(m, failed), now = stage_of(m, call);
  if (at == Stage::range && now != Stage::update) return false;
  // Pod by pod or all claims first: what matters is that none goes whose own claim could not be marked.
  if (at == Stage::condemned_claims && now == Stage::condemned)
    return ordinal_of(*m.facts, failed) == ordinal_of(*m.facts, call);
  return now > at || (now == at && at == Stage::update);
}
/// Where the pod of a call stands among those of its stage: by index in the range, or among the surplus ones.
std::int64_t place_of(const Facts& facts, const Call& call) {
  const Ordinal ordinal = ordinal_of(facts, call);
  if (const auto index = facts.place_of(ordinal)) return *index;
  return std::ranges::find_if(facts.condemned, [&](const Pod* pod) { return pod->meta.name == call.request.name; }) -
         facts.condemned.begin();
}
/// How many other pods of its stage the turn had asked about before this one's.
std::int64_t rank_of(const Moment& m, const Call& of) {
  const Stage stage = stage_of(m, of);
  std::vector<Ordinal> before;
  for (const Call& call : m.sync->calls) {
    if (&call == &of) break;
    if (!is_work(*m.sync, call) || stage_of(m, call) != stage) continue;
    const Ordinal ordinal = ordinal_of(*m.facts, call);
    if (ordinal != ordinal_of(*m.facts, of) && std::ranges::find(before, ordinal) == before.end())
      before.push_back(ordinal);
  }
  return std::ssize(before);
}
/// Both are about pods of the range, or both remove surplus ones: these are worked on in batches.
bool is_of_a_later_batch(const Moment& m, const Call& failed, const Call& call) {
  const Stage stage = stage_of(m, failed);
  if (stage != stage_of(m, call) || (stage != Stage::range && stage != Stage::condemned)) return false;
  // Batches are of places, or of pods about which there is something to ask.
  return batch_of(place_of(*m.facts, call)) > batch_of(place_of(*m.facts, failed)) &&
         batch_of(rank_of(m, call)) > batch_of(rank_of(m, failed));
}

/// The first failure on which a Parallel turn should end, or null.
const Call* failed_in_parallel(const Moment& m) {
  return works_at_once(*m.facts) ? first_failed_work(*m.sync) : nullptr;
}

/// Calls made before it was known that this one had failed are no answer to that.
std::span<const Call> calls_after_answer(const Sync& sync, const Call& failed) {
  const std::span<const Call> after = calls_after(sync, failed);
  const auto answered = std::ranges::find(after, false, [](const Call& call) { return call.request.together; });
  return after.subspan(static_cast<std::size_t>(answered - after.begin()));
}

Judgement none_after(const Moment& m, const Call& failed, auto forbidden) {
  for (const Call& call : calls_after_answer(*m.sync, failed))
    if (is_work(*m.sync, call) && !same_request(failed, call) && forbidden(call))
      return Judgement::broken(words("after the request to ", failed.request, " failed (", name_of(failed.reply.code),
                                     "), there came one to ", call.request));
  return Judgement::held();
}

// --- which failures a turn may pass over -------------------------------------------------------------------------------

/// By now another object has the name of the one whose owners were to be changed.
bool is_another_by_now(const Call& call) {
  const Uid meant = call.request.owner_patch().object_uid;
  const ObjectMeta* stored = meta_stored_before(call);
  return meant != Uid::none && stored != nullptr && stored->uid != meant;
}

bool was_to_change(const Sync& sync, Kind kind, const Text& name) {
  return std::ranges::any_of(sync.calls, [&](const Call& call) {
    return (call.is(Verb::patch_owners, kind) || call.is(Verb::update, kind)) && call.request.name == name;
  });
}

/// Whatever is there to be adopted, the turn has asked for.
bool has_tried_to_adopt_all(const Moment& m) {
  if (m.facts->deleting) return true;
  const auto waits = [&](const Pod* orphan) {
    return is_given_name(orphan->meta.name) && !was_to_change(*m.sync, Kind::pod, orphan->meta.name);
  };
  const auto is_left = [&](const Revision* revision) {
    return revision->meta.controller() == nullptr && !was_to_change(*m.sync, Kind::revision, revision->meta.name);
  };
  return std::ranges::none_of(m.facts->orphans, waits) && std::ranges::none_of(m.facts->history, is_left);
}

/// Who holds a name decides what is recorded, and whether the set lives what is adopted; other reads only make sure.
bool may_be_left_unread(const Moment& m, const Request& read) {
  return read.kind == Kind::set ? has_tried_to_adopt_all(m) : read.kind != Kind::revision;
}

/// The object is newer than shown, and of a kind whose changes make a turn once they are.
bool news_will_make_a_turn(const Moment& m, const Call& conflict) {
  const Kind kind = conflict.request.kind;
  const ObjectMeta *stored = meta_stored_before(conflict), *shown = meta_shown_before(m.sync->seen, conflict.request);
  return (kind == Kind::pod || kind == Kind::set) && stored != nullptr && shown != nullptr &&
         stored->version != shown->version;
}

/// It looked whether what it had deleted is gone, and it is.
bool finds_it_gone(const Sync& sync, const Call& look) {
  return look.reply.code == Code::not_found &&
         done_to(calls_until(sync, look), Verb::remove, look.request.kind, look.request.name);
}

bool may_be_passed_over(const Moment& m, const Call& call) {
  const Code code = call.reply.code;
  const Verb verb = call.request.verb;
  if (code == Code::conflict) return news_will_make_a_turn(m, call);
  if (verb == Verb::get) {
    const bool is_told = code == Code::not_found && call.request.kind != Kind::revision;
    return is_told || finds_it_gone(*m.sync, call) || finds_no_holder(m.sync->calls, call) ||
           may_be_left_unread(m, call.request);
  }
  if (code == Code::not_found)
    return verb != Verb::create || call.request.kind == Kind::claim;        // nothing is left to be changed
  if (code == Code::already_exists) return call.request.kind != Kind::pod;  // it is there, which was wanted
  return code == Code::invalid && verb == Verb::patch_owners &&
         (call.request.owner_patch().remove || is_another_by_now(call));
}

/// Nothing of that name is there, or, as a release is told by a patch that is invalid, another one is. An answer that
/// something is invalid may have another reason: who fails then is right unless it really is another one.
bool says_it_is_gone(const Call& call) {
  const bool releases = call.request.verb == Verb::patch_owners && call.request.owner_patch().remove;
  return call.reply.code == Code::not_found ||
         (releases && call.reply.code == Code::invalid && is_another_by_now(call));
}

/// Whether a turn fails for nothing else than that an object to be so treated is not there.
Judgement fails_for_a_missing(const Moment& m, Kind kind, Verb verb, std::string_view treated) {
  const Call* missing = nullptr;
  bool other = m.sync->died;
  for (const Call& call : m.sync->calls) {
    if (!went_wrong(*m.sync, call)) continue;
    if (call.is(verb, kind) && says_it_is_gone(call)) missing = &call;
    else other = true;
  }
  if (missing == nullptr || other) return Judgement::not_applicable();
  const bool because = m.sync->result.failed && m.sync->result.code == missing->reply.code;  // and not for a claim, say
  return Judgement::of(!because, [&] {
    return words("the turn failed (", m.sync->result.what, ") because a ", name_of(kind), " to be ", treated,
                 " was gone already");
  });
}

/// The first failure that the turn may not pass over, or null.
const Call* first_that_matters(const Moment& m) {
  if (m.sync->died) return nullptr;
  const auto failed = std::ranges::find_if(m.sync->calls, [&](const Call& call) {
    return call.failed() && !may_be_passed_over(m, call) && failed_for_good(*m.sync, call);
  });
  return failed == m.sync->calls.end() ? nullptr : &*failed;
}
bool comes_again_within(Time time, const Sync& sync) {
  return sync.result.failed || (sync.result.requeue_after && *sync.result.requeue_after <= time);
}
std::string what_failed(const Call& call) {
  return words("the request to ", call.request, " failed (", name_of(call.reply.code), ")");
}

bool patch_failed(const Moment& m, const Call& call) {
  return call.request.verb == Verb::patch_owners && failed_for_good(*m.sync, call) && !may_be_passed_over(m, call);
}

}  // namespace

Judgement ordered_stops(const Moment& m) {
  // Recreate stops all outdated pods at once, in whatever order a set makes them.
  const bool concerned = is_regular(*m.facts) && m.facts->ordered && !m.facts->recreating();
  if (!concerned) return Judgement::not_applicable();
  const Call* failed = first_failed_work(*m.sync);
  if (failed == nullptr) return Judgement::not_applicable();
  const Ordinal ordinal = ordinal_of(*m.facts, *failed);
  return none_after(m, *failed, [&](const Call& call) {
    const bool is_built_upon = call.request.kind != Kind::claim || call.request.verb == Verb::create;  // owners are not
    return is_built_upon && ordinal_of(*m.facts, call) != ordinal;
  });
}

Judgement parallel_stops(const Moment& m) {
  const Call* failed = failed_in_parallel(m);
  if (failed == nullptr) return Judgement::not_applicable();
  return none_after(m, *failed, [&](const Call& call) { return is_of_a_later_stage(m, *failed, call); });
}

Judgement parallel_slow_start(const Moment& m) {
  const Call* failed = failed_in_parallel(m);
  if (failed == nullptr || stage_of(m, *failed) == Stage::update) return Judgement::not_applicable();
  return none_after(m, *failed, [&](const Call& call) { return is_of_a_later_batch(m, *failed, call); });
}

Judgement conflict_never_deletes(const Moment& m) {
  bool applied = false;
  for (const Call& call : m.sync->calls) {
    if (call.request.kind != Kind::pod || call.reply.code != Code::conflict || call.request.verb == Verb::remove)
      continue;
    if (is_shown_anew(*m.sync, call)) continue;  // what it was to be changed for may be so by now
    applied = true;
    for (const Call& later : calls_after(*m.sync, call)) {
      if (later.request.kind != Kind::pod || later.request.name != call.request.name) continue;
      if (later.request.verb == Verb::remove)
        return Judgement::broken(words("pod ", call.request.name, " was deleted after a conflict"));
      if (later.reply.ok()) break;  // the change was made: what follows is not the conflict's doing
    }
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement no_hammering(const Moment& m) {
  bool applied = false;
  for (const Call& call : m.sync->calls) {
    if (!call.writes() || !call.failed() || is_gone(call) || call.reply.code == Code::conflict) continue;
    applied = true;
    int may_be_repeated = may_pass(call.reply.code) ? 1 : 0;
    for (const Call& later : calls_after(*m.sync, call)) {
      if (looks_at_what_was_asked_for(call, later)) break;
      if (same_request(call, later) && may_be_repeated-- == 0)
        return Judgement::broken(
            words("the request to ", call.request, " was repeated after ", name_of(call.reply.code)));
    }
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement few_retries(const Moment& m) {
  bool applied = false;
  for (const Call& call : m.sync->calls) {
    if (!call.writes() || call.reply.code != Code::conflict) continue;
    applied = true;
    const auto more =
        std::ranges::count_if(calls_after(*m.sync, call), [&](const Call& c) { return same_request(call, c); });
    if (more > 4) return Judgement::broken(words("the request to ", call.request, " was tried ", more + 1, " times"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement retries_what_is_shown(const Moment& m) {
  bool applied = false;
  for (const Call& call : m.sync->calls) {
    if (call.request.verb != Verb::update && call.request.verb != Verb::update_status) continue;
    const auto before = static_cast<std::size_t>(&call - m.sync->calls.data());
    const bool is_retried = std::ranges::any_of(m.sync->calls.first(before), [&](const Call& earlier) {
      return earlier.reply.code == Code::conflict && same_request(earlier, call);
    });
    const Version shown = is_retried ? shown_after(*m.sync, before, call.request) : Version::none;
    if (shown == Version::none || call.request.version == Version::none) continue;
    applied = true;
    if (call.request.version < shown)
      return Judgement::broken(words("the request to ", call.request, " was repeated after a conflict for version ",
                                     static_cast<std::uint64_t>(call.request.version), ", though its cache showed ",
                                     static_cast<std::uint64_t>(shown), " by then"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement failure_is_reported(const Moment& m) {
  const Call* failed = first_that_matters(m);
  if (failed == nullptr) return Judgement::not_applicable();
  return Judgement::of(comes_again_within(longest_wait, *m.sync),
                       [&] { return words("the turn succeeded though ", what_failed(*failed)); });
}

Judgement failure_is_soon_tried_again(const Moment& m) {
  const Sync* last = last_turn(m);
  const bool first = last == nullptr || !last->met_a_failure();
  const Call* failed = first ? first_that_matters(m) : nullptr;
  if (failed == nullptr || !comes_again_within(longest_wait, *m.sync))
    return Judgement::not_applicable();  // failure-is-reported
  return Judgement::of(comes_again_within(longest_first_wait, *m.sync), [&] {
    return words("for the first time ", what_failed(*failed), ", and the next turn comes only after ",
                 m.sync->result.requeue_after->ms, " ms");
  });
}

Judgement missing_pod_is_no_error(const Moment& m) {
  return fails_for_a_missing(m, Kind::pod, Verb::remove, "deleted");
}

Judgement missing_revision_is_no_error(const Moment& m) {
  return fails_for_a_missing(m, Kind::revision, Verb::remove, "pruned");
}

Judgement missing_orphan_is_no_error(const Moment& m) {
  return fails_for_a_missing(m, Kind::pod, Verb::patch_owners, "adopted or released");
}

Judgement unclear_owners_stop_work(const Moment& m) {
  const auto failed = std::ranges::find_if(m.sync->calls, [&](const Call& call) { return patch_failed(m, call); });
  if (failed == m.sync->calls.end()) return Judgement::not_applicable();
  for (const Call& call : calls_after(*m.sync, *failed))
    if (call.writes() && call.request.verb != Verb::patch_owners && !call.lets_go)
      return Judgement::broken(words("the owners of ", failed->request.name,
                                     " could not be changed, and still there came a "
                                     "request to ",
                                     call.request));
  return Judgement::held();
}

Judgement unclear_revisions_stop_work(const Moment& m) {
  if (!choice_failed(*m.sync, m.sync->calls)) return Judgement::not_applicable();
  for (const Call& call : m.sync->calls)
    if (is_work(*m.sync, call) || (call.request.kind == Kind::set && call.writes()))
      return Judgement::broken(
          words("the template could not be recorded, and still there came a request to ", call.request));
  return Judgement::held();
}

Judgement never_dies(const Moment& m) {
  const bool killed = std::ranges::any_of(m.sync->calls, [](const Call& call) {
    return call.fault == Fault::crash_before || call.fault == Fault::crash_after;
  });
  if (killed || m.sync->endless) return Judgement::not_applicable();
  return Judgement::of(!m.sync->died, [&] {
    return words("the process died, and nobody had killed it", m.sync->result.what.empty() ? "" : ": ",
                 m.sync->result.what);
  });
}

}  // namespace ordeal::properties::errors
