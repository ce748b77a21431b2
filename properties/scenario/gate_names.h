// The gates of an environment under their Kubernetes names: the one table of them. Whatever treats all gates alike
// loops over it, so that a new gate is a field and a row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "properties/scenario/scenario.h"

namespace ordeal::properties {

struct Gate {
  std::string_view name;
  bool ApiGates::* api;      // null: the API server has no such gate
  bool Gates::* controller;  // null: the controller has none, or none that is on trial
};
inline constexpr Gate gates[] = {
    {"MaxUnavailableStatefulSet", &ApiGates::max_unavailable, &Gates::max_unavailable},
    {"StatefulSetRecreateStrategy", &ApiGates::recreate, &Gates::recreate},
    {"StatefulSetSemanticRevisionComparison", nullptr, &Gates::semantic_revisions},
    {"StaleControllerConsistencyStatefulSet", nullptr, &Gates::stale_guard},
    {"StatefulSetAutoDeletePVC", &ApiGates::auto_delete_claims, nullptr},
};

/// Calls `see(gate, whether it is on)` for each gate of that side.
template <class See>
constexpr void each_gate(const Gates& of, See see) {
  for (const Gate& gate : gates)
    if (gate.controller != nullptr) see(gate, of.*gate.controller);
}
template <class See>
constexpr void each_gate(const ApiGates& of, See see) {
  for (const Gate& gate : gates)
    if (gate.api != nullptr) see(gate, of.*gate.api);
}

constexpr std::size_t rows_of(bool (*has_side)(const Gate&)) {
  return static_cast<std::size_t>(std::ranges::count_if(gates, has_side));
}
static_assert(sizeof(Gates) == rows_of([](const Gate& gate) { return gate.controller != nullptr; }),
              "a gate of the controller that has no row, or one that is no bool");
static_assert(sizeof(ApiGates) == rows_of([](const Gate& gate) { return gate.api != nullptr; }),
              "a gate of the API server that has no row, or one that is no bool");

/// The row of a gate of the controller.
constexpr const Gate& row_of(bool Gates::* controller) {
  return *std::ranges::find(gates, controller, &Gate::controller);
}

/// The row of this name, which there must be.
constexpr const Gate& row_of(std::string_view name) { return *std::ranges::find(gates, name, &Gate::name); }
/// Of the controller.
constexpr bool is_gate(std::string_view name) {
  return std::ranges::any_of(gates, [&](const Gate& gate) { return gate.name == name && gate.controller != nullptr; });
}

}  // namespace ordeal::properties
