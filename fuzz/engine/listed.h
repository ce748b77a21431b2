// Scenarios of a list as the trials of a run: trial i is the i-th of them, and what comes after the last is drawn.
// Covered by listed_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/engine/run.h"

namespace ordeal::fuzz {

/// A scenario, and the id of the promise that it was stored for; empty when nobody said.
struct ListedStory {
  properties::Scenario scenario;
  std::string about{};
  std::string file{};  // where it is stored; empty when nobody asks
};

class Listed final : public ScenarioSource {
 public:
  explicit Listed(std::vector<ListedStory> list) : list_(std::move(list)) {}

  properties::Scenario scenario(std::uint64_t trial) const override { return list_.at(trial).scenario; }
  /// A stored scenario may be about any promise, so inputs are guarded, and of relations the one that it is about is
  /// asked; else one that the seed chooses, a different one for each in turn. All of them would be seven times as much
  /// work as the rest together, which a slow controller has no time for.
  properties::TrialOptions asked(properties::Level level, std::uint64_t seed, std::uint64_t trial) const override;
  /// By place in relations(): the one that a story is about, if it is about any.
  std::optional<std::size_t> own_relation(std::uint64_t trial) const;
  std::size_t size() const { return list_.size(); }
  /// Of the story that a trial is; empty when it is none.
  std::string file(std::uint64_t trial) const { return trial < list_.size() ? list_[trial].file : ""; }

 private:
  const std::vector<ListedStory> list_;
};

/// Stories first: what broke others breaks the next one soonest. Of relations each is asked only the one that it is
/// about. Whatever is drawn is drawn by the number of its trial, as if there were no stories. Both outlive it.
class StoriesFirst final : public ScenarioSource {
 public:
  StoriesFirst(const Listed& stories, const FirstSets& sets, std::uint64_t seed)
      : stories_(stories), sets_(sets), seed_(seed) {}

  properties::Scenario scenario(std::uint64_t trial) const override;
  properties::TrialOptions asked(properties::Level level, std::uint64_t seed, std::uint64_t trial) const override;

 private:
  const Listed& stories_;
  const FirstSets& sets_;
  const std::uint64_t seed_;
};

}  // namespace ordeal::fuzz
