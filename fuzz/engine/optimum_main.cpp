// Of how many seeded bugs is the shrunk story as short as any? Prints a line for each and the share; ci/shrink-optimum
// builds and calls it. Fails when it is less than nine of ten of those that can be proved.
#include <cstdio>
#include <cstdlib>

#include "fuzz/engine/optimum.h"
#include "fuzz/engine/run.h"
#include "properties/mutants/mutants.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;

constexpr std::size_t steps_at_most = 8;

struct Share {
  std::size_t optimal = 0, proved = 0, found = 0;
};

void try_mutant(const Mutant& mutant, const FirstSets& sets, std::uint64_t trials, std::size_t limit, Share& share) {
  const ControllerKind& kind = *find_controller("mutant:" + std::string(mutant.id));
  Dock dock(kind);
  Court court;
  for (std::uint64_t trial = 0; trial < trials; ++trial) {
    const Scenario scenario = scenario_of_trial(sets, 1, trial);
    const TrialResult result = try_in(dock, court, scenario, {.level = Level::strict});
    if (result.breaches.empty()) continue;
    Finding finding = finding_in(scenario, result.breaches.front(), trial);
    shrink_finding(finding, court, dock, Level::strict, Deadline([] { return false; }));
    const std::size_t steps = finding.scenario.steps.size();
    ++share.found;
    if (steps > steps_at_most) return;
    const Optimum optimum = find_optimum(finding.scenario, *finding.invariant, dock, Level::strict, limit);
    if (!optimum.proved) return;
    ++share.proved;
    share.optimal += optimum.shorter ? 0 : 1;
    std::printf("%-45s %zu steps, %zu is the optimum (%zu letters, %zu trials)\n", std::string(mutant.id).c_str(),
                steps, optimum.shorter ? optimum.shorter->steps.size() : steps, optimum.alphabet, optimum.trials);
    std::fflush(stdout);
    return;
  }
}

int main_of(int argc, char** argv) {
  const std::size_t limit = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  const std::uint64_t trials = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100'000;
  const FirstSets sets{.given = corpus_sets(), .drawn_too = true};
  Share share;
  for (const Mutant& mutant : mutants()) try_mutant(mutant, sets, trials, limit, share);
  std::printf("%zu of %zu shrunk stories are as short as any; %zu of %zu mutants were found\n", share.optimal,
              share.proved, share.found, mutants().size());
  return share.proved > 0 && share.optimal * 10 >= share.proved * 9 ? 0 : 1;
}

}  // namespace

}  // namespace ordeal::fuzz

int main(int argc, char** argv) { return ordeal::fuzz::main_of(argc, argv); }
