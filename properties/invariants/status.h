// Status: what a set says about itself is what a recount says. semantics.md 7 and 10.8. Covered by status_test.cpp.
//
// The recount is a few lines over Facts: pods that exist, in their places or condemned; pods made in the same turn are
// not counted yet, pods deleted in it still are. currentReplicas has two levels: Kubernetes lowers it by one for each
// deletion of an update, whatever the pod's revision, which can end below zero; strict asks for the real number.
// Not judged here, because: which conditions there are, beside the one that tells of a Recreate, is nobody's promise
// (ST-13); that pods which are terminating count as replicas and ready is how Kubernetes counts.
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::status {

Judgement replicas(const Moment&);
Judgement counts_while_deleting(const Moment&);
Judgement written_while_deleting(const Moment&);
Judgement ready_replicas(const Moment&);
Judgement available_replicas(const Moment&);
Judgement updated_replicas(const Moment&);
Judgement current_replicas(const Moment&);
Judgement current_replicas_exact(const Moment&);
Judgement within_bounds(const Moment&);
Judgement never_negative(const Moment&);
Judgement written_when_changed(const Moment&);
Judgement written_despite_failure(const Moment&);
Judgement no_needless_write(const Moment&);
Judgement observed_generation(const Moment&);
Judgement observed_not_ahead(const Moment&);
Judgement observed_never_falls(const Moment&);
Judgement observed_never_falls_when_stale(const Moment&);
Judgement update_revision(const Moment&);
Judgement current_revision(const Moment&);
Judgement completion_needs_all_updated(const Moment&);
Judgement completion_needs_every_place(const Moment&);
Judgement completion_needs_availability(const Moment&);
Judgement completion_heeds_partition(const Moment&);
Judgement completes_when_done(const Moment&);
Judgement every_strategy_completes(const Moment&);
Judgement retries_only_conflicts(const Moment&);
Judgement few_attempts(const Moment&);
Judgement conditions_of_others_kept(const Moment&);
Judgement conditions_say_what_they_are(const Moment&);
Judgement one_condition_of_a_type(const Moment&);
Judgement transition_times(const Moment&);
Judgement conditions_say_why(const Moment&);
Judgement tells_of_recreation(const Moment&);
Judgement recreation_ends_at_rest(const Moment&);
Judgement progress_needs_an_update(const Moment&);
Judgement counts_at_rest(const Moment&);
Judgement generation_at_rest(const Moment&);
Judgement update_revision_at_rest(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "status.replicas",
              .promise = "status.replicas is the number of pods of the set that exist.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .property = "ST-1",
              .on = on_write_status,
              .check = replicas},
    Invariant{.id = "status.counts-while-deleting",
              .promise = "The status of a set that is being deleted goes on counting its pods.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .level = Level::strict,
              .property = "ST-1",
              .on = on_write_status,
              .given = set_is_going,
              .check = counts_while_deleting},
    Invariant{
        .id = "status.written-while-deleting",
        .promise = "A turn that finds a set on its way out with other pods than its status tells writes the status.",
        .source = "StatefulSet Update proposal, section Status Reporting",
        .level = Level::strict,
        .property = "ST-3",
        .on = on_sync,
        .given = set_is_going,
        .check = written_while_deleting},
    Invariant{.id = "status.ready-replicas",
              .promise = "status.readyReplicas is the number of pods that are Running and Ready.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .property = "ST-1",
              .on = on_write_status,
              .check = ready_replicas},
    Invariant{.id = "status.available-replicas",
              .promise = "status.availableReplicas is the number of pods that have been ready for minReadySeconds.",
              .source = "Kubernetes v1.24 StatefulSets, section Minimum ready seconds",
              .property = "ST-1",
              .on = on_write_status,
              .check = available_replicas},
    Invariant{.id = "status.updated-replicas",
              .promise = "status.updatedReplicas is the number of pods at the update revision.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .property = "ST-1",
              .on = on_write_status,
              .check = updated_replicas},
    Invariant{.id = "status.current-replicas",
              .promise = "status.currentReplicas is the number of pods at the current revision, give or take the pods "
                         "deleted in the same turn.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .property = "ST-1",
              .on = on_write_status,
              .check = current_replicas},
    Invariant{
        .id = "status.current-replicas-exact",
        .promise = "status.currentReplicas is the number of pods at the current revision that no update has deleted.",
        .source = "kubernetes/kubernetes#75498",
        .level = Level::strict,
        .property = "ST-1",
        .on = on_write_status,
        .check = current_replicas_exact},
    Invariant{.id = "status.within-bounds",
              .promise = "No more pods are available than ready, and none of the counts exceeds the replicas.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .property = "ST-2",
              .on = on_write_status,
              .check = within_bounds},
    Invariant{.id = "status.never-negative",
              .promise = "No count is ever negative, so that the API server takes the status.",
              .source = "kubernetes/kubernetes#75498",
              .level = Level::strict,
              .property = "ST-2",
              .on = on_write_status,
              .check = never_negative},
    Invariant{.id = "status.written-when-changed",
              .promise = "A turn that finds another state than the status tells writes the status.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .property = "ST-3",
              .on = on_sync,
              .given = set_is_regular | turn_is_clean,
              .check = written_when_changed},
    Invariant{.id = "status.written-despite-failure",
              .promise = "The status is written even when a pod or a claim could not be.",
              .source = "kubernetes/kubernetes#113833",
              .property = "ST-10",
              .on = on_sync,
              .check = written_despite_failure},
    Invariant{.id = "status.no-needless-write",
              .promise = "A status that says nothing new is not written.",
              .source = "StatefulSet source walk-through (v1.20), section performUpdate",
              .property = "ST-3",
              .on = on_write_status,
              .check = no_needless_write},
    Invariant{.id = "status.observed-generation",
              .promise = "status.observedGeneration is the generation of the spec that was acted upon.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .property = "ST-4",
              .on = on_write_status,
              .check = observed_generation},
    Invariant{.id = "status.observed-not-ahead",
              .promise = "status.observedGeneration is never ahead of the set's generation.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .judges = Judges::truth,
              .property = "ST-4",
              .on = on_change_set,
              .check = observed_not_ahead},
    Invariant{.id = "status.observed-never-falls",
              .promise = "status.observedGeneration never goes back while the controller's caches are fresh.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .judges = Judges::truth,
              .property = "ST-5",
              .on = on_change_set,
              .check = observed_never_falls},
    Invariant{.id = "status.observed-never-falls-when-stale",
              .promise = "status.observedGeneration never goes back, even when the controller's caches lag.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .level = Level::strict,
              .judges = Judges::truth,
              .property = "ST-5",
              .on = on_change_set,
              .check = observed_never_falls_when_stale},
    Invariant{.id = "status.update-revision",
              .promise = "status.updateRevision names a revision that holds the set's template.",
              .source = "StatefulSet Update proposal, section Template Updates",
              .property = "ST-7, REV-2",
              .on = on_write_status,
              .check = update_revision},
    Invariant{.id = "status.current-revision",
              .promise = "status.currentRevision stays what it was or becomes the update revision, nothing else.",
              .source = "StatefulSet Update proposal, section Update Completion",
              .property = "ST-6",
              .on = on_write_status,
              .check = current_revision},
    Invariant{.id = "status.completion-needs-all-updated",
              .promise = "A rollout counts as complete only when as many pods as wanted exist, all ready and updated.",
              .source = "StatefulSet Update proposal, section Update Completion",
              .property = "ST-6, ST-8",
              .on = on_write_status,
              .check = completion_needs_all_updated},
    Invariant{
        .id = "status.completion-needs-every-place",
        .promise = "A rollout counts as complete only when every ordinal of the range is there, ready and updated.",
        .source = "StatefulSet Update proposal, section Update Completion",
        .level = Level::strict,
        .property = "ST-8",
        .on = on_write_status,
        .check = completion_needs_every_place},
    Invariant{.id = "status.completion-needs-availability",
              .promise = "A rollout counts as complete only when every pod has been ready for minReadySeconds.",
              .source = "kubernetes/kubernetes#136831",
              .level = Level::strict,
              .property = "ST-8",
              .on = on_write_status,
              .check = completion_needs_availability},
    Invariant{.id = "status.completion-heeds-partition",
              .promise = "A set without pods completes no rollout that its partition holds back for the pods to come.",
              .source = "kubernetes/kubernetes#121534",
              .level = Level::strict,
              .property = "beyond",
              .on = on_write_status,
              .check = completion_heeds_partition},
    Invariant{.id = "status.completes-when-done",
              .promise = "Once every pod is updated and available, the update revision becomes the current one.",
              .source = "StatefulSet Update proposal, section Update Completion",
              .property = "ST-6",
              .on = on_write_status,
              .check = completes_when_done},
    Invariant{.id = "status.every-strategy-completes",
              .promise = "With OnDelete and Recreate, too, the current revision catches up once every pod is updated.",
              .source = "kubernetes/kubernetes#73492",
              .level = Level::strict,
              .property = "ST-9",
              .on = on_write_status,
              .check = every_strategy_completes},
    Invariant{
        .id = "status.retries-only-conflicts",
        .promise =
            "Within a turn, writing the status is tried again only after a conflict, and once after an error inside "
            "the API server.",
        .source = "StatefulSet source walk-through (v1.20), section performUpdate",
        .property = "ST-11",
        .on = on_write_status,
        .check = retries_only_conflicts},
    Invariant{.id = "status.few-attempts",
              .promise = "Within a turn, writing the status is tried at most five times.",
              .source = "StatefulSet source walk-through (v1.20), section performUpdate",
              .property = "ST-11",
              .on = on_write_status,
              .check = few_attempts},
    Invariant{.id = "status.conditions-of-others-kept",
              .promise = "Conditions that others wrote into the status stay as they are when the controller writes it.",
              .source = "Kubernetes API conventions, section Typical status properties",
              .level = Level::strict,
              .property = "beyond",
              .on = on_write_status,
              .check = conditions_of_others_kept},
    Invariant{.id = "status.one-condition-of-a-type",
              .promise = "The status that the controller writes has one condition of a type.",
              .source = "Kubernetes API conventions, section Typical status properties",
              .property = "beyond",
              .on = on_write_status,
              .check = one_condition_of_a_type},
    Invariant{.id = "status.conditions-say-what-they-are",
              .promise = "A condition that is told has a type, and is True, False or Unknown.",
              .source = "Kubernetes API conventions, section Typical status properties",
              .property = "beyond",
              .on = on_write_status,
              .check = conditions_say_what_they_are},
    Invariant{.id = "status.transition-times",
              .promise = "The lastTransitionTime of a condition changes when its status does, and not otherwise.",
              .source = "Kubernetes API conventions, section Typical status properties",
              .property = "beyond",
              .on = on_write_status,
              .check = transition_times},
    Invariant{.id = "status.conditions-say-why",
              .promise =
                  "A condition that begins or changes has a reason, one CamelCase word, and keeps neither reason "
                  "nor message of before.",
              .source = "Kubernetes API conventions, section Typical status properties",
              .level = Level::strict,
              .property = "beyond",
              .on = on_write_status,
              .check = conditions_say_why},
    Invariant{.id = "status.tells-of-recreation",
              .promise = "Recreate: as long as outdated pods are there, the status tells that the set is Progressing.",
              .source = "kubernetes/enhancements#3541",
              .level = Level::strict,
              .property = "beyond",
              .on = on_sync,
              .given = set_is_regular | some_outdated | turn_is_clean,
              .check = tells_of_recreation},
    Invariant{.id = "status.recreation-ends-at-rest",
              .promise = "Left in peace, a set whose pods are all new is not said to be Progressing, even if it was to "
                         "be recreated when it began.",
              .source = "kubernetes/enhancements#3541",
              .level = Level::strict,
              .when = When::settled,
              .judges = Judges::truth,
              .property = "beyond",
              .on = on_settled,
              .check = recreation_ends_at_rest},
    Invariant{
        .id = "status.progress-needs-an-update",
        .promise = "A set is told to be Progressing, or not to be any more, only when there is an update to be made.",
        .source = "kubernetes/enhancements#3541",
        .level = Level::strict,
        .property = "beyond",
        .on = on_write_status,
        .given = set_is_regular,
        .check = progress_needs_an_update},
    Invariant{
        .id = "status.counts-at-rest",
        .promise = "Left in peace, the status tells how many pods there are, ready, available, current and updated.",
        .source = "StatefulSet Update proposal, section Status Reporting",
        .when = When::settled,
        .judges = Judges::truth,
        .property = "ST-12",
        .on = on_settled,
        .check = counts_at_rest},
    Invariant{.id = "status.generation-at-rest",
              .promise = "Left in peace, the status is of the newest spec.",
              .source = "StatefulSet Update proposal, section Status Reporting",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "ST-12",
              .on = on_settled,
              .check = generation_at_rest},
    Invariant{.id = "status.update-revision-at-rest",
              .promise = "Left in peace, status.updateRevision names a revision that holds the set's template.",
              .source = "StatefulSet Update proposal, section Target State",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "ST-12",
              .on = on_settled,
              .check = update_revision_at_rest},
};

}  // namespace ordeal::properties::status
