// ordeal run: many trials, a verdict.
#include "fuzz/engine/run.h"

#include <unistd.h>

#include <algorithm>

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/report/json.h"
#include "fuzz/report/keeper.h"
#include "fuzz/report/progress.h"
#include "fuzz/report/shell.h"

namespace ordeal::fuzz {

namespace {

/// Keeps findings as they come, and shows progress.
class Watcher final : public RunWatcher {
 public:
  Watcher(const RunOptions& options, const std::string& directory, bool quiet)
      : keeper_(directory, {options.controller->name, options.level, options.seed}),
        quiet_(quiet),
        output_(stderr, ::isatty(STDERR_FILENO) != 0, situations_expected(options.level).count()) {}

  void on_found(const Finding& finding) override {
    say(std::string(finding.invariant->id) + " is broken in trial " + std::to_string(finding.trial) +
        "; shrinking its " + std::to_string(finding.steps_found) + " steps");
  }
  void on_shrunk(const Finding& finding) override {
    say(std::string(finding.invariant->id) + " takes " + std::to_string(finding.scenario.steps.size()) +
        " steps: " + keeper_.path_of(finding));
  }
  void on_standing(std::span<const Finding* const> findings) override {
    const auto done = keeper_.keep(findings);
    if (done) return;
    output_.clear();
    complain("a finding could not be stored: " + done.error());
  }
  void on_progress(const Progress& progress) override {
    if (!quiet_) output_.show(progress);
  }
  std::chrono::milliseconds progress_every() const override { return output_.every(); }

  void finish() { output_.clear(); }
  const Keeper& keeper() const { return keeper_; }

 private:
  void say(const std::string& line) {
    if (!quiet_) output_.say(line);
  }

  Keeper keeper_;
  bool quiet_;
  ProgressOutput output_;
};

/// What has to be typed besides seed and trials to run the same again.
std::string repeated(const RunArguments& arguments) {
  std::string text;
  for (const std::string& manifest : arguments.manifests) text += " " + shell_quoted(manifest);
  text += " --controller " + shell_quoted(arguments.controller);
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

/// Either limit, both, or a minute.
std::expected<void, std::string> set_limits(const RunArguments& arguments, RunOptions& options) {
  if (!arguments.trials.empty()) {
    const bool digits =
        arguments.trials.find_first_not_of("0123456789") == std::string::npos && arguments.trials.size() <= 18;
    if (!digits) return std::unexpected("--trials: must be a whole number (found: " + arguments.trials + ")");
    options.trials = std::stoull(arguments.trials);
  }
  if (arguments.time.empty() && options.trials) return {};
  const auto time = parse_time(arguments.time.empty() ? "60s" : arguments.time);
  if (!time) return std::unexpected(time.error());
  options.time = *time;
  return {};
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
  if (const auto limits = set_limits(arguments, options); !limits) return refuse(limits.error());
  if (arguments.jobs < 1 || arguments.jobs > 1024)
    return refuse("--jobs: must be from 1 to 1024 (found: " + std::to_string(arguments.jobs) + ")");
  options.jobs = arguments.jobs;
  if (arguments.manifests.empty()) {
    options.sets = {.given = corpus_sets(), .drawn_too = true};
    return run_with(options, arguments, *format);
  }
  ReadSets read = read_set_files(arguments.manifests);
  for (const std::string& note : read.notes)
    if (!arguments.quiet) complain(note);
  for (const std::string& error : read.errors) complain(error);
  if (!read.errors.empty()) return exit_bad_input;
  options.sets.given = std::move(read.sets);
  return run_with(options, arguments, *format);
}

}  // namespace ordeal::fuzz
