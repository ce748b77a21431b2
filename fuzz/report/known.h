// Violations of real controllers that are public knowledge: which thread describes them.
//
// A known violation is still a violation: the verdict and the exit status do not change. The report only says that it
// is no news. Covered by known_test.cpp.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "properties/scenario/cause.h"

namespace ordeal::fuzz {

/// In place of an invariant's id: whatever is broken for one of the causes that the row names. Found only by a cause.
inline constexpr std::string_view any_promise = "*";

struct Known {
  std::string_view controller;  // "kubernetes-1.37", or all "kubernetes-1.36..kubernetes-1.24", newest first
  std::string_view invariant;   // its id, or any_promise
  std::string_view thread;      // "kubernetes/kubernetes#67250"
  std::string_view about;       // one sentence
  // one of which the cause must name (Cause::names); none: any cause will do
  std::array<std::string_view, 4> needs = {};
};

std::span<const Known> known_violations();
/// What is known of a table is known of the release it was read from: kubernetes@1.35.0, or another of that minor
/// number. Null when nobody has described it, or only for another cause. Without a cause: whatever it may be.
const Known* find_known(std::string_view controller, std::string_view invariant,
                        const properties::Cause* cause = nullptr);

}  // namespace ordeal::fuzz
