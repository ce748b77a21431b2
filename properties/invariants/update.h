// Updates: which pods are replaced when the template changes, in which order, how many at a time, and with what.
// semantics.md 5.8, 6.8, 6.9 and 10.6. Covered by update_test.cpp.
//
// The update revision is the one the sync resolved for the set's template; a pod is outdated when its revision label
// names another. maxUnavailable counts only where its gate is on; else the budget is one. A broken outdated pod (not
// Running and Ready) gives no service, so replacing it costs none: budget, order and waiting speak of the others. Only
// OrderedReady, where one pod at a time is the point, bounds how many of them go in one turn.
//
// Not judged here, because: which revision becomes current is in the families revisions and status; that an edit of
// anything but the template records no revision (UPD-17) is the other side of revisions' "no new revision for an old
// template".
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::update {

// Which pods
Judgement respects_partition(const Moment&);
Judgement waits_for_users(const Moment&);
Judgement only_outdated(const Moment&);
Judgement partition_protects(const Moment&);
// In which order
Judgement largest_ordinal_first(const Moment&);
Judgement waits_for_successors(const Moment&);
Judgement waits_for_all(const Moment&);
Judgement waits_for_lower_pods(const Moment&);
Judgement after_scaling(const Moment&);
Judgement replaces_later(const Moment&);
// How many
Judgement one_at_a_time(const Moment&);
Judgement in_order_within_budget(const Moment&);
Judgement respects_budget(const Moment&);
Judgement updated_by_one_view(const Moment&);
Judgement rounds_down(const Moment&);
Judgement counts_pods_below_partition(const Moment&);
Judgement uses_the_budget(const Moment&);
Judgement percentage_of_all_pods(const Moment&);
Judgement uses_what_is_left(const Moment&);
Judgement replaces_broken_at_once(const Moment&);
Judgement replaces_settling_at_once(const Moment&);
Judgement replaces_broken_one_by_one(const Moment&);
Judgement replaces_broken_while_others_go(const Moment&);
Judgement unavailable_within_budget(const Moment&);
// With what
Judgement recreates_current_below_partition(const Moment&);
Judgement creates_updated(const Moment&);
Judgement creates_by_count(const Moment&);
Judgement replacement_differs(const Moment&);
Judgement keeps_progress(const Moment&);
// Recreate
Judgement recreate_stops_all(const Moment&);
Judgement recreate_never_mixes(const Moment&);
// In the end
Judgement completes(const Moment&);
Judgement replaces_broken_revision(const Moment&);
Judgement replaces_broken_revision_in_order(const Moment&);
Judgement replaces_unrepairable(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "update.respects-partition",
              .promise = "A pod with an ordinal below the partition is not updated.",
              .source = "Kubernetes v1.24 StatefulSets, section Partitioned rolling updates",
              .property = "UPD-5",
              .on = on_acted,
              .given = set_is_regular | set_is_rolling | some_outdated,
              .check = respects_partition},
    Invariant{.id = "update.waits-for-users",
              .promise = "With OnDelete no pod is updated unless a user deletes it.",
              .source = "Kubernetes v1.24 StatefulSets, section OnDelete",
              .property = "UPD-5",
              .on = on_sync,
              .given = set_is_regular | some_outdated,
              .check = waits_for_users},
    Invariant{.id = "update.only-outdated",
              .promise = "A pod at the update revision is not replaced by an update.",
              .source = "Kubernetes v1.24 StatefulSets, section Rolling Updates",
              .property = "UPD-6",
              .on = on_delete_pod,
              .check = only_outdated},
    Invariant{.id = "update.partition-protects",
              .promise = "In an undisturbed rollout no pod below the partition stops, unless it has failed.",
              .source = "Kubernetes v1.24 StatefulSets, section Partitioned rolling updates",
              .judges = Judges::truth,
              .property = "UPD-5, UPD-8",
              .on = on_change_pod,
              .check = partition_protects},
    Invariant{.id = "update.largest-ordinal-first",
              .promise = "Pods are updated from the largest ordinal to the smallest.",
              .source = "Kubernetes v1.24 StatefulSets, section Rolling Updates",
              .property = "UPD-4",
              .on = on_acted,
              .given = set_is_regular | set_is_rolling | turn_removes,
              .check = largest_ordinal_first},
    Invariant{
        .id = "update.waits-for-successors",
        .promise = "Without maxUnavailable a pod is updated only when all its successors are updated and available.",
        .source = "Kubernetes v1.24 StatefulSets, section Rolling Updates",
        .property = "UPD-2",
        .on = on_acted,
        .given = set_is_regular | set_is_rolling | turn_removes,
        .check = waits_for_successors},
    Invariant{.id = "update.waits-for-all",
              .promise = "OrderedReady: no working pod is updated while any pod of the set is missing or unavailable.",
              .source = "StatefulSet Update proposal, section Requirements",
              .property = "UPD-3, UPD-10, UPD-11",
              .on = on_acted,
              .given = set_is_regular | set_is_rolling | in_order | turn_removes,
              .check = waits_for_all},
    Invariant{.id = "update.waits-for-lower-pods",
              .promise = "Parallel, without maxUnavailable: no working pod is updated while any other is unavailable.",
              .source = "Kubernetes v1.24 StatefulSets, section Parallel Pod Management; kubernetes/kubernetes#96218",
              .level = Level::strict,
              .property = "UPD-19",
              .on = on_acted,
              .given = set_is_regular | set_is_rolling | in_parallel | turn_removes,
              .check = waits_for_lower_pods},
    Invariant{.id = "update.after-scaling",
              .promise = "OrderedReady: no working pod is updated before scaling down is done.",
              .source = "StatefulSet source walk-through (v1.20), section StatefulSet Control",
              .property = "UPD-3",
              .on = on_acted,
              .given = set_is_regular | set_is_rolling | in_order | turn_removes,
              .check = after_scaling},
    Invariant{.id = "update.replaces-later",
              .promise = "What updates a pod only deletes it; its replacement comes when it is gone.",
              .source = "Kubernetes v1.24 StatefulSets, section Rolling Updates",
              .property = "UPD-15",
              .on = on_acted,
              .given = set_is_regular | set_is_rolling | turn_removes,
              .check = replaces_later},
    Invariant{.id = "update.one-at-a-time",
              .promise = "Without maxUnavailable pods are updated one at a time.",
              .source = "Kubernetes v1.24 StatefulSets, section Rolling Updates",
              .property = "UPD-1",
              .on = on_acted,
              .given = set_is_regular | set_is_rolling | turn_removes,
              .check = one_at_a_time},
    Invariant{
        .id = "update.in-order-within-budget",
        .promise =
            "OrderedReady: an update stops no more pods in one turn than maxUnavailable allows, those included that give no service anyway.",
        .source = "Kubernetes v1.24 StatefulSets, section Maximum unavailable Pods",
        .property = "UPD-10",
        .on = on_acted,
        .given = set_is_regular | set_is_rolling | in_order | turn_removes,
        .check = in_order_within_budget},
    Invariant{.id = "update.respects-budget",
              .promise = "An update makes no more pods unavailable than maxUnavailable allows besides those that are; "
                         "pods below the partition need not count, percentages may round up.",
              .source = "Kubernetes v1.24 StatefulSets, section Maximum unavailable Pods",
              .property = "UPD-10, UPD-12, UPD-13, UPD-14",
              .on = on_acted,
              .given = set_is_regular | set_is_rolling | turn_removes,
              .check = respects_budget},
    Invariant{.id = "update.by-one-view",
              .promise = "An update keeps its order and maxUnavailable by one view: what caches show, or what answers "
                         "told the process besides.",
              .source = "Kubernetes v1.24 StatefulSets, section Maximum unavailable Pods",
              .property = "beyond",
              .on = on_acted,
              .given = set_is_regular | set_is_rolling | turn_removes,
              .check = updated_by_one_view},
    Invariant{
        .id = "update.rounds-down",
        .promise =
            "A percentage in maxUnavailable allows the whole pods in it, at least one, and no part of a further one.",
        .source = "kubernetes/kubernetes#142541",
        .level = Level::strict,
        .property = "UPD-14",
        .on = on_acted,
        .given = set_is_regular | set_is_rolling | turn_removes,
        .check = rounds_down},
    Invariant{.id = "update.counts-pods-below-partition",
              .promise = "Unavailable pods below the partition count towards maxUnavailable.",
              .source = "Kubernetes v1.24 StatefulSets, section Maximum unavailable Pods",
              .level = Level::strict,
              .property = "UPD-12",
              .on = on_acted,
              .given = set_is_regular | set_is_rolling | turn_removes,
              .check = counts_pods_below_partition},
    Invariant{
        .id = "update.uses-the-budget",
        .promise = "When all pods are available, as many outdated pods as maxUnavailable allows are updated at once.",
        .source = "Maximum Unavailable Replicas article",
        .property = "UPD-10",
        .on = on_sync,
        .given = set_is_regular | set_is_rolling | some_outdated,
        .check = uses_the_budget},
    Invariant{.id = "update.percentage-of-all-pods",
              .promise =
                  "When all pods are available, a percentage in maxUnavailable allows that part of all pods, those "
                  "below the partition counted in.",
              .source = "Kubernetes v1.24 StatefulSets, section Maximum unavailable Pods",
              .level = Level::strict,
              .property = "UPD-14",
              .on = on_sync,
              .given = set_is_regular | set_is_rolling | some_outdated,
              .check = percentage_of_all_pods},
    Invariant{
        .id = "update.uses-what-is-left",
        .promise =
            "Parallel: as many available outdated pods are updated at once as maxUnavailable allows besides the pods "
            "that are unavailable already.",
        .source = "KEP-961, section Proposal",
        .level = Level::strict,
        .property = "beyond",
        .on = on_sync,
        .given = set_is_regular | set_is_rolling | in_parallel | some_outdated | turn_is_clean,
        .check = uses_what_is_left},
    Invariant{.id = "update.replaces-broken-at-once",
              .promise = "Parallel: broken outdated pods are replaced at once and use up no budget.",
              .source = "kubernetes/kubernetes#137409",
              .property = "UPD-13",
              .on = on_sync,
              .given = set_is_regular | set_is_rolling | in_parallel | some_outdated | turn_is_clean,
              .check = replaces_broken_at_once},
    Invariant{
        .id = "update.replaces-settling-at-once",
        .promise =
            "Parallel: outdated pods that are ready, but not available yet, are replaced at once and use up no budget.",
        .source = "kubernetes/kubernetes#137409",
        .level = Level::strict,
        .property = "UPD-13",
        .on = on_sync,
        .given = set_is_regular | set_is_rolling | in_parallel | some_outdated | turn_is_clean,
        .check = replaces_settling_at_once},
    Invariant{
        .id = "update.replaces-broken-one-by-one",
        .promise =
            "Parallel without maxUnavailable: a broken outdated pod is replaced at once, whatever becomes of the others.",
        .source = "kubernetes/kubernetes#137409",
        .level = Level::strict,
        .property = "UPD-13",
        .on = on_sync,
        .given = set_is_regular | set_is_rolling | in_parallel | some_outdated | turn_is_clean,
        .check = replaces_broken_one_by_one},
    Invariant{
        .id = "update.replaces-broken-while-others-go",
        .promise =
            "OrderedReady: a broken outdated pod that holds up the set is replaced at once while another pod is on its way out, too.",
        .source = "Kubernetes v1.24 StatefulSets, section Forced rollback; kubernetes/kubernetes#67250",
        .level = Level::strict,
        .property = "LIV-4",
        .on = on_sync,
        .given = set_is_regular | set_is_rolling | in_order | some_outdated | turn_is_clean,
        .check = replaces_broken_while_others_go},
    Invariant{.id = "update.unavailable-within-budget",
              .promise = "In an undisturbed rollout never more pods are unavailable than maxUnavailable allows.",
              .source = "Kubernetes v1.24 StatefulSets, section Maximum unavailable Pods",
              .judges = Judges::truth,
              .property = "UPD-9, UPD-11",
              .on = on_change_pod,
              .check = unavailable_within_budget},
    Invariant{.id = "update.recreates-current-below-partition",
              .promise = "A pod below the partition is recreated at the current revision, even during an update.",
              .source = "Kubernetes v1.24 StatefulSets, section Partitioned rolling updates",
              .property = "UPD-7, UPD-8",
              .on = on_create_pod,
              .check = recreates_current_below_partition},
    Invariant{.id = "update.creates-updated",
              .promise = "A pod that the partition does not hold back is created from the newest template.",
              .source = "Kubernetes v1.24 StatefulSets, section Update strategies",
              .property = "UPD-7",
              .on = on_create_pod,
              .check = creates_updated},
    Invariant{.id = "update.creates-by-count",
              .promise = "Without a rollingUpdate block as many of the lowest pods as status.currentReplicas says are "
                         "recreated at the current revision.",
              .source = "StatefulSet Update proposal, section PodTemplate Selection",
              .property = "UPD-7",
              .on = on_create_pod,
              .check = creates_by_count},
    Invariant{
        .id = "update.replacement-differs",
        .promise = "Without a rollingUpdate block no broken pod is stopped that would come again at the same revision.",
        .source = "StatefulSet Update proposal, section PodTemplate Selection",
        .level = Level::strict,
        .property = "UPD-7",
        .on = on_acted,
        .given = set_is_regular | set_is_rolling | turn_removes | turn_is_clean,
        .check = replacement_differs},
    Invariant{.id = "update.keeps-progress",
              .promise = "In an undisturbed rollout no outdated pod is created where updated ones belong.",
              .source = "StatefulSet Update proposal, section PodTemplate Selection",
              .judges = Judges::truth,
              .property = "UPD-16",
              .on = on_change_pod,
              .check = keeps_progress},
    Invariant{.id = "update.recreate-stops-all",
              .promise = "Recreate: all outdated pods are stopped at once.",
              .source = "kubernetes/enhancements#3541",
              .property = "UPD-18",
              .on = on_sync,
              .given = set_is_regular | some_outdated | turn_is_clean,
              .check = recreate_stops_all},
    Invariant{.id = "update.recreate-never-mixes",
              .promise = "Recreate: no new pod is created while an outdated one is still there.",
              .source = "kubernetes/enhancements#3541",
              .property = "UPD-18",
              .on = on_create_pod,
              .check = recreate_never_mixes},
    Invariant{.id = "update.completes",
              .promise = "Left in peace, an update reaches every pod it may update.",
              .source = "StatefulSet Update proposal, section Update Completion",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-3, UPD-16",
              .on = on_settled,
              .check = completes},
    Invariant{.id = "update.replaces-broken-revision",
              .promise = "Parallel: a good template replaces pods that a bad one left broken.",
              .source = "kubernetes/kubernetes#137409",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-4",
              .on = on_settled,
              .check = replaces_broken_revision},
    Invariant{
        .id = "update.replaces-broken-revision-in-order",
        .promise = "OrderedReady: a good template replaces pods that a bad one left broken, without a user's help.",
        .source = "Kubernetes v1.24 StatefulSets, section Forced rollback; kubernetes/kubernetes#67250",
        .level = Level::strict,
        .when = When::settled,
        .judges = Judges::truth,
        .property = "LIV-4",
        .on = on_settled,
        .check = replaces_broken_revision_in_order},
    Invariant{
        .id = "update.replaces-unrepairable",
        .promise = "An update replaces a pod that lacks the volumes of its claims, as nothing else can give it these.",
        .source = "kubernetes/kubernetes#141876",
        .level = Level::strict,
        .when = When::settled,
        .judges = Judges::truth,
        .property = "beyond",
        .on = on_settled,
        .check = replaces_unrepairable},
};

}  // namespace ordeal::properties::update
