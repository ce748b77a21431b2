#include "fuzz/report/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/report/json_text.h"
#include "properties/invariants/catalogue.h"
#include "properties/sources/sources.h"
#include "properties/trial/digest.h"
#include "properties/world/adversary.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;
using Json = nlohmann::ordered_json;

Json known_json(const Known* known) {
  if (known == nullptr) return nullptr;
  return Json{{"thread", known->thread}, {"about", known->about}};
}

Json remedy_json(const Remedy& remedy) { return Json{{"of", remedy.of}, {"holds_with", remedy.change}}; }

Json explanation_json(const Explanation& found) {
  Json needed = Json::array();
  for (const Remedy& remedy : found.needed) needed.push_back(remedy_json(remedy));
  return Json{{"needed", needed},
              {"idle", found.idle},
              {"unavoidable_after", found.unavoidable_after},
              {"continuations", found.continuations},
              {"nearest", found.nearest ? remedy_json(*found.nearest) : Json(nullptr)},
              {"trials", found.trials}};
}

Json limits_json(const Scenario& scenario) {
  Json array = Json::array();
  for (const Trouble* trouble : troubles_in(scenario))
    array.push_back(Json{{"trouble", trouble->name}, {"limit", limit_in(*trouble, scenario)}});
  return array;
}

/// Everything the scenario breaks, the finding's own promise among it.
Json breaks_json(const Shown& shown) {
  Json array = Json::array();
  for (const Invariant* broken : shown.breaks) array.push_back(broken->id);
  return array;
}

Json finding_json(const Shown& shown) {
  const Finding& finding = shown.finding;
  Json json{{"invariant", finding.invariant->id},
            {"file", shown.file},
            {"steps", finding.scenario.steps.size()},
            {"steps_before_shrinking", finding.steps_found},
            {"minimal", finding.minimal},
            {"trial", finding.trial},
            {"cause", finding.cause ? Json(finding.cause->text()) : Json(nullptr)},
            {"claim", finding.breach.violation.claim},
            {"evidence", finding.breach.violation.evidence},
            {"line", finding.breach.line.empty() ? Json(nullptr) : Json(finding.breach.line.view())},
            {"promise", finding.invariant->promise},
            {"source", finding.invariant->source},
            {"level", name_of(finding.invariant->level)},
            {"within", limits_json(finding.scenario)},
            {"breaks", breaks_json(shown)},
            {"known", known_json(shown.known)},
            {"accepted", shown.accepted}};
  if (shown.explanation) json["explanation"] = explanation_json(*shown.explanation);
  return json;
}

Json findings_json(const Report& report) {
  Json array = Json::array();
  for (const Shown& shown : report.findings) array.push_back(finding_json(shown));
  return array;
}

Json against_json(const Report& report) {
  if (report.against.empty()) return nullptr;
  return Json{{"controller", report.against}, {"broken_by_both", ids_of(shared_by(report))}};
}

Json inconclusive_json(const RunResult& result) {
  Json array = Json::array();
  for (const Unclear& unclear : result.inconclusive)
    array.push_back(Json{{"reason", unclear.reason}, {"trial", unclear.trial}, {"times", unclear.times}});
  return array;
}

Json coverage_json(const Report& report) {
  const std::size_t total = expected_of(report).count();
  const std::vector<std::string> missing = missing_situations(report);
  return Json{{"covered", total - missing.size()}, {"total", total}, {"missing", missing}};
}

Json timing_json(const RunResult& result) {
  const auto rate = [&](std::uint64_t n) { return result.seconds > 0 ? static_cast<double>(n) / result.seconds : 0.0; };
  return Json{{"seconds", result.seconds},
              {"trials_per_second", rate(result.trials)},
              {"syncs_per_second", rate(result.syncs)},
              {"interrupted", result.interrupted}};
}

}  // namespace

std::string run_json(const Report& report) {
  const RunResult& result = report.result;
  return json_text(Json{{"verdict", name_of(verdict_but_for_accepted(report))},
                        {"controller", report.controller},
                        {"level", name_of(report.level)},
                        {"except", left_unasked(report)},
                        {"against", against_json(report)},
                        {"known_of", report.known_of.empty() ? Json(nullptr) : Json(report.known_of)},
                        {"seed", report.seed ? Json(*report.seed) : Json(nullptr)},
                        {"trials", result.trials},
                        {"syncs", result.syncs},
                        {"calls", result.calls},
                        {"digest", hex_text(result.digest)},
                        {"findings", findings_json(report)},
                        {"inconclusive", inconclusive_json(result)},
                        {"coverage", coverage_json(report)},
                        {"timing", timing_json(result)}});
}

std::string list_json(std::span<const Invariant* const> of) {
  Json array = Json::array();
  for (const Invariant& invariant : catalogue)
    if (of.empty() || std::ranges::find(of, &invariant) != of.end())
      array.push_back(Json{{"id", invariant.id},
                           {"family", invariant.family()},
                           {"promise", invariant.promise},
                           {"source", invariant.source},
                           {"level", name_of(invariant.level)},
                           {"when", name_of(invariant.when)},
                           {"judges", name_of(invariant.judges)}});
  return json_text(array);
}

std::string sources_json() {
  Json array = Json::array();
  for (const properties::Document& document : documents())
    for (const Sentence& sentence : document.sentences)
      array.push_back(Json{{"document", document.name},
                           {"section", sentence.section},
                           {"sentence", sentence.says},
                           {"covered_by", covered_by(sentence)},
                           {"otherwise", sentence.otherwise}});
  return json_text(array);
}

}  // namespace ordeal::fuzz
