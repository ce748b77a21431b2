// What several controllers make of one scenario. Covered by verdicts_test.cpp.
#pragma once

#include <span>
#include <string>

#include "fuzz/report/report.h"

namespace ordeal::fuzz {

/// A line per controller and broken promise; each report is of one trial of the scenario.
std::string verdicts_text(std::span<const Report> replays);
/// An array of {controller, level, verdict, inconclusive, broken: [{invariant, claim, step, thread}]}.
std::string verdicts_json(std::span<const Report> replays);

}  // namespace ordeal::fuzz
