#include "fuzz/report/report.h"

#include <algorithm>
#include <utility>

#include "fuzz/adapter/kinds.h"
#include "fuzz/engine/shell.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/counted.h"
#include "properties/scenario/known_fields.h"

namespace ordeal::fuzz {

using namespace properties;

void accept_if_known(Shown& shown, const Report& report, Baseline& release) {
  const Finding& finding = shown.finding;
  const Known* known = find_known(report.known_of, finding.invariant->id, finding.cause ? &*finding.cause : nullptr);
  if (known == nullptr || has_unknown(finding.scenario, release.known_fields())) return;
  shown.accepted = !release.keeps(finding.scenario, {.level = report.level, .only = finding.invariant}).value_or(true);
  if (shown.accepted && shown.known == nullptr) shown.known = known;
}

bool is_all_accepted(const Report& report) {
  return !report.findings.empty() && std::ranges::all_of(report.findings, &Shown::accepted);
}

std::string accepted_text(const Report& report) {
  const auto accepted = static_cast<std::size_t>(std::ranges::count_if(report.findings, &Shown::accepted));
  if (accepted == 0) return {};
  const bool is_all = accepted == report.findings.size();
  return (is_all ? "all " : std::to_string(accepted) + " of ") + counted(report.findings.size(), "finding") +
         ": known of " + report.known_of + (is_all ? ", which fails no check" : "");
}

Verdict verdict_but_for_accepted(const Report& report) {
  if (!is_all_accepted(report)) return report.result.verdict;
  return report.result.inconclusive.empty() ? Verdict::held : Verdict::inconclusive;
}

std::string replay_command(const Shown& shown, const Report& report) {
  const bool names_program = report.expects_coverage && runs_a_command(report.controller);
  const std::string program = names_program ? " --controller " + shell_quoted(report.controller) : "";
  return report.program + " replay" + (report.expects_coverage ? program : report.arguments) + " " +
         shell_quoted(shown.file);
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::held: return "held";
    case Verdict::violated: return "violated";
    case Verdict::inconclusive: return "inconclusive";
  }
  return "inconclusive";
}

std::string_view name_of(Level level) { return level == Level::strict ? "strict" : "promised"; }
std::string_view name_of(When when) { return when == When::settled ? "settled" : "every_step"; }
std::string_view name_of(Judges judges) { return judges == Judges::truth ? "truth" : "view"; }

Shown shown_of(Finding finding, std::string file, std::string_view controller) {
  const Cause cause = cause_of(finding.scenario);
  Shown shown;
  shown.file = std::move(file);
  shown.known = find_known(controller, finding.invariant->id, &cause);
  shown.finding = std::move(finding);
  return shown;
}

Shown shown_of(Finding finding, std::string file, Dock& dock, Level level) {
  Shown shown = shown_of(std::move(finding), std::move(file), dock.kind().name);
  shown.timeline = record_timeline(shown.finding.scenario, dock, &shown.finding.breach);
  Court court;
  const TrialResult tried = try_in(dock, court, shown.finding.scenario, {.level = level});
  for (const Breach& breach : tried.breaches) shown.breaks.push_back(breach.invariant);
  if (std::ranges::find(shown.breaks, shown.finding.invariant) == shown.breaks.end())
    shown.breaks.push_back(shown.finding.invariant);  // one that only a relation or a guard asks of
  return shown;
}

std::vector<std::string_view> left_unasked(const Report& report) {
  return ids_of(promises_at(report.level) & report.except);
}

bool has_finding(const Report& report, const Invariant& invariant) {
  return std::ranges::any_of(report.findings,
                             [&](const Shown& shown) { return shown.finding.invariant == &invariant; });
}

namespace {
bool has_unaccepted_finding(const Report& report, const Invariant& invariant) {
  return std::ranges::any_of(
      report.findings, [&](const Shown& shown) { return shown.finding.invariant == &invariant && !shown.accepted; });
}
}  // namespace

Promises shared_by(const Report& report) {
  Promises shared = report.result.broken_by_both;
  for (std::size_t i = 0; i < catalogue.size(); ++i)
    if (has_finding(report, catalogue[i])) shared.reset(i);
  return shared;
}

std::string against_text(const std::string& whom, const Promises& shared) {
  return whom + (shared.none() ? "" : ", which breaks in the same trials: " + joined(ids_of(shared)));
}

Tally tally(const Report& report, std::string_view family) {
  Tally count;
  const Promises asked = asked_by(report), shared = shared_by(report);
  for (std::size_t i = 0; i < catalogue.size(); ++i) {
    const Invariant& invariant = catalogue[i];
    if (!asked.test(i) || (!family.empty() && invariant.family() != family)) continue;
    if (has_unaccepted_finding(report, invariant)) ++count.violated;
    else if (has_finding(report, invariant)) ++count.known;
    else if (shared.test(i)) ++count.shared;
    else if (report.result.situations.test(situation_of_invariant(i))) ++count.held;
    else ++count.without_occasion;
  }
  return count;
}

Situations expected_of(const Report& report) {
  Situations expected = situations_expected(asked_by(report)), by_reason;
  const Situations& met = report.result.situations;
  for (std::size_t r = 0; r < reason_count; ++r) by_reason.set(situation_of(static_cast<Reason>(r)));
  by_reason.reset(situation_of(Reason::unstated));
  const bool gives_none = met.test(situation_of(Reason::unstated)) && (met & by_reason).none();
  return gives_none ? expected & ~by_reason : expected;
}

std::vector<std::string> missing_situations(const Report& report) {
  const Situations missing = expected_of(report) & ~report.result.situations;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < situation_names().size(); ++i)
    if (missing.test(i)) names.push_back(situation_names()[i]);
  return names;
}

}  // namespace ordeal::fuzz
