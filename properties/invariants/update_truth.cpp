// The promises about updates that are judged by the truth: during undisturbed rollouts, and in the end.
#include "core/api/names.h"
#include "properties/evidence/at_rest.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/removal.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/update.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::update {
namespace {

/// A pod of a set that is being rolled out undisturbed.
struct Rollout {
  const StatefulSet& set;
  std::int64_t index = 0;  // of the pod's place
  std::int32_t partition = 0;
  std::int32_t replicas = 0;
};
/// Nothing for a surplus pod.
std::optional<Rollout> rollout_of(const Moment& m, const Pod& pod) {
  if (!m.history.calm) return std::nullopt;
  const StatefulSet* set = owner_in(m.truth, pod);
  if (set == nullptr || set->meta.terminating()) return std::nullopt;
  const Ordinal ordinal = parse_member(pod.meta.name).ordinal;
  if (ordinal == Ordinal::none) return std::nullopt;
  const StatefulSetSpec& spec = *set->spec;
  const auto index = spec.index_of(ordinal);
  if (!index || *index >= spec.places()) return std::nullopt;
  return Rollout{*set, *index, spec.rolling_update ? spec.rolling_update->partition.value_or(0) : 0, spec.places()};
}

std::int32_t available_now(const Cluster& truth, const StatefulSet& set) {
  std::int32_t found = 0;
  for (const Pod* pod : truth.pods().live().all()) {
    if (!set.spec->covers(parse_member(pod->meta.name).ordinal) || owner_in(truth, *pod) != &set ||
        pod->meta.terminating())
      continue;
    found += Facts::ready_for_at_least(*pod, set.spec->min_ready_seconds, truth.now()) ? 1 : 0;
  }
  return found;
}

}  // namespace

Judgement partition_protects(const Moment& m) {
  if (!takes_away(*m.pod_change)) return Judgement::not_applicable();
  const Pod& pod = *m.pod_change->before;
  const auto rollout = rollout_of(m, pod);
  if (!rollout || rollout->partition == 0) return Judgement::not_applicable();
  return Judgement::of(rollout->index >= rollout->partition || Facts::terminal(pod), [&] {
    return words("pod ", pod.meta.name, " was stopped though the partition is ", rollout->partition);
  });
}

Judgement unavailable_within_budget(const Moment& m) {
  if (!takes_away(*m.pod_change)) return Judgement::not_applicable();
  const Pod& pod = *m.pod_change->before;
  const auto rollout = rollout_of(m, pod);
  if (!rollout || Facts::terminal(pod)) return Judgement::not_applicable();  // that served nobody
  const StatefulSetSpec& spec = *rollout->set.spec;
  const bool counted = m.environment.gates.max_unavailable;
  const bool bounded =
      spec.strategy == Strategy::rolling_update && (counted || spec.pod_management == PodManagement::ordered_ready);
  if (!bounded || !Facts::ready_for_longer(pod, spec.min_ready_seconds, m.truth.now()))
    return Judgement::not_applicable();
  const std::int32_t unavailable = rollout->replicas - available_now(m.truth, rollout->set);
  const std::int32_t budget = counted ? Facts::budget_of(spec).rounded_up : 1;
  return Judgement::of(unavailable <= budget, [&] {
    return words("with pod ", pod.meta.name, " stopped ", unavailable, " pods are unavailable; at most ", budget,
                 " may be");
  });
}

Judgement keeps_progress(const Moment& m) {
  const Change<Pod>& change = *m.pod_change;
  if (change.before != nullptr || change.after == nullptr) return Judgement::not_applicable();
  const auto rollout = rollout_of(m, *change.after);
  if (!rollout || rollout->index < rollout->partition) return Judgement::not_applicable();
  const StatefulSet& set = rollout->set;
  const bool by_count = set.spec->strategy == Strategy::rolling_update && !set.spec->rolling_update;
  if (by_count || set.is_edited_since_status()) return Judgement::not_applicable();
  return Judgement::of(same(change.after->made_from, set.spec->pod_template), [&] {
    return words("pod ", change.after->meta.name, " was created from an older template than the set's");
  });
}

// --- in the end -----------------------------------------------------------------------------------------------------

