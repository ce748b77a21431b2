#include "properties/world/race.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <set>
#include <vector>

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

constexpr Race::Order in_order = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};

/// Who moves, where contender i can make `steps[i]` moves at any time; the others make none.
std::vector<std::uint8_t> schedule_of(Race race, std::vector<int> steps) {
  std::vector<std::uint8_t> movers;
  const auto can_move = [&](std::uint8_t contender) { return contender < steps.size() && steps[contender] > 0; };
  const auto moves = [&](std::uint8_t contender) {
    if (!can_move(contender)) return false;
    --steps[contender];
    movers.push_back(contender);
    return true;
  };
  for (std::uint32_t move = 0; race.make(move, can_move, moves);) ++move;
  return movers;
}

TEST(Race, WhoIsAboutToMoveAtAChangePointFallsBehindAllOthers) {
  using Movers = std::vector<std::uint8_t>;
  EXPECT_EQ(schedule_of(Race(in_order, {9, 9}), {2, 2, 2}), (Movers{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(schedule_of(Race(in_order, {1, 9}), {2, 2, 2}), (Movers{0, 1, 1, 2, 2, 0}));
  EXPECT_EQ(schedule_of(Race(in_order, {0, 3}), {2, 2, 2}), (Movers{1, 1, 2, 0, 0, 2}));
  EXPECT_EQ(schedule_of(Race(in_order, {2, 2}), {2, 2, 2}), (Movers{0, 0, 1, 1, 2, 2})) << "twice is back again";
  EXPECT_EQ(schedule_of(Race(in_order, {0, 9}), {0, 2, 2}), (Movers{2, 2, 1, 1})) << "who cannot move is passed over";
}

/// Of nine events, three of each of three contenders: which of each two comes first, by the pair's number.
using Pairs = std::bitset<81>;
Pairs pairs_of(const std::vector<std::uint8_t>& movers) {
  std::array<int, 3> steps{};
  std::vector<int> events;
  for (const std::uint8_t mover : movers) events.push_back(3 * mover + steps[mover]++);
  Pairs pairs;
  for (std::size_t i = 0; i < events.size(); ++i)
    for (std::size_t j = i + 1; j < events.size(); ++j) pairs.set(static_cast<std::size_t>(9 * events[i] + events[j]));
  return pairs;
}

// What the head of race.h says, by all schedules and all interleavings there are.
TEST(Race, MeetsAnyOrderOfThreeConstraintsAsOftenAsItPromises) {
  constexpr std::uint32_t n = 3, k = 9;
  std::vector<Pairs> schedules, interleavings;
  Race::Order order = in_order;
  do {
    for (std::uint32_t a = 0; a < k; ++a)
      for (std::uint32_t b = 0; b < k; ++b) schedules.push_back(pairs_of(schedule_of(Race(order, {a, b}), {3, 3, 3})));
  } while (std::next_permutation(order.begin(), order.begin() + n));
  std::vector<std::uint8_t> movers = {0, 0, 0, 1, 1, 1, 2, 2, 2};
  do interleavings.push_back(pairs_of(movers));
  while (std::ranges::next_permutation(movers).found);
  ASSERT_EQ(schedules.size(), 6 * k * k);
  ASSERT_EQ(interleavings.size(), 1680u);

  const auto with = [](const std::vector<Pairs>& all, std::size_t pair) {
    std::bitset<1680> which;
    for (std::size_t i = 0; i < all.size(); ++i) which[i] = all[i][pair];
    return which;
  };
  std::vector<std::bitset<1680>> met, possible;
  for (std::size_t pair = 0; pair < Pairs().size(); ++pair) {
    met.push_back(with(schedules, pair));
    possible.push_back(with(interleavings, pair));
  }
  for (std::size_t p = 0; p < met.size(); ++p)
    for (std::size_t q = p; q < met.size(); ++q)
      for (std::size_t r = q; r < met.size(); ++r)
        if ((possible[p] & possible[q] & possible[r]).any())
          ASSERT_GE((met[p] & met[q] & met[r]).count() * n * k * k, schedules.size()) << p << ' ' << q << ' ' << r;
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
