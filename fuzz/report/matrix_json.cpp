// The conformance matrix for programs.
#include <nlohmann/json.hpp>

#include "fuzz/report/json_text.h"
#include "fuzz/report/matrix.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {

using namespace properties;

namespace {

using Json = nlohmann::ordered_json;

Json finding_json(const Shown& shown) {
  const Finding& finding = shown.finding;
  return Json{{"trial", finding.trial},
              {"steps", finding.scenario.steps.size()},
              {"cause", finding.cause ? Json(finding.cause->text()) : Json(nullptr)},
              {"claim", finding.breach.violation.claim},
              {"file", shown.file},
              {"thread", shown.known != nullptr ? Json(shown.known->thread) : Json(nullptr)}};
}

Json cell_json(const Invariant& invariant, const Report& run) {
  const Cell cell = cell_of(invariant, run);
  Json findings = Json::array();
  for (const Shown* shown : cell.findings) findings.push_back(finding_json(*shown));
  return Json{{"controller", run.controller},
              {"verdict", name_of(cell.verdict)},
              {"trials_with_occasion", cell.occasions},
              {"findings", findings}};
}

Json controller_json(const Report& run) {
  Json unclear = Json::array();
  for (const Unclear& one : run.result.inconclusive)
    unclear.push_back(Json{{"reason", one.reason}, {"trial", one.trial}, {"times", one.times}});
  return Json{{"name", run.controller},       {"level", name_of(run.level)}, {"verdict", name_of(run.result.verdict)},
              {"trials", run.result.trials},  {"inconclusive", unclear},     {"interrupted", run.result.interrupted},
              {"seconds", run.result.seconds}};
}

}  // namespace

std::string matrix_json(std::span<const Report> runs) {
  Json controllers = Json::array(), promises = Json::array();
  for (const Report& run : runs) controllers.push_back(controller_json(run));
  for (const Invariant& invariant : catalogue) {
    Json cells = Json::array();
    for (const Report& run : runs) cells.push_back(cell_json(invariant, run));
    promises.push_back(Json{{"id", invariant.id},
                            {"promise", invariant.promise},
                            {"source", invariant.source},
                            {"level", name_of(invariant.level)},
                            {"first_bad", first_bad(invariant, runs)},
                            {"cells", cells}});
  }
  const Json seed = runs.empty() || !runs.front().seed ? Json(nullptr) : Json(*runs.front().seed);
  return json_text(Json{{"seed", seed}, {"controllers", controllers}, {"promises", promises}});
}

}  // namespace ordeal::fuzz
