// The real program, as a user calls it: exit status, output, files.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/engine/files.h"
#include "fuzz/engine/shell.h"

namespace ordeal::fuzz {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

struct Ended {
  int status = -1;
  std::string out;
};

class Command : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(directory_); }
  void TearDown() override { fs::remove_all(directory_); }

  /// Runs a line of shell in a directory of its own, where $ordeal is the program.
  Ended shell(const std::string& line) const {
    const std::string whole = "cd " + shell_quoted(directory_.string()) + " && ordeal=" + shell_quoted(ORDEAL_BINARY) +
                              " && unset ORDEAL_COMMAND && { " + line + "\n}";
    std::FILE* pipe = ::popen(("bash -c " + shell_quoted(whole)).c_str(), "r");
    Ended ended;
    std::array<char, 4096> block{};
    while (const std::size_t n = std::fread(block.data(), 1, block.size(), pipe)) ended.out.append(block.data(), n);
    const int raw = ::pclose(pipe);
    ended.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
    return ended;
  }
  Ended ordeal(const std::string& arguments) const { return shell("\"$ordeal\" " + arguments + " 2>&1"); }
  void write(const std::string& name, std::string_view bytes) const {
    ASSERT_TRUE(write_file((directory_ / name).string(), bytes));
  }
  std::string read(const std::string& name) const { return read_file((directory_ / name).string(), 1 << 20).value(); }

  const fs::path directory_ = fs::temp_directory_path() / ("ordeal-command-" + std::to_string(::getpid()));
};

constexpr std::string_view web = R"(apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: web
spec:
  serviceName: web
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1}]}
)";
// Enough trials of a mutant to break something, and few promises to shrink for.
#define BREAKS_SOMETHING "run --controller mutant:update-ignores-partition --trials 200 --seed 1 "
constexpr const char* broken = BREAKS_SOMETHING "--quiet ";

TEST_F(Command, HelpAndVersion) {
  EXPECT_EQ(ordeal("--version").out, "ordeal " ORDEAL_VERSION "\n");
  for (const char* command :
       {"", "run ", "ci ", "bisect ", "matrix ", "replay ", "shrink ", "export ", "diff ", "mutants ", "explore ",
        "list ", "validate ", "campaign ", "merge ", "corpus ", "bench "}) {
    const Ended help = ordeal(std::string(command) + "--help");
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_THAT(help.out, HasSubstr("Exit status: 0 held, 1 violated, 2 bad")) << command;
  }
}

TEST_F(Command, BadUsageIsTwoAndSaysWhatWouldBeRight) {
  for (const char* bad : {"",
                          "rnu",
                          "run --no-such",
                          "run --trials x",
                          "run --trials -1",
                          "run --time 5x",
                          "run --seed x",
                          "frobnicate",
                          "run --level x",
                          "run --format x",
                          "run --jobs 0",
                          "run --jobs many",
                          "replay",
                          "shrink x.json",
                          "mutants none",
                          "mutants --time-each x",
                          "mutants --jobs 0",
                          "mutants --seed x",
                          "matrix --controllers nobody",
                          "matrix --controllers ,",
                          "matrix --controllers strict,strict",
                          "matrix --controllers strict,",
                          "matrix --format junit",
                          "matrix --trials x",
                          "matrix --time 5x",
                          "matrix --jobs 0",
                          "matrix --level x",
                          "matrix --seed x",
                          "replay none.json --controllers nobody",
                          "replay none.json --controllers strict",
                          "replay none.json --controllers strict --explain",
                          "replay none.json --controllers strict --controller strict",
                          "replay none.json --controllers strict --format junit",
                          "export",
                          "export none.json",
                          "export none.json --as prose",
                          "export none.json --as yaml",
                          "export none.json --as prose --invariant none",
                          "export none.json --as prose --controller nobody",
                          "run --trials 1 --out ''",
                          "run --trials ''",
                          "ci --base ''",
                          "explore --faults crash:1,crash:2",
                          "explore --max-unavailable 0",
                          "ci --budget x",
                          "ci --base none",
                          "run --except nothing",
                          "ci --except update,",
                          "ci --known-of nobody",
                          "run --known-of nobody",
                          "run --against nobody",
                          "ci --against nobody",
                          "campaign --dir c --against nobody",
                          "campaign --dir c --except nothing",
                          "ci --known-of kubernetes-1.37 --fail-fast",
                          "merge",
                          "merge none --out x",
                          "merge . --out x",
                          "ci --seed x",
                          "ci --controller nobody",
                          "ci --corpus none",
                          "ci --corpus . none.yaml",
                          "ci --jobs 0",
                          "bisect",
                          "bisect none.json --good kubernetes-1.34 --bad kubernetes-1.36",
                          "bisect none.json --good kubernetes-1.34",
                          "run none.yaml",
                          "replay none.json",
                          "validate none.yaml",
                          "shrink none.json -o x.json"}) {
    const Ended ended = ordeal(bad);
    EXPECT_EQ(ended.status, 2) << bad << "\n" << ended.out;
    EXPECT_THAT(ended.out, Not(IsEmpty())) << bad;
  }
  EXPECT_THAT(ordeal("frobnicate").out, HasSubstr("there is no command of that name"));
  EXPECT_THAT(ordeal("run --controller nobody").out, HasSubstr("must be one of strict, kubernetes-1.37"));
}

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

