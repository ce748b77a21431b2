#include "fuzz/compare/tables.h"

#include "core/controller/reference.h"
#include "core/controller/releases.h"
#include "core/controller/rows.h"

namespace ordeal::fuzz {

namespace {

ControllerKind kind_of(const Rules& rules) {
  return {.name = std::string(rules.name), .about = "a table of rules", .make = [rules](const Gates& gates) {
            return make_reference(rules, gates);
          }};
}

/// From one table to the other, row by row.
struct Path {
  std::vector<ControllerKind> tables;  // the first one; then one more for each row; and the other, which has its name
  std::vector<std::string_view> rows;
};
Path path_between(const Rules& a, const Rules& b) {
  Path path{.tables = {kind_of(a)}, .rows = {}};
  Rules here = a;
  for (const RuleRow& row : rule_rows) {
    if (!row.differs(here, b)) continue;
    row.take(here, b);
    path.tables.push_back(kind_of(here));
    path.rows.push_back(row.name);
  }
  path.tables.push_back(kind_of(b));
  return path;
}

}  // namespace

std::optional<TablesApart> tell_apart(const properties::Scenario& scenario, const Rules& a, const Rules& b) {
  const ControllerKind ends[] = {kind_of(a), kind_of(b)};
  auto difference = compare_along(scenario, ends).front();
  if (!difference) return std::nullopt;
  TablesApart apart{.difference = std::move(*difference), .rows = {}, .unexplained = {}};
  const Path path = path_between(a, b);
  auto steps = compare_along(scenario, path.tables);
  for (std::size_t i = 0; i < path.rows.size(); ++i)
    if (steps[i]) apart.rows.push_back(path.rows[i]);
  apart.unexplained = std::move(steps.back());
  return apart;
}

const std::vector<Neighbours>& neighbours() {
  static const std::vector<Neighbours> all = [] {
    std::vector<Neighbours> list;
    for (const std::span<const Release> family : release_families())
      for (std::size_t i = 0; i + 1 < family.size(); ++i) list.push_back({&family[i + 1].rules, &family[i].rules});
    list.push_back({&kubernetes_releases().front().rules, &strict_rules()});
    return list;
  }();
  return all;
}

}  // namespace ordeal::fuzz
