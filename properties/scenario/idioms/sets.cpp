// A set that ends, one that comes after it, and one beside it.
#include "properties/scenario/idioms/idioms.h"

namespace ordeal::properties::idioms {

using enum StepKind;

namespace {

/// No more of its history is kept than must be, and pods are at several editions of it.
void stop_half_way(Draft& d) {
  d.add(set_history_limit, d.choices.between(0, 1));
  d.editions(1, d.choices.between(1, 2));
}

}  // namespace

/// A set is on its way out, and waits for its pods or for those who let them go. What becomes of them meanwhile, and
/// what somebody still asks of the set, is nothing to be worked on.
void end_slowly(Draft& d) {
  if (d.swarm.has(edit_template) && d.swarm.has(set_history_limit) && d.choices.one_in(3)) stop_half_way(d);
  d.draw(delete_set);
  for (std::int32_t n = d.choices.between(1, 3); n > 0; --n) {
    d.draw(d.one_of({fail_pod, edit_labels, drop_owner, scale, set_retention, make_unready, orphan_revision,
                     edit_template, roll_back, drop_claim_owners, add_pod, succeed_pod},
                    run_kubelets));
    d.see_and_sync();
  }
}

namespace {

/// What an earlier set leaves is nobody's, and the caches show it so, and that set: to be adopted for one that is gone,
/// whether or not there is another one of its name.
void replace_set_unseen(Draft& d) {
  d.add(drop_owner, d.choices.between(0, 2));
  d.add(deliver_all);
  d.add(delete_set, static_cast<std::int32_t>(Propagation::orphan));
  for (int rounds = 0; rounds < 2; ++rounds) d.add(collect);
  if (d.choices.one_in(2)) d.add(create_set);
  d.add(sync);
  d.add(collect);
}

/// Whoever remembers a set by its name, and by how often it was edited, takes the next one for it.
void replace_set_by_its_like(Draft& d) {
  const auto edits = {set_retention, edit_template, scale};
  d.draw(d.one_of(edits, edit_metadata));
  d.add(settle);
  d.add(delete_set, static_cast<std::int32_t>(Propagation::background));
  if (d.choices.one_in(2)) d.add(settle);
  d.add(create_set);
  d.add(settle);
  d.draw(d.one_of(edits, edit_metadata));
  d.see_and_sync_twice();
}

}  // namespace

/// A set of the same name, while the old one's pods may still be there; now and then before the controller has noticed,
/// and now and then with another spec. Something may happen to what the old one leaves behind while it is on its way
/// out.
void replace_set(Draft& d) {
  if (d.swarm.has(drop_owner) && d.swarm.has(collect) && d.choices.one_in(4)) return replace_set_unseen(d);
  if (d.swarm.has(create_set) && d.choices.one_in(4)) return replace_set_by_its_like(d);
  d.draw(delete_set);
  const bool at_once = d.choices.one_in(2);
  if (d.choices.one_in(3))
    d.draw(d.one_of({orphan_revision, drop_owner, edit_labels, add_revision, fail_pod}, run_kubelets));
  if (!at_once) d.turns(2);
  if (d.swarm.has(collect)) d.draw(collect);
  if (d.choices.one_in(2)) d.draw(create_set);
  else d.add(create_set);
  if (d.choices.one_in(3))
    d.draw(d.one_of({edit_template, scale, set_start, set_strategy, set_retention, set_partition}, run_kubelets));
  if (at_once && d.swarm.has(relist) && d.choices.one_in(3))  // the caches never hear that the old one is gone
    d.add(relist, static_cast<std::int32_t>(Kind::set));
  else if (at_once && d.swarm.has(deliver)) d.draw(deliver);
  else d.add(deliver_all);
  d.add(sync);
}

namespace {

/// A pod that both may want, now and then only once its labels are mended.
void bring_one_for_both(Draft& d) {
  d.add(settle);
  const std::int32_t ordinal = d.choices.between(0, 6);
  const bool is_mended = d.swarm.has(edit_labels) && d.choices.one_in(2);
  d.add(add_pod, ordinal, static_cast<std::int32_t>(is_mended ? ForeignPod::other_labels : ForeignPod::orphan));
  if (!is_mended) return;
  d.see_and_sync();
  d.add(edit_labels, ordinal, static_cast<std::int32_t>(LabelEdit::restore));
}

/// One of two sets goes, now and then while the caches do not show what the process has just written for the other one.
void leave_side_by_side(Draft& d, std::int32_t neighbour) {
  if (d.swarm.has(scale)) d.draw(scale);
  d.see_and_sync();
  d.add(delete_neighbour, neighbour);
  if (d.swarm.has(deliver)) d.add(deliver, static_cast<std::int32_t>(Kind::set), 9);
  else d.add(deliver_all);
  d.add(sync);
  d.add(sync);
}

}  // namespace

/// Two sets of one namespace live side by side.
void live_side_by_side(Draft& d) {
  d.draw(apply_neighbour);
  const std::int32_t neighbour = d.steps.back().a;
  if (d.swarm.has(add_pod) && d.choices.one_in(2)) bring_one_for_both(d);
  d.turns(3);
  if (d.swarm.has(delete_neighbour) && d.choices.one_in(2)) leave_side_by_side(d, neighbour);
}

}  // namespace ordeal::properties::idioms
