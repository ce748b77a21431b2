#include "fuzz/engine/candidates.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace ordeal::fuzz {
namespace {

using properties::Cause;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Cause scaled{{"user.scale"}, {}}, failed{{"pod.fail"}, {}}, scaled_in_parallel{{"user.scale"}, {"Parallel"}};
const Cause noisy{{"pod.fail", "user.delete-pod", "user.scale"}, {}};

Finding found(std::uint64_t trial, std::optional<Cause> cause = {}) {
  Finding finding;
  finding.trial = trial;
  finding.cause = std::move(cause);
  return finding;
}
std::vector<std::uint64_t> trials(const Candidates& candidates) {
  std::vector<std::uint64_t> numbers;
  for (const Finding* finding : candidates.findings()) numbers.push_back(finding->trial);
  return numbers;
}
Candidates with(std::initializer_list<Finding> findings) {
  Candidates candidates;
  for (const Finding& finding : findings) candidates.put(finding);
  return candidates;
}

TEST(Candidates, OneCauseIsOneFindingItsLowestTrial) {
  EXPECT_THAT(trials(with({found(9, scaled), found(4, scaled), found(6, scaled)})), ElementsAre(4));
}

TEST(Candidates, AnotherCauseDoesNotHideBehindTheFirst) {
  EXPECT_THAT(trials(with({found(4, scaled), found(6, failed), found(7, scaled_in_parallel), found(8, failed)})),
              ElementsAre(4, 6, 7));
}

TEST(Candidates, ThePlainerStoryIsToldThoughItsTrialBeHigher) {
  EXPECT_THAT(trials(with({found(4, noisy), found(6, scaled)})), ElementsAre(6));
  EXPECT_THAT(trials(with({found(4, noisy), found(6, scaled), found(9, failed)})), ElementsAre(6, 9))
      << "noise around two stories makes them no one story";
}

TEST(Candidates, WhatIsNotShrunkStandsOnlyWhileNothingElseDoes) {
  EXPECT_THAT(trials(with({})), IsEmpty());
  EXPECT_THAT(trials(with({found(5), found(3), found(8)})), ElementsAre(3));
  EXPECT_THAT(trials(with({found(5, scaled), found(3)})), ElementsAre(5));
}

TEST(Candidates, WhatBrokeAgainStandsBeforeALowerTrialOfWhichNobodyKnows) {
  Finding unclear = found(3);
  unclear.again = Again::no_verdict;
  EXPECT_THAT(trials(with({found(5), unclear, found(8)})), ElementsAre(5));
  EXPECT_THAT(trials(with({unclear})), ElementsAre(3));
}

TEST(Candidates, AStateTakesThePlaceOfAnEarlierOneOfItsTrial) {
  Candidates candidates = with({found(3), found(5)});
  EXPECT_TRUE(candidates.put(found(3, scaled)));
  EXPECT_THAT(candidates.all(), SizeIs(2));
  EXPECT_THAT(trials(candidates), ElementsAre(3));
  EXPECT_TRUE(candidates.is_finding(3));
  EXPECT_FALSE(candidates.is_finding(5));
  EXPECT_EQ(candidates.lowest(), 3u);
}

TEST(Candidates, WhatDidNotBreakAgainTakesNobodysPlace) {
  Candidates candidates;
  const auto refuted = [](std::uint64_t trial) {
    Finding finding = found(trial);
    finding.again = Again::held;
    return finding;
  };
  for (std::uint64_t trial = 0; trial < candidates_at_most; ++trial) {
    candidates.put(found(trial));
    candidates.put(refuted(trial));
  }
  EXPECT_THAT(candidates.all(), IsEmpty());
  EXPECT_THAT(candidates.refuted(), SizeIs(candidates_at_most));
  EXPECT_THAT(trials(candidates), ElementsAre(0)) << "something is told";
  EXPECT_TRUE(candidates.put(found(500)));
  EXPECT_THAT(trials(candidates), ElementsAre(500));
}

TEST(Candidates, OfWhatDidNotBreakAgainTheLowestAreKeptInWhateverOrderTheyCome) {
  Candidates candidates;
  for (std::uint64_t trial = 2 * candidates_at_most; trial > 0; --trial) {
    Finding finding = found(trial);
    finding.again = Again::held;
    candidates.put(std::move(finding));
  }
  ASSERT_THAT(candidates.refuted(), SizeIs(candidates_at_most));
  EXPECT_EQ(candidates.refuted().front().trial, 1u);
  EXPECT_EQ(candidates.refuted().back().trial, candidates_at_most);
}

TEST(Candidates, OnlyTheLowestTrialsHaveRoom) {
  Candidates candidates;
  for (std::uint64_t trial = 10; trial < 10 + candidates_at_most; ++trial) {
    EXPECT_GT(candidates.bar(), 1000u);
    EXPECT_TRUE(candidates.put(found(trial)));
  }
  const std::uint64_t highest = 10 + candidates_at_most - 1;
  EXPECT_EQ(candidates.bar(), highest);
  EXPECT_FALSE(candidates.put(found(highest + 1)));
  EXPECT_TRUE(candidates.put(found(highest, scaled))) << "the last may still be shrunk";
  EXPECT_TRUE(candidates.put(found(2)));
  EXPECT_FALSE(candidates.put(found(highest, scaled))) << "pushed out meanwhile";
  EXPECT_THAT(candidates.all(), SizeIs(candidates_at_most));
  EXPECT_EQ(candidates.lowest(), 2u);
}

TEST(Candidates, TheOrderInWhichTheyComeDoesNotMatter) {
  const std::vector<Cause> causes{scaled, failed, noisy, scaled_in_parallel};
  std::vector<std::uint64_t> order;
  for (std::uint64_t trial = 0; trial < 12; ++trial) order.push_back(trial);
  std::vector<std::uint64_t> expected;
  for (int turn = 0; turn < 12; ++turn) {
    Candidates candidates;
    for (const std::uint64_t trial : order)
      if (candidates.put(found(trial))) candidates.put(found(trial, causes[(trial * 7 / 3) % causes.size()]));
    if (turn == 0) expected = trials(candidates);
    EXPECT_EQ(trials(candidates), expected) << turn;
    std::ranges::rotate(order, order.begin() + 5);
  }
  EXPECT_THAT(expected, SizeIs(3));
}

}  // namespace
}  // namespace ordeal::fuzz
