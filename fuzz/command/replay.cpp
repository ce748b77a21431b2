// ordeal replay: one stored scenario, step by step.
#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/stored.h"
#include "fuzz/report/text.h"

namespace ordeal::fuzz {

namespace {

void show_findings(const Stored& stored, const Tried& tried, const ReplayArguments& arguments, Report& report) {
  Dock dock(*tried.controller);
  for (Finding& finding : report.result.findings) {
    Shown shown;
    shown.file = arguments.file;
    const properties::Cause cause = properties::cause_of(stored.scenario);
    shown.known = find_known(tried.controller->name, finding.invariant->id, &cause);
    if (stored.origin && stored.origin->invariant == finding.invariant->id) finding.cause = cause;
    shown.timeline = record_timeline(stored.scenario, dock, &finding.breach);
    if (arguments.explain) shown.explanation = explain(stored.scenario, *finding.invariant, dock, tried.level);
    shown.finding = std::move(finding);
    report.findings.push_back(std::move(shown));
  }
  report.result.findings.clear();
}

/// What happened when nothing was broken: there is no finding to tell it.
std::string whole_story(const Stored& stored, const Tried& tried) {
  Dock dock(*tried.controller);
  const Timeline timeline = record_timeline(stored.scenario, dock);
  return "  " + set_text(stored.scenario.set) + "\n\n" + timeline_text(timeline) + "\n";
}

/// When the file says what it breaks and that held: worth a line, since somebody may just have mended it.
void note_what_held(const Stored& stored, const Report& report) {
  if (!stored.origin || stored.origin->invariant.empty()) return;
  for (const Shown& shown : report.findings)
    if (shown.finding.invariant->id == stored.origin->invariant) return;
  complain("the file was found to break " + stored.origin->invariant + "; this time it did not");
}

}  // namespace

int replay_command(const ReplayArguments& arguments) {
  const auto format = parse_format(arguments.format);
  if (!format) return refuse(format.error());
  const auto stored = read_stored(arguments.file);
  if (!stored) return refuse(stored.error());
  const auto tried = choose_tried(*stored, arguments.controller, arguments.level);
  if (!tried) return refuse(tried.error());
  Report report = try_stored(*stored, *tried);
  show_findings(*stored, *tried, arguments, report);
  note_what_held(*stored, report);
  if (*format == Format::text && report.findings.empty() && !print(whole_story(*stored, *tried)))
    return exit_inconclusive;
  return print_report(report, *format);
}

}  // namespace ordeal::fuzz
