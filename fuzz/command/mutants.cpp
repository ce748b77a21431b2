// ordeal mutants: are the seeded bugs found?
#include <algorithm>

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/engine/hunt.h"
#include "fuzz/report/mutants.h"

namespace ordeal::fuzz {

namespace {

std::expected<HuntOptions, std::string> options_of(const MutantsArguments& arguments) {
  HuntOptions options;
  options.sets = {.given = corpus_sets(), .drawn_too = true};
  for (const std::string& id : arguments.ids) {
    const auto mutant = parse_mutant(id);
    if (!mutant) return std::unexpected(mutant.error());
    options.mutants.push_back(*mutant);
  }
  if (arguments.ids.empty())
    for (const properties::Mutant& mutant : properties::mutants()) options.mutants.push_back(&mutant);
  const auto seed = parse_seed(arguments.seed);
  if (!seed) return std::unexpected(seed.error());
  options.seed = *seed;
  const auto time = parse_time(arguments.time_each, "--time-each");
  if (!time) return std::unexpected(time.error());
  options.time_each = *time;
  const auto jobs = parse_jobs(arguments.jobs);
  if (!jobs) return std::unexpected(jobs.error());
  options.jobs = *jobs;
  if (arguments.engine == "guided") options.engine = Engine::guided;
  return options;
}

}  // namespace

int mutants_command(const MutantsArguments& arguments) {
  const auto options = options_of(arguments);
  if (!options) return refuse(options.error());
  const std::vector<Hunted> hunted = hunt(*options, stop_on_signals());
  if (!print(arguments.json ? mutants_json(hunted) : mutants_text(hunted))) return exit_inconclusive;
  const bool survived = std::ranges::any_of(hunted, [](const Hunted& one) { return one.broken == nullptr; });
  if (survived) return exit_violated;
  return hunted.size() < options->mutants.size() ? exit_interrupted : exit_held;
}

}  // namespace ordeal::fuzz
