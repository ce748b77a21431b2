// Which findings one story tells: a controller that does one thing wrong breaks many promises by it, and whoever mends
// it wants to read that once.
//
// A story tells another finding, too, when it breaks that promise as well and both are the same scenario or have the
// same cause, or the other's is the same through more noise (properties/scenario/cause.h). A finding with a cause of
// its own keeps its story, whatever else breaks its promise. Covered by stories_test.cpp.
#pragma once

#include <span>
#include <vector>

#include "fuzz/report/report.h"

namespace ordeal::fuzz {

struct ToldStory {
  const Shown* told;               // in full
  std::vector<const Shown*> also;  // in the order of the findings
};

/// Every finding once. First come stories of single turns, which say what was done wrong, before those of what it came
/// to in the end; of these the one that tells the most, then the one whose cause is known, then the shorter one, then
/// the one whose promise is broken first.
std::vector<ToldStory> stories_of(std::span<const Shown> findings);

}  // namespace ordeal::fuzz
