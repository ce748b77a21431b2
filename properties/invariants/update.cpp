#include "properties/invariants/update.h"

#include <algorithm>
#include <array>

#include "core/api/names.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/removal.h"
#include "properties/evidence/turn.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/one_view.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::update {
namespace {

bool is_rolling(const Facts& facts) { return is_regular(facts) && facts.rolling(); }

/// Its replacement is at another revision. Without a rollingUpdate block the lowest pods come again at the current one,
/// as many as there are once this one is gone.
bool would_change(const Facts& facts, const Slot& slot, std::int32_t index) {
  return facts.has_rolling_update || !is_at(*slot.pod, facts.current_name) || index >= facts.recount.current - 1;
}

bool may_be_replaced(const Facts& facts, const Slot& slot, std::int32_t index) {
  return slot.pod != nullptr && index >= facts.partition && facts.outdated(*slot.pod) &&
         !slot.pod->meta.terminating() && !Facts::terminal(*slot.pod);
}

/// It may, and that helps.
bool is_to_be_replaced(const Facts& facts, const Slot& slot, std::int32_t index) {
  return may_be_replaced(facts, slot, index) && would_change(facts, slot, index);
}

/// How many pods of the range an update is still to replace, in conditions for which `counts` holds.
template <class Counts>
std::int32_t replaceable(const Facts& facts, Counts counts) {
  std::int32_t found = 0;
  for (std::size_t i = 0; i < facts.slots.size(); ++i)
    if (is_to_be_replaced(facts, facts.slots[i], static_cast<std::int32_t>(i)) &&
        counts(condition_of(facts, *facts.slots[i].pod)))
      ++found;
  return found;
}

template <class Counts>
std::int32_t updates(const Moment& m, Counts counts) {
  std::int32_t found = 0;
  each_update(m, [&](const Removed& r) { found += counts(condition_of(*m.facts, *r.pod)) ? 1 : 0; });
  return found;
}

/// The set says how many may be unavailable, and the controller heeds it: an API server with the gate off drops that.
bool has_a_budget(const Facts& facts) {
  return facts.counts_unavailable && facts.has_rolling_update &&
         facts.set->spec->rolling_update->max_unavailable.has_value();
}

bool any(Condition) { return true; }
bool is_available(Condition c) { return c == Condition::available; }
bool is_broken(Condition c) { return c == Condition::broken; }
bool is_settling(Condition c) { return c == Condition::settling; }
bool is_unavailable(Condition c) { return is_settling(c) || is_broken(c); }

/// Calls `see(removed)` for each pod that gives service, or is about to, and is replaced by an update all the same.
template <class See>
void each_working_update(const Moment& m, See see) {
  each_update(m, [&](const Removed& r) {
    if (condition_of(*m.facts, *r.pod) != Condition::broken) see(r);
  });
}

/// Of the sync.
std::optional<Removed> first_working_update(const Moment& m) {
  std::optional<Removed> found;
  each_working_update(m, [&](const Removed& r) {
    if (!found) found = r;
  });
  return found;
}

/// Holds when every place, but for the one excepted, has a pod that is Running, ready and available.
Judgement none_missing_but(const Moment& m, const Removed& replaced, std::int32_t excepted) {
  const auto& slots = m.facts->slots;
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (static_cast<std::int32_t>(i) != excepted && (slots[i].pod == nullptr || !m.facts->healthy(*slots[i].pod)))
      return Judgement::broken(words("pod ", replaced.pod->meta.name, " was updated while ordinal ",
                                     number(slots[i].ordinal), slots[i].pod ? " was not available" : " was missing"));
  return Judgement::held();
}

/// A turn before began to replace pods of an OrderedReady set, and it and those since left the rest of what is allowed
/// to this one: how many it stopped. Nothing when it did not, or when anything else is amiss.
std::optional<std::int32_t> begun_batch(const Moment& m, std::int32_t allowed) {
  const Facts& facts = *m.facts;
  const Sync* last = m.history.last_sync;
  if (last == nullptr || m.history.leaves_stopping != facts.set->meta.generation) return std::nullopt;
  std::int32_t stopped = 0;
  for (const Slot& slot : facts.slots) {
    if (slot.pod != nullptr && facts.healthy(*slot.pod)) continue;
    if (slot.pod == nullptr || !slot.pod->meta.terminating() || !facts.outdated(*slot.pod)) return std::nullopt;
    const Pod* then = shown_in<Pod>(*last, m.truth, slot.pod->meta.name);
    const auto works = [](const Pod* pod) { return pod != nullptr && Facts::running_and_ready(*pod); };
    if (!works(slot.pod) || !works(then)) return std::nullopt;  // a broken one goes alone
    ++stopped;
  }
  return stopped > 0 && stopped < allowed ? std::optional(stopped) : std::nullopt;
}

/// The pods of one condition in the order in which an update has to take them.
class Descent {
 public:
  explicit Descent(Condition condition) : condition_(condition) {}
  /// The index that has to come next; -1 when there is none.
  std::int32_t next(const Facts& facts) {
    if (!begun_) at_ = static_cast<std::int32_t>(facts.slots.size());
    begun_ = true;
    while (--at_ >= 0) {
      const Slot& slot = facts.slots[static_cast<std::size_t>(at_)];
      if (may_be_replaced(facts, slot, at_) && condition_of(facts, *slot.pod) == condition_) break;
    }
    return at_;
  }

