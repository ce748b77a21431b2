// A maintainer's evidence: one finding in the form in which those who have to mend it work.
//
//   prose     the text of an issue report: what was tried, what happened, what was promised and where, steps, timeline
//   kubectl   a script for a live cluster, step by step, with what to watch for; what no user can do is a comment
//   gtest     a test against this library, which fails as long as the promise is broken
//   go-test   a test for the package of the controller in Kubernetes itself (go_test.h)
//
// `shown` is the finding with its timeline, `report` says who was tried. All are functions of these alone; nothing is
// asked of a cluster. Covered by export_test.cpp, which also runs what they write.
#pragma once

#include <string>

#include "fuzz/report/report.h"
#include "properties/world/program.h"

namespace ordeal::fuzz {

/// Asks the program under which gates it acts.
std::string export_prose(const Shown& shown, const Report& report, properties::Program& program);
/// Plays the scenario once more, to learn which objects its steps speak of.
std::string export_kubectl(const Shown& shown, const Report& report, properties::Program& program);
std::string export_gtest(const Shown& shown, const Report& report);

/// "feature gates of the controller: A=true B=false", and those that the API server has otherwise.
std::string acting_gates(const properties::Environment& environment, properties::Program& program);
/// "update.respects-budget" -> "UpdateRespectsBudget": what tests are called.
std::string test_name(const properties::Invariant& invariant);
/// Lines, each after `prefix`.
std::string prefixed(std::string_view text, std::string_view prefix);

}  // namespace ordeal::fuzz
