// What is done with stored scenarios: replay, shrink, export.
#include "fuzz/command/test_command.h"

namespace ordeal::fuzz {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Scenario files are passed on in bug reports: reading one runs nothing.
TEST_F(Command, NoFileStartsACommand) {
  ASSERT_EQ(ordeal(BREAKS_SOMETHING "--quiet --out found").status, 1);
  ASSERT_EQ(
      shell("sed -i 's/\"controller\": \"mutant:[a-z-]*\"/\"controller\": \"exec:touch here; false\"/' found/*.json && "
            "mkdir -p campaign/findings && cp found/*.json campaign/findings && grep -q 'exec:touch' found/*.json")
          .status,
      0);
  const std::string story = "found/update.respects-partition.1.json";
  const std::string commands[] = {"replay " + story, "replay found", "shrink " + story + " -o smaller.json",
                                  "export " + story + " --as prose", "merge campaign --out merged"};
  for (const std::string& command : commands) {
    const Ended ended = ordeal(command);
    EXPECT_EQ(ended.status, 2) << command;
    EXPECT_THAT(
        ended.out,
        HasSubstr("names a command, which is not run unless you say so, too: --controller 'exec:touch here; false'"))
        << command;
  }
  EXPECT_FALSE(fs::exists(directory_ / "here"));
  EXPECT_EQ(ordeal("replay " + story + " --controller 'exec:touch here; false'").status, 3);
  EXPECT_TRUE(fs::exists(directory_ / "here"));
}

TEST_F(Command, ReplayShowsWhatSeveralControllersMakeOfAScenario) {
  const std::string finding = shell_quoted(ORDEAL_SOURCE "/corpus/releases/parallel-rollout-behind-a-broken-pod.json");
  const Ended text =
      ordeal("replay " + finding +
             " --controllers kubernetes-1.37,kubernetes-1.35.0 --controllers exec:false --level promised");
  EXPECT_EQ(text.status, 1) << text.out;
  EXPECT_THAT(text.out, HasSubstr("\nkubernetes-1.37    promised  held\n"));
  EXPECT_THAT(text.out, HasSubstr("\nkubernetes-1.35.0  promised  violated      update."));
  EXPECT_THAT(text.out, HasSubstr("                                           update.replaces-broken-revision ("));
  EXPECT_THAT(text.out, HasSubstr("\nexec:false         promised  inconclusive  the adapter ended with status 1\n"));
  const json array = json::parse(ordeal("replay " + finding + " --controllers kubernetes-1.37 --format json").out);
  EXPECT_EQ(array[0]["verdict"], "held");
  EXPECT_EQ(ordeal("replay " + finding + " --controllers strict,kubernetes-1.37").status, 0);
  EXPECT_EQ(ordeal("replay " + finding + " --controllers strict,exec:false").status, 3);
}

TEST_F(Command, AStrictStoryIsReplayedAtStrictWhoeverIsTried) {
  ASSERT_EQ(ordeal("run " + shell_quoted(ORDEAL_SOURCE "/corpus/manifests/web.yaml") +
                   " --controller kubernetes-1.37 --level strict --seed 134 --trials 200 --quiet --out found")
                .status,
            1);
  const std::string finding = "replay found/update.replaces-broken-revision-in-order.1.json";
  const Ended older = ordeal(finding + " --controller kubernetes-1.36");
  EXPECT_EQ(older.status, 1);
  EXPECT_THAT(older.out, HasSubstr("controller  kubernetes-1.36, level strict\n"));
  EXPECT_THAT(ordeal(finding + " --controllers kubernetes-1.36").out,
              HasSubstr("\nkubernetes-1.36  strict    violated"));
  const Ended not_asked = ordeal(finding + " --controller kubernetes-1.36 --level promised");
  EXPECT_EQ(not_asked.status, 0);
  EXPECT_THAT(not_asked.out, HasSubstr("which level promised does not ask for: --level strict does"));
}

// A promise of level promised, broken in a story that was judged at strict, may hold when it is judged at promised.
TEST_F(Command, AStoryIsReplayedAtTheLevelAtWhichItWasFoundWhoeverIsTried) {
  const std::string story = "replay " + shell_quoted(ORDEAL_SOURCE "/corpus/regressions/claim-given-to-its-pod.json");
  EXPECT_THAT(ordeal(story + " --controller kubernetes-1.36").out,
              HasSubstr("controller  kubernetes-1.36, level strict"));
  EXPECT_THAT(ordeal(story + " --controller kubernetes-1.36 --level promised").out,
              HasSubstr("controller  kubernetes-1.36, level promised"));
}

TEST_F(Command, ReplayOfSeveralScenariosSaysWhatBecomesOfEach) {
  const std::string out = "--trials 30 --seed 3 --quiet --out found";
  ASSERT_EQ(ordeal("run --controller kubernetes-1.35.0 " + out).status, 1);
  const Ended again = ordeal("replay found");
  EXPECT_EQ(again.status, 1) << again.out;
  EXPECT_THAT(again.out, StartsWith("  violated      found/"));
  EXPECT_THAT(again.out, HasSubstr(" violated\n  controller  kubernetes-1.35.0, level promised\n"));
  const Ended mended = ordeal("replay found/*.json found --controller strict");
  EXPECT_EQ(mended.status, 0) << mended.out;
  EXPECT_THAT(mended.out, AllOf(HasSubstr(".json  "), HasSubstr(" is kept\n"), HasSubstr(" held\n")));
  EXPECT_EQ(json::parse(ordeal("replay found --format json").out)[0]["verdict"], "violated");
  EXPECT_EQ(ordeal("replay found --controller exec:false").status, 3);
  for (const char* refused : {"--explain", "--controllers strict", "--format junit"})
    EXPECT_THAT(ordeal(std::string("replay found ") + refused).out, HasSubstr("go with a single FILE"));
  write("found/no.json", "{}");
  const Ended wrong = ordeal("replay found --controller strict");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.out, HasSubstr("found/no.json: format: is required"));
  EXPECT_EQ(ordeal("replay found").status, 1) << "a broken promise outranks a file that cannot be read";
  EXPECT_EQ(shell("mkdir empty; \"$ordeal\" replay empty").status, 2);
}

