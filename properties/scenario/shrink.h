// Smaller scenarios that still fail: fewer steps, then simpler steps, then a simpler set, until no single step or field
// can be removed or simplified further. Deterministic. Covered by shrink_test.cpp.
#pragma once

#include <functional>

#include "properties/scenario/scenario.h"

namespace ordeal::properties {

struct ShrinkLimits {
  std::size_t trials = 20000;
};
struct Shrunk {
  Scenario scenario;
  std::size_t trials = 0;  // how often the predicate was asked
  bool minimal = false;    // checked: every single simplification was tried and holds; false when a limit ended it
};
/// What a fair environment does of its own accord: a run of these may come to no more than one settle.
bool is_progress(StepKind kind);
/// `fails` must be true of `scenario`, and the same each time it is asked.
Shrunk shrink(Scenario scenario, const std::function<bool(const Scenario&)>& fails, ShrinkLimits limits = {});
/// Every single simplification of a scenario, simplest change first; what `minimal` is checked against.
std::vector<Scenario> simplifications(const Scenario& scenario);

}  // namespace ordeal::properties
