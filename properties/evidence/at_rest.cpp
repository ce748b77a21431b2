#include "properties/evidence/at_rest.h"

#include <algorithm>
#include <array>

#include "core/api/names.h"

namespace ordeal::properties {

bool has_its_claims(const StatefulSet& set, const Pod& pod, Ordinal ordinal) {
  for (const ClaimTemplate& claim_template : set.spec->claim_templates) {
    const Text claim = claim_name(claim_template.name, set.meta.name, ordinal);
    const auto bound = [&](const Volume& v) { return v.name == claim_template.name && v.claim == claim; };
    if (pod.volumes == nullptr || std::ranges::none_of(*pod.volumes, bound)) return false;
  }
  return true;
}

namespace {

bool holds_up_an_update(const Facts& facts, const Slot& slot) {
  return slot.pod != nullptr && facts.outdated(*slot.pod) && !facts.surely_healthy(*slot.pod) &&
         !Facts::terminal(*slot.pod);
}

/// Its pod is ready, but not for longer than minReadySeconds: on the stroke nobody can tell.
bool is_settling(const Facts& facts, const Slot& slot) {
  return slot.pod != nullptr && Facts::running_and_ready(*slot.pod) && !facts.surely_available(*slot.pod);
}

}  // namespace

bool blocked_by_broken_update(const Facts& facts) {
  return facts.ordered &&
         std::ranges::any_of(facts.slots, [&](const Slot& slot) { return holds_up_an_update(facts, slot); });
}

bool blocked_by_broken_surplus(const Facts& facts) {
  const auto is_broken = [&](const Pod* pod) { return !facts.healthy(*pod); };
  return facts.ordered && std::ranges::count_if(facts.condemned, is_broken) > 1 && is_broken(facts.condemned.front());
}

bool is_unrepairable(const Facts& facts, const Slot& slot) {
  return slot.pod != nullptr && !has_its_claims(*facts.set, *slot.pod, slot.ordinal);
}
bool blocked_by_unrepairable_pod(const Facts& facts) {
  return facts.set != nullptr &&
         std::ranges::any_of(facts.slots, [&](const Slot& slot) { return is_unrepairable(facts, slot); });
}

bool waits_for_a_strange_claim(const Facts& facts, const Slot& slot) {
  if (slot.pod == nullptr || slot.pod->phase != Phase::pending || slot.pod->volumes == nullptr) return false;
  const StatefulSet& set = *facts.set;
  return std::ranges::any_of(*slot.pod->volumes, [&](const Volume& volume) {
    return !volume.claim.empty() && std::ranges::none_of(set.spec->claim_templates, [&](const ClaimTemplate& own) {
      return volume.claim == claim_name(own.name, set.meta.name, slot.ordinal);
    });
  });
}

bool sleeps_through_min_ready(const Facts& facts) {
  const auto settles = [&](const Slot& slot) { return is_settling(facts, slot); };
  return facts.min_ready_seconds > 0 && facts.recount.surely_available == facts.replicas &&
         std::ranges::any_of(facts.slots, settles);
}

bool needs_a_human(const Facts& facts) {
  return blocked_by_broken_update(facts) || blocked_by_broken_surplus(facts) || blocked_by_unrepairable_pod(facts) ||
         sleeps_through_min_ready(facts) ||
         std::ranges::any_of(facts.slots, [&](const Slot& slot) { return waits_for_a_strange_claim(facts, slot); });
}

std::span<const Slot> places_free(const Facts& facts) {
  const std::span all(facts.slots);
  const bool sleeps = sleeps_through_min_ready(facts);
  const auto blocks = [&](const Slot& slot) {
    if (is_unrepairable(facts, slot)) return true;
    return facts.ordered && (holds_up_an_update(facts, slot) || (sleeps && is_settling(facts, slot)) ||
                             waits_for_a_strange_claim(facts, slot));
  };
  return all.first(static_cast<std::size_t>(std::ranges::find_if(all, blocks) - all.begin()));
}

bool follows_foreign_revision(const Facts& facts) {
  if (facts.set == nullptr || facts.set->status.update_revision.empty()) return false;
  const Text& followed = facts.set->status.update_revision;
  const auto is_it = [&](const Revision* own) { return own->meta.name == followed; };
  return facts.update == nullptr || std::ranges::none_of(facts.history, is_it);
}

namespace {

/// It was recorded for this very set: whatever it is called, somebody has chosen the name for it.
bool was_recorded_for(const StatefulSet& set, const Cluster& truth, const Text& revision) {
  return std::ranges::any_of(truth.revisions().log(), [&](const Change<Revision>& change) {
    return change.before == nullptr && change.after->meta.name == revision &&
           change.after->meta.controlled_by(set.meta.uid);
  });
}

}  // namespace

bool has_too_long_names(const Facts& facts, const Cluster& truth) {
  if (facts.set == nullptr) return false;
  constexpr std::size_t longest_label = 63, longest_hash = 10;
  const Text& name = facts.set->meta.name;
  const bool leaves_no_room = name.size() + 1 + longest_hash > longest_label;
  const auto is_own = [&](const Text& revision) {
    return revision.view().starts_with(name.str() + "-") || was_recorded_for(*facts.set, truth, revision);
  };
  return std::ranges::any_of(
      std::array{facts.update_name, facts.set->status.update_revision},
      [&](const Text& revision) { return revision.size() > longest_label && (leaves_no_room || !is_own(revision)); });
}

}  // namespace ordeal::properties
