// Resource quantities: https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
//
// A quantity is kept as digits times a power of ten, and the suffix decides how it is written again: decimal suffixes
// step by a thousand, binary ones by 1024, exponents stay exponents. The API server stores one form only, so two texts
// of one quantity must not look like two templates.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/api/encode.h"

namespace ordeal {

namespace {

using nlohmann::json;

enum class Format : std::uint8_t { decimal, binary, exponent };

struct Quantity {
  bool negative = false;
  std::uint64_t digits = 0;
  int tens = 0;    // digits * 10^tens
  int binary = 0;  // ... * 1024^binary
  Format format = Format::decimal;
  bool too_long = false;  // digits do not hold it
};

constexpr std::array<std::string_view, 10> decimal_suffixes = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
constexpr int smallest_decimal = -3;  // of a thousand: "n"
constexpr std::string_view binary_letters = "KMGTPE";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Digits with an optional point; takes them off `text`.
bool take_digits(std::string_view& text, Quantity& quantity) {
  bool any = false, after_point = false;
  for (; !text.empty() && (is_digit(text[0]) || (text[0] == '.' && !after_point)); text.remove_prefix(1)) {
    if (text[0] == '.') {
      after_point = true;
      continue;
    }
    any = true;
    constexpr std::uint64_t room = 1'000'000'000'000'000'000u;
    if (quantity.digits >= room / 10) quantity.too_long = true;
    else quantity.digits = quantity.digits * 10 + static_cast<std::uint64_t>(text[0] - '0');
    if (after_point) --quantity.tens;
  }
  return any;
}

bool take_exponent(std::string_view text, Quantity& quantity) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  quantity.format = Format::exponent;
  if (exponent < -100 || exponent > 100) quantity.too_long = true;
  else quantity.tens += exponent;
  return true;
}

bool take_suffix(std::string_view text, Quantity& quantity) {
  if (text.size() == 2 && text[1] == 'i') {
    const std::size_t power = binary_letters.find(text[0]);
    if (power == std::string_view::npos) return false;
    quantity.binary = static_cast<int>(power) + 1;
    quantity.format = Format::binary;
    return true;
  }
  for (std::size_t i = 0; i < decimal_suffixes.size(); ++i)
    if (text == decimal_suffixes[i]) {
      quantity.tens += 3 * (static_cast<int>(i) + smallest_decimal);
      return true;
    }
  return (text[0] == 'e' || text[0] == 'E') && take_exponent(text.substr(1), quantity);
}

std::optional<Quantity> parse(std::string_view text) {
  Quantity quantity;
  if (text.starts_with('-') || text.starts_with('+')) {
    quantity.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (!take_digits(text, quantity) || !take_suffix(text, quantity)) return std::nullopt;
  return quantity;
}

/// Multiplies while it fits in 60 bits; false otherwise.
bool scale(std::uint64_t& digits, std::uint64_t by) {
  constexpr std::uint64_t room = std::uint64_t{1} << 60;
  if (digits > room / by) return false;
  digits *= by;
  return true;
}

/// Takes factors of ten out of `digits`, so that a number has one form here.
void normalise(Quantity& quantity) {
  for (; quantity.digits % 10 == 0; ++quantity.tens) quantity.digits /= 10;
}

/// The largest suffix that leaves no fraction.
std::optional<std::string> write_decimal(Quantity quantity) {
  normalise(quantity);
  const int tens = quantity.tens;
  const int thousands = tens >= 0 ? tens / 3 : -((-tens + 2) / 3);
  for (int left = tens - 3 * thousands; left > 0; --left)
    if (!scale(quantity.digits, 10)) return std::nullopt;
  std::string text = std::to_string(quantity.digits);
  if (quantity.format == Format::exponent) return thousands == 0 ? text : text + "e" + std::to_string(3 * thousands);
  const int suffix = thousands - smallest_decimal;
  if (suffix < 0 || suffix >= static_cast<int>(decimal_suffixes.size())) return std::nullopt;
  return text.append(decimal_suffixes[static_cast<std::size_t>(suffix)]);
}

/// Fractions and what is below 1024 are written with decimal suffixes.
std::optional<std::string> write_binary(Quantity quantity) {
  for (; quantity.binary > 0; --quantity.binary)
    if (!scale(quantity.digits, 1024)) return std::nullopt;
  normalise(quantity);
  quantity.format = Format::decimal;
  if (quantity.tens < 0) return write_decimal(quantity);
  std::uint64_t whole = quantity.digits;
  for (int i = 0; i < quantity.tens; ++i)
    if (!scale(whole, 10)) return std::nullopt;
  if (whole < 1024) return write_decimal(quantity);
  std::size_t power = 0;
  for (; whole % 1024 == 0 && power < binary_letters.size(); ++power) whole /= 1024;
  std::string text = std::to_string(whole);
  return power == 0 ? text : text.append(1, binary_letters[power - 1]).append("i");
}

/// Null when 64 bits do not suffice.
std::optional<std::string> write(const Quantity& quantity) {
  if (quantity.too_long) return std::nullopt;
  if (quantity.digits == 0) return "0";
  const auto text = quantity.format == Format::binary ? write_binary(quantity) : write_decimal(quantity);
  return text && quantity.negative ? "-" + *text : text;
}

/// In units of the tenth power `unit`, so that a fraction is whole.
long double in_units(const Quantity& quantity, int unit) {
  return std::ldexp(static_cast<long double>(quantity.digits) * std::pow(10.0L, quantity.tens - unit),
                    10 * quantity.binary);
}

}  // namespace

bool canonical_quantity(json& value) {
  if (!value.is_string() && !value.is_number()) return false;
  const std::string text = value.is_string() ? value.get<std::string>() : go_encode(value);
  const auto quantity = parse(text);
  if (!quantity) return false;
  if (auto written = write(*quantity)) value = std::move(*written);
  else value = text;
  return true;
}

bool is_more_than(const json& quantity, const json& other) {
  const auto a = parse(quantity.get_ref<const std::string&>()), b = parse(other.get_ref<const std::string&>());
  if (!a || !b || a->too_long || b->too_long) return false;
  const int unit = std::min(a->tens, b->tens);
  return in_units(*a, unit) > in_units(*b, unit);
}

}  // namespace ordeal
