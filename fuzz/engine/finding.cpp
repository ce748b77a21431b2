#include "fuzz/engine/finding.h"

#include "fuzz/engine/baseline.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/known_fields.h"
#include "properties/scenario/scenario_json.h"
#include "properties/scenario/shrink.h"
#include "properties/trial/digest.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;

const Breach* breach_of(const TrialResult& result, const Invariant& invariant) {
  for (const Breach& breach : result.breaches)
    if (breach.invariant == &invariant) return &breach;
  return nullptr;
}

}  // namespace

Finding finding_in(const Scenario& scenario, const Breach& breach, std::uint64_t trial) {
  return {.invariant = breach.invariant,
          .trial = trial,
          .scenario = scenario,
          .breach = breach,
          .steps_found = scenario.steps.size(),
          .set_found = scenario.set,
          .found_in = hex_digest(write_scenario(scenario)),
          .broke_down = {}};
}

std::string id_of(const Finding& finding) {
  return std::string(finding.invariant->id) + "." + hex_digest(cause_of(finding.scenario).text()).substr(0, 8);
}

const Invariant* invariant_in(std::string_view id) { return find_invariant(id.substr(0, id.rfind('.'))); }

bool Deadline::is_over() const {
  if (!is_over_()) return false;
  Clock::rep unset = not_yet;
  over_since_.compare_exchange_strong(unset, Clock::now().time_since_epoch().count());
  return true;
}

bool Deadline::is_over_for_good() const {
  return is_over() && Clock::now().time_since_epoch() - Clock::duration(over_since_.load()) >= longer_;
}

void confirm(Finding& finding, const Dock& dock, Level level, const Deadline& deadline) {
  const std::function<bool()> takes_too_long = [&] { return deadline.is_over_for_good(); };
  Court court;
  Dock fresh = dock.another();
  const TrialResult result =
      try_in(fresh, court, finding.scenario, {.level = level, .only = finding.invariant, .is_over = &takes_too_long});
  const Breach* breach = breach_of(result, *finding.invariant);
  if (breach != nullptr) finding.breach = *breach;
  finding.broke_down = result.inconclusive;
  finding.again = breach != nullptr                         ? Again::broken
                  : result.verdict != Verdict::inconclusive ? Again::held
                  : takes_too_long()                        ? Again::not_tried
                                                            : Again::no_verdict;
}

void shrink_finding(Finding& finding, Court& court, Dock& dock, Level level, const Deadline& deadline,
                    Baseline* against) {
  const std::function<bool()> is_over = [&] { return deadline.is_over(); };
  const TrialOptions only{.level = level, .only = finding.invariant, .is_over = &is_over};
  const KnownFields& known = dock.known_fields();
  const auto breaks = [&](const Scenario& scenario) {
    return !is_over() && !has_unknown(scenario, known) &&
           try_in(dock, court, scenario, only).verdict == Verdict::violated &&
           (against == nullptr || against->keeps(scenario, only).value_or(false));
  };
  confirm(finding, dock, level, deadline);
  if (!finding.is_reproduced() || is_over()) return;
  Shrunk shrunk = shrink(finding.scenario, breaks);
  finding.trials_to_shrink = shrunk.trials;
  finding.minimal = shrunk.minimal && !is_over();
  finding.scenario = std::move(shrunk.scenario);
  confirm(finding, dock, level, deadline);
  if (finding.is_reproduced() && !is_over()) finding.cause = cause_of(finding.scenario);
}

std::string why_unclear(const Finding& finding) {
  const std::string was_broken = std::string(finding.invariant->id) + " was broken, ";
  switch (finding.again) {
    case Again::broken: break;
    case Again::held: return was_broken + "but not when the same scenario was tried where nothing was before";
    case Again::no_verdict:
      return was_broken + "and when the same scenario was tried once more there was no verdict: " + finding.broke_down;
    case Again::not_tried: return was_broken + "and there was no time to try the same scenario once more";
  }
  return {};
}

}  // namespace ordeal::fuzz
