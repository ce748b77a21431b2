#include "fuzz/report/finding_file.h"

#include <gtest/gtest.h>

#include "fuzz/report/test_report.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {
namespace {

TEST(FindingFile, IsAScenarioThatKnowsItsOrigin) {
  const Finding finding = test_report().findings[0].finding;
  const Origin origin{.invariant = "test.promise",
                      .controller = "kubernetes-1.37",
                      .level = properties::Level::promised,
                      .seed = ~std::uint64_t{0},
                      .trial = 57,
                      .steps_before = 212,
                      .scenario_before = "00ff00ff00ff00ff"};
  const std::string file = finding_file(finding, origin);
  const auto scenario = properties::read_scenario(file);
  ASSERT_TRUE(scenario.has_value()) << scenario.error().front().text();
  EXPECT_EQ(scenario->steps, finding.scenario.steps);
  EXPECT_EQ(read_origin(file), origin);
}

TEST(FindingFile, AScenarioWithoutOriginHasNone) {
  EXPECT_EQ(read_origin(properties::write_scenario(test_report().findings[0].finding.scenario)), std::nullopt);
  EXPECT_EQ(read_origin("{"), std::nullopt);
  EXPECT_EQ(read_origin("[]"), std::nullopt);
  EXPECT_EQ(read_origin(R"({"found": 3})")->invariant, "");
}

}  // namespace
}  // namespace ordeal::fuzz
