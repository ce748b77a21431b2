// Writing scenarios; reading them is in scenario_read.cpp.
#include "properties/scenario/scenario_json.h"

#include <nlohmann/json.hpp>

#include "properties/scenario/gate_names.h"

namespace ordeal::properties {

namespace {

using Json = nlohmann::json;

std::string dumped(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

bool has_word(const Argument& argument, std::int32_t value) {
  return value >= 0 && static_cast<std::size_t>(value) < argument.words.size();
}

/// A value no word stands for is shown as a number, and refused when it is read.
std::string value_text(const Argument& argument, std::int32_t value, std::string_view quote) {
  if (!has_word(argument, value)) return std::to_string(value);
  return std::string(quote).append(argument.words[static_cast<std::size_t>(value)]).append(quote);
}

/// It has one, and does not leave it at a number that may be left out.
bool is_said(const Argument& argument, std::int32_t value) {
  return !argument.name.empty() && !(argument.optional && argument.words.empty() && value == 0);
}

/// Names and words are plain ASCII of our own, so nothing needs escaping.
std::string step_text(const Step& step) {
  const StepInfo& row = info(step.kind);
  std::string text = "{\"do\": \"" + std::string(row.name) + "\"";
  const auto add = [&](const Argument& argument, std::int32_t value) {
    if (is_said(argument, value))
      text += ", \"" + std::string(argument.name) + "\": " + value_text(argument, value, "\"");
  };
  add(row.a, step.a);
  add(row.b, step.b);
  if (step.at_call != 0) text += ", \"at_call\": " + std::to_string(step.at_call);
  return text + "}";
}

std::string indented(const std::string& text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '\n') result += "  ";
  }
  return result;
}

Json environment_json(const Environment& environment) {
  Json json = Json::object();
  each_gate(environment.api, [&](const Gate& gate, bool on) {
    if (on != ApiGates{}.*gate.api) json["api"][std::string(gate.name)] = on;
  });
  each_gate(environment.gates, [&](const Gate& gate, bool on) {
    if (on != Gates{}.*gate.controller) json["controller"][std::string(gate.name)] = on;
  });
  if (environment.list_order != 0) json["list_order"] = environment.list_order;
  if (environment.injects) json["injects"] = true;
  if (environment.namesakes) json["namesakes"] = true;
  if (environment.binds_late) json["binds_late"] = true;
  if (environment.versions_from != 0) json["versions_from"] = environment.versions_from;
  if (environment.between_seconds) json["between_seconds"] = true;
  return json;
}

}  // namespace

std::string write_scenario(const Scenario& scenario, std::span<const Found> found) {
  std::string text = "{\n  \"format\": \"" + std::string(scenario_format) + "\",\n";
  Json metadata = Json::object();
  for (const auto& [name, value] : found) metadata[std::string(name)] = value;
  if (!metadata.empty()) text += "  \"found\": " + indented(dumped(metadata, 2)) + ",\n";
  text += "  \"set\": " + indented(dumped(to_json(scenario.set), 2)) + ",\n";
  const Json environment = environment_json(scenario.environment);
  if (!environment.empty()) text += "  \"environment\": " + dumped(environment, -1) + ",\n";
  text += "  \"steps\": [";
  for (const Step& step : scenario.steps) {
    text += &step == scenario.steps.data() ? "\n    " : ",\n    ";
    text += step_text(step);
  }
  return text + (scenario.steps.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

std::string describe(const Step& step) {
  const StepInfo& row = info(step.kind);
  std::string text(row.name);
  const auto add = [&](std::string_view name, const std::string& value) {
    text.append(" ").append(name).append("=").append(value);
  };
  if (is_said(row.a, step.a)) add(row.a.name, value_text(row.a, step.a, ""));
  if (is_said(row.b, step.b)) add(row.b.name, value_text(row.b, step.b, ""));
  if (step.at_call != 0) add("at_call", std::to_string(step.at_call));
  return text;
}

}  // namespace ordeal::properties
