#include "properties/invariants/convergence.h"

#include <algorithm>
#include <ranges>

#include "core/api/names.h"
#include "properties/evidence/at_rest.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/removal.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/words.h"
#include "properties/scenario/counted.h"

namespace ordeal::properties::convergence {
namespace {

/// The set is there to stay and at rest, and nothing it waits for needs a human.
bool rests_well(const Moment& m) { return is_at_rest(m) && !needs_a_human(*m.facts); }

/// The places that must be whole by now: none of a set that is not at rest.
std::span<const Slot> settled_places(const Moment& m) {
  return is_at_rest(m) ? places_free(*m.facts) : std::span<const Slot>{};
}

/// What a set that does not rest lacks, the first thing in the order a controller works: "pod web-1 is missing".
std::string first_lack(const Facts& facts) {
  if (facts.set == nullptr) return "the set is gone";
  if (facts.deleting) return "the set is being deleted";
  for (const Slot& slot : facts.slots) {
    if (slot.pod == nullptr) return words("there is no pod for ordinal ", number(slot.ordinal));
    const std::string name = "pod " + slot.pod->meta.name.str();
    if (slot.pod->meta.terminating()) return name + " is being deleted";
    if (Facts::terminal(*slot.pod)) return name + " has ended";
    if (!Facts::running_and_ready(*slot.pod)) return name + " is not ready";
    if (!facts.available(*slot.pod)) return name + " is not available yet";
    if (facts.outdated(*slot.pod)) return name + " is outdated";
  }
  if (!facts.condemned.empty()) return words("pod ", facts.condemned.front()->meta.name, " is outside the range");
  return "every pod is as it should be";
}

/// The two syncs were shown the same at times that make no difference.
bool same_view(const Facts& facts, const Sync& a, const Sync& b) {
  if (!(a.key == b.key) || a.seen.reached != b.seen.reached) return false;
  const bool goes_by_time = facts.min_ready_seconds > 0 || a.result.requeue_after;
  return !goes_by_time || a.now == b.now;
}

/// They ask for the same writes, whatever their order, which may be that of a map. To make sure of something now and
/// then is everybody's right.
bool same_writes(std::span<const Call> a, std::span<const Call> b) {
  const auto writes = [](const Call& call) { return call.writes(); };
  const auto writes_of = [&](std::span<const Call> calls) { return calls | std::views::filter(writes); };
  if (std::ranges::equal(writes_of(a), writes_of(b), same_request)) return true;
  auto one = writes_of(a), other = writes_of(b);
  return std::ranges::is_permutation(one, other, same_request);
}

/// Kubernetes uses an equal revision whoever's it is, and asks again in every turn, since it does not list it.
bool asks_for_a_foreign_revision(const Moment& m, const Call& call) {
  if (!call.is(Verb::create, Kind::revision) || call.reply.code != Code::already_exists) return false;
  return std::ranges::none_of(m.facts->history,
                              [&](const Revision* held) { return held->meta.name == call.request.name; });
}

bool was_created_since(const Cluster& truth, Uid pod, Version since) {
  const auto log = truth.pods().log();
  const auto from = std::ranges::upper_bound(log, since, {}, &Change<Pod>::version);
  return std::any_of(from, log.end(), [&](const Change<Pod>& change) {
    return change.before == nullptr && change.after->meta.uid == pod;
  });
}

/// When the turn has to be followed by another, since it waits for the set's minReadySeconds.
std::optional<Time> waited_for(const Moment& m) {
  const Facts& facts = *m.facts;
  return is_regular(facts) && facts.clean ? facts.next_available : std::nullopt;
}
/// The turn comes just when a pod has been ready for minReadySeconds, and the status that it leaves does not count it:
/// whoever sees it so has to look again at once. A pod that the turn deletes may be left out of the count for that.
bool comes_just_before(const Moment& m) {
  if (!m.facts->removals.empty()) return false;
  const Recount& counted = m.facts->recount;
  const std::int32_t told = status_after(*m.sync, *m.facts->set).available_replicas;
  return told < counted.available && told >= counted.surely_available;
}
/// As many pods are available as are wanted, surplus ones counted in; or one may see it so.
bool enough_available(const Facts& facts) {
  const Recount& counted = facts.recount;
  return counted.surely_available <= facts.replicas && counted.available >= facts.replicas;
}
Judgement must_ask(const Moment& m) {
  const auto& wait = m.sync->result.requeue_after;
  // By a clock that is behind a pod became ready in the future: that comes on top.
  const Time longest =
      std::max(Time::seconds(m.facts->min_ready_seconds), *m.facts->next_available - m.facts->now) + Time::seconds(1);
  return Judgement::of(wait && *wait <= longest, [&] {
    return words("the turn waits for minReadySeconds = ", m.facts->min_ready_seconds,
                 wait ? " and asks for the next one only later" : " and asks for no other");
  });
}

Judgement must_be_complete(const Moment& m) {
  const Facts& facts = *m.facts;
  const auto fine = [&](const Slot& s) { return s.pod != nullptr && facts.healthy(*s.pod) && !facts.outdated(*s.pod); };
  if (facts.update == nullptr || follows_foreign_revision(facts) || !facts.condemned.empty() ||
      nobody_is_above_the_partition(facts) || !std::ranges::all_of(facts.slots, fine))
    return Judgement::not_applicable();
  const Text& current = facts.set->status.current_revision;
  return Judgement::of(current == facts.update_name, [&] {
    return words("every pod is at ", facts.update_name, ", and status.currentRevision stays at ", current);
  });
}

}  // namespace

// --- rest --------------------------------------------------------------------------------------------------------------

Judgement comes_to_rest(const Moment& m) {
  // A pod that no update can repair makes every turn fail: a human has to remove it, as one has to see to a gate.
  const Facts& facts = *m.facts;
  if (facts.is_ruled_out() || blocked_by_unrepairable_pod(facts) || has_too_long_names(facts, m.truth))
    return Judgement::not_applicable();
  const Listing<Claim> claims = m.truth.claims().live().listing();
  if (std::ranges::any_of(facts.slots, [&](const Slot& slot) { return holds_a_leaving_claim(slot, claims); }))
    return Judgement::not_applicable();
  // One that is broken and waits for a human may be looked at for ever: that is rest, while nothing is written.
  return Judgement::of(m.history.came_to_rest, [&] {
    const Sync* last = m.history.last_sync;
    const bool failed = last != nullptr && last->result.failed;
    return words("no rest after ", m.history.rounds, " rounds of ", m.history.bound, ": ", first_lack(facts),
                 failed ? words("; the last turn failed: ", last->result.what) : std::string());
  });
}

Judgement no_writes_at_rest(const Moment& m) {
  if (!m.history.came_to_rest) return Judgement::not_applicable();
  for (const Call& call : m.sync->calls)
    if (call.writes() && !asks_for_a_foreign_revision(m, call))
      return Judgement::broken(words("nothing had changed, and there came a request to ", call.request));
  return Judgement::held();
}

Judgement no_calls_at_rest(const Moment& m) {
  if (!m.history.came_to_rest) return Judgement::not_applicable();
  return Judgement::of(m.sync->calls.empty(), [&] {
    const Request& asked = m.sync->calls.front().request;
    return words("nothing had changed, and there came a request to ", asked);
  });
}

Judgement every_pod_available(const Moment& m) {
  const auto places = settled_places(m);
  if (places.empty() || sleeps_through_min_ready(*m.facts)) return Judgement::not_applicable();
  for (const Slot& slot : places)
    if (slot.pod != nullptr && !Facts::terminal(*slot.pod) && !m.facts->healthy(*slot.pod) &&
        !waits_for_a_strange_claim(*m.facts, slot))
      return Judgement::broken(first_lack(*m.facts));
  return Judgement::held();
}

Judgement finished_pods_replaced(const Moment& m) {
  const auto places = settled_places(m);
  if (places.empty()) return Judgement::not_applicable();
  for (const Slot& slot : places)
    if (slot.pod != nullptr && Facts::terminal(*slot.pod))
      return Judgement::broken(words("pod ", slot.pod->meta.name,
                                     slot.pod->phase == Phase::failed ? " failed" : " succeeded",
                                     " and was not replaced"));
  return Judgement::held();
}

Judgement identity_repaired(const Moment& m) {
  const auto places = settled_places(m);
  if (places.empty()) return Judgement::not_applicable();
  for (const Slot& slot : places) {
    if (slot.pod == nullptr || !m.facts->healthy(*slot.pod)) continue;
    const Text* label = slot.pod->meta.label(label_pod_name);
    if (label == nullptr || *label != slot.pod->meta.name)
      return Judgement::broken(words("pod ", slot.pod->meta.name, " stays without the label that names it"));
  }
  return Judgement::held();
}

Judgement rollout_declared_complete(const Moment& m) {
  if (!rests_well(m) || !m.facts->rolling()) return Judgement::not_applicable();
  return must_be_complete(m);
}

Judgement every_rollout_declared_complete(const Moment& m) {
  if (!rests_well(m) || m.facts->rolling()) return Judgement::not_applicable();
  return must_be_complete(m);
}

Judgement history_within_limit(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!m.history.came_to_rest || facts.set == nullptr || facts.deleting || facts.update == nullptr)
    return Judgement::not_applicable();
  const std::int32_t limit = history_limit_of(*facts.set);
  if (limit < 0) return Judgement::not_applicable();
  const auto unused = std::ranges::count_if(facts.history, [&](const Revision* held) { return !facts.is_live(*held); });
  return Judgement::of(unused <= limit, [&] {
    return words(counted(unused, "unused revision"), " kept for ever with a limit of ", limit);
  });
}

