// ordeal diff: two controllers, the same scenarios, compared call by call.
#include <filesystem>

#include "fuzz/command/arguments.h"
#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/signals.h"
#include "fuzz/compare/compare.h"
#include "fuzz/engine/files.h"
#include "properties/scenario/counted.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {

namespace {

using properties::counted;

std::string text_of(const Comparison& comparison, const DiffArguments& arguments) {
  std::string text;
  std::uint64_t differing = 0;
  for (const Difference& d : comparison.differences) {
    differing += d.times;
    text += d.kind + "\n  " + counted(d.times, "trial") + ", first in trial " + std::to_string(d.trial) +
            "; shrunk to " + counted(d.scenario.steps.size(), "step") + ", in sync " + std::to_string(d.sync) +
            "\n  a: " + d.a + "\n  b: " + d.b + "\n";
  }
  text += counted(comparison.trials, "trial") + ": " + std::to_string(differing) + " differ between " + arguments.a +
          " and " + arguments.b + ", " + std::to_string(comparison.unclear) + " inconclusive\n";
  if (comparison.unclear > 0) text += "the first of these: " + comparison.why_unclear + "\n";
  return text;
}

/// One file a difference, named after its trial.
Done store(const Comparison& comparison, const std::string& directory) {
  std::error_code failed;
  std::filesystem::create_directories(directory, failed);
  if (failed) return std::unexpected("--out: cannot make " + directory + ": " + failed.message());
  for (const Difference& d : comparison.differences)
    if (auto done = write_file(directory + "/trial-" + std::to_string(d.trial) + ".json",
                               properties::write_scenario(d.scenario));
        !done)
      return done;
  return {};
}

int exit_of(const Comparison& comparison, bool interrupted) {
  if (!comparison.differences.empty()) return exit_violated;
  if (interrupted) return exit_interrupted;
  return comparison.unclear > 0 || comparison.trials == 0 ? exit_inconclusive : exit_held;
}

}  // namespace

int diff_command(const DiffArguments& arguments) {
  const auto a = parse_controller(arguments.a, "--a"), b = parse_controller(arguments.b, "--b");
  if (!a) return refuse(a.error());
  if (!b) return refuse(b.error());
  const auto seed = parse_seed(arguments.seed);
  if (!seed) return refuse(seed.error());
  if (const auto out = arguments.out.empty() ? Done{} : check_out(arguments.out); !out) return refuse(out.error());
  const auto sets = read_first_sets(arguments.manifests, arguments.a, false);
  if (!sets) return exit_bad_input;
  // Neither is given what the other does not know.
  if (!arguments.manifests.empty() && arguments.a != arguments.b) complain_of_unknown(sets->given, arguments.b);
  const std::atomic<bool>& stop = stop_on_signals();
  const Comparison comparison = compare(**a, **b, *sets, *seed, arguments.first, arguments.trials, stop);
  const auto stored = arguments.out.empty() ? Done{} : store(comparison, arguments.out);
  const bool printed = print(text_of(comparison, arguments));
  if (!stored) complain(stored.error());
  if (!stored || !printed) return exit_inconclusive;
  return exit_of(comparison, stop.load());
}

}  // namespace ordeal::fuzz