TEST_F(Command, NoValueOfAManifestIsObeyedByATerminal) {
  std::string manifest(web);
  manifest.replace(manifest.find("serviceName: web"), 16, R"(serviceName: "a\e[31mb")");
  write("escapes.yaml", manifest);
  for (const std::string& ended : {ordeal("validate escapes.yaml").out, ordeal("run escapes.yaml --trials 1").out}) {
    EXPECT_THAT(ended, HasSubstr("(found: a?[31mb)"));
    EXPECT_THAT(ended, Not(HasSubstr("\x1b")));
  }
}

TEST_F(Command, AReleaseIsWalkedWithoutWhatItDoesNotKnow) {
  write("recreate.yaml", std::string(web) + "  updateStrategy: {type: Recreate}\n");
  const std::string walk = "explore recreate.yaml --replicas 1 --edits 1 --quiet --controller ";
  const Ended older = ordeal(walk + "kubernetes-1.34"), newest = ordeal(walk + "kubernetes-1.37");
  EXPECT_THAT(older.out, HasSubstr("left out, since kubernetes-1.34 does not know it: spec.updateStrategy.type"));
  EXPECT_THAT(older.out, HasSubstr("RollingUpdate"));
  EXPECT_THAT(newest.out, HasSubstr("Recreate"));
  EXPECT_THAT(newest.out, Not(HasSubstr("left out")));
}

TEST_F(Command, AReleaseIsTriedAndReplayedWithoutWhatItDoesNotKnow) {
  write("start.yaml", std::string(web) + "  ordinals: {start: 3}\n");
  const std::string left_out = "left out, since kubernetes-1.24 does not know it: spec.ordinals";
  const Ended run = ordeal("run start.yaml --trials 20 --controller kubernetes-1.24");
  EXPECT_THAT(run.out, HasSubstr("ordeal: StatefulSet web: " + left_out));
  EXPECT_THAT(ordeal("run start.yaml --trials 1 --controller kubernetes-1.37").out, Not(HasSubstr("left out")));

  ASSERT_EQ(ordeal("run start.yaml --as-found --trials 60 --level strict --controller kubernetes-1.37").status, 1);
  const Ended again = shell("\"$ordeal\" replay ordeal-out --controller kubernetes-1.24 2>&1");
  EXPECT_THAT(again.out, HasSubstr(left_out));
}

TEST_F(Command, WhatHoldsIsZero) {
  write("web.yaml", web);
  const Ended ended = ordeal("run web.yaml --trials 500 --quiet");
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_THAT(ended.out, StartsWith("HELD"));
  EXPECT_FALSE(fs::exists(directory_ / "ordeal-out")) << "nothing was found, nothing is written";
}

TEST_F(Command, AFindingIsOneAndItsReplayLineWorks) {
  const Ended found = ordeal(broken);
  ASSERT_EQ(found.status, 1) << found.out;
  const std::size_t at = found.out.find("  replay      ");
  ASSERT_NE(at, std::string::npos);
  const std::string line = found.out.substr(at + 14, found.out.find('\n', at) - at - 14);
  const Ended again = shell(line);
  EXPECT_EQ(again.status, 1) << line << "\n" << again.out;
  const std::string first_line = found.out.substr(0, found.out.find('\n'));
  EXPECT_THAT(again.out, HasSubstr(first_line));
}

TEST_F(Command, JsonIsTheSameForAnyJobs) {
  const auto run = [&](const std::string& jobs) {
    const Ended ended = shell("\"$ordeal\" " + std::string(broken) + "--format json --jobs " + jobs);
    EXPECT_EQ(ended.status, 1);
    json parsed = json::parse(ended.out);
    parsed.erase("timing");
    return parsed;
  };
  const json one = run("1");
  EXPECT_EQ(one, run("3"));
  EXPECT_EQ(one["trials"], 200);
  for (const json& finding : one["findings"]) EXPECT_TRUE(fs::exists(directory_ / finding["file"].get<std::string>()));
}

TEST_F(Command, EachCauseOfABrokenPromiseIsAFindingWithAFile) {
  const std::string arguments =
      "run --controller kubernetes-1.37 --level strict --trials 400 --seed 1 --quiet --format json";
  std::set<std::string> files, causes;
  for (const std::string jobs : {"1", "3"}) {
    const json findings = json::parse(shell("\"$ordeal\" " + arguments + " --jobs " + jobs).out)["findings"];
    files.clear();
    causes.clear();
    for (const json& finding : findings) {
      files.insert(fs::path(finding["file"].get<std::string>()).filename());
      causes.insert(finding["invariant"].get<std::string>() + ": " + finding["cause"].get<std::string>());
    }
    EXPECT_EQ(causes.size(), findings.size()) << "none is told twice";
    EXPECT_EQ(files.size(), findings.size());
  }
  EXPECT_TRUE(std::ranges::any_of(files, [](const std::string& file) { return file.ends_with(".2.json"); }))
      << "some promise breaks for two reasons";
  std::set<std::string> stored;
  for (const auto& entry : fs::directory_iterator(directory_ / "ordeal-out")) stored.insert(entry.path().filename());
  EXPECT_EQ(stored, files) << "nothing is left of what was merged, nor of the run before";
}

TEST_F(Command, WhatIsExceptedIsNotAskedAndTheReportSaysSo) {
  const std::string run = "\"$ordeal\" " + std::string(broken) + "--format json";
  const json all = json::parse(shell(run).out);
  EXPECT_THAT(all["except"], IsEmpty());
  std::set<std::string> found;
  for (const json& finding : all["findings"]) found.insert(finding["invariant"].get<std::string>());
  std::string except;
  for (const std::string& id : found) except += " --except " + id;
  const Ended rest = shell(run + except);
  EXPECT_EQ(rest.status, 0) << rest.out;
  EXPECT_EQ(json::parse(rest.out)["verdict"], "held");
  EXPECT_EQ(json::parse(rest.out)["except"].size(), found.size());
  const Ended told = ordeal(std::string(broken) + except);
  EXPECT_THAT(told.out, AllOf(StartsWith("HELD"), HasSubstr("\n  not asked   "), HasSubstr(*found.begin())));
  write("web.yaml", web);
  fs::create_directories(directory_ / "corpus" / "regressions");
  const Ended check =
      ordeal("ci web.yaml --controller kubernetes-1.37 --seed 1 --budget 100ms --quiet --except update");
  EXPECT_THAT(check.out, HasSubstr("  not asked   update."));
  EXPECT_THAT(read("ordeal-out/summary.md"), HasSubstr("Not asked: update."));
  EXPECT_THAT(read("ordeal-out/junit.xml"), AllOf(HasSubstr("<property name=\"not asked\" value=\"update."),
                                                  Not(HasSubstr("<testcase classname=\"update\""))));
  EXPECT_THAT(read("ordeal-out/ordeal.sarif"), Not(HasSubstr("\"id\": \"update.")));
}

TEST_F(Command, FormatsOfARun) {
  EXPECT_THAT(ordeal("run --trials 100 --quiet --format junit").out, StartsWith("<?xml"));
  EXPECT_EQ(json::parse(shell("\"$ordeal\" run --trials 100 --format json 2> /dev/null").out)["verdict"], "held");
}

TEST_F(Command, StoriesOfTheCorpusComeFirstUnlessOnlyWhatIsDrawnIsAskedFor) {
  const std::string run = "run --controller mutant:waking-claims-made-forgotten --trials 150 --quiet ";
  const Ended told = ordeal(run);
  EXPECT_EQ(told.status, 1);
  EXPECT_THAT(told.out, HasSubstr("\n  found in    corpus/killers/"));
  EXPECT_THAT(told.out, Not(HasSubstr("\n  or   "))) << "no seed draws a story";
  EXPECT_THAT(ordeal(run + "--drawn-only").out, Not(HasSubstr("found in")));
  write("web.yaml", web);
  EXPECT_THAT(ordeal(run + "web.yaml").out, Not(HasSubstr("found in"))) << "a user's set is asked about";
}

TEST_F(Command, NoTrialIsInconclusive) { EXPECT_EQ(ordeal("run --trials 0 --quiet").status, 3); }

TEST_F(Command, SigintEndsARunWithTheVerdictSoFar) {
  // Interrupted once `condition` holds, so that a slow machine has come as far.
  const auto interrupted = [&](const std::string& options, const std::string& condition) {
    return shell("\"$ordeal\" run --time 120s " + options + " 2> progress & pid=$!; until " + condition +
                 "; do sleep 0.1; done; kill -INT $pid; wait $pid");
  };
  const Ended held = interrupted("", "[ -s progress ]");
  EXPECT_EQ(held.status, 130) << held.out;
  EXPECT_THAT(held.out, HasSubstr("(interrupted)"));
  const Ended violated =
      interrupted("--controller mutant:update-ignores-partition", "ls ordeal-out/*.json > /dev/null 2>&1");
  EXPECT_EQ(violated.status, 1) << violated.out;
  EXPECT_THAT(violated.out, HasSubstr("(interrupted)"));
}

TEST_F(Command, AFindingThatCannotBeStoredIsPrintedAndInconclusive) {
  write("taken", "a file");
  for (const char* other : {"ci", "matrix --trials 1", "explore"})
    EXPECT_THAT(ordeal(std::string(other) + " --quiet --out taken").out,
                HasSubstr("--out: stories go into a directory, and this is none"))
        << other;
  const Ended refused = ordeal(std::string(broken) + "--out taken");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.out, HasSubstr("--out: stories go into a directory, and this is none (found: taken)"));
  const Ended ended = ordeal(std::string(broken) + "--out /proc/none");
  EXPECT_EQ(ended.status, 3);
  EXPECT_THAT(ended.out, HasSubstr("/proc/none: "));
  EXPECT_THAT(ended.out, HasSubstr("\"format\": \"ordeal/scenario/1\"")) << "the scenario is not lost";
  EXPECT_THAT(ended.out, HasSubstr("VIOLATED"));
}

