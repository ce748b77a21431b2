// Pods that are lost, taken, given back, brought in or written to by others.
#include "properties/scenario/idioms/idioms.h"

namespace ordeal::properties::idioms {

using enum StepKind;

void lose_pod(Draft& d) {
  d.draw(d.one_of({fail_pod, declare_failed, make_unready, delete_pod, evict_pod, succeed_pod, force_delete_pod,
                   lose_node, become_unknown},
                  run_kubelets));
  d.see_and_sync();
}

/// What happens to all pods of a set at rest happens while no process runs: the next one is told of none of it.
void lose_pods_unseen(Draft& d) {
  d.add(settle);
  const StepKind lost =
      d.one_of({force_delete_pod, fail_pod, succeed_pod, make_unready, drop_owner, declare_failed}, make_unready);
  for (std::int32_t pod = 2; pod >= 0; --pod) d.add(lost, pod);
  constexpr std::int32_t up_to_date = 0;
  d.add(restart, up_to_date);
  d.add(settle);
}

/// A pod is taken out of the set, as one that is to be looked into in quiet, and given back; or it goes before the
/// controller knows.
void part_with_pod(Draft& d) {
  const std::int32_t pod = d.choices.between(0, 2);
  const bool is_taken = d.swarm.has(own_pod) && d.swarm.has(drop_owner) && d.choices.one_in(2);
  const PodOwner taker = d.choices.one_in(4) ? PodOwner::bystander_alone : PodOwner::other_controller;
  if (!is_taken && d.swarm.has(own_pod) && d.choices.one_in(4))
    d.add(own_pod, pod, static_cast<std::int32_t>(PodOwner::bystander));
  const Step part =
      is_taken ? Step{.kind = own_pod, .a = pod, .b = static_cast<std::int32_t>(taker)}
               : Step{.kind = edit_labels, .a = pod, .b = static_cast<std::int32_t>(LabelEdit::break_selector)};
  const Step give_back = is_taken
                             ? Step{.kind = drop_owner, .a = pod}
                             : Step{.kind = edit_labels, .a = pod, .b = static_cast<std::int32_t>(LabelEdit::restore)};
  if (is_taken &&
      d.choices.one_in(3)) {  // first it is nobody's, and shown so: whoever adopts it now takes it from somebody
    d.steps.push_back(give_back);
    d.add(deliver_all);
    d.steps.push_back(part);
    d.add(sync);
    return d.see_and_sync();
  }
  d.steps.push_back(part);
  if (d.swarm.has(force_delete_pod) && d.choices.one_in(4)) {
    d.add(deliver_all);
    d.add(force_delete_pod, pod);
    if (d.swarm.has(add_pod) && d.choices.one_in(2))  // another one has taken its name
      d.add(add_pod, pod, static_cast<std::int32_t>(ForeignPod::owned_by_other));
    return d.add(sync);
  }
  d.turns(3);
  d.steps.push_back(give_back);
  d.see_and_sync();
}

/// What is to be done with a pod has been shown to the controller, and that the pod has gone since has not; another
/// controller's may bear its name by now.
void act_too_late(Draft& d) {
  const std::int32_t pod = d.choices.between(0, 2);
  if (d.swarm.has(scale) && d.choices.one_in(2)) d.add(scale, pod + 1);  // it is the highest, and so the next
  d.add(settle);
  const StepKind wanted = d.one_of({scale, edit_template, edit_labels, fail_pod, set_start}, make_unready);
  if (wanted == scale || wanted == fail_pod || wanted == make_unready) d.add(wanted, pod);
  else if (wanted == edit_labels) d.add(wanted, pod, static_cast<std::int32_t>(LabelEdit::drop_pod_name));
  else d.draw(wanted);
  d.add(deliver_all);
  d.add(force_delete_pod, pod);
  if (d.swarm.has(add_pod) && d.choices.one_in(3))
    d.add(add_pod, pod, static_cast<std::int32_t>(ForeignPod::owned_by_other));
  d.add(sync);
  d.see_and_sync();
}

/// A pod is made, and is to go before its kubelet has begun with it, which somebody holds up.
void stop_before_start(Draft& d) {
  const std::int32_t pod = d.choices.between(0, 2);
  d.add(force_delete_pod, pod);
  d.see_and_sync();
  d.add(hold_pod, pod);
  d.add(delete_pod, pod);
  d.see_and_sync_twice();
}

/// A pod is brought in, and the set grows to where it stands: so sets move from one cluster to another.
void bring_pod(Draft& d) {
  Step brought = generate_step(d.choices, add_pod);
  brought.a = d.choices.between(2, 6);
  d.steps.push_back(brought);
  if (d.swarm.has(scale)) d.add(scale, brought.a + 1);
  d.see_and_sync();
}

void finish_termination(Draft& d) {
  d.draw(stop_pod);
  d.see_and_sync();
}

/// Others have labelled and annotated what the controller is about to repair, and say something of the set, too.
void write_beside(Draft& d) {
  const LabelEdit lost = d.choices.one_in(2) ? LabelEdit::other_pod_name : LabelEdit::drop_pod_name;
  for (std::int32_t pod = d.choices.between(0, 2); pod >= 0; --pod)
    for (const LabelEdit edit : {LabelEdit::annotate, LabelEdit::beside_selector, lost})
      d.add(edit_labels, pod, static_cast<std::int32_t>(edit));
  if (d.swarm.has(add_condition)) d.draw(add_condition);
  d.see_and_sync_twice();
}

}  // namespace ordeal::properties::idioms
