// Scenarios of a list as the trials of a run: trial i is the i-th of them, and is asked everything. Covered by stages_test.cpp.
#pragma once

#include <utility>
#include <vector>

#include "fuzz/engine/run.h"

namespace ordeal::fuzz {

class Listed final : public ScenarioSource {
 public:
  explicit Listed(std::vector<properties::Scenario> list) : list_(std::move(list)) {}

  properties::Scenario scenario(std::uint64_t trial) const override { return list_.at(trial); }
  /// A stored scenario may be about any promise, so the dear ones are asked, too.
  properties::TrialOptions asked(properties::Level level, std::uint64_t, std::uint64_t) const override {
    return {.level = level, .relations = properties::relations(), .guards_inputs = true};
  }
  std::size_t size() const { return list_.size(); }

 private:
  const std::vector<properties::Scenario> list_;
};

}  // namespace ordeal::fuzz
