#include "properties/invariants/waking.h"

#include <algorithm>

#include "core/api/names.h"
#include "properties/evidence/at_rest.h"
#include "properties/evidence/claims.h"
#include "properties/evidence/facts.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/turn.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::waking {
namespace {

constexpr Time soon = Time::seconds(10);     // for what comes without an event: a first retry takes a moment
constexpr Time a_while = Time::seconds(60);  // for what somebody else is to do first, as PROTOCOL.md has it

/// For retry_after_seconds, whatever its failures before: who does as it is told is not to blame.
bool was_told_when_to_come_again(const Sync& sync) {
  return std::ranges::any_of(sync.calls, [](const Call& c) { return c.reply.code == Code::too_many_requests; });
}
bool by_one_clock(const Sync& a, const Sync& b) { return !a.skewed && !b.skewed; }

std::size_t place_of(Kind kind) { return static_cast<std::size_t>(kind); }
bool saw_the_same(Kind kind, const Sync& a, const Sync& b) {
  return a.seen.reached[place_of(kind)] == b.seen.reached[place_of(kind)];
}

/// Time alone made a pod available that was ready already, since the last turn. Whether that makes a turn:
/// asks-to-be-woken.
bool grew_available(const Facts& facts, const Sync& last) {
  return std::ranges::any_of(facts.claimed, [&](const Pod* pod) {
    const bool was_ready = pod->ready_changed && *pod->ready_changed <= last.now;
    return was_ready && facts.available(*pod) && !Facts::ready_for_longer(*pod, facts.min_ready_seconds, last.now);
  });
}

std::string first_write(const Sync& sync) {
  const auto call = std::ranges::find_if(sync.calls, [](const Call& c) { return c.writes(); });
  return words(call->request);
}

Judgement waits_for(const Moment& m, const Told::Versions& own, std::initializer_list<Kind> kinds) {
  const Sync& sync = *m.sync;
  if (!sync.gates.stale_guard || m.facts->set == nullptr) return Judgement::not_applicable();
  const auto kind = std::ranges::find_if(kinds, [&](Kind k) { return is_behind(sync, own, k); });
  if (kind == kinds.end()) return Judgement::not_applicable();
  return Judgement::of(!sync.wrote(), [&] {
    return words("the cache of ", name_of(*kind), "s does not show what this process did, and still it asked to ",
                 first_write(sync));
  });
}

/// Nothing will be told of that has to be done: the place has no pod, a finished one, or one that waits for a claim
/// that is leaving.
bool is_to_be_done(const Moment& m, const Slot& slot) {
  if (slot.pod == nullptr) return true;
  if (slot.pod->meta.terminating()) return false;
  if (Facts::terminal(*slot.pod)) return true;
  const bool waits = slot.pod->phase == Phase::pending && claim_leaves(m, slot.ordinal);
  return waits && !holds_a_leaving_claim(slot, m.sync->seen.claims);
}

/// The pod that is to be made next, or made away with, where nothing that will be told of stands in the way; empty when
/// there is none.
Text next_to_do(const Moment& m) {
  const Facts& facts = *m.facts;
  for (const Slot& slot : facts.slots) {
    if (is_to_be_done(m, slot)) return pod_name(facts.set->meta.name, slot.ordinal);
    if (facts.ordered && !facts.surely_healthy(*slot.pod)) return {};
  }
  const auto is_well = [&](const Pod* pod) { return facts.surely_healthy(*pod); };
  const auto stays = [](const Pod* pod) { return !pod->meta.terminating(); };
  if (facts.ordered && !std::ranges::all_of(facts.condemned, is_well)) return {};
  const auto surplus = std::ranges::find_if(facts.condemned, stays);
  return surplus != facts.condemned.end() ? (*surplus)->meta.name : Text{};
}

/// The same where the turn, which was shown everything, wrote nothing: what is written comes back as news, and so does
/// what a view does not show yet, but somebody has read.
Text left_undone(const Moment& m) {
  const Sync& sync = *m.sync;
  if (!is_regular(*m.facts) || m.facts->recreating() || sync.died || !sync.fresh || sync.wrote()) return {};
  return sync.has_read_news() ? Text() : next_to_do(m);
}

/// The turn comes again, by itself, to a pod that it did nothing about.
Judgement comes_again_to(const Moment& m, const Text& pod, std::string_view which) {
  const Sync& sync = *m.sync;
  const Time limit = may_wait_somewhere(m) ? a_while : soon;
  return Judgement::of(sync.result.failed || (sync.next && *sync.next <= limit), [&] {
    return words("pod ", pod, which, ": the turn did nothing about it, and ",
                 sync.next ? words("the next one comes after ", sync.next->ms, " ms, not within ", limit.ms)
                           : "nothing makes another one");
  });
}

/// Something is in the way of this place, or of one that comes before it: a pod that nobody can repair; in a Parallel
/// set, which works in batches, whatever fails in an earlier one. Surplus pods come after all places.
bool may_wait_before(const Moment& m, Ordinal next) {
  const Facts& facts = *m.facts;
  if (may_wait_at(m, next)) return true;
  return std::ranges::any_of(facts.slots, [&](const Slot& slot) {
    const bool comes_before = !facts.in_range(next) || number(slot.ordinal) < number(next);
    return comes_before && (is_unrepairable(facts, slot) || (!facts.ordered && may_wait_at(m, slot.ordinal)));
  });
}

/// More than a status, which is the controller's own affair.
bool differs(const StatefulSet& a, const StatefulSet& b) {
  return a.meta.uid != b.meta.uid || a.meta.generation != b.meta.generation ||
         a.meta.terminating() != b.meta.terminating();
}
/// In what a turn decides by: no node, no note of somebody's. When it became ready matters to timers, which look again.
bool differs(const Pod& a, const Pod& b) {
  return a.meta.uid != b.meta.uid || a.meta.terminating() != b.meta.terminating() ||
         !same(a.meta.labels, b.meta.labels) || !std::ranges::equal(owners_of(a.meta), owners_of(b.meta)) ||
         a.phase != b.phase || a.ready != b.ready;
}
/// Whether an orphan that could not be adopted then can be now; as far as handlers tell, it need not be the same pod,
/// and one without labels is nobody's (client-go's lister).
bool fits_anew(const Pod& then, const Pod& now) {
  return then.meta.terminating() || !same(then.meta.labels, now.meta.labels) || then.meta.controller() != nullptr;
}
template <class T>
bool is_news(const T& object, const Moment& m, const Sync& last, bool (*matters)(const T& then, const T& now)) {
  if (object.meta.version <= last.seen.reached[place_of(kind_v<T>)]) return false;
  const T* then = shown_in<T>(last, m.truth, object.meta.name);
  return then == nullptr || matters(*then, object);
}

/// A pod of the set that is news since that turn, or an orphan that it could not adopt then; null when there is none.
const Pod* changed_since(const Moment& m, const Sync& last) {
  const Facts& facts = *m.facts;
  const auto news = std::ranges::find_if(facts.claimed, [&](const Pod* pod) {
    return pod->meta.controlled_by(facts.set->meta.uid) && is_news<Pod>(*pod, m, last, differs);
  });
  if (news != facts.claimed.end()) return *news;
  const auto orphan = std::ranges::find_if(facts.orphans, [&](const Pod* pod) {
    const bool has_labels = pod->meta.labels != nullptr && !pod->meta.labels->empty();
    return has_labels && is_news<Pod>(*pod, m, last, fits_anew);
  });
  return orphan != facts.orphans.end() ? *orphan : nullptr;
}

/// A pod that was shown to that turn as the set's, and has gone since, or passed on; null when there is none.
const Pod* gone_since(const Moment& m, const Sync& last) {
  const auto log = m.truth.pods().log();
  const auto place = place_of(Kind::pod);
  const Uid set = m.facts->set->meta.uid;
  for (auto at = std::ranges::upper_bound(log, last.seen.reached[place], {}, &Change<Pod>::version);
       at != log.end() && at->version <= m.sync->seen.reached[place]; ++at) {
    const bool was_ours = at->before != nullptr && at->before->meta.controlled_by(set);
    if (!was_ours || (at->after != nullptr && at->after->meta.controlled_by(set))) continue;
    const Pod* then = shown_in<Pod>(last, m.truth, at->before->meta.name);
    // A list that was skipped from then to now tells whose it was then.
    if (then != nullptr && then->meta.uid == at->before->meta.uid && then->meta.controlled_by(set)) return then;
  }
  return nullptr;
}

/// The last turn was promised another one, whose time has come, and nothing made this one.
bool was_forgotten(const Moment& m) {
  const Sync* last = last_turn(m);
  const Sync& sync = *m.sync;
  return last != nullptr && !sync.queued && last->next && by_one_clock(*last, sync) &&
         last->ended + *last->next <= sync.now;
}

/// Something is news, or there is news of it: that makes a turn, whether there is anything to be done or not, and
/// whatever the last one is to be followed by. Empty when nothing is.
std::string news_since(const Moment& m, const Sync& last) {
  if (is_news<StatefulSet>(*m.facts->set, m, last, differs)) return "the set has changed since";
  if (const Pod* news = changed_since(m, last)) return words("pod ", news->meta.name, " has changed since");
  if (const Pod* gone = gone_since(m, last)) return words("pod ", gone->meta.name, " went, or passed on, after");
  return {};
}

bool is_needed_work(const Call& call) {
  const bool makes_sure =  // of what is there
      call.request.verb == Verb::create && (call.reply.code == Code::already_exists || call.fault != Fault::none);
  // An earlier set's pod wakes nobody here, and still has to be let go.
  return call.writes() && !makes_sure && !call.lets_go;
}

/// A write that failed, and succeeded when it was made again: that is no reason any more to fail.
bool is_made_good(const Sync& sync, const Call& failed) {
  return failed.writes() && std::ranges::any_of(calls_after(sync, failed), [&](const Call& later) {
           return same_request(failed, later) && !later.failed();
         });
}

/// What the turn finds to do may be what the last one was to be followed for.
bool may_have_been_left(const Moment& m, const Sync& last) {
  const Sync& sync = *m.sync;
  const auto& wait = last.result.requeue_after;
  if (last.result.failed || m.history.came_for_a_place || (wait && *wait <= soon)) return true;
  // What the last turn wrote may be asked for again while nothing shows it, or be made and gone between two lists of a
  // cache, which then tells of neither; so may what it waited for; and what the turn was told may have been wrong.
  const bool misled = std::ranges::any_of(last.calls, [](const Call& call) { return call.fault != Fault::none; });
  const bool knew_more = last.read_news || sync.has_read_news(calls_before_first(sync, is_needed_work));
  if (misled || !by_one_clock(last, sync) || last.wrote() || last.waits || knew_more) return true;
  // Claims, revisions and what is told of the set itself wake nobody.
  return !saw_the_same(Kind::set, last, sync) || !saw_the_same(Kind::claim, last, sync) ||
         !saw_the_same(Kind::revision, last, sync) || grew_available(*m.facts, last);
}

}  // namespace

