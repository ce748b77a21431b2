#include "fuzz/engine/baseline.h"

namespace ordeal::fuzz {

using namespace properties;

Baseline::Answer Baseline::answer(const Scenario& scenario, const TrialOptions& asked) {
  TrialOptions options = asked;
  options.encounters = nullptr;  // those of whoever is on trial
  const TrialResult tried = try_in(dock_, court_, scenario, options);
  Answer answer;
  if (tried.verdict == Verdict::inconclusive) answer.unclear = name() + ", held against: " + tried.inconclusive;
  for (const Breach& breach : tried.breaches) answer.breaks.set(place_of(*breach.invariant));
  return answer;
}

}  // namespace ordeal::fuzz
