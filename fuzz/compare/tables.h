// Two tables of rules on one scenario: the same calls, or a difference that rows of the tables explain.
//
// From one table to the other leads a path, row by row: each step takes one row in which the two differ, and at some of
// them the calls change. Those rows are the explanation. At the end of the path stands the other table in all but its
// name; if that does not call as the other does, something besides the rows decides, and nothing explains it. Covered
// by tables_test.cpp.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/controller/rules_table.h"
#include "fuzz/compare/compare.h"

namespace ordeal::fuzz {

struct TablesApart {
  Difference difference;                  // where the two part
  std::vector<std::string_view> rows;     // at which the calls change on the path, in the order of the table
  std::optional<Difference> unexplained;  // between the end of the path and the other table; none: the rows say it all
};
/// None when both ask for the same. Throws as a trial does.
std::optional<TablesApart> tell_apart(const properties::Scenario& scenario, const Rules& a, const Rules& b);

/// A table and the release after it, and the newest of Kubernetes and strict: what a difference is looked for between.
struct Neighbours {
  const Rules *older, *newer;
};
const std::vector<Neighbours>& neighbours();

}  // namespace ordeal::fuzz
