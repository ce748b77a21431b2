#include "fuzz/campaign/killers.h"

#include <algorithm>

#include "fuzz/engine/few.h"
#include "fuzz/engine/parallel.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;
using Kills = std::vector<bool>;  // by place among those hunted

/// Whether the story found for one mutant breaks another. The expensive checks (relations, the guard of inputs) are
/// made only for the promise that the story is about, as `ordeal ci` makes them (listed.h).
bool breaks(const Hunted& teller, const Hunted& mutant, Court& court) {
  const Scenario& story = teller.finding.scenario;
  const ControllerKind kind = kind_of(*mutant.mutant);
  Dock dock(kind);
  if (!court.try_scenario(story, dock, {.level = Level::strict}).breaches.empty()) return true;
  return !court.try_scenario(story, dock, {.level = Level::strict, .only = teller.broken}).breaches.empty();
}

Kills kills_of(const Hunted& teller, const std::vector<Hunted>& hunted) {
  Court court;
  Kills kills(hunted.size());
  for (std::size_t m = 0; m < hunted.size(); ++m)
    kills[m] = hunted[m].broken != nullptr && breaks(teller, hunted[m], court);
  return kills;
}

std::vector<Kills> all_kills(const std::vector<Hunted>& hunted, unsigned jobs, const std::atomic<bool>& stop) {
  std::vector<Kills> all(hunted.size(), Kills(hunted.size()));
  std::atomic<std::size_t> next = 0;
  run_in_parallel(std::max(jobs, 1u), [&](unsigned) {
    for (std::size_t i = next++; i < all.size() && !stop.load(); i = next++)
      if (hunted[i].broken != nullptr) all[i] = kills_of(hunted[i], hunted);
  });
  return all;
}

}  // namespace

std::vector<std::size_t> killers_of(const std::vector<Hunted>& hunted, unsigned jobs, const std::atomic<bool>& stop) {
  const std::vector<Kills> kills = all_kills(hunted, jobs, stop);
  if (stop.load()) return {};
  Kills dead(hunted.size());
  const auto adds = [&](std::size_t i) {
    std::size_t n = 0;
    for (std::size_t m = 0; m < hunted.size(); ++m) n += kills[i][m] && !dead[m] ? 1u : 0u;
    return n;
  };
  const auto take = [&](std::size_t i) {
    for (std::size_t m = 0; m < hunted.size(); ++m) dead[m] = dead[m] || kills[i][m];
  };
  return few_of(hunted.size(), adds, [&](std::size_t i) { return hunted[i].steps; }, take);
}

}  // namespace ordeal::fuzz
