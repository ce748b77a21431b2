// Storage: each pod has its claims before it starts, claims outlive pods, and go only when the retention policy says
// so. semantics.md 8 and 10.2. Covered by storage_test.cpp.
//
// Not judged here, because: which volumes a pod has is a matter of identity; that the collector removes what has lost
// its owners, and that a claim in use is protected, is the API server's and not a controller's (LIV-9, second half);
// claims of a pod that was missing when its set was scaled down stay, since nobody was there to own them; sizes and
// classes are nobody's promise.
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::storage {

Judgement claims_before_pod(const Moment&);
Judgement no_pod_on_dying_claim(const Moment&);
Judgement no_pod_on_unseen_claim(const Moment&);
Judgement no_pod_on_stale_claim(const Moment&);
Judgement no_pod_on_claim_of_earlier_pod(const Moment&);
Judgement no_pod_on_claim_of_earlier_set(const Moment&);
Judgement never_deletes_claims(const Moment&);
Judgement existing_claim_is_used(const Moment&);
Judgement claims_only_for_pods(const Moment&);
Judgement no_claims_before_their_turn(const Moment&);
Judgement no_claims_for_running_pods(const Moment&);
Judgement claim_name_of_a_place(const Moment&);
Judgement claim_spec(const Moment&);
Judgement claim_labels(const Moment&);
Judgement claim_annotations(const Moment&);
Judgement claim_owners_of_template(const Moment&);
Judgement new_claim_owners(const Moment&);
Judgement pending_pod_gets_claims(const Moment&);
Judgement claims_follow_policy(const Moment&);
Judgement owners_while_quiet(const Moment&);
Judgement owners_while_unwell(const Moment&);
Judgement update_changes_owners_only(const Moment&);
Judgement updates_own_claims_only(const Moment&);
Judgement foreign_owners_kept(const Moment&);
Judgement owners_by_policy(const Moment&);
Judgement owners_wait_for_their_claim(const Moment&);
Judgement earlier_owner_untouched(const Moment&);
Judgement taken_claim_gets_no_owner(const Moment&);
Judgement marked_before_scale_down(const Moment&);
Judgement freed_before_scale_down(const Moment&);
Judgement freed_before_updated(const Moment&);
Judgement freed_before_replaced(const Moment&);
Judgement all_marked_before_first(const Moment&);
Judgement retain_never_collects(const Moment&);
Judgement replacement_keeps_data(const Moment&);
Judgement claims_at_rest(const Moment&);
Judgement owners_at_rest(const Moment&);
Judgement owners_control_at_rest(const Moment&);
Judgement taken_claim_loses_our_owners(const Moment&);
Judgement strange_volumes_not_accepted(const Moment&);
Judgement scaled_down_claims_go(const Moment&);
Judgement deleted_sets_claims_go(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "storage.claims-before-pod",
              .promise = "A pod is created only after each of its claims.",
              .source = "stateful-apps proposal, section Controller behavior",
              .property = "PVC-1",
              .on = on_create_pod,
              .check = claims_before_pod},
    Invariant{.id = "storage.no-pod-on-dying-claim",
              .promise = "No pod is created onto a claim that is being deleted.",
              .source = "kubernetes/kubernetes#74374",
              .property = "PVC-1",
              .on = on_create_pod,
              .check = no_pod_on_dying_claim},
    Invariant{
        .id = "storage.no-pod-on-unseen-claim",
        .promise = "No pod is created onto a claim of which the controller knows no more than that its name is taken.",
        .source = "kubernetes/kubernetes#74374",
        .level = Level::strict,
        .property = "PVC-1",
        .on = on_create_pod,
        .given = wants_claims,
        .check = no_pod_on_unseen_claim},
    Invariant{.id = "storage.no-pod-on-stale-claim",
              .promise = "No pod is created onto a claim that still belongs to an earlier pod of its name.",
              .source = "KEP-1847, section Cluster scale-down and scale-up",
              .property = "PVC-8",
              .on = on_create_pod,
              .check = no_pod_on_stale_claim},
    Invariant{
        .id = "storage.no-pod-on-claim-of-earlier-pod",
        .promise =
            "No pod is created onto a claim that still belongs to an earlier pod of its name, whatever the policy says by now.",
        .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
        .level = Level::strict,
        .property = "PVC-8",
        .on = on_create_pod,
        .check = no_pod_on_claim_of_earlier_pod},
    Invariant{
        .id = "storage.no-pod-on-claim-of-earlier-set",
        .promise = "No pod is created onto a claim that still belongs to an earlier set of the name, and goes with it.",
        .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
        .level = Level::strict,
        .property = "PVC-8",
        .on = on_create_pod,
        .check = no_pod_on_claim_of_earlier_set},
    Invariant{.id = "storage.never-deletes-claims",
              .promise = "The controller never deletes a claim itself, under any policy.",
              .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
              .property = "PVC-2",
              .on = on_acted,
              .check = never_deletes_claims},
    Invariant{.id = "storage.existing-claim-is-used",
              .promise = "A claim that is there is used, not created again.",
              .source = "stateful-apps proposal, section Controller behavior",
              .level = Level::strict,
              .property = "PVC-12",
              .on = on_create_claim,
              .check = existing_claim_is_used},
    Invariant{.id = "storage.claims-only-for-pods",
              .promise = "Claims are created only for pods of the range.",
              .source = "Kubernetes v1.24 StatefulSets, section Stable Storage",
              .property = "PVC-12",
              .on = on_create_claim,
              .check = claims_only_for_pods},
    Invariant{.id = "storage.no-claims-before-their-turn",
              .promise = "OrderedReady: no claim is created for a pod that has to wait for others.",
              .source = "stateful-apps proposal, section Controller behavior",
              .level = Level::strict,
              .property = "PVC-12",
              .on = on_create_claim,
              .check = no_claims_before_their_turn},
    Invariant{.id = "storage.no-claims-for-running-pods",
              .promise = "No claim is created for a pod that is there, is not pending and has its volumes.",
              .source = "kubernetes/kubernetes#74374",
              .level = Level::strict,
              .property = "PVC-12",
              .on = on_create_claim,
              .check = no_claims_for_running_pods},
    Invariant{.id = "storage.claim-name",
              .promise = "A claim is named after its template and its pod.",
              .source = "Kubernetes v1.24 StatefulSets, section Stable Storage",
              .property = "PVC-9",
              .on = on_create_claim,
              .check = claim_name_of_a_place},
    Invariant{.id = "storage.claim-spec",
              .promise = "A new claim asks for what its template asks for.",
              .source = "Kubernetes v1.24 StatefulSets, section Stable Storage",
              .property = "PVC-9",
              .on = on_create_claim,
              .check = claim_spec},
    Invariant{
        .id = "storage.claim-labels",
        .promise =
            "A new claim carries its template's labels and those the set selects by, and none of a user's but these.",
        .source = "StatefulSet source walk-through (v1.20), section StatefulSet Pod Control",
        .property = "PVC-9",
        .on = on_create_claim,
        .check = claim_labels},
    Invariant{.id = "storage.claim-annotations",
              .promise = "A new claim carries its template's annotations.",
              .source = "Kubernetes v1.24 StatefulSets, section Stable Storage",
              .property = "PVC-9",
              .on = on_create_claim,
              .check = claim_annotations},
    Invariant{.id = "storage.claim-owners-of-template",
              .promise = "A new claim has the owners and the finalizers that its template asks for.",
              .source = "elastic/cloud-on-k8s#2192",
              .level = Level::strict,
              .property = "PVC-9",
              .on = on_create_claim,
              .check = claim_owners_of_template},
    Invariant{.id = "storage.new-claim-owners",
              .promise = "A new claim belongs to nobody the retention policy does not name.",
              .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
              .property = "PVC-9",
              .on = on_create_claim,
              .check = new_claim_owners},
    Invariant{.id = "storage.pending-pod-gets-claims",
              .promise = "A pending pod whose claim is gone gets a new one.",
              .source = "kubernetes/kubernetes#74374",
              .property = "PVC-12",
              .on = on_sync,
              .given = set_is_regular | wants_claims | turn_is_clean,
              .check = pending_pod_gets_claims},
    Invariant{
        .id = "storage.claims-follow-policy",
        .promise =
            "The claims of a pod that a turn comes to get the owners that the retention policy asks for, whether or not it is ready.",
        .source = "kubernetes/kubernetes#113270",
        .level = Level::strict,
        .property = "PVC-9",
        .on = on_sync,
        .given = set_is_regular | wants_claims | turn_is_clean,
        .check = claims_follow_policy},
    Invariant{
        .id = "storage.owners-while-quiet",
        .promise =
            "Where every pod of the range is well, no turn that does nothing leaves their claims with other owners than the policy asks for.",
        .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
        .property = "PVC-7",
        .on = on_sync,
        .given = set_is_regular | wants_claims | turn_is_clean,
        .check = owners_while_quiet},
    Invariant{
        .id = "storage.owners-while-unwell",
        .promise =
            "A turn that does nothing, since a pod is not well, leaves no pod's claims with other owners than the policy asks for.",
        .source = "KEP-1847, section Mutating PersistentVolumeClaimRetentionPolicy",
        .property = "PVC-7",
        .on = on_sync,
        .given = set_is_regular | wants_claims | turn_is_clean,
        .check = owners_while_unwell},
    Invariant{.id = "storage.update-changes-owners-only",
              .promise = "The controller changes nothing of a claim but its owners.",
              .source = "KEP-1847, section Proposal",
              .property = "PVC-3",
              .on = on_update_claim,
              .check = update_changes_owners_only},
    Invariant{
        .id = "storage.updates-own-claims-only",
        .promise =
            "Of claims only those of the range and of surplus pods are written to: what was left behind, a neighbour's or a user's own is let be.",
        .source = "KEP-1847, section Proposal",
        .property = "PVC-3",
        .on = on_update_claim,
        .check = updates_own_claims_only},
    Invariant{.id = "storage.foreign-owners-kept",
              .promise = "Owners of a claim that are neither the set nor its pod are left alone.",
              .source = "kubernetes/kubernetes#122400",
              .property = "PVC-4",
              .on = on_update_claim,
              .check = foreign_owners_kept},
    Invariant{.id = "storage.owners-by-policy",
              .promise = "A claim comes to belong to its set, to its pod or to neither, as the retention policy says.",
              .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
              .property = "PVC-4",
              .on = on_update_claim,
              .check = owners_by_policy},
    Invariant{.id = "storage.owners-wait-for-their-claim",
              .promise = "The owner that a claim is given controls it, and an end in the foreground waits for it.",
              .source = "kubernetes/kubernetes#122499",
              .level = Level::strict,
              .property = "PVC-4",
              .on = on_update_claim,
              .check = owners_wait_for_their_claim},
    Invariant{.id = "storage.earlier-owner-untouched",
              .promise = "A claim that belongs to an earlier set or pod of the same name is left to the collector.",
              .source = "KEP-1847, section Cluster scale-down and scale-up",
              .property = "PVC-5",
              .on = on_update_claim,
              .check = earlier_owner_untouched},
    Invariant{.id = "storage.taken-claim-gets-no-owner",
              .promise = "A claim that somebody else controls gets neither the set nor its pod as a further owner.",
              .source = "kubernetes/kubernetes#122400",
              .judges = Judges::truth,
              .property = "PVC-4",
              .on = on_change_claim,
              .check = taken_claim_gets_no_owner},
    Invariant{.id = "storage.marked-before-scale-down",
              .promise = "whenScaled Delete: a condemned pod owns its claims before it is deleted.",
              .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
              .property = "PVC-6",
              .on = on_delete_pod,
              .given = wants_claims | some_surplus,
              .check = marked_before_scale_down},
    Invariant{.id = "storage.freed-before-scale-down",
              .promise = "whenScaled Retain: a condemned pod does not own its claims any more when it is deleted.",
              .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
              .property = "PVC-10",
              .on = on_delete_pod,
              .given = wants_claims | some_surplus,
              .check = freed_before_scale_down},
    Invariant{.id = "storage.freed-before-updated",
              .promise = "No update replaces a pod while one of its claims is to go with it.",
              .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
              .property = "PVC-11",
              .on = on_delete_pod,
              .given = wants_claims,
              .check = freed_before_updated},
    Invariant{
        .id = "storage.freed-before-replaced",
        .promise =
            "A pod of the range is not replaced while one of its claims is to go with it: that belongs to the set's next pod.",
        .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
        .level = Level::strict,
        .property = "PVC-11",
        .on = on_delete_pod,
        .given = wants_claims,
        .check = freed_before_replaced},
    Invariant{
        .id = "storage.all-marked-before-first",
        .promise =
            "Before the first condemned pod is deleted the claims of all have the owners that the retention policy asks for, Retain included.",
        .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
        .level = Level::strict,
        .property = "PVC-6",
        .on = on_acted,
        .given = wants_claims | some_surplus | turn_removes,
        .check = all_marked_before_first},
    Invariant{.id = "storage.retain-never-collects",
              .promise = "With the policy Retain for both cases no claim is ever collected.",
              .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
              .judges = Judges::truth,
              .property = "PVC-10",
              .on = on_change_claim,
              .check = retain_never_collects},
    Invariant{.id = "storage.replacement-keeps-data",
              .promise = "A pod that is replaced keeps its claims, whatever the policy.",
              .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
              .judges = Judges::truth,
              .property = "PVC-11",
              .on = on_change_claim,
              .check = replacement_keeps_data},
    Invariant{.id = "storage.claims-at-rest",
              .promise = "Left in peace, every pod of the range has its claims.",
              .source = "Kubernetes v1.24 StatefulSets, section Stable Storage",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "PVC-1, LIV-1",
              .on = on_settled,
              .check = claims_at_rest},
    Invariant{.id = "storage.owners-at-rest",
              .promise = "Left in peace, the claims of the range belong to whom the retention policy says.",
              .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "PVC-7",
              .on = on_settled,
              .check = owners_at_rest},
    Invariant{.id = "storage.owners-control-at-rest",
              .promise = "Left in peace, an owner that the retention policy gives a claim of the range controls it.",
              .source = "kubernetes/kubernetes#122499",
              .level = Level::strict,
              .when = When::settled,
              .judges = Judges::truth,
              .property = "PVC-7",
              .on = on_settled,
              .check = owners_control_at_rest},
    Invariant{
        .id = "storage.taken-claim-loses-our-owners",
        .promise =
            "Left in peace, a claim that somebody else controls has neither the set nor its pod as a further owner.",
        .source = "kubernetes/kubernetes#122400",
        .level = Level::strict,
        .when = When::settled,
        .judges = Judges::truth,
        .property = "PVC-7",
        .on = on_settled,
        .check = taken_claim_loses_our_owners},
    Invariant{
        .id = "storage.strange-volumes-not-accepted",
        .promise =
            "A pod that lacks the volumes of its own claims is not passed over in silence: while it stays, its set is not at rest.",
        .source = "Kubernetes v1.24 StatefulSets, section Stable Storage",
        .when = When::settled,
        .judges = Judges::truth,
        .property = "PVC-1",
        .on = on_settled,
        .check = strange_volumes_not_accepted},
    Invariant{.id = "storage.scaled-down-claims-go",
              .promise = "whenScaled Delete: the claims of pods that were scaled down are gone in the end.",
              .source = "Kubernetes v1.24 StatefulSets, section PersistentVolumeClaim retention",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "LIV-9",
              .on = on_settled,
              .check = scaled_down_claims_go},
    Invariant{.id = "storage.deleted-sets-claims-go",
              .promise = "whenDeleted Delete: when a set is gone, so are its claims.",
              .source = "kubernetes/kubernetes#142130",
              .level = Level::strict,
              .when = When::settled,
              .judges = Judges::truth,
              .property = "beyond",
              .on = on_settled,
              .check = deleted_sets_claims_go},
};

}  // namespace ordeal::properties::storage