TEST_F(Command, AFullDiskIsNoVerdict) {
  const Ended files =
      shell("ulimit -f 0; trap '' XFSZ; \"$ordeal\" " + std::string(broken) + "2>&1 | cat; exit \"${PIPESTATUS[0]}\"");
  EXPECT_EQ(files.status, 3) << files.out;
  EXPECT_THAT(files.out, HasSubstr("File too large"));
  const Ended output = shell("\"$ordeal\" run --trials 10 --quiet 2>&1 > /dev/full");
  EXPECT_EQ(output.status, 3);
  EXPECT_THAT(output.out, HasSubstr("standard output: No space left"));
}

TEST_F(Command, AClosedStandardStreamIsNobodyElses) {
  const std::string run = "\"$ordeal\" run --trials 3 --seed 1 --quiet --controller \"exec:" ORDEAL_ECHO " strict\" ";
  EXPECT_EQ(shell(run + "<&-").status, 0);
  EXPECT_EQ(shell(run + "2>&-").status, 0);
  const Ended closed = shell(run + "2>&1 >&-");
  EXPECT_EQ(closed.status, 3) << "nobody was told";
  EXPECT_THAT(closed.out, HasSubstr("standard output: Bad file descriptor"));
}

TEST_F(Command, BenchWithoutABenchmarkIsBadUsage) { EXPECT_EQ(ordeal("bench --filter nosuch").status, 2); }

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

