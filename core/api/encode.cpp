#include "core/api/encode.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/api/text_reader.h"

namespace ordeal {

namespace {

using nlohmann::json;

constexpr double plain_from = 1e-6, plain_below = 1e21;  // outside, Go writes an exponent

void append_hex4(std::string& out, unsigned code) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += digits[(code >> shift) & 0xF];
}

void append_ascii(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  const bool escaped = (c >= 0 && c < ' ') || c == '<' || c == '>' || c == '&';
  if (escaped) append_hex4(out, static_cast<unsigned char>(c));
  else out += c;
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const std::size_t size = utf8_size(text);
    const std::string_view character = text.substr(0, size);
    if (size == 0) append_hex4(out, 0xFFFD);
    else if (size == 1) append_ascii(out, text.front());
    else if (character == "\u2028") append_hex4(out, 0x2028);
    else if (character == "\u2029") append_hex4(out, 0x2029);
    else out += character;
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  out += '"';
}

/// Shortest digits d1 d2 ... dn and the exponent e of 0.d1d2...dn * 10^e.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal shortest(double magnitude) {
  std::array<char, 64> buffer;
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  Decimal decimal;
  for (const char c : text.substr(0, e))
    if (c != '.') decimal.digits += c;
  const std::string_view exponent = text.substr(e + (text[e + 1] == '+' ? 2 : 1));
  std::from_chars(exponent.data(), exponent.data() + exponent.size(), decimal.exponent);
  ++decimal.exponent;
  return decimal;
}

void append_plain(std::string& out, const Decimal& decimal) {
  const int size = static_cast<int>(decimal.digits.size());
  if (decimal.exponent <= 0) {
    out += "0." + std::string(static_cast<std::size_t>(-decimal.exponent), '0') + decimal.digits;
  } else if (decimal.exponent >= size) {
    out += decimal.digits + std::string(static_cast<std::size_t>(decimal.exponent - size), '0');
  } else {
    const auto whole = static_cast<std::size_t>(decimal.exponent);
    out += decimal.digits.substr(0, whole) + "." + decimal.digits.substr(whole);
  }
}

void append_scientific(std::string& out, const Decimal& decimal) {
  out += decimal.digits[0];
  if (decimal.digits.size() > 1) out += "." + decimal.digits.substr(1);
  const int exponent = decimal.exponent - 1;
  out += exponent < 0 ? "e-" : "e+";
  out += std::to_string(std::abs(exponent));
}

void append_double(std::string& out, double value) {
  if (!std::isfinite(value)) {  // readers refuse them; JSON has no word for them
    out += "null";
    return;
  }
  if (std::signbit(value)) out += '-';
  const double magnitude = std::fabs(value);
  if (magnitude == 0) out += '0';
  else if (magnitude >= plain_from && magnitude < plain_below) append_plain(out, shortest(magnitude));
  else append_scientific(out, shortest(magnitude));
}

void append_number(std::string& out, const json& value) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;  // up to here a double holds every whole number
  const bool integer = value.is_number_integer() &&
                       !(value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(exact));
  const std::int64_t whole = integer ? value.get<std::int64_t>() : 0;
  if (integer && whole >= -exact && whole <= exact) out += std::to_string(whole);
  else append_double(out, value.get<double>());
}

void append(std::string& out, const json& value) {
  switch (value.type()) {
    case json::value_t::object: {
      out += '{';
      bool first = true;
      for (const auto& item : value.items()) {
        if (!first) out += ',';
        first = false;
        append_string(out, item.key());
        out += ':';
        append(out, item.value());
      }
      out += '}';
      return;
    }
    case json::value_t::array: {
      out += '[';
      bool first = true;
      for (const json& item : value) {
        if (!first) out += ',';
        first = false;
        append(out, item);
      }
      out += ']';
      return;
    }
    case json::value_t::string: return append_string(out, value.get_ref<const std::string&>());
    case json::value_t::boolean: out += value.get<bool>() ? "true" : "false"; return;
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
    case json::value_t::number_float: return append_number(out, value);
    default: out += "null"; return;
  }
}

}  // namespace

std::string go_encode(const json& value) {
  std::string out;
  append(out, value);
  return out;
}

}  // namespace ordeal
