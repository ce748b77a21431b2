#include "properties/invariants/status.h"

#include <algorithm>

#include "core/api/names.h"
#include "properties/evidence/at_rest.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/removal.h"
#include "properties/evidence/turn.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::status {
namespace {

// --- when a recount may be compared ------------------------------------------------------------------------------------

/// Not while a set on its way out holds a pod whose number is too large to be one: releases count it as the set's, and
/// a controller that never took it for one does not.
bool is_countable(const Facts& facts) {
  if (facts.set == nullptr || facts.irregular) return false;
  return !facts.deleting || std::ranges::none_of(facts.claimed, [](const Pod* pod) {
    return parse_member(pod->meta.name).ordinal == Ordinal::none;
  });
}
bool revisions_known(const Facts& facts) { return is_countable(facts) && facts.update != nullptr; }
/// What a set that is on its way out still counts as its own is nobody's promise.
bool counts_are_promised(const Facts& facts) { return is_countable(facts) && !facts.deleting; }
/// At least those in places, at most all that look like the set's: what it still counts then is nobody's promise.
struct Between {
  std::int32_t least, most;
};
/// Whether pods that it controls count, too, though their names are no place's, is open.
Between pods_of_one_that_goes(const Moment& m) {
  const Facts& facts = *m.facts;
  const auto exists = [](const Slot& slot) { return slot.pod != nullptr && slot.pod->phase != Phase::none; };
  const auto is_stranger = [&](const Pod* pod) {
    return pod->meta.controlled_by(facts.set->meta.uid) &&
           parse_member(pod->meta.name).parent != facts.set->meta.name.view();
  };
  const auto strangers = std::ranges::count_if(m.sync->seen.pods.all, is_stranger);
  return {static_cast<std::int32_t>(std::ranges::count_if(facts.slots, exists)),
          facts.recount.existing + static_cast<std::int32_t>(facts.lookalikes.size()) +
              static_cast<std::int32_t>(strangers)};
}
/// The turn before was answered that there is no such set any more, and the caches have not heard of it yet.
bool was_told_its_set_is_gone(const Moment& m) {
  const Sync* last = m.history.last_sync;
  return last != nullptr && std::ranges::any_of(last->calls, [](const Call& call) {
           return call.request.kind == Kind::set && call.reply.code == Code::not_found;
         });
}
bool counts_by_revision_are_promised(const Facts& facts) {
  return counts_are_promised(facts) && facts.update != nullptr;
}
const StatefulSetStatus& shown(const Moment& m) { return m.facts->set->status; }

/// Pods that a turn has made, and found gone, and of which an answer told another readiness than the turn was shown:
/// whether it counts these already is not promised. One that is only being deleted is there, but at no revision.
struct Turnover {
  std::int32_t made = 0, removed = 0, unlike = 0;
  bool allows(std::int32_t told, std::int32_t counted) const {
    return told <= counted + made + unlike && told >= counted - removed - unlike;
  }
};
Turnover turnover_of_readiness(const View& seen, std::span<const Call> calls) {
  return {.unlike = static_cast<std::int32_t>(std::ranges::count_if(calls, [&](const Call& call) {
            const Pod* told = call.reply.as<Pod>();
            const Pod* shown = told == nullptr ? nullptr : seen.pods.find(told->meta.name);
            return shown != nullptr && shown->meta.uid == told->meta.uid &&
                   Facts::running_and_ready(*shown) != Facts::running_and_ready(*told);
          }))};
}
bool tells_available(const Facts& facts, const StatefulSetStatus& told, Turnover readiness = {}) {
  const Recount& counted = facts.recount;
  return told.available_replicas <= counted.available + readiness.unlike &&
         told.available_replicas >= counted.surely_available - readiness.unlike;
}
/// By the answer to its deletion there is none any more.
bool is_told_gone(const Call& call) {
  if (!call.is(Verb::remove, Kind::pod)) return false;
  const Pod* answered = call.reply.as<Pod>();
  return call.reply.code == Code::not_found ||
         (call.reply.ok() && answered != nullptr && !answered->meta.terminating());
}
/// The pod it made is none of those that are shown, and counted: a view by answers shows it (Moment::as_told).
bool makes_one_more(const View& seen, const Call& call) {
  if (!call.is(Verb::create, Kind::pod) || call.failed()) return false;
  const Pod *made = call.reply.as<Pod>(), *shown = seen.pods.find(call.request.name);
  return made == nullptr || shown == nullptr || shown->meta.uid != made->meta.uid;
}
/// The same of what it removes: a view by answers shows it gone or going, or the one made in its place.
bool makes_one_less(const Moment& m, std::span<const Call> calls, const Call& removal) {
  if (!m.as_told) return true;
  const Pod* shown = m.sync->seen.pods.find(removal.request.name);
  return shown != nullptr && !shown->meta.terminating() && std::ranges::none_of(calls, [&](const Call& call) {
           const Pod* made = call.is(Verb::create, Kind::pod) && !call.failed() ? call.reply.as<Pod>() : nullptr;
           return made != nullptr && made->meta.uid == shown->meta.uid;
         });
}
Turnover turnover_of(const Moment& m, std::span<const Call> calls) {
  Turnover turnover;
  for (const Call& call : calls) {
    turnover.made += makes_one_more(m.sync->seen, call) ? 1 : 0;
    turnover.removed += is_told_gone(call) && makes_one_less(m, calls, call) ? 1 : 0;
  }
  return turnover;
}
template <class Removes>
Turnover turnover_by_revision(const Moment& m, std::span<const Call> calls, Removes removes) {
  Turnover turnover = turnover_of(m, calls);
  turnover.removed = static_cast<std::int32_t>(
      std::ranges::count_if(calls, [&](const Call& call) { return removes(call) && makes_one_less(m, calls, call); }));
  return turnover;
}
/// One that was refused has removed nothing; after a timeout nobody knows.
bool removes_a_pod(const Call& call) {
  const bool refused = call.failed() && call.reply.code != Code::not_found && call.reply.code != Code::timeout;
  return call.is(Verb::remove, Kind::pod) && !refused;
}
/// One that was made again in the same turn is there again.
bool removes_for_now(std::span<const Call> calls, const Call& call) {
  const auto makes_it_again = [&](const Call& made) {
    return made.is(Verb::create, Kind::pod) && !made.failed() && made.request.name == call.request.name;
  };
  return removes_a_pod(call) && std::ranges::none_of(calls, makes_it_again);
}
/// Of updated pods: what the turn deletes may be counted out at once.
Turnover turnover_of_updated(const Moment& m, std::span<const Call> calls) {
  return turnover_by_revision(m, calls, [&](const Call& call) { return removes_for_now(calls, call); });
}

/// The write is a patch that leaves this field as it was stored.
template <class T>
bool leaves(const Moment& m, T StatefulSetStatus::* field) {
  const Call& call = *m.call;
  return call.request.partial && call.set_before != nullptr &&
         call.set_before->status.*field == call.request.status().*field;
}

Judgement compare(const Moment& m, std::string_view field, std::int32_t StatefulSetStatus::* count,
                  std::int32_t counted, Turnover turnover = {}, const Text* at = nullptr) {
  const std::int32_t written = m.call->request.status().*count;
  return Judgement::of(turnover.allows(written, counted) || leaves(m, count), [&] {
    std::string text = words("status.", field, " of ", m.facts->set->meta.name, " was written as ", written,
                             ", the caches of this turn show ", counted);
    if (at != nullptr && !at->empty()) text += words(" at ", *at);
    if (turnover.made > 0) text += words(", ", turnover.made, " made since");
    if (turnover.removed > 0) text += words(", ", turnover.removed, " deleted since");
    if (turnover.unlike > 0) text += words(", answers tell otherwise of ", turnover.unlike);
    return text;
  });
}

/// The write makes the update revision the current one, which it was not.
bool completes(const Moment& m, const StatefulSetStatus& written) {
  const Text& before = shown(m).current_revision;
  if (written.current_revision == before) return false;
  return std::ranges::any_of(m.facts->history, [&](const Revision* held) { return held->meta.name == before; });
}

/// The revision that this status calls the current one, or has to.
const Text& current_one(const Facts& facts, const StatefulSetStatus& written) {
  return written.current_revision == facts.update_name ? facts.update_name : facts.current_name;
}
/// How many pods are at that.
std::int32_t at_current(const Facts& facts, const StatefulSetStatus& written) {
  return written.current_revision == facts.update_name ? facts.recount.updated : facts.recount.current;
}

/// The place that is not as a finished rollout leaves it, or null.
template <class Fine>
const Slot* first_unlike(const Facts& facts, Fine fine) {
  const auto slot = std::ranges::find_if(facts.slots, [&](const Slot& s) { return s.pod == nullptr || !fine(*s.pod); });
  return slot == facts.slots.end() ? nullptr : &*slot;
}

/// Every place is healthy and updated, and nothing else is there.
bool is_done(const Facts& facts) {
  if (!facts.condemned.empty() || facts.deleting || nobody_is_above_the_partition(facts)) return false;
  return first_unlike(facts, [&](const Pod& pod) { return facts.surely_healthy(pod) && !facts.outdated(pod); }) ==
         nullptr;
}

Judgement must_complete(const Moment& m) {
  const auto follows = calls_after(*m.sync, *m.call);
  const bool is_last = std::ranges::none_of(follows, [](const Call& c) { return c.writes_status() && !c.failed(); });
  if (!is_done(*m.facts) || !is_last) return Judgement::not_applicable();
  const Text& written = m.call->request.status().current_revision;
  return Judgement::of(written == m.facts->update_name, [&] {
    return words("every pod is at ", m.facts->update_name, ", but status.currentRevision was written as ", written);
  });
}

// --- writing -----------------------------------------------------------------------------------------------------------

bool writes_status(const Sync& sync) {
  return std::ranges::any_of(sync.calls, [](const Call& call) { return call.writes_status(); });
}

/// What a recount says that the shown status does not; null when all is told. Says nothing of currentReplicas while a
/// rollout may just be completing: releases differ in when it is.
const char* untold(const Moment& m) {
  const Facts& facts = *m.facts;
  const std::span<const Call> calls = m.sync->calls;
  const Turnover turnover = turnover_of(m, calls), updated = turnover_of_updated(m, calls),
                 readiness = turnover_of_readiness(m.sync->seen, calls);
  const StatefulSetStatus& told = facts.set->status;
  if (told.observed_generation < facts.set->meta.generation) return "observedGeneration";
  if (!turnover.allows(told.replicas, facts.recount.existing)) return "replicas";
  if (!readiness.allows(told.ready_replicas, facts.recount.ready)) return "readyReplicas";
  if (!tells_available(facts, told, readiness)) return "availableReplicas";
  if (facts.update == nullptr) return nullptr;
  if (told.update_revision != facts.update_name) return "updateRevision";
  if (!updated.allows(told.updated_replicas, facts.recount.updated)) return "updatedReplicas";
  const bool completing = told.updated_replicas == told.replicas && told.current_revision != told.update_revision;
  const bool lowered = !facts.removals.empty();  // by what this turn deleted
  return completing || lowered || turnover.allows(told.current_replicas, facts.recount.current) ? nullptr
                                                                                                : "currentReplicas";
}

Judgement must_tell(const Moment& m) {
  if (writes_status(*m.sync)) return Judgement::held();
  const char* field = untold(m);
  return Judgement::of(field == nullptr, [&] {
    return words("status.", field, " of ", m.facts->set->meta.name, " is out of date, and no status was written");
  });
}

/// Work on a pod or a claim failed; before that the controller knew who its pods are and what its revisions.
bool failed_at_work(const Sync& sync) {
  return std::ranges::any_of(sync.calls, [&](const Call& call) { return call.failed() && is_work(sync, call); });
}

/// And then it ends: who reads the set before each status has no more to write to.
bool asked_in_vain_for_its_set(const Sync& sync) {
  return !sync.calls.empty() && sync.calls.back().is(Verb::get, Kind::set) && sync.calls.back().failed();
}

Judgement observed_fell(const Moment& m) {
  const auto& [before, after, version] = *m.set_change;
  const std::int64_t was = before->status.observed_generation, is = after->status.observed_generation;
  return Judgement::of(is >= was, [&] { return words("status.observedGeneration fell from ", was, " to ", is); });
}
bool is_update_of_one_set(const Change<StatefulSet>& change) {
  return change.before != nullptr && change.after != nullptr && change.before->meta.uid == change.after->meta.uid;
}

bool holds_template(const Revision* revision, const StatefulSet& set) {
  return revision != nullptr && revision->data.holds(*set.spec->pod_template);
}

bool rests_counted(const Moment& m) { return m.history.came_to_rest && counts_are_promised(*m.facts); }

}  // namespace