TEST_F(Command, AFindingThatOnlyAnotherVersionKnowsStaysOpenAndIsNamed) {
  const std::string campaign =
      "campaign --dir c --controller mutant:update-ignores-partition --seed 1 --quiet --stints 1";
  ASSERT_EQ(ordeal(campaign + " --stint-trials 200").status, 1);
  const std::string rename = "cd c/findings && f=$(ls | head -1) && sed -i 's/\"invariant\": \"/&later./' $f";
  ASSERT_EQ(shell(rename).status, 0);
  const Ended again = ordeal(campaign + " --stint-trials 200");
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.out, HasSubstr("this version of ordeal knows no promise later."));
  EXPECT_FALSE(fs::exists(directory_ / "c/findings/closed"));
}

TEST_F(Command, AMergeThatPassedAFindingOverHasNotSeenThatAllHolds) {
  ASSERT_EQ(ordeal("campaign --dir c --stints 1 --stint-trials 20 --quiet").status, 0);
  EXPECT_EQ(ordeal("merge c --out m").status, 0);
  write("c/findings/0123456789abcdef.json", "{");
  const Ended merged = ordeal("merge c --out n");
  EXPECT_THAT(merged.out, AllOf(HasSubstr("passed over: "), HasSubstr("n: 0 findings")));
  EXPECT_EQ(merged.status, 3);
}

// What was whole in an earlier invocation says nothing about today's controller.
TEST_F(Command, ACampaignThatGotNoWhereIsInconclusive) {
  ASSERT_EQ(ordeal("campaign --dir c --stints 1 --stint-trials 20 --quiet").status, 0);
  const Ended ended = ordeal("campaign --dir c --time 0 --stint-trials 20 --quiet");
  EXPECT_EQ(ended.status, 3) << ended.out;
}

TEST_F(Command, ValidateNamesFileLineAndField) {
  write("web.yaml", web);
  EXPECT_EQ(ordeal("validate web.yaml").status, 0);
  write("bad.yaml", std::string(web).replace(web.find("replicas: 3"), 11, "replicas: -3"));
  write("worse.yaml", "a: [");
  const Ended ended = ordeal("validate web.yaml bad.yaml worse.yaml");
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.out, HasSubstr("bad.yaml:7: spec.replicas: "));
  EXPECT_THAT(ended.out, HasSubstr("(found: -3)"));
  EXPECT_THAT(ended.out, HasSubstr("worse.yaml:"));
  EXPECT_EQ(ordeal("run bad.yaml --trials 1").status, 2) << "nothing is tried with a bad manifest";
}

