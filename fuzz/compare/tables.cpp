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

std::optional<Difference> differ_on(const properties::Scenario& scenario, const Rules& a, const Rules& b) {
  const ControllerKind kind_a = kind_of(a), kind_b = kind_of(b);
  Dock dock_a(kind_a), dock_b(kind_b);
  return compare_on(scenario, dock_a, dock_b);
}

}  // namespace

std::optional<TablesApart> tell_apart(const properties::Scenario& scenario, const Rules& a, const Rules& b) {
  auto difference = differ_on(scenario, a, b);
  if (!difference) return std::nullopt;
  TablesApart apart{.difference = std::move(*difference), .rows = {}, .unexplained = {}};
  Rules here = a;
  for (const RuleRow& row : rule_rows) {
    if (!row.differs(here, b)) continue;
    const Rules before = here;
    row.take(here, b);
    if (differ_on(scenario, before, here)) apart.rows.push_back(row.name);
  }
  apart.unexplained = differ_on(scenario, here, b);
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