// --- what makes a turn -------------------------------------------------------------------------------------------------

Judgement by_events(const Moment& m) {
  const Sync* last = last_turn(m);
  const Sync& sync = *m.sync;
  const bool is_put_off = sync.put_off && *sync.put_off <= soon;  // to gather events
  if (sync.queued || is_put_off || m.facts->set == nullptr) return Judgement::not_applicable();
  if (sync.after_restart)
    return Judgement::broken("the process has started anew, its caches list the set, and nothing had made a turn");
  if (last == nullptr) return Judgement::not_applicable();
  if (const std::string news = news_since(m, *last); !news.empty())
    return Judgement::broken(words(news, " the last turn, and nothing had made one"));
  if (m.facts->irregular || may_have_been_left(m, *last)) return Judgement::not_applicable();
  return Judgement::of(std::ranges::none_of(sync.calls, is_needed_work),
                       [&] { return words("nothing had made a turn, and there was need to ", first_write(sync)); });
}

/// Releases wait for the collector to take a claim, and for nothing else, without asking to come again; and that a
/// pending pod lacks its claim they see when they look at it for another reason.
Judgement leaves_no_pod_undone(const Moment& m) {
  const Text next = left_undone(m);
  if (next.empty()) return Judgement::not_applicable();
  const Facts& facts = *m.facts;
  const auto is_left_behind = [&](const Slot& slot) { return claim_is_left_behind(m, slot.ordinal); };
  const Ordinal ordinal = parse_member(next).ordinal;
  const Slot slot{.ordinal = ordinal, .pod = pod_at(facts, ordinal)};
  const bool has_ended = slot.pod != nullptr && Facts::terminal(*slot.pod);
  const bool is_surplus = !facts.in_range(ordinal);
  const bool lacks_a_claim = slot.pod != nullptr && !has_ended && !is_surplus;
  // No event tells how long a stranger's pod keeps the name of a place.
  if (is_name_taken(m, slot) || lacks_a_claim || std::ranges::any_of(facts.slots, is_left_behind))
    return Judgement::not_applicable();
  return comes_again_to(m, next, is_surplus ? " is too many" : has_ended ? " has finished" : " is missing");
}

