// The report for people: promise, source, timeline, contradiction, how to replay; always in this order, in fixed
// columns. Where a function takes `columns`, its lines fit a terminal of so many, but for commands; 0: they are as long
// as they get. Covered by text_test.cpp, with golden texts.
#pragma once

#include <string>

#include "fuzz/report/stories.h"

namespace ordeal::fuzz {

/// One finding, ending in a newline.
std::string finding_text(const Shown& shown, const Report& report, std::size_t columns = 0);
/// A story and what it breaks as well.
std::string story_text(const ToldStory& story, const Report& report, std::size_t columns = 0);
/// All of them, with an empty line after each.
std::string stories_text(const Report& report, std::size_t columns = 0);
/// The verdict with its numbers.
std::string verdict_text(const Report& report);
/// All stories, then the verdict with its numbers.
std::string run_text(const Report& report, std::size_t columns = 0);
/// "web: replicas=3, OrderedReady, RollingUpdate partition=1"
std::string set_text(const StatefulSet& set);

}  // namespace ordeal::fuzz
