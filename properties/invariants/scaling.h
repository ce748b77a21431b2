// Scaling down: which pods go, in which order, and what has to be well before. semantics.md 6.7 and 10.4.
// Covered by scaling_test.cpp.
//
// "Condemned" are the set's pods outside its range, whatever put them there: fewer replicas or another start.
// Not judged here, because: that lower condemned pods be ready first (SCL-4) is documented, but no release has ever
// kept it, and keeping it would leave a broken set that cannot shrink; for the same reason the strict table lets a
// broken highest pod go first, which SCL-3 forbids. Claims of condemned pods are in the family storage.
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::scaling {

Judgement predecessors_ready(const Moment&);
Judgement predecessors_available(const Moment&);
Judgement highest_first(const Moment&);
Judgement one_at_a_time(const Moment&);
Judgement successors_gone(const Moment&);
Judgement removed_by_one_view(const Moment&);
Judgement strictly_descending(const Moment&);
Judgement parallel_removes_all(const Moment&);
Judgement missing_pods_do_not_block(const Moment&);
Judgement broken_pods_go_at_once(const Moment&);
Judgement only_outside_range(const Moment&);
Judgement completes(const Moment&);
Judgement broken_pods_do_not_block(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "scaling.predecessors-ready",
              .promise = "OrderedReady: a pod is scaled away only when all pods that stay are Running and Ready.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .property = "SCL-1",
              .on = on_delete_pod,
              .given = set_is_regular | in_order | some_surplus,
              .check = predecessors_ready},
    Invariant{
        .id = "scaling.predecessors-available",
        .promise = "OrderedReady: a pod is scaled away only when all pods that stay were ready for minReadySeconds.",
        .source = "Kubernetes v1.24 StatefulSets, section Minimum ready seconds",
        .property = "SCL-1",
        .on = on_delete_pod,
        .given = set_is_regular | in_order | some_surplus,
        .check = predecessors_available},
    Invariant{.id = "scaling.highest-first",
              .promise = "OrderedReady: the pod with the highest ordinal is scaled away first.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .property = "SCL-2, SCL-5",
              .on = on_delete_pod,
              .given = set_is_regular | in_order | some_surplus,
              .check = highest_first},
    Invariant{.id = "scaling.one-at-a-time",
              .promise = "OrderedReady: pods are scaled away one at a time.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .property = "SCL-2",
              .on = on_acted,
              .given = set_is_regular | in_order | turn_removes | some_surplus,
              .check = one_at_a_time},
    Invariant{.id = "scaling.successors-gone",
              .promise = "OrderedReady: a pod is scaled away only when its successors are completely shut down.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .property = "SCL-2, SCL-5",
              .on = on_delete_pod,
              .given = set_is_regular | in_order | some_surplus,
              .check = successors_gone},
    Invariant{.id = "scaling.removed-by-one-view",
              .promise =
                  "OrderedReady: a pod is scaled away when it is its turn by one view: what caches show, or what "
                  "answers told the process besides.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .property = "beyond",
              .on = on_delete_pod,
              .given = set_is_regular | in_order | some_surplus,
              .check = removed_by_one_view},
    Invariant{
        .id = "scaling.strictly-descending",
        .promise = "OrderedReady: undisturbed, pods really vanish from the highest ordinal down, one after the other.",
        .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
        .judges = Judges::truth,
        .property = "SCL-5",
        .on = on_change_pod,
        .check = strictly_descending},
    Invariant{.id = "scaling.parallel-removes-all",
              .promise = "Parallel: all surplus pods are removed at once, waiting for nobody.",
              .source = "Kubernetes v1.24 StatefulSets, section Parallel Pod Management",
              .property = "SCL-6",
              .on = on_sync,
              .given = set_is_regular | in_parallel | some_surplus | turn_is_clean,
              .check = parallel_removes_all},
    Invariant{.id = "scaling.missing-pods-do-not-block",
              .promise =
                  "Parallel: surplus pods are removed even if a pod of the range, or a claim of it, cannot be created.",
              .source = "kubernetes/kubernetes#140858",
              .level = Level::strict,
              .property = "beyond",
              .on = on_sync,
              .given = set_is_regular | in_parallel | some_surplus,
              .check = missing_pods_do_not_block},
    Invariant{.id = "scaling.broken-pods-go-at-once",
              .promise =
                  "OrderedReady: once all pods that stay are well, the surplus pod with the highest ordinal is removed "
                  "at once, whatever state it is in itself.",
              .source = "kubernetes/kubernetes#123918, kubernetes/kubernetes#36333",
              .level = Level::strict,
              .property = "beyond",
              .on = on_sync,
              .given = set_is_regular | in_order | some_surplus | turn_is_clean,
              .check = broken_pods_go_at_once},
    Invariant{.id = "scaling.only-outside-range",
              .promise = "Scaling down never removes a pod that belongs to the range.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .property = "SCL-7",
              .on = on_delete_pod,
              .given = some_surplus,
              .check = only_outside_range},
    Invariant{.id = "scaling.completes",
              .promise = "Left in peace, a set scaled down loses all its surplus pods.",
              .source = "stateful-apps proposal, section How identities are managed",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-2",
              .on = on_settled,
              .check = completes},
    Invariant{.id = "scaling.broken-pods-do-not-block",
              .promise = "Surplus pods that never become ready do not keep a set from scaling down.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .level = Level::strict,
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-2",
              .on = on_settled,
              .check = broken_pods_do_not_block},
};

}  // namespace ordeal::properties::scaling
