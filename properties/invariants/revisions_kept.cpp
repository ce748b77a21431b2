// Which revisions are kept and which are pruned, and when.
#include <algorithm>

#include "core/api/names.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/removal.h"
#include "properties/evidence/turn.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/recorded.h"
#include "properties/invariants/revisions.h"
#include "properties/invariants/words.h"
#include "properties/scenario/counted.h"

namespace ordeal::properties::revisions {
namespace {

/// Whether the sync, before `calls` ended, asked to delete the revision, and was not refused.
bool was_deleted(std::span<const Call> calls, const Text& name) {
  return std::ranges::any_of(calls, [&](const Call& call) {
    const bool refused = call.failed() && call.reply.code != Code::not_found;
    return call.is(Verb::remove, Kind::revision) && call.request.name == name && !refused;
  });
}

/// A deletion of one of the set's revisions whose use is known: what pruning is judged by.
const Revision* pruned(const Moment& m) {
  if (m.facts->set == nullptr || m.facts->update == nullptr || choice_failed(*m.sync, calls_before(m))) return nullptr;
  const auto at = std::ranges::find_if(m.facts->history,
                                       [&](const Revision* held) { return held->meta.name == m.call->request.name; });
  return at == m.facts->history.end() ? nullptr : *at;
}

/// A pod is at it, or the status that was shown names it.
bool is_needed(const Facts& facts, const Revision& held) {
  const StatefulSetStatus& told = facts.set->status;
  return facts.is_live(held) || held.meta.name == told.current_revision || held.meta.name == told.update_revision;
}

const Text* revision_label_of(const Pod& pod) { return pod.meta.label(label_revision); }

}  // namespace

Judgement pruned_beyond_limit(const Moment& m) {
  if (pruned(m) == nullptr) return Judgement::not_applicable();
  const std::int32_t limit = history_limit_of(*m.facts->set);
  std::int64_t unused = 0;
  for (const Revision* held : m.facts->history)
    if (!m.facts->is_live(*held) && !was_deleted(calls_before(m), held->meta.name)) ++unused;
  return Judgement::of(limit >= 0 && unused > limit, [&] {
    return words("revision ", m.call->request.name, " was deleted with ", counted(unused, "unused revision"),
                 " left and a limit of ", limit);
  });
}

namespace {

/// It was asked for, and what became of it may not be known.
bool was_to_go(std::span<const Call> calls, const Text& revision) {
  return std::ranges::any_of(
      calls, [&](const Call& call) { return call.is(Verb::remove, Kind::revision) && call.request.name == revision; });
}

/// Somebody may take it for needed: it is, or a pod that was shown as the set's bears it, though it is released by now.
bool may_be_kept(const Moment& m, const Revision& held) {
  if (is_needed(*m.facts, held)) return true;
  return std::ranges::any_of(m.sync->seen.pods.all, [&](const Pod* pod) {
    const Text* label = revision_label_of(*pod);
    return label != nullptr && *label == held.meta.name && pod->meta.controlled_by(m.facts->set->meta.uid);
  });
}

}  // namespace

Judgement oldest_pruned_first(const Moment& m) {
  const Revision* gone = pruned(m);
  if (gone == nullptr || m.facts->is_live(*gone)) return Judgement::not_applicable();
  for (const Revision* held : m.facts->history) {
    if (held == gone) return Judgement::held();
    if (!may_be_kept(m, *held) && !was_to_go(calls_before(m), held->meta.name))
      return Judgement::broken(
          words("revision ", gone->meta.name, " was deleted before the older unused ", held->meta.name));
  }
  return Judgement::held();
}

Judgement prunes_the_incarnation(const Moment& m) {
  const Revision* seen = m.sync->seen.revisions.find(m.call->request.name);
  if (seen == nullptr) return Judgement::not_applicable();
  const bool named = m.call->request.uid == seen->meta.uid || m.call->request.version == seen->meta.version;
  return Judgement::of(named, [&] { return words("revision ", seen->meta.name, " was deleted by its name alone"); });
}

Judgement negative_limit_keeps_all(const Moment& m) {
  if (m.facts->set == nullptr || history_limit_of(*m.facts->set) >= 0) return Judgement::not_applicable();
  for (const Call& call : m.sync->calls)
    if (call.is(Verb::remove, Kind::revision))
      return Judgement::broken(words("revision ", call.request.name, " was deleted though revisionHistoryLimit is ",
                                     *m.facts->set->spec->revision_history_limit));
  return Judgement::held();
}

Judgement kept_for_pods(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  for (const Pod* pod : m.facts->claimed) {
    const Text* label = revision_label_of(*pod);
    if (label != nullptr && *label == m.call->request.name)
      return Judgement::broken(
          words("revision ", m.call->request.name, " was deleted while pod ", pod->meta.name, " is at it"));
  }
  return Judgement::held();
}

Judgement current_and_update_kept(const Moment& m) {
  if (pruned(m) == nullptr) return Judgement::not_applicable();
  const Text& name = m.call->request.name;
  if (name == m.facts->update_name) return Judgement::broken(words("the update revision ", name, " was deleted"));
  return Judgement::of(name != m.facts->current_name,
                       [&] { return words("the current revision ", name, " was deleted"); });
}

Judgement current_kept_on_errors(const Moment& m) {
  if (m.facts->set == nullptr || !choice_failed(*m.sync, m.sync->calls)) return Judgement::not_applicable();
  const StatefulSetStatus& told = m.facts->set->status;
  bool applied = false;
  for (const Text* name : {&told.current_revision, &told.update_revision}) {
    if (m.sync->seen.revisions.find(*name) == nullptr) continue;
    applied = true;
    if (was_deleted(m.sync->calls, *name))
      return Judgement::broken(
          words("revision ", *name, ", which the status names, was deleted after the newest could not be recorded"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement limit_holds_on_errors(const Moment& m) {
  const Facts& facts = *m.facts;
  const std::span<const Call> before = calls_before(m);
  if (facts.set == nullptr || !choice_failed(*m.sync, before)) return Judgement::not_applicable();
  const Revision *gone = nullptr, *holds_template = nullptr;  // the youngest that does
  std::int64_t unused = 0;
  for (const Revision* held : facts.history) {
    if (held->meta.name == m.call->request.name) gone = held;
    if (same_bytes(m, *held)) holds_template = held;
    if (!is_needed(facts, *held) && !was_deleted(before, held->meta.name)) ++unused;
  }
  if (gone == nullptr) return Judgement::not_applicable();
  if (gone == holds_template || is_needed(facts, *gone))
    return Judgement::broken(words("revision ", gone->meta.name, ", which ",
                                   gone == holds_template ? "holds the set's template" : "is in use",
                                   ", was deleted after the newest could not be recorded"));
  const std::int32_t limit = history_limit_of(*facts.set);
  return Judgement::of(limit >= 0 && unused > limit, [&] {
    return words("revision ", m.call->request.name, " was deleted with ", counted(unused, "unused revision"),
                 " left and a limit of ", limit);
  });
}

namespace {

/// After a turn, one that failed or one that did not. `needed` says of a revision whether it may stay.
template <class Needed>
Judgement judge_limit(const Moment& m, Needed needed) {
  const Facts& facts = *m.facts;
  if (facts.set == nullptr || facts.deleting || m.sync->died) return Judgement::not_applicable();
  const std::int32_t limit = history_limit_of(*facts.set);
  if (limit < 0 || facts.history.size() <= static_cast<std::size_t>(limit)) return Judgement::not_applicable();
  std::int64_t unused = 0;
  for (const Revision* held : facts.history)
    if (!needed(*held) && !was_deleted(m.sync->calls, held->meta.name)) ++unused;
  return Judgement::of(unused <= limit,
                       [&] { return words(counted(unused, "unused revision"), " kept with a limit of ", limit); });
}
Judgement judge_limit(const Moment& m) {
  return judge_limit(m, [&](const Revision& held) { return m.facts->is_live(held); });
}

}  // namespace

Judgement history_within_limit(const Moment& m) {
  return m.facts->clean && !m.sync->wrote() ? judge_limit(m) : Judgement::not_applicable();
}

Judgement history_within_limit_in_each_turn(const Moment& m) {
  return m.facts->clean ? judge_limit(m) : Judgement::not_applicable();
}

Judgement history_within_limit_on_errors(const Moment& m) {
  if (!may_have_failed(*m.sync)) return Judgement::not_applicable();
  const Sync* last = last_turn(m);
  const bool last_failed_for_its_status = last != nullptr && std::ranges::any_of(last->calls, [](const Call& c) {
                                            return c.writes_status() && c.failed();
                                          });
  const auto comes_after_the_choice = [&](const Call& call) {
    if (!call.writes_status()) return is_work(*m.sync, call);
    // A conflict tells it that its view is old; and who writes the status first has done nothing else yet.
    return call.reply.code != Code::conflict && last_failed_for_its_status;
  };
  bool any = false;  // and nothing else, such as what the history is known by
  for (const Call& call : m.sync->calls) {
    const bool failed = went_wrong(*m.sync, call);
    if (!failed && (!call.writes() || call.request.kind == Kind::revision)) continue;
    if (!failed || !comes_after_the_choice(call))
      return Judgement::not_applicable();  // other work that was done is enough for a turn that fails
    any = true;
  }
  if (!any && !fails_for_a_place(m)) return Judgement::not_applicable();
  const auto prunes = [](const Call& call) { return call.is(Verb::remove, Kind::revision); };
  const bool prunes_one = std::ranges::any_of(m.sync->calls, prunes);  // which will do, turn by turn
  Judgement judged = judge_limit(m, [&](const Revision& held) { return may_be_kept(m, held); });
  if (judged.violation() != nullptr && prunes_one) return Judgement::held();
  return judged;
}

Judgement named_ones_exist(const Moment& m) {
  const auto& [before, after, version] = *m.set_change;
  if (before == nullptr || after == nullptr || after->meta.terminating()) return Judgement::not_applicable();
  if (before->status.update_revision == after->status.update_revision &&
      before->status.current_revision == after->status.current_revision)
    return Judgement::not_applicable();
  if (!leaves_revisions_alone(m.history)) return Judgement::not_applicable();
  for (const Text* name : {&after->status.update_revision, &after->status.current_revision})
    if (!name->empty() && m.truth.revisions().find(*name) == nullptr)
      return Judgement::broken(words("the status names revision ", *name, ", which does not exist"));
  return Judgement::held();
}

Judgement no_restart_without_change(const Moment& m) {
  const Removed removed = removed_by(m, *m.call);
  const bool for_update = removed.why == Removal::outdated || removed.why == Removal::current;
  if (!for_update || m.facts->deleting || removed.pod->meta.terminating()) return Judgement::not_applicable();
  const Text* label = revision_label_of(*removed.pod);
  if (label == nullptr || m.facts->history.empty()) return Judgement::not_applicable();
  // Only the newest revision is compared by meaning; a return to older bytes is a change.
  const Revision& newest = *m.facts->history.back();
  if (!same_bytes(m, newest) && was_recorded(m)) return Judgement::not_applicable();
  const bool holds = newest.meta.name == *label &&
                     (m.environment.gates.semantic_revisions ? newest.data.holds(wanted(m)) : same_bytes(m, newest));
  return Judgement::of(!holds, [&] {
    return words("pod ", removed.pod->meta.name, " was deleted though its revision ", *label,
                 " holds the set's template");
  });
}

}  // namespace ordeal::properties::revisions
