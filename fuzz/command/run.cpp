// ordeal run: many trials, a verdict.
#include "fuzz/engine/run.h"

#include "fuzz/adapter/compare.h"
#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/watcher.h"
#include "fuzz/report/json.h"
#include "fuzz/report/shell.h"

namespace ordeal::fuzz {

namespace {

/// What --twice asks of each trial.
std::optional<std::string> went_differently(const properties::Scenario& scenario, Dock& dock) {
  const auto difference = compare_twice(scenario, dock);
  if (!difference) return std::nullopt;
  return "the same trial, run twice, goes differently: " + difference->kind + "\nin sync " + std::to_string(difference->sync) +
         "\nfirst: " + difference->a + "\nthen: " + difference->b;
}

/// What has to be typed besides seed and trials to run the same again.
std::string repeated(const RunArguments& arguments) {
  std::string text;
  for (const std::string& manifest : arguments.manifests) text += " " + shell_quoted(manifest);
  text += " --controller " + shell_quoted(arguments.controller);
  if (arguments.twice) text += " --twice";
  if (!arguments.level.empty()) text += " --level " + shell_quoted(arguments.level);
  return text;
}

/// Findings with their files and timelines.
void show_findings(const RunOptions& options, const Watcher& watcher, Report& report) {
  Dock dock(*options.controller);
  for (Finding& finding : report.result.findings) {
    Shown shown;
    shown.file = watcher.keeper().path_of(finding);
    const properties::Cause cause = properties::cause_of(finding.scenario);
    shown.known = find_known(options.controller->name, finding.invariant->id, &cause);
    shown.timeline = record_timeline(finding.scenario, dock, &finding.breach);
    shown.finding = std::move(finding);
    report.findings.push_back(std::move(shown));
  }
  report.result.findings.clear();
}

/// A finding that no file holds is at least seen whole.
bool print_unkept(const Report& report) {
  bool all_kept = true;
  for (const Shown& shown : report.findings) {
    if (!shown.file.empty()) continue;
    all_kept = false;
    const Finding& finding = shown.finding;
    const std::string file =
        finding_file(finding, origin_of(finding, {report.controller, report.level, *report.seed}));
    std::fprintf(stderr, "ordeal: this scenario breaks %s and is stored nowhere else:\n%s",
                 std::string(finding.invariant->id).c_str(), file.c_str());
  }
  return all_kept;
}

int run_with(const RunOptions& options, const RunArguments& arguments, Format format) {
  Watcher watcher(options, arguments.out, arguments.quiet);
  Report report;
  report.result = run(options, watcher, stop_on_signals());
  watcher.finish();
  report.controller = options.controller->name;
  report.level = options.level;
  report.seed = options.seed;
  report.program = program();
  report.arguments = repeated(arguments);
  show_findings(options, watcher, report);
  const bool kept = print_unkept(report);
  return print_report(report, format, kept);
}

}  // namespace

int run_command(const RunArguments& arguments) {
  RunOptions options;
  const auto controller = parse_controller(arguments.controller);
  if (!controller) return refuse(controller.error());
  options.controller = *controller;
  const auto level = parse_level(arguments.level, **controller);
  if (!level) return refuse(level.error());
  options.level = *level;
  const auto seed = parse_seed(arguments.seed);
  if (!seed) return refuse(seed.error());
  options.seed = *seed;
  const auto format = parse_format(arguments.format);
  if (!format) return refuse(format.error());
  if (const auto limits = set_limits(arguments.trials, arguments.time, "60s", options); !limits)
    return refuse(limits.error());
  const auto jobs = parse_jobs(arguments.jobs);
  if (!jobs) return refuse(jobs.error());
  options.jobs = *jobs;
  if (arguments.twice) options.second_look = went_differently;
  auto sets = read_first_sets(arguments.manifests, arguments.quiet);
  if (!sets) return exit_bad_input;
  options.sets = std::move(*sets);
  return run_with(options, arguments, *format);
}

}  // namespace ordeal::fuzz
