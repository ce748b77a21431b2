#include "fuzz/report/sarif.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "fuzz/report/json_text.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;
using Json = nlohmann::ordered_json;

constexpr std::string_view schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

Json text_of(std::string_view text) { return Json{{"text", text}}; }

Json rule_of(const Invariant& invariant) {
  const std::string promise(invariant.promise), source(invariant.source);
  return Json{{"id", invariant.id},
              {"shortDescription", text_of(promise)},
              {"fullDescription", text_of(promise)},
              {"help", Json{{"text", promise + "\nPromised in: " + source},
                            {"markdown", promise + "\n\nPromised in: " + source}}},
              {"defaultConfiguration", Json{{"level", invariant.level == Level::promised ? "error" : "warning"}}},
              {"properties", Json{{"tags", Json::array({invariant.family(), name_of(invariant.level)})}}}};
}

/// A path as a URI: relative ones stay relative, so that a reader can look below the root of the repository.
std::string uri_of(const std::string& path) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  constexpr std::string_view digits = "0123456789ABCDEF";
  const std::string normal = std::filesystem::path(path).lexically_normal().generic_string();
  std::string uri = normal.starts_with('/') ? "file://" : "";
  for (const char c : normal) {
    const auto byte = static_cast<unsigned char>(c);
    if (plain.find(c) != plain.npos) uri += c;
    else uri += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return uri;
}

Json location_of(const std::string& file, int line) {
  return Json{{"physicalLocation",
               Json{{"artifactLocation", Json{{"uri", uri_of(file)}}}, {"region", Json{{"startLine", line}}}}}};
}

/// "file.go:612", when that is what the controller said.
std::optional<Json> line_location(std::string_view said) {
  const std::size_t colon = said.rfind(':');
  if (colon == said.npos || colon == 0) return std::nullopt;
  int line = 0;
  const auto [end, error] = std::from_chars(said.data() + colon + 1, said.data() + said.size(), line);
  if (error != std::errc{} || end != said.data() + said.size() || line < 1) return std::nullopt;
  return location_of(std::string(said.substr(0, colon)), line);
}

/// The stored scenario that it came from, but for one of somewhere else, which nobody can be shown who looks at this
/// repository: then the file it was stored in.
const std::string& scenario_of(const Shown& shown) {
  return shown.from.empty() || shown.from.starts_with('/') ? shown.file : shown.from;
}

/// The controller's line comes first; the scenario stands beside it, or for it.
void add_locations(const Shown& shown, Json& result) {
  const std::string& file = scenario_of(shown);
  const Json scenario =
      file.empty() ? Json::array() : Json::array({location_of(file, 1)});  // empty: it could not be stored
  const std::optional<Json> line = line_location(shown.finding.breach.line.view());
  result["locations"] = line ? Json::array({*line}) : scenario;
  if (line) result["relatedLocations"] = scenario;
}

std::string message_of(const Shown& shown, const Report& report) {
  std::string text = shown.finding.breach.violation.claim;
  for (const std::string& fact : shown.finding.breach.violation.evidence) text += "\n" + fact;
  if (shown.finding.cause) text += "\nCause: " + properties::told_cause(shown.finding.scenario);
  if (!shown.file.empty()) text += "\nReplay: " + replay_command(shown, report);
  return text;
}

Json result_of(const Shown& shown, std::size_t rule, const Report& report) {
  const Invariant& invariant = *shown.finding.invariant;
  const char* level = shown.known != nullptr ? "note" : invariant.level == Level::promised ? "error" : "warning";
  Json result{{"ruleId", invariant.id},
              {"ruleIndex", rule},
              {"level", level},
              {"message", text_of(message_of(shown, report))},
              {"partialFingerprints", Json{{"promiseAndCause/v1", id_of(shown.finding)}}}};
  add_locations(shown, result);
  if (shown.known != nullptr)
    result["suppressions"] = Json::array(
        {Json{{"kind", "external"},
              {"justification", std::string(shown.known->thread) + ": " + std::string(shown.known->about)}}});
  return result;
}

/// Whether it came to a verdict, and what kept it from one.
Json invocation_of(const Report& report) {
  Json notes = Json::array();
  for (const Unclear& unclear : report.result.inconclusive)
    notes.push_back(Json{{"level", "error"}, {"message", text_of(unclear.reason)}});
  const bool is_whole = report.result.verdict != Verdict::inconclusive && !report.result.interrupted;
  return Json{{"executionSuccessful", is_whole}, {"toolExecutionNotifications", notes}};
}

}  // namespace

std::string check_sarif(const Check& check) {
  const Report& report = check.report;
  Json rules = Json::array(), results = Json::array();
  std::vector<const Invariant*> asked;
  const Promises wanted = asked_by(report);
  for (std::size_t i = 0; i < catalogue.size(); ++i)
    if (wanted.test(i)) {
      asked.push_back(&catalogue[i]);
      rules.push_back(rule_of(catalogue[i]));
    }
  for (const Shown& shown : report.findings) {
    const auto at = std::ranges::find(asked, shown.finding.invariant);
    results.push_back(result_of(shown, static_cast<std::size_t>(at - asked.begin()), report));
  }
  const Json tool{{"driver", Json{{"name", "Ordeal"}, {"version", version}, {"rules", rules}}}};
  Json run{{"tool", tool},
           {"automationDetails", Json{{"id", "ordeal/" + report.controller + "/"}}},
           {"invocations", Json::array({invocation_of(report)})},
           {"results", results}};
  const Json log{{"$schema", schema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return json_text(log);
}

}  // namespace ordeal::fuzz
