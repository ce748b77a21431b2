// What a fork breaks and its original does not: a controller that another one is held against, scenario by scenario.
// Covered by baseline_test.cpp.
#pragma once

#include <expected>
#include <string>

#include "fuzz/engine/controllers.h"
#include "properties/invariants/catalogue.h"
#include "properties/trial/trial.h"

namespace ordeal::fuzz {

class Baseline {
 public:
  explicit Baseline(const ControllerKind& kind) : dock_(kind) {}

  /// What it makes of a scenario.
  struct Answer {
    properties::Promises breaks;
    std::string unclear;  // why it has no verdict, and nobody can tell what else it breaks; empty: it has one
  };
  Answer answer(const properties::Scenario& scenario, const properties::TrialOptions& asked);
  /// Whether it keeps the one promise that is asked there; why it has no verdict when it has none. Who does not know
  /// all that the scenario speaks of keeps none.
  std::expected<bool, std::string> keeps(const properties::Scenario& scenario, const properties::TrialOptions& only);
  /// What it knows nothing of it cannot be held against.
  const KnownFields& known_fields() { return dock_.known_fields(); }
  const std::string& name() const { return dock_.kind().name; }

 private:
  Dock dock_;
  properties::Court court_;
};

}  // namespace ordeal::fuzz
