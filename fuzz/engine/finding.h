// A broken promise, and the scenario that breaks it: tried once more, shrunk, named.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "fuzz/engine/controllers.h"
#include "properties/scenario/cause.h"
#include "properties/trial/trial.h"

namespace ordeal::fuzz {

class Baseline;

/// What became of a promise when the scenario that broke it was tried where nothing was tried before.
enum class Again : std::uint8_t {
  broken,
  held,        // which no deterministic controller does
  no_verdict,  // the controller broke down
  not_tried,   // to the end: there was no time
};

struct Finding {
  const properties::Invariant* invariant = nullptr;
  std::uint64_t trial = 0;        // the lowest that broke it for this cause
  properties::Scenario scenario;  // as found, then as shrunk
  properties::Breach breach;      // in that scenario
  std::size_t steps_found = 0;    // before shrinking
  StatefulSet set_found = {};     // of the scenario as found: its user's, where it began with a manifest
  std::string found_in;           // digest of the scenario as found: manifests do not share it, as they do trials
  std::size_t trials_to_shrink = 0;
  bool minimal = false;  // no single step or field can be removed or simplified further
  Again again = Again::broken;
  std::string broke_down;                       // why there was no verdict
  std::optional<properties::Cause> cause = {};  // of the shrunk scenario; none before, or when shrinking was broken off

  bool is_reproduced() const { return again == Again::broken; }
};

/// Of a scenario as it was drawn, walked to or read.
Finding finding_in(const properties::Scenario& scenario, const properties::Breach& breach, std::uint64_t trial = 0);

/// "<invariant>.<eight hexadecimal digits of the cause>": of one story the same, whoever finds it.
std::string id_of(const Finding& finding);

/// Tries the finding's scenario once more where nothing was tried before, so that what it says is true of the scenario
/// alone, and takes the breach from there. Once `is_over` says so it takes no longer than somebody waits for it.
void confirm(Finding& finding, const Dock& dock, properties::Level level, const std::function<bool()>& is_over);

/// Shrinks a finding in place: the smallest scenario in which the same invariant is broken. Ends early when `is_over`
/// says so; then its cause is not known. With `against`, one in which that controller still keeps it.
void shrink_finding(Finding& finding, properties::Court& court, Dock& dock, properties::Level level,
                    const std::function<bool()>& is_over, Baseline* against = nullptr);

/// Why there is no verdict about one that was not reproduced.
std::string why_unclear(const Finding& finding);

}  // namespace ordeal::fuzz
