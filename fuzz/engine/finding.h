// A broken promise, and the scenario that breaks it: tried once more, shrunk, named.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

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
  bool minimal = false;       // no single step or field can be removed or simplified further
  bool is_inherited = false;  // the original of a fork breaks the promise, too, in the scenario as found
  Again again = Again::broken;
  std::string broke_down;                       // why there was no verdict
  std::optional<properties::Cause> cause = {};  // of the shrunk scenario; none before, or when shrinking was broken off

  bool is_reproduced() const { return again == Again::broken; }
};

/// Of a scenario as it was drawn, walked to or read.
Finding finding_in(const properties::Scenario& scenario, const properties::Breach& breach, std::uint64_t trial = 0);

/// "<invariant>.<eight hexadecimal digits of the cause>": of one story the same, whoever finds it.
std::string id_of(const Finding& finding);
/// The promise that such an id is about; null when there is none of that name.
const properties::Invariant* invariant_in(std::string_view id);

/// How long somebody waits: until `is_over` says so for what can be left undone; and a little longer, in all, for
/// making sure of what was found. Asked by all jobs at once.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Deadline(std::function<bool()> is_over, Clock::duration longer = std::chrono::seconds(10))
      : is_over_(std::move(is_over)), longer_(longer) {}
  bool is_over() const;
  bool is_over_for_good() const;

 private:
  static constexpr Clock::rep not_yet = 0;

  std::function<bool()> is_over_;
  Clock::duration longer_;
  mutable std::atomic<Clock::rep> over_since_ = not_yet;
};

/// Tries the finding's scenario once more where nothing was tried before, so that what it says is true of the scenario
/// alone, and takes the breach from there.
void confirm(Finding& finding, const Dock& dock, properties::Level level, const Deadline& deadline);

/// Shrinks a finding in place: the smallest scenario in which the same invariant is broken. Ends early when the
/// deadline is over; then its cause is not known. With `against`, one in which that controller still keeps it.
void shrink_finding(Finding& finding, properties::Court& court, Dock& dock, properties::Level level,
                    const Deadline& deadline, Baseline* against = nullptr);

/// Why there is no verdict about one that was not reproduced.
std::string why_unclear(const Finding& finding);

}  // namespace ordeal::fuzz
