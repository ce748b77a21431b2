// Why a scenario breaks a promise: what it cannot do without, from when on nothing helps any more, and what comes
// nearest to it and holds. Every line is found by trying, none by reasoning, so each is true of this controller.
//
// Deterministic. Covered by explain_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/engine/controllers.h"
#include "properties/trial/trial.h"

namespace ordeal::fuzz {

/// A change of one step or one field after which the promise holds.
struct Remedy {
  std::string of;      // "step 3, user.scale replicas=0", "spec.replicas = 2"
  std::string change;  // "replicas=1", "1"; empty when it is left out

  std::string with() const { return change.empty() ? "without" : "with " + change; }
};

struct Explanation {
  std::vector<Remedy> needed;         // in the order of steps, then of fields
  std::vector<std::string> idle;      // steps that can be left out, one at a time, and it is broken all the same
  std::size_t unavoidable_after = 0;  // so many steps: every continuation that was tried breaks the promise
  std::size_t continuations = 0;      // tried there: the fair epilogue alone, and random steps before it
  std::optional<Remedy> nearest;      // the smallest change of all
  std::size_t trials = 0;             // it took
};

/// `scenario` must break `invariant` under the controller of `dock` at `level`. A trial without a verdict, of a program
/// that broke down, tells nothing.
Explanation explain(const properties::Scenario& scenario, const properties::Invariant& invariant, Dock& dock,
                    properties::Level level);

}  // namespace ordeal::fuzz
