// Releases in order, and what each makes of one promise in one stored scenario: which was the first to break it, or to
// keep it again. All of those in between are tried, since what one release mended another may have broken. Covered by
// bisect_test.cpp.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fuzz/engine/controllers.h"

namespace ordeal::fuzz {

/// The releases of `from`, `to` and all between them, the older first. The error says why there is no such line: two
/// names of one family of tables, or of what ci/upstream built, make one.
std::expected<std::vector<const ControllerKind*>, std::string> releases_between(const ControllerKind& from,
                                                                                const ControllerKind& to);

/// What one release makes of it.
struct Ruling {
  const ControllerKind* controller = nullptr;
  properties::Verdict verdict = properties::Verdict::held;
  std::string claim{};        // what was broken, or why there is no verdict
  bool had_occasion = false;  // the promise came into question
  bool left_out = false;      // its API server does not know some field, which was left out
};
Ruling rule_on(const ControllerKind& controller, properties::Scenario scenario, const properties::Invariant& invariant);

/// The first that rules otherwise than the last one before it that has a verdict; both null when there is none.
struct Change {
  const Ruling* before = nullptr;
  const Ruling* first = nullptr;
};
Change first_change(std::span<const Ruling> rulings);

}  // namespace ordeal::fuzz
