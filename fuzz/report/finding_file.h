// A finding as it is stored: its scenario, and beside it where it comes from. Covered by finding_file_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fuzz/engine/finding.h"
#include "properties/invariants/invariant.h"

namespace ordeal::fuzz {

/// What a stored finding says about where it comes from.
struct Origin {
  std::string invariant, controller;
  properties::Level level = properties::Level::strict;
  std::uint64_t seed = 0, trial = 0;
  std::size_t steps_before = 0;  // shrinking
  std::string scenario_before;   // its digest; empty in files from before it was told
  friend bool operator==(const Origin&, const Origin&) = default;
};
/// Where all findings of one run come from.
struct Run {
  std::string controller;
  properties::Level level = properties::Level::strict;
  std::uint64_t seed = 0;
};
Origin origin_of(const Finding& finding, const Run& run);
/// The scenario of a finding as it is stored, with its origin beside it.
std::string finding_file(const Finding& finding, const Origin& origin);
/// The origin in a stored scenario, if there is one.
std::optional<Origin> read_origin(std::string_view json);

}  // namespace ordeal::fuzz
