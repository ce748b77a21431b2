// The gates of an environment under their Kubernetes names. Internal to reading and writing scenarios.
#pragma once

#include <string_view>

#include "properties/scenario/scenario.h"

namespace ordeal::properties {

struct Gate {
  std::string_view name;
  bool ApiGates::* api;  // null: the API server has no such gate
  bool Gates::* controller;
};
inline constexpr Gate gates[] = {
    {"MaxUnavailableStatefulSet", &ApiGates::max_unavailable, &Gates::max_unavailable},
    {"StatefulSetRecreateStrategy", &ApiGates::recreate, &Gates::recreate},
    {"StatefulSetSemanticRevisionComparison", nullptr, &Gates::semantic_revisions},
    {"StaleControllerConsistencyStatefulSet", nullptr, &Gates::stale_guard},
};

}  // namespace ordeal::properties
