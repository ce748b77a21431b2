// Errors: what a turn does after a call has failed, and that its failure is not kept quiet.
// semantics.md 6.4, 6.10 and 10.11. Covered by errors_test.cpp.
//
// Judged by replies as the controller got them: a lost reply is a failure, whatever the API server did. A call that
// failed with a conflict and succeeded when repeated did not fail. Not judged here, because: how long a failed turn
// waits (ERR-3) is a matter of the queue (waking); how many calls of a Parallel set run at the same time (ERR-4) cannot
// be seen through the door; that a crash harms nothing (ERR-5) is what every other promise says of the turns after it.
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::errors {

Judgement ordered_stops(const Moment&);
Judgement parallel_stops(const Moment&);
Judgement parallel_slow_start(const Moment&);
Judgement conflict_never_deletes(const Moment&);
Judgement no_hammering(const Moment&);
Judgement few_retries(const Moment&);
Judgement retries_what_is_shown(const Moment&);
Judgement failure_is_reported(const Moment&);
Judgement failure_is_soon_tried_again(const Moment&);
Judgement missing_pod_is_no_error(const Moment&);
Judgement missing_revision_is_no_error(const Moment&);
Judgement missing_orphan_is_no_error(const Moment&);
Judgement unclear_owners_stop_work(const Moment&);
Judgement unclear_revisions_stop_work(const Moment&);
Judgement never_dies(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "errors.ordered-stops",
              .promise = "OrderedReady: after a pod or a claim could not be written, no other pod is worked on.",
              .source = "stateful-apps proposal, section Controller behavior",
              .property = "ERR-1",
              .on = on_acted,
              .given = set_is_regular | in_order | call_failed,
              .check = ordered_stops},
    Invariant{
        .id = "errors.parallel-stops",
        .promise =
            "Parallel: after a failed write of a pod or a claim no later stage begins and no other pod is updated; surplus "
            "pods go even if one could not be made.",
        .source = "stateful-apps proposal, section Controller behavior",
        .property = "ERR-2",
        .on = on_acted,
        .given = set_is_regular | in_parallel | call_failed,
        .check = parallel_stops},
    Invariant{
        .id = "errors.parallel-slow-start",
        .promise =
            "Parallel: pods are made, their claims kept and surplus pods removed in batches of 1, 2, 4, ... 500; none begins after one in which something failed.",
        .source = "kubernetes/kubernetes#117865",
        .level = Level::strict,
        .property = "ERR-2, ERR-4",
        .on = on_acted,
        .given = set_is_regular | in_parallel | call_failed,
        .check = parallel_slow_start},
    Invariant{.id = "errors.conflict-never-deletes",
              .promise = "A conflict while changing a pod never leads to its deletion.",
              .source = "openkruise/kruise#182",
              .property = "ERR-1",
              .on = on_acted,
              .given = call_failed,
              .check = conflict_never_deletes},
    Invariant{
        .id = "errors.no-hammering",
        .promise =
            "Within a turn a request that failed is repeated only after a conflict or a fresh look, and once after an "
            "error inside the API server.",
        .source = "stateful-apps proposal, section Controller behavior",
        .property = "ERR-1, ERR-2",
        .on = on_acted,
        .given = call_failed,
        .check = no_hammering},
    Invariant{
        .id = "errors.few-retries",
        .promise =
            "Within a turn a request is tried at most five times, even when it meets one conflict after the other.",
        .source = "stateful-apps proposal, section Controller behavior",
        .property = "ST-11, ERR-1",
        .on = on_acted,
        .given = call_failed,
        .check = few_retries},
    Invariant{.id = "errors.retries-what-is-shown",
              .promise = "What is tried again after a conflict names no older version than the cache shows by then.",
              .source = "Kubernetes API conventions, section Concurrency Control and Consistency",
              .level = Level::strict,  // from which copy the newer one comes is not said
              .property = "ST-11",
              .on = on_acted,
              .given = call_failed,
              .check = retries_what_is_shown},
    Invariant{.id = "errors.failure-is-reported",
              .promise = "A turn in which a request failed for good fails, so that it is tried again later.",
              .source = "stateful-apps proposal, section Controller behavior",
              .property = "ERR-3",
              .on = on_sync,
              .given = call_failed,
              .check = failure_is_reported},
    Invariant{
        .id = "errors.failure-is-soon-tried-again",
        .promise =
            "When a request fails for good that had not failed in the turn before, the next turn comes within a minute.",
        .source = "Writing Controllers guidelines (kubernetes/community)",
        .level = Level::strict,  // no document names the time
        .property = "ERR-3",
        .on = on_sync,
        .given = call_failed,
        .check = failure_is_soon_tried_again},
    Invariant{.id = "errors.missing-pod-is-no-error",
              .promise = "Deleting a pod that is gone already is no failure.",
              .source = "kubernetes/kubernetes#136812",
              .property = "ERR-3",
              .on = on_acted,
              .given = call_failed,
              .check = missing_pod_is_no_error},
    Invariant{.id = "errors.missing-revision-is-no-error",
              .promise = "Pruning a revision that is gone already is no failure.",
              .source = "kubernetes/kubernetes#136812",
              .level = Level::strict,
              .property = "ERR-3",
              .on = on_acted,
              .given = call_failed,
              .check = missing_revision_is_no_error},
    Invariant{
        .id = "errors.missing-orphan-is-no-error",
        .promise = "Adopting a pod that is gone, or releasing one that is gone or another one by now, is no failure.",
        .source = "StatefulSet source walk-through (v1.20), section sync",
        .property = "ERR-3, OWN-2, OWN-3",
        .on = on_acted,
        .given = call_failed,
        .check = missing_orphan_is_no_error},
    Invariant{.id = "errors.unclear-owners-stop-work",
              .promise = "When pods or revisions could not be adopted or released, nothing else is done in that turn.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "ERR-1, ST-10",
              .on = on_acted,
              .given = call_failed,
              .check = unclear_owners_stop_work},
    Invariant{
        .id = "errors.unclear-revisions-stop-work",
        .promise = "When the set's template could not be recorded, no pod or claim is touched and no status written.",
        .source = "StatefulSet source walk-through (v1.20), section performUpdate",
        .property = "ERR-1, ST-10",
        .on = on_acted,
        .given = call_failed,
        .check = unclear_revisions_stop_work},
    Invariant{.id = "errors.never-dies",
              .promise = "No turn ends the controller's process, whatever the API server accepts and answers.",
              .source = "kubernetes/kubernetes#129018",
              .property = "beyond",
              .on = on_sync | on_beside,
              .check = never_dies},
};

}  // namespace ordeal::properties::errors
