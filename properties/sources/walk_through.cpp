// The walk through the controller's source as of v1.20 (in Chinese), sentence by sentence.
#include "properties/sources/sources.h"

namespace ordeal::properties {

namespace {

constexpr std::string_view structure = "tells how the source is divided; only what it does is judged";

constexpr Sentence rows[] = {
    {"ControllerRevision", "What a revision holds never changes.", "revisions.data-immutable revisions.update-changes-number-only"},
    {"ControllerRevision", "Revisions cannot be updated but deleted; their number may change.",
     "revisions.update-changes-number-only revisions.return-becomes-newest"},
    {"ControllerRevision", "To the cluster a revision is an object like any other.", "ownership.one-controller"},
    {"Implementation", "A set owns pods and revisions.", "identity.one-owner ownership.new-revision-is-owned"},
    {"Implementation", "Events are watched as by other controllers.", "ownership.foreign-pods-untouched waking.by-events"},
    {"sync", "Orphaned revisions that the set selects are adopted first.",
     "ownership.adopts-only-orphan-revisions ownership.revisions-adopted-at-rest errors.unclear-owners-stop-work"},
    {"sync", "Before adopting, the API server is asked whether the set is being deleted.",
     "ownership.confirms-before-adopting ownership.stops-without-its-set ownership.adopts-nothing-dying lifecycle.deleting-leaves-owners"},
    {"sync", "A set that is not there is no error, and leads to nothing.", "lifecycle.gone-means-nothing"},
    {"sync", "All pods of the namespace are claimed: adopted, released, or left.",
     "ownership.foreign-pods-untouched ownership.orphan-adopted-first ownership.adopts-only-matching "
     "ownership.adopts-in-its-own-name ownership.names-the-incarnation ownership.never-steals "
     "ownership.releases-only-mismatched ownership.releases-only-itself ownership.orphans-adopted-at-rest "
     "ownership.mismatched-released-at-rest ownership.adopted-at-once ownership.released-at-once ownership.namespaces-apart errors.missing-orphan-is-no-error"},
    {"sync", "Membership is decided by name: the set's, a dash, a number.", "identity.canonical-name ownership.adopts-only-matching ownership.sets-apart"},
    {"sync", "With set and pods known the work is handed on.", {}, structure},
    {"StatefulSet Control", "Scaling up goes by ordinal, each pod waiting until all before it are healthy.",
     "ordering.lowest-first ordering.predecessors-ready ordering.one-create-per-sync"},
    {"StatefulSet Control", "Scaling down goes the other way.", "scaling.highest-first scaling.strictly-descending"},
    {"StatefulSet Control", "Another policy loosens this.", "ordering.parallel-creates-all scaling.parallel-removes-all"},
    {"StatefulSet Control", "Revisions are listed and sorted, the update done, history cut to its limit.",
     "revisions.history-within-limit equivalence.list-order"},
    {"StatefulSet Control", "A turn serves one purpose at a time: what deletes creates nothing, and updates wait for scaling.",
     "ordering.create-or-delete deletion.one-purpose-per-sync deletion.one-failed-pod-per-sync deletion.not-twice "
     "update.after-scaling ordering.none-while-deleting"},
    {"performUpdate", "Revisions are chosen, then applied, then the status written.",
     "errors.unclear-revisions-stop-work status.no-needless-write status.retries-only-conflicts status.few-attempts"},
    {"getStatefulSetRevisions", "An equal revision that is the newest is used as it is.", "revisions.unchanged-template-writes-nothing revisions.update-is-newest"},
    {"getStatefulSetRevisions", "An equal one that is older gets the next number.",
     "revisions.return-becomes-newest revisions.number-never-lowered revisions.only-returned-to-moves"},
    {"getStatefulSetRevisions", "Without an equal one a new one is made.", "revisions.recorded-once revisions.new-number-is-next"},
    {"getStatefulSetRevisions", "It holds all of the template, to be put in its place.", "revisions.records-template revisions.data-replaces"},
    {"getStatefulSetRevisions", "It carries labels and annotations.", "revisions.labels revisions.annotations",
     "labels of the template, not of the set, whatever the text says"},
    {"getStatefulSetRevisions", "Hashes that collide are counted.",
     "revisions.collisions-counted revisions.collision-count-never-falls revisions.named-by-content"},
    {"updateStatefulSet", "Pods are sorted into places and surplus ones.", "identity.whole-range-at-rest scaling.only-outside-range"},
    {"updateStatefulSet", "Counts of the status follow the pods' revisions.", "status.current-replicas status.updated-replicas"},
    {"updateStatefulSet", "Pods without a number in their names are passed over.", "identity.update-only-own-pods deletion.only-own-pods"},
    {"updateStatefulSet", "Empty places are filled with pods of the revision their ordinal asks for.",
     "update.recreates-current-below-partition update.creates-updated"},
    {"updateStatefulSet", "The first unhealthy pod is found.", "ordering.predecessors-ready"},
    {"updateStatefulSet", "For a set that is being deleted nothing is done.",
     "lifecycle.deleting-leaves-pods lifecycle.deleting-leaves-claims lifecycle.deleting-leaves-revisions"},
    {"Scaling up", "OrderedReady works on one pod at a time and waits for it to be ready.", "ordering.one-create-per-sync ordering.predecessors-ready"},
    {"Scaling up", "Parallel works on all at once.", "ordering.parallel-creates-all deletion.parallel-replaces-all-finished"},
    {"Scaling up", "A pod that never becomes ready holds up everything, even when the template is mended.",
     "update.replaces-broken-revision-in-order", "a limit Kubernetes documents: at level strict it is a violation"},
    {"Scaling up", "A failed pod is deleted and made anew.", "convergence.finished-pods-replaced identity.old-gone-before-new"},
    {"Scaling up", "One pod is created, and the turn ends; the status follows.", "ordering.one-create-per-sync status.replicas"},
    {"Scaling up", "OrderedReady waits while a pod is terminating, and while one is not running and ready.",
     "ordering.predecessors-ready identity.no-second-pod"},
    {"Scaling up", "A pod whose name, namespace, label or volumes do not fit is put right.",
     "convergence.identity-repaired identity.update-changes-identity-only"},
    {"Scaling up", "The object of the cache is copied before it is changed.", "economy.inputs-untouched"},
    {"Scaling up", "Parallel goes on where OrderedReady ends the turn.", "ordering.parallel-creates-all errors.parallel-stops"},
    {"Scaling up", "Existing pods keep their template in this stage and get new volumes.", "identity.update-changes-identity-only",
     "the API server refuses to change the volumes of a pod"},
    {"Scaling down", "By now all pods of the range are healthy.", "scaling.predecessors-ready scaling.predecessors-available"},
    {"Scaling down", "OrderedReady waits for a terminating pod to be gone.", "scaling.successors-gone deletion.not-twice"},
    {"Scaling down", "An unhealthy surplus pod waits for another unhealthy one.", "decoy:scaling-waits-for-broken",
     "no promise: a user wants it gone (scaling.broken-pods-do-not-block, strict)"},
    {"Scaling down", "One pod is deleted, and the turn ends.", "scaling.one-at-a-time"},
    {"Scaling down", "Parallel goes on.", "scaling.parallel-removes-all"},
    {"Rolling update", "With OnDelete the turn ends here: users delete, the next turn creates.", "update.waits-for-users update.creates-updated"},
    {"Rolling update", "Pods are updated from the top.", "update.largest-ordinal-first"},
    {"Rolling update", "One pod per turn, whatever the management policy.", "update.one-at-a-time"},
    {"Rolling update", "A pod of another revision that is not terminating is deleted.", "deletion.justified deletion.not-twice update.only-outdated"},
    {"Rolling update", "An updated pod that is not ready yet is waited for.", "update.waits-for-successors"},
    {"Partition", "Pods from the partition on are updated.", "update.completes"},
    {"Partition", "Those below are not, and are recreated as they were.", "update.respects-partition update.recreates-current-below-partition"},
    {"Partition", "New and recreated pods alike: below it the current revision, from it on the target.",
     "update.recreates-current-below-partition update.creates-updated update.creates-by-count"},
    {"updateStatefulSetStatus", "The current revision follows when a rolling update is complete.", "status.completes-when-done status.completion-needs-all-updated"},
    {"updateStatefulSetStatus", "With OnDelete it never does.", "convergence.every-rollout-declared-complete",
     "a limit Kubernetes documents: at level strict it is a violation"},
    {"StatefulSet Pod Control", "It creates claims, creates and deletes pods, and checks them.",
     "identity.template-labels identity.template-finalizers identity.update-changes-identity-only identity.update-keeps-volumes "
     "storage.claim-labels storage.claims-before-pod"},
};

}  // namespace

const std::span<const Sentence> walk_through = rows;

}  // namespace ordeal::properties