// --- counts ------------------------------------------------------------------------------------------------------------

Judgement replicas(const Moment& m) {
  if (!counts_are_promised(*m.facts)) return Judgement::not_applicable();
  return compare(m, "replicas", &StatefulSetStatus::replicas, m.facts->recount.existing,
                 turnover_of(m, calls_before(m)));
}

Judgement counts_while_deleting(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!facts.deleting) return Judgement::not_applicable();
  const auto [least, most] = pods_of_one_that_goes(m);
  const std::int32_t written = m.call->request.status().replicas;
  return Judgement::of((written >= least && written <= most) || leaves(m, &StatefulSetStatus::replicas), [&] {
    return words("status.replicas of ", facts.set->meta.name, ", which is on its way out, was written as ", written,
                 ", the caches of this turn show ", most);
  });
}

Judgement written_while_deleting(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!facts.deleting || !facts.clean || was_told_its_set_is_gone(m)) return Judgement::not_applicable();
  if (writes_status(*m.sync)) return Judgement::held();
  const auto [least, most] = pods_of_one_that_goes(m);
  const std::int32_t told = facts.set->status.replicas;
  return Judgement::of(told >= least && told <= most, [&] {
    return words("status.replicas of ", facts.set->meta.name, ", which is on its way out, is ", told,
                 ", the caches of this turn show ", most, ", and no status was written");
  });
}