namespace {

/// Nothing that no controller could help keeps the set from being updated.
bool can_be_done(const Facts& facts) {
  if (!is_regular(facts) || facts.set->spec->strategy == Strategy::on_delete) return false;
  if (sleeps_through_min_ready(facts) || follows_foreign_revision(facts)) return false;
  return !blocked_by_unrepairable_pod(facts) && !blocked_by_broken_surplus(facts);
}
bool should_be_done(const Moment& m) { return m.history.came_to_rest && can_be_done(*m.facts); }

/// An update that comes to it replaces this pod.
bool is_for_the_update(const Facts& facts, std::size_t index) {
  return static_cast<std::int32_t>(index) >= facts.partition && facts.outdated(*facts.slots[index].pod);
}

const Pod* first_outdated(const Facts& facts, bool broken) {
  for (std::size_t i = 0; i < facts.slots.size(); ++i) {
    const Pod* pod = facts.slots[i].pod;
    if (pod == nullptr || static_cast<std::int32_t>(i) < facts.partition || !facts.outdated(*pod)) continue;
    if (facts.healthy(*pod) != broken) return pod;
  }
  return nullptr;
}

/// An update would replace this pod, which never started and keeps its own claim from going.
const Pod* first_that_holds_a_claim(const Moment& m) {
  const auto& slots = m.facts->slots;
  const Listing<Claim> claims = m.truth.claims().live().listing();
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (holds_a_leaving_claim(slots[i], claims) && is_for_the_update(*m.facts, i)) return slots[i].pod;
  return nullptr;
}

Judgement none_left_broken(const Moment& m, bool ordered) {
  if (m.facts->ordered != ordered || !can_be_done(*m.facts)) return Judgement::not_applicable();
  const Pod* holds = first_that_holds_a_claim(m);  // who waits for that claim never comes to rest
  if (holds != nullptr)
    return Judgement::broken(
        words("pod ", holds->meta.name,
              " is broken and outdated, and nothing replaces it, for its own claim is to go first"));
  if (!m.history.came_to_rest) return Judgement::not_applicable();
  const Pod* left = first_outdated(*m.facts, true);
  return Judgement::of(left == nullptr,
                       [&] { return words("pod ", left->meta.name, " is broken, outdated, and nothing replaces it"); });
}

/// Each place has a pod, and each pod is well.
bool all_are_well(const Facts& facts) {
  return std::ranges::all_of(facts.slots,
                             [&](const Slot& slot) { return slot.pod != nullptr && facts.surely_healthy(*slot.pod); });
}

}  // namespace

Judgement completes(const Moment& m) {
  if (!should_be_done(m) || first_outdated(*m.facts, true) != nullptr) return Judgement::not_applicable();
  const Pod* left = first_outdated(*m.facts, false);
  return Judgement::of(left == nullptr,
                       [&] { return words("pod ", left->meta.name, " is still outdated, though all is well"); });
}

Judgement replaces_broken_revision(const Moment& m) { return none_left_broken(m, false); }

Judgement replaces_broken_revision_in_order(const Moment& m) { return none_left_broken(m, true); }

Judgement replaces_unrepairable(const Moment& m) {
  // Whoever tries to repair it in every turn never comes to rest. Without a rollingUpdate block low pods may be made
  // again as they were.
  const Facts& facts = *m.facts;
  if (!is_regular(facts) || facts.set->spec->strategy == Strategy::on_delete || !facts.has_rolling_update)
    return Judgement::not_applicable();
  if (facts.set->spec->claim_templates.empty() || !facts.condemned.empty() || follows_foreign_revision(facts) ||
      !all_are_well(facts))
    return Judgement::not_applicable();
  const Pod* left = nullptr;
  for (std::size_t i = 0; i < facts.slots.size(); ++i) {
    if (!is_unrepairable(facts, facts.slots[i])) continue;
    if (!is_for_the_update(facts, i)) return Judgement::not_applicable();  // it stands in the way
    left = facts.slots[i].pod;
  }
  return Judgement::of(left == nullptr, [&] {
    return words("pod ", left->meta.name, " is outdated and lacks the volumes of its claims, and nothing replaces it");
  });
}

}  // namespace ordeal::properties::update
