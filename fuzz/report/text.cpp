#include "fuzz/report/text.h"

#include <algorithm>
#include <array>
#include <ranges>

#include "fuzz/engine/shell.h"
#include "fuzz/report/columns.h"
#include "fuzz/report/timeline_text.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/counted.h"
#include "properties/scenario/gate_names.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/simpler.h"
#include "properties/world/adversary.h"
#include "properties/world/fairness.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;

constexpr std::size_t missing_listed = 4;

constexpr std::size_t item_indent = 14;

std::string item(std::string_view name, std::string_view text) {
  return "  " + padded(name, item_indent - 2) + std::string(text) + "\n";
}

/// Items whose lines fit a terminal.
std::string fitted(const std::string& items, std::size_t columns) {
  if (columns == 0) return items;
  std::string text;
  for (const auto part : items | std::views::split('\n')) {
    const std::string line(part.begin(), part.end());
    text +=
        line.size() <= columns ? line + "\n" : wrapped(line.substr(0, item_indent), line.substr(item_indent), columns);
  }
  text.pop_back();  // there is no line behind the last newline
  return text;
}

// --- a finding -------------------------------------------------------------------------------------------------------

std::string found_at(const Shown& shown, const Report& report) {
  const Finding& finding = shown.finding;
  const std::size_t steps = finding.scenario.steps.size();
  const auto at = static_cast<std::size_t>(std::max(finding.breach.step, 0));
  std::string text = at > steps ? "the end, after " + counted(steps, "step")
                     : at == 0  ? "the start"
                                : "step " + std::to_string(at) + " of " + std::to_string(steps);
  if (finding.steps_found > steps)
    text += ", shrunk from " + counted(finding.steps_found, "step") + (finding.minimal ? "" : ", not to the end");
  return text + " (controller: " + report.controller + ", level: " + std::string(name_of(report.level)) + ")";
}

std::string gates_text(const Environment& environment) {
  std::string text;
  for (const Gate& gate : gates) {
    const bool in_controller = gate.controller == nullptr || environment.gates.*gate.controller,
               in_server = gate.api == nullptr ? in_controller : environment.api.*gate.api;
    if (in_controller && in_server) continue;
    const std::string_view where = in_controller ? " (API server)" : in_server ? " (controller)" : "";
    text += (text.empty() ? "off: " : ", ") + std::string(gate.name) + std::string(where);
  }
  const auto also = [&](bool so, const std::string& what) {
    if (so) text += (text.empty() ? "" : "; ") + what;
  };
  also(environment.list_order != 0, "lists in no order");
  also(environment.injects, "admission adds to each pod");
  also(environment.namesakes, "objects of these names in another namespace");
  also(environment.binds_late, "claims bound once their pod starts");
  also(environment.versions_from != 0, "resourceVersions after " + std::to_string(environment.versions_from));
  also(environment.between_seconds, "a clock between two seconds");
  return text;
}

std::string revisions_text(const Timeline& timeline) {
  std::string text;
  for (std::size_t i = 0; i < timeline.revisions.size(); ++i)
    text += (i ? ", r" : "r") + std::to_string(i + 1) + " = " + timeline.revisions[i];
  return text;
}

/// The contract a promise about the end is made under, in lines that fit a terminal.
std::string fairness_text() {
  constexpr std::size_t line_at_most = 64;
  std::string text, line;
  for (const Assumption& assumption : fairness) {
    if (line.size() + assumption.name.size() > line_at_most) {
      text += item(text.empty() ? "assuming" : "", line);
      line.clear();
    }
    line += (line.empty() ? "" : ", ") + std::string(assumption.name);
  }
  return text + item("", line);
}

/// What the controller might rely on in all the trouble that it had.
std::string limits_text(const Scenario& scenario) {
  std::string text;
  for (const Trouble* trouble : troubles_in(scenario))
    text += item(text.empty() ? "within" : "", std::string(trouble->name) + ": " + limit_in(*trouble, scenario));
  return text;
}

std::string reasons_text(const Shown& shown) {
  const Violation& violation = shown.finding.breach.violation;
  std::string text = item("because", violation.claim);
  for (const std::string& fact : violation.evidence) text += item("", fact);
  if (!shown.finding.breach.line.empty()) text += item("in", shown.finding.breach.line.view());
  if (shown.finding.invariant->when == When::settled) text += fairness_text();
  text += limits_text(shown.finding.scenario);
  if (const Known* known = shown.known)
    text += item("known", std::string(known->thread) + ": " + std::string(known->about));
  return text;
}

/// What the story breaks as well, so that nobody has to read it again for each.
std::string also_text(const ToldStory& story) {
  std::string text;
  for (const Shown* other : story.also) {
    const Invariant& invariant = *other->finding.invariant;
    const Known* known = other->known;
    const std::string thread = known != nullptr ? " (" + std::string(known->thread) + ")" : "";
    text += item(text.empty() ? "also breaks" : "",
                 std::string(invariant.id) + ": " + std::string(invariant.promise) + thread);
  }
  return text;
}

