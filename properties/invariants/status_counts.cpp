// Counts in a status, as they are written and in the end.
#include <algorithm>

#include "core/api/names.h"
#include "properties/evidence/at_rest.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/removal.h"
#include "properties/invariants/recount.h"
#include "properties/invariants/status.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::status {
namespace {

/// At least those in places and the surplus ones, at most all that look like the set's: what it still counts then is
/// nobody's promise.
struct Between {
  std::int32_t least, most;
};
/// Whether pods that it controls count, too, though their names are no place's, is open.
Between pods_of_one_that_goes(const Moment& m) {
  const Facts& facts = *m.facts;
  const auto exists = [](const Pod* pod) { return pod != nullptr && pod->phase != Phase::none; };
  const auto is_stranger = [&](const Pod* pod) {
    return pod->meta.controlled_by(facts.set->meta.uid) &&
           parse_member(pod->meta.name).parent != facts.set->meta.name.view();
  };
  const auto strangers = std::ranges::count_if(m.sync->seen.pods.all, is_stranger);
  return {static_cast<std::int32_t>(std::ranges::count_if(facts.slots, exists, &Slot::pod) +
                                    std::ranges::count_if(facts.condemned, exists)),
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

}  // namespace

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

namespace {

/// Pods at the current revision that are shown, and how many of them the turn has deleted by now for its update.
struct AtCurrent {
  std::int32_t shown = 0, deleted = 0;
};
AtCurrent pods_at_current(const Moment& m, const StatefulSetStatus& written) {
  AtCurrent pods{.shown = at_current(*m.facts, written)};
  for (const Call& call : calls_before(m)) {
    if (!call.is(Verb::remove, Kind::pod) || (call.failed() && call.reply.code != Code::not_found)) continue;
    const Removed removed = removed_by(m, call);
    if (removed.pod == nullptr) continue;
    const bool for_update = removed.why == Removal::outdated ||
                            (m.facts->set->spec->strategy == Strategy::recreate && m.facts->outdated(*removed.pod));
    const Pod& pod = *removed.pod;
    if (for_update && !pod.meta.terminating() && is_at(pod, current_one(*m.facts, written))) ++pods.deleted;
  }
  return pods;
}

Judgement current_replicas_are(const Moment& m, bool fine, const AtCurrent& pods) {
  return Judgement::of(fine || leaves(m, &StatefulSetStatus::current_replicas), [&] {
    return words("status.currentReplicas of ", m.facts->set->meta.name, " was written as ",
                 m.call->request.status().current_replicas, ", the caches of this turn show ", pods.shown,
                 ", and its update has deleted ", pods.deleted, " of them");
  });
}

/// Complete: the two revisions are one, and so are the counts.
bool is_complete(const StatefulSetStatus& told) {
  return told.current_revision == told.update_revision && told.current_replicas == told.updated_replicas;
}

}  // namespace

Judgement current_replicas(const Moment& m) {
  if (!counts_by_revision_are_promised(*m.facts)) return Judgement::not_applicable();
  const StatefulSetStatus& written = m.call->request.status();
  if (is_complete(written)) return Judgement::held();
  if (m.facts->restores_by_count()) {  // what is not counted out comes back at the old revision
    const AtCurrent pods = pods_at_current(m, written);
    if (written.current_replicas > pods.shown - pods.deleted) return current_replicas_are(m, false, pods);
  }
  return compare(m, "currentReplicas", &StatefulSetStatus::current_replicas, at_current(*m.facts, written),
                 turnover_of_current(m, calls_before(m)), &current_one(*m.facts, written));
}

Judgement current_replicas_exact(const Moment& m) {
  if (!counts_by_revision_are_promised(*m.facts)) return Judgement::not_applicable();
  const StatefulSetStatus& written = m.call->request.status();
  if (is_complete(written)) return Judgement::held();
  const AtCurrent pods = pods_at_current(m, written);
  return current_replicas_are(m, written.current_replicas == pods.shown - pods.deleted, pods);
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
  if (!rests_and_stays(m)) return Judgement::not_applicable();
  const StatefulSet& set = *m.facts->set;
  return Judgement::of(set.status.observed_generation == set.meta.generation, [&] {
    return words("status.observedGeneration of ", set.meta.name, " stays at ", set.status.observed_generation,
                 ", its generation is ", set.meta.generation);
  });
}

Judgement update_revision_at_rest(const Moment& m) {
  if (!rests_and_stays(m)) return Judgement::not_applicable();
  const StatefulSet& set = *m.facts->set;
  const Text& name = set.status.update_revision;
  return Judgement::of(holds_template(m.truth.revisions().find(name), set), [&] {
    return words("status.updateRevision of ", set.meta.name, " stays at ", name.empty() ? "(nothing)" : name.view(),
                 ", which does not hold the set's template");
  });
}

}  // namespace ordeal::properties::status
