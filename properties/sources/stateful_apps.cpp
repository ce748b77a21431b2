// The first design proposal of stateful sets, sentence by sentence.
#include "properties/sources/sources.h"

namespace ordeal::properties {

namespace {

constexpr std::string_view network = "endpoints and DNS are not the controller's; it gives pods the names they are made of: identity.hostname, identity.subdomain";
constexpr std::string_view server = "the API server's to refuse; core/api/validation decides, validation_test.cpp tests it";
constexpr std::string_view application = "asks it of the application or the administrator, not of the controller";

constexpr Sentence rows[] = {
    {"Motivation", "Data of an instance outlive its pod.", "storage.replacement-keeps-data storage.never-deletes-claims"},
    {"Motivation", "An instance's identity is stable and goes with its storage.", "identity.claim-volumes identity.canonical-name"},
    {"Motivation", "Its network identity stays though the pod is replaced.", "identity.hostname identity.subdomain"},
    {"Motivation", "The number of instances is predictable.", "identity.only-in-range identity.whole-range-at-rest"},
    {"Motivation", "An instance moves from node to node under the same name.", "identity.canonical-name identity.old-gone-before-new"},
    {"Motivation", "Scaling is controlled.", "ordering.one-create-per-sync scaling.one-at-a-time"},
    {"Use Cases", "Quorum, leader and follower, and active-active systems can be run.", "manifests/quorum-store.yaml",
     "examples of users; the corpus has manifests like theirs"},
    {"Background", "Replica sets pick any pod to scale down and create before old ones end.", "identity.old-gone-before-new scaling.highest-first",
     "what a stateful set must not do"},
    {"Design Assumptions", "Safety first: split brain and phantom members are guarded against.",
     "identity.one-object identity.one-process deletion.default-grace"},
    {"Design Assumptions", "Scaling is possible, its consequences are the author's.", {}, application},
    {"Design Assumptions", "No general hooks for the life of a cluster; members get what they need to know.", "identity.pod-name-label identity.hostname"},
    {"Proposed Design", "Members can be told apart, and each can be replaced.", "identity.canonical-name convergence.every-pod-available"},
    {"Proposed Design", "There is always a first one.", "identity.whole-range-at-rest"},
    {"Proposed Design", "One pod and its supporting resources exist for each identity.",
     "identity.whole-range-at-rest storage.claims-at-rest"},
    {"Proposed Design", "Never more than one pod or resource per identity at a time.",
     "identity.one-object identity.one-process identity.no-second-pod storage.existing-claim-is-used"},
    {"Proposed Design", "A new pod only after the one before is fully terminated.", "identity.old-gone-before-new identity.one-process"},
    {"Proposed Design", "Members have names unique in the set: its name and a number below replicas.", "identity.canonical-name identity.only-in-range"},
    {"Proposed Design", "The selector says which objects are the set's.", "deletion.only-own-pods ownership.adopts-only-matching"},
    {"Proposed Design", "Each pod matches the template but for its identity.", "identity.made-from-its-revision identity.template-labels"},
    {"Proposed Design", "Claims are mapped to identities and stay with them.", "storage.claim-name identity.claim-volumes"},
    {"Proposed Design", "Every claim has a volume mount of its name.", {}, "no release checks it: a pod whose claim nobody mounts is valid"},
    {"Proposed Design", "A claim goes before a volume of the template with the same name.", "identity.claim-volumes identity.template-volumes"},
    {"Proposed Design", "The service exists before the set and names its members' domain.", "identity.subdomain", "that it exists is not checked by any release"},
    {"Proposed Design", "An autoscaler may set the replicas.", "lifecycle.set-untouched"},
    {"Proposed Design", "A user deletes a pod gracefully, and it comes back from the newer template.", "update.creates-updated update.waits-for-users"},
    {"Proposed Design", "Pods restart always.", {}, server},
    {"How identities are managed", "Scaling down and up again reuses identities and their storage.",
     "storage.retain-never-collects storage.existing-claim-is-used scaling.completes"},
    {"How identities are managed", "Identities are assigned deterministically: a restarted or a second controller decides the same.",
     "equivalence.crashes convergence.same-view-same-calls identity.one-owner"},
    {"How identities are managed", "Numbers run from 0 without gaps.", "ordering.lowest-first identity.only-in-range", "from ordinals.start where that is set"},
    {"How identities are managed", "Reclaiming unused identities and other numberings are future work.", {}, "names what is not promised"},
    {"Controller behavior", "Scaling up creates pods and their resources for each new identity.",
     "identity.whole-range-at-rest identity.own-namespace storage.claims-at-rest"},
    {"Controller behavior", "Resources come before their pod.", "storage.claims-before-pod"},
    {"Controller behavior", "A resource that exists already counts as created.", "storage.existing-claim-is-used"},
    {"Controller behavior", "A resource that cannot be created is reported and tried again later, with back-off.",
     "errors.failure-is-reported errors.no-hammering errors.few-retries equivalence.lost-replies",
     "reported as an event, not in the status; the queue, which is the world's here, does the waiting"},
    {"Controller behavior", "Until then nothing is built upon it.", "errors.ordered-stops errors.parallel-stops"},
    {"Controller behavior", "What is created carries labels that match the selector.", "identity.template-labels storage.claim-labels"},
    {"Controller behavior", "It can be orphaned, and refers to its set by name and UID.", "identity.one-owner storage.new-claim-owners",
     "an owner reference took the annotation's place; claims refer to their set only if the retention policy wants it"},
    {"Controller behavior", "Scaling down deletes the pod of the identity removed.", "scaling.completes scaling.only-outside-range"},
    {"Controller behavior", "Its resources are left, until a policy says otherwise.", "storage.retain-never-collects storage.never-deletes-claims"},
    {"Controller behavior", "The status sums up what there is.", "status.replicas status.counts-at-rest"},
    {"Parameterizing pod templates and supporting resources", "A pod knows its identity, and others can tell its membership.",
     "identity.hostname identity.pod-name-label identity.template-labels"},
    {"Parameterizing pod templates and supporting resources", "Claim templates give each pod claims of its own.", "identity.claim-volumes storage.claim-spec"},
    {"Parameterizing pod templates and supporting resources", "Claims are bound by the names of volumes; the template's other volumes stay.",
     "identity.claim-volumes identity.template-volumes"},
    {"Parameterizing pod templates and supporting resources", "Secrets, configuration and variables per identity are future work.", {}, "names what is not promised"},
    {"Accessing pods by stable network identity", "A pod has a resolvable name tied to its identity.", "identity.hostname identity.subdomain", network},
    {"Accessing pods by stable network identity", "Clients can list the names of all members.", {}, network},
    {"Accessing pods by stable network identity", "A pod has a single controller at a time, and a single identity.",
     "ownership.one-controller ownership.never-steals"},
    {"Accessing pods by stable network identity", "Host name and subdomain are written into the pod.", "identity.hostname identity.subdomain", "as fields; the annotations of the time are gone"},
    {"Preventing duplicate identities", "Even with two controllers at work there are no two pods of one identity.",
     "identity.one-object identity.one-process ownership.never-steals"},
    {"Preventing duplicate identities", "Unique names guarantee it: who acts, acts on the pod that bears the name.",
     "identity.one-object deletion.the-pod-it-saw ownership.names-the-incarnation"},
    {"Managing lifecycle of members", "New pods wait until all before them are healthy.", "ordering.predecessors-ready ordering.predecessors-available"},
    {"Managing lifecycle of members", "The controller acts upon a consistent view of its pods.",
     "ownership.confirms-before-adopting status.observed-never-falls convergence.same-view-same-calls",
     "caches may lag in every release; nobody is judged by what it could not see"},
    {"Managing lifecycle of members", "Members turn the state of the cluster into their configuration.", {}, application},
    {"Future Evolution", "No data are lost by design: at most one instance of an identity runs at any time.", "identity.one-process storage.replacement-keeps-data"},
    {"Future Evolution", "Behaviour under partitions is tested.", "equivalence.crashes equivalence.lost-replies", "what this program is for"},
    {"Future Evolution", "Addresses, signals, local volumes and leaders are wishes.", {}, "names what is not promised"},
    {"Overlap with other proposals", "Jobs, init containers and daemon sets solve neighbouring problems.", {}, "promises nothing about stateful sets"},
};

}  // namespace

const std::span<const Sentence> stateful_apps = rows;

}  // namespace ordeal::properties
