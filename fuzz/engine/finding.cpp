#include "fuzz/engine/finding.h"

#include <chrono>
#include <cstdio>

#include "properties/invariants/catalogue.h"
#include "properties/scenario/known_fields.h"
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

std::string id_of(const Finding& finding) {
  Digest digest;
  digest.add(cause_of(finding.scenario).text());
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(digest.value() >> 32));
  return std::string(finding.invariant->id) + "." + digits;
}

void confirm(Finding& finding, const Dock& dock, Level level, const std::function<bool()>& is_over) {
  using Clock = std::chrono::steady_clock;
  constexpr auto waited_for_at_most = std::chrono::seconds(10);
  const auto begun = Clock::now();
  const std::function<bool()> takes_too_long = [&] { return is_over() && Clock::now() - begun > waited_for_at_most; };
  Court court;
  Dock fresh = dock.another();
  const TrialResult result =
      try_in(fresh, court, finding.scenario, {.level = level, .only = finding.invariant, .is_over = &takes_too_long});
  const Breach* breach = breach_of(result, *finding.invariant);
  const bool was_tried = result.verdict != Verdict::inconclusive || !takes_too_long();
  if (breach != nullptr) finding.breach = *breach;
  finding.again = breach != nullptr ? Again::broken : was_tried ? Again::held : Again::not_tried;
}

void shrink_finding(Finding& finding, Court& court, Dock& dock, Level level, const std::function<bool()>& is_over) {
  const TrialOptions only{.level = level, .only = finding.invariant, .is_over = &is_over};
  const KnownFields& known = dock.known_fields();
  const auto breaks = [&](const Scenario& scenario) {
    return !is_over() && !has_unknown(scenario, known) &&
           try_in(dock, court, scenario, only).verdict == Verdict::violated;
  };
  confirm(finding, dock, level, is_over);
  if (!finding.is_reproduced() || is_over()) return;
  Shrunk shrunk = shrink(finding.scenario, breaks);
  finding.trials_to_shrink = shrunk.trials;
  finding.minimal = shrunk.minimal && !is_over();
  finding.scenario = std::move(shrunk.scenario);
  confirm(finding, dock, level, is_over);
  if (finding.is_reproduced() && !is_over()) finding.cause = cause_of(finding.scenario);
}

std::string why_unclear(const Finding& finding) {
  return std::string(finding.invariant->id) +
         (finding.again == Again::held
              ? " was broken, but not when the same scenario was tried where nothing was before"
              : " was broken, and there was no time to try the same scenario once more");
}

}  // namespace ordeal::fuzz
