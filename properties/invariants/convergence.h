// Convergence: left in peace a set becomes what its spec says, then rests; until then every turn that waits, waits
// quietly. semantics.md 10.11 and 10.12. Covered by convergence_test.cpp.
//
// What "in peace" means is in simulate.h and Actor::heal: faults have stopped, caches are delivered, kubelets,
// collector and clock are fair, foreign holders of names are gone, a broken final template was replaced by a good one.
// What Kubernetes documents as needing a human even then (at_rest.h) is left out here and asked for, at level strict,
// by update and scaling. Not judged here, because: that the range is whole is a matter of identity, that rollouts and
// scaling end, of update and scaling, what the status tells, of status, claims of storage, owners of ownership. Equal
// outcomes by different ways (LIV-10 beyond the revision's name, LIV-11, LIV-12) need two trials: equivalence.
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::convergence {

Judgement comes_to_rest(const Moment&);
Judgement no_writes_at_rest(const Moment&);
Judgement no_calls_at_rest(const Moment&);
Judgement every_pod_available(const Moment&);
Judgement finished_pods_replaced(const Moment&);
Judgement identity_repaired(const Moment&);
Judgement rollout_declared_complete(const Moment&);
Judgement every_rollout_declared_complete(const Moment&);
Judgement history_within_limit(const Moment&);
Judgement waits_quietly(const Moment&);
Judgement same_view_same_calls(const Moment&);
Judgement never_undoes_itself(const Moment&);
Judgement asks_to_be_woken(const Moment&);
Judgement asks_despite_surplus(const Moment&);
Judgement woken_in_time(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "convergence.comes-to-rest",
              .promise = "Left in peace, a set comes to rest within a bounded number of turns.",
              .source = "StatefulSet Update proposal, section Target State",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-1",
              .on = on_settled,
              .check = comes_to_rest},
    Invariant{.id = "convergence.no-writes-at-rest",
              .promise = "Once a set is what its spec says, further turns write nothing.",
              .source = "StatefulSet Update proposal, section Target State",
              .when = When::settled,
              .property = "FIX-1",
              .on = on_rest,
              .check = no_writes_at_rest},
    Invariant{.id = "convergence.no-calls-at-rest",
              .promise = "Once a set is what its spec says, further turns ask the API server for nothing.",
              .source = "StatefulSet Update proposal, section Target State",
              .level = Level::strict,
              .when = When::settled,
              .property = "FIX-1",
              .on = on_rest,
              .check = no_calls_at_rest},
    Invariant{.id = "convergence.every-pod-available",
              .promise = "Left in peace, every pod of the set is running, ready and available.",
              .source = "Kubernetes v1.24 StatefulSets, section Deployment and Scaling Guarantees",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-1, LIV-6",
              .on = on_settled,
              .check = every_pod_available},
    Invariant{.id = "convergence.finished-pods-replaced",
              .promise = "Left in peace, a pod that failed or ended with success has been replaced.",
              .source = "kubernetes/kubernetes#118310",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-5",
              .on = on_settled,
              .check = finished_pods_replaced},
    Invariant{.id = "convergence.identity-repaired",
              .promise = "Left in peace, a pod that lost the label with its name has it back.",
              .source = "Kubernetes v1.24 StatefulSets, section Pod Name Label",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "FIX-1",
              .on = on_settled,
              .check = identity_repaired},
    Invariant{.id = "convergence.rollout-declared-complete",
              .promise = "Left in peace, a rollout that reached every pod is declared complete.",
              .source = "StatefulSet Update proposal, section Update Completion",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-3, ST-12",
              .on = on_settled,
              .check = rollout_declared_complete},
    Invariant{
        .id = "convergence.every-rollout-declared-complete",
        .promise = "Left in peace, a rollout by OnDelete or Recreate that reached every pod is declared complete.",
        .source = "kubernetes/kubernetes#73492",
        .level = Level::strict,
        .when = When::settled,
        .judges = Judges::truth,
        .property = "LIV-3, ST-9",
        .on = on_settled,
        .check = every_rollout_declared_complete},
    Invariant{.id = "convergence.history-within-limit",
              .promise = "Left in peace, no more than revisionHistoryLimit unused revisions are kept.",
              .source = "StatefulSet Update proposal, section History Maintenance",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-8",
              .on = on_settled,
              .check = history_within_limit},
    Invariant{.id = "convergence.waits-quietly",
              .promise = "A turn that finds what the last one found, and found nothing to do, writes nothing.",
              .source = "kubernetes/kubernetes#122709",
              .property = "FIX-2",
              .on = on_sync,
              .given = shown_nothing_new,
              .check = waits_quietly},
    Invariant{.id = "convergence.same-view-same-calls",
              .promise = "A turn depends on nothing but what it is shown: the same view leads to the same writes.",
              .source = "stateful-apps proposal, section How identities are managed",
              .property = "FIX-3, ERR-5",
              .on = on_sync,
              .given = shown_nothing_new | turn_is_clean,
              .check = same_view_same_calls},
    Invariant{.id = "convergence.never-undoes-itself",
              .promise = "A healthy pod created for the present spec is not deleted again while the spec stays.",
              .source = "StatefulSet Update proposal, section Target State",
              .judges = Judges::truth,
              .property = "FIX-4",
              .on = on_delete_pod,
              .check = never_undoes_itself},
    Invariant{.id = "convergence.asks-to-be-woken",
              .promise = "A turn that waits for a pod to become available asks for another within minReadySeconds.",
              .source = "Kubernetes v1.24 StatefulSets, section Minimum ready seconds",
              .property = "LIV-7",
              .on = on_sync,
              .given = set_is_regular | awaits_available | turn_is_clean,
              .check = asks_to_be_woken},
    Invariant{.id = "convergence.asks-despite-surplus",
              .promise =
                  "A turn that waits for a pod to become available asks for another even when surplus pods make up the "
                  "number.",
              .source = "Kubernetes v1.24 StatefulSets, section Minimum ready seconds",
              .property = "LIV-7",
              .on = on_sync,
              .given = set_is_regular | awaits_available | turn_is_clean,
              .check = asks_despite_surplus},
    Invariant{.id = "convergence.woken-in-time",
              .promise = "A turn that waits for a pod to become available asks for another no later than that.",
              .source = "kubernetes/kubernetes#112871",
              .property = "LIV-7",
              .on = on_sync,
              .given = set_is_regular | turn_is_clean,
              .check = woken_in_time},
};

}  // namespace ordeal::properties::convergence
