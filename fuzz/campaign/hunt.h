// Hunting mutants: whether trials drawn at random find each, how soon, by which promise, and how short the story gets.
//
// What comes out of a hunt depends on mutants, sets and seed only, but for `seconds` and for who survives because the
// time was up: each mutant is hunted by one thread, from trial 0 on, to its first violation. Covered by hunt_test.cpp.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "fuzz/campaign/campaign.h"
#include "fuzz/engine/first_sets.h"
#include "properties/invariants/invariant.h"
#include "properties/mutants/mutants.h"

namespace ordeal::fuzz {

struct HuntOptions {
  std::vector<const properties::Mutant*> mutants;
  FirstSets sets;
  std::uint64_t seed = 1;
  std::chrono::milliseconds time_each{10'000};  // no trial, and no world, is begun after so long
  unsigned jobs = 1;                            // mutants hunted at the same time
  Engine engine = Engine::random;
};

struct Hunted {
  const properties::Mutant* mutant = nullptr;
  const properties::Invariant* broken = nullptr;  // by the first trial that broke any; null: it survived
  std::uint64_t trials = 0;                       // the one that found it included; worlds of the exhaustive engine
  double seconds = 0;                             // until it was found, or given up
  std::size_t steps = 0;                          // of the shrunk scenario; 0 for a survivor
  Finding finding{};                              // that trial, shrunk; empty for a survivor

  /// By the promise that is there to catch it. When the first trial breaks that one among others, it counts as the one.
  bool as_expected() const { return broken != nullptr && broken->id == mutant->invariant; }
};

/// In the order of `options.mutants`; `stop` ends it early, and those not hunted to an end are left out.
std::vector<Hunted> hunt(const HuntOptions& options, const std::atomic<bool>& stop);

}  // namespace ordeal::fuzz
