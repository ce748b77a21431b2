// Reports and the catalogue as JSON. Everything but `timing` depends only on manifest, controller, seed and trials.
// Covered by json_test.cpp.
#pragma once

#include <span>
#include <string>

#include "fuzz/report/report.h"

namespace ordeal::fuzz {

/// {verdict, controller, level, except, against, known_of, seed, trials, syncs, calls, digest, findings, inconclusive,
/// coverage, timing}; the verdict is that of the exit status.
std::string run_json(const Report& report);
/// The catalogue: an array of {id, family, promise, source, level, when, judges}.
/// Of these promises, or of all of them when there are none.
std::string list_json(std::span<const properties::Invariant* const> of = {});
/// The sentences promises come from, and what covers them.
std::string sources_json();

}  // namespace ordeal::fuzz