TEST_F(Command, ReplayLeavesOutWhatIsNotToBeAsked) {
  const std::string killer = shell_quoted(ORDEAL_SOURCE "/corpus/killers/identity-repair-relabels.json");
  const std::string broken = "identity,economy,update,status,convergence";
  ASSERT_EQ(shell("mkdir several; cp " + killer + " several").status, 0);
  for (const std::string& of :
       {killer, std::string("several"), killer + " --controllers mutant:identity-repair-relabels"}) {
    EXPECT_EQ(ordeal("replay " + of).status, 1) << of;
    EXPECT_EQ(ordeal("replay " + of + " --except ownership").status, 1) << of << ": that is held";
    EXPECT_EQ(ordeal("replay " + of + " --except " + broken).status, 0) << of;
    EXPECT_EQ(ordeal("replay " + of + " --except identify").status, 2) << of;
  }
  EXPECT_THAT(ordeal("replay " + killer + " --except " + broken + " --except waking").out,
              HasSubstr("not asked   identity."));
}

TEST_F(Command, ExportWritesEachFormAndNothingOfWhatHolds) {
  const std::string finding = shell_quoted(ORDEAL_SOURCE "/corpus/releases/parallel-rollout-behind-a-broken-pod.json");
  const auto exported = [&](const std::string& arguments) {
    return ordeal("export " + finding + " --controller kubernetes-1.35.0 " + arguments);
  };
  EXPECT_THAT(exported("--as prose").out,
              StartsWith("# StatefulSet: pod web-0 is broken, outdated, and nothing replaces it\n"));
  EXPECT_THAT(exported("--as kubectl").out, StartsWith("#!/usr/bin/env bash\n"));
  EXPECT_THAT(exported("--as gtest --invariant update.replaces-broken-at-once").out,
              HasSubstr("TEST(Exported, UpdateReplacesBrokenAtOnce)"));
  EXPECT_EQ(exported("--as prose -o report.md").status, 0);
  EXPECT_THAT(read("report.md"), StartsWith("# StatefulSet: "));
  const Ended other = exported("--as go-test");
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.out, HasSubstr("--controller kubernetes@RELEASE (found: kubernetes-1.35.0)"));
  const Ended held = ordeal("export " + finding + " --as prose --controller strict -o nothing.md");
  EXPECT_EQ(held.status, 2);
  EXPECT_THAT(held.out, HasSubstr("nothing to export: strict keeps what the file says it breaks"));
  EXPECT_FALSE(fs::exists(directory_ / "nothing.md"));
  EXPECT_EQ(ordeal("export " + finding + " --as prose --controller exec:false").status, 3);
  write("taken", "a file");
  EXPECT_EQ(exported("--as prose -o taken/x.md").status, 3);
}

