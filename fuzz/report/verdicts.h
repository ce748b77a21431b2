// What several controllers make of one scenario, and one controller of several. Covered by verdicts_test.cpp.
#pragma once

#include <span>
#include <string>

#include "fuzz/report/report.h"

namespace ordeal::fuzz {

/// A line per controller and broken promise; each report is of one trial of the scenario.
std::string verdicts_text(std::span<const Report> replays);
/// An array of {controller, level, verdict, inconclusive, broken: [{invariant, claim, step, thread}]}.
std::string verdicts_json(std::span<const Report> replays);

/// One of several stored scenarios, tried once.
struct Replayed {
  std::string file;
  std::string found;  // the promise that it was found to break; empty when the file names none
  Report report;
};
/// A line per file: its verdict, what it was found to break first. Then how many there are of each, and who was tried.
std::string replayed_text(std::span<const Replayed> all);
/// An array as verdicts_json writes it, each with {file, found} besides.
std::string replayed_json(std::span<const Replayed> all);

}  // namespace ordeal::fuzz
