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
  EXPECT_EQ(json[0]["broken"][0], nlohmann::json::parse(R"({"invariant": "test.promise", "claim": "web-1 was created at r2",
    "step": 2, "thread": "some/thread#1"})"));
  EXPECT_EQ(json[0]["broken"][1]["thread"], nullptr);
  EXPECT_EQ(json[1], nlohmann::json::parse(R"({"controller": "kubernetes@1.35.0", "level": "promised", "verdict": "held",
    "inconclusive": null, "broken": []})"));
  EXPECT_EQ(json[2]["inconclusive"], "the adapter died");
}

}  // namespace
}  // namespace ordeal::fuzz