TEST_F(Command, ReplayShowsTheStoryOfWhatHolds) {
  ASSERT_EQ(ordeal(broken).status, 1);
  const Ended ended =
      shell("for f in ordeal-out/*.json; do \"$ordeal\" replay \"$f\" --controller strict 2>&1 || exit; done");
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("this time it did not"));
  EXPECT_THAT(ended.out, HasSubstr("the set is created"));
}

TEST_F(Command, ReplayRefusesWhatIsNoScenario) {
  write("x.json", "{\"format\": \"ordeal/scenario/1\", \"steps\": [{\"do\": \"user.dance\"}]}");
  const Ended ended = ordeal("replay x.json");
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.out, HasSubstr("x.json: "));
  EXPECT_THAT(ended.out, HasSubstr("user.dance"));
}

TEST_F(Command, ShrinkWritesSomethingNoLarger) {
  ASSERT_EQ(ordeal(broken).status, 1);
  const Ended ended =
      shell("f=$(ls ordeal-out/*.json | head -n 1) && cp \"$f\" big.json && \"$ordeal\" shrink big.json -o small.json");
  EXPECT_EQ(ended.status, 1) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("no single step or field can go"));
  const json big = json::parse(read("big.json")), small = json::parse(read("small.json"));
  EXPECT_EQ(small["found"]["invariant"], big["found"]["invariant"]);
  EXPECT_LE(small["steps"].size(), big["steps"].size());
}

TEST_F(Command, ShrinkWritesToStandardOutputToo) {
  ASSERT_EQ(ordeal(broken).status, 1);
  const Ended ended =
      shell("f=$(ls ordeal-out/*.json | head -n 1) && \"$ordeal\" shrink \"$f\" -o - 2>&1 > piped.json");
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.out, HasSubstr(" steps became "));
  EXPECT_EQ(ordeal("replay piped.json").status, 1);
  EXPECT_FALSE(fs::exists(directory_ / "-"));
}

TEST_F(Command, ShrinkSaysWhatHeldAndWritesNothing) {
  const std::string finding = shell_quoted(ORDEAL_SOURCE "/corpus/releases/parallel-rollout-behind-a-broken-pod.json");
  const Ended held = ordeal("shrink " + finding + " --controller strict -o small.json");
  EXPECT_EQ(held.status, 0) << held.out;
  EXPECT_THAT(held.out, HasSubstr("nothing to shrink: strict keeps what the file says it breaks"));
  const Ended other =
      ordeal("shrink " + finding + " --controller kubernetes-1.35.0 --invariant identity.one-process -o small.json");
  EXPECT_EQ(other.status, 0) << "another promise is broken, and is not asked for";
  EXPECT_THAT(other.out, HasSubstr("nothing to shrink: kubernetes-1.35.0 keeps identity.one-process"));
  EXPECT_FALSE(fs::exists(directory_ / "small.json"));
}

}  // namespace
}  // namespace ordeal::fuzz
