// Controllers beside each other: matrix, diff, bisect, and a fork held against its original.
#include <algorithm>

#include "fuzz/command/test_command.h"

namespace ordeal::fuzz {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(Command, MatrixShowsWhoBreaksWhatAndKeepsTheStories) {
  const std::string arguments = "matrix --controllers strict,mutant:update-ignores-partition --trials 200 --quiet ";
  const Ended text = ordeal(arguments);
  ASSERT_EQ(text.status, 1) << text.out;
  EXPECT_THAT(text.out, HasSubstr("\nA strict "));
  EXPECT_THAT(text.out, HasSubstr("\nB mutant:update-ignores-partition"));
  EXPECT_THAT(text.out, HasSubstr("\nupdate.respects-partition                     .X\n"));
  EXPECT_THAT(text.out, Not(HasSubstr("\nidentity.hostname ")));
  EXPECT_THAT(ordeal(arguments + "--all").out, HasSubstr("\nidentity.hostname                             ..\n"));
  const json matrix = json::parse(shell("\"$ordeal\" " + arguments + "--format json").out);
  const auto partition = std::ranges::find_if(
      matrix["promises"], [](const json& promise) { return promise["id"] == "update.respects-partition"; });
  const json& findings = (*partition)["cells"][1]["findings"];
  ASSERT_FALSE(findings.empty());
  for (const json& finding : findings)
    EXPECT_EQ(ordeal("replay " + finding["file"].get<std::string>()).status, 1) << finding["file"];
  EXPECT_FALSE(fs::exists(directory_ / "ordeal-matrix" / "strict")) << "nothing was found of that one";
  EXPECT_THAT(ordeal(arguments + "--format markdown").out,
              HasSubstr("](ordeal-matrix/controller-2/update.respects-partition.1.json)"));
}

TEST_F(Command, MatrixOfWhatHoldsIsZeroAndOfWhatCannotBeTriedIsThree) {
  EXPECT_EQ(ordeal("matrix --controllers strict --trials 50 --quiet").status, 0);
  const Ended unclear = ordeal("matrix --controllers strict --controllers 'exec:false ,really' --trials 3 --quiet");
  EXPECT_EQ(unclear.status, 3) << unclear.out;
  EXPECT_THAT(unclear.out, HasSubstr("\nB exec:false ,really "));
  EXPECT_THAT(unclear.out, HasSubstr("the adapter ended with status 1"));
}

TEST_F(Command, DiffTriesTheLastNumbersToo) {
  const Ended ended = ordeal("diff --a strict --b strict --first 18446744073709551615 --trials 5");
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("5 trials: 0 differ"));
}

TEST_F(Command, DiffSaysWhatOneSideDoesNotKnow) {
  write("young.yaml", std::string(web) + "  minReadySeconds: 5\n");
  for (const char* sides : {"-a kubernetes-1.20 -b kubernetes-1.37", "-a kubernetes-1.37 -b kubernetes-1.20"}) {
    const Ended ended = ordeal("diff young.yaml --trials 1 " + std::string(sides));
    EXPECT_THAT(ended.out, HasSubstr("left out, since kubernetes-1.20 does not know it: ")) << sides;
  }
  const Ended refused = ordeal("diff --a strict --b strict --out young.yaml");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.out, HasSubstr("--out: stories go into a directory"));
}

TEST_F(Command, DiffStopsOnASignalAndSaysWhatItTried) {
  // Interrupted once it has begun, however long a busy machine takes to come so far.
  const Ended ended =
      shell("\"$ordeal\" diff --a strict --b 'exec:touch begun; exec " ORDEAL_ECHO
            " strict' --trials 1000000000 & pid=$!; until [ -e begun ]; do sleep 0.1; done; kill -INT $pid; wait $pid");
  EXPECT_EQ(ended.status, 130);
  // One trial, if the signal came at once.
  EXPECT_THAT(ended.out,
              testing::MatchesRegex("[0-9,]+ trials?: 0 differ between strict and exec:.*, 0 inconclusive\n"));
}

TEST_F(Command, WhatIsKnownOfAReleaseIsNoViolationOfItsFork) {
  const std::string run = "run --controller kubernetes-1.27 --trials 100 --quiet";
  EXPECT_EQ(ordeal(run).status, 1);
  const Ended accepted = ordeal(run + " --known-of kubernetes-1.27");
  EXPECT_EQ(accepted.status, 0) << accepted.out;
  EXPECT_THAT(accepted.out, HasSubstr("findings: known of kubernetes-1.27, which fails no check"));
  EXPECT_THAT(accepted.out, HasSubstr("\nHELD  "));
  const json told = json::parse(ordeal(run + " --known-of kubernetes-1.27 --format json").out);
  EXPECT_EQ(told["verdict"], "held");
  EXPECT_EQ(told["known_of"], "kubernetes-1.27");
  EXPECT_EQ(told["findings"][0]["accepted"], true);
  EXPECT_TRUE(told["findings"][0]["known"].is_object());
  EXPECT_EQ(ordeal(run + " --known-of kubernetes-1.37").status, 1) << "which does without most of them";
}

