// The stored form of a scenario: versioned, readable JSON; unknown fields are refused with their path.
// Covered by scenario_json_test.cpp.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "core/api/codec.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

inline constexpr std::string_view scenario_format = "ordeal/scenario/1";

std::string write_scenario(const Scenario& scenario);
std::expected<Scenario, FieldErrors> read_scenario(std::string_view json);
/// One step as a report shows it: "user.scale replicas=5".
std::string describe(const Step& step);

}  // namespace ordeal::properties
