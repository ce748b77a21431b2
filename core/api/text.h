// Text: an immutable string that costs next to nothing to copy and to compare.
//
// Names, label keys and label values are copied and compared at every call of every sync of every trial, and almost all
// of them are shorter than 16 bytes or one of a few well-known keys. So up to 15 bytes are kept in place; longer
// strings are shared (counted, safe across threads) or, for literals, pointed to for ever.
//
// You may rely on: value semantics, no global state, order by bytes. Covered by text_test.cpp.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <new>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

namespace ordeal {

class Text {
 public:
  Text() noexcept : words_{0, 0} {}
  Text(std::string_view bytes) { assign(bytes); }
  Text(const char* bytes) { assign(bytes); }
  Text(const std::string& bytes) { assign(bytes); }

  /// A text over bytes that are never freed, such as a string literal: copying it counts nothing.
  static Text lasting(std::string_view bytes) {
    if (bytes.size() <= capacity_in_place) return Text(bytes);
    Text text;
    text.words_[0] = reinterpret_cast<std::uintptr_t>(bytes.data());
    text.words_[1] = (tag_lasting << tag_shift) | bytes.size();
    return text;
  }

  Text(const Text& other) noexcept : words_{other.words_[0], other.words_[1]} { retain(); }
  Text(Text&& other) noexcept : words_{other.words_[0], other.words_[1]} { other.words_[0] = other.words_[1] = 0; }
  Text& operator=(const Text& other) noexcept {
    Text copy(other);
    swap(copy);
    return *this;
  }
  Text& operator=(Text&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Text() { release(); }

  void swap(Text& other) noexcept {
    std::swap(words_[0], other.words_[0]);
    std::swap(words_[1], other.words_[1]);
  }

  std::string_view view() const noexcept {
    const std::uint64_t tag = words_[1] >> tag_shift;
    if (tag <= capacity_in_place) return {reinterpret_cast<const char*>(words_), static_cast<std::size_t>(tag)};
    const auto size = static_cast<std::size_t>(words_[1] & size_mask);
    if (tag == tag_lasting) return {reinterpret_cast<const char*>(words_[0]), size};
    return {shared()->bytes(), size};
  }
  operator std::string_view() const noexcept { return view(); }
  std::string str() const { return std::string(view()); }
  std::size_t size() const noexcept { return view().size(); }
  bool empty() const noexcept { return words_[1] == 0; }

  /// Whether both words are the same: then the texts are equal. If not, short texts differ (each has one form only);
  /// long ones may be equal.
  bool is(const Text& other) const noexcept { return words_[0] == other.words_[0] && words_[1] == other.words_[1]; }
  bool is_short() const noexcept { return (words_[1] >> tag_shift) <= capacity_in_place; }
  friend bool operator==(const Text& a, const Text& b) noexcept {
    if (a.is(b)) return true;
    return !a.is_short() && !b.is_short() && a.has_bytes_of(b);
  }
  friend std::strong_ordering operator<=>(const Text& a, const Text& b) noexcept {
    if (!a.is_short() || !b.is_short()) return a.view() <=> b.view();
    // Zero-padded bytes read as big-endian numbers order as the bytes do; the size in the last byte breaks ties.
    const std::uint64_t high_a = __builtin_bswap64(a.words_[0]), high_b = __builtin_bswap64(b.words_[0]);
    return high_a != high_b ? high_a <=> high_b : __builtin_bswap64(a.words_[1]) <=> __builtin_bswap64(b.words_[1]);
  }
  friend bool operator==(const Text& a, std::string_view b) noexcept { return a.view() == b; }
  friend bool operator==(const Text& a, const char* b) noexcept { return a.view() == std::string_view(b); }
  friend bool operator==(const Text& a, const std::string& b) noexcept { return a.view() == std::string_view(b); }
  friend std::ostream& operator<<(std::ostream& out, const Text& text) { return out << text.view(); }

 private:
  // Layout: bytes 0..14 hold a short text and byte 15 its size; otherwise word 0 points to the bytes (lasting) or to a
  // counted block, and word 1 holds the size below a tag in byte 15. Assumes little endian, asserted below.
  struct Shared {
    std::atomic<std::uint32_t> count{1};
    char* bytes() noexcept { return reinterpret_cast<char*>(this + 1); }
  };
  static constexpr std::size_t capacity_in_place = 15;
  static constexpr int tag_shift = 56;
  static constexpr std::uint64_t tag_lasting = 0xFE, tag_shared = 0xFF;
  static constexpr std::uint64_t size_mask = (std::uint64_t{1} << tag_shift) - 1;

  /// Of two long texts; rarely asked, and a call keeps all the others small.
  [[gnu::noinline]] bool has_bytes_of(const Text& other) const noexcept {
    return ((words_[1] ^ other.words_[1]) & size_mask) == 0 && view() == other.view();
  }
  Shared* shared() const noexcept { return reinterpret_cast<Shared*>(words_[0]); }

  void assign(std::string_view bytes) {
    words_[0] = words_[1] = 0;
    if (bytes.size() <= capacity_in_place) {
      if (!bytes.empty()) std::memcpy(words_, bytes.data(), bytes.size());
      words_[1] |= static_cast<std::uint64_t>(bytes.size()) << tag_shift;
      return;
    }
    void* block = ::operator new(sizeof(Shared) + bytes.size());
    auto* held = new (block) Shared;
    std::memcpy(held->bytes(), bytes.data(), bytes.size());
    words_[0] = reinterpret_cast<std::uintptr_t>(held);
    words_[1] = (tag_shared << tag_shift) | bytes.size();
  }
  void retain() const noexcept {
    if ((words_[1] >> tag_shift) == tag_shared) shared()->count.fetch_add(1, std::memory_order_relaxed);
  }
  void release() noexcept {
    if ((words_[1] >> tag_shift) != tag_shared) return;
    if (shared()->count.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      shared()->~Shared();
      ::operator delete(static_cast<void*>(shared()));
    }
  }

  std::uint64_t words_[2];
};

static_assert(sizeof(Text) == 16);
#if defined(__BYTE_ORDER__)
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "Text keeps its size in the last byte of its second word");
#endif

}  // namespace ordeal

template <>
struct std::hash<ordeal::Text> {
  std::size_t operator()(const ordeal::Text& text) const noexcept { return std::hash<std::string_view>{}(text.view()); }
};
