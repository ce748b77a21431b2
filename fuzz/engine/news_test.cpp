#include "fuzz/engine/news.h"

#include <gtest/gtest.h>

namespace ordeal::fuzz {
namespace {

using properties::Encounters;
using properties::Scenario;

Encounters::Bits bits(std::initializer_list<std::size_t> set) {
  Encounters::Bits met;
  for (const std::size_t bit : set) met.set(bit);
  return met;
}

TEST(Encountered, TellsOnceFromAgain) {
  Encountered one, other;
  one.add(bits({1, 2}));
  one.add(bits({2}));
  EXPECT_EQ(one.once(), 1u);
  other.add(bits({1, 3}));
  one.add(other);
  EXPECT_EQ(one.met, bits({1, 2, 3}));
  EXPECT_EQ(one.again, bits({1, 2}));
}

TEST(News, AreWhatNeitherWasKnownNorCameBeforeWhateverTheOrderTheyAreToldIn) {
  News there(bits({9})), back(bits({9}));
  const struct {
    std::uint64_t trial;
    Encounters::Bits met;
  } told[] = {{4, bits({1, 2})}, {1, bits({1})}, {2, bits({9})}, {3, bits({1, 9})}, {7, bits({2})}};
  for (const auto& t : told) there.note(t.trial, Scenario{}, t.met);
  for (std::size_t i = std::size(told); i-- > 0;) back.note(told[i].trial, Scenario{}, told[i].met);
  const auto fresh = there.fresh();
  ASSERT_EQ(fresh.size(), 2u);
  EXPECT_EQ(fresh[0].trial, 1u);
  EXPECT_EQ(fresh[1].trial, 4u);
  ASSERT_EQ(back.fresh().size(), 2u);
  EXPECT_EQ(back.fresh()[1].trial, 4u);
  EXPECT_EQ(there.tally(), back.tally());
}

}  // namespace
}  // namespace ordeal::fuzz
