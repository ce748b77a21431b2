// ordeal replay: one stored scenario, step by step; of several, what becomes of each.
#include <algorithm>
#include <atomic>

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/signals.h"
#include "fuzz/command/stored.h"
#include "fuzz/engine/files.h"
#include "fuzz/engine/shell.h"
#include "fuzz/report/text.h"
#include "fuzz/report/timeline_text.h"
#include "fuzz/report/verdicts.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {

namespace {

void show_findings(const Stored& stored, const Tried& tried, const ReplayArguments& arguments, Report& report) {
  Dock dock(*tried.controller);
  fuzz::show_findings(report, [&](Finding finding) {
    if (stored.origin && stored.origin->invariant == finding.invariant->id)
      finding.cause = properties::cause_of(stored.scenario);
    Shown shown = shown_of(std::move(finding), arguments.files.front(), dock, tried.level);
    if (arguments.explain) shown.explanation = explain(stored.scenario, *shown.finding.invariant, dock, tried.level);
    return shown;
  });
}

/// The report of a story whose timeline nobody asks for.
Report replay_briefly(Stored stored, const Tried& tried) {
  Report report = try_stored(stored, tried);
  fuzz::show_findings(report,
                      [&](Finding finding) { return shown_of(std::move(finding), stored.file, report.controller); });
  return report;
}

/// What happened when nothing was broken: there is no finding to tell it.
std::string whole_story(const Stored& stored, const Tried& tried) {
  Dock dock(*tried.controller);
  const Timeline timeline = record_timeline(stored.scenario, dock);
  return "  " + set_text(stored.scenario.set) + "\n\n" + timeline_text(timeline, terminal_columns()) + "\n";
}

/// When the file says what it breaks and that held: worth a line, since somebody may just have mended it.
void note_what_held(const Stored& stored, const Report& report) {
  if (!stored.origin || stored.origin->invariant.empty()) return;
  if (report.result.verdict == properties::Verdict::inconclusive) return;
  for (const Shown& shown : report.findings)
    if (shown.finding.invariant->id == stored.origin->invariant) return;
  const properties::Invariant* broken = properties::find_invariant(stored.origin->invariant);
  if (broken != nullptr && report.except.test(properties::place_of(*broken))) return;
  const bool asked = broken == nullptr || report.level >= broken->level;
  complain("the file was found to break " + stored.origin->invariant +
           (asked ? "; this time it did not" : ", which level promised does not ask for: --level strict does"));
}

/// Violated when anything was, else inconclusive when anything was.
int worst_of(const std::vector<int>& ends) {
  const auto has = [&](int end) { return std::ranges::find(ends, end) != ends.end(); };
  return has(exit_violated) ? exit_violated : has(exit_inconclusive) ? exit_inconclusive : exit_held;
}

/// What each controller makes of it.
int replay_by_several(const Stored& stored, const std::vector<const ControllerKind*>& kinds,
                      const ReplayArguments& arguments, const properties::Promises& except, Format format) {
  std::vector<Tried> all;
  for (const ControllerKind* kind : kinds) {
    const auto tried = tried_at(stored, *kind, arguments.level, except);
    if (!tried) return refuse(tried.error());
    all.push_back(*tried);
  }
  std::vector<Report> replays;
  std::vector<int> ends;
  for (const Tried& tried : all) ends.push_back(exit_of(replays.emplace_back(replay_briefly(stored, tried))));
  return print(format == Format::json ? verdicts_json(replays) : verdicts_text(replays)) ? worst_of(ends)
                                                                                         : exit_inconclusive;
}

int replay_by_several(const ReplayArguments& arguments, const properties::Promises& except, Format format) {
  if (!arguments.controller.empty() || arguments.explain || format == Format::junit)
    return refuse("--controllers: goes with none of --controller, --explain and --format junit");
  const auto kinds = parse_controllers(arguments.controllers);
  if (!kinds) return refuse(kinds.error());
  const auto stored = read_stored(arguments.files.front());
  if (!stored) return refuse(stored.error());
  return replay_by_several(*stored, *kinds, arguments, except, format);
}

/// All that is named, and all that is in a directory that is.
std::expected<std::vector<std::string>, std::string> files_named(const std::vector<std::string>& named) {
  std::vector<std::string> all;
  for (const std::string& path : named) {
    const auto files = scenario_files_below(path);
    if (!files) return std::unexpected(files.error());
    if (files->empty()) return std::unexpected(path + ": holds no stored scenario (*.json)");
    all.insert(all.end(), files->begin(), files->end());
  }
  return all;
}

int replay_each(const std::vector<std::string>& files, const ReplayArguments& arguments,
                const properties::Promises& except, Format format) {
  if (!arguments.controllers.empty() || arguments.explain || format == Format::junit)
    return refuse("--controllers, --explain and --format junit: go with a single FILE (found: " +
                  std::to_string(files.size()) + ")");
  const std::atomic<bool>& stopped = stop_on_signals();
  std::vector<Replayed> all;
  std::vector<int> ends;
  std::size_t refused = 0;
  for (const std::string& file : files) {
    if (stopped) break;
    const auto stored = read_stored(file);
    const auto tried =
        stored ? choose_tried(*stored, arguments.controller, arguments.level, except) : std::unexpected(stored.error());
    if (!tried) {  // which says nothing of the others
      refuse(tried.error());
      ++refused;
      continue;
    }
    all.push_back({file, stored->origin ? stored->origin->invariant : "", replay_briefly(*stored, *tried)});
    ends.push_back(exit_of(all.back().report));
  }
  if (!print(format == Format::json ? replayed_json(all) : replayed_text(all))) return exit_inconclusive;
  const int worst = worst_of(ends);
  if (worst == exit_violated) return worst;
  if (refused > 0) return exit_bad_input;
  return all.size() == files.size() ? worst : exit_interrupted;
}

}  // namespace

int replay_command(const ReplayArguments& arguments) {
  const auto format = parse_format(arguments.format);
  if (!format) return refuse(format.error());
  const auto except = parse_except(arguments.except);
  if (!except) return refuse(except.error());
  const auto files = files_named(arguments.files);
  if (!files) return refuse(files.error());
  if (*files != arguments.files || files->size() > 1) return replay_each(*files, arguments, *except, *format);
  if (!arguments.controllers.empty()) return replay_by_several(arguments, *except, *format);
  auto stored = read_stored(arguments.files.front());
  if (!stored) return refuse(stored.error());
  const auto tried = choose_tried(*stored, arguments.controller, arguments.level, *except);
  if (!tried) return refuse(tried.error());
  Report report = try_stored(*stored, *tried);
  if (!arguments.controller.empty()) report.arguments += " --controller " + shell_quoted(arguments.controller);
  if (!arguments.level.empty()) report.arguments += " --level " + shell_quoted(arguments.level);
  for (const std::string& list : arguments.except) report.arguments += " --except " + shell_quoted(list);
  show_findings(*stored, *tried, arguments, report);
  note_what_held(*stored, report);
  if (*format == Format::text && report.findings.empty() && !print(whole_story(*stored, *tried)))
    return exit_inconclusive;
  return print_report(report, *format);
}

}  // namespace ordeal::fuzz
