#include "fuzz/report/json.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "fuzz/report/test_report.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using nlohmann::json;

TEST(RunJson, HasTheFieldsItPromises) {
  const json run = json::parse(run_json(test_report()));
  EXPECT_EQ(run["verdict"], "violated");
  EXPECT_EQ(run["controller"], "strict");
  EXPECT_EQ(run["seed"], 9177);
  EXPECT_EQ(run["trials"], 1000);
  EXPECT_EQ(run["syncs"], 60000);
  EXPECT_EQ(run["digest"], "0000000000000abc");
  EXPECT_EQ(run["inconclusive"], json::parse(R"([{"reason": "the adapter died", "trial": 3, "times": 2}])"));
  EXPECT_EQ(run["timing"]["syncs_per_second"], 24000.0);
  EXPECT_EQ(run["timing"]["seconds"], 2.5);
  EXPECT_EQ(run["coverage"]["covered"], 0);
  EXPECT_EQ(run["coverage"]["total"], run["coverage"]["missing"].size());
}

TEST(RunJson, AFindingSaysWhatWhereAndWhy) {
  const json finding = json::parse(run_json(test_report()))["findings"].at(0);
  EXPECT_EQ(finding, json::parse(R"({
    "invariant": "test.promise", "accepted": false, "file": "out/test.promise.1.json", "steps": 2, "steps_before_shrinking": 212, "minimal": true,
    "trial": 57, "cause": "user.scale; partition", "claim": "web-1 was created at r2", "evidence": ["partition=2 in the set it was shown"], "line": null,
    "promise": "A pod below the partition keeps its revision.", "source": "StatefulSets, section Partitions",
    "level": "promised", "within": [], "breaks": ["test.promise"], "known": {"thread": "some/thread#1", "about": "it is known"}})"));
}

TEST(RunJson, AFindingSaysWithinWhichLimitsItHadItsTrouble) {
  Report report = test_report();
  report.findings[0].finding.scenario.steps.push_back({.kind = properties::StepKind::outage});
  const json finding = json::parse(run_json(report))["findings"].at(0);
  EXPECT_EQ(finding["within"], json::parse(R"([{"trouble": "outages", "limit": "they end before the epilogue"}])"));
}

TEST(RunJson, NamesWithBrokenBytesDoNotBreakIt) {
  Report report = test_report();
  report.findings[0].finding.breach.violation.claim = "pod \xff\xfe";
  EXPECT_FALSE(json::parse(run_json(report), nullptr, false).is_discarded());
}

TEST(ListJson, IsTheCatalogue) {
  const json list = json::parse(list_json());
  ASSERT_EQ(list.size(), properties::catalogue.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i]["id"], properties::catalogue[i].id);
    for (const char* field : {"id", "family", "promise", "source", "level", "when", "judges"})
      EXPECT_TRUE(list[i].contains(field)) << field;
  }
}

}  // namespace
}  // namespace ordeal::fuzz
