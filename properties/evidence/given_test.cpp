#include "properties/evidence/given.h"

#include <gtest/gtest.h>

#include "core/controller/reference.h"
#include "properties/mutants/mutants.h"
#include "properties/scenario/generate.h"
#include "properties/trial/trial.h"

namespace ordeal::properties {
namespace {

/// Everything that was found, and everything that was asked and held.
struct Answers {
  std::vector<std::tuple<std::string_view, int, int>> broken;  // id, step, sync
  Situations situations;
  friend bool operator==(const Answers&, const Answers&) = default;
};

Answers answers_of(Court& court, const Scenario& scenario, const Rules& rules, bool asks_all) {
  const auto controller = make_reference(rules, scenario.environment.gates);
  const TrialResult result = court.try_scenario(scenario, *controller, {.asks_all = asks_all});
  Answers answers{{}, result.situations};
  for (const Breach& breach : result.breaches)
    answers.broken.emplace_back(breach.invariant->id, breach.step, breach.sync);
  return answers;
}

void expect_alike(const Rules& rules, std::uint64_t seed) {
  Court court;
  for (std::uint64_t i = 0; i < 24; ++i) {
    Seeded choices(seed + i);
    const Scenario scenario = generate_scenario(choices);
    ASSERT_EQ(answers_of(court, scenario, rules, false), answers_of(court, scenario, rules, true))
        << "seed " << seed + i;
  }
}

// Where what is given rules a promise out, its check says so, too: of right controllers and of wrong ones.
TEST(Given, SaysWhatTheChecksSay) {
  expect_alike(strict_rules(), 1);
  std::uint64_t seed = 1000;
  for (const Mutant& mutant : mutants()) {
    SCOPED_TRACE(mutant.id);
    expect_alike(mutant.rules, seed += 100);
  }
}

}  // namespace
}  // namespace ordeal::properties
