// Reports and findings as JSON. Everything but `timing` depends only on manifest, controller, seed and trials.
// Covered by json_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fuzz/report/report.h"

namespace ordeal::fuzz {

/// {verdict, controller, level, seed, trials, syncs, calls, digest, findings, inconclusive, coverage, timing}
std::string run_json(const Report& report);
/// The catalogue: an array of {id, family, promise, source, level, when, judges}.
/// Of these promises, or of all of them when there are none.
std::string list_json(std::span<const properties::Invariant* const> of = {});
/// The sentences promises come from, and what covers them.
std::string sources_json();

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
