// Waking: which turns are made and when, and what a turn waits for before it acts.
// semantics.md 4, and 10.9 and 10.11 of it. Covered by waking_test.cpp.
//
// The work queue stands on this side of the door (core/controller/queue.h): these promises are judged of it and of what
// a controller asks of it, so a controller behind an adapter is judged by what it asks for and by what it waits for.
// Time is the API server's; where the controller's clock is off, nothing that depends on time is judged. Not judged
// here, because: how often a pod that becomes ready wakes its set (once more after minReadySeconds, say) makes no
// difference as long as turns ask in time, which convergence judges; events of claims and revisions wake nobody by
// design.
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::waking {

Judgement by_events(const Moment&);
Judgement leaves_no_pod_undone(const Moment&);
Judgement leaves_nothing_undone(const Moment&);
Judgement as_asked(const Moment&);
Judgement after_failures(const Moment&);
Judgement ever_later(const Moment&);
Judgement first_retry_is_soon(const Moment&);
Judgement forgets_failures(const Moment&);
Judgement waits_for_caches(const Moment&);
Judgement own_writes_first(const Moment&);
Judgement guard_waits(const Moment&);
Judgement own_deletions_first(const Moment&);
Judgement one_worker_at_a_time(const Moment&);
Judgement fails_with_cause(const Moment&);
Judgement fails_for_what_is_in_the_way(const Moment&);

inline constexpr std::array invariants{
    Invariant{
        .id = "waking.by-events",
        .promise = "What happens to a set or its pods makes a turn: one that nobody asked for finds nothing to write.",
        .source = "StatefulSet source walk-through (v1.20), section Implementation",
        .property = "LIV-1, FIX-2",
        .on = on_sync | on_rest,
        .given = turn_unasked,
        .check = by_events},
    Invariant{
        .id = "waking.leaves-no-pod-undone",
        .promise =
            "A turn that finds a pod missing, finished or too many, nothing before it in the way, and does nothing, fails or asks for another.",
        .source = "KEP-1847, section Cluster scale-down and scale-up",
        .property = "LIV-1",
        .on = on_sync | on_rest,
        .given = set_is_regular | turn_is_quiet,
        .check = leaves_no_pod_undone},
    Invariant{
        .id = "waking.leaves-nothing-undone",
        .promise =
            "A turn that finds a pod missing, finished, too many or without its claim, nothing before it in the way, and does "
            "nothing, fails or asks for another.",
        .source = "KEP-1847, section Cluster scale-down and scale-up",
        .level = Level::strict,  // releases that wait for the collector to take a claim ask for no other turn
        .property = "LIV-1, LIV-7",
        .on = on_sync | on_rest,
        .given = set_is_regular | turn_is_quiet,
        .check = leaves_nothing_undone},
    Invariant{
        .id = "waking.as-asked",
        .promise = "A turn that asks for another after some time gets it by then; one that asks for none gets none.",
        .source = "Writing Controllers guidelines (kubernetes/community)",
        .property = "LIV-7",
        .on = on_sync | on_rest,
        .check = as_asked},
    Invariant{.id = "waking.after-failures",
              .promise = "A turn that failed is followed by another one, after a while, but within 1000 seconds.",
              .source = "Writing Controllers guidelines (kubernetes/community)",
              .property = "ERR-3",
              .on = on_sync | on_rest,
              .given = turn_failed,
              .check = after_failures},
    Invariant{.id = "waking.ever-later",
              .promise = "While turns keep failing, each wait is at least twice the last one, up to 1000 seconds.",
              .source = "Writing Controllers guidelines (kubernetes/community)",
              .property = "ERR-3",
              .on = on_sync | on_rest,
              .given = turn_failed,
              .check = ever_later},
    Invariant{.id = "waking.first-retry-is-soon",
              .promise = "The first turn that fails is tried again within ten seconds.",
              .source = "Writing Controllers guidelines (kubernetes/community)",
              .level = Level::strict,  // no document names the time
              .property = "ERR-3",
              .on = on_sync | on_rest,
              .given = turn_failed,
              .check = first_retry_is_soon},
    Invariant{.id = "waking.forgets-failures",
              .promise = "After a turn that succeeded, the first failure is retried as soon as the first one ever was.",
              .source = "Writing Controllers guidelines (kubernetes/community)",
              .property = "ERR-3",
              .on = on_sync | on_rest,
              .given = turn_failed,
              .check = forgets_failures},
    Invariant{.id = "waking.waits-for-caches",
              .promise = "A process that starts makes its first turn once each of its caches has been filled.",
              .source = "kubernetes/kubernetes#56355",
              .property = "beyond",
              .on = on_sync,
              .check = waits_for_caches},
    Invariant{
        .id = "waking.own-writes-first",
        .promise =
            "With the guard against stale caches on, a turn writes only once its caches show what the process wrote.",
        .source = "kubernetes/kubernetes#137254",
        .level = Level::strict,  // releases before the guard do not have it
        .property = "beyond",
        .on = on_sync,
        .given = with_stale_guard,
        .check = own_writes_first},
    Invariant{
        .id = "waking.guard-waits",
        .promise =
            "A release with that guard writes nothing until its caches have once shown what it was told it created or changed.",
        .source = "kubernetes/kubernetes#137254",
        .property = "beyond",
        .on = on_sync,
        .given = with_stale_guard,
        .check = guard_waits},
    Invariant{.id = "waking.own-deletions-first",
              .promise = "With that guard on, a turn writes only once its caches show which pods the process deleted.",
              .source = "kubernetes/kubernetes#137254",
              .level = Level::strict,  // no release waits for deletions
              .property = "beyond",
              .on = on_sync,
              .given = with_stale_guard,
              .check = own_deletions_first},
    Invariant{.id = "waking.one-worker-at-a-time",
              .promise = "While a turn lasts, no other worker of the process can be handed the same set.",
              .source = "Writing Controllers guidelines (kubernetes/community)",
              .property = "beyond",
              .on = on_sync | on_rest,
              .check = one_worker_at_a_time},
    Invariant{
        .id = "waking.fails-with-cause",
        .promise =
            "A turn fails only if a request failed, it read what its caches do not show, or something is in the way of a pod "
            "or of all work.",
        .source = "Writing Controllers guidelines (kubernetes/community)",
        .property = "ERR-3",
        .on = on_sync | on_rest,
        .given = turn_failed,
        .check = fails_with_cause},
    Invariant{
        .id = "waking.fails-for-what-is-in-the-way",
        .promise =
            "A turn that fails though every request succeeded leaves no pod missing, finished or too many that nothing is in the way of.",
        .source = "kubernetes/kubernetes#140858",
        .level = Level::strict,
        .property = "beyond",
        .on = on_sync | on_rest,
        .given = set_is_regular | turn_failed | turn_is_quiet,
        .check = fails_for_what_is_in_the_way},
};

}  // namespace ordeal::properties::waking
