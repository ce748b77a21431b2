#include "properties/scenario/generate_steps.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "properties/scenario/generate.h"

namespace ordeal::properties {

namespace {

using enum StepKind;

constexpr std::uint64_t bit(StepKind kind) { return std::uint64_t{1} << static_cast<unsigned>(kind); }
template <class... Kinds>
constexpr std::uint64_t bits(Kinds... kinds) {
  return (bit(kinds) | ...);
}

/// Without these nothing moves: no swarm leaves them out.
constexpr std::uint64_t always = bits(sync, settle, run_kubelets, deliver_all);

/// Kinds that a swarm also leaves out together: each group is one sort of trouble, and many lives know none of it.
constexpr std::uint64_t groups[] = {
    bits(edit_labels, drop_owner, own_pod, drop_claim_owners, own_claim, add_claim_owner, orphan_revision),
    bits(add_pod, add_claim, add_revision),
    bits(delete_claim, delete_revision),
    bits(delete_set, create_set, collect),
    bits(deliver, relist, restart),
    bits(fault),
    bits(lose_node, recover_nodes, force_delete_pod, evict_pod, become_unknown),
    bits(hold_pod, edit_claim, let_go),
    bits(hand_over, rival_sync),
    bits(outage, end_outage),
    bits(turn_gate, skew_clock),
    bits(run_release),
    bits(race),
    bits(apply_neighbour, delete_neighbour),
};
static_assert(std::size(groups) < 16, "two bytes: a bit for each group and one for steps between calls");

/// Before which call of a sync: most make only a few. A Parallel set with claims makes dozens, its status last.
constexpr std::uint8_t calls[] = {1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8};
constexpr std::int32_t late_calls_at_most = 40;

// --- one step -------------------------------------------------------------------------------------------------------

std::int32_t draw_argument(Choices& choices, const Argument& argument) {
  if (argument.name.empty()) return 0;
  const auto likely = static_cast<std::uint32_t>(argument.likely.size());
  if (likely > 0) {
    const std::uint32_t drawn = choices.up_to(likely + likely / 3);
    if (drawn < likely) return argument.likely[drawn];
  }
  return choices.between(argument.low, argument.high);
}

std::uint8_t draw_call(Choices& choices) {
  const std::uint8_t call = calls[choices.up_to(std::size(calls) - 1)];
  return call < std::end(calls)[-1] ? call : static_cast<std::uint8_t>(choices.between(call, late_calls_at_most));
}

/// A third of them conflicts, which controllers treat otherwise than all others.
Fault draw_refusal(Choices& choices) {
  return choices.one_in(3) ? Fault::conflict : static_cast<Fault>(generate_step(choices, fault).a);
}

/// A story would show what never happens: only of what is to be made an API server says so, when the namespace is gone
/// (world/faults.cpp). Which call a fault strikes is not known here.
Step as_it_may_be_answered(Step outage) {
  const bool makes_pods = static_cast<OutageOf>(outage.a) == OutageOf::pod_creates;
  if (static_cast<OutageReply>(outage.b) == OutageReply::not_found && !makes_pods)
    outage.b = static_cast<std::int32_t>(OutageReply::internal);
  return outage;
}

Step draw_outage(Choices& choices, OutageOf of) {
  Step drawn = generate_step(choices, outage);
  drawn.a = static_cast<std::int32_t>(of);
  return as_it_may_be_answered(drawn);
}

Step before_call(Step step, std::uint8_t call) {
  step.at_call = call;
  return step;
}

// --- idioms ---------------------------------------------------------------------------------------------------------

struct Draft {
  Choices& choices;
  const Swarm& swarm;
  std::vector<Step>& steps;

