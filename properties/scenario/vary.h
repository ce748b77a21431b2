// Variations: a scenario near another one, for engines that keep what was worth something and look around it.
// Covered by vary_test.cpp.
#pragma once

#include "properties/scenario/choices.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

/// The scenario with one to four small changes: steps drawn and put in, left out, repeated, moved or redrawn; an
/// argument of one that is another number, or a call that it waits for another one; one field of the set, or the
/// environment, drawn anew. At most `steps_at_most` steps. A set that the API server accepts stays one.
Scenario vary(Choices& choices, Scenario scenario, std::size_t steps_at_most = max_steps);

/// A beginning of one life and an end of another: the first's set and environment, or the second's.
Scenario splice(Choices& choices, const Scenario& one, const Scenario& other, std::size_t steps_at_most = max_steps);

}  // namespace ordeal::properties
