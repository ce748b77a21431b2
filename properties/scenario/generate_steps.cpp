#include "properties/scenario/generate_steps.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "properties/scenario/generate.h"
#include "properties/scenario/idioms/idioms.h"

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

/// A story would show what never happens: only of what is to be made an API server says so, when the namespace is gone
/// (world/faults.cpp). Which call a fault strikes is not known here.
Step as_it_may_be_answered(Step outage) {
  const bool makes_pods = static_cast<OutageOf>(outage.a) == OutageOf::pod_creates;
  if (static_cast<OutageReply>(outage.b) == OutageReply::not_found && !makes_pods)
    outage.b = static_cast<std::int32_t>(OutageReply::internal);
  return outage;
}

// --- beats ----------------------------------------------------------------------------------------------------------

struct Beat {
  std::uint8_t weight;            // in 256
  void (*idiom)(idioms::Draft&);  // null: the one step of `kind`
  StepKind kind;                  // an idiom exists where its kind does
  bool between_calls = false;     // and steps between calls do
};

constexpr Beat beats[] = {
    {4, nullptr, sync},
    {4, nullptr, settle},
    {2, nullptr, deliver_all},
    {3, nullptr, run_kubelets},
    {4, nullptr, advance},

    {4, nullptr, scale},
    {3, nullptr, edit_template},
    {3, nullptr, set_partition},
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

    {4, idioms::go_on, sync},
    {2, idioms::flap, relist},
    {3, idioms::begin_rollout, edit_template},
    {3, idioms::complete_rollout, edit_template},
    {1, idioms::change_ones_mind, edit_template},
    {4, idioms::break_rollout, edit_template},
    {5, idioms::come_back_unevenly, edit_template},
    {1, idioms::mix_editions, edit_template},
    {1, idioms::take_a_name, add_revision},
    {1, idioms::bring_back_a_revision, add_revision},
    {5, idioms::scale_under_way, scale},
    {2, idioms::take_back_scaling, scale},
    {2, idioms::shed_the_unwell, scale},
    {3, idioms::lose_pod, sync},
    {3, idioms::lose_pod_under_way, edit_template},
    {1, idioms::lose_pods_unseen, restart},
    {3, idioms::part_with_pod, edit_labels},
    {1, idioms::act_too_late, force_delete_pod},
    {3, idioms::sync_with_lag, deliver},
    {2, idioms::look_again_too_soon, deliver},
    {3, idioms::fail_call, fault},
    {3, idioms::crash, fault},
    {4, idioms::disturb_sync, sync, true},
    {1, idioms::take_from_its_hands, own_pod, true},
    {2, idioms::catch_up, sync, true},
    {2, idioms::go_unseen, relist},
    {1, idioms::refuse_some, outage},
    {1, idioms::refuse_claims, outage},
    {3, idioms::refuse_what_is_due, outage},
    {2, idioms::refuse_pruning, edit_template},
    {2, idioms::refuse_adoption, fault},
    {2, idioms::refuse_update, fault},
    {1, idioms::write_beside, edit_labels},
    {3, idioms::lose_a_claim, delete_claim},
    {3, idioms::recall_owner, add_claim_owner},
    {2, idioms::hold_claim, edit_claim},
    {3, idioms::bring_pod, add_pod},
    {2, idioms::bring_claim, add_claim},
    {2, idioms::update_the_unwell, edit_template},
    {4, idioms::end_slowly, delete_set},
    {2, idioms::wait, advance},
    {1, idioms::ready_one_by_one, set_min_ready},
    {1, idioms::change_ones_mind_of_claims, set_retention},
    {3, idioms::replace_set, delete_set},
    {2, idioms::finish_termination, stop_pod},
    {1, idioms::outlast_grace, scale},
    {1, idioms::stop_before_start, hold_pod},
    {1, idioms::live_side_by_side, apply_neighbour},
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
  step.b = kind == set_start ? 0 : draw_argument(choices, row.b);  // with the whole scenario
  return kind == outage ? as_it_may_be_answered(step) : step;
}

Step draw_outage(Choices& choices, OutageOf of) {
  Step drawn = generate_step(choices, outage);
  drawn.a = static_cast<std::int32_t>(of);
  return as_it_may_be_answered(drawn);
}

std::uint8_t draw_call(Choices& choices) {
  const std::uint8_t call = calls[choices.up_to(std::size(calls) - 1)];
  return call < std::end(calls)[-1] ? call : static_cast<std::uint8_t>(choices.between(call, late_calls_at_most));
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
    idioms::Draft draft{choices, swarm, steps};
    beat.idiom(draft);
    return;
  }
  if (beat.kind == settle && !steps.empty() && steps.back().kind == settle) return;  // all is at rest already
  Step step = generate_step(choices, beat.kind);
  if (swarm.between_calls && info(beat.kind).between_calls && choices.one_in(8)) step.at_call = draw_call(choices);
  steps.push_back(step);
}

}  // namespace ordeal::properties
