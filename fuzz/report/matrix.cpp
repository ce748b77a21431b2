#include "fuzz/report/matrix.h"

#include <algorithm>
#include <charconv>

#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {

using namespace properties;

namespace {

/// "kubernetes@1.35.0" is release 1.35.0 of the line "kubernetes@". Other controllers are of no line.
struct LineOfReleases {
  std::string_view name;
  std::vector<int> number;
};

LineOfReleases line_of(std::string_view controller) {
  const std::size_t end = controller.find_first_of("-@");
  if (end == controller.npos || controller.starts_with("exec:") ||
      controller.find_first_not_of("0123456789.", end + 1) != controller.npos)
    return {};
  LineOfReleases line{controller.substr(0, end + 1), {}};
  for (std::size_t at = end + 1; at < controller.size(); ++at) {
    int part = 0;
    at = static_cast<std::size_t>(
        std::from_chars(controller.data() + at, controller.data() + controller.size(), part).ptr - controller.data());
    line.number.push_back(part);
  }
  return line.number.empty() ? LineOfReleases{} : line;
}

}  // namespace

std::string_view name_of(CellVerdict verdict) {
  switch (verdict) {
    case CellVerdict::held: return "held";
    case CellVerdict::violated: return "violated";
    case CellVerdict::no_occasion: return "no occasion";
    case CellVerdict::not_applicable: return "not applicable";
  }
  return "no occasion";
}

Cell cell_of(const Invariant& invariant, const Report& run) {
  Cell cell;
  const auto place = place_of(invariant);
  if (place < run.result.occasions.size()) cell.occasions = run.result.occasions[place];
  for (const Shown& shown : run.findings)
    if (shown.finding.invariant == &invariant) cell.findings.push_back(&shown);
  cell.verdict = !cell.findings.empty()        ? CellVerdict::violated
                 : invariant.level > run.level ? CellVerdict::not_applicable
                 : cell.occasions > 0          ? CellVerdict::held
                                               : CellVerdict::no_occasion;
  return cell;
}

std::vector<std::string> first_bad(const Invariant& invariant, std::span<const Report> runs) {
  std::vector<std::string> oldest;
  for (const Report& run : runs) {
    const LineOfReleases line = line_of(run.controller);
    if (line.name.empty() || cell_of(invariant, run).verdict != CellVerdict::violated) continue;
    const auto same_line = [&](const std::string& other) { return line_of(other).name == line.name; };
    const auto at = std::ranges::find_if(oldest, same_line);
    if (at == oldest.end()) oldest.push_back(run.controller);
    else if (line.number < line_of(*at).number) *at = run.controller;
  }
  return oldest;
}

}  // namespace ordeal::fuzz
