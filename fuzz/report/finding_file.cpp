#include "fuzz/report/finding_file.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "fuzz/engine/legible.h"
#include "fuzz/report/report.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {

using namespace properties;

Origin origin_of(const Finding& finding, const Run& run) {
  return {.invariant = std::string(finding.invariant->id),
          .controller = run.controller,
          .level = run.level,
          .seed = run.seed,
          .trial = finding.trial,
          .steps_before = finding.steps_found,
          .scenario_before = finding.found_in};
}

std::string finding_file(const Finding& finding, const Origin& origin) {
  const std::array<properties::Found, 9> found{{
      {"invariant", origin.invariant},
      {"claim", finding.breach.violation.claim},
      {"controller", origin.controller},
      {"level", std::string(name_of(origin.level))},
      {"seed", std::to_string(origin.seed)},
      {"trial", std::to_string(origin.trial)},
      {"steps before shrinking", std::to_string(origin.steps_before)},
      {"scenario before shrinking", origin.scenario_before},
      {"ordeal", std::string(version)},
  }};
  return write_scenario(finding.scenario, found);
}

std::optional<Origin> read_origin(std::string_view text) {
  nlohmann::json file;
  FieldErrors errors;
  if (!parse_json(text, file, errors) || !file.is_object() || !file.contains("found")) return std::nullopt;
  const nlohmann::json& found = file["found"];
  const auto word = [&](const char* key) {
    const bool is_text = found.is_object() && found.contains(key) && found[key].is_string();
    return is_text ? legible(found[key].get<std::string>()) : std::string();
  };
  const auto number = [&](const char* key) {
    const std::string digits = word(key);
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
  };
  return Origin{.invariant = word("invariant"),
                .controller = word("controller"),
                .level = word("level") == "promised" ? Level::promised : Level::strict,
                .seed = number("seed"),
                .trial = number("trial"),
                .steps_before = static_cast<std::size_t>(number("steps before shrinking")),
                .scenario_before = word("scenario before shrinking")};
}

}  // namespace ordeal::fuzz
