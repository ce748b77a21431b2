#include "properties/world/race.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/controller/reference.h"
#include "properties/trial/hand_made.h"
#include "properties/trial/story.h"

namespace ordeal::properties {
namespace {

TEST(Race, EachContenderIsThereOnce) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    Race race(seed, 10);
    const std::set<std::uint8_t> all(race.order().begin(), race.order().end());
    EXPECT_EQ(all.size(), Race::contenders);
    EXPECT_EQ(*all.rbegin(), Race::contenders - 1);
  }
}

TEST(Race, AnyContenderCanBeFirstAndAnyPairInAnyOrder) {
  std::set<std::uint8_t> firsts;
  std::set<std::pair<std::uint8_t, std::uint8_t>> pairs;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Race race(seed, 10);
    firsts.insert(race.order()[0]);
    for (std::size_t i = 0; i < Race::contenders; ++i)
      for (std::size_t j = i + 1; j < Race::contenders; ++j) pairs.insert({race.order()[i], race.order()[j]});
  }
  EXPECT_EQ(firsts.size(), Race::contenders);
  EXPECT_EQ(pairs.size(), Race::contenders * (Race::contenders - 1));
}

TEST(Race, WhoMovesAtAChangePointFallsBehindAllOthers) {
  constexpr std::uint32_t moves = 30;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    Race race(seed, moves);
    std::size_t changes = 0;
    for (std::uint32_t move = 0; move <= moves; ++move) {
      const std::uint8_t first = race.order().front();
      race.moved(move, 0);
      if (race.order().front() == first) continue;
      EXPECT_EQ(race.order().back(), first);
      ++changes;
    }
    EXPECT_GE(changes, 1u);
    EXPECT_LE(changes, Race::change_points);
  }
}

/// The same steps with another seed are another story; with the same seed, the same one.
TEST(Race, SeedsMakeDifferentSchedules) {
  const auto reference = make_reference(strict_rules(), {});
  std::set<std::vector<std::string>> stories;
  for (std::int32_t seed = 0; seed < 40; ++seed) {
    const Scenario scenario =
        hand_made("replicas: 4\npodManagementPolicy: Parallel", {{.kind = StepKind::race, .a = seed, .b = 30}});
    const auto story = Story::of(scenario, *reference);
    EXPECT_EQ(story, Story::of(scenario, *reference));
    stories.insert(story);
  }
  EXPECT_GE(stories.size(), 10u);
}

}  // namespace
}  // namespace ordeal::properties