std::string decided_text(const Explanation& found) {
  const std::string since =
      found.unavoidable_after == 0 ? "from the start" : "after step " + std::to_string(found.unavoidable_after);
  if (found.continuations == 1) return since + ", if nobody interferes";
  return since + ": each of " + std::to_string(found.continuations) + " continuations tried breaks it";
}

/// Every line was found by trying.
std::string explanation_text(const Explanation& found) {
  std::string text;
  for (const Remedy& remedy : found.needed)
    text += item(text.empty() ? "needed" : "", remedy.of + " (it holds " + remedy.with() + ")");
  for (const std::string& step : found.idle) text += item(&step == found.idle.data() ? "idle" : "", step);
  text += item("decided", decided_text(found));
  if (found.nearest) text += item("nearest", found.nearest->of + ": it holds " + found.nearest->with());
  return text + item("tried", counted(found.trials, "scenario"));
}

std::string replay_text(const Shown& shown, const Report& report) {
  std::string text;
  if (!shown.file.empty()) text += item("replay", replay_command(shown, report));
  if (report.seed && shown.from.empty())
    text += item(shown.file.empty() ? "replay" : "or",
                 report.program + " run" + report.arguments + " --seed " + std::to_string(*report.seed) + " --trials " +
                     std::to_string(shown.finding.trial + 1) + "   (ordeal " + std::string(version) + ")");
  return text;
}

// --- a run -----------------------------------------------------------------------------------------------------------

std::string tally_text(const Tally& count) {
  std::string text = std::to_string(count.held) + " held";
  if (count.violated) text += ", " + std::to_string(count.violated) + " violated";
  if (count.known) text += ", " + std::to_string(count.known) + " known";
  if (count.shared) text += ", " + std::to_string(count.shared) + " broken by both";
  if (count.without_occasion) text += ", " + std::to_string(count.without_occasion) + " without occasion";
  return text;
}

std::string families_text(const Report& report) {
  std::string text;
  std::string_view family;
  for (const Invariant& invariant : catalogue) {
    if (invariant.family() == family) continue;
    family = invariant.family();
    text += item(family, tally_text(tally(report, family)));
  }
  return text;
}

std::string trials_text(const Report& report) {
  const RunResult& result = report.result;
  std::string text = grouped(result.trials) + " with " + grouped(result.syncs) + " syncs";
  if (report.seed) text += ", seed " + std::to_string(*report.seed);
  if (result.seconds <= 0) return text;
  text += ", in " + with_decimals(result.seconds, 1) + " s (";
  return text + grouped(static_cast<std::uint64_t>(static_cast<double>(result.syncs) / result.seconds)) + " syncs/s)";
}

std::string situations_text(const Report& report) {
  const std::size_t total = expected_of(report).count();
  const std::vector<std::string> missing = missing_situations(report);
  std::string text =
      item("situations", std::to_string(total - missing.size()) + " of " + std::to_string(total) + " seen");
  for (std::size_t i = 0; i < std::min(missing.size(), missing_listed); ++i)
    text += item("", "not seen: " + missing[i]);
  if (missing.size() > missing_listed)
    text += item("", "and " + std::to_string(missing.size() - missing_listed) + " more (--format json lists all)");
  return text;
}

/// The first line of a reason says when it was; the others are what a program said on its way out.
std::string unclear_text(const Unclear& unclear, std::string_view name) {
  const std::string when =
      unclear.times == 0 ? ""
                         : " (trial " + std::to_string(unclear.trial) + ", " + counted(unclear.times, "time") + ")";
  std::string text;
  for (const auto line : unclear.reason | std::views::split('\n')) {
    const std::string words(line.begin(), line.end());
    text += text.empty() ? item(name, words + when) : item("", words);
  }
  return text;
}

std::string unclear_text(const Report& report) {
  std::string text;
  const std::vector<Unclear>& all = report.result.inconclusive;
  for (const Unclear& unclear : all | std::views::take(unclear_listed))
    text += unclear_text(unclear, text.empty() ? "unclear" : "");
  if (all.size() > unclear_listed)
    text += item("", "and " + counted(all.size() - unclear_listed, "reason") + " more (--format json lists all)");
  return text;
}

std::string findings_text(const Report& report) {
  if (report.findings.size() < 2) return {};
  const std::size_t stories = stories_of(report.findings).size();
  return item("findings", std::to_string(report.findings.size()) + " in " + std::to_string(stories) +
                              (stories == 1 ? " story" : " stories"));
}

