// An independent walk, for tests: depth first, every state reached by a whole trial from its beginning, and told apart
// by a full text that is written here and nowhere else. No hashes, no going back, no sharing: slow, and hard to get
// wrong in the same way as the real one. Worlds without minReadySeconds only.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "properties/explore/scope.h"
#include "properties/invariants/invariant.h"

namespace ordeal::properties::testing {

struct SlowWalk {
  std::set<std::string> states;
  std::size_t transitions = 0;
};
/// With the reference by these rules.
SlowWalk slow_walk(const Scope& scope);

}  // namespace ordeal::properties::testing
