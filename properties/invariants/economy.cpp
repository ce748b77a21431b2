#include "properties/invariants/economy.h"

#include <algorithm>
#include <ranges>

#include "core/api/names.h"
#include "properties/evidence/at_rest.h"
#include "properties/evidence/before.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/invariants/words.h"
#include "properties/scenario/counted.h"

namespace ordeal::properties::economy {
namespace {

/// Some call, of those that count, after one like it that succeeded; or null. Many calls are sorted, since each would
/// have to be compared with each.
template <class Counts>
const Call* asked_again(std::span<const Call> calls, Counts counts) {
  constexpr std::size_t few = 24;
  std::vector<const Call*> sorted;
  if (calls.size() > few) sorted.reserve(calls.size());
  for (const Call& call : calls) {
    if (!counts(call)) continue;
    if (calls.size() > few) {
      sorted.push_back(&call);
      continue;
    }
    for (const Call* earlier = calls.data(); earlier != &call; ++earlier)
      if (!earlier->failed() && counts(*earlier) && same_request(*earlier, call)) return &call;
  }
  // Of calls that are alike, the earlier one is first.
  std::ranges::sort(sorted, {}, [](const Call* call) { return std::pair(asked_for(*call), call); });
  const auto at = std::ranges::adjacent_find(
      sorted, [](const Call* a, const Call* b) { return !a->failed() && same_request(*a, *b); });
  return at == sorted.end() ? nullptr : *(at + 1);
}

// --- what an update is made from ---------------------------------------------------------------------------------------

/// The first entry that is other than it was shown, and is sent as it was shown; null when there is none. The labels
/// that say which pod it is are the controller's to put right.
const Text* entry_put_back(const Shared<StringMap>& shown, const Shared<StringMap>& stored,
                           const Shared<StringMap>& sent) {
  const auto in = [](const Shared<StringMap>& map, const Text& key) { return map ? map->find(key) : nullptr; };
  const auto alike = [](const Text* a, const Text* b) { return a == b || (a != nullptr && b != nullptr && *a == *b); };
  for (const Shared<StringMap>* map : {&shown, &stored}) {
    if (*map == nullptr) continue;
    for (const auto& [key, value] : **map) {
      if (key == label_pod_name || key == label_pod_index) continue;
      const Text* was = in(shown, key);
      if (!alike(was, in(stored, key)) && alike(was, in(sent, key))) return &key;
    }
  }
  return nullptr;
}

/// The same of owners; whether a claim is a set's or a pod's is the controller's to say.
const Text* owner_put_back(Kind kind, const ObjectMeta& shown, const ObjectMeta& stored, const ObjectMeta& sent) {
  const auto has = [](const ObjectMeta& meta, const OwnerReference& owner) { return is_among(owner, &meta); };
  for (const ObjectMeta* meta : {&shown, &stored})
    for (const OwnerReference& owner : owners_of(*meta)) {
      if (kind == Kind::claim && (refers_to_set(owner) || refers_to_pod(owner))) continue;
      if (has(shown, owner) != has(stored, owner) && has(shown, owner) == has(sent, owner)) return &owner.name;
    }
  return nullptr;
}

const Text* finalizer_put_back(const ObjectMeta& shown, const ObjectMeta& stored, const ObjectMeta& sent) {
  for (const ObjectMeta* meta : {&shown, &stored})
    for (std::size_t i = 0; meta->finalizers != nullptr && i < meta->finalizers->size(); ++i)
      if (const Text& finalizer = (*meta->finalizers)[i];
          shown.has_finalizer(finalizer) != stored.has_finalizer(finalizer) &&
          shown.has_finalizer(finalizer) == sent.has_finalizer(finalizer))
        return &finalizer;
  return nullptr;
}

/// What somebody changed after the controller was shown the object, and what this update changes back.
const Text* put_back(const Moment& m) {
  if (m.call->request.kind == Kind::set) return nullptr;  // a status says nothing of labels and the like
  const ObjectMeta* shown = meta_shown_before(m.sync->seen, m.call->request);
  const ObjectMeta* stored = meta_stored_before(*m.call);
  if (!m.call->committed || shown == nullptr || stored == nullptr) return nullptr;
  if (shown->uid != stored->uid || shown->version == stored->version) return nullptr;
  const ObjectMeta& sent = meta_of(m.call->request);
  if (const Text* label = entry_put_back(shown->labels, stored->labels, sent.labels)) return label;
  if (const Text* note = entry_put_back(shown->annotations, stored->annotations, sent.annotations)) return note;
  if (const Text* finalizer = finalizer_put_back(*shown, *stored, sent)) return finalizer;
  return owner_put_back(m.call->request.kind, *shown, *stored, sent);
}

/// It failed, and not as an answer does that says all there is to know: that what was read is not there. Whoever is
/// told so of what was to go need not ask again at once.
bool is_a_failure(const Call& call) {
  return call.failed() && !(call.request.verb == Verb::get && call.reply.code == Code::not_found);
}

/// What failed in this turn as in the last one, where this one asks for the next no later than that did; null: nothing,
/// or something that had not failed before failed as well, and the wait may be for that. Whoever has changed something
/// goes on, and comes to an end.
const Call* failed_again(const Moment& m) {
  const Sync* last = last_turn(m);
  if (last == nullptr || !last->result.requeue_after || *m.sync->result.requeue_after > *last->result.requeue_after)
    return nullptr;
  if (std::ranges::any_of(m.sync->calls, &Call::committed)) return nullptr;
  const Call* again = nullptr;
  for (const Call& call : m.sync->calls) {
    if (!is_a_failure(call)) continue;
    const bool had_failed = std::ranges::any_of(last->calls, [&](const Call& before) {
      return same_request(call, before) && before.reply.code == call.reply.code;
    });
    if (!had_failed) return nullptr;
    if (again == nullptr) again = &call;
  }
  return again;
}

/// Some pod will have been ready for minReadySeconds when so much time is over.
bool awaits_a_pod(const Moment& m, Time wait) {
  return m.facts->min_ready_seconds > 0 && std::ranges::any_of(m.sync->seen.pods.all, [&](const Pod* pod) {
           return pod->ready && pod->ready_changed &&
                  *pod->ready_changed + Time::seconds(m.facts->min_ready_seconds) <= m.sync->now + wait &&
                  *pod->ready_changed + Time::seconds(m.facts->min_ready_seconds) >= m.sync->now;
         });
}

/// Pods and places, each with its claims.
std::size_t things_of(const Facts& facts, std::size_t pods) {
  return (facts.slots.size() + pods) * (1 + facts.set->spec->claim_templates.size());
}

}  // namespace

Judgement no_empty_update(const Moment& m) {
  const Request& request = m.call->request;
  if (meta_shown_before(m.sync->seen, request) == nullptr) return Judgement::not_applicable();
  return Judgement::of(!writes_as_shown(m.sync->seen, request),
                       [&] { return words(name_of(request.kind), " ", request.name, " was written just as it was"); });
}

Judgement each_write_once(const Moment& m) {
  if (m.sync->calls.size() < 2) return Judgement::not_applicable();
  const Call* again = asked_again(m.sync->calls, [](const Call& call) { return call.writes(); });
  return Judgement::of(again == nullptr,
                       [&] { return words("the request to ", again->request, " had succeeded, and was made again"); });
}

namespace {

/// The last that was said of the object is that somebody has changed it: whoever tries again has to read it again.
bool follows_a_conflict(const Sync& sync, const Call& read) {
  const auto before = calls_until(sync, read) | std::views::reverse;
  const auto last = std::ranges::find_if(before, [&](const Call& call) {
    return call.request.kind == read.request.kind && call.request.name == read.request.name;
  });
  return last != before.end() && last->writes() && last->reply.code == Code::conflict;
}

}  // namespace

Judgement each_read_once(const Moment& m) {
  if (m.sync->calls.size() < 2) return Judgement::not_applicable();
  const Call* again = asked_again(
      m.sync->calls, [&](const Call& call) { return !call.writes() && !follows_a_conflict(*m.sync, call); });
  return Judgement::of(again == nullptr, [&] {
    return words(name_of(again->request.kind), " ", again->request.name, " was read already, and is read again");
  });
}

Judgement overwrites_nothing(const Moment& m) {
  const Request& request = m.call->request;
  if (request.version == Version::none)
    return Judgement::broken(
        words(name_of(request.kind), " ", request.name, " is written whatever has become of it since it was read"));
  // The newest version may be named by what was made from an older one.
  const Text* undone = put_back(m);
  return Judgement::of(undone == nullptr, [&] {
    return words("the update of ", name_of(request.kind), " ", request.name, " changes ", *undone,
                 " back to what it was before somebody changed it");
  });
}

Judgement bounded_turn(const Moment& m) {
  if (m.sync->endless)
    return Judgement::broken(words("a turn had made ", m.sync->calls.size(), " requests, and was not at its end"));
  if (m.facts->set == nullptr || m.sync->calls.empty()) return Judgement::not_applicable();
  // Each thing may be read, written, and written again after conflicts.
  constexpr std::size_t calls_each = 6, calls_for_the_set = 16;
  const std::size_t others = m.sync->seen.revisions.all.size() + m.facts->orphans.size();
  const std::size_t most = calls_for_the_set + calls_each * (things_of(*m.facts, m.facts->claimed.size()) + others);
  const auto is_request = [](const Call& call) { return call.request.of_list != OfList::further; };
  const auto requests = static_cast<std::size_t>(std::ranges::count_if(m.sync->calls, is_request));
  return Judgement::of(requests <= most, [&] {
    return words("a turn made ", counted(requests, "request"), "; for all it could ask about ", most, " are enough");
  });
}

namespace {

/// Until then the turn before asked to wait, and something else made this one meanwhile.
bool keeps_to_its_time(const Moment& m, Time wait) {
  const Sync* last = last_turn(m);
  if (last == nullptr || !last->result.requeue_after) return false;
  const Time until = last->now + *last->result.requeue_after, now = m.sync->now;
  return last->skewed != m.sync->skewed || (now < until && until <= now + wait);
}

constexpr Time soon = Time::seconds(1);

/// So soon for the first time, or after twice as long as the last time.
bool backs_off(const Moment& m, Time wait) {
  const Sync* last = last_turn(m);
  if (last == nullptr || !last->result.requeue_after || *last->result.requeue_after >= soon) return true;
  return wait.ms >= 2 * last->result.requeue_after->ms;
}

}  // namespace

Judgement no_busy_loop(const Moment& m) {
  const auto& wait = m.sync->result.requeue_after;
  if (m.sync->died || m.sync->result.failed || !wait) return Judgement::not_applicable();
  const bool for_a_pod = awaits_a_pod(m, *wait);
  if (const Call* failed = failed_again(m); failed != nullptr && *wait < Time{100} && !for_a_pod)
    return Judgement::broken(words("the request to ", failed->request, " failed (", name_of(failed->reply.code),
                                   ") as in the turn before, and the next comes after ", wait->ms, " ms again"));
  const bool did_something = for_a_pod || m.sync->wrote() || !saw_the_same_as_before(m);
  const bool may_be_soon = did_something || keeps_to_its_time(m, *wait) || backs_off(m, *wait);
  const bool at_once = *wait == Time{} && !m.sync->wrote();
  return Judgement::of(!at_once && (may_be_soon || *wait >= soon), [&] {
    return words("the turn asks for the next in ", wait->ms, " ms",
                 did_something ? "" : ", having done nothing about what the last one saw, too");
  });
}

Judgement few_writes_to_rest(const Moment& m) {
  const Facts& facts = *m.facts;
  if (facts.set == nullptr) return Judgement::not_applicable();
  // One that waits for a human may be looked at for ever (convergence.comes-to-rest), and need not be written to. A
  // process that dies each time begins anew each time (errors.never-dies).
  const Sync* last = m.history.last_sync;
  const bool is_stuck = blocked_by_broken_update(facts) || blocked_by_broken_surplus(facts);
  if (!m.history.came_to_rest && (!is_stuck || (last != nullptr && last->died))) return Judgement::not_applicable();
  // A pod or claim may go, come back and be put right, twice; each time the status follows.
  constexpr std::size_t writes_each = 8, writes_for_the_set = 32;
  const auto pods = static_cast<std::size_t>(m.history.pods_at_end);
  const std::size_t most = writes_for_the_set + writes_each * (things_of(facts, pods) + facts.history.size());
  return Judgement::of(static_cast<std::size_t>(m.history.writes_since_end) <= most, [&] {
    return words("it took ", counted(m.history.writes_since_end, "write"),
                 m.history.came_to_rest ? " to come to rest; " : ", and there is no rest; ", most, " are enough");
  });
}

Judgement inputs_untouched(const Moment& m) {
  const std::optional<Text>& touched = m.sync->result.touched;
  if (!touched) return Judgement::not_applicable();
  return Judgement::of(touched->empty(),
                       [&] { return words("the turn changed ", *touched, " of its cache instead of a copy"); });
}

Judgement no_data_race(const Moment& m) {
  const std::optional<Text>& races = m.sync->result.races;
  if (!races) return Judgement::not_applicable();
  return Judgement::of(races->empty(), [&] {
    return words("in this turn threads used the same memory at the same time, with nothing to order them: ", *races);
  });
}

}  // namespace ordeal::properties::economy
