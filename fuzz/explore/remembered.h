// What a walk remembers of states: hash, the state before, the move. Places are given in order and never change.
//
// In parts, so that jobs can add to different ones at the same time; reading is safe while nobody adds. 24 bytes per
// state and a table of 4-byte places, between 35 and 70 percent full. Covered by explore_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/explore/hash.h"
#include "properties/explore/move.h"

namespace ordeal::fuzz {

class Remembered {
 public:
  static constexpr std::size_t parts = 64;
  /// A part in the low six bits, above them the place in it.
  using Place = std::uint32_t;

  struct Entry {
    properties::Hash128 hash;
    Place before = 0;
    properties::Move move;
  };
  static_assert(sizeof(Entry) == 24);

  static std::size_t part_of(const properties::Hash128& hash) { return hash.high >> 58; }  // so parts are in hash order

  bool has(const properties::Hash128& hash) const {
    const Part& part = parts_[part_of(hash)];
    if (part.table.empty()) return false;
    for (std::size_t at = slot(part, hash);; at = (at + 1) & (part.table.size() - 1)) {
      const std::uint32_t held = part.table[at];
      if (held == 0) return false;
      if (part.entries[held - 1].hash == hash) return true;
    }
  }
  /// Of a state that is not remembered yet.
  Place add(const Entry& entry) {
    const std::size_t number = part_of(entry.hash);
    Part& part = parts_[number];
    if ((part.entries.size() + 1) * 10 > part.table.size() * 7) grow(part);
    part.entries.push_back(entry);
    insert(part, static_cast<std::uint32_t>(part.entries.size()));
    return static_cast<Place>((part.entries.size() - 1) << 6 | number);
  }
  const Entry& at(Place place) const { return parts_[place & (parts - 1)].entries[place >> 6]; }
  std::size_t size() const {
    std::size_t all = 0;
    for (const Part& part : parts_) all += part.entries.size();
    return all;
  }
  std::size_t bytes() const {
    std::size_t all = 0;
    for (const Part& part : parts_)
      all += part.entries.capacity() * sizeof(Entry) + part.table.capacity() * sizeof(std::uint32_t);
    return all;
  }
  bool is_full() const {  // places have 26 bits beside the part
    for (const Part& part : parts_)
      if (part.entries.size() >= (std::size_t{1} << 26) - 1) return true;
    return false;
  }

 private:
  struct Part {
    std::vector<Entry> entries;
    std::vector<std::uint32_t> table;  // place + 1; 0: free
  };
  static std::size_t slot(const Part& part, const properties::Hash128& hash) {
    return hash.low & (part.table.size() - 1);
  }
  static void insert(Part& part, std::uint32_t held) {
    std::size_t at = slot(part, part.entries[held - 1].hash);
    while (part.table[at] != 0) at = (at + 1) & (part.table.size() - 1);
    part.table[at] = held;
  }
  static void grow(Part& part) {
    part.table.assign(part.table.empty() ? 64 : part.table.size() * 2, 0);
    for (std::uint32_t held = 1; held <= part.entries.size(); ++held) insert(part, held);
  }
  std::array<Part, parts> parts_;
};

}  // namespace ordeal::fuzz