Judgement leaves_nothing_undone(const Moment& m) {
  const Text next = left_undone(m);
  if (next.empty()) return Judgement::not_applicable();
  return comes_again_to(m, next, " is missing, finished, too many or without its claim");
}

Judgement as_asked(const Moment& m) {
  if (was_forgotten(m))
    return Judgement::broken("the last turn was to be followed by another one by now, and nothing made it");
  const Sync& sync = *m.sync;
  const auto& wait = sync.result.requeue_after;
  if (sync.died || sync.result.failed || (!wait && sync.timer)) return Judgement::not_applicable();
  const bool fine = wait ? sync.next && *sync.next <= *wait : !sync.next;
  return Judgement::of(fine, [&] {
    if (!wait) return words("a turn asked for no other, and gets one after ", sync.next->ms, " ms");
    return words("a turn asked for another within ", wait->ms, " ms, and gets ",
                 sync.next ? "one only after " + std::to_string(sync.next->ms) + " ms" : std::string("none"));
  });
}

// --- after a failure ---------------------------------------------------------------------------------------------------

Judgement after_failures(const Moment& m) {
  const Sync& sync = *m.sync;
  if (sync.died || !sync.result.failed) return Judgement::not_applicable();
  const bool fine = sync.next && (sync.timer || *sync.next > Time{}) && *sync.next <= longest_wait;
  return Judgement::of(fine, [&] {
    if (!sync.next) return std::string("the turn failed, and nothing makes another one");
    return words("the turn failed, and the next one comes after ", sync.next->ms, " ms");
  });
}

