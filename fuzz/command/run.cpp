// ordeal run: many trials, a verdict.
#include "fuzz/engine/run.h"

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/shelves.h"
#include "fuzz/command/signals.h"
#include "fuzz/command/watcher.h"
#include "fuzz/compare/compare.h"

namespace ordeal::fuzz {

namespace {

/// What --twice asks of each trial. A program that breaks down while it is asked has not gone the same way either.
std::optional<std::string> went_differently(const properties::Scenario& scenario, Dock& dock) {
  try {
    const auto difference = compare_twice(scenario, dock);
    if (!difference) return std::nullopt;
    return "the same trial, run twice, goes differently: " + difference->kind + "\nin sync " +
           std::to_string(difference->sync) + "\nfirst: " + difference->a + "\nthen: " + difference->b;
  } catch (const std::exception& error) {  // it breaks down, or makes call after call
    return error.what();
  }
}

int run_with(const RunOptions& options, const RunArguments& arguments, const Listed& stories, Format format) {
  Watcher watcher(options, arguments.out, arguments.quiet);
  Report report = report_of(*options.controller, options.level, run(options, watcher, stop_on_signals()));
  watcher.finish();
  report.seed = options.seed;
  report.except = options.except;
  report.known_of = arguments.known_of;
  report.against = arguments.against;
  const std::string flags = std::string(arguments.twice ? " --twice" : "") + (arguments.as_found ? " --as-found" : "") +
                            (arguments.drawn_only ? " --drawn-only" : "");
  report.arguments = typed_again(arguments, flags);
  show_findings(watcher.keeper(), *options.controller, report);
  for (Shown& shown : report.findings) shown.from = stories.file(shown.finding.trial);
  const bool kept = print_unkept(report);
  return print_report(report, format, kept);
}

}  // namespace

int run_command(const RunArguments& arguments) {
  RunOptions options;
  const auto asked = parse_asked(arguments);
  if (!asked) return refuse(asked.error());
  apply(*asked, options);
  const auto format = parse_format(arguments.format);
  if (!format) return refuse(format.error());
  if (const auto limits = set_limits(arguments.trials, arguments.time, "60s", options); !limits)
    return refuse(limits.error());
  if (arguments.as_found) options.shrinking = Shrinking::never;
  if (arguments.twice) options.second_look = went_differently;
  if (const auto known = check_known_of(arguments.known_of); !known) return refuse(known.error());
  options.original = original_of_fork(arguments.known_of);
  if (const auto out = check_out(arguments.out); !out) return refuse(out.error());
  auto sets = read_first_sets(arguments.manifests, options.controller->name, arguments.quiet);
  if (!sets) return exit_bad_input;
  options.sets = std::move(*sets);
  const bool tells_stories = arguments.manifests.empty() && !arguments.drawn_only;
  const Listed stories(tells_stories ? stories_of_corpus() : std::vector<ListedStory>{});
  const StoriesFirst source(stories, options.sets, options.seed);
  options.source = &source;
  return run_with(options, arguments, stories, *format);
}

}  // namespace ordeal::fuzz
