// ordeal shrink: the smallest scenario that still breaks the same promise.
#include <algorithm>

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/signals.h"
#include "fuzz/command/stored.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

namespace {

using properties::counted;

Origin origin_of(const Finding& finding, const Stored& stored, const Tried& tried) {
  Origin origin = stored.origin.value_or(Origin{});
  origin.invariant = finding.invariant->id;
  origin.controller = tried.controller->name;
  origin.level = tried.level;
  origin.steps_before = std::max(origin.steps_before, finding.steps_found);
  if (origin.scenario_before.empty()) origin.scenario_before = finding.found_in;
  return origin;
}

int shrink_stored(Stored stored, const Tried& tried, const ShrinkArguments& arguments) {
  Report report = try_stored(stored, tried);
  if (report.result.verdict == properties::Verdict::inconclusive) {
    complain("nothing to shrink: inconclusive, " + report.result.inconclusive.front().reason);
    return exit_inconclusive;
  }
  Finding* finding = choose_finding(report, stored, arguments.invariant);
  if (finding == nullptr) {
    complain("nothing to shrink: " + what_held(report, stored, arguments.invariant));
    return exit_held;
  }
  properties::Court court;
  Dock dock(*tried.controller);
  const std::atomic<bool>& stop = stop_on_signals();
  shrink_finding(*finding, court, dock, tried.level, Deadline([&stop] { return stop.load(); }));
  if (!finding->is_reproduced()) {
    complain("nothing to shrink: " + why_unclear(*finding));
    return exit_inconclusive;
  }
  const std::string file = finding_file(*finding, origin_of(*finding, stored, tried));
  const std::string line = std::string(finding->invariant->id) + ": " + counted(finding->steps_found, "step") +
                           " became " + std::to_string(finding->scenario.steps.size()) + " in " +
                           counted(finding->trials_to_shrink, "trial") +
                           (finding->minimal ? "; no single step or field can go" : "; it may get smaller still");
  const bool is_printed = arguments.out == "-";
  if (is_printed) complain(line);
  const bool all_written = put(file, arguments.out) && (is_printed || print(line + "\n"));
  return all_written ? exit_violated : exit_inconclusive;
}

}  // namespace

int shrink_command(const ShrinkArguments& arguments) {
  if (!arguments.invariant.empty())
    if (const auto known = parse_invariant(arguments.invariant); !known) return refuse(known.error());
  auto stored = read_stored(arguments.file);
  if (!stored) return refuse(stored.error());
  const auto tried = choose_tried(*stored, arguments.controller, arguments.level);
  if (!tried) return refuse(tried.error());
  return shrink_stored(*std::move(stored), *tried, arguments);
}

}  // namespace ordeal::fuzz
