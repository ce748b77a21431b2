#include "properties/scenario/counted.h"

#include <gtest/gtest.h>

namespace ordeal::properties {
namespace {

TEST(Counted, GroupsDigitsByThree) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
}

TEST(Counted, OnlyOneIsSingular) {
  EXPECT_EQ(counted(0, "step"), "0 steps");
  EXPECT_EQ(counted(1, "step"), "1 step");
  EXPECT_EQ(counted(1234, "step"), "1,234 steps");
}

TEST(Counted, DecimalsAreRoundedAndOfAnyNumber) {
  EXPECT_EQ(with_decimals(0, 1), "0.0");
  EXPECT_EQ(with_decimals(2.46, 1), "2.5");
  EXPECT_EQ(with_decimals(2.46, 0), "2");
  EXPECT_EQ(with_decimals(-1.2345, 3), "-1.234");  // to the nearest that a double has
  EXPECT_EQ(with_decimals(1.7976931348623157e308, 9).size(), 309u + 1 + 9);
}

}  // namespace
}  // namespace ordeal::properties