TEST_F(Command, HostileManifestsAreErrors) {
  for (const std::string& bytes :
       {std::string(), std::string("\xff\xfe\0x", 4), std::string(10000, '['), "a: " + std::string(5 << 20, 'x'),
        std::string("[1, 2]"), std::string("{\"apiVersion\": \"apps/v1\", \"kind\": \"StatefulSet\"}")}) {
    write("hostile", bytes);
    EXPECT_EQ(ordeal("validate hostile").status, 2) << bytes.substr(0, 20);
  }
}

TEST_F(Command, WrongControllersAndFormatsAreNamed) {
  EXPECT_THAT(ordeal("matrix --controllers strict,kubernetes-1.39").out,
              AllOf(HasSubstr("must be one of strict, kubernetes-1.37"), HasSubstr("(found: kubernetes-1.39)")));
  EXPECT_THAT(ordeal("matrix --controllers strict,strict").out,
              HasSubstr("names of different controllers (found: strict)"));
  EXPECT_THAT(ordeal("diff --a strict --b kubernetes@0.0").out,
              HasSubstr("--b: the adapter for Kubernetes 0.0 is not built"));
  EXPECT_THAT(ordeal("matrix --format junit").out, HasSubstr("must be text, json or markdown (found: junit)"));
  EXPECT_THAT(ordeal("export none.json --as yaml").out,
              HasSubstr("must be kubectl, prose, gtest or go-test (found: yaml)"));
  EXPECT_THAT(ordeal("export none.json --as prose").out, HasSubstr("none.json: "));
  EXPECT_THAT(ordeal("export none.json --as prose --for 1.37.1").out,
              HasSubstr("--for: only a Go test is compiled in a release (found: --as prose)"));
}

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
  const Ended wrong = ordeal("replay found");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.out, HasSubstr("found/no.json: format: is required"));
  EXPECT_EQ(shell("mkdir empty; \"$ordeal\" replay empty").status, 2);
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

/// An adapter that names each pod's host by a number it never uses again.
constexpr std::string_view restless = R"(import json, sys
reference, numbers = sys.argv[1], iter(range(10**9))
import subprocess
inner = subprocess.Popen([reference, "strict"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
def forward():
    message = json.loads(inner.stdout.readline())
    for call in message.get("calls", []):
        if call["method"] == "POST" and call["path"].endswith("/pods"):
            call["body"]["metadata"].setdefault("annotations", {})["drawn"] = str(next(numbers))
    print(json.dumps(message), flush=True)
for line in sys.stdin:
    inner.stdin.write(line)
    inner.stdin.flush()
    if json.loads(line)["type"] in ("hello", "sync", "replies"):
        forward()
)";

TEST_F(Command, TwiceNamesTheCallAndTheFieldThatDiffer) {
  write("restless.py", restless);
  const Ended ended = ordeal(
      "run --twice --trials 3 --drawn-only --seed 1 --quiet --controller \"exec:python3 restless.py " ORDEAL_ECHO "\"");
  EXPECT_EQ(ended.status, 3) << ended.out;
  EXPECT_THAT(
      ended.out,
      HasSubstr(
          "the same trial, run twice, goes differently: POST pods: /body/metadata/annotations/drawn (trial 0, 3 times)\n"));
  EXPECT_FALSE(fs::exists(directory_ / "ordeal-out")) << "nothing is claimed";
  const Ended calm =
      ordeal("run --twice --trials 8 --seed 1 --quiet --controller \"exec:" ORDEAL_ECHO " strict\" --level strict");
  EXPECT_EQ(calm.status, 0) << calm.out;
}

TEST_F(Command, AProgramThatBreaksDownWhenAskedTwiceHasNoVerdict) {
  write("tired.py", R"(import subprocess, sys
echo = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
for line in sys.stdin:
    plays = sum(1 for _ in open("plays")) if __import__("os").path.exists("plays") else 0
    if '"reset"' in line:
        open("plays", "a").write("x\n")
        if plays >= 2: sys.exit(9)
    echo.stdin.write(line)
    if '"hello"' in line: print(echo.stdout.readline(), end="", flush=True)
    if '"sync"' in line or '"replies"' in line: print(echo.stdout.readline(), end="", flush=True)
)");
  const Ended ended =
      ordeal("run --twice --trials 1 --seed 1 --quiet --controller \"exec:python3 tired.py " ORDEAL_ECHO " strict\"");
  EXPECT_EQ(ended.status, 3) << ended.out;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("INCONCLUSIVE"), HasSubstr("ended with status 9")));
}

