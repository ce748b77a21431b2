// A run as JUnit XML: one test case per invariant. Covered by junit_test.cpp.
#pragma once

#include <string>

#include "fuzz/report/report.h"

namespace ordeal::fuzz {

std::string run_junit(const Report& report);

}  // namespace ordeal::fuzz
