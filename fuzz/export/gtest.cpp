// A GoogleTest that replays the scenario and asks for the one promise.
#include "fuzz/export/export.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {

using namespace properties;

namespace {

/// A C++ string literal that holds any text: raw, with a delimiter that the text does not have.
std::string raw_literal(const std::string& text) {
  std::string delimiter = "json";
  while (text.find(")" + delimiter + "\"") != text.npos) delimiter += '_';
  return "R\"" + delimiter + "(" + text + ")" + delimiter + "\"";
}

std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string export_gtest(const Shown& shown, const Report& report) {
  const Finding& finding = shown.finding;
  const Invariant& invariant = *finding.invariant;
  std::string text = "// Exported by ordeal " + std::string(version) + ": a story in which " + report.controller +
                     " breaks " + std::string(invariant.id) + ".\n//\n" + prefixed(invariant.promise, "//   ") +
                     prefixed(invariant.source, "//   ");
  text +=
      "//\n// Build it against ordeal_harness and gtest_main. It fails as long as the promise is broken;\n"
      "// -DORDEAL_CONTROLLER='\"NAME\"' tries another controller.\n";
  text += R"(#include <gtest/gtest.h>

#include "fuzz/adapter/kinds.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/scenario_json.h"

#ifndef ORDEAL_CONTROLLER
#define ORDEAL_CONTROLLER )" +
          literal(report.controller) + R"(
#endif

namespace {

using namespace ordeal::properties;

const ordeal::fuzz::ControllerKind* controller() {
  if (!ordeal::fuzz::is_external(ORDEAL_CONTROLLER)) return ordeal::fuzz::find_controller(ORDEAL_CONTROLLER);
  return ordeal::fuzz::external_controller(ORDEAL_CONTROLLER).value_or(nullptr);
}

constexpr const char* scenario_json = )" +
          raw_literal(write_scenario(finding.scenario)) + R"(;

TEST(Exported, )" +
          test_name(invariant) + R"() {
  const auto scenario = read_scenario(scenario_json);
  ASSERT_TRUE(scenario.has_value()) << scenario.error().front().text();
  ASSERT_NE(controller(), nullptr) << "there is no controller " ORDEAL_CONTROLLER;
  const Invariant* invariant = find_invariant()" +
          literal(invariant.id) + R"();
  ASSERT_NE(invariant, nullptr);

  Court court;
  ordeal::fuzz::Dock dock(*controller());
  const TrialOptions options{.level = Level::)" +
          std::string(name_of(report.level)) +
          R"(, .relations = relations(), .guards_inputs = true, .only = invariant};
  const TrialResult result = ordeal::fuzz::try_in(dock, court, *scenario, options);
  EXPECT_EQ(result.inconclusive, "");
  for (const Breach& breach : result.breaches) ADD_FAILURE() << invariant->promise << "\n" << breach.violation.claim;
}

}  // namespace
)";
  return text;
}

}  // namespace ordeal::fuzz
