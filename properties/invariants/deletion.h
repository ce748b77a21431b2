// Deletion: no pod is deleted without a reason the set gives. semantics.md 10.5. Covered by deletion_test.cpp.
//
// The reason is worked out from what the controller was shown, not taken from what it says. Not judged here, because:
// in which order pods go is in the families scaling and update; a pod deleted again and again because it fails again
// and again (kubernetes/kubernetes#89067) is what the documents ask for.
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::deletion {

Judgement justified(const Moment&);
Judgement only_own_pods(const Moment&);
Judgement not_twice(const Moment&);
Judgement the_pod_it_saw(const Moment&);
Judgement default_grace(const Moment&);
Judgement one_purpose_per_sync(const Moment&);
Judgement one_failed_pod_per_sync(const Moment&);
Judgement failed_pods_in_order(const Moment&);
Judgement parallel_replaces_all_finished(const Moment&);

inline constexpr std::array invariants{
    Invariant{
        .id = "deletion.justified",
        .promise = "A pod is deleted only if it failed, succeeded, is surplus, or is outdated and may be updated.",
        .source = "Kubernetes v1.24 StatefulSets, section Update strategies",
        .property = "DEL-1",
        .on = on_delete_pod,
        .check = justified},
    Invariant{.id = "deletion.only-own-pods",
              .promise = "A pod that is not the set's, or whose name holds no ordinal, is never deleted.",
              .source = "Kubernetes v1.24 StatefulSets, section Pod Selector",
              .property = "DEL-4, ID-9",
              .on = on_delete_pod,
              .check = only_own_pods},
    Invariant{.id = "deletion.not-twice",
              .promise = "A pod that is terminating already is left to terminate.",
              .source = "StatefulSet source walk-through (v1.20), section StatefulSet Control",
              .property = "DEL-2",
              .on = on_delete_pod,
              .check = not_twice},
    Invariant{.id = "deletion.the-pod-it-saw",
              .promise = "What is deleted is the very pod that was looked at, and never a newer one of its name.",
              .source = "stateful-apps proposal, section Preventing duplicate identities",
              .level = Level::strict,
              .judges = Judges::truth,
              .property = "DEL-3",
              .on = on_delete_pod,
              .check = the_pod_it_saw},
    Invariant{.id = "deletion.default-grace",
              .promise = "Pods are given their own grace period; none is deleted by force.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .property = "DEL-5",
              .on = on_delete_pod,
              .check = default_grace},
    Invariant{
        .id = "deletion.one-purpose-per-sync",
        .promise = "OrderedReady: replacing failed pods, scaling down and updating never happen in the same turn.",
        .source = "StatefulSet source walk-through (v1.20), section StatefulSet Control",
        .property = "DEL-6",
        .on = on_acted,
        .given = set_is_regular | in_order | turn_removes,
        .check = one_purpose_per_sync},
    Invariant{.id = "deletion.one-failed-pod-per-sync",
              .promise = "OrderedReady: failed pods are replaced one at a time.",
              .source = "StatefulSet source walk-through (v1.20), section StatefulSet Control",
              .property = "DEL-6",
              .on = on_acted,
              .given = set_is_regular | in_order | turn_removes,
              .check = one_failed_pod_per_sync},
    Invariant{.id = "deletion.failed-pods-in-order",
              .promise = "OrderedReady: a pod that has ended is replaced when all pods below it are running and ready.",
              .source = "StatefulSet source walk-through (v1.20), section StatefulSet Control",
              .level = Level::strict,
              .property = "beyond",
              .on = on_delete_pod,
              .given = set_is_regular | in_order,
              .check = failed_pods_in_order},
    Invariant{
        .id = "deletion.parallel-replaces-all-finished",
        .promise = "Parallel: a turn without errors replaces every pod that has ended, whatever the state of others.",
        .source = "StatefulSet source walk-through (v1.20), section Scaling up",
        .level = Level::strict,  // releases replace them batch by batch, or one a turn
        .property = "beyond",
        .on = on_sync,
        .given = set_is_regular | in_parallel | turn_is_clean,
        .check = parallel_replaces_all_finished},
};

}  // namespace ordeal::properties::deletion
