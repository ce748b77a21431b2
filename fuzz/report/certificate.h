// What an exhaustive walk has to say: its scope, its numbers, a digest to compare machines by, and the shortest story
// of what is broken. Everything but `timing` depends only on the world and the controller. Covered by command_test.cpp.
#pragma once

#include <string>

#include "fuzz/explore/explore.h"
#include "fuzz/report/report.h"

namespace ordeal::fuzz {

/// `report` has the findings, with controller, level and verdict; its other numbers are not used. Stories fit so many
/// columns, as in text.h.
std::string certificate_text(const Certificate& certificate, const ExploreOptions& options, const Report& report,
                             std::size_t columns = 0);
std::string certificate_json(const Certificate& certificate, const ExploreOptions& options, const Report& report);

}  // namespace ordeal::fuzz