Judgement ever_later(const Moment& m) {
  const Sync* last = last_turn(m);
  const Sync& sync = *m.sync;
  if (last == nullptr || !last->result.failed || !sync.result.failed || sync.died) return Judgement::not_applicable();
  if (!last->next || !sync.next) return Judgement::not_applicable();
  // A timer that is due sooner makes the turn sooner, and takes nothing from what the next failure has to wait.
  Time due = std::min({*last->next + *last->next, longest_wait, sync.timer.value_or(longest_wait)});
  if (was_told_when_to_come_again(sync)) due = std::min(due, Time::seconds(retry_after_seconds));
  // A queue of its own says only what is due first, and that may be a pod that is to become available, or, when the
  // waits have grown, the time at which the controller looks at its sets in any case.
  const bool has_own_queue = sync.result.retry_after.has_value();
  if (has_own_queue && m.facts->next_available) due = std::min(due, *m.facts->next_available - sync.now);
  if (has_own_queue) due = std::min(due, soon);
  return Judgement::of(*sync.next >= due, [&] {
    return words("two turns failed, one after the other: the first was to be followed after ", last->next->ms,
                 " ms, the second after ", sync.next->ms);
  });
}

Judgement first_retry_is_soon(const Moment& m) {
  const Sync& sync = *m.sync;
  if (!fails_first(m)) return Judgement::not_applicable();
  return Judgement::of(sync.next && *sync.next <= soon, [&] {
    return words("the first turn that failed is followed ",
                 sync.next ? words("only after ", sync.next->ms, " ms") : "by none");
  });
}

