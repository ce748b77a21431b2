// Calls that fail, and what happens between two of them.
#include <iterator>

#include "properties/scenario/idioms/idioms.h"

namespace ordeal::properties::idioms {

using enum StepKind;

/// One call, and now and then the one after it, which may be the same tried again.
void fail_call(Draft& d) {
  const std::uint8_t call = draw_call(d.choices);
  d.steps.push_back(before_call(generate_step(d.choices, fault), call));
  if (d.choices.one_in(4))
    d.steps.push_back(before_call(generate_step(d.choices, fault), static_cast<std::uint8_t>(call + 1)));
  d.see_and_sync();
}

void crash(Draft& d) {
  const Fault how = d.choices.one_in(2) ? Fault::crash_after : Fault::crash_before;
  d.fail(draw_call(d.choices), how);
  d.see_and_sync();
  if (d.swarm.has(restart)) d.draw(restart);
  d.add(sync);
}

void disturb_sync(Draft& d) {
  const StepKind kind =
      d.one_of({delete_pod, fail_pod, make_unready, scale, edit_template, stop_pod, make_ready, set_partition,
                delete_set, edit_labels, drop_owner, own_pod, delete_claim, force_delete_pod},
               run_kubelets);
  d.add(deliver_all);
  d.steps.push_back(before_call(generate_step(d.choices, kind), draw_call(d.choices)));
  d.add(sync);
}

/// What the controller is about to write passes to another controller right before it does: a pod it repairs, a
/// revision it restores.
void take_from_its_hands(Draft& d) {
  const std::int32_t index = d.choices.between(0, 2);
  const bool is_pod = !d.swarm.has(roll_back) || d.choices.one_in(2);
  d.steps.push_back(
      is_pod ? Step{.kind = edit_labels, .a = index, .b = static_cast<std::int32_t>(LabelEdit::drop_pod_name)}
             : Step{.kind = roll_back, .a = index});
  d.add(deliver_all);
  const Step taken =
      is_pod
          ? Step{.kind = own_pod, .a = index}
          : Step{.kind = orphan_revision, .a = index, .b = static_cast<std::int32_t>(RevisionOwner::other_controller)};
  d.steps.push_back(before_call(taken, draw_call(d.choices)));
  d.add(sync);
}

/// Several pods want the same of the controller, and some of them are refused what they want.
void refuse_some(Draft& d) {
  const bool loses_owner = d.swarm.has(drop_owner) && d.choices.one_in(2);
  for (std::int32_t pod = 0; pod < 3; ++pod)
    d.steps.push_back(
        loses_owner ? Step{.kind = drop_owner, .a = pod}
                    : Step{.kind = edit_labels, .a = pod, .b = static_cast<std::int32_t>(LabelEdit::drop_pod_name)});
  d.steps.push_back(draw_outage(d.choices, OutageOf::even_pods));
  d.see_and_sync_twice();
}

namespace {

/// What makes requests of a sort due, once all is at rest.
void make_due(Draft& d, OutageOf sort) {
  switch (sort) {
    case OutageOf::pod_creates: return d.add(force_delete_pod, d.choices.between(0, 2));
    case OutageOf::pod_deletes:
      return d.draw(d.one_of({scale, edit_template, fail_pod, declare_failed, succeed_pod, evict_pod}, edit_template));
    case OutageOf::claim_writes:
    case OutageOf::some_claims: return d.draw(d.one_of({set_retention, drop_claim_owners}, set_retention));
    case OutageOf::revision_writes: return d.draw(d.one_of({edit_template, roll_back, orphan_revision}, edit_template));
    case OutageOf::status_writes: return d.draw(d.one_of({make_unready, edit_metadata, scale}, make_unready));
    default: break;
  }
  const std::int32_t even = 2 * d.choices.between(0, 1);
  if (d.swarm.has(drop_owner) && d.choices.one_in(2)) return d.add(drop_owner, even);
  constexpr LabelEdit edits[] = {LabelEdit::drop_pod_name, LabelEdit::break_selector};
  d.add(edit_labels, even, static_cast<std::int32_t>(edits[d.choices.up_to(std::size(edits) - 1)]));
}

}  // namespace

/// One thing is due, and just the requests for it are refused, in whatever words, for a turn.
void refuse_what_is_due(Draft& d) {
  const auto sort = static_cast<OutageOf>(d.choices.between(static_cast<std::int32_t>(OutageOf::pod_creates),
                                                            static_cast<std::int32_t>(OutageOf::some_claims)));
  d.add(settle);
  make_due(d, sort);
  d.steps.push_back(draw_outage(d.choices, sort));
  d.see_and_sync();
  d.add(end_outage);
  d.see_and_sync();
}

/// Several pods or revisions are nobody's, or pods of the set that it selects no more; one that is to be adopted or
/// released is refused, gone, or somebody else's by then.
void refuse_adoption(Draft& d) {
  const StepKind lost = d.one_of({drop_owner, orphan_revision, edit_labels}, drop_owner);
  for (std::int32_t place = 0; place < 3; ++place) d.add(lost, place);
  const bool are_pods = lost != orphan_revision;
  const Step gone{.kind = are_pods ? force_delete_pod : delete_revision, .a = d.choices.between(0, 2)};
  const Step taken =
      are_pods ? Step{.kind = own_pod, .a = gone.a}
               : Step{.kind = lost, .a = gone.a, .b = static_cast<std::int32_t>(RevisionOwner::other_controller)};
  Step refusal{.kind = fault, .a = static_cast<std::int32_t>(draw_refusal(d.choices))};
  if (d.swarm.between_calls) {
    const StepKind how = d.one_of({fault, gone.kind, taken.kind}, fault);
    if (how == gone.kind) refusal = gone;
    if (how == taken.kind) refusal = taken;
  }
  d.steps.push_back(before_call(refusal, static_cast<std::uint8_t>(d.choices.between(1, 4))));
  d.see_and_sync_twice();
}

/// What a pod or its claims are to be given meets one conflict after the other, now and then since the pod changes
/// under the controller's hands, which its cache shows only then.
void refuse_update(Draft& d) {
  const std::int32_t pod = d.choices.between(0, 2);
  if (d.swarm.has(set_retention) && d.choices.one_in(2)) d.draw(set_retention);
  else d.add(edit_labels, pod, static_cast<std::int32_t>(LabelEdit::drop_pod_name));
  const std::int32_t call = d.choices.between(1, 3);
  d.fail_in_a_row(call, d.choices.between(1, 6), Fault::conflict);
  if (d.swarm.between_calls && d.choices.one_in(2)) {
    Step meanwhile = generate_step(d.choices, edit_labels);
    meanwhile.a = pod;
    d.steps.push_back(before_call(meanwhile, static_cast<std::uint8_t>(call)));
    d.steps.push_back(before_call({.kind = deliver_all}, static_cast<std::uint8_t>(call + d.choices.between(0, 1))));
  }
  d.see_and_sync_twice();
}

}  // namespace ordeal::properties::idioms
