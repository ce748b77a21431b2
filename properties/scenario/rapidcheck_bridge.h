// RapidCheck as one more driver of our own generator and our own simplifications. For tests only.
//
//   rc::prop("...", [] { const Scenario s = *any_scenario(); ... });
//
// Include this instead of RapidCheck's headers: rapidcheck/gtest.h needs gtest before it, which sorting would undo.
// A failure prints the scenario as JSON: save it to a file and it replays for good, while RapidCheck's own reproduce
// string is only good for the same generator. EXPECT_* inside a property neither fails nor shrinks it: use RC_ASSERT.
// gen::inRange grows with the size and hardly ever reaches its end: draw numbers from Choices (any_seed) instead.
#pragma once

// clang-format off
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
// clang-format on

#include <algorithm>
#include <ostream>
#include <utility>

#include "properties/scenario/generate.h"
#include "properties/scenario/scenario_json.h"
#include "properties/scenario/shrink.h"

namespace ordeal::properties {

inline void showValue(const Scenario& scenario, std::ostream& out) { out << write_scenario(scenario); }

/// Scenarios as a campaign draws them, longer as RapidCheck's size grows; shrunk by one simplification at a time.
inline rc::Gen<Scenario> any_scenario(std::size_t steps_at_most = 64) {
  return [steps_at_most](const rc::Random& random, int size) {
    Seeded choices(rc::Random(random).next());
    const auto steps =
        steps_at_most * static_cast<std::size_t>(std::clamp(size, 1, rc::kNominalSize)) / rc::kNominalSize;
    return rc::shrinkable::shrinkRecur(generate_scenario(choices, nullptr, std::max<std::size_t>(steps, 4)),
                                       [](const Scenario& s) { return rc::seq::fromContainer(simplifications(s)); });
  };
}

/// Any 64 bits, all as likely; not shrunk.
inline rc::Gen<std::uint64_t> any_seed() {
  return [](const rc::Random& random, int) { return rc::shrinkable::just(rc::Random(random).next()); };
}

}  // namespace ordeal::properties
