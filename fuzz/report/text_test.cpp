// The reports people read, word for word.
#include "fuzz/report/text.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "fuzz/engine/first_sets.h"
#include "fuzz/engine/shell.h"
#include "fuzz/report/columns.h"
#include "fuzz/report/test_report.h"
#include "fuzz/report/timeline_text.h"
#include "properties/world/fairness.h"

namespace ordeal::fuzz {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(FindingText, IsAStoryAStrangerCanActOn) {
  const Report report = test_report();
  EXPECT_EQ(finding_text(report.findings[0], report), R"(VIOLATED  test.promise
  promise     A pod below the partition keeps its revision.
  source      StatefulSets, section Partitions
  found at    step 2 of 2, shrunk from 212 steps (controller: strict, level: strict)
  cause       user.scale; partition
  set         web: replicas=3, OrderedReady, RollingUpdate partition=2

  step    time  event                       shown         decision                               web-0     web-1
           0 s  the set is created                                                               -         -
     1     0 s  sync                        rv 7          create web-0 (create-pod)              r1 ready  -
     2    10 s    user.scale replicas=5     rv 9 (stale)  create web-1 (create-pod) -> conflict
                                                          failed: no luck <<<                    r1 ready  r2 pending

  where       r1 = web-aaa, r2 = web-bbb
  because     web-1 was created at r2
              partition=2 in the set it was shown
  known       some/thread#1: it is known
  replay      ./ordeal replay out/test.promise.1.json
  or          ./ordeal run web.yaml --seed 9177 --trials 58   (ordeal )" ORDEAL_VERSION ")\n");
}

TEST(FindingText, FitsANarrowTerminal) {
  Report report = test_report();
  report.findings[0].finding.breach.violation.claim =
      "web-1 was created at r2, which is none of the revisions that a pod below the partition may have";
  EXPECT_EQ(finding_text(report.findings[0], report, 80), R"(VIOLATED  test.promise
  promise     A pod below the partition keeps its revision.
  source      StatefulSets, section Partitions
  found at    step 2 of 2, shrunk from 212 steps (controller: strict, level:
              strict)
  cause       user.scale; partition
  set         web: replicas=3, OrderedReady, RollingUpdate partition=2

  step    time  what happens
           0 s  the set is created
     1     0 s  sync
                rv 7          create web-0 (create-pod)
                              web-0 r1 ready
     2    10 s    user.scale replicas=5
                rv 9 (stale)  create web-1 (create-pod) -> conflict
                              failed: no luck <<<
                              web-0 r1 ready, web-1 r2 pending

  where       r1 = web-aaa, r2 = web-bbb
  because     web-1 was created at r2, which is none of the revisions that a pod
              below the partition may have
              partition=2 in the set it was shown
  known       some/thread#1: it is known
  replay      ./ordeal replay out/test.promise.1.json
  or          ./ordeal run web.yaml --seed 9177 --trials 58   (ordeal )" ORDEAL_VERSION ")\n");
  EXPECT_EQ(finding_text(report.findings[0], report, 200), finding_text(report.findings[0], report))
      << "where it fits it is a table";
}

TEST(FindingText, WithoutAFileTheSeedReplays) {
  Report report = test_report();
  report.findings[0].file.clear();
  EXPECT_THAT(finding_text(report.findings[0], report), HasSubstr("  replay      ./ordeal run web.yaml --seed 9177"));
  report.seed.reset();
  EXPECT_THAT(finding_text(report.findings[0], report), Not(HasSubstr("--seed")));
}

TEST(FindingText, TheControllersLineIsToldWhenItIsKnown) {
  Report report = test_report();
  EXPECT_THAT(finding_text(report.findings[0], report), Not(HasSubstr("\n  in  ")));
  report.findings[0].finding.breach.line = "control.go:612";
  EXPECT_THAT(finding_text(report.findings[0], report), HasSubstr("\n  in          control.go:612\n"));
}

TEST(FindingText, TheSetThatItWasFoundWithIsToldWhereItIsAnother) {
  Report report = test_report();
  Finding& finding = report.findings[0].finding;
  finding.set_found = finding.scenario.set;
  EXPECT_THAT(finding_text(report.findings[0], report), Not(HasSubstr("found with")));
  StatefulSetSpec spec = *finding.set_found.spec;
  spec.pod_management = PodManagement::parallel;
  finding.set_found.spec = std::make_shared<const StatefulSetSpec>(spec);
  finding.set_found.meta.name = "mine";
  EXPECT_THAT(finding_text(report.findings[0], report),
              HasSubstr("  found with  mine: replicas=3, Parallel, RollingUpdate partition=2\n"));
}

TEST(FindingText, GatesThatAreOffAreNamed) {
  Report report = test_report();
  auto& environment = report.findings[0].finding.scenario.environment;
  const auto says = [&](std::string_view off) {
    EXPECT_THAT(finding_text(report.findings[0], report), HasSubstr("  gates       off: " + std::string(off) + "\n"));
  };
  environment.gates.max_unavailable = false;
  says("MaxUnavailableStatefulSet (controller)");
  environment.api.max_unavailable = false;
  says("MaxUnavailableStatefulSet");
  environment.gates = {};
  environment.api.auto_delete_claims = false;
  says("MaxUnavailableStatefulSet (API server), StatefulSetAutoDeletePVC (API server)");
}

TEST(TimelineText, LeavesOutQuietSyncsAndTheMiddleOfLongStories) {
  Timeline timeline;
  for (int i = 1; i <= 300; ++i) {
    TimelineRow row;
    row.lines.push_back({i, "step", "nothing"});
    row.quiet = i == 7;
    timeline.rows.push_back(row);
  }
  const std::string text = timeline_text(timeline);
  EXPECT_THAT(text, Not(HasSubstr("\n     7  ")));
  EXPECT_THAT(text, HasSubstr("... 199 more ..."));
  EXPECT_THAT(text, HasSubstr("\n   300  "));
  EXPECT_THAT(text, Not(HasSubstr("\n   100  ")));
}

TEST(TimelineText, FoldsWhatComesRoundAgain) {
  Timeline timeline;
  const auto add = [&](const char* event, const char* decision) {
    timeline.rows.emplace_back().lines.push_back({0, event, decision});
  };
  add("settle", "");
  for (int round = 0; round < 40; ++round) {
    add("", "delete web-0");
    add("", "create web-0");
  }
  add("it is still moving", "after 76 rounds");
  const std::string text = timeline_text(timeline);
  EXPECT_THAT(text, HasSubstr("create web-0"));
  EXPECT_THAT(text, HasSubstr("... and so again, 39 times ...\n"));
  EXPECT_THAT(text, HasSubstr("it is still moving"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 6);
}

TEST(TimelineText, DoesNotFoldSteps) {
  Timeline timeline;
  for (int i = 1; i <= 5; ++i) timeline.rows.emplace_back().lines.push_back({i, "sync", "nothing"});
  EXPECT_THAT(timeline_text(timeline), Not(HasSubstr("so again")));
}

TEST(FindingText, APromiseAboutTheEndNamesWhatItAssumes) {
  Report report = test_report();
  properties::Invariant settled = test_invariant;
  settled.when = properties::When::settled;
  report.findings[0].finding.invariant = &settled;
  const std::string text = finding_text(report.findings[0], report);
  for (const properties::Assumption& assumption : properties::fairness) EXPECT_THAT(text, HasSubstr(assumption.name));
  EXPECT_THAT(text, HasSubstr("  assuming    faults-stop, "));
}

TEST(FindingText, TroubleStandsBesideItsLimit) {
  Report report = test_report();
  EXPECT_THAT(finding_text(report.findings[0], report), Not(HasSubstr("  within ")));
  report.findings[0].finding.scenario.steps.push_back({.kind = properties::StepKind::outage});
  EXPECT_THAT(finding_text(report.findings[0], report),
              HasSubstr("  within      outages: they end before the epilogue\n"));
}

TEST(FindingText, AnExplanationFollowsTheReasons) {
  Report report = test_report();
  report.findings[0].explanation =
      Explanation{.needed = {{"step 2, user.scale replicas=5", ""}, {"spec.replicas = 3", "2"}},
                  .idle = {"step 1, sync"},
                  .unavoidable_after = 2,
                  .continuations = 33,
                  .nearest = Remedy{"spec.replicas = 3", "2"},
                  .trials = 47};
  EXPECT_THAT(finding_text(report.findings[0], report), HasSubstr(R"(
  needed      step 2, user.scale replicas=5 (it holds without)
              spec.replicas = 3 (it holds with 2)
  idle        step 1, sync
  decided     after step 2: each of 33 continuations tried breaks it
  nearest     spec.replicas = 3: it holds with 2
  tried       47 scenarios
  replay      )"));
}

TEST(RunText, EndsWithTheVerdictAndItsNumbers) {
  const std::string text = run_text(test_report());
  EXPECT_THAT(text, StartsWith("VIOLATED  test.promise\n"));
  EXPECT_THAT(text, HasSubstr("\n  controller  strict, level strict\n"));
  EXPECT_THAT(text, HasSubstr("\n  trials      1,000 with 60,000 syncs, seed 9177, in 2.5 s (24,000 syncs/s)\n"));
  EXPECT_THAT(text, HasSubstr("  situations  0 of "));
  EXPECT_THAT(text, HasSubstr("more (--format json lists all)"));
  EXPECT_THAT(text, HasSubstr("  unclear     the adapter died (trial 3, 2 times)\n"));
}

TEST(RunText, WhatAProgramSaidOnItsWayOutStaysInItsColumn) {
  Report report = test_report();
  report.result.inconclusive[0].reason += "\nits standard error ends:\nno";
  EXPECT_THAT(run_text(report), HasSubstr(R"(
  unclear     the adapter died (trial 3, 2 times)
              its standard error ends:
              no
)"));
}

// What goes by reasons is missed where some are given; a program that gives none is not told of them.
TEST(RunText, AsksForReasonsOnlyOfWhoGivesThem) {
  const auto missed = [](std::initializer_list<Reason> met) {
    Report report = test_report();
    for (const Reason reason : met) report.result.situations.set(properties::situation_of(reason));
    return std::ranges::count_if(missing_situations(report),
                                 [](const std::string& name) { return name.starts_with("call "); });
  };
  EXPECT_EQ(missed({Reason::unstated}), 0);
  EXPECT_EQ(missed({Reason::unstated, Reason::create_pod}), static_cast<std::ptrdiff_t>(reason_count) - 2);
  EXPECT_EQ(missed({}), static_cast<std::ptrdiff_t>(reason_count) - 1);
}

TEST(RunText, AnInterruptedRunSaysSo) {
  Report report = test_report();
  report.result.interrupted = true;
  EXPECT_THAT(run_text(report), HasSubstr(" (interrupted)\n"));
}

TEST(SetText, NamesWhatIsNotTheDefault) {
  ReadSets read = read_sets("x", R"({"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db"},
    "spec": {"serviceName": "db", "podManagementPolicy": "Parallel", "minReadySeconds": 5, "revisionHistoryLimit": 0,
             "ordinals": {"start": 3}, "reserveOrdinals": [4, 7], "updateStrategy": {"type": "OnDelete"},
             "persistentVolumeClaimRetentionPolicy": {"whenScaled": "Delete"}, "selector": {"matchLabels": {"a": "b"}},
             "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}})");
  EXPECT_EQ(set_text(read.sets.at(0)),
            "db: replicas=1, Parallel, OnDelete, minReadySeconds=5, revisionHistoryLimit=0, ordinals.start=3, "
            "reserveOrdinals=4,7, whenScaled=Delete");
  read.sets.at(0).meta.ns = "default";
  EXPECT_THAT(set_text(read.sets.at(0)), StartsWith("db: "));
  read.sets.at(0).meta.ns = "prod";
  EXPECT_THAT(set_text(read.sets.at(0)), StartsWith("prod/db: "));
}

TEST(ShellQuoted, OnlyWhatNeedsIt) {
  EXPECT_EQ(shell_quoted("ordeal-out/a.b.1.json"), "ordeal-out/a.b.1.json");
  EXPECT_EQ(shell_quoted("my files/it's"), "'my files/it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
}

}  // namespace
}  // namespace ordeal::fuzz
