// ordeal matrix: every promise against every controller, release by release.
#include "fuzz/report/matrix.h"

#include <algorithm>
#include <filesystem>

#include "core/controller/releases.h"
#include "fuzz/adapter/kinds.h"
#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/shelves.h"
#include "fuzz/command/signals.h"
#include "fuzz/command/watcher.h"

namespace ordeal::fuzz {

namespace {

enum class MatrixFormat : std::uint8_t { text, json, markdown };

std::expected<MatrixFormat, std::string> parse_matrix_format(const std::string& text) {
  if (text == "text") return MatrixFormat::text;
  if (text == "json") return MatrixFormat::json;
  if (text == "markdown") return MatrixFormat::markdown;
  return std::unexpected("--format: must be text, json or markdown (found: " + text + ")");
}

/// All tables of releases, and the releases that ci/upstream built.
std::expected<std::vector<const ControllerKind*>, std::string> all_releases() {
  std::vector<const ControllerKind*> kinds;
  for (const std::span<const Release> family : release_families())
    for (const Release& release : family) kinds.push_back(find_controller(release.rules.name));
  for (const std::string& name : built_controllers()) {
    const auto kind = parse_controller(name);
    if (!kind) return std::unexpected(kind.error());
    kinds.push_back(*kind);
  }
  return kinds;
}

/// A directory of its own for each controller; a command may hold any characters.
std::string directory_of(const std::string& out, const ControllerKind& kind, std::size_t column) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '@';
  };
  const std::string name =
      std::ranges::all_of(kind.name, is_plain) ? kind.name : "controller-" + std::to_string(column + 1);
  return (std::filesystem::path(out) / name).string();
}

/// The run of one controller, its findings stored. False, and they are printed, when one of them could not be.
bool run_column(const RunOptions& options, const std::string& directory, bool quiet, const std::atomic<bool>& stop,
                Report& report) {
  Watcher watcher(options, directory, quiet);
  report = report_of(*options.controller, options.level, run(options, watcher, stop));
  watcher.finish();
  report.seed = options.seed;
  show_findings(report, [&](Finding finding) {
    std::string file = watcher.keeper().path_of(finding);
    return shown_of(std::move(finding), std::move(file), report.controller);
  });
  return print_unkept(report);
}

int exit_of(const std::vector<Report>& runs, bool interrupted) {
  const auto any = [&](properties::Verdict verdict) {
    return std::ranges::any_of(runs, [&](const Report& run) { return run.result.verdict == verdict; });
  };
  if (any(properties::Verdict::violated)) return exit_violated;
  if (interrupted) return exit_interrupted;
  return any(properties::Verdict::inconclusive) ? exit_inconclusive : exit_held;
}

std::string written(const std::vector<Report>& runs, MatrixFormat format, bool all) {
  switch (format) {
    case MatrixFormat::json: return matrix_json(runs);
    case MatrixFormat::markdown: return matrix_markdown(runs, all);
    case MatrixFormat::text: break;
  }
  return matrix_text(runs, all);
}

int run_all(std::vector<RunOptions> columns, const MatrixArguments& arguments, MatrixFormat format) {
  const std::atomic<bool>& stop = stop_on_signals();
  std::vector<Report> runs;
  bool kept = true;
  for (std::size_t i = 0; i < columns.size() && !stop.load(); ++i) {
    if (!arguments.quiet) complain("trying " + columns[i].controller->name);
    kept = run_column(columns[i], directory_of(arguments.out, *columns[i].controller, i), arguments.quiet, stop,
                      runs.emplace_back()) &&
           kept;
  }
  if (stop.load())
    complain("interrupted: " + std::to_string(runs.size()) + " of " + std::to_string(columns.size()) +
             " controllers were tried");
  const bool printed = print(written(runs, format, arguments.all));
  return printed && kept ? exit_of(runs, stop.load()) : exit_inconclusive;
}

}  // namespace

int matrix_command(const MatrixArguments& arguments) {
  auto kinds = arguments.controllers.empty() ? all_releases() : parse_controllers(arguments.controllers);
  if (!kinds) return refuse(kinds.error());
  const auto format = parse_matrix_format(arguments.format);
  if (!format) return refuse(format.error());
  if (const auto out = check_out(arguments.out); !out) return refuse(out.error());
  RunOptions common;
  const auto seed = parse_seed(arguments.seed);
  if (!seed) return refuse(seed.error());
  common.seed = *seed;
  if (const auto limits = set_limits(arguments.trials, arguments.time, "10s", common); !limits)
    return refuse(limits.error());
  const auto jobs = parse_jobs(arguments.jobs);
  if (!jobs) return refuse(jobs.error());
  common.jobs = *jobs;
  common.sets = {.given = corpus_sets(), .drawn_too = true};
  const Listed stories(stories_of_corpus());
  const StoriesFirst source(stories, common.sets, common.seed);
  common.source = &source;
  std::vector<RunOptions> columns;
  for (const ControllerKind* kind : *kinds) {
    const auto level = parse_level(arguments.level, *kind);
    if (!level) return refuse(level.error());
    RunOptions& column = columns.emplace_back(common);
    column.controller = kind;
    column.level = *level;
  }
  return run_all(std::move(columns), arguments, *format);
}

}  // namespace ordeal::fuzz
