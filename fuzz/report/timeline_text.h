// A timeline for people: a table with a line for each thing that happened, or, where that does not fit the terminal, a
// list. Loops are folded, and of long timelines the middle is left out. Covered by text_test.cpp.
#pragma once

#include <string>

#include "fuzz/report/timeline.h"

namespace ordeal::fuzz {

/// Each line is indented by two spaces. `columns` are the terminal's; 0: lines are as long as they get.
std::string timeline_text(const Timeline& timeline, std::size_t columns = 0);

}  // namespace ordeal::fuzz
