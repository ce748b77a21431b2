// A check as SARIF 2.1.0, for code scanning: rule = promise, help = its words and its source, location = the
// controller's line or the scenario.
//
// A result's fingerprint is of the broken promise and its cause, so that a finding keeps its alert while scenarios
// change. What is known of a controller is a note and counts as suppressed. The location is the line of the controller
// that made the call in question, when it said so (`line` in fuzz/adapter/PROTOCOL.md), and the scenario in which the
// promise breaks stands beside it; else it is the scenario: that of the corpus it came from, or the file it was stored
// in. Covered by sarif_test.cpp.
#pragma once

#include <string>

#include "fuzz/report/check.h"

namespace ordeal::fuzz {

std::string check_sarif(const Check& check);

}  // namespace ordeal::fuzz
