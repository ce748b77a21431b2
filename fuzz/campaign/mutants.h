// The mutants that were hunted, under the promises that are there to catch them. Covered by mutants_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "fuzz/campaign/hunt.h"

namespace ordeal::fuzz {

/// Lines of at most 80 columns, promises in the order of the catalogue, and a summary. Of `asked`
/// mutants, those that are not there were not tried.
std::string mutants_text(const std::vector<Hunted>& hunted, std::size_t asked);
/// An array of {id, about, expected, found, invariant, trials, seconds, steps}. `expected` is the promise that is there
/// to catch the mutant, `invariant` the one that did; null for a survivor.
std::string mutants_json(const std::vector<Hunted>& hunted);

}  // namespace ordeal::fuzz
