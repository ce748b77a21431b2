// What a corpus exercises, and what it never did. Covered by coverage_test.cpp.
#pragma once

#include <string>

#include "properties/trial/encounters.h"

namespace ordeal::fuzz {

/// Calls by the plight of their set, in 80 columns: how many sorts of faults befell them there, "0" when there were only
/// plain ones, "." when there never was such a call. Then how many pairs of traits met each call.
std::string coverage_text(const properties::Encounters::Bits& met);
/// The names of all that never met, a line each.
std::string missing_text(const properties::Encounters::Bits& met);

}  // namespace ordeal::fuzz
