// Claims: lost, held, brought in, and owned by whom they should not be.
#include "properties/scenario/idioms/idioms.h"

namespace ordeal::properties::idioms {

using enum StepKind;

namespace {

/// A surplus pod has gone, and its claims, which are held, still name it, but for one; then its place comes back.
void come_back_to_held_claims(Draft& d, std::int32_t last) {
  const std::int32_t claims[] = {last, 2 * last + 1};  // of the first template, and of the second
  d.add(set_retention, 0, 1);
  d.add(scale, last);
  d.see_and_sync();
  for (const std::int32_t claim : claims) d.add(edit_claim, claim, static_cast<std::int32_t>(ClaimEdit::hold));
  d.add(stop_pod, last);
  d.add(drop_claim_owners, claims[d.choices.up_to(1)]);
  d.add(scale, last + 1);
  d.see_and_sync_twice();
}

/// A surplus pod is still going, its claims marked, when the next one becomes too many.
void scale_down_once_more(Draft& d, std::int32_t last) {
  d.add(set_retention, 0, 1);
  d.add(scale, last);
  d.see_and_sync();
  d.add(scale, last - 1);
  d.see_and_sync_twice();
}

}  // namespace

/// A surplus pod is held, and what is to become of its claims changes before it goes; or they outlive it; or it is not
/// the last to go.
void change_ones_mind_of_claims(Draft& d) {
  const std::int32_t last = d.choices.between(1, 3);
  d.add(scale, last + 1);
  d.add(settle);
  const std::uint32_t otherwise = d.choices.up_to(2);
  if (otherwise == 0 && d.swarm.has(drop_claim_owners)) return come_back_to_held_claims(d, last);
  if (otherwise == 1) return scale_down_once_more(d, last);
  d.add(hold_pod, last);
  d.add(scale, last);
  d.see_and_sync();
  d.draw(set_retention);
  d.see_and_sync_twice();
}

/// A pod is missing, and what is to become of the claims changes, while nobody may write to a claim, or to some.
void refuse_claims(Draft& d) {
  const Step refusal = draw_outage(d.choices, d.choices.one_in(2) ? OutageOf::some_claims : OutageOf::claim_writes);
  d.add(settle);
  d.draw(set_retention);
  d.add(force_delete_pod, d.choices.between(0, 2));
  d.steps.push_back(refusal);
  d.see_and_sync_twice();
  d.add(end_outage);
  d.see_and_sync_twice();
}

namespace {

/// The claims of a surplus pod are to go when it does, and one of them is lost: before that, or when the pod has gone
/// and its place comes back, the collector not having come to the other one yet.
void lose_a_claim_of_surplus(Draft& d) {
  const std::int32_t pods = d.choices.between(1, 3);
  const Step lost{.kind = delete_claim, .a = d.choices.one_in(2) ? pods : 2 * pods + 1};  // of either template
  if (d.swarm.has(set_retention)) d.add(set_retention, d.choices.between(0, 1), 1);
  d.add(scale, pods + 1);
  d.add(settle);
  const bool comes_back = d.choices.one_in(2);
  if (!comes_back) d.steps.push_back(lost);
  d.add(scale, pods);
  d.see_and_sync_twice();
  if (!comes_back) return;
  d.add(stop_pod, pods);
  d.steps.push_back(lost);
  if (d.swarm.has(collect) && d.choices.one_in(2)) d.add(collect, 1);
  d.add(scale, pods + 1);
  d.see_and_sync_twice();
}

}  // namespace

/// Of a pod's claims one is lost, the first or the second: while the pod runs, while it waits for its node, or when it
/// is gone; and the pod may have become too many by then.
void lose_a_claim(Draft& d) {
  const std::int32_t pods = d.choices.between(1, 4), place = d.choices.between(0, pods - 1);
  if (d.swarm.has(scale) && d.choices.one_in(3)) return lose_a_claim_of_surplus(d);
  if (d.swarm.has(set_retention)) d.draw(set_retention);
  if (d.swarm.has(scale)) d.add(scale, pods);
  d.add(settle);
  if (!d.choices.one_in(3)) {
    d.add(force_delete_pod, place);
    if (d.choices.one_in(2)) d.see_and_sync();  // another one waits
  }
  const std::int32_t lost = place + pods * d.choices.between(0, 1);
  if (d.swarm.has(edit_claim) && d.choices.one_in(4)) {  // its volume is lost, and the claim stays
    d.add(edit_claim, lost, static_cast<std::int32_t>(ClaimEdit::lose));
    d.add(force_delete_pod, place);
  } else {
    d.add(delete_claim, lost);
  }
  if (d.swarm.has(collect)) d.add(collect);
  if (d.swarm.has(scale) && d.choices.one_in(2)) d.add(scale, place);
  d.see_and_sync_twice();
}

/// A claim is there before its pod, with what was stored in it elsewhere, and the set grows to where it stands.
void bring_claim(Draft& d) {
  Step brought = generate_step(d.choices, add_claim);
  brought.a = d.choices.between(1, 4);
  if (d.swarm.has(scale)) d.add(scale, brought.a);
  d.steps.push_back(brought);
  if (d.swarm.has(scale)) d.add(scale, brought.a + 1);
  d.turns(2);
}

/// A claim with owners of now gets one of a time before, its pod, or one that is only called like its set or its pod;
/// and soon its pod may be a surplus one, or its owners others.
void recall_owner(Draft& d) {
  if (d.swarm.has(set_retention)) d.add(set_retention, d.choices.between(0, 1), d.choices.between(0, 1));
  d.turns(2);
  const std::int32_t claim = d.choices.between(0, 3);
  d.add(add_claim_owner, claim,
        d.choices.between(static_cast<std::int32_t>(ClaimOwner::set_of_other_group),
                          static_cast<std::int32_t>(ClaimOwner::earlier_pod_last)));
  const StepKind then = d.one_of({scale, set_retention, force_delete_pod}, sync);
  if (then == scale || then == force_delete_pod) d.add(then, claim);
  else d.draw(then);
  d.see_and_sync_twice();
}

/// A claim is on its way out, and held: that of a pod that is to be made, or of one that waits for its kubelet. The set
/// has other things to do meanwhile.
void hold_claim(Draft& d) {
  const std::int32_t place = d.choices.between(0, 2);
  const Step pod_goes{.kind = force_delete_pod, .a = place};
  const bool waits = d.choices.one_in(2);
  if (waits) {
    d.steps.push_back(pod_goes);
    d.see_and_sync();
  }
  d.add(edit_claim, place, static_cast<std::int32_t>(ClaimEdit::hold));
  d.add(delete_claim, place);
  if (!waits) d.steps.push_back(pod_goes);
  d.see_and_sync();
  d.draw(d.one_of({fail_pod, make_unready, scale, edit_template, delete_pod, advance}, run_kubelets));
  d.see_and_sync_twice();
}

}  // namespace ordeal::properties::idioms
