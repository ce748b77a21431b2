#include "fuzz/campaign/killers.h"

#include <gtest/gtest.h>

#include "fuzz/engine/listed.h"

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

}  // namespace
}  // namespace ordeal::fuzz