TEST_F(Command, ACommandMayBeMoreThanAProgram) {
  EXPECT_EQ(ordeal("run --trials 1 --quiet --controller 'exec:TZ=UTC " ORDEAL_ECHO " strict'").status, 0);
  ASSERT_EQ(shell("mkdir a=b && ln -s " ORDEAL_ECHO " a=b/echo").status, 0);
  EXPECT_EQ(ordeal("run --trials 1 --quiet --controller \"exec:$PWD/a=b/echo strict\"").status, 0);
  EXPECT_EQ(ordeal("run --trials 1 --quiet --controller 'exec:cd / && " ORDEAL_ECHO " strict'").status, 0);
}

TEST_F(Command, DiffTriesTheLastNumbersToo) {
  const Ended ended = ordeal("diff --a strict --b strict --first 18446744073709551615 --trials 5");
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("5 trials: 0 differ"));
}

TEST_F(Command, DiffStopsOnASignalAndSaysWhatItTried) {
  // Interrupted once it catches SIGINT, however long a busy machine takes to come so far.
  const Ended ended = shell(
      "\"$ordeal\" diff --a strict --b strict --trials 1000000000 & pid=$!; "
      "until grep -q 'SigCgt:.*[2367abef]$' /proc/$pid/status; do sleep 0.1; done; kill -INT $pid; wait $pid");
  EXPECT_EQ(ended.status, 130);
  // One trial, if the signal came at once.
  EXPECT_THAT(ended.out,
              testing::MatchesRegex("[0-9,]+ trials?: 0 differ between strict and strict, 0 inconclusive\n"));
}

TEST_F(Command, MoreJobsThanTheSystemHasThreadsForAreRefused) {
  // Address space for a few stacks only. A program that is watched by a sanitizer needs more to begin with.
  if (shell("ulimit -v 400000 && \"$ordeal\" --version").status != 0) return;
  const char* all[] = {"run --controller strict --trials 1000000 --jobs 1000 --quiet",
                       "explore --controller strict --jobs 1000",
                       "mutants --jobs 1000 update-ignores-partition storage-claim-without-spec --keep kept"};
  for (const char* command : all) {
    const Ended ended = shell("ulimit -v 400000 && \"$ordeal\" " + std::string(command) + " 2>&1");
    EXPECT_EQ(ended.status, 3) << ended.out;
    EXPECT_THAT(ended.out, HasSubstr("so many jobs cannot be started: the system refuses ")) << command;
  }
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

TEST_F(Command, ShrinkOfWhatHoldsWritesNothing) {
  ASSERT_EQ(ordeal(broken).status, 1);
  const Ended ended = shell(
      "f=$(ls ordeal-out/*.json | head -n 1) && \"$ordeal\" shrink \"$f\" --controller strict -o small.json 2>&1");
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_FALSE(fs::exists(directory_ / "small.json"));
}

TEST_F(Command, MutantsThatAreFoundAreZero) {
  const Ended text = ordeal("mutants identity-no-hostname update-ignores-partition");
  EXPECT_EQ(text.status, 0) << text.out;
  EXPECT_THAT(text.out, HasSubstr("\nidentity.hostname\n  identity-no-hostname "));
  EXPECT_THAT(text.out, HasSubstr("2 of 2 mutants found"));
  const json array = json::parse(shell("\"$ordeal\" mutants --json --jobs 2 update-ignores-partition").out);
  ASSERT_EQ(array.size(), 1u);
  for (const char* key : {"id", "about", "found", "invariant", "trials", "seconds", "steps"})
    EXPECT_TRUE(array[0].contains(key)) << key;
  EXPECT_EQ(array[0]["found"], true);
}

TEST_F(Command, MutantsKeepTakesAwayOnlyWhatItHasWritten) {
  const std::string hunt = "mutants --time-each 20s --keep kept ";
  ASSERT_EQ(ordeal(hunt + "update-ignores-partition").status, 0);
  ASSERT_EQ(
      shell(
          "mkdir kept/mine && cp kept/update-ignores-partition.json kept/mine/ && cp kept/update-ignores-partition.json kept/other.json")
          .status,
      0);
  ASSERT_EQ(ordeal(hunt + "storage-claim-without-spec").status, 0);
  EXPECT_TRUE(fs::exists(directory_ / "kept/storage-claim-without-spec.json"));
  EXPECT_FALSE(fs::exists(directory_ / "kept/update-ignores-partition.json"));
  EXPECT_TRUE(fs::exists(directory_ / "kept/other.json")) << "not called as a mutant";
  EXPECT_TRUE(fs::exists(directory_ / "kept/mine/update-ignores-partition.json")) << "in a directory of somebody's own";
}

TEST_F(Command, AMutantThatSurvivesIsOne) {
  const Ended ended = ordeal("mutants --time-each 0 identity-no-hostname");
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.out, HasSubstr("SURVIVED"));
  EXPECT_THAT(ordeal("mutants none").out, HasSubstr("identity-no-hostname")) << "the choices are named";
}

