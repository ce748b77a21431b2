// `ordeal ci`: what it picks, what it writes, how it ends.
#include "fuzz/command/test_command.h"

namespace ordeal::fuzz {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(Command, CiFindsTheCorpusOfItsSourcesFromElsewhere) {
  write("web.yaml", web);
  const std::string check = "ci web.yaml --budget 1ms --seed 1 --quiet";
  EXPECT_THAT(ordeal(check).out, HasSubstr("--corpus: there is no directory corpus"));
  fs::create_directories(directory_ / "own" / "regressions");
  fs::create_directories(directory_ / "corpus" / "of-something-else");
  ::setenv("ORDEAL_CORPUS", "own", 1);
  const Ended ended = ordeal(check);
  ::unsetenv("ORDEAL_CORPUS");
  EXPECT_THAT(ended.out, HasSubstr("regressions"));
  EXPECT_THAT(ended.out, Not(HasSubstr("--corpus")));
}

TEST_F(Command, CiHoldsAForkAgainstItsOriginal) {
  const std::string ci =
      "ci --controller kubernetes-1.27 --budget 4s --seed 1 --quiet --corpus " ORDEAL_SOURCE "/corpus";
  EXPECT_EQ(ordeal(ci).status, 1);
  const Ended beside = ordeal(ci + " --against kubernetes-1.27");
  EXPECT_NE(beside.status, 1) << beside.out;
  EXPECT_THAT(beside.out, HasSubstr("against     kubernetes-1.27, which breaks in the same trials: "));
  EXPECT_THAT(read("ordeal-out/summary.md"), HasSubstr("Against: kubernetes-1.27, which breaks in the same trials: "));
}

/// A repository with one commit, a corpus of one regression and one killer of each of two promises, and nothing else.
class Ci : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    const std::string corpus = ORDEAL_SOURCE "/corpus/";
    const Ended made = shell(
        "git init -q . && git config user.name x && git config user.email x@example.org && mkdir -p corpus/regressions corpus/killers core/controller && cp " +
        shell_quoted(corpus + "regressions/another-clock-is-news.json") +
        " corpus/regressions/ && "
        "touch core/controller/decide_claims.cpp a.md && printf 'ordeal-out/\n' > .gitignore && git add . && git commit -q -m first");
    ASSERT_EQ(made.status, 0) << made.out;
    ASSERT_EQ(
        shell(
            "\"$ordeal\" mutants update-ignores-partition storage-claim-without-spec --keep corpus/killers 2> /dev/null && git add corpus")
            .status,
        0);
  }
};

TEST_F(Ci, WithoutARepositoryTheSeedIsOneAndABaseIsRefused) {
  const Ended bare = shell(
      "mkdir -p bare/corpus/killers && cd bare && export GIT_CEILING_DIRECTORIES=\"$PWD/..\" && \"$ordeal\" ci --budget 1s 2>&1");
  EXPECT_EQ(bare.status, 0) << bare.out;
  EXPECT_THAT(bare.out, HasSubstr("no commit to take the seed from, so it is 1: fatal: not a git repository"));
  const Ended refused =
      shell("cd bare && export GIT_CEILING_DIRECTORIES=\"$PWD/..\" && \"$ordeal\" ci --base main 2>&1");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.out, HasSubstr("--base main: fatal: not a git repository"));
  EXPECT_THAT(ordeal("ci --base none").out, HasSubstr("--base none: git knows no such commit"));
  EXPECT_EQ(ordeal("ci --base --output=x").status, 2);
  EXPECT_FALSE(fs::exists(directory_ / "x"));
}

