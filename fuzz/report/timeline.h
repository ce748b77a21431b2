// What happened in a trial, line by line, for people: recorded by running the scenario once more with a witness that
// writes down what it is told. Only for reports; a campaign records nothing.
//
// Steps bear the numbers that they have in the scenario: one that waits for a call stands after later ones.
// Covered by timeline_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "core/controller/door.h"
#include "properties/scenario/scenario.h"
#include "properties/trial/trial.h"

namespace ordeal::fuzz {

/// One line of a row: a step of the scenario, a call of the controller, or a step that happened just before a call.
struct TimelineLine {
  int step = 0;  // 0: none
  std::string event, decision;
};

/// Something that happened, and what became of the pods.
struct TimelineRow {
  std::vector<TimelineLine> lines;
  std::string shown;  // "rv 12", "rv 9 (stale)"; empty when no sync took place
  Time at{};
  std::vector<std::string> pods;  // "r1 ready", by the columns of the timeline
  bool offending = false;
  int step = 0, sync = 0;  // the last step that had begun and the last sync, when it ended
  bool quiet = false;      // a sync nobody asked for in the scenario, in which nothing was done
};

struct Timeline {
  std::vector<TimelineRow> rows;
  std::vector<std::string> pods;  // the columns, in the order of ordinals
  std::size_t pods_not_shown = 0;
  std::vector<std::string> revisions;  // r1, r2, ...: their names
  std::string ended;                   // why the trial could not be finished, or empty
};

inline constexpr std::size_t pod_columns_at_most = 6;

/// Runs the scenario once more, and again when it could not be finished, as every trial does. With `breach`, the
/// timeline ends at the row in which it happened, and pods the breach names get a column first.
Timeline record_timeline(const properties::Scenario& scenario, properties::Program& program,
                         const properties::Breach* breach = nullptr);

}  // namespace ordeal::fuzz
