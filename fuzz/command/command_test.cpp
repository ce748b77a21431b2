// Help, usage, manifests, lists, benchmarks; and standard streams that are full or closed.
#include <csignal>

#include "fuzz/command/test_command.h"

namespace ordeal::fuzz {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

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
  for (const char* nothing : {"", "--fast"})
    EXPECT_THAT(ordeal(nothing).out, StartsWith("ordeal: a command is needed")) << nothing;
  EXPECT_THAT(ordeal("run --trial 5").out,
              StartsWith("ordeal: ordeal run has no such option (found: --trial); did you mean \"--trials\"?"));
  EXPECT_THAT(ordeal("bench --fast").out, HasSubstr("(found: --fast); ordeal bench --help lists them"));
  EXPECT_THAT(ordeal("shrink one.json two.json -o x").out,
              HasSubstr("takes no more than it was given (found: two.json)"));
  EXPECT_THAT(ordeal("run --jobs many").out, HasSubstr("--jobs = many; see ordeal run --help"));
  EXPECT_THAT(ordeal("run --controller nobody").out, HasSubstr("must be one of strict, kubernetes-1.38"));
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

TEST_F(Command, AClosedPipeIsAnErrorOfEveryCommand) {
  for (const char* command :
       {"list --sources --json", "run --trials 1 --quiet", "corpus " ORDEAL_SOURCE "/corpus/scenarios"}) {
    const Ended closed = shell("{ \"$ordeal\" " + std::string(command) + " 2>&1 >&3; echo $? >&2; } 3> >(true) 2>&1");
    EXPECT_THAT(closed.out, HasSubstr("3\n")) << command;
  }
}

TEST_F(Command, WhatItStartedEndsWithItWhereNobodyWaitsForASignal) {
  const Ended ended = shell(
      "\"$ordeal\" corpus " ORDEAL_SOURCE
      "/corpus/scenarios --controller 'exec:sleep 4711 & echo $! > child; mv child begun; cat >/dev/null' "
      "2>&1 & pid=$!; until [ -e begun ]; do sleep 0.1; done; kill -TERM $pid; wait $pid; status=$?; "
      "of=/proc/$(cat begun)/cmdline; for i in 1 2 3 4 5 6 7 8 9; do grep -qs 4711 $of || break; sleep 0.2; done; "
      "grep -sc 4711 $of; exit $status");
  EXPECT_EQ(ended.status, 128 + SIGTERM);
  EXPECT_THAT(ended.out, AnyOf("", "0\n")) << "it is at work still";
}

TEST_F(Command, BenchWithoutABenchmarkIsBadUsage) { EXPECT_EQ(ordeal("bench --filter nosuch").status, 2); }

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
  write("more.yaml", std::string(web) + "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}\n");
  EXPECT_THAT(ordeal("validate more.yaml").out,
              HasSubstr("more.yaml: ConfigMap settings is not needed and was skipped"));
}

TEST_F(Command, HostileManifestsAreErrors) {
  for (const std::string& bytes :
       {std::string(), std::string("\xff\xfe\0x", 4), std::string(10000, '['), "a: " + std::string(5 << 20, 'x'),
        std::string("[1, 2]"), std::string("{\"apiVersion\": \"apps/v1\", \"kind\": \"StatefulSet\"}")}) {
    write("hostile", bytes);
    EXPECT_EQ(ordeal("validate hostile").status, 2) << bytes.substr(0, 20);
  }
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
  EXPECT_THAT(none.out, HasSubstr("PROMISE: there is no promise or family called status.never"));
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

}  // namespace
}  // namespace ordeal::fuzz
