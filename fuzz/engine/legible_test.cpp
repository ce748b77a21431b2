#include "fuzz/engine/legible.h"

#include <gtest/gtest.h>

#include "core/api/text_reader.h"

namespace ordeal::fuzz {
namespace {

TEST(Legible, LeavesWhatPeopleRead) {
  for (const char* text :
       {"", "out of cheese\n\tat web.go:12\n", "K\xc3\xa4se \xe2\x82\xac \xf0\x9f\xa7\x80", "\xc2\xa0"})
    EXPECT_EQ(legible(text), text);
}

TEST(Legible, AsksAboutTheRest) {
  const struct {
    std::string_view bytes;
    const char* shown;
  } cases[] = {
      {"\x1b[31mred\x1b[0m", "?[31mred?[0m"},
      {"a\r\nb\x07\x08\x7f", "a?\nb???"},
      {std::string_view("\0", 1), "?"},
      {"\xff\xfe", "??"},
      {"\xc3(", "?("},
      {"cut off: \xe2\x82", "cut off: ??"},
      {"\xed\xa0\x80", "\?\?\?"},
      {"\xc2\x9b"
       "31m",
       "?31m"},
      {"\xef\xbf\xbe\xef\xbf\xbf", "??"},
  };
  for (const auto& [bytes, shown] : cases) EXPECT_EQ(legible(bytes), shown);
}

TEST(Legible, IsUtf8WhateverCameIn) {
  for (unsigned i = 0; i < 1u << 16; ++i) {
    const char bytes[] = {static_cast<char>(i >> 8), static_cast<char>(i), 'x'};
    const std::string text = legible({bytes, sizeof bytes});
    ASSERT_EQ(invalid_utf8(text), text.npos) << i;
    ASSERT_EQ(legible(text), text) << i;
  }
}

}  // namespace
}  // namespace ordeal::fuzz
