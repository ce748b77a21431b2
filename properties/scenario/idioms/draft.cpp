#include "properties/scenario/idioms/draft.h"

namespace ordeal::properties::idioms {

using enum StepKind;

void Draft::fail(std::uint8_t call, Fault how) {
  steps.push_back({.kind = fault, .at_call = call, .a = static_cast<std::int32_t>(how)});
}

void Draft::fail_in_a_row(std::int32_t first, std::int32_t how_many, Fault how) {
  for (std::int32_t call = first; call < first + how_many; ++call) fail(static_cast<std::uint8_t>(call), how);
}

void Draft::see_and_sync() {
  add(deliver_all);
  add(sync);
}

void Draft::see_and_sync_twice() {
  see_and_sync();
  see_and_sync();
}

void Draft::turns(std::int32_t at_most) {
  for (std::int32_t n = choices.between(1, at_most); n > 0; --n) {
    see_and_sync();
    add(run_kubelets);
  }
}

void Draft::editions(std::int32_t first, std::int32_t last) {
  for (std::int32_t image = first; image <= last; ++image) {
    add(edit_template, image);
    see_and_sync();
  }
}

StepKind Draft::one_of(std::initializer_list<StepKind> kinds, StepKind otherwise) {
  const std::size_t first = choices.up_to(static_cast<std::uint32_t>(kinds.size() - 1));
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const StepKind kind = kinds.begin()[(first + i) % kinds.size()];
    if (swarm.has(kind)) return kind;
  }
  return otherwise;
}

Fault draw_refusal(Choices& choices) {
  return choices.one_in(3) ? Fault::conflict : static_cast<Fault>(generate_step(choices, fault).a);
}

Step before_call(Step step, std::uint8_t call) {
  step.at_call = call;
  return step;
}

}  // namespace ordeal::properties::idioms
