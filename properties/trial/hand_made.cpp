#include "properties/trial/hand_made.h"

#include <algorithm>
#include <stdexcept>

#include "core/api/codec.h"
#include "core/api/validation.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::properties {

namespace {

std::string indented(std::string_view lines) {
  std::string text = "  ";
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text;
}

const Breach* breach_of(const TrialResult& result, std::string_view id) {
  if (find_invariant(id) == nullptr) throw std::out_of_range("no invariant " + std::string(id));
  const auto at = std::find_if(result.breaches.begin(), result.breaches.end(),
                               [&](const Breach& b) { return b.invariant->id == id; });
  return at == result.breaches.end() ? nullptr : &*at;
}

}  // namespace

Scenario hand_made(std::string_view spec_yaml, std::vector<Step> steps) {
  const std::string manifest =
      "apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: web\n  namespace: default\nspec:\n"
      "  selector:\n    matchLabels:\n      app: web\n  serviceName: web\n"
      "  template:\n    metadata:\n      labels:\n        app: web\n"
      "    spec:\n      containers:\n      - name: web\n        image: web:v0\n" +
      indented(spec_yaml) + "\n";
  Documents documents = read_manifest(manifest);
  if (!documents.errors.empty()) throw std::invalid_argument(documents.errors.front().text() + "\n" + manifest);
  Scenario scenario;
  scenario.set = std::get<StatefulSet>(documents.read.at(0).object);
  StatefulSet defaulted = scenario.set;
  apply_defaults(defaulted);
  if (const FieldErrors errors = validate_create(defaulted); !errors.empty())
    throw std::invalid_argument(errors.front().text());
  scenario.steps = std::move(steps);
  return scenario;
}

bool Tried::broke(std::string_view invariant_id) const { return breach_of(result, invariant_id) != nullptr; }

bool Tried::applied(std::string_view invariant_id) const {
  const Invariant* invariant = find_invariant(invariant_id);
  if (invariant == nullptr) throw std::out_of_range("no invariant " + std::string(invariant_id));
  return result.situations.test(situation_of_invariant(place_of(*invariant)));
}

std::string Tried::why(std::string_view invariant_id) const {
  const Breach* breach = breach_of(result, invariant_id);
  return breach ? breach->violation.claim : "";
}

Tried try_by_hand(const Scenario& scenario, Controller& controller) {
  Court court;
  Tried tried{court.try_scenario(scenario, controller, {.level = Level::strict})};
  if (tried.result.verdict == Verdict::inconclusive) throw std::runtime_error(tried.result.inconclusive);
  return tried;
}

}  // namespace ordeal::properties
