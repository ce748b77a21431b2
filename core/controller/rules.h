// What differs between releases, as data. A release is a table that picks one decision of each kind; a historic bug is
// a row; a mutant is a row. The phases (phases.h) know no release.
#pragma once

#include <string_view>

#include "core/controller/door.h"
#include "core/controller/gates.h"

namespace ordeal {

struct Rules;  // completed in rules_table.h by the decisions themselves

const Rules& strict_rules();
const Rules& kubernetes_1_37_rules();

}  // namespace ordeal
