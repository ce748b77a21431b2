// All that is known of one promise, for whoever meets it in a report. Covered by about_test.cpp.
#pragma once

#include <string>

#include "properties/invariants/invariant.h"

namespace ordeal::fuzz {

/// What is promised, where, how it is judged; what the documents say (in our words), who is known to break it, and
/// which seeded bugs it has to catch.
std::string about_text(const properties::Invariant& invariant);

}  // namespace ordeal::fuzz
