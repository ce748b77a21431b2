#include "properties/invariants/scaling.h"

#include <algorithm>

#include "core/api/names.h"
#include "properties/evidence/at_rest.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/removal.h"
#include "properties/evidence/turn.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/one_view.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::scaling {
namespace {

/// Recreate replaces all outdated pods at once, surplus ones too: that is no scaling.
bool is_recreation(const Facts& facts, const Pod& pod) {
  return facts.set->spec->strategy == Strategy::recreate && facts.outdated(pod);
}

/// The pod an OrderedReady set scales away with this call; null when the call is something else.
const Pod* scaled_away(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_regular(facts) || !facts.ordered) return nullptr;
  const Removed& removed = removed_by(m, *m.call);
  return removed.why == Removal::condemned && !is_recreation(facts, *removed.pod) ? removed.pod : nullptr;
}

std::int32_t ordinal_of(const Pod& pod) { return number(parse_member(pod.meta.name).ordinal); }

/// A pod of the view above this one and outside the range, of which `matters` holds; null when there is none.
template <class Matters>
const Pod* successor(const Facts& facts, const Pod& pod, Matters matters) {
  for (const Pod* other : facts.condemned) {  // highest first
    if (ordinal_of(*other) <= ordinal_of(pod)) return nullptr;
    if (matters(*other)) return other;
  }
  return nullptr;
}

std::string while_staying(const Pod& gone, const Slot& slot, std::string_view what) {
  return words("pod ", gone.meta.name, " was scaled away while ordinal ", number(slot.ordinal), what);
}

}  // namespace

Judgement predecessors_ready(const Moment& m) {
  const Pod* gone = scaled_away(m);
  if (gone == nullptr) return Judgement::not_applicable();
  for (const Slot& slot : m.facts->slots) {
    if (slot.pod == nullptr) return Judgement::broken(while_staying(*gone, slot, " was missing"));
    if (slot.pod->meta.terminating()) return Judgement::broken(while_staying(*gone, slot, " was terminating"));
    if (!Facts::running_and_ready(*slot.pod))
      return Judgement::broken(while_staying(*gone, slot, " was not Running and Ready"));
  }
  return Judgement::held();
}

Judgement predecessors_available(const Moment& m) {
  if (m.facts->min_ready_seconds == 0) return Judgement::not_applicable();
  const Pod* gone = scaled_away(m);
  if (gone == nullptr) return Judgement::not_applicable();
  for (const Slot& slot : m.facts->slots)
    if (slot.pod != nullptr && slot.pod->ready && !m.facts->available(*slot.pod))
      return Judgement::broken(while_staying(*gone, slot, " had not been ready for minReadySeconds"));
  return Judgement::held();
}

Judgement highest_first(const Moment& m) {
  const Pod* gone = scaled_away(m);
  if (gone == nullptr) return Judgement::not_applicable();
  const Pod* higher = successor(*m.facts, *gone, [](const Pod& pod) { return !pod.meta.terminating(); });
  return Judgement::of(higher == nullptr,
                       [&] { return words("pod ", gone->meta.name, " was scaled away before ", higher->meta.name); });
}

Judgement one_at_a_time(const Moment& m) {
  if (!is_regular(*m.facts) || !m.facts->ordered) return Judgement::not_applicable();
  const Pod *first = nullptr, *second = nullptr;
  each_removal(m, [&](const Removed& removed) {
    if (removed.why != Removal::condemned || is_recreation(*m.facts, *removed.pod)) return;
    if (first != nullptr) second = removed.pod;
    else if (!left_nothing(*removed.call)) first = removed.pod;
  });
  if (first == nullptr) return Judgement::not_applicable();
  return Judgement::of(second == nullptr, [&] {
    return words("pods ", first->meta.name, " and ", second->meta.name, " were scaled away in the same turn");
  });
}

Judgement successors_gone(const Moment& m) {
  const Pod* gone = scaled_away(m);
  if (gone == nullptr) return Judgement::not_applicable();
  const Pod* stopping = successor(*m.facts, *gone, [](const Pod& pod) { return pod.meta.terminating(); });
  return Judgement::of(stopping == nullptr, [&] {
    return words("pod ", gone->meta.name, " was scaled away while ", stopping->meta.name, " was still shutting down");
  });
}

Judgement removed_by_one_view(const Moment& m) { return by_one_view(m, highest_first, {successors_gone}); }