 private:
  Condition condition_;
  std::int32_t at_ = 0;
  bool begun_ = false;
};

/// Without a rollingUpdate block pods come again at the current revision as long as enough of them are there: for an
/// unavailable one of the current revision that may be the same pod again, which need not be replaced before one of
/// another revision.
bool may_be_passed_by(const Facts& facts, std::int32_t due, const Pod& replaced) {
  const Pod& passed = *facts.slots[static_cast<std::size_t>(due)].pod;
  return !facts.has_rolling_update && is_unavailable(condition_of(facts, passed)) &&
         is_at(passed, facts.current_name) && !is_at(replaced, facts.current_name);
}

std::string_view name_at(const Facts& facts, std::int32_t index) {
  return facts.slots[static_cast<std::size_t>(index)].pod->meta.name;
}

/// Before this call the turn read that there is no such pod any more: to delete it would have come to the same.
bool was_found_gone(const Moment& m, std::string_view pod, const Call& by) {
  return std::ranges::any_of(calls_until(*m.sync, by), [&](const Call& call) {
    return call.is(Verb::get, Kind::pod) && call.request.name == pod && call.reply.code == Code::not_found;
  });
}

Judgement created_at(const Moment& m, std::string_view wanted, std::string_view why) {
  const Text* label = m.call->request.pod().meta.label(label_revision);
  return Judgement::of(label != nullptr && *label == wanted, [&] {
    return words("pod ", m.call->request.name, " was created at revision ", label ? label->view() : "(none)",
                 " instead of ", wanted, why);
  });
}

/// The index a new pod is for; nothing when it is outside the range or no member of the set.
std::optional<std::int32_t> created_index(const Moment& m) {
  const Facts& facts = *m.facts;
  if (facts.set == nullptr || facts.update_name.empty()) return std::nullopt;
  return facts.place_of(parse_member(m.call->request.name).ordinal);
}

}  // namespace

// --- which pods -----------------------------------------------------------------------------------------------------

Judgement respects_partition(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_rolling(facts) || facts.partition == 0) return Judgement::not_applicable();
  const std::size_t below = std::min(facts.slots.size(), static_cast<std::size_t>(facts.partition));
  const auto held_back = [&](const Slot& slot) { return slot.pod != nullptr && facts.outdated(*slot.pod); };
  if (std::none_of(facts.slots.begin(), facts.slots.begin() + static_cast<std::ptrdiff_t>(below), held_back))
    return Judgement::not_applicable();
  const Pod* replaced = nullptr;
  each_update(m, [&](const Removed& r) {
    if (r.index < facts.partition) replaced = r.pod;
  });
  return Judgement::of(replaced == nullptr, [&] {
    return words("pod ", replaced->meta.name, " was updated though the partition is ", facts.partition);
  });
}

