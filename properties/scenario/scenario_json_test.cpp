#include "properties/scenario/scenario_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "properties/scenario/generate.h"

namespace ordeal::properties {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr std::string_view a_set = R"({
  "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web", "namespace": "default"},
  "spec": {"replicas": 3, "selector": {"matchLabels": {"app": "web"}}, "serviceName": "web",
           "template": {"metadata": {"labels": {"app": "web"}},
                        "spec": {"containers": [{"name": "web", "image": "web:v0"}]}}}})";

std::string file(std::string_view steps, std::string_view more = "") {
  return R"({"format": "ordeal/scenario/1", "set": )" + std::string(a_set) + ", " + std::string(more) + R"("steps": )" +
         std::string(steps) + "}";
}

/// "path: message (value)" of every error.
std::vector<std::string> errors_of(std::string_view json) {
  std::vector<std::string> texts;
  const auto read = read_scenario(json);
  if (!read.has_value())
    for (const FieldError& error : read.error()) texts.push_back(error.path + ": " + error.message);
  return texts;
}

void expect_same(const Scenario& a, const Scenario& b) {
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.environment, b.environment);
  EXPECT_EQ(*a.set.spec, *b.set.spec);
  EXPECT_EQ(a.set.meta.name, b.set.meta.name);
  EXPECT_EQ(a.set.meta.ns, b.set.meta.ns);
  EXPECT_TRUE(same(a.set.meta.labels, b.set.meta.labels));
  EXPECT_TRUE(same(a.set.meta.annotations, b.set.meta.annotations));
}

TEST(ReadScenario, ReadsWhatAPersonWrites) {
  const auto read = read_scenario(file(R"([
    {"do": "user.scale", "replicas": 5},
    {"do": "user.edit-template", "flavour": "crashing", "image": 2, "at_call": 3},
    {"do": "call.fault", "reply": "timeout-after", "at_call": 1},
    {"do": "control.deliver", "kind": "pod", "more": 2},
    {"do": "settle"}])",
                                       R"("about": "Why.", "found": {"seed": 18446744073709551615, "invariant": "x"},
    "environment": {"api": {"MaxUnavailableStatefulSet": false},
                    "controller": {"StaleControllerConsistencyStatefulSet": false}}, )"));
  ASSERT_TRUE(read.has_value()) << read.error().front().text();
  const std::vector<Step> expected = {{.kind = StepKind::scale, .a = 5},
                                      {.kind = StepKind::edit_template, .at_call = 3, .a = 2, .b = 5},
                                      {.kind = StepKind::fault, .at_call = 1, .a = 8},
                                      {.kind = StepKind::deliver, .a = 1, .b = 2},
                                      {.kind = StepKind::settle}};
  EXPECT_EQ(read->steps, expected);
  EXPECT_EQ(read->set.spec->replicas, 3);
  EXPECT_FALSE(read->environment.api.max_unavailable);
  EXPECT_TRUE(read->environment.gates.max_unavailable);
  EXPECT_FALSE(read->environment.gates.stale_guard);
}

TEST(ReadScenario, ReadsWhatWasWrittenBeforeAnArgumentCame) {
  const auto read = read_scenario(file(
      R"([{"do": "user.create-set"}, {"do": "user.create-set", "as": "other-service"}])",
      R"("environment": {"namesakes": true, "binds_late": true, "versions_from": 4294967255, "between_seconds": true}, )"));
  ASSERT_TRUE(read.has_value()) << read.error().front().text();
  const std::vector<Step> expected = {{.kind = StepKind::create_set}, {.kind = StepKind::create_set, .a = 1}};
  EXPECT_EQ(read->steps, expected);
  EXPECT_TRUE(read->environment.namesakes);
  EXPECT_TRUE(read->environment.binds_late);
  EXPECT_TRUE(read->environment.between_seconds);
  EXPECT_EQ(read->environment.versions_from, 4'294'967'255u);
  EXPECT_EQ(read_scenario(write_scenario(*read))->environment, read->environment);
}

TEST(ReadScenario, SaysAllThatIsWrongAndWhere) {
  EXPECT_THAT(
      errors_of(file(R"([
    {"do": "user.scale", "replcas": 5},
    {"do": "user.scael", "replicas": 5},
    {"do": "settle", "at_call": 1},
    {"do": "user.edit-template", "image": 1.5, "flavour": "broken"},
    {"do": "user.scale", "replicas": 2147483648},
    {"do": "user.scale", "replicas": "5"},
    {"do": "user.delete-pod", "pod": 0, "at_call": 256},
    {"replicas": 5},
    [],
    {"do": 7}])",
                     R"("evnironment": {}, "found": {"seed": [1]}, "about": 5, )")),
      UnorderedElementsAre(
          "steps[0].replcas: is no field here; did you mean \"replicas\"?", "steps[0].replicas: is required",
          "steps[1].do: is no kind of step; did you mean \"user.scale\"?", "steps[2].at_call: is no field here",
          "steps[3].image: must be a whole number",
          "steps[3].flavour: must be one of plain, with-env, with-node-selector, with-label, "
          "unready, crashing, completing, unstarted, with-extras, unpulled, with-resources, with-command, "
          "with-annotation, with-settings",
          "steps[4].replicas: must be from -2147483648 to 2147483647", "steps[5].replicas: must be a whole number",
          "steps[6].at_call: must be from 0 to 255", "steps[7].do: is required", "steps[8]: must be an object",
          "steps[9].do: is no kind of step", "evnironment: is no field here; did you mean \"environment\"?",
          "found.seed: must be a text or a number", "about: must be a text"));
}

