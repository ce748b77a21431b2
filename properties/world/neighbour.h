// Other sets of the namespace, which the same controller serves: nothing of theirs may reach the set on trial.
#pragma once

#include "core/api/objects.h"
#include "properties/scenario/scenario.h"
#include "properties/scenario/wrapped.h"

namespace ordeal::properties {

/// Which one a step `apply_neighbour` or `delete_neighbour` is about.
inline Neighbour neighbour_in(const Step& step) { return static_cast<Neighbour>(wrapped(step.a, neighbour_count)); }
/// It selects what the set on trial selects.
inline bool is_alike(Neighbour as) { return as == Neighbour::alike_before || as == Neighbour::alike_after; }

/// Defaulted. Of 0 to 3 replicas; whatever else it asks for, it can have, so that it comes to rest by itself.
StatefulSet neighbour_of(const StatefulSet& set, Neighbour as, std::int32_t replicas);

}  // namespace ordeal::properties