Judgement ready_replicas(const Moment& m) {
  if (!counts_are_promised(*m.facts)) return Judgement::not_applicable();
  return compare(m, "readyReplicas", &StatefulSetStatus::ready_replicas, m.facts->recount.ready,
                 turnover_of_readiness(m.sync->seen, calls_before(m)));
}

Judgement available_replicas(const Moment& m) {
  if (!counts_are_promised(*m.facts)) return Judgement::not_applicable();
  const StatefulSetStatus& written = m.call->request.status();
  if (tells_available(*m.facts, written, turnover_of_readiness(m.sync->seen, calls_before(m))))
    return Judgement::held();
  return compare(m, "availableReplicas", &StatefulSetStatus::available_replicas, m.facts->recount.available);
}

Judgement updated_replicas(const Moment& m) {
  if (!counts_by_revision_are_promised(*m.facts)) return Judgement::not_applicable();
  return compare(m, "updatedReplicas", &StatefulSetStatus::updated_replicas, m.facts->recount.updated,
                 turnover_of_updated(m, calls_before(m)), &m.facts->update_name);
}

Judgement current_replicas(const Moment& m) {
  if (!counts_by_revision_are_promised(*m.facts)) return Judgement::not_applicable();
  const StatefulSetStatus& written = m.call->request.status();
  if (written.current_revision == written.update_revision && written.current_replicas == written.updated_replicas)
    return Judgement::held();
  return compare(m, "currentReplicas", &StatefulSetStatus::current_replicas, at_current(*m.facts, written),
                 turnover_by_revision(m, calls_before(m), removes_a_pod), &current_one(*m.facts, written));
}

