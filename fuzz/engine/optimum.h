// Is a shrunk scenario as short as any? Asked by trying every shorter one, so only of short ones and within a limit.
//
// The set and the environment stay; steps are drawn from an alphabet: every kind of step in its plainest form, and the
// scenario's own steps. When that is too much for the limit: those by which a world goes on, and the scenario's own. So
// a proof is one within its alphabet. Covered by optimum_test.cpp.
#pragma once

#include <cstddef>
#include <optional>

#include "properties/trial/trial.h"

namespace ordeal::fuzz {

struct Optimum {
  bool proved = false;  // every shorter scenario of the alphabet holds, or `shorter` is a shortest
  std::optional<properties::Scenario> shorter;  // breaks the same invariant
  std::size_t alphabet = 0, trials = 0;
};

/// `scenario` must break `invariant` under `program`.
Optimum find_optimum(const properties::Scenario& scenario, const properties::Invariant& invariant,
                     properties::Program& program, properties::Level level, std::size_t trials_at_most);

}  // namespace ordeal::fuzz
