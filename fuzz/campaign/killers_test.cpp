#include "fuzz/campaign/killers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fuzz/engine/files.h"
#include "fuzz/engine/listed.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {
namespace {

using namespace properties;
const std::atomic<bool> go_on = false;

std::vector<Hunted> hunted(std::initializer_list<std::string_view> ids) {
  HuntOptions options{.mutants = {}, .sets = {.given = corpus_sets(), .drawn_too = true}, .seed = 5};
  for (const std::string_view id : ids) options.mutants.push_back(find_mutant(id));
  return hunt(options, go_on);
}

bool kills(const Hunted& killer, const Hunted& other) {
  const ControllerKind kind = kind_of(*other.mutant);
  Dock dock(kind);
  Court court;
  return !court
              .try_scenario(
                  killer.finding.scenario, dock,
                  Listed({{killer.finding.scenario, std::string(killer.broken->id)}}).asked(Level::strict, 0, 0))
              .breaches.empty();
}

TEST(Killers, BreakEveryMutantAndNoneIsIdle) {
  const auto all = hunted({"identity-no-hostname", "identity-no-subdomain", "update-ignores-partition",
                           "deletion-by-name", "status-complete-at-once"});
  const auto killers = killers_of(all, 1, go_on);
  EXPECT_LT(killers.size(), all.size()) << "whoever makes a pod breaks both without identity";
  for (const Hunted& mutant : all) {
    std::size_t killed_by = 0;
    for (const std::size_t i : killers) killed_by += kills(all[i], mutant) ? 1u : 0u;
    EXPECT_GE(killed_by, 1u) << mutant.mutant->id;
  }
  for (const std::size_t idle : killers) {
    bool is_needed = false;
    for (const Hunted& mutant : all) {
      bool by_others = false;
      for (const std::size_t i : killers) by_others |= i != idle && kills(all[i], mutant);
      is_needed |= !by_others;
    }
    EXPECT_TRUE(is_needed) << all[idle].mutant->id;
  }
  EXPECT_EQ(killers_of(all, 3, go_on), killers);
}

TEST(Killers, OfSurvivorsThereAreNone) {
  const Mutant harmless{"harmless", "Nothing is wrong.", "identity.hostname", strict_rules()};
  const std::vector<Hunted> survivor = {{.mutant = &harmless}};
  EXPECT_TRUE(killers_of(survivor, 1, go_on).empty());
  EXPECT_TRUE(killers_of({}, 1, go_on).empty());
}

TEST(Killers, StoppedThereAreNone) {
  const std::atomic<bool> stop = true;
  EXPECT_TRUE(killers_of(hunted({"identity-no-hostname"}), 1, stop).empty());
}

// --- stored ones -----------------------------------------------------------------------------------------------------

struct Stored {
  std::string file, mutant, promise;
  Scenario scenario;

  bool kills_with(std::size_t at, std::initializer_list<Step> more) const {
    Scenario longer = scenario;
    longer.steps.insert(longer.steps.begin() + static_cast<std::ptrdiff_t>(at), more);
    const ControllerKind kind = kind_of(*find_mutant(mutant));
    Dock dock(kind);
    Court court;
    const auto asked = Listed({{longer, promise}}).asked(Level::strict, 0, 0);
    return !court.try_scenario(longer, dock, asked).breaches.empty();
  }
};

/// Those of mutants.
std::vector<Stored> stored_killers() {
  constexpr std::string_view prefix = "mutant:";
  std::vector<Stored> all;
  for (const std::string& file : files_in(ORDEAL_SOURCE "/corpus/killers").value()) {
    if (!file.ends_with(".json")) continue;
    const std::string text = read_file(file, 1 << 20).value();
    const auto found = nlohmann::json::parse(text).at("found");
    const std::string controller = found.at("controller");
    if (controller.starts_with(prefix))
      all.push_back({file, controller.substr(prefix.size()), found.at("invariant"), read_scenario(text).value()});
  }
  return all;
}

/// What ends a promise must be what excuses a controller: no step that changes nothing is, and no eviction of a pod
/// that has long been replaced.
TEST(StoredKillers, KillAfterStepsThatAreNoExcuse) {
  // Nothing but the revision has to be written there, and it is written for the eviction.
  constexpr std::string_view needs_peace = "status-revision-not-written";
  const auto killers = stored_killers();
  EXPECT_GT(killers.size(), 60u);
  for (const Stored& killer : killers) {
    EXPECT_TRUE(killer.kills_with(0, {{.kind = StepKind::create_set}, {.kind = StepKind::let_go}})) << killer.file;
    const auto settled = std::ranges::find(killer.scenario.steps, StepKind::settle, &Step::kind);
    if (settled == killer.scenario.steps.end() || killer.mutant == needs_peace) continue;
    const auto after = static_cast<std::size_t>(settled - killer.scenario.steps.begin()) + 1;
    EXPECT_TRUE(killer.kills_with(after, {{.kind = StepKind::evict_pod}, {.kind = StepKind::settle}})) << killer.file;
  }
}

}  // namespace
}  // namespace ordeal::fuzz
