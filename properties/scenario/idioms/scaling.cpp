// More pods and fewer, and those that are too many.
#include "properties/scenario/idioms/idioms.h"

namespace ordeal::properties::idioms {

using enum StepKind;

void scale_under_way(Draft& d) {
  d.draw(scale);
  d.turns(2);
}

/// A set is scaled down and up again before its surplus pod has gone, or been deleted at all. What is to become of the
/// claims may change meanwhile.
void take_back_scaling(Draft& d) {
  const std::int32_t replicas = d.choices.between(1, 3);
  if (d.swarm.has(set_retention)) d.add(set_retention, d.choices.between(0, 1), 1);
  d.add(scale, replicas);
  d.turns(2);
  d.add(scale, replicas - 1);
  d.add(deliver_all);
  if (d.swarm.has(fault) && d.choices.one_in(3))
    d.fail(static_cast<std::uint8_t>(d.choices.between(2, 3)), Fault::crash_before);
  d.add(sync);
  if (d.swarm.has(set_retention) && d.choices.one_in(3)) d.add(set_retention);
  d.add(scale, replicas);
  if (d.swarm.has(fail_pod) && d.choices.one_in(3)) d.add(fail_pod, replicas - 1);
  if (d.swarm.has(edit_template) && d.choices.one_in(3)) {
    if (d.swarm.has(make_unready) && d.choices.one_in(2)) d.add(make_unready, replicas - 1);
    d.draw(edit_template);
  }
  d.see_and_sync_twice();
}

/// Some of the surplus pods of a set are not well, and not always the highest.
void shed_the_unwell(Draft& d) {
  const std::int32_t pods = d.choices.between(2, 5), stay = d.choices.between(0, pods - 2);
  d.add(scale, pods);
  d.add(settle);
  for (std::int32_t n = d.choices.between(1, 3); n > 0; --n)
    d.add(d.one_of({make_unready, fail_pod, become_unknown}, make_unready), d.choices.between(stay, pods - 1));
  d.add(scale, stay);
  d.see_and_sync_twice();
}

/// A pod is told to stop, and its grace period is over since an hour or a day: on a node that does not answer it may
/// still run.
void outlast_grace(Draft& d) {
  static constexpr std::int32_t waits[] = {31, 3600, 90'000};
  d.draw(d.one_of({lose_node, hold_pod}, make_unready));
  const std::int32_t pod = d.steps.back().a;
  if (d.swarm.has(delete_pod) && d.choices.one_in(2)) d.add(delete_pod, pod);
  else d.add(scale, d.choices.between(0, 2));
  d.see_and_sync();
  d.add(advance, waits[d.choices.up_to(std::size(waits) - 1)]);
  d.see_and_sync_twice();
}

}  // namespace ordeal::properties::idioms