TEST_F(Command, WhatIsKnownOfAReleaseIsNoViolationOfItsFork) {
  const std::string run = "run --controller kubernetes-1.27 --trials 100 --quiet";
  EXPECT_EQ(ordeal(run).status, 1);
  const Ended accepted = ordeal(run + " --known-of kubernetes-1.27");
  EXPECT_EQ(accepted.status, 0) << accepted.out;
  EXPECT_THAT(accepted.out, HasSubstr("findings: known of kubernetes-1.27, which fails no check"));
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

TEST_F(Command, CiHoldsAForkAgainstItsOriginal) {
  const std::string ci =
      "ci --controller kubernetes-1.27 --budget 4s --seed 1 --quiet --corpus " ORDEAL_SOURCE "/corpus";
  EXPECT_EQ(ordeal(ci).status, 1);
  const Ended beside = ordeal(ci + " --against kubernetes-1.27");
  EXPECT_NE(beside.status, 1) << beside.out;
  EXPECT_THAT(beside.out, HasSubstr("against     kubernetes-1.27, which breaks in the same trials: "));
  EXPECT_THAT(read("ordeal-out/summary.md"), HasSubstr("Against: kubernetes-1.27, which breaks in the same trials: "));
}

/// One trial in a hundred is enough: found, shrunk, stored, reported, replayed.
TEST_F(Command, TheCanaryGoesAllTheWay) {
  const Ended found = shell("\"$ordeal\" run --controller canary --trials 2000 --seed 2 --quiet --format json");
  ASSERT_EQ(found.status, 1) << found.out;
  const json report = json::parse(found.out);
  ASSERT_FALSE(report["findings"].empty());
  for (const json& each : report["findings"]) EXPECT_EQ(each["invariant"], "identity.hostname");
  const json& finding = report["findings"][0];
  const std::string file = finding["file"];
  const json stored = json::parse(read(file));
  EXPECT_LE(stored["steps"].size(), 4u) << "shrunk to what the bug needs";
  EXPECT_THAT(ordeal("run --controller canary --trials 2000 --seed 2 --quiet").out,
              AllOf(StartsWith("VIOLATED  identity.hostname"), HasSubstr(file)));
  const Ended again = ordeal("replay " + file);
  EXPECT_EQ(again.status, 1) << again.out;
  EXPECT_THAT(again.out, HasSubstr("VIOLATED  identity.hostname"));
  EXPECT_EQ(ordeal("replay " + file + " --controller strict").status, 0) << "the scenario is not to blame";
}

TEST_F(Command, ExploreEndsWithACertificate) {
  write("web.yaml", web);
  const std::string small = "explore web.yaml --replicas 1 --templates 1 --edits 1 --quiet ";
  const Ended text = ordeal(small);
  EXPECT_EQ(text.status, 0) << text.out;
  EXPECT_THAT(text.out,
              AllOf(StartsWith("HELD "), HasSubstr("27 and 42 transitions"), HasSubstr("no move leads to another")));
  const json one = json::parse(ordeal(small + "--format json").out),
             two = json::parse(ordeal(small + "--jobs 2 --format json").out);
  EXPECT_EQ(one["states"], 27);
  EXPECT_EQ(one["digest"], two["digest"]);
  EXPECT_EQ(one["reach"], "all");
}

TEST_F(Command, ExploreTellsTheShortestStory) {
  write("web.yaml", web);
  const Ended ended = ordeal(
      "explore web.yaml --replicas 2 --edits 0 --controller mutant:ordering-waits-for-nobody --quiet --format json");
  EXPECT_EQ(ended.status, 1) << ended.out;
  const json found = json::parse(ended.out);
  EXPECT_EQ(found["reach"], "violation");
  ASSERT_FALSE(found["findings"].empty());
  EXPECT_EQ(ordeal("replay " + found["findings"][0]["file"].get<std::string>()).status, 1);
}

TEST_F(Command, ExploreBeginsWithThePlainestSet) {
  const Ended ended = ordeal("explore --replicas 1 --edits 0 --quiet");
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("  world       web: replicas=1, OrderedReady, RollingUpdate, claim www\n"));
}

TEST_F(Command, ExploreSaysWhyItCannot) {
  write("web.yaml", web);
  const auto refused = [&](const std::string& arguments, const std::string& because) {
    const Ended ended = ordeal("explore web.yaml --quiet " + arguments);
    EXPECT_EQ(ended.status, 2) << arguments;
    EXPECT_THAT(ended.out, HasSubstr(because));
  };
  refused("--faults crush:1", "(found: crush:1)");
  refused("--faults crash:10", "(found: crash:10)");
  refused("--memory 8T", "(found: 8T)");
  refused("--replicas 9", "--replicas: must be from 0 to 8 (found: 9)");
  refused("--partition 1,x", "(found: 1,x)");
  refused("--controller canary", "cannot be walked with");
  const Ended full = ordeal("explore web.yaml --quiet --memory 10K");
  EXPECT_EQ(full.status, 3) << full.out;
  EXPECT_THAT(full.out, HasSubstr("then the memory was full"));
}

