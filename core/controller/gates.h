// What a controller is started with.
#pragma once

namespace ordeal {

/// Feature gates of the controller. What a release does not know is ignored by its table.
struct Gates {
  bool max_unavailable = true;     // MaxUnavailableStatefulSet
  bool semantic_revisions = true;  // StatefulSetSemanticRevisionComparison
  bool stale_guard = true;         // StaleControllerConsistencyStatefulSet
  bool recreate = true;            // StatefulSetRecreateStrategy
  friend bool operator==(const Gates&, const Gates&) = default;
};

}  // namespace ordeal
