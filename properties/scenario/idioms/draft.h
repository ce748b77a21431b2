// What idioms write into: the steps so far, and the words in which several idioms are said.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "properties/scenario/generate.h"
#include "properties/scenario/generate_steps.h"

namespace ordeal::properties::idioms {

struct Draft {
  Choices& choices;
  const Swarm& swarm;
  std::vector<Step>& steps;

  void add(StepKind kind, std::int32_t a = 0, std::int32_t b = 0) { steps.push_back({.kind = kind, .a = a, .b = b}); }
  void draw(StepKind kind) { steps.push_back(generate_step(choices, kind)); }
  void fail(std::uint8_t call, Fault how);
  void fail_in_a_row(std::int32_t first, std::int32_t how_many, Fault how);
  void see_and_sync();
  /// What a turn has left undone is seen to in the next one.
  void see_and_sync_twice();
  /// The control loop goes round: the controller sees all, acts, and the kubelets follow.
  void turns(std::int32_t at_most);
  /// New templates, one after the other, each of them recorded.
  void editions(std::int32_t first, std::int32_t last);
  /// The first of these kinds, from a drawn one on, that exists here; `otherwise` when none does.
  StepKind one_of(std::initializer_list<StepKind> kinds, StepKind otherwise);
};

/// A third of them conflicts, which controllers treat otherwise than all others.
Fault draw_refusal(Choices& choices);
Step before_call(Step step, std::uint8_t call);

}  // namespace ordeal::properties::idioms
