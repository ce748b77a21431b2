#include "core/api/names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace ordeal {

namespace {

constexpr std::uint32_t fnv_prime = 16777619u;
constexpr std::size_t prefix_bytes_at_most = 223;  // what is left of 253 for a set's name in a revision's name
constexpr std::size_t digits_at_most = 20;         // of a 64-bit number with its sign

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Names are nearly always short, so the common case touches no heap but the Text's own.
template <class... Parts>
Text join(Parts... parts) {
  constexpr std::size_t in_place = 256;
  const std::size_t size = (std::size_t{0} + ... + parts.size());
  if (size > in_place) {
    std::string joined;
    joined.reserve(size);
    (joined.append(parts), ...);
    return Text(joined);
  }
  std::array<char, in_place> buffer;
  char* end = buffer.data();
  (static_cast<void>(end = std::copy(parts.begin(), parts.end(), end)), ...);
  return Text(std::string_view(buffer.data(), size));
}

/// The decimal form of a number, in place.
class Digits {
 public:
  explicit Digits(std::int64_t number)
      : end_(std::to_chars(bytes_.data(), bytes_.data() + bytes_.size(), number).ptr) {}
  std::string_view view() const { return {bytes_.data(), static_cast<std::size_t>(end_ - bytes_.data())}; }

 private:
  std::array<char, digits_at_most> bytes_;
  char* end_;
};

/// The number, or none when it does not fit 32 bits with sign. `digits` are digits only. Asked about every pod of every
/// view.
Ordinal ordinal_of(std::string_view digits) {
  constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
  std::int64_t value = 0;
  for (const char digit : digits) {
    value = value * 10 + (digit - '0');
    if (value > largest) return Ordinal::none;
  }
  return static_cast<Ordinal>(value);
}

}  // namespace

Member parse_member(std::string_view pod_name) {
  std::size_t start = pod_name.size();
  while (start > 0 && is_digit(pod_name[start - 1])) --start;
  const bool has_digits = start < pod_name.size();
  if (!has_digits || start == 0 || pod_name[start - 1] != '-') return {};
  return {pod_name.substr(0, start - 1), ordinal_of(pod_name.substr(start))};
}

bool is_given_name(std::string_view pod_name) {
  const Member member = parse_member(pod_name);
  if (member.ordinal == Ordinal::none) return false;
  const std::string_view digits = pod_name.substr(member.parent.size() + 1);
  return digits.size() == 1 || digits.front() != '0';
}

Text pod_name(const Text& set_name, Ordinal ordinal) {
  return join(set_name.view(), std::string_view("-"), Digits(number(ordinal)).view());
}

Text claim_name(const Text& claim_template, const Text& set_name, Ordinal ordinal) {
  const std::string_view dash = "-";
  return join(claim_template.view(), dash, set_name.view(), dash, Digits(number(ordinal)).view());
}

Text decimal(std::int64_t number) { return Text(Digits(number).view()); }

std::uint32_t fnv1_32(std::string_view bytes, std::uint32_t hash) {
  for (const char c : bytes) hash = (hash * fnv_prime) ^ static_cast<std::uint8_t>(c);
  return hash;
}

std::string safe_encode(std::uint32_t number) {
  constexpr std::string_view safe_digits = "456789bcdf";
  std::string encoded(Digits(number).view());
  for (char& c : encoded) c = safe_digits[static_cast<std::size_t>(c - '0')];
  return encoded;
}

Text revision_suffix(std::uint32_t data_hash, std::int32_t collision_count) {
  return Text(safe_encode(fnv1_32(Digits(collision_count).view(), data_hash)));
}

Text revision_name(const Text& set_name, const Text& suffix) {
  return join(set_name.view().substr(0, prefix_bytes_at_most), std::string_view("-"), suffix.view());
}

}  // namespace ordeal
