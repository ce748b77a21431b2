// Defaulting and admission of StatefulSets: semantics.md 1.1 and 1.3. Covered by validation_test.cpp.
#pragma once

#include "core/api/codec.h"

namespace ordeal {

/// Which fields and values the API server accepts; the gates of the API server, not of a controller.
struct ApiGates {
  bool max_unavailable = true;     // MaxUnavailableStatefulSet
  bool recreate = true;            // StatefulSetRecreateStrategy
  bool auto_delete_claims = true;  // StatefulSetAutoDeletePVC
  friend bool operator==(const ApiGates&, const ApiGates&) = default;
};

/// What the API server fills in before it validates, and what it drops because its gate is off: maxUnavailable and the
/// retention policy, unless `stored`, the object an update replaces, already has it. Idempotent; copies nothing when
/// nothing is lacking.
void apply_defaults(StatefulSet& set, ApiGates gates = {}, const StatefulSet* stored = nullptr);

/// Every reason why the set may not be created; empty when it may.
FieldErrors validate_create(const StatefulSet& set, ApiGates gates = {});
/// Every reason why `updated` may not replace `stored` (immutable fields among them); empty when it may.
FieldErrors validate_update(const StatefulSet& updated, const StatefulSet& stored, ApiGates gates = {});
FieldErrors validate_status(const StatefulSetStatus& updated, const StatefulSetStatus& stored);

}  // namespace ordeal
