// What `ordeal ci` has to say, as one value: a report of all that was tried, and how it came about. Written down as
// text, as Markdown for a job summary, and as SARIF (sarif.h); its JUnit is the report's. Covered by check_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "fuzz/engine/touched.h"
#include "fuzz/report/report.h"

namespace ordeal::fuzz {

/// The stage whose trials are drawn by the seed; the others try stored scenarios.
inline constexpr std::string_view fresh_search = "search";

/// One stage of a check: what was tried, and what was not.
struct StageReport {
  std::string name{};      // "regressions"
  std::size_t there = 0;   // stored scenarios there were; of the fresh search none
  std::size_t picked = 0;  // of them, those that were to be tried
  RunResult result{};      // its findings are in Check::report
  std::size_t broken = 0;  // findings that no stage before it had
  std::string left_out{};  // what was not tried, and why; empty: nothing
  bool was_run = false;
};

struct Check {
  Report report{};  // of all stages together
  std::vector<StageReport> stages{};
  std::string commit{};  // that the seed is from; empty when it was given
  std::string base{};    // what the change is against; empty: it was not asked
  Touched touched{};     // with a base
};

/// Adds what a stage has tried to the whole: sums and unions; violated before inconclusive before held.
void add(RunResult& whole, const RunResult& part);

/// The stages as lines of at most 80 columns.
std::string stages_text(const Check& check);
/// All of it: findings, stages, numbers. Stories fit so many columns, as in text.h.
std::string check_text(const Check& check, std::size_t columns = 0);
/// A page for people who look at a job: the verdict, the stages, each finding with what replays it.
std::string check_markdown(const Check& check);

}  // namespace ordeal::fuzz
