// Numbers and what they count, and lists, as sentences have them.
#pragma once

#include <concepts>
#include <cstdint>
#include <ranges>
#include <string>
#include <string_view>

namespace ordeal::properties {

/// 1234567 -> "1,234,567"
std::string grouped(std::uint64_t number);
/// "1 step", "1,234 steps". Of a number that is not negative. Covered by counted_test.cpp.
std::string counted(std::integral auto number, std::string_view noun) {
  return grouped(static_cast<std::uint64_t>(number)) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

/// (12.345, 1) -> "12.3"; with 0 to 9 decimals.
std::string with_decimals(double number, int decimals);

/// {"a", "b"} -> "a, b"
std::string joined(const std::ranges::input_range auto& words) {
  std::string text;
  for (const std::string_view word : words) (text += text.empty() ? "" : ", ") += word;
  return text;
}

}  // namespace ordeal::properties
