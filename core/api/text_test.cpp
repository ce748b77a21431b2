// Text: one value in three forms; and StringMap, which is made of it.
#include "core/api/text.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "core/api/values.h"

namespace ordeal {
namespace {

std::string sized(std::size_t size) { return std::string(size, 'x'); }

TEST(Text, HoldsAnyBytesOfAnyLength) {
  for (const auto size : {0u, 1u, 7u, 8u, 14u, 15u, 16u, 17u, 255u, 256u, 70000u}) {
    const std::string bytes = sized(size);
    EXPECT_EQ(Text(bytes).view(), bytes);
    EXPECT_EQ(Text::lasting(bytes).view(), bytes);
    EXPECT_EQ(Text(bytes).size(), size);
    EXPECT_EQ(Text(bytes).empty(), size == 0);
  }
  const std::string with_zero("a\0b", 3);
  EXPECT_EQ(Text(with_zero).view(), with_zero);
  EXPECT_FALSE(Text(with_zero) == Text("a"));
  EXPECT_FALSE(Text(std::string(1, '\0')) == Text());
  EXPECT_FALSE(Text(std::string(1, '\0')).empty());
}

TEST(Text, EqualsByBytesWhateverItsForm) {
  for (const auto size : {3u, 15u, 16u, 40u}) {
    const std::string bytes = sized(size), other = sized(size - 1) + "y";
    EXPECT_EQ(Text(bytes), Text(bytes));
    EXPECT_EQ(Text(bytes), Text::lasting(bytes));
    EXPECT_EQ(Text(bytes), bytes);
    EXPECT_FALSE(Text(bytes) == Text(other));
    EXPECT_FALSE(Text(bytes) == Text(sized(size + 1)));
    EXPECT_EQ(std::hash<Text>{}(Text(bytes)), std::hash<Text>{}(Text::lasting(bytes)));
  }
}

TEST(Text, OrdersByBytes) {
  EXPECT_LT(Text("a"), Text("b"));
  EXPECT_LT(Text("a"), Text("aa"));
  EXPECT_LT(Text("Z"), Text("a"));
  EXPECT_LT(Text("a"), Text("\xc3\xa9"));
  EXPECT_LT(Text(sized(20)), Text("y"));
}

TEST(Text, CopiesAndMoves) {
  for (const auto size : {5u, 50u}) {
    const std::string bytes = sized(size);
    Text a(bytes);
    Text b = a;
    EXPECT_EQ(a, b);
    const Text c = std::move(a);
    EXPECT_EQ(c, bytes);
    b = Text("other");
    EXPECT_EQ(c, bytes);
    Text& same = b;
    b = same;
    EXPECT_EQ(b, "other");
    b = c;
    EXPECT_EQ(b, bytes);
  }
}

TEST(Text, LongTextsOutliveTheirSource) {
  Text text;
  {
    std::string source = sized(100);
    text = Text(source);
    source.assign(100, 'y');
  }
  EXPECT_EQ(text, sized(100));
}

TEST(Text, IsSharedAcrossThreads) {
  const Text text(sized(100));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int n = 0; n < 1000; ++n) {
        const Text copy = text;
        if (copy.size() != 100) std::abort();
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(text, sized(100));
}

TEST(StringMap, IsSortedAndUnique) {
  StringMap map{{"b", "2"}, {"a", "1"}, {"b", "3"}};
  EXPECT_EQ(map.size(), 2u);
  EXPECT_EQ(map.begin()->first, "a");
  EXPECT_TRUE(map.has("b", "3"));
  EXPECT_FALSE(map.has("b", "2"));
  EXPECT_EQ(map.find("c"), nullptr);
  EXPECT_EQ(map, (StringMap{{"a", "1"}, {"b", "3"}}));
  EXPECT_TRUE(map.erase("a"));
  EXPECT_FALSE(map.erase("a"));
  EXPECT_EQ(map.size(), 1u);
}

}  // namespace
}  // namespace ordeal
