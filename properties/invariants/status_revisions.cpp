// Revisions in a status, and when a rollout is complete.
#include <algorithm>

#include "properties/evidence/lookup.h"
#include "properties/invariants/recount.h"
#include "properties/invariants/status.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::status {
namespace {

bool revisions_known(const Facts& facts) { return is_countable(facts) && facts.update != nullptr; }

/// The write makes the update revision the current one, which it was not.
bool completes(const Moment& m, const StatefulSetStatus& written) {
  const Text& before = shown(m).current_revision;
  if (written.current_revision == before) return false;
  return std::ranges::any_of(m.facts->history, [&](const Revision* held) { return held->meta.name == before; });
}

/// A set on its way out may stay with the update revision that it was shown with, and counts by that.
bool stays_with_an_earlier(const Moment& m) {
  const Text& name = m.call->request.status().update_revision;
  return m.facts->deleting && name == shown(m).update_revision && name != m.facts->update_name;
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

}  // namespace

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
  if (!completes(m, written) || stays_with_an_earlier(m)) return Judgement::not_applicable();
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
  if (stays_with_an_earlier(m)) return Judgement::not_applicable();
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

}  // namespace ordeal::properties::status
