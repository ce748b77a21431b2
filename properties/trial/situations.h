// What a campaign must have seen for its verdict to mean something: "this situation must occur, otherwise we tested
// nothing". Each situation is a bit; `ordeal run` counts them.
#pragma once

#include <bitset>
#include <span>
#include <string>

#include "core/controller/door.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

inline constexpr std::size_t max_situations = 512;
using Situations = std::bitset<max_situations>;

/// Every situation, in the order of the bits: each kind of step happened, each reason for a call was reached, each
/// fault struck, each pair of management policy and strategy ran, each invariant had something to say.
std::span<const std::string> situation_names();

std::size_t situation_of(StepKind kind);
std::size_t situation_of(Reason reason);
std::size_t situation_of(Fault fault);
std::size_t situation_of(PodManagement policy, Strategy strategy);
std::size_t situation_of_invariant(std::size_t place_in_catalogue);
/// Takes back that promises had something to say: what has no verdict has held nothing.
void forget_judged(Situations& situations);

/// Situations that count for a campaign of a controller: all but `unstated` calls and the absence of a fault.
Situations expected_situations();

}  // namespace ordeal::properties
