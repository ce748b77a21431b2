// Reading scenarios: everything that is wrong is said at once, each with its path.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/api/nearest.h"
#include "properties/scenario/counted.h"
#include "properties/scenario/gate_names.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::properties {

namespace {

using Json = nlohmann::json;

constexpr std::size_t shown_at_most = 60;

std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > shown_at_most) text = text.substr(0, shown_at_most) + "...";
  return text;
}

class Reader {
 public:
  FieldErrors errors;

  Scenario read(const Json& json) {
    Scenario scenario;
    if (!is_object(json, "")) return scenario;
    known(json, "", {"format", "about", "found", "set", "environment", "steps"});
    read_format(json);
    if (const Json* about = optional(json, "about"); about && !about->is_string())
      error("about", "must be a text", *about);
    if (const Json* found = optional(json, "found")) check_found(*found);
    if (const Json* set = required(json, "", "set")) read_set(*set, scenario.set);
    if (const Json* environment = optional(json, "environment")) read_environment(*environment, scenario.environment);
    if (const Json* steps = required(json, "", "steps")) read_steps(*steps, scenario.steps);
    return scenario;
  }

 private:
  void error(std::string path, std::string message, const Json& value) {
    errors.push_back({.path = std::move(path), .message = std::move(message), .value = shown(value)});
  }
  void missing(std::string path) { errors.push_back({.path = std::move(path), .message = "is required", .value = {}}); }

  static std::string below(std::string_view path, std::string_view name) {
    return path.empty() ? std::string(name) : std::string(path) + "." + std::string(name);
  }
  static const Json* optional(const Json& json, std::string_view name) {
    const auto at = json.find(name);
    return at == json.end() ? nullptr : &*at;
  }
  const Json* required(const Json& json, std::string_view path, std::string_view name) {
    const Json* member = optional(json, name);
    if (member == nullptr) missing(below(path, name));
    return member;
  }
  bool is_object(const Json& json, std::string_view path) {
    if (!json.is_object()) error(std::string(path), "must be an object", json);
    return json.is_object();
  }
  void known(const Json& json, std::string_view path, const std::vector<std::string_view>& names) {
    for (const auto& [name, value] : json.items())
      if (std::find(names.begin(), names.end(), name) == names.end())
        error(below(path, name), "is no field here" + did_you_mean(name, names), value);
  }

  void read_format(const Json& json) {
    const Json* format = required(json, "", "format");
    if (format != nullptr && *format != scenario_format)
      error("format", "must be \"" + std::string(scenario_format) + "\"", *format);
  }

  void check_found(const Json& found) {
    if (!is_object(found, "found")) return;
    for (const auto& [name, value] : found.items())
      if (!value.is_string() && !value.is_number()) error(below("found", name), "must be a text or a number", value);
  }

  void read_set(const Json& json, StatefulSet& set) {
    if (!is_object(json, "set")) return;
    FieldErrors inside;
    from_json(json, set, inside);
    for (FieldError& e : inside) {
      e.path = below("set", e.path);
      errors.push_back(std::move(e));
    }
    if (!inside.empty()) return;
    if (set.spec == nullptr) missing("set.spec");
    else if (set.spec->pod_template == nullptr) missing("set.spec.template");
  }

  void read_environment(const Json& json, Environment& environment) {
    if (!is_object(json, "environment")) return;
    known(
        json, "environment",
        {"api", "controller", "list_order", "injects", "namesakes", "binds_late", "versions_from", "between_seconds"});
    if (const Json* api = optional(json, "api")) read_gates(*api, "environment.api", &Gate::api, environment.api);
    if (const Json* controller = optional(json, "controller"))
      read_gates(*controller, "environment.controller", &Gate::controller, environment.gates);
    if (const Json* order = optional(json, "list_order"))
      environment.list_order = static_cast<std::uint32_t>(
          read_number(*order, "environment.list_order", 0, std::numeric_limits<std::int32_t>::max()));
    if (const Json* versions = optional(json, "versions_from"))
      environment.versions_from = static_cast<std::uint32_t>(
          read_number(*versions, "environment.versions_from", 0, std::numeric_limits<std::uint32_t>::max()));
    const auto flag = [&](const char* name, bool& out) {
      if (const Json* value = optional(json, name)) read_flag(*value, below("environment", name), out);
    };
    flag("injects", environment.injects);
    flag("namesakes", environment.namesakes);
    flag("binds_late", environment.binds_late);
    flag("between_seconds", environment.between_seconds);
  }

