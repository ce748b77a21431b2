// What the API server takes: pods, claims and revisions, as semantics.md 1.3 (13) and 12 (4, 5) say. Pure functions.
//
// Sets are admitted by core/api/validation.h. Answers are yes or no, since a controller learns no more than "invalid".
// Not here: names taken, versions, UIDs (server.cpp). Covered by server_test.cpp.
#pragma once

#include "core/api/objects.h"

namespace ordeal {

bool may_create(const Pod& pod);
bool may_create(const Claim& claim);
bool may_create(const Revision& revision);

/// Whether `wanted` may replace `stored`, which has the same name.
bool may_update(const Pod& wanted, const Pod& stored);
bool may_update(const Claim& wanted, const Claim& stored);
bool may_update(const Revision& wanted, const Revision& stored);

/// Every reference is complete and at most one names a controller.
bool may_own(const Owners& owners);

/// Equal as the API server sees it: nothing and an empty list or map are the same.
template <class T>
bool alike(const Shared<T>& a, const Shared<T>& b) {
  if (a == b) return true;
  const bool nothing_in_a = !a || a->empty(), nothing_in_b = !b || b->empty();
  return nothing_in_a || nothing_in_b ? nothing_in_a == nothing_in_b : *a == *b;
}

}  // namespace ordeal
