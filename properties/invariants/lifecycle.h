// Lifecycle: what a controller may still do for a set that is going away, is gone, or was made again.
// semantics.md 6.3, 4.4 and 10.10. Covered by lifecycle_test.cpp.
//
// Not judged here, because: a set whose selector cannot be read (LIF-4) is refused by the API server before any
// controller sees it; that nothing is committed after a deletion the controller could not see yet (LIF-2) is no
// controller's promise but for adoption, which the family ownership judges; that dependents go or stay as asked is the
// collector's work, but for what the controller has to tell it (foreground-waits).
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::lifecycle {

Judgement deleting_leaves_pods(const Moment&);
Judgement deleting_leaves_claims(const Moment&);
Judgement deleting_leaves_owners(const Moment&);
Judgement deleting_leaves_revisions(const Moment&);
Judgement gone_means_nothing(const Moment&);
Judgement set_untouched(const Moment&);
Judgement only_its_own_status(const Moment&);
Judgement status_of_the_same_set(const Moment&);
Judgement foreground_waits(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "lifecycle.deleting-leaves-pods",
              .promise = "For a set that is being deleted no pod is created, changed or deleted.",
              .source = "StatefulSet source walk-through (v1.20), section updateStatefulSet",
              .property = "LIF-1, LIF-2",
              .on = on_sync,
              .given = set_is_going,
              .check = deleting_leaves_pods},
    Invariant{.id = "lifecycle.deleting-leaves-claims",
              .promise = "For a set that is being deleted no claim is created or changed.",
              .source = "StatefulSet source walk-through (v1.20), section updateStatefulSet",
              .property = "LIF-1, LIF-2",
              .on = on_sync,
              .given = set_is_going,
              .check = deleting_leaves_claims},
    Invariant{.id = "lifecycle.deleting-leaves-owners",
              .promise = "A set that is being deleted adopts and releases nothing.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "LIF-1",
              .on = on_sync,
              .given = set_is_going,
              .check = deleting_leaves_owners},
    Invariant{.id = "lifecycle.deleting-leaves-revisions",
              .promise = "For a set that is being deleted no revision is recorded, renumbered or pruned.",
              .source = "StatefulSet source walk-through (v1.20), section updateStatefulSet",
              .level = Level::strict,
              .property = "LIF-1",
              .on = on_sync,
              .given = set_is_going,
              .check = deleting_leaves_revisions},
    Invariant{.id = "lifecycle.gone-means-nothing",
              .promise = "For a set that is not there nothing is written.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "LIF-3",
              .on = on_sync,
              .given = set_is_gone,
              .check = gone_means_nothing},
    Invariant{.id = "lifecycle.set-untouched",
              .promise = "The controller never changes a set but for its status.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .property = "LIF-1, UPD-17",
              .on = on_acted,
              .check = set_untouched},
    Invariant{.id = "lifecycle.only-its-own-status",
              .promise = "A turn for one set writes the status of no other.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .property = "LIF-3",
              .on = on_write_status,
              .check = only_its_own_status},
    Invariant{.id = "lifecycle.status-of-the-same-set",
              .promise = "A status never lands on a later set of the same name.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .level = Level::strict,
              .judges = Judges::truth,
              .property = "LIF-3",
              .on = on_write_status,
              .check = status_of_the_same_set},
    Invariant{.id = "lifecycle.foreground-waits",
              .promise =
                  "A set that is deleted in the foreground goes only after the pods, claims and revisions it controls.",
              .source = "Kubernetes Garbage Collection, section Foreground cascading deletion",
              .judges = Judges::truth,
              .property = "ID-3, REV-11",
              .on = on_change_set,
              .check = foreground_waits},
};

}  // namespace ordeal::properties::lifecycle