// --- turns -------------------------------------------------------------------------------------------------------------

namespace {

/// Than it is shown: the turn before has read news, or this one by those of its calls, or what the process has written
/// or removed is not to be seen yet.
bool may_know_more(const Moment& m, std::span<const Call> calls) {
  const Sync& last = *m.history.last_sync;
  if (last.read_news || m.sync->has_read_news(calls)) return true;
  if (std::ranges::any_of(last.calls, [](const Call& c) { return c.request.verb == Verb::remove && !c.failed(); }))
    return true;
  return std::ranges::any_of(every_kind, [&](Kind kind) {
    return is_behind(*m.sync, m.history.told.written, kind) || is_behind(*m.sync, m.history.told.removed, kind);
  });
}

}  // namespace

Judgement waits_quietly(const Moment& m) {
  const Sync* last = m.history.last_sync;
  if (m.facts->set == nullptr || m.facts->irregular || last == nullptr || !same_view(*m.facts, *last, *m.sync))
    return Judgement::not_applicable();
  // What it reads once it has begun to write was no reason to begin.
  const auto before = calls_before_first(*m.sync, [](const Call& call) { return call.writes(); });
  if (!last->clean || last->wrote() || may_know_more(m, before)) return Judgement::not_applicable();
  return Judgement::of(!m.sync->wrote(), [&] {
    const auto call = std::ranges::find_if(m.sync->calls, [](const Call& c) { return c.writes(); });
    return words("the last turn was shown the same and did nothing; this one asked to ", call->request);
  });
}

