// A digest of everything that happened: two runs of the same trial must agree in it, on any machine, build or number of
// jobs. Cheap enough to be always on.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "properties/evidence/trace.h"

namespace ordeal::properties {

static_assert(std::endian::native == std::endian::little, "words are taken from memory as they lie there");

class Digest {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9E3779B97F4A7C15ull;
    state_ ^= state_ >> 29;
  }
  void add(std::string_view bytes) {
    add(bytes.size());
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data(), 8);
      add(word);
    }
    std::uint64_t rest = 0;
    if (!bytes.empty()) std::memcpy(&rest, bytes.data(), bytes.size());
    add(rest);
  }
  void add(const Call& call) {
    const auto byte = [](auto e, int place) { return std::uint64_t{static_cast<std::uint8_t>(e)} << (8 * place); };
    add(byte(call.request.verb, 0) | byte(call.request.kind, 1) | byte(call.request.reason, 2) |
        byte(call.reply.code, 3) | byte(call.fault, 4) | byte(call.committed, 5));
    add(call.request.name.view());
  }
  void add(const Sync& sync) {
    for (const Call& call : sync.calls) add(call);
    add(static_cast<std::uint64_t>(sync.now.ms) << 3 | std::uint64_t{sync.result.failed} << 2 |
        std::uint64_t{sync.died} << 1 | std::uint64_t{sync.fresh});
    add(static_cast<std::uint64_t>(sync.result.requeue_after ? sync.result.requeue_after->ms : -1));
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xCBF29CE484222325ull;
};

/// Sixteen hexadecimal digits.
inline std::string hex_text(std::uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}
inline std::string hex_digest(std::string_view text) {
  Digest digest;
  digest.add(text);
  return hex_text(digest.value());
}

}  // namespace ordeal::properties
