// What the caches show late, in part, or never.
#include "properties/scenario/idioms/idioms.h"

namespace ordeal::properties::idioms {

using enum StepKind;

/// A pod is not ready for a moment, which the cache is told only by when it became ready; and ready is not all that the
/// set may ask of it.
void flap(Draft& d) {
  if (d.swarm.has(set_min_ready) && d.choices.one_in(2)) {
    d.add(set_min_ready, d.choices.between(5, 20));
    d.add(settle);
    d.add(sync);
  }
  const std::int32_t pod = d.choices.between(0, 2);
  d.draw(advance);
  d.add(make_unready, pod);
  d.add(make_ready, pod);
  d.add(relist, static_cast<std::int32_t>(Kind::pod));
  d.add(sync);
}

/// The controller has written, and is asked again before its caches show all of that. Most is decided of pods that are
/// well.
void look_again_too_soon(Draft& d) {
  if (d.choices.one_in(2)) d.add(settle);
  const StepKind kind = d.one_of({drop_owner, edit_labels, scale, force_delete_pod, set_retention, edit_template,
                                  edit_template, orphan_revision, own_pod, delete_claim},
                                 scale);
  if (kind == edit_labels)
    d.add(kind, d.choices.between(0, 2), static_cast<std::int32_t>(LabelEdit::drop_pod_name));  // to be repaired
  else d.draw(kind);
  d.see_and_sync();
  // Who waits for what it has written itself waits for its status most of all.
  if (d.choices.one_in(2)) d.add(deliver, static_cast<std::int32_t>(Kind::set));
  else d.draw(deliver);
  d.add(sync);
}

/// The controller sees only part of what happened since.
void sync_with_lag(Draft& d) {
  d.add(run_kubelets);
  d.draw(deliver);
  d.add(sync);
}

/// The caches show what has become of what the controller is about to write only while it writes.
void catch_up(Draft& d) {
  d.draw(
      d.one_of({edit_metadata, edit_labels, scale, add_condition, edit_claim, set_retention, delete_set, edit_template},
               run_kubelets));
  if (d.choices.one_in(2)) d.draw(d.one_of({edit_metadata, make_unready, delete_claim, add_revision}, run_kubelets));
  Step caught_up{.kind = deliver_all};
  if (d.swarm.has(deliver) && d.choices.one_in(2)) caught_up = generate_step(d.choices, deliver);
  d.steps.push_back(before_call(caught_up, draw_call(d.choices)));
  d.add(sync);
}

namespace {

/// The cache is never told of the end of a set, only that it is there no more.
void end_unseen(Draft& d) {
  const Propagation pods = d.choices.one_in(2) ? Propagation::orphan : Propagation::background;
  d.add(delete_set, static_cast<std::int32_t>(pods));
  d.add(collect);
  d.add(relist, static_cast<std::int32_t>(Kind::set));
  d.add(sync);
}

}  // namespace

/// A pod is gone, and another controller's may bear its name by now, which gives way to nobody's, or one that was made
/// again is going, too: the cache is told only how it is.
void go_unseen(Draft& d) {
  if (d.swarm.has(delete_set) && d.choices.one_in(4)) return end_unseen(d);
  const std::int32_t ordinal = d.choices.between(0, 2);
  d.add(force_delete_pod, ordinal);
  if (d.swarm.has(hold_pod) && d.choices.one_in(3)) {
    d.see_and_sync();
    d.add(hold_pod, ordinal);
    d.add(delete_pod, ordinal);
  } else if (d.choices.one_in(2)) {
    d.add(add_pod, ordinal, static_cast<std::int32_t>(ForeignPod::owned_by_other));
    if (d.choices.one_in(2)) {
      d.see_and_sync();
      d.add(force_delete_pod, ordinal);
      d.add(add_pod, ordinal, static_cast<std::int32_t>(ForeignPod::orphan));
    }
  }
  d.add(relist, static_cast<std::int32_t>(Kind::pod));
  d.add(sync);
}

}  // namespace ordeal::properties::idioms