  void add(StepKind kind, std::int32_t a = 0, std::int32_t b = 0) { steps.push_back({.kind = kind, .a = a, .b = b}); }
  void draw(StepKind kind) { steps.push_back(generate_step(choices, kind)); }
  void fail(std::uint8_t call, Fault how) {
    steps.push_back({.kind = fault, .at_call = call, .a = static_cast<std::int32_t>(how)});
  }
  void fail_in_a_row(std::int32_t first, std::int32_t how_many, Fault how) {
    for (std::int32_t call = first; call < first + how_many; ++call) fail(static_cast<std::uint8_t>(call), how);
  }
  /// The control loop goes round: the controller sees all, acts, and the kubelets follow.
  void turns(std::int32_t at_most) {
    for (std::int32_t n = choices.between(1, at_most); n > 0; --n) {
      add(deliver_all);
      add(sync);
      add(run_kubelets);
    }
  }
  void see_and_sync() {
    add(deliver_all);
    add(sync);
  }
  /// One after the other, each of them recorded.
  void editions(std::int32_t first, std::int32_t last) {
    for (std::int32_t image = first; image <= last; ++image) {
      add(edit_template, image);
      see_and_sync();
    }
  }
  /// What a turn has left undone is seen to in the next one.
  void see_and_sync_twice() {
    see_and_sync();
    see_and_sync();
  }
  /// The first of these kinds, from a drawn one on, that exists here; `otherwise` when none does.
  StepKind one_of(std::initializer_list<StepKind> kinds, StepKind otherwise) {
    const std::size_t first = choices.up_to(static_cast<std::uint32_t>(kinds.size() - 1));
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const StepKind kind = kinds.begin()[(first + i) % kinds.size()];
      if (swarm.has(kind)) return kind;
    }
    return otherwise;
  }
};

void go_on(Draft& d) { d.turns(3); }

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

/// A surplus pod is held, and what is to become of its claims changes before it goes; or they outlive it.
void change_ones_mind_of_claims(Draft& d) {
  const std::int32_t last = d.choices.between(1, 3);
  d.add(scale, last + 1);
  d.add(settle);
  if (d.swarm.has(drop_claim_owners) && d.choices.one_in(2)) return come_back_to_held_claims(d, last);
  d.add(hold_pod, last);
  d.add(scale, last);
  d.see_and_sync();
  d.draw(set_retention);
  d.see_and_sync_twice();
}

/// Many editions in a row, each of them recorded: a history longer than any limit.
void change_ones_mind(Draft& d) {
  const std::int32_t first = d.choices.between(0, 3), last = first + d.choices.between(3, 14);
  d.editions(first, last);
}

/// A template whose pods are never ready, for a while; then another edit, a rollback, or nothing yet. Somebody may
/// think that it is what the pods have stored, and have it begin afresh.
void break_rollout(Draft& d) {
  using enum TemplateFlavour;
  constexpr TemplateFlavour broken[] = {unready, crashing, completing, unstarted, unpulled};
  const TemplateFlavour flavour = broken[d.choices.up_to(std::size(broken) - 1)];
  d.add(edit_template, d.choices.between(0, 3), static_cast<std::int32_t>(flavour));
  d.turns(2);
  if (d.swarm.has(delete_claim) && d.choices.one_in(4)) d.add(delete_claim, d.choices.between(0, 3));
  const StepKind next = d.one_of({edit_template, roll_back, sync}, sync);
  if (next == edit_template) d.add(next, d.choices.between(0, 3));
  else d.draw(next);
  d.turns(2);
}

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

void lose_pod(Draft& d) {
  d.draw(d.one_of({fail_pod, declare_failed, make_unready, delete_pod, evict_pod, succeed_pod, force_delete_pod,
                   lose_node, become_unknown},
                  run_kubelets));
  d.see_and_sync();
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
  const Step part =
      is_taken ? Step{.kind = own_pod, .a = pod}
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

/// A pod is made, and is to go before its kubelet has begun with it, which somebody holds up.
void stop_before_start(Draft& d) {
  const std::int32_t pod = d.choices.between(0, 2);
  d.add(force_delete_pod, pod);
  d.see_and_sync();
  d.add(hold_pod, pod);
  d.add(delete_pod, pod);
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

/// The controller has written, and is asked again before its caches show all of that.
void look_again_too_soon(Draft& d) {
  const StepKind kind = d.one_of({drop_owner, edit_labels, scale, force_delete_pod, set_retention, edit_template,
                                  orphan_revision, own_pod, delete_claim},
                                 scale);
  if (kind == edit_labels)
    d.add(kind, d.choices.between(0, 2), static_cast<std::int32_t>(LabelEdit::drop_pod_name));  // to be repaired
  else d.draw(kind);
  d.see_and_sync();
  d.draw(deliver);
  d.add(sync);
}

/// The controller sees only part of what happened since.
void sync_with_lag(Draft& d) {
  d.add(run_kubelets);
  d.draw(deliver);
  d.add(sync);
}

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

/// What makes requests of a sort due, once all is at rest.
void make_due(Draft& d, OutageOf sort) {
  switch (sort) {
    case OutageOf::pod_creates: return d.add(force_delete_pod, d.choices.between(0, 2));
    case OutageOf::pod_deletes: return d.draw(d.one_of({scale, edit_template, fail_pod}, edit_template));
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

/// Several old revisions are to go in one turn, which has little else to do, and one or two of them may not.
void refuse_pruning(Draft& d) {
  const std::int32_t first = d.choices.between(0, 3), last = first + d.choices.between(2, 4);
  d.add(set_history_limit, 10);
  d.editions(first, last);
  d.add(settle);
  d.add(set_history_limit, d.choices.between(0, 1));
  const Fault refusal = draw_refusal(d.choices);
  const std::int32_t call = d.choices.between(1, 4), how_many = d.choices.between(1, 2);
  if (d.swarm.has(fault)) d.fail_in_a_row(call, how_many, refusal);
  d.see_and_sync_twice();
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

/// Others have labelled and annotated what the controller is about to repair, and say something of the set, too.
void write_beside(Draft& d) {
  const LabelEdit lost = d.choices.one_in(2) ? LabelEdit::other_pod_name : LabelEdit::drop_pod_name;
  for (std::int32_t pod = d.choices.between(0, 2); pod >= 0; --pod)
    for (const LabelEdit edit : {LabelEdit::annotate, LabelEdit::beside_selector, lost})
      d.add(edit_labels, pod, static_cast<std::int32_t>(edit));
  if (d.swarm.has(add_condition)) d.draw(add_condition);
  d.see_and_sync_twice();
}

/// The claims of a surplus pod are to go when it does, and one of them is lost: before that, or when the pod has gone
/// and its place comes back.
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
  d.add(scale, pods + 1);
  d.see_and_sync_twice();
}

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

/// The cache is never told of the end of a set, only that it is there no more.
void end_unseen(Draft& d) {
  const Propagation pods = d.choices.one_in(2) ? Propagation::orphan : Propagation::background;
  d.add(delete_set, static_cast<std::int32_t>(pods));
  d.add(collect);
  d.add(relist, static_cast<std::int32_t>(Kind::set));
  d.add(sync);
}

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

/// A pod is brought in, and the set grows to where it stands: so sets move from one cluster to another.
void bring_pod(Draft& d) {
  Step brought = generate_step(d.choices, add_pod);
  brought.a = d.choices.between(2, 6);
  d.steps.push_back(brought);
  if (d.swarm.has(scale)) d.add(scale, brought.a + 1);
  d.see_and_sync();
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

void wait(Draft& d) {
  d.draw(advance);
  d.see_and_sync();
}

/// Several, or a part of all.
Step draw_budget(Choices& choices) {
  constexpr std::int32_t percent = 1;
  if (choices.one_in(3)) return {.kind = set_max_unavailable, .a = choices.between(2, 10) * 10, .b = percent};
  return {.kind = set_max_unavailable, .a = choices.between(2, 3)};
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

/// A set is on its way out, and waits for its pods or for those who let them go. What becomes of them meanwhile, and
/// what somebody still asks of the set, is nothing to be worked on.
void end_slowly(Draft& d) {
  d.draw(delete_set);
  for (std::int32_t n = d.choices.between(1, 3); n > 0; --n) {
    d.draw(d.one_of({fail_pod, edit_labels, drop_owner, scale, set_retention, make_unready, orphan_revision,
                     edit_template, drop_claim_owners, add_pod, succeed_pod},
                    run_kubelets));
    d.see_and_sync();
  }
}

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

/// A set of the same name, while the old one's pods may still be there; now and then before the controller has noticed,
/// and now and then with another spec. Something may happen to what the old one leaves behind while it is on its way
/// out.
void replace_set(Draft& d) {
  if (d.swarm.has(drop_owner) && d.swarm.has(collect) && d.choices.one_in(4)) return replace_set_unseen(d);
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

/// Two sets of one namespace live side by side.
void live_side_by_side(Draft& d) {
  d.draw(apply_neighbour);
  const std::int32_t neighbour = d.steps.back().a;
  if (d.swarm.has(add_pod) && d.choices.one_in(2)) {  // which both may want
    d.add(settle);
    d.add(add_pod, d.choices.between(0, 6), static_cast<std::int32_t>(ForeignPod::orphan));
  }
  d.turns(3);
  if (d.swarm.has(delete_neighbour) && d.choices.one_in(2)) leave_side_by_side(d, neighbour);
}

/// A pod is told to stop, and its grace period is long over: on a node that does not answer it may still run.
void outlast_grace(Draft& d) {
  d.draw(d.one_of({lose_node, hold_pod}, make_unready));
  const std::int32_t pod = d.steps.back().a;
  if (d.swarm.has(delete_pod) && d.choices.one_in(2)) d.add(delete_pod, pod);
  else d.add(scale, d.choices.between(0, 2));
  d.see_and_sync();
  d.add(advance, d.choices.one_in(2) ? 31 : 3600);
  d.see_and_sync_twice();
}

void finish_termination(Draft& d) {
  d.draw(stop_pod);
  d.see_and_sync();
}

// --- beats ----------------------------------------------------------------------------------------------------------

struct Beat {
  std::uint8_t weight;         // in 256
  void (*idiom)(Draft&);       // null: the one step of `kind`
  StepKind kind;               // an idiom exists where its kind does
  bool between_calls = false;  // and steps between calls do
};

constexpr Beat beats[] = {
    {4, nullptr, sync},
    {5, nullptr, settle},
    {2, nullptr, deliver_all},
    {3, nullptr, run_kubelets},
    {4, nullptr, advance},

    {5, nullptr, scale},
    {5, nullptr, edit_template},
    {4, nullptr, set_partition},
    {3, nullptr, set_max_unavailable},
    {2, nullptr, set_min_ready},
    {3, nullptr, set_strategy},
    {3, nullptr, set_retention},
    {3, nullptr, set_history_limit},
    {3, nullptr, set_start},
    {4, nullptr, roll_back},
    {2, nullptr, restart_rollout},
    {1, nullptr, add_condition},
    {2, nullptr, edit_metadata},
    {1, nullptr, apply_neighbour},
    {1, nullptr, delete_neighbour},

    {2, nullptr, delete_set},
    {2, nullptr, create_set},
    {4, nullptr, delete_pod},
    {3, nullptr, force_delete_pod},
    {2, nullptr, edit_labels},
    {2, nullptr, drop_owner},
    {2, nullptr, own_pod},
    {2, nullptr, delete_claim},
    {2, nullptr, drop_claim_owners},
    {2, nullptr, own_claim},
    {2, nullptr, add_claim_owner},
    {2, nullptr, delete_revision},
    {2, nullptr, orphan_revision},
    {3, nullptr, add_pod},
    {2, nullptr, add_claim},
    {2, nullptr, add_revision},
    {1, nullptr, hold_pod},
    {1, nullptr, edit_claim},
    {1, nullptr, let_go},

    {2, nullptr, start_pod},
    {3, nullptr, make_ready},
    {3, nullptr, make_unready},
    {3, nullptr, fail_pod},
    {2, nullptr, declare_failed},
    {2, nullptr, succeed_pod},
    {2, nullptr, evict_pod},
    {3, nullptr, stop_pod},
    {2, nullptr, become_unknown},
    {2, nullptr, lose_node},
    {2, nullptr, recover_nodes},

    {3, nullptr, deliver},
    {2, nullptr, relist},
    {3, nullptr, restart},
    {3, nullptr, collect},
    {3, nullptr, fault},
    {1, nullptr, turn_gate},
    {2, nullptr, run_release},
    {2, nullptr, hand_over},
    {2, nullptr, rival_sync},
    {2, nullptr, outage},
    {2, nullptr, end_outage},
    {1, nullptr, skew_clock},
    {2, nullptr, race},

    {4, go_on, sync},
    {2, flap, relist},
    {4, begin_rollout, edit_template},
    {4, complete_rollout, edit_template},
    {1, change_ones_mind, edit_template},
    {4, break_rollout, edit_template},
    {1, mix_editions, edit_template},
    {1, take_a_name, add_revision},
    {1, bring_back_a_revision, add_revision},
    {5, scale_under_way, scale},
    {2, take_back_scaling, scale},
    {2, shed_the_unwell, scale},
    {3, lose_pod, sync},
    {3, lose_pod_under_way, edit_template},
    {1, lose_pods_unseen, restart},
    {3, part_with_pod, edit_labels},
    {3, sync_with_lag, deliver},
    {2, look_again_too_soon, deliver},
    {3, fail_call, fault},
    {3, crash, fault},
    {5, disturb_sync, sync, true},
    {1, take_from_its_hands, own_pod, true},
    {2, catch_up, sync, true},
    {2, go_unseen, relist},
    {1, refuse_some, outage},
    {1, refuse_claims, outage},
    {3, refuse_what_is_due, outage},
    {2, refuse_pruning, edit_template},
    {2, refuse_adoption, fault},
    {2, refuse_update, fault},
    {1, write_beside, edit_labels},
    {3, lose_a_claim, delete_claim},
    {3, recall_owner, add_claim_owner},
    {2, hold_claim, edit_claim},
    {3, bring_pod, add_pod},
    {2, bring_claim, add_claim},
    {2, update_the_unwell, edit_template},
    {2, end_slowly, delete_set},
    {2, wait, advance},
    {1, ready_one_by_one, set_min_ready},
    {1, change_ones_mind_of_claims, set_retention},
    {3, replace_set, delete_set},
    {2, finish_termination, stop_pod},
    {1, outlast_grace, scale},
    {1, stop_before_start, hold_pod},
    {1, live_side_by_side, apply_neighbour},
};

/// One byte draws a beat: as many of the 256 values as its weight.
consteval std::array<std::uint8_t, 256> spread() {
  std::array<std::uint8_t, 256> of{};
  std::size_t at = 0;
  for (std::size_t i = 0; i < std::size(beats); ++i)
    for (int n = 0; n < beats[i].weight; ++n) of.at(at++) = static_cast<std::uint8_t>(i);
  if (at != of.size()) throw "the weights add up to 256";
  return of;
}
constexpr auto beat_of = spread();

consteval bool every_kind_stands_alone() {
  std::uint64_t seen = 0;
  for (const Beat& beat : beats)
    if (beat.idiom == nullptr) seen |= bit(beat.kind);
  return seen == (std::uint64_t{1} << step_kind_count) - 1;
}
static_assert(every_kind_stands_alone(), "each kind of step is also a beat of its own");

bool exists(const Beat& beat, const Swarm& swarm) {
  return swarm.has(beat.kind) && (!beat.between_calls || swarm.between_calls);
}

/// A beat that exists here. The more a swarm leaves out, the more often one of its favourites takes the place.
const Beat& choose(Choices& choices, const Swarm& swarm) {
  static constexpr Beat fallback{0, nullptr, settle};
  for (int n = 0; n < 3; ++n) {
    const Beat& beat = beats[beat_of[choices.up_to(255)]];
    if (exists(beat, swarm)) return beat;
  }
  const Beat& favourite = beats[beat_of[swarm.favourites[choices.up_to(1)]]];
  return exists(favourite, swarm) ? favourite : fallback;
}

}  // namespace

Step generate_step(Choices& choices, StepKind kind) {
  const StepInfo& row = info(kind);
  Step step{.kind = kind};
  step.a = draw_argument(choices, row.a);
  step.b = draw_argument(choices, row.b);
  return kind == outage ? as_it_may_be_answered(step) : step;
}

// Eight bytes, and three in a part of their own: which kinds exist, which groups with steps between calls, whether all.
// A set bit leaves out, so that zero is the whole vocabulary.
Swarm draw_swarm(Choices& choices) {
  Swarm swarm;
  choices.part();
  std::uint64_t left_out = 0;
  for (unsigned i = 0; i < (step_kind_count + 7) / 8; ++i) left_out |= std::uint64_t{choices.up_to(255)} << (8 * i);
  choices.part();
  const std::uint32_t trouble = choices.up_to(65'535);
  for (unsigned i = 0; i < std::size(groups); ++i)
    if ((trouble >> i) & 1) left_out |= groups[i];
  swarm.between_calls = (trouble >> 15) == 0;
  const std::uint32_t whole = choices.up_to(255);
  if (whole >= 192) {
    left_out = 0;
    swarm.between_calls = true;
  }
  swarm.kinds = ~left_out | always;
  return swarm;
}

void draw_beat(Choices& choices, const Swarm& swarm, std::vector<Step>& steps) {
  choices.part();
  const Beat& beat = choose(choices, swarm);
  if (beat.idiom != nullptr) {
    Draft draft{choices, swarm, steps};
    beat.idiom(draft);
    return;
  }
  if (beat.kind == settle && !steps.empty() && steps.back().kind == settle) return;  // all is at rest already
  Step step = generate_step(choices, beat.kind);
  if (swarm.between_calls && info(beat.kind).between_calls && choices.one_in(8)) step.at_call = draw_call(choices);
  steps.push_back(step);
}

}  // namespace ordeal::properties
