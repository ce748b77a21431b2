#include "fuzz/report/check.h"

#include <gmock/gmock.h>

#include <sstream>

#include "fuzz/report/test_report.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using properties::Verdict;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

StageReport stage(std::string name, std::size_t there, std::uint64_t tried, Verdict verdict) {
  StageReport made{.name = std::move(name), .there = there, .picked = static_cast<std::size_t>(tried)};
  made.was_run = true;
  made.result.trials = tried;
  made.result.verdict = verdict;
  made.result.seconds = 1.25;
  return made;
}

Check some_check() {
  Check check{.report = test_report()};
  check.commit = "0123456789abcdef0123456789abcdef01234567";
  check.base = "main";
  check.touched = touched_by(std::vector<std::string>{"core/controller/decide_claims.cpp", "README.md"});
  check.stages = {stage("regressions", 7, 7, Verdict::held), stage("killers", 40, 9, Verdict::violated)};
  check.stages[1].broken = 1;
  check.stages[1].left_out = "31 about promises that the change cannot break";
  check.stages.push_back({.name = std::string(fresh_search), .left_out = "all: the budget was over"});
  return check;
}

TEST(Check, StagesSayWhatWasTriedAndWhatWasNot) {
  EXPECT_EQ(stages_text(some_check()),
            "  changed     since main: claims (1 file); 1 file that no verdict depends on\n"
            "  can break   promises of convergence, economy, equivalence, errors, events,\n"
            "              identity, ordering, scaling, storage, update, waking\n"
            "  regressions 7 scenarios               held                1.2 s\n"
            "  killers     9 of 40 scenarios         1 finding           1.2 s\n"
            "              left out: 31 about promises that the change cannot break\n"
            "  search      0 trials                  not tried           0.0 s\n"
            "              left out: all: the budget was over\n");
}

TEST(Check, StagesFitIntoATerminal) {
  Check check = some_check();
  check.base = "a-branch-with-a-rather-long-name";
  check.touched = touched_by(std::vector<std::string>{
      "core/controller/decide_pods.cpp", "core/controller/decide_updates.cpp", "core/controller/decide_revisions.cpp"});
  check.stages[0].left_out =
      "7: the budget was over; and many more words, so many that no line of a terminal could hold them all at once";
  std::istringstream text(stages_text(check));
  for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(Check, WithoutABaseNothingIsSaidOfAChange) {
  Check check = some_check();
  check.base.clear();
  EXPECT_THAT(stages_text(check), Not(HasSubstr("changed")));
  EXPECT_THAT(check_markdown(check), Not(HasSubstr("Changed")));
}

TEST(Check, MarkdownHasTheVerdictTheStagesAndEachStory) {
  const std::string page = check_markdown(some_check());
  EXPECT_THAT(page, AllOf(HasSubstr("## Ordeal: strict violated\n"), HasSubstr("(commit 0123456789ab)"),
                          HasSubstr("| killers | 9 of 40 scenarios | 1 finding | 1.2 s | 31 about"),
                          HasSubstr("| `test.promise`<br>A pod below"),
                          HasSubstr("<details><summary><code>test.promise</code>"),
                          HasSubstr("replay out/test.promise.1.json")));
}

TEST(Check, SaysWhatIsAccepted) {
  Check check;
  check.report = test_report();
  check.report.findings[0].finding.invariant = properties::find_invariant("update.replaces-broken-revision-in-order");
  EXPECT_THAT(stages_text(check), Not(HasSubstr("accepted")));
  check.report.known_of = "kubernetes-1.37";
  check.report.findings[0].accepted = true;
  EXPECT_THAT(stages_text(check),
              HasSubstr("  accepted    all 1 finding: known of kubernetes-1.37, which fails no check\n"));
  EXPECT_THAT(check_markdown(check),
              HasSubstr("Accepted: all 1 finding: known of kubernetes-1.37, which fails no check."));
  check.report.findings.push_back(check.report.findings[0]);
  check.report.findings[1].accepted = false;
  EXPECT_THAT(stages_text(check), HasSubstr("1 of 2 findings: known of kubernetes-1.37\n"));
}

TEST(Check, WhatIsAcceptedLeavesTheVerdictToTheRest) {
  Report report = test_report();
  report.findings[0].accepted = true;
  report.findings[0].finding.invariant = properties::find_invariant("update.replaces-broken-revision-in-order");
  EXPECT_EQ(verdict_but_for_accepted(report), Verdict::inconclusive) << "some trials had no verdict";
  report.result.inconclusive.clear();
  EXPECT_EQ(verdict_but_for_accepted(report), Verdict::held);
  EXPECT_EQ(tally(report).known, 1u);
  EXPECT_EQ(tally(report).violated, 0u);
  report.findings[0].accepted = false;
  EXPECT_EQ(verdict_but_for_accepted(report), Verdict::violated);
  report.findings.clear();
  EXPECT_EQ(verdict_but_for_accepted(report), Verdict::violated) << "a finding that nobody tells";
}

TEST(Check, MarkdownKeepsItsTablesWhole) {
  Check check = some_check();
  check.report.findings[0].finding.breach.violation.claim = "a | b\n<script>";
  EXPECT_THAT(check_markdown(check), HasSubstr("| a \\| b &lt;script&gt; |"));
}

TEST(Check, AStoryFromTheCorpusIsNotSaidToComeFromTheSeed) {
  Check check = some_check();
  EXPECT_THAT(check_text(check), HasSubstr("--seed 9177"));
  check.report.findings[0].from = "corpus/killers/a.json";
  EXPECT_THAT(check_text(check), Not(HasSubstr("--seed 9177")));
}

TEST(Check, TheWholeIsAsBadAsItsWorstPart) {
  const auto whole = [](std::initializer_list<Verdict> parts) {
    RunResult all;
    for (const Verdict verdict : parts) {
      RunResult part;
      part.trials = 2;
      part.verdict = verdict;
      add(all, part);
    }
    return all;
  };
  EXPECT_EQ(whole({Verdict::held, Verdict::held}).verdict, Verdict::held);
  EXPECT_EQ(whole({Verdict::held, Verdict::inconclusive, Verdict::held}).verdict, Verdict::inconclusive);
  EXPECT_EQ(whole({Verdict::violated, Verdict::inconclusive}).verdict, Verdict::violated);
  EXPECT_EQ(whole({}).verdict, Verdict::inconclusive) << "what was not tried did not hold";
  EXPECT_EQ(whole({Verdict::held, Verdict::held}).trials, 4u);
}

}  // namespace
}  // namespace ordeal::fuzz
