#include "properties/invariants/at_rest.h"

#include <algorithm>

#include "core/api/names.h"

namespace ordeal::properties {
namespace {

bool has_its_claims(const StatefulSet& set, const Slot& slot) {
  for (const ClaimTemplate& claim_template : set.spec->claim_templates) {
    const Text claim = claim_name(claim_template.name, set.meta.name, slot.ordinal);
    const auto bound = [&](const Volume& v) { return v.name == claim_template.name && v.claim == claim; };
    if (slot.pod->volumes == nullptr || std::ranges::none_of(*slot.pod->volumes, bound)) return false;
  }
  return true;
}

}  // namespace

bool blocked_by_broken_update(const Facts& facts) {
  return facts.ordered && std::ranges::any_of(facts.slots, [&](const Slot& slot) {
           return slot.pod != nullptr && facts.outdated(*slot.pod) && !facts.healthy(*slot.pod);
         });
}

bool blocked_by_broken_surplus(const Facts& facts) {
  const auto is_broken = [&](const Pod* pod) { return !facts.healthy(*pod); };
  return facts.ordered && std::ranges::count_if(facts.condemned, is_broken) > 1 && is_broken(facts.condemned.front());
}

bool blocked_by_unrepairable_pod(const Facts& facts) {
  return facts.set != nullptr && std::ranges::any_of(facts.slots, [&](const Slot& slot) {
           return slot.pod != nullptr && !has_its_claims(*facts.set, slot);
         });
}

bool has_too_long_names(const Facts& facts) {
  constexpr std::size_t longest_label = 63;
  return facts.set != nullptr && facts.update_name.size() > longest_label;
}

}  // namespace ordeal::properties
