#include "fuzz/report/known.h"

#include <gmock/gmock.h>

#include <set>
#include <tuple>

#include "fuzz/engine/controllers.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using ::testing::MatchesRegex;

TEST(Known, EveryRowNamesAControllerAnInvariantAndAThread) {
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> rows;
  for (const Known& known : known_violations()) {
    EXPECT_NE(find_controller(known.controller), nullptr) << known.controller;
    EXPECT_NE(properties::find_invariant(known.invariant), nullptr) << known.invariant;
    EXPECT_THAT(std::string(known.thread),
                MatchesRegex("[a-z0-9-]+/[a-z0-9-]+#[0-9]+(, #[0-9]+)*|no public thread found"));
    EXPECT_FALSE(known.about.empty());
    EXPECT_TRUE(rows.emplace(known.controller, known.invariant, known.needs.front()).second) << known.invariant << " twice";
    const properties::Cause needed{{}, {std::string(known.needs.front())}};
    EXPECT_EQ(find_known(known.controller, known.invariant, &needed), &known);
  }
}

TEST(Known, AnUnknownCauseOfAKnownViolationIsNews) {
  constexpr std::string_view controller = "kubernetes-1.37", id = "convergence.comes-to-rest";
  const properties::Cause no_block{{"pod.fail", "user.edit-template"}, {"Parallel", "no rollingUpdate"}};
  const properties::Cause renamed{{"user.add-pod as=leading-zero"}, {}}, other{{"user.add-pod as=overflow"}, {"Parallel"}};
  EXPECT_NE(find_known(controller, id, &no_block), nullptr);
  EXPECT_NE(find_known(controller, id, &renamed), nullptr);
  EXPECT_EQ(find_known(controller, id, &other), nullptr);
  EXPECT_NE(find_known(controller, id), nullptr) << "whatever the cause";
  EXPECT_NE(find_known(controller, "status.never-negative", &other), nullptr) << "known for any cause";
}

/// A misspelt need would never be met.
TEST(Known, WhatIsNeededCanBeNamed) {
  std::set<std::string_view> kinds;
  for (const properties::StepInfo& row : properties::step_table()) kinds.insert(row.name);
  const std::set<std::string_view> fields{"minReadySeconds", "OnDelete", "MaxUnavailableStatefulSet off", "no rollingUpdate",
                                          "whenScaled=Delete"};
  for (const Known& known : known_violations())
    for (const std::string_view need : known.needs)
      EXPECT_TRUE(need.empty() || fields.contains(need) || kinds.contains(need.substr(0, need.find(' ')))) << need;
}

TEST(Known, IsOfOneControllerOnly) {
  const Known& some = known_violations().front();
  EXPECT_EQ(find_known("strict", some.invariant), nullptr);
  EXPECT_EQ(find_known(some.controller, "update.no-such"), nullptr);
}

}  // namespace
}  // namespace ordeal::fuzz
