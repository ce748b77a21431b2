// The report for people: promise, source, timeline, contradiction, how to replay; always in this order, in fixed
// columns. Covered by text_test.cpp, with golden texts.
#pragma once

#include <string>

#include "fuzz/report/report.h"

namespace ordeal::fuzz {

/// One finding, ending in a newline.
std::string finding_text(const Shown& shown, const Report& report);
/// The timeline as a table, each line indented by two spaces.
std::string timeline_text(const Timeline& timeline);
/// The verdict with its numbers.
std::string verdict_text(const Report& report);
/// All findings, then the verdict with its numbers.
std::string run_text(const Report& report);
/// "web: replicas=3, OrderedReady, RollingUpdate partition=1"
std::string set_text(const StatefulSet& set);

}  // namespace ordeal::fuzz