Judgement waits_for_users(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_regular(facts) || facts.set->spec->strategy != Strategy::on_delete) return Judgement::not_applicable();
  const auto waiting = [&](const Slot& slot) { return slot.pod != nullptr && facts.outdated(*slot.pod); };
  if (std::ranges::none_of(facts.slots, waiting)) return Judgement::not_applicable();
  const Pod* replaced = nullptr;
  each_removal(m, [&](const Removed& r) {
    if (r.why == Removal::outdated) replaced = r.pod;
  });
  return Judgement::of(replaced == nullptr, [&] {
    return words("pod ", replaced->meta.name, " was updated though the strategy is OnDelete");
  });
}

Judgement only_outdated(const Moment& m) {
  if (!is_regular(*m.facts)) return Judgement::not_applicable();
  const Removed& removed = removed_by(m, *m.call);
  if (removed.why != Removal::outdated && removed.why != Removal::current) return Judgement::not_applicable();
  return Judgement::of(removed.why == Removal::outdated, [&] {
    return words("pod ", removed.pod->meta.name, " was replaced though it is at the update revision, ",
                 m.facts->update_name);
  });
}

// --- in which order -------------------------------------------------------------------------------------------------

Judgement largest_ordinal_first(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_rolling(facts)) return Judgement::not_applicable();
  std::array<Descent, 4> descents{Descent(Condition::available), Descent(Condition::turning),
                                  Descent(Condition::settling), Descent(Condition::broken)};
  std::optional<std::pair<const Pod*, std::int32_t>> wrong;
  bool applied = false;
  each_update(m, [&](const Removed& r) {
    if (wrong || r.index < facts.partition || r.pod->meta.terminating()) return;
    applied = true;
    Descent& descent = descents[static_cast<std::size_t>(condition_of(facts, *r.pod))];
    std::int32_t due = descent.next(facts);
    while (due > r.index && (may_be_passed_by(facts, due, *r.pod) || was_found_gone(m, name_at(facts, due), *r.call)))
      due = descent.next(facts);
    if (due > r.index) wrong = {r.pod, due};
  });
  if (!applied) return Judgement::not_applicable();
  return Judgement::of(!wrong, [&] {
    return words("pod ", wrong->first->meta.name, " was updated before ", name_at(facts, wrong->second));
  });
}

/// Of the lowest one all that come before it in the order of updates are to be done.
Judgement waits_for_successors(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_rolling(facts) || facts.counts_unavailable) return Judgement::not_applicable();
  std::optional<Removed> replaced;
  each_working_update(m, [&](const Removed& r) {
    if (!replaced || r.index < replaced->index) replaced = r;
  });
  if (!replaced) return Judgement::not_applicable();
  for (std::size_t i = static_cast<std::size_t>(replaced->index) + 1; i < facts.slots.size(); ++i) {
    const Slot& slot = facts.slots[i];
    const bool done = slot.pod != nullptr && !slot.pod->meta.terminating() && !facts.outdated(*slot.pod) &&
                      facts.available(*slot.pod);
    if (!done)
      return Judgement::broken(words("pod ", replaced->pod->meta.name, " was updated before ordinal ",
                                     number(slot.ordinal), " was updated and available"));
  }
  return Judgement::held();
}

Judgement waits_for_all(const Moment& m) {
  if (!is_rolling(*m.facts) || !m.facts->ordered || begun_batch(m, m.facts->budget.rounded_up))
    return Judgement::not_applicable();
  const auto replaced = first_working_update(m);
  return replaced ? none_missing_but(m, *replaced, -1) : Judgement::not_applicable();
}

Judgement waits_for_lower_pods(const Moment& m) {
  const bool concerned = is_rolling(*m.facts) && !m.facts->ordered && !m.facts->counts_unavailable;
  const auto replaced = concerned ? first_working_update(m) : std::nullopt;
  return replaced ? none_missing_but(m, *replaced, replaced->index) : Judgement::not_applicable();
}

Judgement after_scaling(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_rolling(facts) || !facts.ordered) return Judgement::not_applicable();
  const auto replaced = first_working_update(m);
  if (!replaced) return Judgement::not_applicable();
  return Judgement::of(facts.condemned.empty(), [&] {
    return words("pod ", replaced->pod->meta.name, " was updated while surplus pod ",
                 facts.condemned.front()->meta.name, " was still there");
  });
}