TEST_F(Command, ExploreRefusesMoreClaimsThanAStateCounts) {
  std::string many(web);
  many += "  podManagementPolicy: Parallel\n  volumeClaimTemplates:\n";
  for (int i = 0; i < 40; ++i)
    many += "  - {metadata: {name: d" + std::to_string(i) +
            "}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}\n";
  write("many.yaml", many);
  const Ended ended = ordeal("explore many.yaml --quiet --replicas 8 --edits 0 --depth 2");
  EXPECT_EQ(ended.status, 2) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("at most 100 claims can be walked (found: 40 templates for each of 8 pods)"));
}

TEST_F(Command, List) {
  EXPECT_THAT(ordeal("list").out, HasSubstr("identity.one-process"));
  EXPECT_GE(json::parse(ordeal("list --json").out).size(), 80u);
}

TEST_F(Command, ListTellsAllAboutPromisesAndFamilies) {
  EXPECT_THAT(ordeal("list status.never-negative").out,
              AllOf(StartsWith("status.never-negative\n  promise "), HasSubstr("kubernetes/kubernetes#75498")));
  EXPECT_THAT(ordeal("list waking").out,
              AllOf(StartsWith("waking.by-events\n"), HasSubstr("\nwaking.as-asked\n"), Not(HasSubstr("\nstatus."))));
  EXPECT_EQ(json::parse(ordeal("list --json status.never-negative").out).size(), 1u);
  const Ended none = ordeal("list status.never");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.out, HasSubstr("there is no promise and no family called status.never"));
}

TEST_F(Command, ListOfSources) {
  const Ended text = ordeal("list --sources");
  EXPECT_EQ(text.status, 0);
  EXPECT_THAT(text.out, HasSubstr("    Claims are there before their pod.\n      storage.claims-before-pod\n"));
  const json sources = json::parse(ordeal("list --sources --json").out);
  EXPECT_GE(sources.size(), 400u);
  for (const json& sentence : sources)
    EXPECT_TRUE(!sentence["covered_by"].empty() || !sentence["otherwise"].get<std::string>().empty()) << sentence;
}

TEST_F(Command, BenchIsGoogleBenchmarksFormatWithRatios) {
  const Ended ended = shell("\"$ordeal\" bench --json --filter 'syncs/' --min-time 0.01 --repetitions 2");
  EXPECT_EQ(ended.status, 0) << ended.out;
  const json bench = json::parse(ended.out);
  EXPECT_FALSE(bench["benchmarks"].empty());
  EXPECT_TRUE(bench.contains("context"));
  EXPECT_GT(bench["ratios"]["checked_to_bare"].get<double>(), 0.5);
}

TEST_F(Command, ProgressGoesToStandardError) {
  const Ended out = shell("\"$ordeal\" " BREAKS_SOMETHING "2> /dev/null");
  EXPECT_THAT(out.out, Not(HasSubstr(" is broken in trial ")));
  const Ended error = shell("\"$ordeal\" " BREAKS_SOMETHING "2>&1 > /dev/null");
  EXPECT_THAT(error.out, HasSubstr(" is broken in trial "));
}

TEST_F(Command, CorpusTellsWhatIsExercisedAndKeepsTheFewThatExerciseAsMuch) {
  const Ended whole = ordeal("corpus " ORDEAL_SOURCE "/corpus/scenarios --out kept");
  EXPECT_EQ(whole.status, 0) << whole.out;
  EXPECT_THAT(whole.out, AllOf(HasSubstr(" encounters\nkept in kept: "), HasSubstr("update-pod")));
  const std::string met = whole.out.substr(whole.out.find("; "), whole.out.find("\n") - whole.out.find("; "));
  EXPECT_THAT(ordeal("corpus kept").out, HasSubstr(met));
  EXPECT_THAT(ordeal("corpus kept --missing").out, HasSubstr("adopt-pod"));
}

TEST_F(Command, CorpusRefusesWhatItCannotRead) {
  EXPECT_EQ(ordeal("corpus").status, 2);
  const Ended absent = ordeal("corpus absent");
  EXPECT_EQ(absent.status, 2);
  EXPECT_THAT(absent.out, HasSubstr("absent"));
  write("damaged.json", "{\"format\": 1");
  EXPECT_THAT(ordeal("corpus damaged.json").out, HasSubstr("damaged.json: "));
  EXPECT_THAT(ordeal("corpus damaged.json --controller stric").out, HasSubstr("strict"));
}

// --- ci ----------------------------------------------------------------------------------------------------------------

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

// --- bisect ------------------------------------------------------------------------------------------------------------

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
