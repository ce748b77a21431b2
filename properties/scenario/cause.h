// What a minimal scenario is about: which kinds of thing have to happen, to which kind of set, for a promise to break.
//
// Two shrunk scenarios with the same cause tell the same story. What differs without telling another one is left out:
//   - numbers: replicas, ordinals, images, seconds, which pod, before which call; only their sign counts, since a
//     negative number removes a field or turns a clock back;
//   - order, and how often the same thing happens;
//   - progress (shrink.h): syncs, deliveries, kubelets and time go on in every story, step by step, by a race or
//     by settle;
//   - which of a sort: a kind of step stands for those the shrinker may plainly replace by it, one template that
//     works for another that works, one whose pods never become ready for another;
//   - when a field is given: from the start or by a user on the way. A user who takes it back is a step.
// What remains are words: the sorts of the other steps with their word arguments, and the fields of the set and gates
// of the environment that are not the plainest.
//
// Covered by cause_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "properties/scenario/scenario.h"

namespace ordeal::properties {

struct Cause {
  std::vector<std::string> steps;   // sorted, each once: "user.add-pod as=leading-zero", "user.scale"
  std::vector<std::string> fields;  // sorted, each once: "Parallel", "partition"
  friend bool operator==(const Cause&, const Cause&) = default;

  /// "user.add-pod as=leading-zero, user.scale; Parallel", or "creation alone".
  std::string text() const;
  /// Whether it names a field, a step, or a kind of step whatever its words.
  bool names(std::string_view ingredient) const;
};

/// Meaningful of scenarios that were shrunk; of others it says everything that happened.
Cause cause_of(const Scenario& scenario);

/// The same as people are told it: every step by its own kind and words, not by that of its sort.
std::string told_cause(const Scenario& scenario);

/// The same story seen through more noise: the fields of `plainer`, its steps, and more steps.
bool is_noisier(const Cause& cause, const Cause& plainer);

}  // namespace ordeal::properties