Judgement replaces_later(const Moment& m) {
  if (!is_rolling(*m.facts)) return Judgement::not_applicable();
  bool applied = false;
  for (const Call& call : m.sync->calls) {
    if (!call.is(Verb::remove, Kind::pod) || removed_by(m, call).why != Removal::outdated) continue;
    applied = true;
    if (left_nothing(call)) continue;
    for (const Call& later : calls_after(*m.sync, call))
      if (later.request.name == call.request.name &&
          (later.is(Verb::create, Kind::pod) || later.is(Verb::update, Kind::pod)))
        return Judgement::broken(
            words("pod ", call.request.name, " was written in the turn that had deleted it for its update"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

// --- how many -------------------------------------------------------------------------------------------------------

Judgement one_at_a_time(const Moment& m) {
  if (!is_rolling(*m.facts) || m.facts->counts_unavailable) return Judgement::not_applicable();
  const std::int32_t count = updates(m, any);
  if (count == 0) return Judgement::not_applicable();
  return Judgement::of(count == 1, [&] { return words(count, " pods were updated in one turn"); });
}

Judgement in_order_within_budget(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_rolling(facts) || !facts.ordered || !facts.counts_unavailable) return Judgement::not_applicable();
  const std::int32_t count = updates(m, any);
  if (count == 0) return Judgement::not_applicable();
  return Judgement::of(count <= facts.budget.rounded_up, [&] {
    return words(count, " pods were updated in one turn, and at most ", facts.budget.rounded_up, " may be unavailable");
  });
}

namespace {

/// `left`: so many more may become unavailable.
Judgement keeps_within(std::int32_t left, std::int32_t budget, const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_rolling(facts) || !facts.counts_unavailable) return Judgement::not_applicable();
  const std::int32_t count = updates(m, is_available);
  if (count == 0) return Judgement::not_applicable();
  return Judgement::of(count <= std::max(0, left), [&] {
    return words(count, " available pods were updated in one turn, while ", facts.unavailable,
                 " were unavailable and at most ", budget, " may be");
  });
}

/// Whichever pods are counted, all of the range or those that the partition does not hold back.
Judgement keeps_either_budget(const Moment& m, std::int32_t Budget::* rounded) {
  const Facts& facts = *m.facts;
  const std::int32_t of_all = facts.budget.*rounded - facts.unavailable;
  const std::int32_t of_update = facts.budget_of_update.*rounded - facts.unavailable_in_update;
  return keeps_within(std::max(of_all, of_update), facts.budget.*rounded, m);
}

}  // namespace

Judgement respects_budget(const Moment& m) { return keeps_either_budget(m, &Budget::rounded_up); }

Judgement counts_pods_below_partition(const Moment& m) {
  const Facts& facts = *m.facts;
  if (facts.partition == 0) return Judgement::not_applicable();
  return keeps_within(facts.budget.rounded_up - facts.unavailable, facts.budget.rounded_up, m);
}

Judgement updated_by_one_view(const Moment& m) {
  return by_one_view(m, largest_ordinal_first, {waits_for_successors, waits_for_all, respects_budget});
}

Judgement rounds_down(const Moment& m) {
  const Budget& budget = m.facts->budget;
  if (budget.rounded_down == budget.rounded_up) return Judgement::not_applicable();
  return keeps_either_budget(m, &Budget::rounded_down);
}

namespace {

Judgement uses(std::int32_t budget, const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_rolling(facts) || facts.update_name.empty()) return Judgement::not_applicable();
  if (facts.ordered && !facts.condemned.empty()) return Judgement::not_applicable();  // scaling down comes first
  const auto healthy = [&](const Slot& slot) { return slot.pod != nullptr && facts.surely_healthy(*slot.pod); };
  const std::int32_t count = updates(m, any);
  // In order a batch is gone on with at once, or not before its pods are back. Whoever does not ask for the next turn
  // may have meant to stop there; and of a set that has been edited since, what was stopped may have been surplus.
  const Sync* last = m.history.last_sync;
  const bool meant_to = last != nullptr && (asks_at_once(*last) || last->rest_by_events) && ran_through(*last) &&
                        !facts.set->is_edited_since_status();
  const std::optional<std::int32_t> begun = meant_to ? begun_batch(m, budget) : std::nullopt;
  if ((!begun && !std::ranges::all_of(facts.slots, healthy)) || !facts.clean) return Judgement::not_applicable();
  const std::int32_t expected = std::min(budget - begun.value_or(0), replaceable(facts, any));
  if (expected <= 0) return Judgement::not_applicable();
  return Judgement::of(count >= expected, [&] {
    return words(count, " pods were updated in one turn, though ", expected, " could be and all ",
                 begun ? "other pods are available" : "pods are available");
  });
}

}  // namespace

Judgement uses_the_budget(const Moment& m) { return uses(m.facts->budget_of_update.rounded_down, m); }

Judgement percentage_of_all_pods(const Moment& m) {
  const std::int32_t budget = m.facts->budget.rounded_down;
  return budget > m.facts->budget_of_update.rounded_down ? uses(budget, m) : Judgement::not_applicable();
}

Judgement uses_what_is_left(const Moment& m) {
  const Facts& facts = *m.facts;
  const bool concerned = is_rolling(facts) && !facts.ordered && facts.counts_unavailable && facts.has_rolling_update;
  if (!concerned || facts.update_name.empty() || !meant_it(m)) return Judgement::not_applicable();
  const auto is_down = [&](const Slot& slot) { return slot.pod == nullptr || !facts.healthy(*slot.pod); };
  const auto down = static_cast<std::int32_t>(std::ranges::count_if(facts.slots, is_down));
  const std::int32_t expected = std::min(facts.budget_of_update.rounded_down - down, replaceable(facts, is_available));
  if (expected <= 0) return Judgement::not_applicable();
  const std::int32_t count = updates(m, [](Condition c) { return !is_unavailable(c); });
  return Judgement::of(count >= expected, [&] {
    return words(count, " available pods were updated in one turn, though ", down, " are unavailable and ",
                 facts.budget_of_update.rounded_down, " may be");
  });
}

namespace {

/// Parallel, and the set says how many may be unavailable: those that are so anyway come first, and all of them.
template <class Counts>
Judgement replaces_at_once(const Moment& m, Counts counts, const char* how_they_are) {
  const Facts& facts = *m.facts;
  const bool concerned = is_rolling(facts) && !facts.ordered && has_a_budget(facts);
  if (!concerned || facts.update_name.empty()) return Judgement::not_applicable();
  const std::int32_t expected = replaceable(facts, counts);
  if (expected == 0 || !meant_it(m)) return Judgement::not_applicable();
  const std::int32_t count = updates(m, counts);
  return Judgement::of(count >= expected, [&] {
    return words("of ", expected, " outdated pods that are ", how_they_are, " only ", count, " were replaced");
  });
}

}  // namespace

Judgement replaces_broken_at_once(const Moment& m) { return replaces_at_once(m, is_broken, "unavailable anyway"); }

Judgement replaces_settling_at_once(const Moment& m) {
  return replaces_at_once(m, is_settling, "ready, but not available yet,");
}

Judgement replaces_broken_one_by_one(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_rolling(facts) || facts.ordered || facts.update_name.empty()) return Judgement::not_applicable();
  if (has_a_budget(facts)) return Judgement::not_applicable();  // all of them then: replaces_broken_at_once
  if (replaceable(facts, is_broken) == 0 || !meant_it(m)) return Judgement::not_applicable();
  return Judgement::of(updates(m, is_unavailable) > 0, [&] {
    return words("of ", replaceable(facts, is_broken), " outdated pods that are broken anyway none was replaced");
  });
}

