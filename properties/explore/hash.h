// A 128-bit hash, the same on every machine: two lanes of multiply and fold. Not for adversaries; for telling states
// apart.
//
// With n states, two different ones share a hash with a probability of about n^2 / 2^129: 10^9 states, 10^-21.
#pragma once

#include <compare>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ordeal::properties {

struct Hash128 {
  std::uint64_t high = 0, low = 0;
  friend auto operator<=>(const Hash128&, const Hash128&) = default;
};
struct HashOfHash {
  std::size_t operator()(const Hash128& hash) const noexcept { return static_cast<std::size_t>(hash.low); }
};

class Hasher {
 public:
  void add(std::uint64_t word) {
    a_ = folded(a_ ^ word, 0x9E3779B97F4A7C15ull);
    b_ = folded(b_ + word, 0xD6E8FEB86659FD93ull) ^ a_;
  }
  void add(std::string_view bytes) {
    add(bytes.size());
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) add(word_of(bytes.data(), 8));
    if (!bytes.empty()) add(word_of(bytes.data(), bytes.size()));
  }
  void add(const Hash128& hash) {
    add(hash.high);
    add(hash.low);
  }
  Hash128 value() const {
    return {folded(a_ ^ 0xA0761D6478BD642Full, b_ | 1), folded(b_ ^ 0xE7037ED1A0B428DBull, a_ | 1)};
  }

 private:
  static std::uint64_t word_of(const char* from, std::size_t bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, bytes);
    return word;
  }
  static std::uint64_t folded(std::uint64_t x, std::uint64_t by) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(x ^ 0x2D358DCCAA6C78A5ull) * by;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  std::uint64_t a_ = 0x243F6A8885A308D3ull, b_ = 0x13198A2E03707344ull;
};

}  // namespace ordeal::properties