std::string verdict_line(const Report& report) {
  const Tally all = tally(report);
  const Verdict verdict = verdict_but_for_accepted(report);
  std::string text = verdict == Verdict::held       ? "HELD      "
                     : verdict == Verdict::violated ? "VIOLATED  "
                                                    : "INCONCLUSIVE  ";
  text += std::to_string(all.asked()) + " promises: " + tally_text(all);
  return text + (report.result.interrupted ? " (interrupted)\n" : "\n");
}

}  // namespace

std::string set_text(const StatefulSet& set) {
  constexpr std::array<std::string_view, 3> strategies{"RollingUpdate", "OnDelete", "Recreate"};
  const StatefulSetSpec& spec = *set.spec;
  std::string text = is_in_default_namespace(set.meta) ? "" : set.meta.ns.str() + "/";
  text += set.meta.name.str() + ": replicas=" + std::to_string(spec.replicas.value_or(1));
  text += spec.pod_management == PodManagement::parallel ? ", Parallel, " : ", OrderedReady, ";
  text += strategies[static_cast<std::size_t>(spec.strategy) % strategies.size()];
  if (spec.rolling_update && spec.rolling_update->partition.value_or(0) != 0)
    text += " partition=" + std::to_string(*spec.rolling_update->partition);
  if (spec.rolling_update && spec.rolling_update->max_unavailable)
    text += " maxUnavailable=" + std::to_string(spec.rolling_update->max_unavailable->value) +
            (spec.rolling_update->max_unavailable->percent ? "%" : "");
  if (spec.min_ready_seconds) text += ", minReadySeconds=" + std::to_string(spec.min_ready_seconds);
  if (spec.revision_history_limit) text += ", revisionHistoryLimit=" + std::to_string(*spec.revision_history_limit);
  if (spec.ordinals_start.value_or(0)) text += ", ordinals.start=" + std::to_string(*spec.ordinals_start);
  for (const std::int32_t reserved : spec.reserve_ordinals)
    text += (reserved == spec.reserve_ordinals.front() ? ", reserveOrdinals=" : ",") + std::to_string(reserved);
  for (const ClaimTemplate& claim : spec.claim_templates) text += ", claim " + claim.name.str();
  if (spec.retention && spec.retention->when_deleted == Retention::remove) text += ", whenDeleted=Delete";
  if (spec.retention && spec.retention->when_scaled == Retention::remove) text += ", whenScaled=Delete";
  return text;
}

std::string finding_text(const Shown& shown, const Report& report, std::size_t columns) {
  return story_text({&shown, {}}, report, columns);
}

std::string story_text(const ToldStory& story, const Report& report, std::size_t columns) {
  const Shown& shown = *story.told;
  const Invariant& invariant = *shown.finding.invariant;
  std::string head = "VIOLATED  " + std::string(invariant.id) + "\n";
  head +=
      item("promise", invariant.promise) + item("source", invariant.source) + item("found at", found_at(shown, report));
  if (!shown.from.empty()) head += item("found in", shown.from);
  if (shown.finding.cause) head += item("cause", properties::told_cause(shown.finding.scenario));
  const std::string set = set_text(shown.finding.scenario.set);
  head += item("set", set);
  const StatefulSet& found = shown.finding.set_found;  // nothing when nobody says
  if (const std::string was = found.spec != nullptr ? set_text(found) : set; was != set)
    head += item("found with", was);
  if (const std::string gates = gates_text(shown.finding.scenario.environment); !gates.empty())
    head += item("gates", gates);
  std::string reasons;
  if (!shown.timeline.revisions.empty()) reasons += item("where", revisions_text(shown.timeline));
  reasons += reasons_text(shown);
  if (shown.explanation) reasons += explanation_text(*shown.explanation);
  reasons += also_text(story);
  return fitted(head, columns) + "\n" + timeline_text(shown.timeline, columns) + "\n" + fitted(reasons, columns) +
         replay_text(shown, report);
}

std::string verdict_text(const Report& report) {
  std::string text =
      verdict_line(report) + item("controller", report.controller + ", level " + std::string(name_of(report.level)));
  if (const std::string against = against_text(report.against, shared_by(report)); !against.empty())
    text += item("against", against);
  text += item("trials", trials_text(report));
  if (const auto unasked = left_unasked(report); !unasked.empty()) text += item("not asked", joined(unasked));
  text += unclear_text(report);
  if (report.expects_coverage) text += situations_text(report);
  text += findings_text(report);
  if (const std::string accepted = accepted_text(report); !accepted.empty()) text += item("accepted", accepted);
  return report.expects_coverage ? text + "\n" + families_text(report) : text;
}

std::string stories_text(const Report& report, std::size_t columns) {
  std::string text;
  for (const ToldStory& story : stories_of(report.findings)) text += story_text(story, report, columns) + "\n";
  return text;
}

std::string run_text(const Report& report, std::size_t columns) {
  return stories_text(report, columns) + fitted(verdict_text(report), columns);
}

}  // namespace ordeal::fuzz
