// The history of templates: names that are taken, editions that come back, old ones that may not go.
#include "properties/scenario/idioms/idioms.h"

namespace ordeal::properties::idioms {

using enum StepKind;

/// The name of an edition is taken before a user asks for that edition, and now and then the next ones, too; or
/// somebody has recorded the edition before the controller does.
void take_a_name(Draft& d) {
  const std::int32_t image = d.choices.between(1, 3);
  for (std::int32_t names = d.choices.one_in(3) ? d.choices.between(2, 5) : 1; names > 0; --names)
    d.add(add_revision, image, static_cast<std::int32_t>(ForeignRevision::colliding_name));
  d.add(edit_template, image);
  if (d.choices.one_in(3))
    d.add(add_revision, d.choices.between(0, 5), static_cast<std::int32_t>(ForeignRevision::equal_orphan));
  d.turns(2);
}

/// An edition that an older API server recorded is the set's by its meaning alone; then somebody brings back another
/// one, which is newer.
void bring_back_a_revision(Draft& d) {
  d.add(edit_template, d.choices.between(1, 3));
  d.add(add_revision, 0, static_cast<std::int32_t>(ForeignRevision::undefaulted));
  d.turns(2);
  d.draw(advance);
  constexpr std::int32_t selected_by_the_set = 3;
  d.add(add_revision, selected_by_the_set, static_cast<std::int32_t>(ForeignRevision::colliding_name));
  d.see_and_sync_twice();
}

/// Several old revisions are to go in one turn, which has little else to do, and one or two of them may not, or are
/// gone already.
void refuse_pruning(Draft& d) {
  const std::int32_t first = d.choices.between(0, 3), last = first + d.choices.between(2, 4);
  d.add(set_history_limit, 10);
  d.editions(first, last);
  d.add(settle);
  d.add(set_history_limit, d.choices.between(0, 1));
  const Fault refusal = draw_refusal(d.choices);
  const std::int32_t call = d.choices.between(1, 4), how_many = d.choices.between(1, 2);
  if (d.swarm.has(delete_revision) && d.choices.one_in(3))
    d.steps.push_back(before_call({.kind = delete_revision, .a = call - 1}, static_cast<std::uint8_t>(call)));
  else if (d.swarm.has(fault)) d.fail_in_a_row(call, how_many, refusal);
  d.see_and_sync_twice();
}

}  // namespace ordeal::properties::idioms