TEST(ReadScenario, ShowsTheOffendingValue) {
  const auto read = read_scenario(file(R"([{"do": "user.scale", "replicas": "five"}])"));
  ASSERT_FALSE(read.has_value());
  EXPECT_THAT(read.error().front().text(), HasSubstr("five"));
}

TEST(ReadScenario, TakesAnyThirtyTwoBitNumber) {
  for (const std::int32_t value :
       {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()}) {
    const auto read = read_scenario(file(R"([{"do": "user.scale", "replicas": )" + std::to_string(value) + "}]"));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->steps.front().a, value);
  }
}

TEST(ReadScenario, PutsThePathOfTheSetBeforeItsErrors) {
  std::string json = file("[]");
  json.replace(json.find("\"replicas\": 3"), 13, "\"replicas\": \"three\"");
  EXPECT_THAT(errors_of(json), testing::ElementsAre(testing::StartsWith("set.spec.replicas: ")));
}

TEST(ReadScenario, RefusesWhatIsNoScenario) {
  const std::string many = "[" + [] {
    std::string steps;
    for (std::size_t i = 0; i <= max_steps; ++i) steps += i == 0 ? "{\"do\":\"sync\"}" : ",{\"do\":\"sync\"}";
    return steps;
  }() + "]";
  const std::vector<std::string> hostile = {
      "",
      " ",
      "null",
      "[]",
      "\"\"",
      "{",
      "{}",
      "5",
      "[[[[[[[[",
      "{\"format\":1}",
      "\xff\xfe",
      "nul",
      "{\"a\":\"\\ud800\"}",
      std::string(100000, '['),
      std::string(5 << 20, ' '),
      R"({"format": "ordeal/scenario/2", "set": {}, "steps": []})",
      R"({"format": "ordeal/scenario/1", "set": 1, "steps": 2})",
      R"({"format": "ordeal/scenario/1", "set": {}, "steps": []})",
      R"({"format": "ordeal/scenario/1", "set": {"apiVersion":"apps/v1","kind":"StatefulSet"}, "steps": []})",
      R"({"format": "ordeal/scenario/1", "format": "ordeal/scenario/1"})",
      file("{}"),
      file("[null]"),
      file(many),
      file("[]", R"("environment": [], )"),
      file("[]", R"("environment": {"api": 1}, )"),
      file("[]", R"("environment": {"api": {"MaxUnavailableStatefulSet": 1}}, )"),
      file("[]", R"("environment": {"api": {"StaleControllerConsistencyStatefulSet": false}}, )"),
      file("[]", R"("found": [], )"),
      file(R"([{"do": "user.scale", "replicas": 1e3}])"),
      file(R"([{"do": "user.scale", "replicas": 99999999999999999999999}])")};
  for (const std::string& json : hostile) EXPECT_THAT(errors_of(json), Not(IsEmpty())) << json.substr(0, 100);
}