Judgement current_replicas_exact(const Moment& m) {
  if (!counts_by_revision_are_promised(*m.facts)) return Judgement::not_applicable();
  const StatefulSetStatus& written = m.call->request.status();
  if (written.current_revision == written.update_revision && written.current_replicas == written.updated_replicas)
    return Judgement::held();
  const std::int32_t counted = at_current(*m.facts, written);
  std::int32_t deleted = 0;
  for (const Call& call : calls_before(m)) {
    if (!call.is(Verb::remove, Kind::pod) || (call.failed() && call.reply.code != Code::not_found)) continue;
    const Removed removed = removed_by(m, call);
    if (removed.pod == nullptr) continue;
    const bool for_update = removed.why == Removal::outdated ||
                            (m.facts->set->spec->strategy == Strategy::recreate && m.facts->outdated(*removed.pod));
    const Pod& pod = *removed.pod;
    if (for_update && !pod.meta.terminating() && is_at(pod, current_one(*m.facts, written))) ++deleted;
  }
  const bool is_exact = written.current_replicas == counted - deleted;
  return Judgement::of(is_exact || leaves(m, &StatefulSetStatus::current_replicas), [&] {
    return words("status.currentReplicas of ", m.facts->set->meta.name, " was written as ", written.current_replicas,
                 ", the caches of this turn show ", counted, ", and its update has deleted ", deleted, " of them");
  });
}

