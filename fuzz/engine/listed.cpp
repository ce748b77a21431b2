#include "fuzz/engine/listed.h"

#include <algorithm>

namespace ordeal::fuzz {

using namespace properties;

TrialOptions Listed::asked(Level level, std::uint64_t seed, std::uint64_t trial) const {
  const auto all = relations();
  const std::size_t chosen = own_relation(trial).value_or((seed % all.size() + trial % all.size()) % all.size());
  return {.level = level, .relations = all.subspan(chosen, 1), .guards_inputs = true};
}

std::optional<std::size_t> Listed::own_relation(std::uint64_t trial) const {
  const auto all = relations();
  const auto own = std::ranges::find(all, list_.at(trial).about, &Relation::invariant);
  return own != all.end() ? std::optional(static_cast<std::size_t>(own - all.begin())) : std::nullopt;
}

Scenario StoriesFirst::scenario(std::uint64_t trial) const {
  return trial < stories_.size() ? stories_.scenario(trial) : scenario_of_trial(sets_, seed_, trial);
}

TrialOptions StoriesFirst::asked(Level level, std::uint64_t seed, std::uint64_t trial) const {
  if (trial >= stories_.size()) return ScenarioSource::asked(level, seed, trial);
  TrialOptions asked = stories_.asked(level, seed, trial);
  if (!stories_.own_relation(trial)) asked.relations = {};
  return asked;
}

}  // namespace ordeal::fuzz
