// Promises about one decision, kept by one view of the world.
//
// A controller may go by what its caches show or by what answers have told its process, and is excused by either
// (judge.cpp). Who passes over a pod since it has deleted it, and counts it as running all the same, keeps the order by
// one view and the limits by the other. Covered by the tests of the families.
#pragma once

#include <initializer_list>

#include "properties/invariants/invariant.h"
#include "properties/invariants/words.h"

namespace ordeal::properties {

/// `order` says whose turn it is, `limits` whether it may be now; all are asked at the same moment. Who keeps the order
/// by what the caches show has one view, and its limits are judged by themselves.
inline Judgement by_one_view(const Moment& m, Judgement (*order)(const Moment&),
                             std::initializer_list<Judgement (*)(const Moment&)> limits) {
  if (m.sync->fresh) return Judgement::not_applicable();
  Judgement judgement = order(m);
  if (m.as_told)
    for (const auto limit : limits)
      if (judgement.violation() == nullptr) judgement = limit(m);
  const Violation* violation = judgement.violation();
  if (violation == nullptr) return judgement;
  return Judgement::broken(words("by what the caches show, ", violation->claim,
                                 "; by what answers told the process, there was something to wait for"));
}

}  // namespace ordeal::properties
