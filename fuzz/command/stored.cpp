#include "fuzz/command/stored.h"

#include <algorithm>

#include "core/api/codec.h"
#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/engine/files.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/known_fields.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {

using namespace properties;

std::expected<Stored, std::string> read_stored(const std::string& path) {
  const auto bytes = read_file(path, max_document_bytes);
  if (!bytes) return std::unexpected(bytes.error());
  return stored_in(path, *bytes);
}

std::expected<Stored, std::string> stored_in(const std::string& path, std::string_view bytes) {
  auto scenario = read_scenario(bytes);
  if (scenario) return Stored{std::move(*scenario), read_origin(bytes), path};
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && bytes.at(first) != '{')
    return std::unexpected(path + ": is no stored scenario, which is JSON; `ordeal run` takes manifests");
  std::string errors;
  for (const FieldError& error : scenario.error()) errors += (errors.empty() ? "" : "\n") + path + ": " + error.text();
  return std::unexpected(errors);
}

std::expected<Tried, std::string> tried_at(const Stored& stored, const ControllerKind& controller,
                                           const std::string& level, const Promises& except) {
  const auto chosen = parse_level(level, controller);
  if (!chosen) return std::unexpected(chosen.error());
  if (!level.empty() || !stored.origin) return Tried{&controller, *chosen, except};
  const Invariant* broken = find_invariant(stored.origin->invariant);
  const Level found = broken != nullptr ? std::max(stored.origin->level, broken->level) : stored.origin->level;
  return Tried{&controller, std::max(*chosen, found), except};
}

std::expected<Tried, std::string> choose_tried(const Stored& stored, const std::string& controller,
                                               const std::string& level, const Promises& except) {
  const bool as_found = controller.empty() && stored.origin && !stored.origin->controller.empty();
  const auto kind = as_found ? controller_in_file(stored.origin->controller, stored.file)
                             : parse_controller(controller.empty() ? "strict" : controller);
  if (!kind) return std::unexpected(kind.error());
  if (as_found && level.empty()) return Tried{*kind, stored.origin->level, except};
  return tried_at(stored, **kind, level, except);
}

Report try_stored(Stored& stored, const Tried& tried) {
  Court court;
  Dock dock(*tried.controller);
  complain_of_unknown(stored.file, stored.scenario, tried.controller->name, dock.known_fields());
  leave_out_unknown(stored.scenario, dock.known_fields());
  TrialResult tried_once = try_in(
      dock, court, stored.scenario,
      {.level = tried.level, .except = tried.except, .relations = properties::relations(), .guards_inputs = true});
  Report report = report_of(*tried.controller, tried.level, {});
  report.except = tried.except;
  report.expects_coverage = false;
  RunResult& result = report.result;
  result.verdict = tried_once.verdict;
  result.trials = 1;
  result.syncs = tried_once.syncs;
  result.calls = tried_once.calls;
  result.digest = tried_once.digest;
  result.situations = tried_once.situations;
  if (tried_once.verdict == Verdict::inconclusive) result.inconclusive.push_back({tried_once.inconclusive, 0, 1});
  if (!tried_once.breaches.empty()) result.verdict = Verdict::violated;
  for (const Breach& breach : tried_once.breaches) result.findings.push_back(finding_in(stored.scenario, breach));
  std::ranges::sort(result.findings, {}, &Finding::invariant);  // the order of the catalogue, which is one array
  return report;
}

Finding* choose_finding(Report& report, const Stored& stored, const std::string& invariant) {
  std::vector<Finding>& findings = report.result.findings;
  const std::string wanted = !invariant.empty() ? invariant : stored.origin ? stored.origin->invariant : "";
  if (wanted.empty()) return findings.empty() ? nullptr : &findings.front();
  const auto at = std::ranges::find(findings, wanted, [](const Finding& f) { return f.invariant->id; });
  return at == findings.end() ? nullptr : &*at;
}

std::string what_held(const Report& report, const Stored& stored, const std::string& invariant) {
  const bool file_names_one = stored.origin && !stored.origin->invariant.empty();
  const std::string kept = file_names_one ? "what the file says it breaks" : "every promise in it";
  return report.controller + " keeps " + (invariant.empty() ? kept : invariant);
}

}  // namespace ordeal::fuzz
