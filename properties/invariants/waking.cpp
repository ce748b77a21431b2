#include "properties/invariants/waking.h"

#include <algorithm>

#include "core/api/names.h"
#include "properties/invariants/at_rest.h"
#include "properties/invariants/facts.h"
#include "properties/invariants/history.h"
#include "properties/invariants/lookup.h"
#include "properties/invariants/removal.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::waking {
namespace {

constexpr Time soon = Time::seconds(10);            // for what comes without an event: a collector takes a moment, and so does a first retry

/// The turn before this one of the same process, which has not been started anew; null when there is none.
const Sync* last_turn(const Moment& m) {
  const Sync* last = m.history.last_sync;
  return last != nullptr && last->started == m.sync->started && !last->died ? last : nullptr;
}
/// The turn failed, the one before did not, and nothing else is to make the next one.
bool fails_first(const Moment& m) {
  const Sync* last = last_turn(m);
  const Sync& sync = *m.sync;
  return !sync.died && sync.result.failed && (last == nullptr || !last->result.failed) && !sync.timed;
}
bool by_one_clock(const Sync& a, const Sync& b) { return !a.skewed && !b.skewed; }

std::size_t place_of(Kind kind) { return static_cast<std::size_t>(kind); }
bool saw_the_same(Kind kind, const Sync& a, const Sync& b) { return a.seen.reached[place_of(kind)] == b.seen.reached[place_of(kind)]; }

/// Time alone made a pod available that was ready already, since the last turn. Whether that makes a turn: asks-to-be-woken.
bool grew_available(const Facts& facts, const Sync& last) {
  return std::ranges::any_of(facts.claimed, [&](const Pod* pod) {
    const bool was_ready = pod->ready_changed && *pod->ready_changed <= last.now;
    return was_ready && facts.available(*pod) && !Facts::ready_for_longer(*pod, facts.min_ready_seconds, last.now);
  });
}

std::string first_write(const Sync& sync) {
  const auto call = std::ranges::find_if(sync.calls, [](const Call& c) { return c.writes(); });
  return words(name_of(call->request.verb), " ", name_of(call->request.kind), " ", call->request.name);
}

Judgement waits_for(const Moment& m, const History::Versions& own, std::initializer_list<Kind> kinds) {
  const Sync& sync = *m.sync;
  if (!sync.gates.stale_guard || m.facts->set == nullptr) return Judgement::not_applicable();
  const auto kind = std::ranges::find_if(kinds, [&](Kind k) { return is_behind(sync, own, k); });
  if (kind == kinds.end()) return Judgement::not_applicable();
  return Judgement::of(!sync.wrote(), [&] {
    return words("the cache of ", name_of(*kind), "s does not show what this process did, and still it asked to ", first_write(sync));
  });
}

/// The pod that is to be made next, or made away with, where nothing that will be told of stands in the way; empty when there is none.
Text next_to_do(const Facts& facts) {
  for (const Slot& slot : facts.slots) {
    if (slot.pod == nullptr) return pod_name(facts.set->meta.name, slot.ordinal);
    if (facts.surely_healthy(*slot.pod)) continue;
    return Facts::terminal(*slot.pod) && !slot.pod->meta.terminating() ? slot.pod->meta.name : Text{};
  }
  const bool all_well = std::ranges::all_of(facts.condemned, [&](const Pod* pod) { return facts.surely_healthy(*pod); });
  return all_well && !facts.condemned.empty() ? facts.condemned.front()->meta.name : Text{};
}

/// Something a turn may wait for by failing: a claim that leaves or is to leave with a pod or a set of before, its own writes, a pod
/// that nobody can repair, one that holds a name, a set that is going or another one by now, caches that show what it has read.
bool has_to_wait(const Moment& m) {
  const Sync& sync = *m.sync;
  const auto leaves = [](const Claim* claim) { return claim->meta.terminating(); };
  const auto is_unreadable = [](const Revision* revision) { return revision->data.decoded == nullptr; };
  const auto is_gone = [&](const OwnerReference& owner) {
    const Pod* pod = refers_to_pod(owner) ? sync.seen.pods.find(owner.name) : nullptr;
    return refers_to_pod(owner) ? pod == nullptr || pod->meta.uid != owner.uid : refers_to_set(owner) && owner.uid != m.facts->set->meta.uid;
  };
  const auto is_left_behind = [&](const Claim* claim) { return std::ranges::any_of(owners_of(claim->meta), is_gone); };
  const auto is_unseen = [&](Kind kind) { return is_behind(sync, m.history.touched, kind); };
  const auto is_taken = [&](const Slot& slot) { return is_name_taken(m, slot); };
  return std::ranges::any_of(m.facts->slots, is_taken) || std::ranges::any_of(sync.seen.claims.all, leaves) || std::ranges::any_of(sync.seen.claims.all, is_left_behind) ||
         sync.has_read_news() || std::ranges::any_of(m.facts->history, is_unreadable) || blocked_by_unrepairable_pod(*m.facts) || was_told_of_the_end(sync) ||
         std::ranges::any_of(every_kind, is_unseen);
}

/// The last turn was promised another one, whose time has come, and nothing made this one.
bool was_forgotten(const Moment& m) {
  const Sync* last = last_turn(m);
  const Sync& sync = *m.sync;
  return last != nullptr && !sync.queued && last->next && by_one_clock(*last, sync) && last->ended + *last->next <= sync.now;
}

}  // namespace

// --- what makes a turn -------------------------------------------------------------------------------------------------

