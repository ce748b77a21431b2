#include "fuzz/report/check.h"

#include <algorithm>
#include <ranges>

#include "fuzz/report/columns.h"
#include "fuzz/report/text.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;

constexpr std::size_t stories_at_most = 20;  // a job summary may have a megabyte

/// How much of a stage was tried: "7 of 9 scenarios", "1,204 trials".
std::string extent_of(const StageReport& stage) {
  if (stage.name == fresh_search) return counted(stage.result.trials, "trial");
  const std::uint64_t tried = stage.was_run ? stage.result.trials : 0;
  return tried == stage.there ? counted(stage.there, "scenario")
                              : grouped(tried) + " of " + counted(stage.there, "scenario");
}

std::string outcome_of(const StageReport& stage) {
  if (!stage.was_run) return "not tried";
  if (stage.broken > 0) return counted(stage.broken, "finding");
  return stage.result.verdict == Verdict::violated ? "the same findings" : std::string(name_of(stage.result.verdict));
}

/// What the change touches, by area: "claims (2 files), everything (1 file); 3 files that no verdict depends on".
std::string areas_of(const Touched& touched) {
  std::vector<std::string> parts;
  for (const auto& [area, files] : touched.areas) parts.push_back(area + " (" + counted(files, "file") + ")");
  std::string text = joined(parts);
  if (touched.idle > 0)
    text += (text.empty() ? "" : "; ") + counted(touched.idle, "file") + " that no verdict depends on";
  return text.empty() ? "no file" : text;
}

std::string families_of(const Touched& touched) {
  if (touched.everything) return "all promises";
  return touched.nothing() ? "none of the promises" : "promises of " + joined(touched.families);
}

std::string finding_row(const Shown& shown) {
  const Finding& finding = shown.finding;
  return "| `" + std::string(finding.invariant->id) + "`<br>" + markdown_cell(finding.invariant->promise) + " | " +
         markdown_cell(finding.breach.violation.claim) + " | " +
         (finding.cause ? markdown_cell(properties::told_cause(finding.scenario)) : "") + " | " +
         markdown_cell(shown.known != nullptr ? std::string(shown.known->thread)
                       : shown.from.empty()   ? "fresh"
                                              : "`" + shown.from + "`") +
         " |\n";
}

/// A story, folded up. Its fence is longer than any in it: what programs say is quoted there.
std::string folded(const ToldStory& story, const Report& report) {
  const std::string text = story_text(story, report);
  std::string fence = "~~~~";
  while (text.contains(fence)) fence += '~';
  return "<details><summary><code>" + std::string(story.told->finding.invariant->id) + "</code></summary>\n\n" + fence +
         "text\n" + text + fence + "\n\n</details>\n";
}

}  // namespace

void add(RunResult& whole, const RunResult& part) {
  const auto rank = [](Verdict verdict) {
    return verdict == Verdict::violated ? 2 : verdict == Verdict::inconclusive ? 1 : 0;
  };
  const bool is_first = whole.trials == 0 && whole.inconclusive.empty();
  if (is_first || rank(part.verdict) > rank(whole.verdict)) whole.verdict = part.verdict;
  whole.trials += part.trials;
  whole.syncs += part.syncs;
  whole.calls += part.calls;
  whole.digest += part.digest;
  whole.situations |= part.situations;
  whole.broken_by_both |= part.broken_by_both;
  whole.occasions.resize(std::max(whole.occasions.size(), part.occasions.size()));
  for (std::size_t i = 0; i < part.occasions.size(); ++i) whole.occasions[i] += part.occasions[i];
  whole.inconclusive.insert(whole.inconclusive.end(), part.inconclusive.begin(), part.inconclusive.end());
  whole.interrupted |= part.interrupted;
  whole.seconds += part.seconds;
}

std::string stages_text(const Check& check) {
  std::string text;
  if (!check.base.empty()) {
    text += wrapped("  changed     ", "since " + check.base + ": " + areas_of(check.touched));
    text += wrapped("  can break   ", families_of(check.touched));
  }
  for (const StageReport& stage : check.stages) {
    text += "  " + padded(stage.name, 12) + padded(extent_of(stage), 26) + padded(outcome_of(stage), 20) +
            with_decimals(stage.result.seconds, 1) + " s\n";
    if (!stage.left_out.empty()) text += wrapped("              ", "left out: " + stage.left_out);
  }
  if (const std::string accepted = accepted_text(check.report); !accepted.empty())
    text += wrapped("  accepted    ", accepted);
  return text;
}

std::string check_text(const Check& check, std::size_t columns) {
  return stories_text(check.report, columns) + stages_text(check) + "\n" + verdict_text(check.report);
}

std::string check_markdown(const Check& check) {
  const Report& report = check.report;
  const std::string verdict(name_of(verdict_but_for_accepted(report)));
  std::string text = "## Ordeal: " + markdown_cell(report.controller) + " " + verdict + "\n\n";
  text += "Level " + std::string(name_of(report.level)) + ", seed " + std::to_string(report.seed.value_or(0)) +
          (check.commit.empty() ? "" : " (commit " + check.commit.substr(0, 12) + ")") + ", " +
          counted(report.result.trials, "trial") + ".\n\n";
  if (!check.base.empty())
    text += "Changed since `" + markdown_cell(check.base) + "`: " + markdown_cell(areas_of(check.touched)) +
            ". Can break: " + families_of(check.touched) + ".\n\n";
  if (const std::string accepted = accepted_text(report); !accepted.empty()) text += "Accepted: " + accepted + ".\n\n";
  if (const std::string against = against_text(report.against, shared_by(report)); !against.empty())
    text += "Against: " + markdown_cell(against) + ".\n\n";
  if (const auto unasked = left_unasked(report); !unasked.empty()) text += "Not asked: " + joined(unasked) + ".\n\n";
  text += "| stage | tried | outcome | time | left out |\n| --- | --- | --- | --- | --- |\n";
  for (const StageReport& stage : check.stages)
    text += "| " + stage.name + " | " + extent_of(stage) + " | " + outcome_of(stage) + " | " +
            with_decimals(stage.result.seconds, 1) + " s | " + markdown_cell(stage.left_out) + " |\n";
  for (const Unclear& unclear : report.result.inconclusive | std::views::take(unclear_listed))
    text += "\nUnclear: " + markdown_cell(unclear.reason) + "\n";
  if (report.findings.empty()) return text;
  text += "\n| promise | broken because | cause | from, or known as |\n| --- | --- | --- | --- |\n";
  for (const Shown& shown : report.findings) text += finding_row(shown);
  text += "\n";
  const std::vector<ToldStory> stories = stories_of(report.findings);
  for (const ToldStory& story : stories | std::views::take(stories_at_most)) text += folded(story, report);
  return text;
}

}  // namespace ordeal::fuzz