Judgement within_bounds(const Moment& m) {
  const StatefulSetStatus& s = m.call->request.status();
  const std::int32_t most = std::max({s.ready_replicas, s.current_replicas, s.updated_replicas});
  return Judgement::of(s.available_replicas <= s.ready_replicas && most <= s.replicas, [&] {
    return words("the counts of a status of ", m.call->request.name, " do not fit together: ", s.replicas,
                 " replicas, ", s.ready_replicas, " ready, ", s.available_replicas, " available, ", s.current_replicas,
                 " current, ", s.updated_replicas, " updated");
  });
}

Judgement never_negative(const Moment& m) {
  const StatefulSetStatus& s = m.call->request.status();
  const std::int32_t least =
      std::min({s.replicas, s.ready_replicas, s.available_replicas, s.current_replicas, s.updated_replicas});
  return Judgement::of(least >= 0,
                       [&] { return words("a status of ", m.call->request.name, " has a count of ", least); });
}

// --- when it is written ------------------------------------------------------------------------------------------------

Judgement written_when_changed(const Moment& m) {
  if (!is_countable(*m.facts) || !is_regular(*m.facts) || m.facts->update == nullptr)
    return Judgement::not_applicable();
  if (!m.facts->clean) return Judgement::not_applicable();
  return must_tell(m);
}

Judgement written_despite_failure(const Moment& m) {
  if (!is_countable(*m.facts) || m.sync->died || goes_on(*m.sync)) return Judgement::not_applicable();
  if (asked_in_vain_for_its_set(*m.sync)) return Judgement::not_applicable();
  return failed_at_work(*m.sync) || fails_for_a_place(m) ? must_tell(m) : Judgement::not_applicable();
}

Judgement no_needless_write(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  StatefulSetStatus told = shown(m), written = m.call->request.status();
  told.collision_count = told.collision_count.value_or(0);
  written.collision_count = written.collision_count.value_or(0);
  return Judgement::of(!(told == written), [&] {
    return words("the status of ", m.call->request.name, " was written though it says nothing new");
  });
}

Judgement retries_only_conflicts(const Moment& m) {
  int may_be_repeated = 1;
  for (const Call& call : calls_before(m))
    if (call.writes_status() && call.failed() && call.reply.code != Code::conflict &&
        !(may_pass(call.reply.code) && may_be_repeated-- > 0))
      return Judgement::broken(words("the status of ", m.call->request.name, " was written again after the reply ",
                                     name_of(call.reply.code)));
  return Judgement::held();
}

Judgement few_attempts(const Moment& m) {
  const auto before = std::ranges::count_if(calls_before(m), [](const Call& call) { return call.writes_status(); });
  return Judgement::of(before < 5, [&] {
    return words("the status of ", m.call->request.name, " was written ", before + 1, " times in one turn");
  });
}

/// Those that name somebody's domain, and those that others are known to write: a controller's own are plain words,
/// too.
bool is_of_others(const Text& type) {
  return has_prefix(type) || std::ranges::find(somebodys_conditions, type.view()) != somebodys_conditions.end();
}

