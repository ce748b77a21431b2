// The reference controller: semantics.md sections 2 to 8, as phases (phases.h) whose decisions are rows (rules.h).
#pragma once

#include <memory>

#include "core/controller/door.h"
#include "core/controller/rules.h"

namespace ordeal {

/// A controller that decides by `rules` under `gates`. It remembers only what consistency of its own writes needs.
std::unique_ptr<Controller> make_reference(const Rules& rules, const Gates& gates);
/// Of a controller that decides by these rules.
Traits traits_of(const Rules& rules);

}  // namespace ordeal
