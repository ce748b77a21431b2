#include "properties/scenario/counted.h"

#include <array>
#include <charconv>

namespace ordeal::properties {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string with_decimals(double number, int decimals) {
  std::array<char, 400> text{};  // the largest double has 309 digits before the point
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed, decimals).ptr;
  return {text.data(), end};
}

}  // namespace ordeal::properties
