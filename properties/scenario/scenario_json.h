// The stored form of a scenario: versioned, readable JSON; unknown fields are refused with their path.
//
//   {
//     "format": "ordeal/scenario/1",
//     "about": "A sentence for readers.",                          optional, not kept
//     "found": {"invariant": "update.respects-partition", ...},    optional, texts and numbers, not kept
//     "set": { a StatefulSet },
//     "environment": {"api": {"MaxUnavailableStatefulSet": false}, "controller": {...}},   only what is not the default
//     "steps": [
//       {"do": "user.scale", "replicas": 5, "at_call": 2},
//       ...
//   ]}
//
// Steps and their arguments are those of step_table(); every argument is written and has to be there, unless it is one
// that came later (Argument::optional). Reading is total: a scenario, or every error at once. Whether the API server
// would accept the set is not asked here. Covered by scenario_json_test.cpp.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/api/codec.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

inline constexpr std::string_view scenario_format = "ordeal/scenario/1";

/// How a scenario was found, for whoever reads the file: "invariant", "controller", "seed", "version", ...
using Found = std::pair<std::string_view, std::string>;

std::string write_scenario(const Scenario& scenario, std::span<const Found> found = {});
std::expected<Scenario, FieldErrors> read_scenario(std::string_view json);
/// One step as a report shows it: "user.scale replicas=5".
std::string describe(const Step& step);

}  // namespace ordeal::properties
