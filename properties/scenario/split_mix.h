// SplitMix64 (Steele, Lea and Flood, 2014): numbers that are alike become numbers that are not. The same on every
// platform.
#pragma once

#include <cstdint>

namespace ordeal::properties {

/// Its increment: states a multiple of it apart give a good sequence.
inline constexpr std::uint64_t split_mix_step = 0x9E3779B97F4A7C15u;

/// Its output function; no two numbers come out the same.
constexpr std::uint64_t split_mix(std::uint64_t state) {
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EBu;
  return state ^ (state >> 31);
}

/// The output number `index` of the sequence that begins at `state`, without walking there.
constexpr std::uint64_t split_mix(std::uint64_t state, std::uint64_t index) {
  return split_mix(state + split_mix_step * (index + 1));
}

}  // namespace ordeal::properties
