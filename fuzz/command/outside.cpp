#include "fuzz/command/outside.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/controller/releases.h"
#include "fuzz/command/commands.h"
#include "fuzz/engine/files.h"
#include "fuzz/engine/legible.h"
#include "fuzz/report/finding_file.h"
#include "fuzz/report/json.h"
#include "fuzz/report/junit.h"
#include "fuzz/report/text.h"
#include "properties/scenario/known_fields.h"

namespace ordeal::fuzz {

namespace {

std::string& program_name() {
  static std::string name = "ordeal";
  return name;
}

std::string formatted(const Report& report, Format format) {
  switch (format) {
    case Format::json: return run_json(report);
    case Format::junit: return run_junit(report);
    case Format::text: break;
  }
  return run_text(report, terminal_columns());
}

}  // namespace

const std::string& program() { return program_name(); }
void set_program(std::string name) { program_name() = std::move(name); }

void complain(std::string_view message) { std::fprintf(stderr, "ordeal: %s\n", legible(message).c_str()); }

int refuse(std::string_view message) {
  complain(message);
  return exit_bad_input;
}

void complain_of_unknown(std::string_view from, const properties::Scenario& scenario, std::string_view controller,
                         const KnownFields& known) {
  const std::string unknown = unknown_text(scenario, known);
  if (unknown.empty()) return;
  complain(std::string(from) + ": left out, since " + std::string(controller) + " does not know it: " + unknown);
}

void complain_of_unknown(std::span<const StatefulSet> sets, std::string_view controller) {
  for (const StatefulSet& set : sets)
    complain_of_unknown(std::string("StatefulSet ").append(set.meta.name), {.set = set, .environment = {}, .steps = {}},
                        controller, known_fields(controller));
}

std::optional<FirstSets> read_first_sets(const std::vector<std::string>& manifests, std::string_view controller,
                                         bool quiet) {
  if (manifests.empty()) return FirstSets{.given = corpus_sets(), .drawn_too = true};
  ReadSets read = read_set_files(manifests);
  for (const std::string& note : read.notes)
    if (!quiet) complain(note);
  for (const std::string& error : read.errors) complain(error);
  if (!read.errors.empty()) return std::nullopt;
  if (!quiet) complain_of_unknown(read.sets, controller);
  return FirstSets{.given = std::move(read.sets), .drawn_too = false};
}

Done check_out(const std::string& directory) {
  if (directory.empty()) return std::unexpected("--out: must name a directory (found: nothing)");
  std::error_code absent;
  const auto out = std::filesystem::status(directory, absent);
  if (!std::filesystem::exists(out) || std::filesystem::is_directory(out)) return {};
  return std::unexpected("--out: stories go into a directory, and this is none (found: " + directory + ")");
}

Done check_known_of(const std::string& release) {
  if (release.empty() || find_release(release) != nullptr) return {};
  return std::unexpected("--known-of: must be a release, such as kubernetes-1.37 (found: " + release + ")");
}

const ControllerKind* original_of_fork(const std::string& known_of) {
  const Release* release = find_release(known_of);
  return release != nullptr ? find_controller(release->rules.name) : nullptr;
}

std::size_t terminal_columns() {
  winsize size{};
  return ::isatty(STDOUT_FILENO) != 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) == 0 && written) return true;
  complain(std::string("standard output: ") + std::strerror(errno));
  return false;
}

bool put(const std::string& text, const std::string& out) {
  if (out == "-") return print(text);
  const auto written = write_file(out, text);
  if (!written) complain(written.error());
  return written.has_value();
}

int exit_of(properties::Verdict verdict, bool interrupted) {
  using properties::Verdict;
  if (verdict == Verdict::violated) return exit_violated;
  if (interrupted) return exit_interrupted;
  return verdict == Verdict::held ? exit_held : exit_inconclusive;
}

int exit_of(const Report& report) { return exit_of(verdict_but_for_accepted(report), report.result.interrupted); }

int print_report(const Report& report, Format format, bool kept) {
  const bool printed = print(formatted(report, format));
  return printed && kept ? exit_of(report) : exit_inconclusive;
}

Report report_of(const ControllerKind& controller, properties::Level level, RunResult result) {
  Report report;
  report.controller = controller.name;
  report.level = level;
  report.program = program();
  report.result = std::move(result);
  return report;
}

void show_findings(const Keeper& keeper, const ControllerKind& controller, Report& report) {
  Dock dock(controller);
  std::optional<Baseline> release;
  if (const ControllerKind* original = original_of_fork(report.known_of)) release.emplace(*original);
  show_findings(report, [&](Finding finding) {
    std::string file = keeper.path_of(finding);
    Shown shown = shown_of(std::move(finding), std::move(file), dock, report.level);
    if (release) accept_if_known(shown, report, *release);
    return shown;
  });
}

bool print_unkept(const Report& report) {
  bool all_kept = true;
  for (const Shown& shown : report.findings) {
    if (!shown.file.empty()) continue;
    all_kept = false;
    const Finding& finding = shown.finding;
    const std::string file =
        finding_file(finding, origin_of(finding, {report.controller, report.level, report.seed.value_or(0)}));
    std::fprintf(stderr, "ordeal: this scenario breaks %s and is stored nowhere else:\n%s",
                 std::string(finding.invariant->id).c_str(), file.c_str());
  }
  return all_kept;
}

}  // namespace ordeal::fuzz
