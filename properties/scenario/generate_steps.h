// Beats: what the generator of scenarios strings together. Internal to the generator and the mutators.
//
// A beat is one step, or a few that belong together: a turn of the control loop, the beginning of a rollout, a fault
// and the sync it strikes. Single steps alone hardly ever line up into a rollout; idioms alone would only find what
// their author thought of. So beats hold both, and a swarm decides which of them exist in a scenario.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/scenario/choices.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

/// Which kinds of step exist in a scenario, and which beats are favoured.
struct Swarm {
  std::uint64_t kinds = ~std::uint64_t{0};  // a bit per StepKind
  bool between_calls = true;
  std::uint8_t favourites[2] = {0, 0};  // beats, as a byte draws them, that take the place of ones left out
  bool has(StepKind kind) const { return ((kinds >> static_cast<unsigned>(kind)) & 1) != 0; }
};
static_assert(step_kind_count < 64);

/// Reads one part of bytes; favourites are for the caller to draw.
Swarm draw_swarm(Choices& choices);
/// Reads one part of bytes and appends its steps; none for a settle right after another.
void draw_beat(Choices& choices, const Swarm& swarm, std::vector<Step>& steps);

/// Requests of this sort fail for a while, in a drawn way that an API server has for them.
Step draw_outage(Choices& choices, OutageOf of);
/// Before which call of a sync a step takes place or a fault strikes, counted from 1.
std::uint8_t draw_call(Choices& choices);

}  // namespace ordeal::properties
