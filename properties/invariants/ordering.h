// Ordering: in which order the pods of a set come into being. semantics.md 6.5, 6.6 and 10.3. Covered by
// ordering_test.cpp.
//
// Judged by what the controller was shown; with a fresh view that is the truth (ORD-5), and with a stale one the truth
// cannot be its fault. Not judged here, because: how many creations of a Parallel set run at the same time cannot be
// seen through the door, where calls come one after the other (the rest of ORD-6: errors family); the order of deletion
// is in the families scaling and update.
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::ordering {

Judgement one_create_per_sync(const Moment&);
Judgement lowest_first(const Moment&);
Judgement predecessors_ready(const Moment&);
Judgement predecessors_available(const Moment&);
Judgement created_by_one_view(const Moment&);
Judgement create_or_delete(const Moment&);
Judgement parallel_creates_all(const Moment&);
Judgement none_while_deleting(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "ordering.one-create-per-sync",
              .promise = "OrderedReady: pods are created one at a time.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .property = "ORD-1",
              .on = on_acted,
              .given = in_order,
              .check = one_create_per_sync},
    Invariant{.id = "ordering.lowest-first",
              .promise = "OrderedReady: the missing pod with the lowest ordinal is created first.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .property = "ORD-3",
              .on = on_create_pod,
              .given = set_is_regular | in_order,
              .check = lowest_first},
    Invariant{.id = "ordering.predecessors-ready",
              .promise = "OrderedReady: a pod is created only when all its predecessors are Running and Ready.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .property = "ORD-2, ORD-5",
              .on = on_create_pod,
              .given = set_is_regular | in_order,
              .check = predecessors_ready},
    Invariant{
        .id = "ordering.predecessors-available",
        .promise = "OrderedReady: a pod is created only when all its predecessors were ready for minReadySeconds.",
        .source = "Kubernetes v1.24 StatefulSets, section Minimum ready seconds",
        .property = "ORD-2, ORD-5",
        .on = on_create_pod,
        .given = set_is_regular | in_order,
        .check = predecessors_available},
    Invariant{.id = "ordering.created-by-one-view",
              .promise = "OrderedReady: a pod is created when it is its turn by one view: what caches show, or what "
                         "answers told the process besides.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .property = "beyond",
              .on = on_create_pod,
              .given = set_is_regular | in_order,
              .check = created_by_one_view},
    Invariant{.id = "ordering.create-or-delete",
              .promise = "OrderedReady: what creates a pod deletes none in the same turn.",
              .source = "StatefulSet source walk-through (v1.20), section StatefulSet Control",
              .property = "ORD-4",
              .on = on_acted,
              .given = in_order,
              .check = create_or_delete},
    Invariant{.id = "ordering.parallel-creates-all",
              .promise = "Parallel: all missing pods are created at once, waiting for nobody.",
              .source = "Kubernetes v1.24 StatefulSets, section Parallel Pod Management",
              .property = "ORD-6",
              .on = on_sync,
              .given = set_is_regular | in_parallel | turn_is_clean,
              .check = parallel_creates_all},
    Invariant{.id = "ordering.none-while-deleting",
              .promise = "A set that is being deleted creates no pods.",
              .source = "StatefulSet source walk-through (v1.20), section StatefulSet Control",
              .property = "ORD-7",
              .on = on_create_pod,
              .check = none_while_deleting},
};

}  // namespace ordeal::properties::ordering
