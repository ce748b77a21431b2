// libFuzzer target: any bytes are a scenario, and the strict reference must keep every promise in it.
//
// What bytes mean, and how they are varied, is in scenario_input.h. A violation prints its report and the scenario, and
// aborts. Nothing is remembered between inputs but memory for reuse.
#include <cstdio>
#include <cstdlib>

#include "fuzz/engine/controllers.h"
#include "fuzz/report/text.h"
#include "fuzz/targets/scenario_input.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;

[[noreturn]] void fail(const Scenario& scenario, const TrialResult& result, const ControllerKind& kind) {
  Dock dock(kind);
  Report report;
  report.controller = kind.name;
  for (const Breach& breach : result.breaches) {
    Shown shown;
    shown.finding = finding_in(scenario, breach);
    shown.timeline = record_timeline(scenario, dock, &breach);
    std::fputs(finding_text(shown, report).c_str(), stderr);
  }
  std::fprintf(stderr, "%s\n%s", result.inconclusive.c_str(), write_scenario(scenario).c_str());
  std::abort();
}

}  // namespace

}  // namespace ordeal::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ordeal::fuzz;
  static const ControllerKind& kind = *find_controller("strict");
  static ordeal::properties::Court court;
  static Dock dock(kind);
  const ordeal::properties::Scenario scenario = scenario_of({data, size});
  static ordeal::properties::Encounters encounters;
  encounters.clear();
  const auto result = court.try_scenario(scenario, dock, {.encounters = &encounters});
  tell_libfuzzer(encounters);
  if (result.verdict == ordeal::properties::Verdict::held) return 0;
  if (result.breaches.empty() && is_refused(scenario)) return -1;
  fail(scenario, result, kind);
}
