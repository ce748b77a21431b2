#include "properties/invariants/status.h"

#include <algorithm>

#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/turn.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/recount.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::status {
namespace {

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

}  // namespace

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

Judgement conditions_say_what_they_are(const Moment& m) {
  const auto& written = m.call->request.status().conditions;
  for (const StatefulSetCondition& one : written)
    if (one.type.empty() || !(one.status == "True" || one.status == "False" || one.status == "Unknown"))
      return Judgement::broken(words("status.conditions of ", m.call->request.name, " has one of type '", one.type,
                                     "' that is '", one.status, "'"));
  return written.empty() ? Judgement::not_applicable() : Judgement::held();
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

std::string change_of(const Moment& m, const StatefulSetCondition& written) {
  const StatefulSetCondition* shown = find_condition(m.facts->set->status, written.type);
  return words("condition ", written.type, " of ", m.call->request.name, " was ",
               shown != nullptr ? shown->status : Text("not there"), " and is ", written.status);
}

/// Written over a newer set than was shown, a status may keep what that one tells.
bool is_known_of(const Moment& m, const StatefulSetCondition& written) {
  const StatefulSetCondition* newer =
      m.call->set_before != nullptr ? find_condition(m.call->set_before->status, written.type) : nullptr;
  return newer != nullptr && *newer == written;
}

Judgement transition_times(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  bool applied = false;
  for (const StatefulSetCondition& written : m.call->request.status().conditions) {
    const StatefulSetCondition* shown = find_condition(m.facts->set->status, written.type);
    applied = true;
    const bool stays = shown != nullptr && written.status == shown->status;
    const bool is_right =
        stays ? written.last_transition == shown->last_transition : is_about(written.last_transition, m.facts->now);
    if (is_right || is_known_of(m, written)) continue;
    return Judgement::broken(change_of(m, written) + (stays ? ", and its lastTransitionTime changed"
                                                            : ", and its lastTransitionTime is not now"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

namespace {

/// As a condition's reason has to be: one word for programs, [A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?.
bool is_one_word(std::string_view reason) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_inner = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == ',' || c == ':';
  };
  return !reason.empty() && is_letter(reason.front()) && std::ranges::all_of(reason, is_inner) &&
         reason.back() != ',' && reason.back() != ':';
}

}  // namespace

Judgement conditions_say_why(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  bool applied = false;
  for (const StatefulSetCondition& written : m.call->request.status().conditions) {
    const StatefulSetCondition* shown = find_condition(m.facts->set->status, written.type);
    if (is_known_of(m, written) || (shown != nullptr && written.status == shown->status)) continue;
    applied = true;
    const bool is_left_over = shown != nullptr && (written.reason == shown->reason ||
                                                   (!written.message.empty() && written.message == shown->message));
    if (is_one_word(written.reason.view()) && !is_left_over) continue;
    return Judgement::broken(words(change_of(m, written), ", for the reason '", written.reason, "'",
                                   is_left_over ? ", and its words are those of before" : ", which is no word"));
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

}  // namespace ordeal::properties::status
