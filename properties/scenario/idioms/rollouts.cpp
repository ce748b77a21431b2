// New templates, one after the other or one in the middle of another, and what befalls the pods meanwhile.
#include <iterator>

#include "properties/scenario/idioms/idioms.h"

namespace ordeal::properties::idioms {

using enum StepKind;

void begin_rollout(Draft& d) {
  d.draw(edit_template);
  d.turns(2);
}

void complete_rollout(Draft& d) {
  d.draw(edit_template);
  if (d.swarm.has(set_partition) && d.choices.one_in(6)) {  // which comes too late to hold anything back
    d.see_and_sync();
    d.add(set_partition, d.choices.between(1, 3));
  }
  d.add(settle);
}

/// Pods that have to be ready for a while are, one after the other, and not in their order.
void ready_one_by_one(Draft& d) {
  d.add(set_min_ready, d.choices.between(5, 20));
  d.add(settle);
  for (std::int32_t pod = 0; pod < 2; ++pod) d.add(make_unready, pod);
  d.add(make_ready, 1);
  d.draw(advance);
  d.add(make_ready, 0);
  d.see_and_sync_twice();
}

/// Many editions in a row, each of them recorded: a history longer than any limit.
void change_ones_mind(Draft& d) {
  const std::int32_t first = d.choices.between(0, 3), last = first + d.choices.between(3, 14);
  d.editions(first, last);
}

/// A template whose pods are never ready, for a while, which may be longer than anybody's patience; then another edit,
/// a rollback, or nothing yet. Somebody may think that it is what the pods have stored, and have it begin afresh.
void break_rollout(Draft& d) {
  using enum TemplateFlavour;
  constexpr TemplateFlavour broken[] = {unready, crashing, completing, unstarted, unpulled};
  const TemplateFlavour flavour = broken[d.choices.up_to(std::size(broken) - 1)];
  d.add(edit_template, d.choices.between(0, 3), static_cast<std::int32_t>(flavour));
  d.turns(2);
  if (d.choices.one_in(4)) {
    d.add(advance, 3600);
    d.turns(1);
  }
  if (d.swarm.has(delete_claim) && d.choices.one_in(4)) d.add(delete_claim, d.choices.between(0, 3));
  const StepKind next = d.one_of({edit_template, roll_back, sync}, sync);
  if (next == edit_template) d.add(next, d.choices.between(0, 3));
  else d.draw(next);
  d.turns(2);
}

/// A rollout has come some way when it loses a pod, the lowest as soon as any other; and the set may have no block that
/// says how it is rolled out.
void lose_pod_under_way(Draft& d) {
  if (d.swarm.has(set_partition) && d.choices.one_in(2)) d.add(set_partition, d.choices.between(-1, 2));
  d.draw(edit_template);
  d.turns(3);
  const StepKind lost = d.one_of({force_delete_pod, fail_pod, evict_pod, delete_pod, succeed_pod}, make_unready);
  d.add(lost, d.choices.one_in(2) ? 0 : d.choices.between(1, 3));
  d.see_and_sync_twice();
}

/// Each pod is of another edition, now and then of a great many, and no edition that no pod is of need be kept.
void mix_editions(Draft& d) {
  if (d.swarm.has(set_strategy)) d.add(set_strategy, static_cast<std::int32_t>(Strategy::on_delete));
  const bool are_many = d.swarm.has(scale) && d.choices.one_in(8);
  const std::int32_t pods = are_many ? 9 : d.choices.between(2, 5);
  if (are_many) d.add(scale, pods);
  if (are_many) d.add(settle);
  for (std::int32_t pod = 0; pod < pods; ++pod) {
    d.add(edit_template, pod + 1);
    d.add(delete_pod, pod);
    d.add(stop_pod, pod);
    d.see_and_sync();
    d.add(run_kubelets);
  }
  if (d.swarm.has(set_history_limit)) d.add(set_history_limit, 0);
  d.see_and_sync();
}

namespace {

/// Several, or a part of all.
Step draw_budget(Choices& choices) {
  constexpr std::int32_t percent = 1;
  if (choices.one_in(3)) return {.kind = set_max_unavailable, .a = choices.between(2, 10) * 10, .b = percent};
  return {.kind = set_max_unavailable, .a = choices.between(2, 3)};
}

}  // namespace

/// Two pods or so may be missing at a time, and the new ones, which are the highest, do not come back together.
void come_back_unevenly(Draft& d) {
  const std::int32_t pods = d.choices.between(4, 6);
  if (d.swarm.has(scale)) d.add(scale, pods);
  if (d.swarm.has(set_max_unavailable))
    d.steps.push_back(d.choices.one_in(2) ? draw_budget(d.choices) : Step{.kind = set_max_unavailable, .a = 2});
  d.add(settle);
  d.draw(edit_template);
  d.see_and_sync();
  d.add(run_kubelets);
  d.see_and_sync();
  const std::int32_t pod = pods - d.choices.between(1, 2);
  if (d.choices.one_in(2)) {
    d.add(run_kubelets);
    d.add(d.one_of({make_unready, fail_pod, become_unknown, delete_pod}, make_unready), pod);
  } else {
    d.add(start_pod, pod);
    d.add(make_ready, pod);
  }
  d.see_and_sync_twice();
}

/// Some pods are not well, or have not been for long enough, when a new template comes to a set that may do without
/// several; of a part of its pods, perhaps, while their number changes.
void update_the_unwell(Draft& d) {
  if (d.swarm.has(set_max_unavailable)) d.steps.push_back(draw_budget(d.choices));
  if (d.swarm.has(set_partition) && d.choices.one_in(3)) d.add(set_partition, d.choices.between(1, 2));
  if (d.swarm.has(set_min_ready) && d.choices.one_in(2)) d.draw(set_min_ready);
  d.add(settle);
  for (std::int32_t n = d.choices.between(1, 2); n > 0; --n) {
    d.draw(d.one_of({make_unready, become_unknown}, make_unready));
    if (d.choices.one_in(3)) d.add(make_ready, d.steps.back().a);
  }
  if (d.swarm.has(scale) && d.choices.one_in(4)) d.draw(scale);
  d.draw(edit_template);
  d.see_and_sync_twice();
}

}  // namespace ordeal::properties::idioms