Judgement strictly_descending(const Moment& m) {
  const bool is_excused = !m.history.left_alone() || m.history.evicted;
  if (is_excused || !takes_away(*m.pod_change)) return Judgement::not_applicable();
  const Pod& gone = *m.pod_change->before;
  const StatefulSet* set = owner_in(m.truth, gone);
  if (set == nullptr || set->meta.terminating()) return Judgement::not_applicable();
  const bool in_order = set->spec->pod_management == PodManagement::ordered_ready;
  if (set->is_edited_since_status() || !in_order || set->spec->strategy == Strategy::recreate)
    return Judgement::not_applicable();
  if (set->spec->covers(parse_member(gone.meta.name).ordinal)) return Judgement::not_applicable();
  for (const Pod* other : m.truth.pods().live().all()) {
    if (owner_in(m.truth, *other) != set || ordinal_of(*other) <= ordinal_of(gone)) continue;
    if (!set->spec->covers(parse_member(other->meta.name).ordinal))
      return Judgement::broken(words("pod ", gone.meta.name, " went while ", other->meta.name, " was still there"));
  }
  return Judgement::held();
}

namespace {

/// Every surplus pod that is not going yet was removed in this turn; `though` says what should not have kept it from
/// that.
Judgement all_removed(const Moment& m, std::string_view though) {
  const auto surplus = std::ranges::count_if(m.facts->condemned, [](const Pod* p) { return !p->meta.terminating(); });
  if (surplus == 0) return Judgement::not_applicable();
  std::ptrdiff_t removed_pods = 0;
  each_removal(m, [&](const Removed& removed) { removed_pods += removed.why == Removal::condemned ? 1 : 0; });
  return Judgement::of(removed_pods >= surplus, [&] {
    return words("of ", surplus, " surplus pods only ", removed_pods, " were removed, though ", though);
  });
}

}  // namespace

Judgement parallel_removes_all(const Moment& m) {
  if (!works_at_once(*m.facts) || !m.facts->clean) return Judgement::not_applicable();
  return all_removed(m, "nothing failed");
}

Judgement missing_pods_do_not_block(const Moment& m) {
  const Sync& sync = *m.sync;
  if (!works_at_once(*m.facts) || sync.died) return Judgement::not_applicable();
  const auto is_more = [&](const Call& call) {
    return went_wrong(sync, call) && !call.is(Verb::create, Kind::pod) && !call.is(Verb::create, Kind::claim);
  };
  if (std::ranges::any_of(sync.calls, is_more)) return Judgement::not_applicable();
  if (!something_went_wrong(sync) && !fails_for_a_place(m)) return Judgement::not_applicable();
  return all_removed(m, "no more than the creation of a pod failed");
}

/// What is well and has not been well for long is removed as one that is broken: it serves nobody that stays.
Judgement broken_pods_go_at_once(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_regular(facts) || !facts.ordered || facts.condemned.empty() || !facts.clean)
    return Judgement::not_applicable();
  const Pod& highest = *facts.condemned.front();
  const bool all_well = std::ranges::all_of(
      facts.slots, [&](const Slot& slot) { return slot.pod != nullptr && facts.surely_healthy(*slot.pod); });
  if (!all_well || facts.recreating() || highest.meta.terminating()) return Judgement::not_applicable();
  const bool removed = std::ranges::find(facts.removals, &highest, &Removed::pod) != facts.removals.end();
  return Judgement::of(removed, [&] {
    return words("pod ", highest.meta.name, " is surplus, all pods that stay are well, and it was not removed");
  });
}

/// Of a pod that has ended, or is outdated, nobody can tell whether it was scaled away or is to be replaced.
Judgement only_outside_range(const Moment& m) {
  if (m.facts->condemned.empty()) return Judgement::not_applicable();
  return Judgement::of(removed_by(m, *m.call).why != Removal::current, [&] {
    return words("pod ", m.call->request.name,
                 " was removed while there were surplus pods, but belongs to the range of ", m.facts->range_text());
  });
}

Judgement completes(const Moment& m) {
  if (!is_at_rest(m)) return Judgement::not_applicable();
  if (!m.facts->condemned.empty() && needs_a_human(*m.facts)) return Judgement::not_applicable();
  return Judgement::of(m.facts->condemned.empty(), [&] {
    return words("pod ", m.facts->condemned.front()->meta.name, " is still there, outside the range");
  });
}

Judgement broken_pods_do_not_block(const Moment& m) {
  if (!is_at_rest(m) || !m.facts->ordered) return Judgement::not_applicable();
  if (blocked_by_unrepairable_pod(*m.facts)) return Judgement::not_applicable();  // in the range, which comes first
  return Judgement::of(!blocked_by_broken_surplus(*m.facts), [&] {
    return words("pod ", m.facts->condemned.front()->meta.name, " is broken, surplus, and still there");
  });
}

}  // namespace ordeal::properties::scaling
