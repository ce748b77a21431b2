// What one story tells, and what keeps its own.
#include "fuzz/report/stories.h"

#include <gmock/gmock.h>

#include "fuzz/report/test_report.h"

namespace ordeal::fuzz {
namespace {

using properties::Cause;
using properties::Invariant;
using properties::Step;
using properties::StepKind;
using ::testing::ElementsAre;

const Invariant first{.id = "test.first", .promise = "", .source = "", .property = "", .check = nullptr};
const Invariant second{.id = "test.second", .promise = "", .source = "", .property = "", .check = nullptr};
const Invariant third{.id = "test.third", .promise = "", .source = "", .property = "", .check = nullptr};

Shown shown(const Invariant& invariant, std::uint64_t trial, std::size_t steps, Cause cause,
            std::vector<const Invariant*> breaks) {
  Shown made;
  made.finding.invariant = &invariant;
  made.finding.trial = trial;
  made.finding.scenario.steps.assign(steps, Step{.kind = StepKind::sync});
  made.finding.cause = std::move(cause);
  made.breaks = std::move(breaks);
  return made;
}

/// "told: also also"
std::vector<std::string> told(const std::vector<Shown>& findings) {
  std::vector<std::string> lines;
  for (const ToldStory& story : stories_of(findings)) {
    std::string& line = lines.emplace_back(story.told->finding.invariant->id);
    for (const Shown* other : story.also)
      line += (other == story.also.front() ? ": " : " ") + std::string(other->finding.invariant->id);
  }
  return lines;
}

TEST(Stories, OneCauseIsToldOnceByTheStoryThatBreaksTheMost) {
  const Cause scaled{{"user.scale"}, {}};
  EXPECT_THAT(told({shown(first, 1, 2, scaled, {&first}), shown(second, 2, 3, scaled, {&first, &second, &third}),
                    shown(third, 3, 4, scaled, {&third})}),
              ElementsAre("test.second: test.first test.third"));
}

TEST(Stories, WhatTheStoryDoesNotBreakKeepsItsOwn) {
  const Cause scaled{{"user.scale"}, {}};
  EXPECT_THAT(told({shown(first, 1, 2, scaled, {&first}), shown(second, 2, 3, scaled, {&second})}),
              ElementsAre("test.first", "test.second"));
}

TEST(Stories, AnotherCauseKeepsItsOwn) {
  EXPECT_THAT(told({shown(first, 1, 2, {{"user.scale"}, {}}, {&first, &second}),
                    shown(second, 2, 2, {{"pod.fail"}, {}}, {&second})}),
              ElementsAre("test.first", "test.second"));
}

TEST(Stories, ThroughMoreNoiseItIsTheSame) {
  EXPECT_THAT(told({shown(first, 1, 3, {{"pod.fail", "user.scale"}, {}}, {&first, &second}),
                    shown(second, 2, 2, {{"pod.fail"}, {}}, {&first, &second})}),
              ElementsAre("test.second: test.first"))
      << "the plainer one tells the other, not the other way round";
}

TEST(Stories, OfTwoThatTellAsMuchTheShorterIsTold) {
  const Cause scaled{{"user.scale"}, {}};
  EXPECT_THAT(told({shown(first, 1, 5, scaled, {&first, &second}), shown(second, 2, 4, scaled, {&first, &second})}),
              ElementsAre("test.second: test.first"));
}

TEST(Stories, OfOneScenarioThePromiseThatIsBrokenFirstIsTold) {
  std::vector<Shown> findings{shown(first, 7, 2, {}, {&first, &second}), shown(second, 7, 2, {}, {&first, &second})};
  for (Shown& finding : findings) finding.finding.cause.reset();
  findings[0].finding.breach.sync = 3;
  findings[1].finding.breach.sync = 2;
  EXPECT_THAT(told(findings), ElementsAre("test.second: test.first"));
  findings[0].finding.cause = Cause{};
  EXPECT_THAT(told(findings), ElementsAre("test.first: test.second")) << "a file was made for this one";
}

TEST(Stories, AScenarioNobodyShrankIsOneStory) {
  std::vector<Shown> findings{shown(first, 7, 2, {}, {&first, &second}), shown(second, 7, 2, {}, {&first, &second}),
                              shown(third, 8, 2, {}, {&first, &third})};
  for (Shown& finding : findings) finding.finding.cause.reset();
  EXPECT_THAT(told(findings), ElementsAre("test.first: test.second", "test.third"));
}

}  // namespace
}  // namespace ordeal::fuzz
