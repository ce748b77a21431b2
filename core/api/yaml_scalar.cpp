// Plain YAML scalars as Kubernetes' tools read them: YAML 1.1's words, which the library's own conversions do not know.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

#include "core/api/text_reader.h"

namespace ordeal {

namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> null_words = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 11> true_words = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                                         "True", "TRUE", "on",  "On",  "ON"};
constexpr std::array<std::string_view, 11> false_words = {"n",     "N",     "no",  "No",  "NO", "false",
                                                          "False", "FALSE", "off", "Off", "OFF"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <std::size_t n>
bool is_one_of(std::string_view text, const std::array<std::string_view, n>& words) {
  return std::ranges::find(words, text) != words.end();
}

/// 0x1f, 0b101, 0o17 and 017: the digits and their base. Decimal otherwise.
int take_base(std::string_view& digits) {
  if (digits.size() < 2 || digits[0] != '0') return 10;
  const char mark = digits[1];
  const int base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
  const bool has_mark = mark == 'x' || mark == 'b' || mark == 'o';
  if (has_mark) digits.remove_prefix(2);
  return base;
}

std::optional<json> read_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text[0])) return std::nullopt;
  const int base = take_base(text);
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  constexpr auto highest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!negative) return magnitude <= highest ? json(static_cast<std::int64_t>(magnitude)) : json(magnitude);
  if (magnitude > highest + 1) return std::nullopt;
  return json(static_cast<std::int64_t>(~magnitude + 1));
}

std::optional<json> read_special(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const double infinity = std::numeric_limits<double>::infinity();
  if (text == ".inf" || text == ".Inf" || text == ".INF") return json(negative ? -infinity : infinity);
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return json(std::numeric_limits<double>::quiet_NaN());
  return std::nullopt;
}

/// Digits, an optional fraction and exponent; too large is infinite, too small is nothing.
std::optional<json> read_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const bool looks_right =
      !text.empty() && (is_digit(text[0]) || (text[0] == '.' && text.size() > 1 && is_digit(text[1])));
  if (!looks_right || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;
  const std::string digits(text);  // for strtod: not every standard library has from_chars of a double
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  if (end != digits.c_str() + digits.size()) return std::nullopt;
  return json(negative ? -value : value);
}

}  // namespace

json plain_scalar(std::string_view text) {
  if (is_one_of(text, null_words)) return nullptr;
  if (is_one_of(text, true_words)) return true;
  if (is_one_of(text, false_words)) return false;
  const bool may_be_number = is_digit(text[0]) || text[0] == '-' || text[0] == '+' || text[0] == '.';
  if (!may_be_number) return std::string(text);
  std::string digits(text);
  std::erase(digits, '_');
  if (const auto integer = read_integer(digits)) return *integer;
  if (const auto decimal = read_decimal(digits)) return *decimal;
  if (const auto special = read_special(text)) return *special;
  return std::string(text);
}

}  // namespace ordeal
