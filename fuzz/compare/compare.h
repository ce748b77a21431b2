// Two controllers, the same scenarios: do they ask for the same, call by call?
//
// Each is tried in a world of its own. Up to the first difference the two worlds are equal; what comes after it says
// nothing, so a trial has at most one. Of a trial of many hundred turns only the beginning is compared. Differences are
// told apart by what kind of call differs in which field, so that many trials come down to a few. Reasons and lines of
// calls are not compared: not everybody tells them. Covered by compare_test.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fuzz/engine/controllers.h"
#include "fuzz/engine/first_sets.h"

namespace ordeal::fuzz {

struct Difference {
  std::string kind;                    // "POST pods: body/spec/volumes"
  std::string a, b;                    // what each did there
  std::uint64_t trial = 0, times = 0;  // the first trial that has it, and how many have it
  int sync = 0;                        // of the scenario, from 1
  properties::Scenario scenario{};     // of that trial, shrunk, as both were tried in it
};

struct Comparison {
  std::uint64_t trials = 0, unclear = 0;
  std::string why_unclear;              // of the first trial in which a controller could not be tried
  std::vector<Difference> differences;  // by kind
};

inline constexpr std::atomic<bool> never = false;

/// Trials `first` to `first + trials - 1` of a run with these sets and this seed; after the last number there is comes
/// 0. Those that were not begun before `stop` are left out.
Comparison compare(const ControllerKind& a, const ControllerKind& b, const FirstSets& sets, std::uint64_t seed,
                   std::uint64_t first, std::uint64_t trials, const std::atomic<bool>& stop = never);

/// The same of one scenario as it stands; none when both ask for the same. Throws as a trial does.
std::optional<Difference> compare_on(const properties::Scenario& scenario, Dock& a, Dock& b);

/// Between each of these, which are no programs, and the next: what compare_on says, but each is tried only once.
std::vector<std::optional<Difference>> compare_along(const properties::Scenario& scenario,
                                                     std::span<const ControllerKind> path);

/// The controllers of one dock, tried twice: `a` is the first time. What differs is no decision of theirs: the order of
/// a map, a clock that was read, a name drawn at random. None when both went the same way; throws as a trial does.
std::optional<Difference> compare_twice(const properties::Scenario& scenario, Dock& dock);

}  // namespace ordeal::fuzz
