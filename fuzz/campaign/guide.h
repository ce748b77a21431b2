// The guided search: scenarios in which something met for the first time are kept, and others are made from them.
//
// Scenario `trial` depends on sets, seed, trial and what is kept, and on nothing else. Covered by guide_test.cpp.
#pragma once

#include <vector>

#include "fuzz/engine/run.h"
#include "properties/trial/encounters.h"

namespace ordeal::fuzz {

class Guide final : public ScenarioSource {
 public:
  Guide(const FirstSets& sets, std::uint64_t seed) : sets_(sets), seed_(seed) {}

  /// A scenario drawn at random, a variation of a kept one, or two of them spliced.
  properties::Scenario scenario(std::uint64_t trial) const override;
  /// What one met; keeps it if any of that is new.
  void learn(const properties::Scenario& scenario, const properties::Encounters::Bits& met);
  void keep(properties::Scenario scenario) { kept_.push_back(std::move(scenario)); }
  std::size_t kept() const { return kept_.size(); }

 private:
  const properties::Scenario& draw_kept(properties::Choices& choices) const;

  const FirstSets& sets_;
  const std::uint64_t seed_;
  std::vector<properties::Scenario> kept_;
  properties::Encounters::Bits met_;
};

}  // namespace ordeal::fuzz
