#include "fuzz/campaign/guide.h"

#include <algorithm>

#include "properties/scenario/vary.h"

namespace ordeal::fuzz {

using namespace properties;

namespace {

constexpr std::size_t longest = 64;   // steps, as scenarios drawn at random have
constexpr std::uint32_t newest = 32;  // half of what is varied is among the last kept, near the edge of what is known

}  // namespace

const Scenario& Guide::draw_kept(Choices& choices) const {
  const auto size = static_cast<std::uint32_t>(kept_.size());
  const std::uint32_t from = choices.one_in(2) ? size - std::min(size, newest) : 0;
  return kept_[from + choices.up_to(size - from - 1)];
}

Scenario Guide::scenario(std::uint64_t trial) const {
  Seeded choices(seed_of_trial(seed_ + 1, trial));  // not those a scenario is drawn by
  const std::uint32_t way = choices.up_to(5);
  if (kept_.empty() || way < 2) return scenario_of_trial(sets_, seed_, trial);
  if (way == 2) {
    const Scenario& one = draw_kept(choices);
    return splice(choices, one, draw_kept(choices), longest);
  }
  return vary(choices, draw_kept(choices), longest);
}

void Guide::learn(const Scenario& scenario, const Encounters::Bits& met) {
  if ((met & ~met_).none()) return;
  met_ |= met;
  kept_.push_back(scenario);
}

}  // namespace ordeal::fuzz