/// Every place of a good file once with a byte less, once with a strange byte: an answer each time, and never a crash.
TEST(ReadScenario, SurvivesDamage) {
  const std::string good = file(R"([{"do": "user.scale", "replicas": 5, "at_call": 1}])");
  ASSERT_THAT(errors_of(good), IsEmpty());
  int refused = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string damaged = good;
    damaged.erase(i, 1);
    refused += errors_of(damaged).empty() ? 0 : 1;
    damaged = good;
    damaged[i] = '\x80';
    EXPECT_THAT(errors_of(damaged), Not(IsEmpty())) << damaged;
  }
  EXPECT_GT(refused, 100);
}

TEST(WriteScenario, WritesOneStepPerLine) {
  auto read = read_scenario(file("[]", R"("environment": {"controller": {"MaxUnavailableStatefulSet": false}}, )"));
  ASSERT_TRUE(read.has_value());
  read->steps = {{.kind = StepKind::scale, .a = 5}, {.kind = StepKind::fault, .at_call = 2, .a = 1}};
  const std::vector<Found> found = {{"invariant", "update.\"order\""}, {"seed", "7"}};
  const std::string text = write_scenario(*read, found);
  EXPECT_THAT(text, testing::StartsWith("{\n  \"format\": \"ordeal/scenario/1\",\n  \"found\": {\n"
                                        "    \"invariant\": \"update.\\\"order\\\"\",\n    \"seed\": \"7\"\n  },\n"
                                        "  \"set\": {\n    \"apiVersion\": \"apps/v1\",\n"));
  EXPECT_THAT(text,
              testing::EndsWith("  },\n  \"environment\": {\"controller\":{\"MaxUnavailableStatefulSet\":false}},\n"
                                "  \"steps\": [\n"
                                "    {\"do\": \"user.scale\", \"replicas\": 5},\n"
                                "    {\"do\": \"call.fault\", \"reply\": \"conflict\", \"at_call\": 2}\n"
                                "  ]\n}\n"));
  const auto again = read_scenario(text);
  ASSERT_TRUE(again.has_value()) << again.error().front().text();
  expect_same(*again, *read);
}

TEST(WriteScenario, WhatWasWrittenIsReadBack) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Seeded choices(seed);
    const Scenario scenario = generate_scenario(choices);
    const std::string text = write_scenario(scenario);
    const auto read = read_scenario(text);
    ASSERT_TRUE(read.has_value()) << read.error().front().text() << "\n" << text;
    expect_same(*read, scenario);
    ASSERT_EQ(write_scenario(*read), text);
  }
}

TEST(WriteScenario, EveryKindOfStepIsReadBack) {
  auto scenario = read_scenario(file("[]"));
  ASSERT_TRUE(scenario.has_value());
  for (const StepInfo& row : step_table())
    scenario->steps.push_back({.kind = row.kind,
                               .at_call = static_cast<std::uint8_t>(row.between_calls ? 255 : 0),
                               .a = row.a.high,
                               .b = row.b.high});
  const auto read = read_scenario(write_scenario(*scenario));
  ASSERT_TRUE(read.has_value()) << read.error().front().text();
  EXPECT_EQ(read->steps, scenario->steps);
}

TEST(Describe, SaysAStepInOneLine) {
  EXPECT_EQ(describe({.kind = StepKind::scale, .a = 5}), "user.scale replicas=5");
  EXPECT_EQ(describe({.kind = StepKind::fault, .at_call = 2, .a = 1}), "call.fault reply=conflict at_call=2");
  EXPECT_EQ(describe({.kind = StepKind::set_strategy, .a = 77}), "user.set-strategy strategy=77");
  EXPECT_EQ(describe({.kind = StepKind::settle}), "settle");
}

/// The scenarios people wrote: each is read, says what it is about, and has more to it than coming to rest.
TEST(Corpus, HandWrittenScenariosAreRead) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ORDEAL_SOURCE_DIR "/corpus/scenarios")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    const auto read = read_scenario(text.str());
    ASSERT_TRUE(read.has_value()) << entry.path() << ": " << read.error().front().text();
    EXPECT_GE(read->steps.size(), 6u) << entry.path();
    EXPECT_THAT(text.str(), HasSubstr("\"about\": \"")) << entry.path();
    StatefulSet set = read->set;
    apply_defaults(set);
    EXPECT_THAT(validate_create(set), IsEmpty()) << entry.path();
    const auto again = read_scenario(write_scenario(*read));
    ASSERT_TRUE(again.has_value()) << entry.path();
    expect_same(*again, *read);
  }
  EXPECT_EQ(files, 14);
}

}  // namespace
}  // namespace ordeal::properties
