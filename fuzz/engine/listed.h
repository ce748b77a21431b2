// Scenarios of a list as the trials of a run: trial i is the i-th of them. Covered by listed_test.cpp.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fuzz/engine/run.h"

namespace ordeal::fuzz {

/// A scenario, and the id of the promise that it was stored for; empty when nobody said.
struct ListedStory {
  properties::Scenario scenario;
  std::string about{};
};

class Listed final : public ScenarioSource {
 public:
  explicit Listed(std::vector<ListedStory> list) : list_(std::move(list)) {}

  properties::Scenario scenario(std::uint64_t trial) const override { return list_.at(trial).scenario; }
  /// A stored scenario may be about any promise, so inputs are guarded, and of relations the one that it is about is
  /// asked; else one that the seed chooses, a different one for each in turn. All of them would be seven times as much
  /// work as the rest together, which a slow controller has no time for.
  properties::TrialOptions asked(properties::Level level, std::uint64_t seed, std::uint64_t trial) const override;
  std::size_t size() const { return list_.size(); }

 private:
  const std::vector<ListedStory> list_;
};

}  // namespace ordeal::fuzz
