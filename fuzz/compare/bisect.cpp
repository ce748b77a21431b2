#include "fuzz/compare/bisect.h"

#include <algorithm>
#include <map>

#include "core/controller/releases.h"
#include "fuzz/adapter/kinds.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/known_fields.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;
using Line = std::vector<const ControllerKind*>;

/// The lines of releases there are, each with the oldest first.
std::vector<Line> lines() {
  std::vector<Line> all;
  for (const std::span<const Release> family : release_families()) {
    Line& line = all.emplace_back();
    for (const Release& release : family) line.insert(line.begin(), find_controller(release.rules.name));
  }
  std::map<std::string, Line> built;  // by what is before the number
  for (const std::string& name : built_controllers()) {
    Line& line = built[name.substr(0, name.find('@'))];
    if (const auto kind = external_controller(name)) line.insert(line.begin(), *kind);
  }
  for (auto& [family, line] : built) all.push_back(std::move(line));
  return all;
}

}  // namespace

std::expected<Line, std::string> releases_between(const ControllerKind& from, const ControllerKind& to) {
  if (from.name == to.name) return std::unexpected("both are " + from.name);
  for (const Line& line : lines()) {
    auto first = std::ranges::find(line, from.name, &ControllerKind::name),
         last = std::ranges::find(line, to.name, &ControllerKind::name);
    if (first == line.end() || last == line.end()) continue;
    if (last < first) std::swap(first, last);
    return Line(first, last + 1);
  }
  return std::unexpected(from.name + " and " + to.name +
                         " are not releases of one line, such as kubernetes-1.34 and kubernetes-1.36");
}

Ruling rule_on(const ControllerKind& controller, Scenario scenario, const Invariant& invariant) {
  Ruling ruling{.controller = &controller};
  Dock dock(controller);
  ruling.left_out = has_unknown(scenario, dock.known_fields());
  leave_out_unknown(scenario, dock.known_fields());
  Court court;
  const TrialResult result = try_in(dock, court, scenario, {.level = invariant.level, .only = &invariant});
  ruling.verdict = result.breaches.empty() ? result.verdict : Verdict::violated;
  ruling.claim = result.breaches.empty() ? result.inconclusive : result.breaches.front().violation.claim;
  ruling.had_occasion = result.situations.test(situation_of_invariant(place_of(invariant)));
  return ruling;
}

Change first_change(std::span<const Ruling> rulings) {
  const Ruling* before = nullptr;
  for (const Ruling& now : rulings) {
    if (now.verdict == Verdict::inconclusive) continue;
    if (before != nullptr && now.verdict != before->verdict) return {before, &now};
    before = &now;
  }
  return {};
}

}  // namespace ordeal::fuzz
