// What a corpus exercises, and what it never did. Covered by coverage_test.cpp.
#pragma once

#include <string>

#include "properties/trial/encounters.h"

namespace ordeal::fuzz {

/// A table in 80 columns, a row for each call and a column for each state of the set: how many kinds of fault hit that
/// call in that state; "0" when it was made but never failed, "." when it was never made there. Then how many pairs of
/// traits of the set met each call.
std::string coverage_text(const properties::Encounters::Bits& met);
/// The names of all that never met, a line each.
std::string missing_text(const properties::Encounters::Bits& met);

}  // namespace ordeal::fuzz
