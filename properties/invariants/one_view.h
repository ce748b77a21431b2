// Promises about one decision, kept by one view of the world.
//
// A controller may go by what its caches show or by what answers have told its process, and is excused by either
// (judge.cpp). Who passes over a pod since it has deleted it, and counts it as running all the same, keeps each promise
// by another view, and no view keeps them all. Covered by the tests of the families.
#pragma once

#include <initializer_list>

#include "properties/invariants/invariant.h"
#include "properties/invariants/words.h"

namespace ordeal::properties {

/// All of them, which are asked at the same moment, of a turn whose caches lag: before that there is one view.
inline Judgement by_one_view(const Moment& m, std::initializer_list<Judgement (*)(const Moment&)> checks) {
  if (m.sync->fresh) return Judgement::not_applicable();
  bool applied = false;
  for (const auto check : checks) {
    const Judgement judgement = check(m);
    if (const Violation* violation = judgement.violation())
      return Judgement::broken(words("by what the caches show, ", violation->claim,
                                     "; by what answers told the process, another promise about this is broken"));
    applied |= judgement.applied();
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

}  // namespace ordeal::properties
