// Small worlds by number: which ones a campaign, or a hunt, walks through.
//
// A world is a set as trials have them, cut down to what can be walked, in which users change a few fields once or
// twice and one or two mishaps come. Covered by worlds_test.cpp.
#pragma once

#include <cstdint>

#include "fuzz/explore/explore.h"

namespace ordeal::fuzz {

/// World `number`, a pure function. It can be walked: at most three replicas, no claims deleted when it is scaled down,
/// lists in the order of names.
properties::Scope world_of(const FirstSets& sets, std::uint64_t seed, std::uint64_t number);
/// A walk through that world, as far as the controller's API server knows it, which ends after a few seconds of work.
ExploreOptions walk_of(const ControllerKind& controller, const FirstSets& sets, std::uint64_t seed,
                       std::uint64_t number);

}  // namespace ordeal::fuzz