Judgement replaces_broken_while_others_go(const Moment& m) {
  const Facts& facts = *m.facts;
  const bool concerned = is_rolling(facts) && facts.ordered;
  const bool one_goes = std::ranges::any_of(facts.claimed, [](const Pod* pod) { return pod->meta.terminating(); });
  if (!concerned || !one_goes || facts.update_name.empty() || !meant_it(m)) return Judgement::not_applicable();
  const auto holds_up = [&](const Slot& slot) { return slot.pod == nullptr || !facts.surely_healthy(*slot.pod); };
  const auto first = std::ranges::find_if(facts.slots, holds_up);
  if (first == facts.slots.end() || first->pod == nullptr || Facts::running_and_ready(*first->pod))
    return Judgement::not_applicable();
  if (!is_to_be_replaced(facts, *first, static_cast<std::int32_t>(first - facts.slots.begin())))
    return Judgement::not_applicable();
  return Judgement::of(updates(m, is_unavailable) > 0, [&] {
    return words(
        "pod ", first->pod->meta.name,
        " is broken and outdated, all wait for it, and no such pod was replaced: another one is on its way out");
  });
}

// --- with what ------------------------------------------------------------------------------------------------------

Judgement recreates_current_below_partition(const Moment& m) {
  const auto index = created_index(m);
  if (!index || !m.facts->rolling() || *index >= m.facts->partition) return Judgement::not_applicable();
  return created_at(m, m.facts->current_name, ", the current one, though it is below the partition");
}

