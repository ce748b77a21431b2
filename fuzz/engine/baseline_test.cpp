#include "fuzz/engine/baseline.h"

#include <gmock/gmock.h>

#include "fuzz/adapter/kinds.h"
#include "fuzz/engine/run.h"
#include "fuzz/engine/silent_watcher.h"

namespace ordeal::fuzz {
namespace {

using properties::Promises;
using properties::Verdict;
using ::testing::Each;
using ::testing::Eq;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

RunResult run_against(const char* controller, const char* against, unsigned jobs = 1) {
  SilentWatcher nobody;
  const std::atomic<bool> never = false;
  RunOptions options{.controller = find_controller(controller), .sets = {}, .trials = 600, .time = {}, .jobs = jobs};
  options.against = against != nullptr ? find_controller(against) : nullptr;
  return run(options, nobody, never);
}

std::vector<std::string_view> ids(const RunResult& result) {
  std::vector<std::string_view> all;
  for (const Finding& finding : result.findings) all.push_back(finding.invariant->id);
  return all;
}

TEST(Baseline, WhoIsHeldAgainstItselfBreaksNothingOfItsOwn) {
  const RunResult alone = run_against("kubernetes-1.34", nullptr);
  ASSERT_THAT(alone.findings, Not(IsEmpty()));
  EXPECT_TRUE(alone.broken_by_both.none());
  const RunResult beside = run_against("kubernetes-1.34", "kubernetes-1.34");
  EXPECT_THAT(beside.findings, IsEmpty());
  EXPECT_EQ(beside.verdict, Verdict::held);
  EXPECT_EQ(beside.digest, alone.digest);
  Promises broken;
  for (const Finding& finding : alone.findings) broken.set(place_of(*finding.invariant));
  EXPECT_EQ(beside.broken_by_both, broken);
}

TEST(Baseline, WhatTheOriginalKeepsIsFoundWhateverElseBothBreak) {
  const RunResult found = run_against("canary", "kubernetes-1.37");
  EXPECT_THAT(ids(found), Each(Eq("identity.hostname")));
  ASSERT_THAT(found.findings, Not(IsEmpty()));
  Baseline original(*find_controller("kubernetes-1.37"));
  const Finding& finding = found.findings.front();
  EXPECT_TRUE(finding.minimal);
  EXPECT_TRUE(original.keeps(finding.scenario, {.only = finding.invariant}).value_or(false)) << "shrunk, it still does";
}

TEST(Baseline, WhatAForkInheritsTakesNoRoomFromItsOwn) {
  SilentWatcher nobody;
  const std::atomic<bool> never = false;
  RunOptions options{.controller = find_controller("kubernetes-1.31"), .sets = {}, .trials = 600, .time = {}};
  options.original = find_controller("kubernetes-1.37");
  const RunResult found = run(options, nobody, never);
  Promises own, inherited;
  for (const Finding& finding : found.findings)
    (finding.is_inherited ? inherited : own).set(place_of(*finding.invariant));
  const RunResult against = run_against("kubernetes-1.31", "kubernetes-1.37");
  ASSERT_TRUE((own & inherited).any()) << "some promises are broken in both ways";
  for (const Finding& finding : against.findings)
    EXPECT_TRUE(own.test(place_of(*finding.invariant))) << finding.invariant->id;
  Baseline original(*options.original);
  for (const Finding& finding : found.findings)
    EXPECT_TRUE(finding.is_inherited || original.keeps(finding.scenario, {.only = finding.invariant}).value_or(false))
        << finding.invariant->id << ": shrunk, it is still the fork's own";
}

TEST(Baseline, WithoutItsVerdictThereIsNone) {
  const ControllerKind dead = make_external_kind("exec:false", "false");
  SilentWatcher nobody;
  const std::atomic<bool> never = false;
  RunOptions options{.controller = find_controller("kubernetes-1.34"), .sets = {}, .trials = 20, .time = {}};
  options.against = &dead;
  const RunResult result = run(options, nobody, never);
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_TRUE(result.broken_by_both.none());
  ASSERT_THAT(result.inconclusive, Not(IsEmpty()));
  EXPECT_THAT(result.inconclusive.front().reason, StartsWith("exec:false, held against: "));
  const properties::Scenario any{corpus_sets().front(), {}, {}};
  const auto kept = Baseline(dead).keeps(any, {.only = properties::find_invariant("identity.hostname")});
  ASSERT_FALSE(kept.has_value());
  EXPECT_THAT(kept.error(), StartsWith("exec:false, held against: "));
}

TEST(Baseline, ResultsDoNotDependOnJobs) {
  const RunResult one = run_against("kubernetes-1.31", "kubernetes-1.37");
  const RunResult four = run_against("kubernetes-1.31", "kubernetes-1.37", 4);
  ASSERT_THAT(one.findings, Not(IsEmpty()));
  EXPECT_EQ(ids(one), ids(four));
  EXPECT_TRUE(one.broken_by_both.any());
  EXPECT_EQ(one.broken_by_both, four.broken_by_both);
}

}  // namespace
}  // namespace ordeal::fuzz
