// A run: many trials of one controller, and what came out.
//
// Trial i is a pure function of first sets, seed and i; its scenario, its digest and its breaches are the same on every
// machine and with any number of jobs. Jobs take trial numbers from one counter and finish what they took, so the
// trials that were run are always 0 .. n-1 (but for programs that are interrupted in the midst of some), and everything
// in RunResult but `seconds` is a sum, a union or the lowest trials over exactly those. The few lowest trials that
// broke an invariant are shrunk, and those that tell the same story are one finding (candidates.h): one per invariant
// and minimal cause.
//
// What it does not do: files (keeper.h), terminals (report/progress.h), reading manifests (first_sets.h).
// Covered by run_test.cpp.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fuzz/engine/finding.h"
#include "fuzz/engine/first_sets.h"
#include "properties/trial/trial.h"

namespace ordeal::fuzz {

/// Where the scenarios of a run come from, when not from sets and seed alone. Asked by all jobs at once: a pure
/// function.
class ScenarioSource {
 public:
  virtual ~ScenarioSource() = default;
  virtual properties::Scenario scenario(std::uint64_t trial) const = 0;
  /// What its trials are tried for; options_of_trial unless it says otherwise.
  virtual properties::TrialOptions asked(properties::Level level, std::uint64_t seed, std::uint64_t trial) const;
};

class News;

/// When the lowest trials that broke a promise are shrunk.
enum class Shrinking : std::uint8_t {
  alongside,  // between trials, for as long as these have taken; then what is left, with a limit of time for no longer
              // than twice that in all
  at_end,     // after the last trial, a story of each promise before a second of any; for a quarter of the time that is
              // left then
  never,      // what is found stays as it was drawn, one finding per promise, without its cause
};

/// Tries a trial's scenario again, and says what went differently, if anything did.
using SecondLook = std::function<std::optional<std::string>(const properties::Scenario& scenario, Dock& dock)>;

struct RunOptions {
  const ControllerKind* controller = nullptr;
  properties::Level level = properties::Level::strict;
  properties::Promises except{};  // not asked
  FirstSets sets;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> trials;            // at most so many; with neither limit, until `stop`
  std::optional<std::chrono::milliseconds> time;  // and no trial is begun after so long
  unsigned jobs = 1;
  const ControllerKind* against = nullptr;  // what this one breaks, too, in the same scenario, is no finding
  /// Of a fork: what this one breaks, too, takes no room from what the fork alone breaks. Null: it is no fork.
  const ControllerKind* original = nullptr;
  const ScenarioSource* source = nullptr;  // null: scenario_of_trial
  News* news = nullptr;                    // told what met what in each trial, if somebody asks
  SecondLook second_look{};                // of every trial; one that goes differently has no verdict
  Shrinking shrinking = Shrinking::alongside;
  bool ends_with_first = false;  // no trial is begun once a finding was shrunk; which, depends on the jobs
  /// Nor, without a limit of trials, once a thousand ended before anything was asked of the controller: a program that
  /// cannot be started. Then the result says so.
  bool ends_without_turns = false;
};

/// The scenario of trial `trial`.
properties::Scenario scenario_of_trial(const FirstSets& sets, std::uint64_t seed, std::uint64_t trial);

/// What trial `trial` is tried for besides the promises about its own moments: dearer questions are asked of a
/// fraction.
properties::TrialOptions options_of_trial(properties::Level level, std::uint64_t seed, std::uint64_t trial);

/// Why trials had no verdict: a reason, the first trial it ended, and how many (none, when there was no trial at all).
struct Unclear {
  std::string reason;
  std::uint64_t trial = 0, times = 0;
};

struct RunResult {
  properties::Verdict verdict = properties::Verdict::inconclusive;
  std::uint64_t trials = 0, syncs = 0, calls = 0;
  std::uint64_t digest = 0;               // of all traces
  properties::Situations situations;      // that occurred
  properties::Promises broken_by_both{};  // in some trial, when it is held against somebody
  std::vector<std::uint64_t>
      occasions;  // by place in the catalogue: trials with a verdict in which there was something to judge
  std::vector<Finding> findings;      // that broke again when tried again; in the order of the catalogue, then by trial
  std::vector<Unclear> inconclusive;  // by trial
  bool interrupted = false;           // `stop` ended it
  double seconds = 0;
};

struct Progress {
  std::uint64_t trials = 0, syncs = 0;
  std::size_t situations = 0, violations = 0;  // promises broken
  double seconds = 0;
};

/// Told what happens during a run, one call at a time, from any of its threads.
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  /// A trial broke an invariant that none with a lower number had broken so far; `finding` is not shrunk yet.
  virtual void on_found(const Finding& finding) = 0;
  /// A finding was shrunk, or turned out not to break again, and it stands.
  virtual void on_shrunk(const Finding& finding) = 0;
  /// What stands of one invariant, by trial, whenever that may have changed; told before the two above.
  virtual void on_standing(std::span<const Finding* const> findings) = 0;
  /// Every `progress_every`.
  virtual void on_progress(const Progress& progress) = 0;
  virtual std::chrono::milliseconds progress_every() const = 0;
};

/// Runs until a limit is reached or `stop` becomes true.
RunResult run(const RunOptions& options, RunWatcher& watcher, const std::atomic<bool>& stop);

/// The situations that a run that asks these promises can be expected to see.
properties::Situations situations_expected(const properties::Promises& asked);

}  // namespace ordeal::fuzz
