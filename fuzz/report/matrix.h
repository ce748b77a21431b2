// The conformance matrix: promises against controllers, each cell what a run of that controller showed of that promise.
//
// A run is a Report without timelines; all runs are of the same trials. The first bad release of a promise is the
// oldest that broke it, in each line of releases that was tried: tables (kubernetes-1.35.0) and what Kubernetes ships
// (kubernetes@1.35.0) are lines of their own, since a table is not evidence against a release. Covered by
// matrix_test.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fuzz/report/report.h"

namespace ordeal::fuzz {

enum class CellVerdict : std::uint8_t {
  held,
  violated,
  no_occasion,     // in no trial with a verdict was there anything to judge
  not_applicable,  // the controller was tried at a level that does not ask for this
};
std::string_view name_of(CellVerdict verdict);

struct Cell {
  CellVerdict verdict = CellVerdict::no_occasion;
  std::uint64_t occasions = 0;         // trials in which there was something to judge
  std::vector<const Shown*> findings;  // one per cause
};
Cell cell_of(const properties::Invariant& invariant, const Report& run);

/// The oldest release that broke it, one for each line of releases, in the order in which the lines were tried.
std::vector<std::string> first_bad(const properties::Invariant& invariant, std::span<const Report> runs);

/// Lines of at most 80 columns, but for names longer than that: a letter per controller, a row per promise that
/// somebody broke, or per promise with `all`.
std::string matrix_text(std::span<const Report> runs, bool all);
/// {seed, level, controllers: [...], promises: [{id, ..., first_bad, cells: [...]}]}, always of all promises.
std::string matrix_json(std::span<const Report> runs);
/// A table of the same rows as the text, findings linked, and a list of the controllers.
std::string matrix_markdown(std::span<const Report> runs, bool all);

}  // namespace ordeal::fuzz
