// The guided search: scenarios in which something met for the first time are kept, and others are made from them.
//
// Deterministic: what comes next depends on the sets, the seed and what was learnt so far. Not shared between threads.
// Covered by guide_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "fuzz/engine/first_sets.h"
#include "properties/scenario/choices.h"
#include "properties/scenario/scenario.h"
#include "properties/trial/encounters.h"

namespace ordeal::fuzz {

class Guide {
 public:
  Guide(const FirstSets& sets, std::uint64_t seed) : sets_(sets), seed_(seed) {}

  /// A scenario drawn at random, a variation of a kept one, or two of them spliced.
  properties::Scenario next();
  /// What the last one met; keeps it if any of that is new.
  void learn(const properties::Scenario& scenario, const properties::Encounters::Bits& met);
  std::size_t kept() const { return kept_.size(); }

 private:
  const properties::Scenario& draw_kept(properties::Choices& choices) const;

  const FirstSets& sets_;
  const std::uint64_t seed_;
  std::uint64_t trial_ = 0;
  std::vector<properties::Scenario> kept_;
  properties::Encounters::Bits met_;
};

}  // namespace ordeal::fuzz
