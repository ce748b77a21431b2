// What a campaign must have seen for its verdict to mean something: "this situation must occur, otherwise we tested
// nothing". Each situation is a bit; `ordeal run` counts them.
#pragma once

#include <bitset>
#include <span>
#include <string>

namespace ordeal::properties {

inline constexpr std::size_t max_situations = 512;
using Situations = std::bitset<max_situations>;

/// Every situation, in the order of the bits: each invariant applied, each kind of step took effect, each reason for a
/// call was reached, each fault struck, each pair of management policy and strategy ran.
std::span<const std::string> situation_names();

}  // namespace ordeal::properties