Judgement forgets_failures(const Moment& m) {
  const Sync& sync = *m.sync;
  if (!fails_first(m) || !m.history.first_retry || was_told_when_to_come_again(sync))
    return Judgement::not_applicable();
  return Judgement::of(sync.next && *sync.next <= *m.history.first_retry, [&] {
    return words("the first failed turn was followed after ", m.history.first_retry->ms, " ms; one after a success ",
                 sync.next ? words("only after ", sync.next->ms, " ms") : "by none");
  });
}

// --- what a turn waits for ---------------------------------------------------------------------------------------------

Judgement waits_for_caches(const Moment& m) {
  if (!m.sync->after_restart || !m.sync->says_what_it_waits_for) return Judgement::not_applicable();
  const std::optional<Kind>& unlisted = m.sync->unlisted;
  return Judgement::of(!unlisted, [&] {
    return words("the process has started anew, and made a turn before its cache of ", name_of(*unlisted),
                 "s was filled");
  });
}

Judgement own_writes_first(const Moment& m) {
  return waits_for(m, m.history.told.written, {Kind::pod, Kind::claim, Kind::set});
}

Judgement guard_waits(const Moment& m) {
  if (!m.sync->waits_for_writes) return Judgement::not_applicable();
  return waits_for(m, m.history.told.awaited, {Kind::pod, Kind::claim, Kind::set});
}

Judgement own_deletions_first(const Moment& m) { return waits_for(m, m.history.told.removed, {Kind::pod}); }

Judgement one_worker_at_a_time(const Moment& m) {
  const std::optional<bool> alone = m.sync->result.alone;
  if (!alone) return Judgement::not_applicable();
  return Judgement::of(*alone, [] {
    return std::string(
        "the work queue was told that the turn is over while it went on: another worker could have begun one");
  });
}

Judgement fails_with_cause(const Moment& m) {
  const Sync& sync = *m.sync;
  if (sync.died || !sync.result.failed) return Judgement::not_applicable();
  const auto stays_wrong = [&](const Call& call) { return went_wrong(sync, call) && !is_made_good(sync, call); };
  return Judgement::of(
      std::ranges::any_of(sync.calls, stays_wrong) || may_stop_for_all(m) || may_wait_somewhere(m) ||
          blocked_by_unrepairable_pod(*m.facts),
      [&] { return words("the turn failed (", sync.result.what, ") though every request succeeded"); });
}

Judgement fails_for_what_is_in_the_way(const Moment& m) {
  const Sync& sync = *m.sync;
  if (!sync.result.failed || something_went_wrong(sync)) return Judgement::not_applicable();
  const Text next = left_undone(m);
  if (next.empty()) return Judgement::not_applicable();
  return Judgement::of(may_stop_for_all(m) || may_wait_before(m, parse_member(next).ordinal), [&] {
    return words(
        "pod ", next,
        " is missing, finished, too many or without its claim, and nothing is in the way: the turn did nothing about it, but failed (",
        sync.result.what, ")");
  });
}

}  // namespace ordeal::properties::waking
