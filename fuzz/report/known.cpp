#include "fuzz/report/known.h"

#include <algorithm>
#include <vector>

#include "core/controller/releases.h"
#include "fuzz/report/known_facts.h"

namespace ordeal::fuzz {

namespace {

std::vector<Known> rows_of(std::span<const Fact> all) {
  std::vector<Known> rows;
  for (const Fact& fact : all)
    for (const std::string_view controller : fact.controllers)
      for (const std::string_view promise : fact.promises)
        rows.push_back({controller, promise, fact.thread, fact.about, fact.needs});
  return rows;
}

/// Whether a controller is the one of a row, or lies between the two of it in the order of the releases.
bool speaks_of(const Known& one, std::string_view controller) {
  const std::size_t dots = one.controller.find("..");
  const std::string_view newest = one.controller.substr(0, dots);
  const std::string_view oldest = dots == std::string_view::npos ? newest : one.controller.substr(dots + 2);
  bool begun = false, ended = false;
  for (const std::span<const Release> family : release_families())
    for (const Release& release : family) {
      begun = begun || release.rules.name == newest;
      if (begun && !ended && release.rules.name == controller) return true;
      ended = ended || (begun && release.rules.name == oldest);
    }
  return false;
}

bool explains(const Known& one, const properties::Cause& cause) {
  const auto named = [&](std::string_view need) { return !need.empty() && cause.names(need); };
  return one.needs.front().empty() || std::ranges::any_of(one.needs, named);
}

}  // namespace

std::span<const Known> known_violations() {
  static const std::vector<Known> rows = rows_of(known_facts());
  return rows;
}

const Known* find_known(std::string_view controller, std::string_view invariant, const properties::Cause* cause) {
  const Release* release = find_release(controller);
  const std::string_view table = release != nullptr ? release->rules.name : controller;
  const auto is_about = [&](const Known& one) {
    return one.invariant == invariant || (one.invariant == any_promise && cause != nullptr);
  };
  for (const Known& one : known_violations())
    if (is_about(one) && speaks_of(one, table) && (cause == nullptr || explains(one, *cause))) return &one;
  return release != nullptr && !release->based_on.empty() ? find_known(release->based_on, invariant, cause) : nullptr;
}

}  // namespace ordeal::fuzz
