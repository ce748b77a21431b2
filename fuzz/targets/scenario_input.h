// How a fuzz target's bytes are a scenario, how scenarios are varied for libFuzzer, and what is told to it as coverage.
// Covered by scenario_input_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "properties/scenario/scenario.h"
#include "properties/trial/encounters.h"

namespace ordeal::fuzz {

/// As fuzz/engine/corpus.h reads them: so corpus/scenarios and corpus/regressions are seed corpora as they stand, and
/// what libFuzzer keeps can be read and replayed.
properties::Scenario scenario_of(std::span<const std::uint8_t> bytes);

/// The stored form in at most so many bytes, the last steps left out where need be; empty if even the set is too large.
std::string bytes_of(properties::Scenario scenario, std::size_t at_most);

/// A stored scenario may hold a set that the API server refuses, or one too large to simulate; there is nothing to
/// judge then.
bool is_refused(const properties::Scenario& scenario);

/// Tells libFuzzer what met what in this input, as counters beside those of code edges; without libFuzzer they are
/// idle.
void tell_libfuzzer(const properties::Encounters& encounters);

}  // namespace ordeal::fuzz