TEST_F(Command, WhatItsOriginalBreaksTooIsNoViolationOfAFork) {
  const std::string run = "run --controller kubernetes-1.27 --level strict --trials 60 --quiet --as-found";
  const Ended alone = ordeal(run);
  EXPECT_EQ(alone.status, 1);
  EXPECT_THAT(alone.out, Not(HasSubstr("broken by both")));
  const Ended beside = ordeal(run + " --against kubernetes-1.27");
  EXPECT_EQ(beside.status, 0) << beside.out;
  EXPECT_THAT(beside.out, AllOf(StartsWith("HELD"), HasSubstr(" broken by both"),
                                HasSubstr("kubernetes-1.27, which breaks in the same trials: ")));
  const json report = json::parse(ordeal(run + " --against kubernetes-1.27 --format json").out);
  EXPECT_EQ(report["against"]["controller"], "kubernetes-1.27");
  EXPECT_THAT(report["against"]["broken_by_both"], Not(IsEmpty()));
  EXPECT_THAT(ordeal(run + " --against kubernetes-1.27 --format junit").out,
              AllOf(HasSubstr("failures=\"0\""), HasSubstr("<skipped message=\"broken by kubernetes-1.27, too\"/>")));
}

constexpr const char* stuck = ORDEAL_SOURCE "/corpus/releases/parallel-rollout-behind-a-broken-pod.json";

TEST_F(Command, BisectNamesTheFirstBadAndTheFirstGoodRelease) {
  const std::string file = shell_quoted(stuck);
  const Ended bad = ordeal("bisect " + file + " --good kubernetes-1.20 --bad kubernetes-1.35.0");
  EXPECT_EQ(bad.status, 0) << bad.out;
  EXPECT_THAT(bad.out, HasSubstr("first bad: kubernetes-1.24 (kubernetes-1.20 keeps it)"));
  const Ended good = ordeal("bisect " + file + " --good kubernetes-1.37 --bad kubernetes-1.35.0");
  EXPECT_EQ(good.status, 0) << good.out;
  EXPECT_THAT(good.out, HasSubstr("first good: kubernetes-1.37 (kubernetes-1.36 breaks it)"));
  const json found =
      json::parse(ordeal("bisect " + file + " --good kubernetes-1.20 --bad kubernetes-1.28 --format json").out);
  EXPECT_EQ(found["first_bad"], "kubernetes-1.24");
  EXPECT_EQ(found["before"], "kubernetes-1.20");
  EXPECT_EQ(found["releases"].size(), 4u);
}

TEST_F(Command, BisectKnowsInWhichOrderAReleaseIsPrepared) {
  const Ended ended = shell(
      "mkdir upstream && cp \"$ordeal\" . && for r in '' -alpha.1 -beta.0 -rc.0; do "
      "echo '#!/bin/sh' > upstream/kubernetes-1.99.0$r; "
      "case $r in -alpha.1) as=strict;; *) as=kubernetes-1.35.0;; esac; "
      "echo 'exec " ORDEAL_ECHO
      "' $as >> upstream/kubernetes-1.99.0$r; done; chmod +x upstream/* && "
      "./ordeal bisect " +
      shell_quoted(stuck) + " --good kubernetes@1.99.0-alpha.1 --bad kubernetes@1.99.0");
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("first bad: kubernetes@1.99.0-beta.0 (kubernetes@1.99.0-alpha.1 keeps it)"));
}

TEST_F(Command, BisectRefusesEndsThatAreNotSo) {
  const std::string file = shell_quoted(stuck);
  const auto refused = [&](const std::string& ends) {
    const Ended ended = ordeal("bisect " + file + " " + ends);
    EXPECT_EQ(ended.status, 2) << ended.out;
    return ended.out;
  };
  EXPECT_THAT(refused("--good kubernetes-1.35.0 --bad kubernetes-1.37"),
              HasSubstr("--good kubernetes-1.35.0: it breaks update."));
  EXPECT_THAT(refused("--good kubernetes-1.20 --bad kubernetes-1.37"),
              HasSubstr("--bad kubernetes-1.37: it keeps update."));
  EXPECT_THAT(refused("--good strict --bad kubernetes-1.36"), HasSubstr("are not releases of one line"));
  EXPECT_THAT(refused("--good kubernetes-1.36 --bad kubernetes-1.36"), HasSubstr("both are kubernetes-1.36"));
  EXPECT_THAT(refused("--good kubernetes-1.20 --bad kubernetes-1.35.0 --format junit"),
              HasSubstr("must be text or json"));
  EXPECT_THAT(refused("--good nobody --bad kubernetes-1.35.0"), HasSubstr("--good: "));
}

}  // namespace
}  // namespace ordeal::fuzz
