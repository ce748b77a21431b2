// Economy: no more requests than there is reason for, and hands off what is only shown.
// Beyond semantics.md: what any controller of a shared cluster owes it. Covered by economy_test.cpp.
//
// A write that is repeated although it failed is errors.no-hammering within a turn; between turns the queue backs off,
// and errors.failure-is-reported sees to it that it is told (how, is the family waking's). That revisions stay few is
// revisions.history-within-limit and revisions.one-per-template. That nothing is written when nothing has changed:
// status.no-needless-write, convergence.waits-quietly and its neighbours. Not judged here, because: events
// (events.h); how many turns a change costs (the queue, which is the world's, merges what it can).
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::economy {

Judgement no_empty_update(const Moment&);
Judgement each_write_once(const Moment&);
Judgement each_read_once(const Moment&);
Judgement overwrites_nothing(const Moment&);
Judgement bounded_turn(const Moment&);
Judgement no_busy_loop(const Moment&);
Judgement few_writes_to_rest(const Moment&);
Judgement inputs_untouched(const Moment&);
Judgement no_data_race(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "economy.no-empty-update",
              .promise = "A pod, a claim or a revision is only written when something of it changes.",
              .source = "Writing Controllers guidelines (kubernetes/community)",
              .level = Level::strict,
              .property = "beyond",
              .on = on_update_pod | on_update_claim | on_update_revision,
              .check = no_empty_update},
    Invariant{.id = "economy.each-write-once",
              .promise = "Within a turn an object that was written is not written again in the same way.",
              .source = "Writing Controllers guidelines (kubernetes/community)",
              .level = Level::strict,
              .property = "beyond",
              .on = on_acted,
              .check = each_write_once},
    Invariant{.id = "economy.each-read-once",
              .promise = "Within a turn nothing is asked for again that was answered already.",
              .source = "Writing Controllers guidelines (kubernetes/community)",
              .level = Level::strict,
              .property = "beyond",
              .on = on_sync,
              .check = each_read_once},
    Invariant{
        .id = "economy.overwrites-nothing",
        .promise =
            "An update names the version it was made from, so that it undoes no change that somebody else made since.",
        .source = "Kubernetes API conventions, section Concurrency Control and Consistency",
        .property = "beyond",
        .on = on_update_pod | on_update_claim | on_update_revision | on_write_status,
        .check = overwrites_nothing,
        .by_answers = true},
    Invariant{.id = "economy.bounded-turn",
              .promise = "A turn makes no more requests than the set has pods, claims and revisions to ask about.",
              .source = "Writing Controllers guidelines (kubernetes/community)",
              .property = "beyond",
              .on = on_sync,
              .check = bounded_turn},
    Invariant{
        .id = "economy.no-busy-loop",
        .promise =
            "A turn that asks to be woken asks for a later time, not for the same moment, and backs off when the same fails again.",
        .source = "Writing Controllers guidelines (kubernetes/community)",
        .property = "beyond",
        .on = on_sync | on_rest,
        .check = no_busy_loop},
    Invariant{.id = "economy.few-writes-to-rest",
              .promise = "Left in peace, a set comes to rest with a bounded number of writes per pod.",
              .source = "Writing Controllers guidelines (kubernetes/community)",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "beyond",
              .on = on_settled,
              .check = few_writes_to_rest},
    Invariant{.id = "economy.inputs-untouched",
              .promise = "A turn changes nothing of the objects it is shown: they are the cache's.",
              .source = "Writing Controllers guidelines (kubernetes/community)",
              .property = "beyond",
              .on = on_sync | on_rest,
              .check = inputs_untouched},
    Invariant{.id = "economy.no-data-race",
              .promise = "What several threads of a turn use, and one of them changes, a lock or the like guards.",
              .source = "kubernetes/kubernetes#121053",
              .property = "beyond",
              .on = on_sync | on_rest,
              .check = no_data_race},
};

}  // namespace ordeal::properties::economy