  template <class Side>
  void read_gates(const Json& json, std::string_view path, bool Side::* Gate::* side, Side& out) {
    if (!is_object(json, path)) return;
    std::vector<std::string_view> names;
    for (const Gate& gate : gates)
      if (gate.*side != nullptr) names.push_back(gate.name);
    known(json, path, names);
    for (const Gate& gate : gates) {
      const Json* value = gate.*side != nullptr ? optional(json, gate.name) : nullptr;
      if (value != nullptr) read_flag(*value, below(path, gate.name), out.*(gate.*side));
    }
  }

  void read_flag(const Json& json, std::string_view path, bool& out) {
    if (json.is_boolean()) out = json.get<bool>();
    else error(std::string(path), "must be true or false", json);
  }

  void read_steps(const Json& json, std::vector<Step>& steps) {
    if (!json.is_array()) return error("steps", "must be a list", json);
    if (json.size() > max_steps)
      return errors.push_back({.path = "steps",
                               .message = "must have at most " + std::to_string(max_steps) + " entries",
                               .value = std::to_string(json.size())});
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string path = "steps[" + std::to_string(i) + "]";
      if (is_object(json[i], path)) read_step(json[i], path, steps.emplace_back());
    }
  }

  void read_step(const Json& json, const std::string& path, Step& step) {
    const Json* name = required(json, path, "do");
    if (name == nullptr) return;
    const StepInfo* row = row_of(*name, path);
    if (row == nullptr) return;
    step.kind = row->kind;
    std::vector<std::string_view> names = {"do"};
    for (const Argument* argument : {&row->a, &row->b})
      if (!argument->name.empty()) names.push_back(argument->name);
    if (row->between_calls) names.push_back("at_call");
    known(json, path, names);
    read_argument(json, path, row->a, step.a);
    read_argument(json, path, row->b, step.b);
    if (const Json* call = row->between_calls ? optional(json, "at_call") : nullptr)
      step.at_call = static_cast<std::uint8_t>(read_number(*call, path + ".at_call", 0, 255));
  }

  const StepInfo* row_of(const Json& name, const std::string& path) {
    std::vector<std::string_view> names;
    for (const StepInfo& row : step_table()) {
      if (name.is_string() && name.get_ref<const std::string&>() == row.name) return &row;
      names.push_back(row.name);
    }
    const std::string wrong = name.is_string() ? name.get<std::string>() : "";
    error(path + ".do", "is no kind of step" + did_you_mean(wrong, names), name);
    return nullptr;
  }

  void read_argument(const Json& json, const std::string& path, const Argument& argument, std::int32_t& out) {
    if (argument.name.empty()) return;
    const Json* value = argument.optional ? optional(json, argument.name) : required(json, path, argument.name);
    if (value == nullptr) return;
    if (argument.words.empty()) {
      using Number = std::numeric_limits<std::int32_t>;
      out = static_cast<std::int32_t>(read_number(*value, below(path, argument.name), Number::min(), Number::max()));
      return;
    }
    const auto& words = argument.words;
    const auto at = std::find_if(words.begin(), words.end(), [&](std::string_view word) { return *value == word; });
    if (at == words.end()) error(below(path, argument.name), "must be one of " + joined(words), *value);
    else out = static_cast<std::int32_t>(at - words.begin());
  }

  std::int64_t read_number(const Json& value, std::string path, std::int64_t low, std::int64_t high) {
    const bool whole = value.is_number_integer();
    const bool fits =
        whole && (value.is_number_unsigned() ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(high)
                                             : value.get<std::int64_t>() >= low && value.get<std::int64_t>() <= high);
    if (fits) return value.get<std::int64_t>();
    error(std::move(path),
          whole ? "must be from " + std::to_string(low) + " to " + std::to_string(high) : "must be a whole number",
          value);
    return 0;
  }
};

}  // namespace

std::expected<Scenario, FieldErrors> read_scenario(std::string_view json) {
  Json document;
  Reader reader;
  if (!parse_json(json, document, reader.errors)) return std::unexpected(std::move(reader.errors));
  Scenario scenario = reader.read(document);
  if (!reader.errors.empty()) return std::unexpected(std::move(reader.errors));
  return scenario;
}

}  // namespace ordeal::properties