Judgement conditions_of_others_kept(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  bool applied = false;
  const auto& written = m.call->request.status().conditions;
  // Written over a newer set than was shown, the status takes the place of what that one tells.
  const StatefulSet& replaced =
      m.call->committed && m.call->set_before != nullptr ? *m.call->set_before : *m.facts->set;
  for (const StatefulSetCondition& told : replaced.status.conditions) {
    if (!is_of_others(told.type)) continue;
    applied = true;
    if (std::ranges::find(written, told) == written.end())
      return Judgement::broken(
          words("condition ", told.type, " of ", m.call->request.name, " is not the controller's, and was not kept"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

const StatefulSetCondition* find_condition(const StatefulSetStatus& status, std::string_view type) {
  const auto found = std::ranges::find_if(status.conditions, [&](const auto& one) { return one.type == type; });
  return found == status.conditions.end() ? nullptr : &*found;
}

/// What was told twice before may stay.
Judgement one_condition_of_a_type(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const auto& written = m.call->request.status().conditions;
  const auto& shown = m.facts->set->status.conditions;
  for (const StatefulSetCondition& one : written) {
    const auto times = std::ranges::count(written, one.type, &StatefulSetCondition::type);
    if (times > std::max<std::ptrdiff_t>(1, std::ranges::count(shown, one.type, &StatefulSetCondition::type)))
      return Judgement::broken(
          words("status.conditions of ", m.call->request.name, " has ", times, " entries of type ", one.type));
  }
  return written.empty() ? Judgement::not_applicable() : Judgement::held();
}

/// A time is written in whole seconds.
bool is_about(std::optional<Time> told, Time now) { return told && *told <= now && now < *told + Time::seconds(1); }

/// Written over a newer set than was shown, a status may keep what that one tells.
Judgement transition_times(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  bool applied = false;
  for (const StatefulSetCondition& written : m.call->request.status().conditions) {
    const StatefulSetCondition* shown = find_condition(m.facts->set->status, written.type);
    const StatefulSetCondition* newer =
        m.call->set_before != nullptr ? find_condition(m.call->set_before->status, written.type) : nullptr;
    if (shown == nullptr) continue;
    applied = true;
    const bool stays = written.status == shown->status;
    const bool is_right =
        stays ? written.last_transition == shown->last_transition : is_about(written.last_transition, m.facts->now);
    if (is_right || (newer != nullptr && *newer == written)) continue;
    return Judgement::broken(words(
        "condition ", written.type, " of ", m.call->request.name, " was ", shown->status, " and is ", written.status,
        stays ? ", and its lastTransitionTime changed" : ", and its lastTransitionTime is not now"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

// --- Recreate ----------------------------------------------------------------------------------------------------------

namespace {

bool tells_of_progress(const StatefulSetStatus& status) {
  const StatefulSetCondition* progressing = find_condition(status, "Progressing");
  return progressing != nullptr && progressing->status == "True";
}

}  // namespace

Judgement tells_of_recreation(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_regular(facts) || !facts.recreates || facts.update_name.empty() || !facts.clean)
    return Judgement::not_applicable();
  const Pod* old = facts.an_outdated_one();
  if (old == nullptr) return Judgement::not_applicable();
  return Judgement::of(tells_of_progress(status_after(*m.sync, *facts.set)), [&] {
    return words("pod ", old->meta.name, " is not at ", facts.update_name, " yet, and the status of ",
                 facts.set->meta.name, " has no condition Progressing that is True");
  });
}

/// Whoever does not know the strategy leaves what others said of it.
Judgement recreation_ends_at_rest(const Moment& m) {
  if (!rests_counted(m) || !m.environment.gates.recreate || !is_done(*m.facts)) return Judgement::not_applicable();
  return Judgement::of(!tells_of_progress(m.facts->set->status), [&] {
    return words("every pod is at ", m.facts->update_name, ", and the condition Progressing of ",
                 m.facts->set->meta.name, " stays True");
  });
}

Judgement progress_needs_an_update(const Moment& m) {
  if (!is_regular(*m.facts)) return Judgement::not_applicable();
  const StatefulSetStatus &written = m.call->request.status(), &before = shown(m);
  const StatefulSetCondition* told = find_condition(written, "Progressing");
  const bool begins = tells_of_progress(written) && !tells_of_progress(before);
  const bool is_first = told != nullptr && find_condition(before, "Progressing") == nullptr;  // be it of an end
  if (!begins && !is_first) return Judgement::not_applicable();
  const bool is_under_way = written.current_revision != written.update_revision ||
                            before.current_revision != before.update_revision || m.facts->an_outdated_one() != nullptr;
  return Judgement::of(is_under_way, [&] {
    return words("the condition Progressing of ", m.call->request.name, " was written as ", told->status,
                 ", every pod is at ", written.update_revision, ", and so is the set");
  });
}

// --- generations -------------------------------------------------------------------------------------------------------

Judgement observed_generation(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const StatefulSetStatus& status = m.call->request.status();
  const std::int64_t written = status.observed_generation, seen = m.facts->set->meta.generation;
  if (written != seen && !leaves(m, &StatefulSetStatus::observed_generation))
    return Judgement::broken(
        words("status.observedGeneration was written as ", written, ", the set shown was of generation ", seen));
  // Of a generation that was only read on the way there is more to be seen than its number.
  const Revision* update = choice_failed(*m.sync, calls_before(m))
                               ? nullptr
                               : as_known<Revision>(*m.sync, calls_before(m), status.update_revision);
  if (update == nullptr || update->data.decoded == nullptr || m.facts->deleting || written != seen)
    return Judgement::held();
  return Judgement::of(update->data.holds(*m.facts->set->spec->pod_template), [&] {
    return words("status.observedGeneration was written as ", written,
                 ", whose template is not that of the update revision ", update->meta.name);
  });
}

Judgement observed_not_ahead(const Moment& m) {
  const StatefulSet* set = m.set_change->after;
  if (set == nullptr || m.history.set_recreated) return Judgement::not_applicable();
  return Judgement::of(set->status.observed_generation <= set->meta.generation, [&] {
    return words("status.observedGeneration is ", set->status.observed_generation, ", the set is of generation ",
                 set->meta.generation);
  });
}

Judgement observed_never_falls(const Moment& m) {
  if (!is_update_of_one_set(*m.set_change) || m.history.was_stale) return Judgement::not_applicable();
  return observed_fell(m);
}

Judgement observed_never_falls_when_stale(const Moment& m) {
  if (!is_update_of_one_set(*m.set_change) || !m.history.was_stale) return Judgement::not_applicable();
  const StatefulSet& before = *m.set_change->before;
  if (before.status.observed_generation > before.meta.generation)
    return Judgement::not_applicable();  // of an earlier set
  return observed_fell(m);
}

// --- revisions ---------------------------------------------------------------------------------------------------------

Judgement update_revision(const Moment& m) {
  if (m.facts->set == nullptr || leaves(m, &StatefulSetStatus::update_revision)) return Judgement::not_applicable();
  const Text& name = m.call->request.status().update_revision;
  if (m.facts->deleting && name == shown(m).update_revision) return Judgement::held();
  return Judgement::of(holds_template(as_known<Revision>(*m.sync, calls_before(m), name), *m.facts->set), [&] {
    return words("status.updateRevision was written as ", name.empty() ? "(nothing)" : name.view(),
                 ", which does not hold the set's template");
  });
}

Judgement current_revision(const Moment& m) {
  if (m.facts->set == nullptr || leaves(m, &StatefulSetStatus::current_revision)) return Judgement::not_applicable();
  const StatefulSetStatus& written = m.call->request.status();
  const bool known =
      written.current_revision == shown(m).current_revision || written.current_revision == written.update_revision;
  return Judgement::of(known, [&] {
    return words("status.currentRevision was written as ", written.current_revision, ", it was ",
                 shown(m).current_revision, " and the update revision is ", written.update_revision);
  });
}

Judgement completion_needs_all_updated(const Moment& m) {
  if (!is_countable(*m.facts)) return Judgement::not_applicable();
  const StatefulSetStatus& written = m.call->request.status();
  if (!completes(m, written)) return Judgement::not_applicable();
  const std::int32_t n = m.facts->replicas;
  return Judgement::of(m.facts->recount.updated == n && m.facts->recount.ready == n && m.facts->recount.existing == n,
                       [&] {
                         return words("the rollout to ", written.current_revision, " was declared complete with ",
                                      m.facts->recount.existing, " pods of ", n, ", ", m.facts->recount.ready,
                                      " ready and ", m.facts->recount.updated, " updated");
                       });
}

Judgement completion_needs_every_place(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_countable(facts) || !completes(m, m.call->request.status())) return Judgement::not_applicable();
  const auto fine = [&](const Pod& pod) {
    return Facts::running_and_ready(pod) && !pod.meta.terminating() && !facts.outdated(pod);
  };
  const Slot* slot = first_unlike(facts, fine);
  return Judgement::of(slot == nullptr, [&] {
    return words("the rollout was declared complete while ordinal ", number(slot->ordinal),
                 " was not ready and updated");
  });
}

Judgement completion_needs_availability(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_countable(facts) || !completes(m, m.call->request.status())) return Judgement::not_applicable();
  const Slot* slot = first_unlike(facts, [&](const Pod& pod) { return facts.available(pod); });
  return Judgement::of(slot == nullptr, [&] {
    return words("the rollout was declared complete while ordinal ", number(slot->ordinal), " was not available yet");
  });
}

Judgement completion_heeds_partition(const Moment& m) {
  if (!is_countable(*m.facts) || !nobody_is_above_the_partition(*m.facts)) return Judgement::not_applicable();
  return Judgement::of(!completes(m, m.call->request.status()), [&] {
    return words("the rollout was declared complete with no pods, and a partition of ", m.facts->partition,
                 " for those to come");
  });
}

Judgement completes_when_done(const Moment& m) {
  if (!revisions_known(*m.facts) || !m.facts->rolling()) return Judgement::not_applicable();
  return must_complete(m);
}

Judgement every_strategy_completes(const Moment& m) {
  if (!revisions_known(*m.facts) || m.facts->rolling()) return Judgement::not_applicable();
  return must_complete(m);
}

// --- in the end --------------------------------------------------------------------------------------------------------

Judgement counts_at_rest(const Moment& m) {
  if (!rests_counted(m)) return Judgement::not_applicable();
  StatefulSetStatus told = m.facts->set->status;
  told.observed_generation = m.facts->set->meta.generation;  // generation_at_rest asks for that
  const Facts& facts = *m.facts;
  const bool is_known = facts.update != nullptr && !follows_foreign_revision(facts);
  const std::int32_t at_update = is_known ? facts.recount.updated : told.updated_replicas;
  const std::int32_t at_current = is_known ? facts.recount.current : told.current_replicas;
  const bool fine = told.replicas == facts.recount.existing && told.ready_replicas == facts.recount.ready &&
                    tells_available(facts, told) && told.updated_replicas == at_update &&
                    told.current_replicas == at_current;
  return Judgement::of(fine, [&] {
    return words("the status of ", facts.set->meta.name, " tells ", told.replicas, " replicas, ", told.ready_replicas,
                 " ready, ", told.available_replicas, " available, ", told.updated_replicas, " updated, ",
                 told.current_replicas, " current; there are ", facts.recount.existing, ", ", facts.recount.ready, ", ",
                 facts.recount.available, ", ", at_update, ", ", at_current);
  });
}

Judgement generation_at_rest(const Moment& m) {
  if (!rests_counted(m)) return Judgement::not_applicable();
  const StatefulSet& set = *m.facts->set;
  return Judgement::of(set.status.observed_generation == set.meta.generation, [&] {
    return words("status.observedGeneration of ", set.meta.name, " stays at ", set.status.observed_generation,
                 ", its generation is ", set.meta.generation);
  });
}

Judgement update_revision_at_rest(const Moment& m) {
  if (!rests_counted(m)) return Judgement::not_applicable();
  const StatefulSet& set = *m.facts->set;
  const Text& name = set.status.update_revision;
  return Judgement::of(holds_template(m.truth.revisions().find(name), set), [&] {
    return words("status.updateRevision of ", set.meta.name, " stays at ", name.empty() ? "(nothing)" : name.view(),
                 ", which does not hold the set's template");
  });
}

}  // namespace ordeal::properties::status
