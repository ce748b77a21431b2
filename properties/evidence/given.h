// What is so of a turn, worked out once for all promises that have nothing to say unless it is.
//
// Most promises do not apply to most turns. What rules one out is data in the catalogue (Invariant::given), so that it
// costs one comparison instead of a call; its check says "not applicable" there all the same. Covered by
// given_test.cpp.
#pragma once

#include "properties/evidence/moment.h"

namespace ordeal::properties {

/// The mask of Given of this moment, which is of a turn: its `sync` and `facts` are set.
std::uint32_t given_in(const Moment& moment);

}  // namespace ordeal::properties
