// Revisions: the history of a set's template, what is recorded in it, how it is named, numbered and kept short.
// semantics.md 5 and 10.7. Covered by revisions_test.cpp.
//
// Not judged here, because: that a pod is made from the revision its label names is a matter of identity; which
// revision a pod gets, of update; whose revisions may be written at all, of ownership; that the history is short in the
// end, of convergence. Two hash labels that are both plain numbers make Kubernetes take equal data for different; what
// follows from that rare accident is not called a fault.
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::revisions {

Judgement data_immutable(const Moment&);
Judgement records_template(const Moment&);
Judgement data_replaces(const Moment&);
Judgement recorded_once(const Moment&);
Judgement same_meaning_same_revision(const Moment&);
Judgement unchanged_template_writes_nothing(const Moment&);
Judgement one_per_template(const Moment&);
Judgement new_number_is_next(const Moment&);
Judgement update_is_newest(const Moment&);
Judgement return_becomes_newest(const Moment&);
Judgement only_returned_to_moves(const Moment&);
Judgement number_never_lowered(const Moment&);
Judgement update_changes_number_only(const Moment&);
Judgement update_number_never_falls(const Moment&);
Judgement named_by_content(const Moment&);
Judgement same_template_same_name(const Moment&);
Judgement collisions_counted(const Moment&);
Judgement collision_count_never_falls(const Moment&);
Judgement labels(const Moment&);
Judgement annotations(const Moment&);
Judgement pruned_beyond_limit(const Moment&);
Judgement oldest_pruned_first(const Moment&);
Judgement prunes_the_incarnation(const Moment&);
Judgement negative_limit_keeps_all(const Moment&);
Judgement kept_for_pods(const Moment&);
Judgement current_and_update_kept(const Moment&);
Judgement current_kept_on_errors(const Moment&);
Judgement limit_holds_on_errors(const Moment&);
Judgement history_within_limit(const Moment&);
Judgement history_within_limit_in_each_turn(const Moment&);
Judgement history_within_limit_on_errors(const Moment&);
Judgement named_ones_exist(const Moment&);
Judgement no_restart_without_change(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "revisions.data-immutable",
              .promise = "What a revision holds never changes.",
              .source = "StatefulSet source walk-through (v1.20), section ControllerRevision",
              .property = "REV-1",
              .on = on_update_revision,
              .check = data_immutable},
    Invariant{.id = "revisions.records-template",
              .promise = "A new revision holds the set's pod template as it is.",
              .source = "StatefulSet Update proposal, section PodTemplate Creation",
              .property = "REV-2",
              .on = on_create_revision,
              .check = records_template},
    Invariant{.id = "revisions.data-replaces",
              .promise = "What a revision holds is a patch that puts the whole template in place of another.",
              .source = "StatefulSet source walk-through (v1.20), section getStatefulSetRevisions",
              .level = Level::strict,
              .property = "REV-2",
              .on = on_create_revision,
              .check = data_replaces},
    Invariant{.id = "revisions.recorded-once",
              .promise = "A template that is in the history already is not recorded again.",
              .source = "StatefulSet Update proposal, section Template Updates",
              .property = "REV-3",
              .on = on_create_revision,
              .check = recorded_once},
    Invariant{.id = "revisions.same-meaning-same-revision",
              .promise = "An upgrade that only writes the same template in other bytes starts no rollout.",
              .source = "kubernetes/kubernetes#134773",
              .property = "REV-3",
              .on = on_sync,
              .check = same_meaning_same_revision},
    Invariant{.id = "revisions.unchanged-template-writes-nothing",
              .promise = "While the newest revision holds the set's template, no revision is written.",
              .source = "StatefulSet Update proposal, section Template Updates",
              .property = "REV-13, UPD-17",
              .on = on_acted,
              .check = unchanged_template_writes_nothing},
    Invariant{
        .id = "revisions.one-per-template",
        .promise = "A set has one revision for each of its templates, however far behind the controller's caches are.",
        .source = "kubernetes/kubernetes#55159",
        .judges = Judges::truth,
        .property = "REV-3",
        .on = on_change_revision,
        .check = one_per_template},
    Invariant{.id = "revisions.new-number-is-next",
              .promise = "A new revision's number is one more than the highest in the history.",
              .source = "StatefulSet source walk-through (v1.20), section getStatefulSetRevisions",
              .property = "REV-3",
              .on = on_create_revision,
              .check = new_number_is_next},
    Invariant{.id = "revisions.update-is-newest",
              .promise = "The update revision has the highest number of the history.",
              .source = "StatefulSet source walk-through (v1.20), section getStatefulSetRevisions",
              .property = "REV-2",
              .on = on_write_status,
              .check = update_is_newest},
    Invariant{.id = "revisions.return-becomes-newest",
              .promise = "Returning to an earlier template gives its revision the next number.",
              .source = "StatefulSet source walk-through (v1.20), section getStatefulSetRevisions",
              .property = "REV-4",
              .on = on_update_revision,
              .check = return_becomes_newest},
    Invariant{.id = "revisions.only-returned-to-moves",
              .promise = "Only the youngest revision that holds the set's template is ever renumbered.",
              .source = "StatefulSet Update proposal, section Template Updates",
              .property = "REV-4",
              .on = on_update_revision,
              .check = only_returned_to_moves},
    Invariant{.id = "revisions.number-never-lowered",
              .promise = "A revision's number is never lowered.",
              .source = "StatefulSet source walk-through (v1.20), section getStatefulSetRevisions",
              .property = "REV-4",
              .on = on_update_revision,
              .check = number_never_lowered},
    Invariant{.id = "revisions.update-changes-number-only",
              .promise = "Renumbering a revision changes nothing else of it.",
              .source = "StatefulSet source walk-through (v1.20), section ControllerRevision",
              .property = "REV-1, REV-4",
              .on = on_update_revision,
              .check = update_changes_number_only},
    Invariant{.id = "revisions.update-number-never-falls",
              .promise = "When the update revision changes, the new one has the higher number.",
              .source = "StatefulSet Update proposal, section History Reconstruction",
              .judges = Judges::truth,
              .property = "REV-5",
              .on = on_change_set,
              .check = update_number_never_falls},
    Invariant{.id = "revisions.named-by-content",
              .promise = "A revision is named after its set and the hash of what it holds.",
              .source = "StatefulSet source walk-through (v1.20), section getStatefulSetRevisions",
              .level = Level::strict,
              .property = "REV-6",
              .on = on_create_revision,
              .check = named_by_content},
    Invariant{
        .id = "revisions.same-template-same-name",
        .promise = "The same template always gets a revision of the same name, even after its first one was pruned.",
        .source = "kubernetes/kubernetes#67039",
        .level = Level::strict,
        .judges = Judges::truth,
        .property = "REV-12, LIV-10",
        .on = on_change_revision,
        .check = same_template_same_name},
    Invariant{.id = "revisions.collisions-counted",
              .promise = "status.collisionCount grows by one for each name that was taken by other data.",
              .source = "StatefulSet source walk-through (v1.20), section getStatefulSetRevisions",
              .property = "REV-10",
              .on = on_write_status,
              .check = collisions_counted},
    Invariant{.id = "revisions.collision-count-never-falls",
              .promise = "status.collisionCount never decreases.",
              .source = "StatefulSet source walk-through (v1.20), section getStatefulSetRevisions",
              .property = "REV-10",
              .on = on_write_status,
              .check = collision_count_never_falls},
    Invariant{.id = "revisions.labels",
              .promise = "A new revision carries its template's labels and the hash in its name.",
              .source = "StatefulSet Update proposal, section PodTemplate Creation",
              .property = "REV-11",
              .on = on_create_revision,
              .check = labels},
    Invariant{.id = "revisions.annotations",
              .promise = "A new revision carries the set's annotations, such as the cause of the change.",
              .source = "StatefulSet source walk-through (v1.20), section getStatefulSetRevisions",
              .property = "REV-11",
              .on = on_create_revision,
              .check = annotations},
    Invariant{.id = "revisions.pruned-beyond-limit",
              .promise = "A revision is deleted only while more than revisionHistoryLimit unused ones are left.",
              .source = "StatefulSet Update proposal, section History Maintenance",
              .property = "REV-7",
              .on = on_delete_revision,
              .check = pruned_beyond_limit},
    Invariant{.id = "revisions.oldest-pruned-first",
              .promise = "Of the unused revisions the oldest go first.",
              .source = "StatefulSet Update proposal, section History Maintenance",
              .property = "REV-7",
              .on = on_delete_revision,
              .check = oldest_pruned_first},
    Invariant{.id = "revisions.prunes-the-incarnation",
              .promise = "A revision is pruned as the very one that was seen, and no later one of its name.",
              .source = "Writing Controllers guidelines (kubernetes/community)",
              .level = Level::strict,
              .property = "beyond",
              .on = on_delete_revision,
              .check = prunes_the_incarnation},
    Invariant{.id = "revisions.negative-limit-keeps-all",
              .promise = "A negative revisionHistoryLimit keeps every revision.",
              .source = "kubernetes/kubernetes#129018",
              .property = "REV-7",
              .on = on_acted,
              .check = negative_limit_keeps_all},
    Invariant{.id = "revisions.kept-for-pods",
              .promise = "A revision that some pod of the set was made from is not deleted.",
              .source = "StatefulSet Update proposal, section History Maintenance",
              .property = "REV-8",
              .on = on_delete_revision,
              .check = kept_for_pods},
    Invariant{.id = "revisions.current-and-update-kept",
              .promise = "The current and the update revision are not deleted, whatever the limit.",
              .source = "StatefulSet Update proposal, section History Maintenance",
              .property = "REV-8",
              .on = on_delete_revision,
              .check = current_and_update_kept},
    Invariant{.id = "revisions.current-kept-on-errors",
              .promise = "A failure to record the newest template does not cost a revision that the status names.",
              .source = "StatefulSet Update proposal, section History Maintenance",
              .level = Level::strict,
              .property = "REV-8",
              .on = on_sync,
              .given = call_failed,
              .check = current_kept_on_errors},
    Invariant{
        .id = "revisions.limit-holds-on-errors",
        .promise =
            "A failure to record the newest template costs no revision within the limit, nor the one that holds the template.",
        .source = "StatefulSet Update proposal, section History Maintenance",
        .level = Level::strict,
        .property = "REV-7, REV-8",
        .on = on_delete_revision,
        .check = limit_holds_on_errors},
    Invariant{.id = "revisions.history-within-limit",
              .promise = "A turn with nothing else to do leaves no more than revisionHistoryLimit unused revisions.",
              .source = "StatefulSet Update proposal, section History Maintenance",
              .property = "REV-9",
              .on = on_sync,
              .given = turn_is_clean | turn_is_quiet,
              .check = history_within_limit},
    Invariant{.id = "revisions.history-within-limit-in-each-turn",
              .promise = "After a turn without errors no more than revisionHistoryLimit unused revisions are left.",
              .source = "StatefulSet Update proposal, section Revised Controller Algorithm",
              .level = Level::strict,
              .property = "REV-9",
              .on = on_sync,
              .given = turn_is_clean,
              .check = history_within_limit_in_each_turn},
    Invariant{
        .id = "revisions.history-within-limit-on-errors",
        .promise =
            "A turn that fails for its pods, claims or status leaves no more unused revisions than revisionHistoryLimit, either.",
        .source = "kubernetes/kubernetes#85690",
        .property = "REV-9",
        .on = on_sync,
        .check = history_within_limit_on_errors},
    Invariant{.id = "revisions.named-ones-exist",
              .promise = "The revisions that the status names can be found.",
              .source = "StatefulSet Update proposal, section Target State",
              .judges = Judges::truth,
              .property = "REV-8, ST-7",
              .on = on_change_set,
              .check = named_ones_exist},
    Invariant{.id = "revisions.no-restart-without-change",
              .promise = "A healthy pod that holds the set's template is not restarted.",
              .source = "kubernetes/kubernetes#134773",
              .property = "REV-2, UPD-6",
              .on = on_delete_pod,
              .check = no_restart_without_change},
};

}  // namespace ordeal::properties::revisions
