// The text of an issue report, in Markdown.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "fuzz/engine/shell.h"
#include "fuzz/export/export.h"
#include "fuzz/report/text.h"
#include "fuzz/report/timeline_text.h"
#include "properties/scenario/gate_names.h"
#include "properties/scenario/scenario_json.h"
#include "properties/sources/sources.h"
#include "properties/world/adversary.h"

namespace ordeal::fuzz {

using namespace properties;

namespace {

std::string environment_text(const Shown& shown, const Report& report, Program& program) {
  std::string text =
      "- controller: " + report.controller + "\n- " + acting_gates(shown.finding.scenario.environment, program);
  for (const Trouble* trouble : troubles_around(shown.finding.scenario)) text += "\n- " + std::string(trouble->about);
  return text + "\n- tried by Ordeal " + std::string(version) +
         " with a simulated API server, kubelets, collector and clock; the controller was shown its caches and asked for one sync at a time\n";
}

/// The sentences of the documents that the promise is made in, in our words.
std::string sources_text(const Invariant& invariant) {
  std::string text;
  each_sentence_of(invariant, [&](const properties::Document& document, const Sentence& sentence) {
    text += "- " + std::string(document.name) + ", section " + std::string(sentence.section) +
            " (in short): " + std::string(sentence.says) + "\n";
  });
  return text;
}

std::string steps_text(const Scenario& scenario) {
  std::string text = "1. Create this set:\n\n```json\n" + to_json(scenario.set).dump(2) + "\n```\n\n";
  int number = 1;
  for (const Step& step : scenario.steps)
    text += std::to_string(++number) + ". `" + describe(step) + "`: " + std::string(info(step.kind).about) +
            (step.at_call > 0 ? " Just before call " + std::to_string(step.at_call) + " of the next sync." : "") + "\n";
  return text;
}

std::string ending_text(const Finding& finding) {
  if (finding.breach.step <= static_cast<int>(finding.scenario.steps.size())) return {};
  return "\nThen nothing is done to it any more: faults stop, caches catch up, pods become ready if their image can, time passes.\n";
}

std::string setting(const Gate& gate, bool on) { return " " + std::string(gate.name) + (on ? "=true" : "=false"); }

}  // namespace

std::string acting_gates(const Environment& environment, Program& program) {
  const Gates acting = program.process(0, environment.gates)->acting(environment.gates);
  std::string text = "feature gates of the controller:";
  each_gate(acting, [&](const Gate& gate, bool on) { text += setting(gate, on); });
  each_gate(environment.api, [&](const Gate& gate, bool on) {
    const bool is_expected = gate.controller != nullptr ? on == acting.*gate.controller : on;
    if (!is_expected) text += "; of the API server:" + setting(gate, on);
  });
  return text;
}

std::string test_name(const Invariant& invariant) {
  std::string name;
  bool begins = true;
  for (const char c : invariant.id) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      name += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = std::isalnum(static_cast<unsigned char>(c)) == 0;
  }
  return name;
}

std::string prefixed(std::string_view text, std::string_view prefix) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += std::string(prefix) + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string export_prose(const Shown& shown, const Report& report, Program& program) {
  const Finding& finding = shown.finding;
  const Invariant& invariant = *finding.invariant;
  const Violation& violation = finding.breach.violation;
  std::string text = "# StatefulSet: " + violation.claim + "\n\n## What happened\n\n" + violation.claim + ".\n";
  for (const std::string& fact : violation.evidence) text += "- " + fact + "\n";
  if (!finding.breach.line.empty()) text += "- the call in question is made at `" + finding.breach.line.str() + "`\n";
  text += "\n## What was expected\n\n" + std::string(invariant.promise) +
          "\n\nSource: " + std::string(invariant.source) + "\n";
  text += sources_text(invariant);
  text += "\n## Environment\n\n" + environment_text(shown, report, program);
  text += "\n## Steps\n\n" + steps_text(finding.scenario) + ending_text(finding);
  text += "\n## What the controller was shown and did\n\n```\n" + timeline_text(shown.timeline) + "```\n\n";
  text +=
      "*shown* is the newest resourceVersion in the controller's caches, *stale* when the API server was ahead; `<<<` marks where the promise broke.\n";
  if (shown.known != nullptr)
    text += "\n## Known\n\n" + std::string(shown.known->thread) + ": " + std::string(shown.known->about) + "\n";
  if (!shown.file.empty())
    text += "\n## To see it again\n\n```\n" + report.program + " replay " + shell_quoted(shown.file) +
            " --controller " + shell_quoted(report.controller) + " --level " + std::string(name_of(report.level)) +
            "\n```\n";
  return text;
}

}  // namespace ordeal::fuzz
