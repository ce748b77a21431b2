#include "fuzz/campaign/hunt.h"

#include <algorithm>
#include <optional>

#include "fuzz/campaign/guide.h"
#include "fuzz/engine/parallel.h"
#include "fuzz/engine/run.h"
#include "fuzz/explore/explore.h"
#include "fuzz/explore/worlds.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;
using Clock = std::chrono::steady_clock;

/// The breach to show of a trial that broke something: the one of the promise that should catch the mutant, or the
/// first.
const Breach& breach_to_show(const TrialResult& result, const Mutant& mutant) {
  const auto expected =
      std::ranges::find(result.breaches, mutant.invariant, [](const Breach& b) { return b.invariant->id; });
  return expected != result.breaches.end() ? *expected : result.breaches.front();
}

class Hunter {
 public:
  Hunter(const HuntOptions& options, const Mutant& mutant, const std::atomic<bool>& stop)
      : options_(options),
        mutant_(mutant),
        stop_(stop),
        kind_(kind_of(mutant)),
        dock_(kind_),
        guide_(options.sets, options.seed) {}

  Hunted hunt() {
    Hunted hunted{.mutant = &mutant_};
    const Clock::time_point begun = Clock::now();
    while (hunted.broken == nullptr && !stop_.load() && Clock::now() - begun < options_.time_each)
      try_one(hunted, begun);
    if (hunted.broken == nullptr) hunted.seconds = seconds_since(begun);
    return hunted;
  }

 private:
  static double seconds_since(Clock::time_point begun) {
    return std::chrono::duration<double>(Clock::now() - begun).count();
  }

  void try_one(Hunted& hunted, Clock::time_point begun) {
    std::optional<Finding> finding =
        options_.engine == Engine::exhaustive ? walk(hunted.trials) : try_trial(hunted.trials);
    ++hunted.trials;
    if (!finding) return;
    hunted.seconds = seconds_since(begun);
    shrink_finding(*finding, court_, dock_, Level::strict, Deadline([this] { return stop_.load(); }));
    if (!finding->is_reproduced()) return;
    hunted.broken = finding->invariant;
    hunted.steps = finding->scenario.steps.size();
    hunted.finding = std::move(*finding);
  }

  std::optional<Finding> try_trial(std::uint64_t trial) {
    const bool guided = options_.engine == Engine::guided;
    const Scenario scenario = guided ? guide_.scenario(trial) : scenario_of_trial(options_.sets, options_.seed, trial);
    encounters_.clear();
    const TrialResult result =
        court_.try_scenario(scenario, dock_, {.level = Level::strict, .encounters = guided ? &encounters_ : nullptr});
    if (guided) guide_.learn(scenario, encounters_.bits());
    if (result.breaches.empty()) return std::nullopt;
    const Breach& breach = breach_to_show(result, mutant_);
    return finding_in(scenario, breach, trial);
  }

  /// Every state of one small world.
  std::optional<Finding> walk(std::uint64_t world) {
    ExploreWatcher nobody;
    const Certificate certificate = explore(walk_of(kind_, options_.sets, options_.seed, world), nobody, stop_);
    if (certificate.findings.empty()) return std::nullopt;
    const auto expected =
        std::ranges::find(certificate.findings, mutant_.invariant, [](const Finding& f) { return f.invariant->id; });
    return expected != certificate.findings.end() ? *expected : certificate.findings.front();
  }

  const HuntOptions& options_;
  const Mutant& mutant_;
  const std::atomic<bool>& stop_;
  const ControllerKind kind_;
  Court court_;
  Dock dock_;
  Guide guide_;
  Encounters encounters_;
};

}  // namespace

std::vector<Hunted> hunt(const HuntOptions& options, const std::atomic<bool>& stop) {
  std::vector<Hunted> all(options.mutants.size());
  std::atomic<std::size_t> next = 0;
  run_in_parallel(std::max(options.jobs, 1u), [&](unsigned) {
    for (std::size_t i = next++; i < all.size() && !stop.load(); i = next++) {
      Hunted hunted = Hunter(options, *options.mutants[i], stop).hunt();
      if (!stop.load()) all[i] = hunted;
    }
  });
  std::erase_if(all, [](const Hunted& hunted) { return hunted.mutant == nullptr; });
  return all;
}

}  // namespace ordeal::fuzz
