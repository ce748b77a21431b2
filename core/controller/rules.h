// What differs between releases, as data. A release is a table that picks one decision of each kind; a historic bug is a
// row; a mutant is a row. The phases (phases.h) know no release.
#pragma once

#include <string_view>

#include "core/controller/door.h"

namespace ordeal {

/// Feature gates of the controller. What a release does not know is ignored by its table.
struct Gates {
  bool max_unavailable = true;       // MaxUnavailableStatefulSet
  bool semantic_revisions = true;    // StatefulSetSemanticRevisionComparison
  bool stale_guard = true;           // StaleControllerConsistencyStatefulSet
  bool recreate = true;              // StatefulSetRecreateStrategy
  friend bool operator==(const Gates&, const Gates&) = default;
};

struct Rules;  // completed in rules_table.h by the decisions themselves

const Rules& strict_rules();
const Rules& kubernetes_1_37_rules();

}  // namespace ordeal
