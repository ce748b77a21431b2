#include "properties/scenario/choices.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace ordeal::properties {
namespace {

TEST(Seeded, HasTheOutputsOfSplitMix64OnEveryPlatform) {
  Seeded zero(0);
  for (const std::uint64_t expected :
       {0xE220A8397B1DCDAFu, 0x6E789E6AA1B965F4u, 0x06C45D188009454Fu, 0xF88BB8A8724C81ECu})
    EXPECT_EQ(zero.next(), expected);
  Seeded other(1234567);
  for (const std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u})
    EXPECT_EQ(other.next(), expected);
}

TEST(Seeded, DrawsByMultiplyAndShift) {
  Seeded choices(0);  // tops of the outputs above: e220a839, 6e789e6a, 06c45d18
  EXPECT_EQ(choices.up_to(9), 8u);
  EXPECT_EQ(choices.up_to(9), 4u);
  EXPECT_EQ(choices.up_to(9), 0u);
  EXPECT_EQ(Seeded(0).up_to(0xFFFFFFFF), 0xE220A839u);
}

TEST(Seeded, DrawsEveryValueAboutEquallyOften) {
  Seeded choices(7);
  std::array<int, 6> seen{};
  for (int i = 0; i < 60000; ++i) ++seen.at(choices.up_to(5));
  for (const int count : seen) EXPECT_NEAR(count, 10000, 500);
}

TEST(Seeded, AskedForNothingTakesNothing) {
  Seeded a(5), b(5);
  EXPECT_EQ(a.up_to(0), 0u);
  EXPECT_EQ(a.next(), b.next());
}

TEST(SeedOfTrial, IsTheRunsOwnSequence) {
  Seeded run(42);
  for (std::uint64_t trial = 0; trial < 5; ++trial) EXPECT_EQ(seed_of_trial(42, trial), run.next());
}

TEST(Choices, BetweenReachesBothEndsOfTheWholeRange) {
  Recorded choices({0, 0xFFFFFFFF, 3});
  EXPECT_EQ(choices.between(INT32_MIN, INT32_MAX), INT32_MIN);
  EXPECT_EQ(choices.between(INT32_MIN, INT32_MAX), INT32_MAX);
  EXPECT_EQ(choices.between(-1, 9), 2);
}

TEST(Choices, OneInIsFalseForTheSimplestAnswer) {
  Recorded choices({0, 3});
  EXPECT_FALSE(choices.one_in(4));
  EXPECT_TRUE(choices.one_in(4));
  EXPECT_TRUE(choices.one_in(1));
}

TEST(Choices, WeightedFollowsTheWeights) {
  const std::array<std::uint32_t, 4> weights = {2, 0, 1, 3};
  Recorded choices({0, 1, 2, 3, 4, 5});
  for (const std::size_t expected : {0u, 0u, 2u, 3u, 3u, 3u}) EXPECT_EQ(choices.weighted(weights), expected);
  EXPECT_EQ(choices.weighted(std::array<std::uint32_t, 2>{0, 0}), 0u);
  EXPECT_EQ(choices.weighted({}), 0u);
  Recorded widest({0xFFFFFFFF});
  EXPECT_EQ(widest.weighted(std::array<std::uint32_t, 2>{0xFFFFFFFF, 0xFFFFFFFF}), 1u);
}

TEST(Bytes, TakesOneTwoOrFourBytesByTheBound) {
  const std::array<std::uint8_t, 8> bytes = {7, 0x34, 0x12, 0x78, 0x56, 0x34, 0x12, 9};
  Bytes choices(bytes);
  choices.part();
  EXPECT_EQ(choices.up_to(255), 7u);
  EXPECT_EQ(choices.up_to(0xFFFF), 0x1234u);
  EXPECT_EQ(choices.up_to(0), 0u);
  EXPECT_EQ(choices.up_to(0xFFFFFFFF), 0x12345678u);
  EXPECT_EQ(choices.up_to(3), 1u);
  EXPECT_EQ(choices.up_to(255), 0u) << "the part is used up";
}

TEST(Bytes, StartsEachPartAtItsOwnBytes) {
  const std::array<std::uint8_t, 18> bytes = {1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18, 21, 22};
  Bytes choices(bytes);
  EXPECT_EQ(choices.up_to(255), 0u) << "no part was opened yet";
  choices.part();
  EXPECT_EQ(choices.up_to(255), 1u);
  EXPECT_TRUE(choices.more());
  choices.part();
  EXPECT_EQ(choices.up_to(255), 11u);
  EXPECT_TRUE(choices.more());
  choices.part();
  EXPECT_FALSE(choices.more());
  EXPECT_EQ(choices.up_to(255), 21u);
  EXPECT_EQ(choices.up_to(255), 22u);
  EXPECT_EQ(choices.up_to(255), 0u);
  choices.part();
  EXPECT_EQ(choices.up_to(255), 0u);
  EXPECT_FALSE(Bytes({}).more());
}

TEST(Recorded, RepeatsWhatARecorderHeardAndClampsTheRest) {
  Seeded seeded(3);
  Recorder recorder(seeded);
  std::vector<std::uint32_t> heard;
  for (const std::uint32_t bound : {5u, 100u, 70000u, 1u}) heard.push_back(recorder.up_to(bound));
  Recorded again(recorder.answers());
  for (std::size_t i = 0; const std::uint32_t bound : {5u, 100u, 70000u, 1u}) EXPECT_EQ(again.up_to(bound), heard[i++]);
  EXPECT_FALSE(again.more());
  EXPECT_EQ(again.up_to(9), 0u);
  Recorded clamped({8});
  EXPECT_TRUE(clamped.more());
  EXPECT_EQ(clamped.up_to(3), 3u);
}

TEST(Exhaustive, GivesEverySequenceOnce) {
  Exhaustive all;
  std::set<std::vector<std::uint32_t>> seen;
  int runs = 0;
  while (all.next()) {
    std::vector<std::uint32_t> answers = {all.up_to(2)};
    for (std::uint32_t i = 0; i < answers.front(); ++i)
      answers.push_back(all.up_to(1));  // how many depends on the first
    seen.insert(answers);
    ++runs;
  }
  EXPECT_EQ(runs, 1 + 2 + 4);
  EXPECT_EQ(seen.size(), 7u);
  EXPECT_FALSE(all.next());
}

TEST(Exhaustive, AGeneratorWithoutChoicesRunsOnce) {
  Exhaustive all;
  EXPECT_TRUE(all.next());
  EXPECT_FALSE(all.next());
}

}  // namespace
}  // namespace ordeal::properties