Judgement same_view_same_calls(const Moment& m) {
  const Sync* last = m.history.last_sync;
  if (m.facts->set == nullptr || m.facts->irregular || last == nullptr || !same_view(*m.facts, *last, *m.sync))
    return Judgement::not_applicable();
  if (!last->clean || !m.facts->clean || may_know_more(m, m.sync->calls)) return Judgement::not_applicable();
  return Judgement::of(same_writes(last->calls, m.sync->calls), [&] {
    const auto writes = [](const Sync& sync) { return std::ranges::count_if(sync.calls, &Call::writes); };
    return words("two turns were shown the same; the first asked for ", counted(writes(*last), "write"),
                 ", the second for ", writes(*m.sync), " or others");
  });
}

Judgement never_undoes_itself(const Moment& m) {
  if (!m.history.left_alone()) return Judgement::not_applicable();
  // Without a rollingUpdate block a pod may come back at the current revision once more (kubernetes/kubernetes#78209).
  if (!is_regular(*m.facts) || !m.facts->has_rolling_update) return Judgement::not_applicable();
  const Removed removed = removed_by(m, *m.call);
  if (removed.why != Removal::outdated && removed.why != Removal::current) return Judgement::not_applicable();
  const Version since = spec_since(m.truth, *m.facts->set);
  return Judgement::of(!was_created_since(m.truth, removed.pod->meta.uid, since), [&] {
    return words("pod ", removed.pod->meta.name, " was created for the present spec and is deleted again");
  });
}

Judgement asks_to_be_woken(const Moment& m) {
  return waited_for(m) && !enough_available(*m.facts) ? must_ask(m) : Judgement::not_applicable();
}

Judgement asks_despite_surplus(const Moment& m) {
  return waited_for(m) && enough_available(*m.facts) ? must_ask(m) : Judgement::not_applicable();
}

Judgement woken_in_time(const Moment& m) {
  if (!is_regular(*m.facts) || !m.sync->result.requeue_after || !m.facts->clean) return Judgement::not_applicable();
  const auto due = comes_just_before(m) ? std::optional(m.sync->now) : m.facts->next_available;
  if (!due) return Judgement::not_applicable();
  const Time wait = *m.sync->result.requeue_after, needed = *due - m.sync->now + Time::seconds(1);
  return Judgement::of(wait <= needed, [&] {
    return words("a pod becomes available in ", (*due - m.sync->now).ms, " ms, the next turn comes in ", wait.ms,
                 " ms");
  });
}

}  // namespace ordeal::properties::convergence
