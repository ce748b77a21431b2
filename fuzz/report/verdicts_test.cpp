#include "fuzz/report/verdicts.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fuzz/report/test_report.h"

namespace ordeal::fuzz {
namespace {

std::vector<Report> three() {
  Report violated = test_report(), held = test_report(), unclear = test_report();
  violated.result.inconclusive.clear();
  violated.findings.push_back(violated.findings.front());
  violated.findings.back().known = nullptr;
  held.controller = "kubernetes@1.35.0";
  held.level = properties::Level::promised;
  held.findings.clear();
  held.result.inconclusive.clear();
  held.result.verdict = properties::Verdict::held;
  unclear.controller = "exec:false";
  unclear.findings.clear();
  unclear.result.verdict = properties::Verdict::inconclusive;
  unclear.result.inconclusive = {{"the adapter died\nits standard error ends:\nno", 0, 1}};
  return {violated, held, unclear};
}

TEST(Verdicts, AreALinePerControllerAndBrokenPromise) {
  EXPECT_EQ(verdicts_text(three()), R"(controller         level     verdict       broken
strict             strict    violated      test.promise (some/thread#1)
                                           test.promise
kubernetes@1.35.0  promised  held
exec:false         strict    inconclusive  the adapter died
)");
}

TEST(Verdicts, AsJsonSayWhatIsBrokenWhereAndWhoKnows) {
  const auto json = nlohmann::json::parse(verdicts_json(three()));
  ASSERT_EQ(json.size(), 3u);
  EXPECT_EQ(json[0]["broken"][0],
            nlohmann::json::parse(R"({"invariant": "test.promise", "claim": "web-1 was created at r2",
    "step": 2, "thread": "some/thread#1"})"));
  EXPECT_EQ(json[0]["broken"][1]["thread"], nullptr);
  EXPECT_EQ(json[1],
            nlohmann::json::parse(R"({"controller": "kubernetes@1.35.0", "level": "promised", "verdict": "held",
    "inconclusive": null, "broken": []})"));
  EXPECT_EQ(json[2]["inconclusive"], "the adapter died");
}

TEST(Verdicts, OfSeveralStoriesSayWhatBecameOfThePromiseEachWasFoundToBreak) {
  const std::vector<Report> reports = three();
  const std::vector<Replayed> all = {{"a.json", "test.promise", reports[0]},
                                     {"out/b.json", "test.promise", reports[1]},
                                     {"c.json", "test.promise", reports[2]},
                                     {"d.json", "other.promise", reports[0]},
                                     {"e.json", "", reports[1]}};
  EXPECT_EQ(replayed_text(all), R"(  violated      a.json      test.promise, and 1 more
  held          out/b.json  test.promise is kept
  inconclusive  c.json      the adapter died
  violated      d.json      other.promise is kept, broken: test.promise, and 1 more
  held          e.json

5 stories: 2 held, 1 inconclusive, 2 violated
  controller  exec:false, level strict
  controller  kubernetes@1.35.0, level promised
  controller  strict, level strict
)");
  const auto json = nlohmann::json::parse(replayed_json(all));
  ASSERT_EQ(json.size(), 5u);
  EXPECT_EQ(json[3]["file"], "d.json");
  EXPECT_EQ(json[3]["found"], "other.promise");
  EXPECT_EQ(json[3]["broken"][0]["invariant"], "test.promise");
  EXPECT_EQ(json[4]["found"], nullptr);
}

}  // namespace
}  // namespace ordeal::fuzz