Judgement creates_updated(const Moment& m) {
  const auto index = created_index(m);
  if (!index) return Judgement::not_applicable();
  if (m.facts->restores_by_count() || (m.facts->rolling() && *index < m.facts->partition))
    return Judgement::not_applicable();
  return created_at(m, m.facts->update_name, ", that of the template");
}

Judgement creates_by_count(const Moment& m) {
  const auto index = created_index(m);
  if (!index || !m.facts->restores_by_count()) return Judgement::not_applicable();
  const std::int32_t at_current = m.facts->set->status.current_replicas;
  const bool current = *index < at_current;
  return created_at(m, current ? m.facts->current_name : m.facts->update_name, ", as status.currentReplicas has it");
}

Judgement replacement_differs(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_regular(facts) || facts.has_rolling_update || facts.update_name == facts.current_name || !meant_it(m))
    return Judgement::not_applicable();
  // What a status of this turn says once the deletions are counted; one that says nothing new is not written.
  std::int32_t at_current = facts.set->status.current_replicas;
  for (const Call& call : m.sync->calls)
    if (call.is(Verb::update_status, Kind::set)) at_current = call.request.status().current_replicas;
  bool applied = false;
  const Pod* again = nullptr;
  each_update(m, [&](const Removed& r) {
    if (condition_of(facts, *r.pod) != Condition::broken) return;
    applied = true;
    if (is_at(*r.pod, facts.current_name) && r.index < at_current) again = r.pod;
  });
  if (!applied) return Judgement::not_applicable();
  return Judgement::of(again == nullptr, [&] {
    return words("pod ", again->meta.name,
                 " was stopped to come again at the same revision, as status.currentReplicas, ", at_current,
                 ", has it");
  });
}

// --- Recreate -------------------------------------------------------------------------------------------------------

Judgement recreate_stops_all(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_regular(facts) || !facts.recreates) return Judgement::not_applicable();
  const auto old = [&](const Pod* pod) {
    return facts.outdated(*pod) && !pod->meta.terminating() && !was_told_the_pod_goes(*m.sync, *pod);
  };
  std::ptrdiff_t expected = std::ranges::count_if(facts.condemned, old);
  for (const Slot& slot : facts.slots) expected += slot.pod != nullptr && old(slot.pod) ? 1 : 0;
  if (expected == 0 || facts.update_name.empty() || !meant_it(m)) return Judgement::not_applicable();
  std::ptrdiff_t stopped = 0;
  each_removal(m, [&](const Removed& r) { stopped += r.pod != nullptr && old(r.pod) ? 1 : 0; });
  return Judgement::of(stopped >= expected,
                       [&] { return words("of ", expected, " outdated pods only ", stopped, " were stopped"); });
}

/// Whatever its gate: whoever asks for Recreate cannot bear two revisions at once.
Judgement recreate_never_mixes(const Moment& m) {
  const Facts& facts = *m.facts;
  if (facts.set == nullptr || facts.deleting || facts.irregular || facts.set->spec->strategy != Strategy::recreate)
    return Judgement::not_applicable();
  const Pod* left = facts.an_outdated_one();
  return Judgement::of(left == nullptr, [&] {
    return words("pod ", m.call->request.name, " was created while outdated pod ", left->meta.name, " was still there");
  });
}

}  // namespace ordeal::properties::update
