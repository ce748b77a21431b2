// The states of one level, whole, in the order of their hashes; and those that some job met one move further.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "fuzz/explore/remembered.h"

namespace ordeal::fuzz {

/// One part of a level.
struct Frontier {
  struct State {
    Remembered::Place place;
    std::uint32_t words;
    std::size_t first;
  };
  std::vector<State> states;
  std::vector<std::uint32_t> words;

  std::span<const std::uint32_t> words_of(const State& state) const {
    return std::span(words).subspan(state.first, state.words);
  }
  std::size_t bytes() const { return states.capacity() * sizeof(State) + words.capacity() * sizeof(std::uint32_t); }
};

/// New states that one job met, each once, with the best way there that it knows.
class Met {
 public:
  struct State {
    Remembered::Entry entry;
    std::uint32_t words;
    std::size_t first;
  };
  void add(const Remembered::Entry& entry, std::span<const std::uint32_t> words) {
    Part& part = parts_[Remembered::part_of(entry.hash)];
    const auto [at, is_new] = part.by_hash.try_emplace(entry.hash, static_cast<std::uint32_t>(part.states.size()));
    if (is_new) {
      part.states.push_back({entry, static_cast<std::uint32_t>(words.size()), part.words.size()});
      part.words.insert(part.words.end(), words.begin(), words.end());
      bytes_ += sizeof(State) + words.size_bytes() + 64;
    } else if (is_better(entry, part.states[at->second].entry)) {
      part.states[at->second].entry = entry;
    }
  }
  static bool is_better(const Remembered::Entry& a, const Remembered::Entry& b) {
    return a.before != b.before ? a.before < b.before : a.move < b.move;
  }
  struct Part {
    std::vector<State> states;
    std::vector<std::uint32_t> words;
    std::unordered_map<properties::Hash128, std::uint32_t, properties::HashOfHash> by_hash;
  };
  Part& part(std::size_t number) { return parts_[number]; }
  std::size_t bytes() const { return bytes_; }
  void clear() {
    for (Part& part : parts_) part = Part();
    bytes_ = 0;
  }

 private:
  std::array<Part, Remembered::parts> parts_;
  std::size_t bytes_ = 0;
};

}  // namespace ordeal::fuzz
