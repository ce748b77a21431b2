#include "fuzz/report/sarif.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/report/test_report.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using nlohmann::json;
using properties::catalogue;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Check some_check() {
  Check check{.report = test_report()};
  check.report.findings[0].finding.invariant = &catalogue[3];
  check.report.findings[0].known = nullptr;
  return check;
}

json run_of(const Check& check) { return json::parse(check_sarif(check))["runs"][0]; }

TEST(Sarif, SaysWhatItIs) {
  const json log = json::parse(check_sarif(some_check()));
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_THAT(log["$schema"].get<std::string>(), HasSubstr("sarif-schema-2.1.0.json"));
  ASSERT_EQ(log["runs"].size(), 1u);
  EXPECT_EQ(log["runs"][0]["tool"]["driver"]["name"], "Ordeal");
}

/// What section 3 of the standard, and code scanning, require of every rule and result.
TEST(Sarif, HasWhatIsRequired) {
  const json run = run_of(some_check());
  std::set<std::string> ids;
  for (const json& rule : run["tool"]["driver"]["rules"]) {
    ids.insert(rule["id"].get<std::string>());
    for (const char* text : {"shortDescription", "fullDescription", "help"})
      EXPECT_FALSE(rule[text]["text"].get<std::string>().empty());
  }
  EXPECT_EQ(ids.size(), catalogue.size());
  ASSERT_EQ(run["results"].size(), 1u);
  const json& result = run["results"][0];
  EXPECT_EQ(result["ruleId"], catalogue[3].id);
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
  EXPECT_THAT(result["message"]["text"].get<std::string>(), StartsWith("web-1 was created at r2\n"));
  EXPECT_TRUE(result["partialFingerprints"].is_object());
  ASSERT_EQ(result["locations"].size(), 1u);
  EXPECT_GE(result["locations"][0]["physicalLocation"]["region"]["startLine"].get<int>(), 1);
}

TEST(Sarif, HelpIsThePromiseAndItsSource) {
  const json run = run_of(some_check());
  const json& rule = run["tool"]["driver"]["rules"][0];
  EXPECT_EQ(rule["id"], catalogue[0].id);
  EXPECT_EQ(rule["help"]["text"],
            std::string(catalogue[0].promise) + "\nPromised in: " + std::string(catalogue[0].source));
}

TEST(Sarif, TheLocationIsTheStoredScenarioAsAUri) {
  const auto uri = [](std::string file, std::string from) {
    Check check = some_check();
    check.report.findings[0].file = std::move(file);
    check.report.findings[0].from = std::move(from);
    return run_of(check)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        .get<std::string>();
  };
  EXPECT_EQ(uri("ordeal-out/search/a.1.json", ""), "ordeal-out/search/a.1.json");
  EXPECT_EQ(uri("./out/a.1.json", "corpus/regressions/b c%.json"), "corpus/regressions/b%20c%25.json");
  EXPECT_EQ(uri("/tmp/a.json", ""), "file:///tmp/a.json");
  EXPECT_EQ(uri("out/a.1.json", "/opt/ordeal/corpus/regressions/b.json"), "out/a.1.json") << "of this repository";
  Check nowhere = some_check();
  nowhere.report.findings[0].file.clear();
  EXPECT_TRUE(run_of(nowhere)["results"][0]["locations"].empty());
}

TEST(Sarif, TheControllersLineComesBeforeTheScenario) {
  Check check = some_check();
  properties::Breach& breach = check.report.findings[0].finding.breach;
  breach.line = "pkg/controller/statefulset/stateful_set_control.go:612";
  const json result = run_of(check)["results"][0];
  const json& place = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "pkg/controller/statefulset/stateful_set_control.go");
  EXPECT_EQ(place["region"]["startLine"], 612);
  EXPECT_EQ(result["relatedLocations"].size(), 1u);
  for (const char* odd : {"control.go", "control.go:", ":12", "control.go:0", "control.go:12b"}) {
    breach.line = odd;
    EXPECT_FALSE(run_of(check)["results"][0].contains("relatedLocations")) << odd;
  }
}

TEST(Sarif, WhatIsKnownIsANoteAndSuppressed) {
  Check check = some_check();
  EXPECT_FALSE(run_of(check)["results"][0].contains("suppressions"));
  check.report.findings[0].known = &test_known;
  const json result = run_of(check)["results"][0];
  EXPECT_EQ(result["level"], "note");
  EXPECT_EQ(result["suppressions"][0]["kind"], "external");
  EXPECT_EQ(result["suppressions"][0]["justification"], "some/thread#1: it is known");
}

TEST(Sarif, OneFindingKeepsItsFingerprintAndTwoCausesHaveTwo) {
  Check check = some_check();
  check.report.findings.push_back(check.report.findings[0]);
  check.report.findings[1].finding.trial = 99;
  check.report.findings.push_back(check.report.findings[0]);
  check.report.findings[2].finding.scenario.steps = {{.kind = properties::StepKind::settle}};
  const json results = run_of(check)["results"];
  EXPECT_EQ(results[0]["partialFingerprints"], results[1]["partialFingerprints"]);
  EXPECT_NE(results[0]["partialFingerprints"], results[2]["partialFingerprints"]);
}

TEST(Sarif, WhatHasNoVerdictIsNoSuccess) {
  Check check = some_check();
  check.report.findings.clear();
  check.report.result.verdict = properties::Verdict::inconclusive;
  const json invocation = run_of(check)["invocations"][0];
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["message"]["text"], "the adapter died");
}

TEST(Sarif, PromisesOfAnotherLevelAreNoRules) {
  Check check = some_check();
  check.report.findings.clear();
  check.report.level = properties::Level::promised;
  const json rules = run_of(check)["tool"]["driver"]["rules"];
  EXPECT_EQ(std::ssize(rules),
            std::ranges::count(properties::catalogue, properties::Level::promised, &properties::Invariant::level));
  for (const json& rule : rules) EXPECT_EQ(rule["defaultConfiguration"]["level"], "error");
}

}  // namespace
}  // namespace ordeal::fuzz
