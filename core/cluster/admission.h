// What the API server takes: pods, claims and revisions, as semantics.md 1.3 (13) and 12 (4, 5) say. Pure functions.
//
// Sets are admitted by core/api/validation.h. Answers are for people: a controller learns no more than "invalid".
// Not here: names taken, versions, UIDs (server.cpp). Covered by server_test.cpp.
#pragma once

#include "core/api/objects.h"

namespace ordeal {

/// What the API server objects to in a new object: "path: sentence (found: value)". Empty: it takes it.
Text objection_to(const Pod& created);
Text objection_to(const Claim& created);
Text objection_to(const Revision& created);

/// The same of an update: `wanted` is to replace `stored`, which has the same name.
Text objection_to(const Pod& wanted, const Pod& stored);
Text objection_to(const Claim& wanted, const Claim& stored);
Text objection_to(const Revision& wanted, const Revision& stored);

/// Every reference is complete and at most one names a controller.
Text objection_to(const Owners& owners);

}  // namespace ordeal
