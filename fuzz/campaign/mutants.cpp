#include "fuzz/campaign/mutants.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "fuzz/report/json_text.h"
#include "fuzz/report/report.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

namespace {

using properties::grouped;
using properties::Invariant;
using properties::with_decimals;

constexpr std::string_view header = "  mutant                                            trials  seconds  steps\n";

std::string line_of(const Hunted& hunted) {
  const std::string id(hunted.mutant->id);
  const std::string steps = hunted.broken != nullptr ? std::to_string(hunted.steps) : "-";
  char line[256];
  std::snprintf(line, sizeof line, "  %-44s %11s %8s %6s\n", id.c_str(), grouped(hunted.trials).c_str(),
                with_decimals(hunted.seconds, 2).c_str(), steps.c_str());
  if (hunted.broken == nullptr) return std::string(line) + "    SURVIVED\n";
  if (hunted.as_expected()) return line;
  return std::string(line) + "    found by " + std::string(hunted.broken->id) + "\n";
}

std::string summary(const std::vector<Hunted>& hunted) {
  std::vector<double> seconds;
  std::size_t otherwise = 0;
  for (const Hunted& one : hunted) {
    if (one.broken == nullptr) continue;
    seconds.push_back(one.seconds);
    otherwise += one.as_expected() ? 0 : 1;
  }
  std::ranges::sort(seconds);
  std::string text = "\n" + std::to_string(seconds.size()) + " of " + std::to_string(hunted.size()) + " mutants found";
  if (seconds.empty()) return text + "\n";
  return text + ", " + std::to_string(otherwise) + " of them by another promise first\nmedian " +
         with_decimals(seconds[seconds.size() / 2], 2) + " s, slowest " + with_decimals(seconds.back(), 2) + " s\n";
}

}  // namespace

std::string mutants_text(const std::vector<Hunted>& hunted, std::size_t asked) {
  std::string text(header);
  for (const Invariant& invariant : properties::catalogue) {
    std::string lines;
    for (const Hunted& one : hunted)
      if (one.mutant->invariant == invariant.id) lines += line_of(one);
    if (!lines.empty()) text += "\n" + std::string(invariant.id) + "\n" + lines;
  }
  text += summary(hunted);
  if (hunted.size() == asked) return text;
  return text + "interrupted: " + properties::counted(asked - hunted.size(), "mutant") + " not tried\n";
}

std::string mutants_json(const std::vector<Hunted>& hunted) {
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const Hunted& one : hunted) {
    const bool found = one.broken != nullptr;
    array.push_back({{"id", one.mutant->id},
                     {"about", one.mutant->about},
                     {"expected", one.mutant->invariant},
                     {"found", found},
                     {"invariant", found ? nlohmann::ordered_json(one.broken->id) : nullptr},
                     {"trials", one.trials},
                     {"seconds", one.seconds},
                     {"steps", found ? nlohmann::ordered_json(one.steps) : nullptr}});
  }
  return json_text(array);
}

}  // namespace ordeal::fuzz
