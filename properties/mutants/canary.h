// The canary: the strict reference, but for about one trial in a hundred it does one thing wrong. Whoever searches has
// to find it, shrink it, store it, report it and replay it; so it proves that the whole way works, and not only for
// bugs that every trial shows.
//
// What it does wrong: it gives a new pod no host name. When: whenever the spec of the set has a hash that one spec in a
// few hundred has. It depends on nothing but what the sync is shown, so a scenario that shows it always does, and the
// steps that leave the spec alone can be shrunk away. Covered by canary_test.cpp.
#pragma once

#include <memory>

#include "core/controller/door.h"
#include "core/controller/rules.h"

namespace ordeal::properties {

std::unique_ptr<Controller> make_canary(const Gates& gates);

}  // namespace ordeal::properties
