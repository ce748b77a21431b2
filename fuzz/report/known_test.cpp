#include "fuzz/report/known.h"

#include <gmock/gmock.h>

#include <set>
#include <tuple>

#include "core/controller/releases.h"
#include "fuzz/report/test_report.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using ::testing::MatchesRegex;

TEST(Known, EveryRowNamesReleasesAnInvariantAndAThread) {
  std::set<std::tuple<std::string_view, std::string_view, std::string_view>> rows;
  for (const Known& known : known_violations()) {
    const std::size_t dots = known.controller.find("..");
    const std::string_view newest = known.controller.substr(0, dots);
    const std::string_view oldest = dots == std::string_view::npos ? newest : known.controller.substr(dots + 2);
    const properties::Cause needed{{}, {std::string(known.needs.front())}};
    for (const std::string_view end : {newest, oldest}) {
      EXPECT_NE(find_release(end), nullptr) << known.controller;
      EXPECT_EQ(find_known(end, known.invariant, &needed), &known)
          << known.controller << " has two rows of " << known.invariant;
      EXPECT_TRUE(rows.emplace(end, known.invariant, known.needs.front()).second || newest == oldest)
          << known.invariant << " twice";
    }
    EXPECT_TRUE(known.invariant == any_promise || properties::find_invariant(known.invariant) != nullptr)
        << known.invariant;
    EXPECT_TRUE(known.invariant != any_promise || !known.needs.front().empty()) << "everything would be known";
    EXPECT_THAT(std::string(known.thread),
                MatchesRegex("[a-z0-9-]+/[a-z0-9-]+#[0-9]+(, #[0-9]+)*|no public thread found"));
    EXPECT_FALSE(known.about.empty());
  }
}

TEST(Known, ARowOfAnyPromiseIsFoundByItsCauseAlone) {
  const properties::Cause lookalike{{}, {"user.add-pod as=leading-zero"}}, another{{}, {"user.scale"}};
  for (const std::string_view table : {"kubernetes-1.37", "kruise-1.7.0"}) {
    ASSERT_NE(find_known(table, "status.replicas", &lookalike), nullptr);
    EXPECT_EQ(find_known(table, "status.replicas", &lookalike)->invariant, any_promise);
    EXPECT_EQ(find_known(table, "status.replicas", &another), nullptr);
    EXPECT_EQ(find_known(table, "status.replicas"), nullptr);
  }
  EXPECT_NE(find_known("kubernetes-1.37", "convergence.no-writes-at-rest", &lookalike)->invariant, any_promise)
      << "its own row comes first";
}

TEST(Known, GoesBackFromTheNewestReleaseToTheOldestAndToWhatIsBasedOnThem) {
  constexpr std::string_view id = "update.replaces-broken-at-once";  // 1.36 to 1.24, and nothing else
  for (const std::string_view in : {"kubernetes-1.36", "kubernetes-1.35.0", "kubernetes-1.31", "kubernetes-1.24"})
    EXPECT_NE(find_known(in, id), nullptr) << in;
  for (const std::string_view out :
       {"kubernetes-1.37", "kubernetes-1.20", "kubernetes-1.6", "kruise-1.7.0", "strict", ""})
    EXPECT_EQ(find_known(out, id), nullptr) << out;
  EXPECT_EQ(find_known("kruise-1.5.1", "status.never-negative"),
            find_known("kubernetes-1.37", "status.never-negative"));
}

TEST(Known, OfATableIsKnownOfTheReleaseItWasReadFrom) {
  constexpr std::string_view id = "update.replaces-broken-at-once";  // 1.36 to 1.24
  for (const std::string_view in :
       {"kubernetes@1.36.3", "kubernetes@1.35.0", "kubernetes@1.35.2", "kubernetes@1.31.14", "kubernetes@1.24"})
    EXPECT_NE(find_known(in, id), nullptr) << in;
  for (const std::string_view out : {"kubernetes@1.37.1", "kubernetes@1.2.0", "kubernetes@1.3", "kubernetes@"})
    EXPECT_EQ(find_known(out, id), nullptr) << out;
}

TEST(Known, AnUnknownCauseOfAKnownViolationIsNews) {
  constexpr std::string_view controller = "kubernetes-1.37", id = "convergence.comes-to-rest";
  const properties::Cause no_block{{"pod.fail", "user.edit-template"}, {"Parallel", "no rollingUpdate"}};
  const properties::Cause renamed{{"user.add-pod as=leading-zero"}, {}}, other{{"pod.evict"}, {"Parallel"}};
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
  const std::set<std::string_view> fields{"minReadySeconds",
                                          "revisionHistoryLimit",
                                          "MaxUnavailableStatefulSet off",
                                          "StatefulSetAutoDeletePVC off (API server)",
                                          "no rollingUpdate",
                                          "whenScaled=Delete",
                                          "whenDeleted=Delete",
                                          "Recreate",
                                          "claims"};
  for (const Known& known : known_violations())
    for (const std::string_view need : known.needs)
      EXPECT_TRUE(need.empty() || fields.contains(need) || kinds.contains(need.substr(0, need.find(' ')))) << need;
}

TEST(Known, IsOfReleasesOnly) {
  EXPECT_EQ(find_known("strict", known_violations().front().invariant), nullptr);
  EXPECT_EQ(find_known("kubernetes-1.37", "update.no-such"), nullptr);
}

/// Of a fork of 1.37, with what the release itself makes of the same story.
class KnownOfTheRelease : public ::testing::Test {
 protected:
  KnownOfTheRelease() {
    report_.known_of = "kubernetes-1.37";
    shown_.known = nullptr;
    shown_.finding.invariant = properties::find_invariant("update.replaces-broken-revision-in-order");
    shown_.finding.scenario.steps = {{.kind = properties::StepKind::edit_template,
                                      .b = static_cast<std::int32_t>(properties::TemplateFlavour::unready)},
                                     {.kind = properties::StepKind::settle}};
    auto spec = std::make_shared<StatefulSetSpec>(*shown_.finding.scenario.set.spec);
    spec->rolling_update->partition = 0;
    shown_.finding.scenario.set.spec = std::move(spec);
    shown_.finding.cause = properties::cause_of(shown_.finding.scenario);
  }
  bool is_accepted() {
    shown_.accepted = false;
    accept_if_known(shown_, report_, release_);
    return shown_.accepted;
  }

  Report report_ = test_report();
  Shown& shown_ = report_.findings[0];
  Baseline release_{*find_controller("kubernetes-1.37")};
};

TEST_F(KnownOfTheRelease, IsAcceptedWithItsThread) {
  EXPECT_TRUE(is_accepted());
  ASSERT_NE(shown_.known, nullptr);
  EXPECT_EQ(shown_.known->thread, "kubernetes/kubernetes#67250");
}

TEST_F(KnownOfTheRelease, IsAcceptedWithoutItsCauseInAStoryThatWasNotShrunk) {
  shown_.finding.cause.reset();
  EXPECT_TRUE(is_accepted());
}

TEST_F(KnownOfTheRelease, IsTheForksOwnInAStoryInWhichTheReleaseKeepsThePromise) {
  shown_.finding.scenario.steps.pop_back();
  shown_.finding.scenario.steps.front().b = 0;
  EXPECT_FALSE(is_accepted()) << "for the cause of a row, and for another reason";
}

TEST_F(KnownOfTheRelease, IsNothingThatHasNoRow) {
  shown_.finding.invariant = properties::find_invariant("identity.hostname");
  EXPECT_FALSE(is_accepted());
}

}  // namespace
}  // namespace ordeal::fuzz
