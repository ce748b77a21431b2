// One scenario, one controller, one answer.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "properties/invariants/catalogue.h"
#include "properties/trial/encounters.h"
#include "properties/trial/relations.h"
#include "properties/trial/situations.h"
#include "properties/world/simulate.h"

namespace ordeal::properties {

class Judge;

enum class Verdict : std::uint8_t { held, violated, inconclusive };

/// The first time an invariant was broken in a trial.
struct Breach {
  const Invariant* invariant = nullptr;
  Violation violation;
  int step = 0;  // the last one that had begun, from 1; one past the scenario's last: in the epilogue
  int sync = 0;  // from 1
  Text line{};   // of the controller's code that made the call in question, "file.go:612", if it said so
};

struct TrialResult {
  Verdict verdict = Verdict::held;
  std::vector<Breach> breaches;  // one per broken invariant, in the order they happened
  std::string inconclusive;      // the reason
  Situations situations;         // that occurred
  std::uint64_t syncs = 0, calls = 0;
  std::uint64_t digest = 0;  // of everything that happened (digest.h)
};

struct TrialOptions {
  Level level = Level::strict;
  Promises except{};                      // not asked, whatever their level
  std::span<const Relation> relations{};  // whose twins are tried, too, each twice as long as the trial itself
  bool guards_inputs = false;             // whether syncs leave what they are shown alone; about as dear
  /// Judge by this one alone, with its relation or guard if it needs one, and stop when it is broken (shrinking).
  const Invariant* only = nullptr;
  bool asks_all = false;  // also where Invariant::given is not, to see that it makes no difference
  const std::function<bool()>* is_over = nullptr;  // asked before each turn: true ends the trial there, inconclusive
  Encounters* encounters = nullptr;                // where what met what in the trial itself is added, if somebody asks
};

/// Tries controllers one scenario at a time, reusing a world.
class Court {
 public:
  Court();
  ~Court();
  /// Inconclusive, with the reason, when the scenario cannot be simulated or a check throws.
  TrialResult try_scenario(const Scenario& scenario, Program& program, TrialOptions options = {});
  TrialResult try_scenario(const Scenario& scenario, Controller& controller, TrialOptions options = {});

 private:
  void try_itself(const Scenario& scenario, Program& program, const TrialOptions& options);
  void try_relations(const Scenario& scenario, Program& program, const TrialOptions& options);

  std::unique_ptr<World> world_;
  std::unique_ptr<Judge> judge_;
};

}  // namespace ordeal::properties
