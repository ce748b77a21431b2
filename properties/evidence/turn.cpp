#include "properties/evidence/turn.h"

#include "core/api/names.h"
#include "properties/evidence/claims.h"

namespace ordeal::properties {

bool comes_again_for_a_claim(const Sync& sync) {
  constexpr Time before_long = Time::seconds(60);
  if (!sync.result.requeue_after || *sync.result.requeue_after > before_long) return false;
  const StatefulSet* set = sync.seen.sets.find(sync.key.name);
  if (set == nullptr) return false;
  return std::ranges::any_of(sync.seen.claims.all, [&](const Claim* claim) {
    const auto place = claim->meta.terminating() ? place_of_claim(*set, claim->meta.name) : std::nullopt;
    const Pod* pod = place ? sync.seen.pods.find(pod_name(set->meta.name, place->ordinal)) : nullptr;
    return place && set->spec->covers(place->ordinal) && (pod == nullptr || pod->phase != Phase::running);
  });
}

}  // namespace ordeal::properties