Judgement by_events(const Moment& m) {
  const Sync* last = last_turn(m);
  const Sync& sync = *m.sync;
  if (sync.queued || last == nullptr || m.facts->set == nullptr) return Judgement::not_applicable();
  // A set that is news makes a turn, whether there is anything to be done or not, and whatever the last one is to be followed by.
  if (m.facts->set->meta.version > last->seen.reached[place_of(Kind::set)])
    return Judgement::broken("the set has changed since the last turn, and nothing had made one");
  if (last->result.failed || asks_at_once(*last) || m.facts->irregular) return Judgement::not_applicable();
  // What the last turn wrote may be asked for again while nothing shows it, or be made and gone between two lists of a cache, which
  // then tells of neither; and what the turn was told may have been wrong.
  const bool misled = std::ranges::any_of(last->calls, [](const Call& call) { return call.fault != Fault::none; });
  if (misled || !by_one_clock(*last, sync) || last->wrote() || sync.has_read_news()) return Judgement::not_applicable();
  // Claims and revisions wake nobody.
  if (!saw_the_same(Kind::claim, *last, sync) || !saw_the_same(Kind::revision, *last, sync) || grew_available(*m.facts, *last))
    return Judgement::not_applicable();
  const bool found_work = std::ranges::any_of(sync.calls, [](const Call& call) {
    const bool makes_sure = call.request.verb == Verb::create && (call.reply.code == Code::already_exists || call.fault != Fault::none);
    return call.writes() && !makes_sure;  // of what is there
  });
  return Judgement::of(!found_work, [&] { return words("nothing had made a turn, and there was need to ", first_write(sync)); });
}

Judgement leaves_nothing_undone(const Moment& m) {
  const Sync& sync = *m.sync;
  const Facts& facts = *m.facts;
  const bool concerned = facts.set != nullptr && !facts.deleting && !facts.irregular && !facts.recreating();
  // What is written comes back as news, and so does what the view does not show yet.
  if (!concerned || sync.died || !sync.fresh || sync.wrote()) return Judgement::not_applicable();
  const Text next = next_to_do(facts);
  if (next.empty()) return Judgement::not_applicable();
  return Judgement::of(sync.result.failed || (sync.next && *sync.next <= soon), [&] {
    return words("pod ", next, " is missing, finished or too many: the turn did nothing about it, and ",
                 sync.next ? words("the next one comes only after ", sync.next->ms, " ms") : "nothing makes another one");
  });
}

Judgement as_asked(const Moment& m) {
  if (was_forgotten(m)) return Judgement::broken("the last turn was to be followed by another one by now, and nothing made it");
  const Sync& sync = *m.sync;
  const auto& wait = sync.result.requeue_after;
  if (sync.died || sync.result.failed || (!wait && sync.timed)) return Judgement::not_applicable();
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
  const bool fine = sync.next && (sync.timed || *sync.next > Time{}) && *sync.next <= longest_wait;
  return Judgement::of(fine, [&] {
    if (!sync.next) return std::string("the turn failed, and nothing makes another one");
    return words("the turn failed, and the next one comes after ", sync.next->ms, " ms");
  });
}

Judgement ever_later(const Moment& m) {
  const Sync* last = last_turn(m);
  const Sync& sync = *m.sync;
  if (last == nullptr || !last->result.failed || !sync.result.failed || sync.died) return Judgement::not_applicable();
  if (last->timed || sync.timed || !last->next || !sync.next) return Judgement::not_applicable();
  return Judgement::of(*sync.next >= std::min(*last->next + *last->next, longest_wait), [&] {
    return words("two turns failed, one after the other: the first was to be followed after ", last->next->ms,
                 " ms, the second after ", sync.next->ms);
  });
}

Judgement first_retry_is_soon(const Moment& m) {
  const Sync& sync = *m.sync;
  if (!fails_first(m)) return Judgement::not_applicable();
  return Judgement::of(sync.next && *sync.next <= soon, [&] {
    return words("the first turn that failed is followed ", sync.next ? words("only after ", sync.next->ms, " ms") : "by none");
  });
}

Judgement forgets_failures(const Moment& m) {
  const Sync& sync = *m.sync;
  if (!fails_first(m) || !m.history.first_retry) return Judgement::not_applicable();
  return Judgement::of(sync.next && *sync.next <= *m.history.first_retry, [&] {
    return words("the first failed turn was followed after ", m.history.first_retry->ms,
                 " ms; one after a success comes only after ", sync.next ? sync.next->ms : 0);
  });
}

// --- what a turn waits for ---------------------------------------------------------------------------------------------

Judgement own_writes_first(const Moment& m) {
  return waits_for(m, m.history.written, {Kind::pod, Kind::claim, Kind::set});
}

Judgement guard_waits(const Moment& m) {
  if (!m.sync->waits_for_writes) return Judgement::not_applicable();
  return waits_for(m, m.history.awaited, {Kind::pod, Kind::claim, Kind::set});
}

Judgement own_deletions_first(const Moment& m) { return waits_for(m, m.history.removed, {Kind::pod}); }

Judgement fails_with_cause(const Moment& m) {
  const Sync& sync = *m.sync;
  if (sync.died || !sync.result.failed || m.facts->set == nullptr) return Judgement::not_applicable();
  return Judgement::of(std::ranges::any_of(sync.calls, &Call::failed) || has_to_wait(m), [&] {
    return words("the turn failed (", sync.result.what, ") though every request succeeded");
  });
}

}  // namespace ordeal::properties::waking
