// Killers: stories that break seeded bugs. Each mutant that was found has one; the few of them that break all mutants
// found are worth keeping, since whatever they are about somebody could get wrong.
//
// A function of what was hunted only, whatever the number of jobs. Covered by killers_test.cpp.
#pragma once

#include <atomic>
#include <vector>

#include "fuzz/campaign/hunt.h"

namespace ordeal::fuzz {

/// Indices, ascending, of those hunted whose stories together break every mutant that was found; of equals the shorter
/// story. `stop` ends it early, with nothing.
std::vector<std::size_t> killers_of(const std::vector<Hunted>& hunted, unsigned jobs, const std::atomic<bool>& stop);

}  // namespace ordeal::fuzz
