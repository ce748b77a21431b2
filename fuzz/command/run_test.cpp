// `ordeal run`: verdicts, findings and their files, formats, signals, programs that misbehave.
#include <algorithm>
#include <set>

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

TEST_F(Command, NoValueOfAManifestIsObeyedByATerminal) {
  std::string manifest(web);
  manifest.replace(manifest.find("serviceName: web"), 16, R"(serviceName: "a\e[31mb")");
  write("escapes.yaml", manifest);
  for (const std::string& ended : {ordeal("validate escapes.yaml").out, ordeal("run escapes.yaml --trials 1").out}) {
    EXPECT_THAT(ended, HasSubstr("(found: a?[31mb)"));
    EXPECT_THAT(ended, Not(HasSubstr("\x1b")));
  }
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
  const std::string run = "run --controller mutant:waking-claims-made-forgotten --trials 400 --quiet ";
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

TEST_F(Command, WrongControllersAndFormatsAreNamed) {
  EXPECT_THAT(ordeal("matrix --controllers strict,kubernetes-1.39").out,
              AllOf(HasSubstr("must be one of strict, kubernetes-1.38"), HasSubstr("(found: kubernetes-1.39)")));
  EXPECT_THAT(ordeal("matrix --controllers strict,strict").out,
              HasSubstr("names of different controllers (found: strict)"));
  EXPECT_THAT(ordeal("diff --a strict --b kubernetes@0.0").out,
              HasSubstr("--b: the adapter for Kubernetes 0.0 is not built"));
  for (const char* command : {"bisect x --good strict --bad strict", "explore"})
    EXPECT_THAT(ordeal(std::string(command) + " --format junit").out, HasSubstr("must be text or json (found: junit)"));
  EXPECT_THAT(ordeal("matrix --format junit").out, HasSubstr("must be text, json or markdown (found: junit)"));
  EXPECT_THAT(ordeal("export none.json --as yaml").out,
              HasSubstr("must be kubectl, prose, gtest or go-test (found: yaml)"));
  EXPECT_THAT(ordeal("export none.json --as prose").out, HasSubstr("none.json: "));
  EXPECT_THAT(ordeal("export none.json --as prose --for 1.37.1").out,
              HasSubstr("--for: only a Go test is compiled in a release (found: --as prose)"));
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

TEST_F(Command, ProgressGoesToStandardError) {
  const Ended out = shell("\"$ordeal\" " BREAKS_SOMETHING "2> /dev/null");
  EXPECT_THAT(out.out, Not(HasSubstr(" is broken in trial ")));
  const Ended error = shell("\"$ordeal\" " BREAKS_SOMETHING "2>&1 > /dev/null");
  EXPECT_THAT(error.out, HasSubstr(" is broken in trial "));
}

}  // namespace
}  // namespace ordeal::fuzz
