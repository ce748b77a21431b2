#include "fuzz/engine/baseline.h"

#include <utility>

#include "properties/scenario/known_fields.h"

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

std::expected<bool, std::string> Baseline::keeps(const Scenario& scenario, const TrialOptions& only) {
  if (has_unknown(scenario, known_fields())) return false;
  Answer answer = this->answer(scenario, only);
  if (!answer.unclear.empty()) return std::unexpected(std::move(answer.unclear));
  return !answer.breaks.test(place_of(*only.only));
}

}  // namespace ordeal::fuzz
