// What becomes of a scenario where the API server is older: fields it does not know are left out of what users send.
#pragma once

#include <string>

#include "core/controller/releases.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

/// Leaves out of the set what is not known, switches its gates off, and removes the steps that would edit it. A gate
/// that there is not is on, and never turned; a block that is always there is never removed. Covered by
/// known_fields_test.cpp.
void leave_out_unknown(Scenario& scenario, const KnownFields& known);
/// Whether that would change it.
bool has_unknown(const Scenario& scenario, const KnownFields& known);
/// What a user would miss, gates aside: "spec.ordinals, 2 steps"; empty: nothing.
std::string unknown_text(const Scenario& scenario, const KnownFields& known);

}  // namespace ordeal::properties
