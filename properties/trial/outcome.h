// From a scenario to what it leaves behind (../evidence/outcome.h). Covered by relations_test.cpp.
#pragma once

#include "properties/evidence/outcome.h"
#include "properties/world/simulate.h"

namespace ordeal::properties {

/// Plays the scenario up to rest and tells what was left. Throws as `simulate` does.
Outcome outcome_of(World& world, const Scenario& scenario, Program& program);

}  // namespace ordeal::properties