TEST_F(Ci, WritesWhatMachinesReadAndASummary) {
  const Ended ended = shell(
      "export GITHUB_STEP_SUMMARY=page.md && echo before > page.md && \"$ordeal\" ci --budget 2s --seed 1 --quiet");
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("  regressions 1 scenario "), HasSubstr("  killers "), HasSubstr("  search "),
                               HasSubstr("HELD")));
  EXPECT_THAT(read("ordeal-out/junit.xml"), StartsWith("<?xml"));
  EXPECT_THAT(read("page.md"),
              AllOf(StartsWith("before\n## Ordeal: strict held"), HasSubstr(read("ordeal-out/summary.md"))));
  const json sarif = json::parse(read("ordeal-out/ordeal.sarif"));
  EXPECT_TRUE(sarif["runs"][0]["results"].empty());
  EXPECT_EQ(sarif["runs"][0]["invocations"][0]["executionSuccessful"], true);
}

TEST_F(Ci, AKillerCatchesItsMutantAndFailFastEndsThere) {
  const Ended ended = shell("\"$ordeal\" ci --controller mutant:update-ignores-partition --fail-fast --quiet");
  EXPECT_EQ(ended.status, 1) << ended.out;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("update.respects-partition: A pod"),
                               HasSubstr("left out: all: a stage before it broke a promise")));
  const json result = json::parse(read("ordeal-out/ordeal.sarif"))["runs"][0]["results"][0];
  EXPECT_THAT(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].get<std::string>(),
              StartsWith("corpus/killers/"));
  const std::string replay = result["message"]["text"].get<std::string>();
  EXPECT_EQ(shell(shell_quoted(ORDEAL_BINARY) + replay.substr(replay.find(" replay "))).status, 1) << replay;
}

/// What `ordeal ci` knows its own repository by.
const std::string is_ordeals_own = "mkdir -p properties/invariants && touch properties/invariants/catalogue.h && ";

TEST_F(Ci, LeavesNothingOutInSomebodyElsesRepository) {
  shell("git add . && git commit -q -m second; mkdir ci; touch ci/controller.py README.md");
  EXPECT_THAT(
      shell("\"$ordeal\" ci --base HEAD --budget 1s --quiet").out,
      AllOf(HasSubstr("another project (2 files)"), HasSubstr("can break   all promises"), Not(HasSubstr("left out"))));
}

TEST_F(Ci, PicksByWhatTheChangeTouchedAndSaysWhatItLeftOut) {
  const auto check = [&](const std::string& change) {
    return shell(change + "; \"$ordeal\" ci --base HEAD --budget 1s --quiet").out;
  };
  shell(is_ordeals_own + "git add . && git commit -q -m second");
  EXPECT_THAT(check("true"), AllOf(HasSubstr("changed     since HEAD: no file"),
                                   HasSubstr("left out: all: no verdict depends on what changed")));
  EXPECT_THAT(check("echo x >> a.md"), HasSubstr("left out: all: no verdict depends on what changed"));
  const std::string ownership = check("echo x >> core/controller/decide_ownership.cpp");
  EXPECT_THAT(ownership,
              AllOf(HasSubstr("ownership (1 file)"), HasSubstr("2 about promises that the change cannot break"),
                    Not(HasSubstr("no verdict depends on what changed"))));
  EXPECT_THAT(check("touch new.cpp"), AllOf(HasSubstr("everything (1 file)"), HasSubstr("can break   all promises"),
                                            Not(HasSubstr("left out"))));
}

/// From wherever it is called, and however git is told to show paths.
TEST_F(Ci, AChangeThatCanBreakNothingHolds) {
  shell(is_ordeals_own +
        "rm -r corpus/*; mkdir -p corpus/killers ci/corpus/killers; touch ci/x; git add . && git commit -q -m second");
  const Ended idle = shell("echo x >> a.md; \"$ordeal\" ci --base HEAD --budget 1s --quiet");
  EXPECT_EQ(idle.status, 0) << idle.out;
  EXPECT_THAT(idle.out, HasSubstr("HELD "));
  const Ended changed = shell(
      "touch new.cpp; git config diff.relative true; echo x >> properties/invariants/catalogue.h; "
      "cd ci && \"$ordeal\" ci --base HEAD --budget 1s --quiet");
  EXPECT_THAT(changed.out, HasSubstr("can break   all promises"));
}

