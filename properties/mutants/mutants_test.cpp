// Every seeded bug is found from the general generator within a few thousand trials, and shrunk to a short story.
#include "properties/mutants/mutants.h"

#include <gtest/gtest.h>

#include <set>

#include "core/controller/rows.h"
#include "properties/invariants/catalogue.h"
#include "properties/mutants/processes_test.h"
#include "properties/scenario/choices.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/scenario_json.h"
#include "properties/scenario/shrink.h"
#include "properties/trial/trial.h"

namespace ordeal::properties {
namespace {

constexpr std::uint64_t trials_at_most = 60'000;
constexpr std::size_t steps_at_most = 12;

/// Tries scenarios with a mutant; the first that breaks its promise, and it alone.
class Hunt {
 public:
  explicit Hunt(const Mutant& mutant) : mutant_(mutant), invariant_(find_invariant(mutant.invariant)) {}
  bool breaks(const Scenario& scenario) {
    return !court_.try_scenario(scenario, program_, {.only = invariant_}).breaches.empty();
  }
  std::optional<Scenario> find() {
    for (std::uint64_t index = 0; index < trials_at_most; ++index) {
      Seeded choices(seed_of_trial(11, index));
      Scenario scenario = generate_scenario(choices);
      if (breaks(scenario)) return scenario;
    }
    return std::nullopt;
  }

 private:
  const Mutant& mutant_;
  const Invariant* invariant_;
  Processes program_{[this](const Gates& gates) { return make_reference(mutant_.rules, gates); }};
  Court court_;
};

class MutantTest : public testing::TestWithParam<std::size_t> {};

TEST_P(MutantTest, IsFoundAndShrunk) {
  const Mutant& mutant = mutants()[GetParam()];
  ASSERT_NE(find_invariant(mutant.invariant), nullptr) << mutant.invariant;
  Hunt hunt(mutant);
  std::optional<Scenario> found = hunt.find();
  ASSERT_TRUE(found) << mutant.id << " escaped " << trials_at_most << " trials";
  const Shrunk shrunk = shrink(std::move(*found), [&](const Scenario& s) { return hunt.breaks(s); });
  EXPECT_TRUE(shrunk.minimal) << mutant.id;
  EXPECT_LE(shrunk.scenario.steps.size(), steps_at_most) << mutant.id << ": " << write_scenario(shrunk.scenario);
}

INSTANTIATE_TEST_SUITE_P(Every, MutantTest, testing::Range(std::size_t{0}, mutants().size()), [](const auto& info) {
  std::string name(mutants()[info.param].id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Mutants, HaveIdsOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const Mutant& mutant : mutants()) {
    EXPECT_TRUE(ids.insert(mutant.id).second) << mutant.id;
    EXPECT_EQ(find_mutant(mutant.id), &mutant);
    EXPECT_TRUE(mutant.about.ends_with('.')) << mutant.id;
  }
  EXPECT_EQ(find_mutant("none"), nullptr);
}

TEST(Mutants, NoRowIsLeftOutOfTheComparison) {
  EXPECT_EQ(rule_rows.size() + 1, member_count<Rules>())
      << "the list in core/controller/rows.h lacks a row of Rules, or has one twice";
  std::set<std::string_view> names;
  for (const RuleRow& row : rule_rows) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

/// Rows of which no wrong version breaks a promise so far, and why.
constexpr std::pair<std::string_view, std::string_view> unpromised[] = {
    {"confirms_once", "how often the set is read before it adopts is promised by nobody"},
    {"own_pods_first", "in which order pods are looked at is promised by nobody"},
    {"repairs_again", "a conflict may be tried again a few times, and what is written twice then is refused"},
    {"recreate_in_batches",
     "outdated pods go all at once; how many are still asked for after a failure is promised by nobody"},
    {"marks_lowest_first", "in which order claims of surplus pods are marked is promised by nobody"},
    {"counts_displaced", "strict claims no pod that has no place"},
    {"uncounts_the_going", "strict replaces no pod before it is gone"},
    {"revision_data",
     "in which bytes a controller writes a template down is promised by nobody, as long as it is the template"},
    {"wake_margin", "the turn that sees a pod become ready asks to be woken, too"},
    {"live_caches", "whether a turn has one view is promised by nobody"},
    {"claims_pass_over_reserved", "of OpenKruise's tables alone: no other set has reserved ordinals"},
    {"remembers_until_seen", "what was seen once is not waited for again by either"},
};

TEST(Mutants, EveryRowHasAWrongVersion) {
  for (const RuleRow& row : rule_rows) {
    const auto changes = [&](const Mutant& mutant) { return row.differs(mutant.rules, strict_rules()); };
    const bool promised =
        std::ranges::find(unpromised, row.name, [](const auto& one) { return one.first; }) == std::end(unpromised);
    EXPECT_EQ(std::ranges::any_of(mutants(), changes), promised) << row.name;
  }
}

TEST(Mutants, EachChangesSomething) {
  for (const Mutant& mutant : mutants())
    EXPECT_TRUE(std::ranges::any_of(rule_rows, [&](const RuleRow& row) {
      return row.differs(mutant.rules, strict_rules());
    })) << mutant.id;
}

TEST(Mutants, EveryFamilyHasOne) {
  std::set<std::string_view> families, tried;
  for (const Invariant& invariant : catalogue) families.insert(invariant.family());
  for (const Mutant& mutant : mutants()) tried.insert(mutant.id.substr(0, mutant.id.find('-')));
  EXPECT_EQ(tried, families);
}

}  // namespace
}  // namespace ordeal::properties
