// A check as SARIF 2.1.0, for code scanning: rule = promise, help = its words and its source, location = the stored scenario.
//
// A result's fingerprint is of the broken promise and its cause, so that a finding keeps its alert while scenarios change. What
// is known of a controller is a note and counts as suppressed. No controller says yet which of its lines made a call; so the
// location is the scenario in which the promise breaks: that of the corpus it came from, else the file it was stored in.
// Covered by sarif_test.cpp.
#pragma once

#include <string>

#include "fuzz/report/check.h"

namespace ordeal::fuzz {

std::string check_sarif(const Check& check);

}  // namespace ordeal::fuzz