/// What it says found it finds it again.
TEST_F(Ci, TheCommandOfAFindingOfTheSearchFindsIt) {
  const Ended found = shell(
      "rm -r corpus/*; mkdir corpus/killers; \"$ordeal\" ci --controller mutant:update-ignores-partition --seed 3 --budget 4s --quiet");
  const std::size_t at = found.out.find("  or          ");
  ASSERT_NE(at, std::string::npos) << found.out.substr(0, 2000);
  const std::string line = found.out.substr(at + 14, found.out.find("   (ordeal", at) - at - 14);
  EXPECT_EQ(shell(line + " --quiet --out again > text 2>&1").status, 1) << line;
}

TEST_F(Ci, TheCommandOfAFindingNamesTheReleaseThatItIsAForkOf) {
  const Ended found = shell(
      "rm -r corpus/*; mkdir corpus/killers; \"$ordeal\" ci --controller mutant:update-ignores-partition --known-of kubernetes-1.37 --seed 3 --budget 4s --quiet");
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.out, HasSubstr(" --drawn-only --known-of kubernetes-1.37 --seed 3"));
}

TEST_F(Ci, WhatGitSaysOnTheSideIsNoCommitAndNoFile) {
  shell(is_ordeals_own + "git add . && git commit -q -m second");
  const std::string commit = shell("git rev-parse HEAD").out;
  const Ended chatty = shell("GIT_TRACE=1 \"$ordeal\" ci --budget 1s --quiet");
  EXPECT_THAT(read("ordeal-out/summary.md"), HasSubstr("(commit " + commit.substr(0, 12) + ")")) << chatty.out;
  const Ended change = shell("GIT_TRACE=1 \"$ordeal\" ci --base HEAD --budget 1s --quiet");
  EXPECT_THAT(change.out, HasSubstr("changed     since HEAD: no file"));
  EXPECT_THAT(shell("touch $'\\xc3\\xa4 b.md'; \"$ordeal\" ci --base HEAD --budget 1s --quiet").out,
              HasSubstr("left out: all: no verdict depends on what changed"));
}

TEST_F(Ci, WhatCannotBeReadOrWrittenIsSaid) {
  write("corpus/killers/bad.json", "{");
  const Ended bad = ordeal("ci --budget 1s");
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.out, HasSubstr("corpus/killers/bad.json: "));
  shell("rm corpus/killers/bad.json");
  const Ended unwritten = ordeal("ci --budget 1s --seed 1 --out /proc/none --quiet");
  EXPECT_EQ(unwritten.status, 3) << unwritten.out;
  EXPECT_THAT(unwritten.out, AllOf(HasSubstr("/proc/none: No such file"), HasSubstr("killers     2 scenarios")))
      << "the text is printed all the same";
  EXPECT_EQ(shell("GITHUB_STEP_SUMMARY=/dev/full \"$ordeal\" ci --budget 1s --seed 1 --quiet 2> /dev/null").status, 3);
}

TEST_F(Ci, WithoutTimeThereIsNoVerdict) {
  const Ended ended = ordeal("ci --budget 0s --quiet");
  EXPECT_EQ(ended.status, 3) << ended.out;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("left out: all: the budget was over"),
                               HasSubstr("regressions: not tried, since the budget was over: 1")));
}

TEST_F(Ci, SigintEndsItWithWhatThereIs) {
  const Ended ended = shell(
      "\"$ordeal\" ci --budget 120s --seed 1 2> progress > text & pid=$!; until grep -q search progress; do sleep 0.1; done; kill -INT $pid; wait $pid");
  EXPECT_EQ(ended.status, 130);
  EXPECT_TRUE(fs::exists(directory_ / "ordeal-out/ordeal.sarif"));
}

}  // namespace
}  // namespace ordeal::fuzz
