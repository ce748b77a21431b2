// Identity: every pod is who its name says, there is one of each, and nobody else's pods are touched.
// semantics.md 2 and 10.1. Covered by identity_test.cpp.
//
// Not judged here, because: that a name has one object (the API server keeps that, whatever a controller asks for:
// core/cluster/server_test.cpp); a name longer than a label may be (the API server refuses every such pod, and the user
// is told); the pods of a set that is going away (lifecycle); which revision a pod should have (update); its claims
// (storage).
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::identity {

Judgement one_process(const Moment&);
Judgement old_gone_before_new(const Moment&);
Judgement canonical_name(const Moment&);
Judgement only_in_range(const Moment&);
Judgement no_second_pod(const Moment&);
Judgement pod_name_label(const Moment&);
Judgement pod_index_label(const Moment&);
Judgement revision_label(const Moment&);
Judgement made_from_its_revision(const Moment&);
Judgement own_namespace(const Moment&);
Judgement template_labels(const Moment&);
Judgement template_finalizers(const Moment&);
Judgement no_finalizer_of_its_own(const Moment&);
Judgement hostname(const Moment&);
Judgement subdomain(const Moment&);
Judgement one_owner(const Moment&);
Judgement claim_volumes(const Moment&);
Judgement template_volumes(const Moment&);
Judgement update_changes_identity_only(const Moment&);
Judgement update_keeps_volumes(const Moment&);
Judgement update_only_own_pods(const Moment&);
Judgement repaired_at_once(const Moment&);
Judgement repaired_with_its_index(const Moment&);
Judgement whole_range_at_rest(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "identity.one-process",
              .promise = "At most one instance of a pod runs, counting processes whose object is gone already.",
              .source = "stateful-apps proposal, section Preventing duplicate identities",
              .judges = Judges::truth,
              .property = "ID-1",
              .on = on_change_pod,
              .check = one_process},
    Invariant{
        .id = "identity.old-gone-before-new",
        .promise = "No pod is created under a name that an answer has shown to be held, be it by a terminating pod.",
        .source = "Kubernetes v1.24 StatefulSets, section Pod Identity",
        .property = "ID-6",
        .on = on_create_pod,
        .check = old_gone_before_new,
        .by_answers = true},
    Invariant{.id = "identity.canonical-name",
              .promise = "Every pod is named after its set and a plain decimal ordinal.",
              .source = "Kubernetes v1.24 StatefulSets, section Stable Network ID",
              .property = "ID-2",
              .on = on_create_pod,
              .check = canonical_name},
    Invariant{.id = "identity.only-in-range",
              .promise = "A set with N replicas creates only the N ordinals from its start on.",
              .source = "Kubernetes v1.24 StatefulSets, section Ordinal Index",
              .property = "ID-2",
              .on = on_create_pod,
              .check = only_in_range},
    Invariant{.id = "identity.no-second-pod",
              .promise = "No pod is created for an ordinal that has one, running or terminating.",
              .source = "Kubernetes v1.24 StatefulSets, section Ordinal Index",
              .property = "ID-5",
              .on = on_create_pod,
              .check = no_second_pod},
    Invariant{.id = "identity.pod-name-label",
              .promise = "A new pod carries its name as a label, so that a service can select it alone.",
              .source = "Kubernetes v1.24 StatefulSets, section Pod Name Label",
              .property = "ID-3",
              .on = on_create_pod,
              .check = pod_name_label},
    Invariant{.id = "identity.pod-index-label",
              .promise = "A new pod carries its ordinal as a label.",
              .source = "kubernetes/enhancements#4017",
              .property = "ID-3",
              .on = on_create_pod,
              .check = pod_index_label},
    Invariant{.id = "identity.revision-label",
              .promise = "A new pod is labelled with the current or the update revision of its set.",
              .source = "StatefulSet Update proposal, section PodTemplate Selection",
              .property = "ID-3",
              .on = on_create_pod,
              .check = revision_label},
    Invariant{.id = "identity.made-from-its-revision",
              .promise = "A new pod is made from the very template its revision label names.",
              .source = "StatefulSet Update proposal, section PodTemplate Selection",
              .property = "ID-3",
              .on = on_create_pod,
              .check = made_from_its_revision},
    Invariant{.id = "identity.own-namespace",
              .promise = "Pods, claims and revisions are created in the namespace of their set.",
              .source = "stateful-apps proposal, section Controller behavior",
              .property = "ID-3, PVC-9",
              .on = on_create_pod | on_create_claim | on_create_revision,
              .check = own_namespace},
    Invariant{.id = "identity.template-labels",
              .promise = "A new pod has all labels and annotations of its template, and none of a user's but these.",
              .source = "StatefulSet source walk-through (v1.20), section StatefulSet Pod Control",
              .property = "ID-3",
              .on = on_create_pod,
              .check = template_labels},
    Invariant{.id = "identity.template-finalizers",
              .promise = "A new pod has the finalizers of its template.",
              .source = "StatefulSet source walk-through (v1.20), section StatefulSet Pod Control",
              .property = "ID-3",
              .on = on_create_pod,
              .check = template_finalizers},
    Invariant{
        .id = "identity.no-finalizer-of-its-own",
        .promise =
            "A new pod, claim or revision has no finalizer that nobody asked for: what must be taken away before it can go.",
        .source = "Kubernetes Finalizers, section How finalizers work",
        .level = Level::strict,
        .property = "beyond",
        .on = on_create_pod | on_create_claim | on_create_revision,
        .check = no_finalizer_of_its_own},
    Invariant{.id = "identity.hostname",
              .promise = "A new pod's hostname is its name.",
              .source = "Kubernetes v1.24 StatefulSets, section Stable Network ID",
              .property = "ID-3",
              .on = on_create_pod,
              .check = hostname},
    Invariant{.id = "identity.subdomain",
              .promise = "A new pod's subdomain is the set's governing service.",
              .source = "Kubernetes v1.24 StatefulSets, section Stable Network ID",
              .property = "ID-3",
              .on = on_create_pod,
              .check = subdomain},
    Invariant{.id = "identity.one-owner",
              .promise = "A new pod has exactly one controller: its set, by name and UID.",
              .source = "stateful-apps proposal, section How identities are managed",
              .property = "ID-3",
              .on = on_create_pod,
              .check = one_owner},
    Invariant{
        .id = "identity.claim-volumes",
        .promise = "A new pod has, for each claim template, exactly one volume of that name, bound to its own claim.",
        .source = "Kubernetes v1.24 StatefulSets, section Stable Storage",
        .property = "ID-4",
        .on = on_create_pod,
        .check = claim_volumes},
    Invariant{.id = "identity.template-volumes",
              .promise = "A new pod keeps the template's other volumes, and gets no volume nobody asked for.",
              .source = "stateful-apps proposal, section Parameterizing pod templates and supporting resources",
              .property = "ID-4",
              .on = on_create_pod,
              .check = template_volumes},
    Invariant{
        .id = "identity.update-changes-identity-only",
        .promise =
            "A pod is updated in place only in its volumes, its name, and the labels that say its own name and ordinal.",
        .source = "StatefulSet source walk-through (v1.20), section StatefulSet Pod Control",
        .property = "ID-7",
        .on = on_update_pod,
        .check = update_changes_identity_only},
    Invariant{.id = "identity.update-keeps-volumes",
              .promise = "A pod updated in place comes to have the volumes of its own claims, and keeps all others.",
              .source = "StatefulSet source walk-through (v1.20), section StatefulSet Pod Control",
              .property = "ID-4, ID-7",
              .on = on_update_pod,
              .check = update_keeps_volumes},
    Invariant{.id = "identity.update-only-own-pods",
              .promise = "A pod that is not the set's, or whose name holds no ordinal, is never updated.",
              .source = "Kubernetes v1.24 StatefulSets, section Pod Selector",
              .property = "ID-9",
              .on = on_update_pod,
              .check = update_only_own_pods},
    Invariant{
        .id = "identity.repaired-at-once",
        .promise = "A pod that lacks the label that names it gets it back; OrderedReady: where all before it are well.",
        .source = "Kubernetes v1.24 StatefulSets, section Pod Name Label",
        .level = Level::strict,
        .property = "beyond",
        .on = on_sync,
        .given = set_is_regular | turn_is_clean,
        .check = repaired_at_once},
    Invariant{.id = "identity.repaired-with-its-index",
              .promise = "A pod that gets back the label that names it gets the one that says its ordinal, too.",
              .source = "kubernetes/enhancements#4017",
              .property = "beyond",
              .on = on_update_pod,
              .check = repaired_with_its_index},
    Invariant{.id = "identity.whole-range-at-rest",
              .promise = "Left in peace, a set with N replicas has exactly the N pods of its range.",
              .source = "Kubernetes v1.24 StatefulSets, section Ordinal Index",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "ID-8",
              .on = on_settled,
              .check = whole_range_at_rest},
};

}  // namespace ordeal::properties::identity
