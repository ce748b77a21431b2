// Idioms: a few steps that belong together, for single ones hardly ever line up. Each appends its steps to a draft.
// Which of them a scenario has, and how often, is said in generate_steps.cpp. Internal to the generator.
#pragma once

#include "properties/scenario/idioms/draft.h"

namespace ordeal::properties::idioms {

// rollouts.cpp
void begin_rollout(Draft& d);
void complete_rollout(Draft& d);
void ready_one_by_one(Draft& d);
void change_ones_mind(Draft& d);
void break_rollout(Draft& d);
void lose_pod_under_way(Draft& d);
void mix_editions(Draft& d);
void come_back_unevenly(Draft& d);
void update_the_unwell(Draft& d);

// revisions.cpp
void take_a_name(Draft& d);
void bring_back_a_revision(Draft& d);
void refuse_pruning(Draft& d);

// scaling.cpp
void scale_under_way(Draft& d);
void take_back_scaling(Draft& d);
void shed_the_unwell(Draft& d);
void outlast_grace(Draft& d);

// claims.cpp
void change_ones_mind_of_claims(Draft& d);
void refuse_claims(Draft& d);
void lose_a_claim(Draft& d);
void bring_claim(Draft& d);
void recall_owner(Draft& d);
void hold_claim(Draft& d);

// pods.cpp
void lose_pod(Draft& d);
void lose_pods_unseen(Draft& d);
void part_with_pod(Draft& d);
void act_too_late(Draft& d);
void stop_before_start(Draft& d);
void bring_pod(Draft& d);
void finish_termination(Draft& d);
void write_beside(Draft& d);

// caches.cpp
void flap(Draft& d);
void look_again_too_soon(Draft& d);
void sync_with_lag(Draft& d);
void catch_up(Draft& d);
void go_unseen(Draft& d);

// calls.cpp
void fail_call(Draft& d);
void crash(Draft& d);
void disturb_sync(Draft& d);
void take_from_its_hands(Draft& d);
void refuse_some(Draft& d);
void refuse_what_is_due(Draft& d);
void refuse_adoption(Draft& d);
void refuse_update(Draft& d);

// sets.cpp
void end_slowly(Draft& d);
void replace_set(Draft& d);
void live_side_by_side(Draft& d);

// turns.cpp
void go_on(Draft& d);
void wait(Draft& d);

}  // namespace ordeal::properties::idioms
