// How to bring about in a live cluster what no user does: kubelets, caches, faults, time. Covered by export_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "properties/scenario/scenario.h"

namespace ordeal::fuzz {

/// Lines of shell, most of them comments. `pods` are those whose state the step changed.
std::string provoke(const properties::Step& step, const std::vector<std::string>& pods);

}  // namespace ordeal::fuzz
