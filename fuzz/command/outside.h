// What every command says and writes: messages, reports, output that must not be lost.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/command/arguments.h"
#include "fuzz/engine/files.h"
#include "fuzz/engine/first_sets.h"
#include "fuzz/engine/shell.h"
#include "fuzz/report/keeper.h"
#include "fuzz/report/report.h"

namespace ordeal::fuzz {

/// "ordeal: ..." on standard error.
void complain(std::string_view message);
/// Complains, and returns exit_bad_input.
int refuse(std::string_view message);

/// Complains of what the API server of `controller` drops of a scenario, which `from` names; nothing when it knows all.
void complain_of_unknown(std::string_view from, const properties::Scenario& scenario, std::string_view controller,
                         const KnownFields& known);
/// The same of sets, each named in turn.
void complain_of_unknown(std::span<const StatefulSet> sets, std::string_view controller);

/// The sets that scenarios of `controller` start from: those of the manifests; without any those of the corpus, and
/// drawn ones. Complains of every error, and unless `quiet` of what is passed over or left out; nothing when there was
/// an error.
std::optional<FirstSets> read_first_sets(const std::vector<std::string>& manifests, std::string_view controller,
                                         bool quiet);

/// Whether stories can go there: into a directory, or where one can be made. Asked before any work is done for them.
Done check_out(const std::string& directory);

/// Whether it names a release, or nothing.
Done check_known_of(const std::string& release);
/// What a fork that is tried with this `--known-of` was made from; null without.
const ControllerKind* original_of_fork(const std::string& known_of);

/// Of the terminal that standard output is; 0: it is none, or does not say.
std::size_t terminal_columns();
/// Everything to standard output; false, with a complaint, when it could not be written (a full disk, a closed pipe).
bool print(std::string_view text);
/// The same to a file, or to standard output, whose name is "-".
bool put(const std::string& text, const std::string& out);
/// The exit status of its verdict.
int exit_of(properties::Verdict verdict, bool interrupted);
int exit_of(const Report& report);
/// Prints a report and returns the exit status of its verdict; `kept` is false when findings could not be stored.
int print_report(const Report& report, Format format, bool kept = true);

/// What has to be typed besides seed and limits to search the same again: manifests, controller, the flags of this
/// command, level, exceptions, whom it is held against, which leaves out of trials what that one does not know, and
/// what it is a fork of.
template <class Arguments>
std::string typed_again(const Arguments& arguments, const std::string& flags = {}) {
  std::string text;
  for (const std::string& manifest : arguments.manifests) text += " " + shell_quoted(manifest);
  text += " --controller " + shell_quoted(arguments.controller) + flags;
  if (!arguments.level.empty()) text += " --level " + shell_quoted(arguments.level);
  for (const std::string& list : arguments.except) text += " --except " + shell_quoted(list);
  if (!arguments.against.empty()) text += " --against " + shell_quoted(arguments.against);
  if (!arguments.known_of.empty()) text += " --known-of " + shell_quoted(arguments.known_of);
  return text;
}

/// The report of what one controller's trials came to; its findings are still to be shown.
Report report_of(const ControllerKind& controller, properties::Level level, RunResult result);
/// Moves the findings of its result to those that are shown, each as `shown` makes it of a finding.
template <class MakeShown>
void show_findings(Report& report, MakeShown shown) {
  for (Finding& finding : std::exchange(report.result.findings, {}))
    report.findings.push_back(shown(std::move(finding)));
}
/// Those of a run, with their files and timelines.
void show_findings(const Keeper& keeper, const ControllerKind& controller, Report& report);
/// A finding that no file holds is at least seen whole, on standard error; false when there is one.
bool print_unkept(const Report& report);

}  // namespace ordeal::fuzz
