// The vocabulary of scenarios, one row per kind. JSON, generators, the byte decoder, reports and the shrinker all read
// this table, so a new kind of step is a row here, an enumerator in scenario.h and a case in the simulation.
// Covered by step_table_test.cpp.
#include <algorithm>
#include <array>

#include "properties/scenario/gate_names.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

namespace {

using Words = const std::string_view[];
using Values = const std::int32_t[];

constexpr Words strategies = {"RollingUpdate", "OnDelete", "Recreate"};
constexpr Words retentions = {"Retain", "Delete"};
constexpr Words propagations = {"background", "foreground", "orphan"};
constexpr Words flavours = {"plain",          "with-env",     "with-node-selector", "with-label",   "unready",
                            "crashing",       "completing",   "unstarted",          "with-extras",  "unpulled",
                            "with-resources", "with-command", "with-annotation",    "with-settings"};
constexpr Words metadata_edits = {"change-cause", "label"};
constexpr Words neighbours = {"apart-before", "apart-after", "alike-before", "alike-after"};
constexpr Words label_edits = {"break-selector", "restore",         "drop-pod-name", "drop-revision",
                               "other-pod-name", "beside-selector", "annotate"};
constexpr Words recreations = {"first",       "other-service", "other-management", "larger-claims",
                               "more-claims", "other-labels",  "fewer-claims"};
constexpr Words revision_owners = {"nobody", "other-controller", "set-of-older-version", "bystander"};
constexpr Words foreign_pods = {"orphan",       "owned-by-other", "leading-zero", "other-labels", "overflow",
                                "other-claims", "other-name",     "near-claims",  "bare"};
constexpr Words foreign_revisions = {"equal-orphan",   "colliding-name", "older-encoder",
                                     "owned-by-other", "unreadable",     "undefaulted"};
constexpr Words outages = {"writes",        "pod-creates", "pod-deletes", "claim-writes", "revision-writes",
                           "status-writes", "reads",       "even-pods",   "some-claims"};
constexpr Words outage_replies = {"internal",      "forbidden", "conflict",    "not-found",        "timeout-before",
                                  "timeout-after", "invalid",   "unavailable", "too-many-requests"};
// While a set lives. Not Recreate: a controller that does not know the strategy of a set it is given breaks promises
// through nobody's fault.
constexpr Words turnable_gates = {"MaxUnavailableStatefulSet", "StatefulSetSemanticRevisionComparison",
                                  "StaleControllerConsistencyStatefulSet"};
constexpr Words releases = {"itself",          "kubernetes-1.20", "kubernetes-1.24", "kubernetes-1.27",
                            "kubernetes-1.28", "kubernetes-1.31", "kubernetes-1.34", "kubernetes-1.35.0",
                            "kubernetes-1.36", "kubernetes-1.37"};
constexpr Words switches = {"off", "on"};
constexpr Words foreign_claims = {"nobody", "other", "nobody-last", "other-last", "smaller", "of-no-template"};
constexpr Words claim_edits = {"annotate", "label", "enlarge", "hold", "lose", "unlabel"};
constexpr Words pod_owners = {"other-controller", "bystander", "set-without-control", "set-of-older-version",
                              "bystander-alone"};
constexpr Words further_owners = {"bystander",         "set-of-other-group",
                                  "kind-named-as-set", "pod-of-other-group",
                                  "kind-named-as-pod", "its-pod",
                                  "its-set",           "earlier-set",
                                  "earlier-pod",       "other-set",
                                  "other-pod",         "earlier-set-last",
                                  "earlier-pod-last"};
constexpr Words units = {"number", "percent"};
constexpr Words kinds = {"set", "pod", "claim", "revision"};
constexpr Words faults = {"none",        "conflict",    "already-exists",   "not-found",     "forbidden",
                          "invalid",     "internal",    "timeout-before",   "timeout-after", "crash-before",
                          "crash-after", "unavailable", "too-many-requests"};
static_assert(std::size(flavours) == template_flavour_count);
static_assert(std::size(metadata_edits) == metadata_edit_count);
static_assert(std::size(neighbours) == neighbour_count);
static_assert(std::size(label_edits) == label_edit_count && std::size(recreations) == recreation_count);
static_assert(std::size(revision_owners) == revision_owner_count);
static_assert(std::size(foreign_pods) == foreign_pod_count && std::size(foreign_revisions) == foreign_revision_count);
static_assert(std::size(further_owners) == claim_owner_count && std::size(pod_owners) == pod_owner_count);
static_assert(std::size(claim_edits) == claim_edit_count && std::size(foreign_claims) == foreign_claim_count);
static_assert(std::size(kinds) == kind_count);
static_assert(std::size(faults) == fault_count);
static_assert(std::ranges::all_of(turnable_gates, is_gate));
static_assert(std::size(outages) == outage_of_count && std::size(outage_replies) == outage_reply_count);

constexpr Values likely_replicas = {3, 2, 1, 0, 5, 4};
constexpr Values likely_flavours = {0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 4, 5, 8, 9, 10, 11, 12, 13};
constexpr Values likely_images = {0, 1, 2, 3};
constexpr Values likely_partitions = {0, 1, 2, 3, -1};
constexpr Values likely_unavailable = {1, 2, 3, 5, 25, 33, 50, 66, 100, -1};
constexpr Values likely_waits = {1, 5, 10, 11, 30, 31, 3600, 90'000};
constexpr Values likely_skews = {-30, 30, -1, 1};
constexpr Values likely_min_ready = {0, 10, 30, 1};
constexpr Values likely_limits = {0, 1, 2, 10, -1};
constexpr Values likely_starts = {0, 1, 2, 8, -1};  // 8: names in the order of their text are in another one
constexpr Values likely_few = {0, 1, 2};
constexpr Values likely_objects = {0, 0, 0, 0, 1, 1, 2, 3};
constexpr Values likely_recreations = {0, 0, 0, 1, 2, 3, 4, 4, 5, 6};
constexpr Values likely_revision_owners = {0, 0, 0, 1, 2, 3};
constexpr Values likely_pod_owners = {0, 0, 1, 2, 3, 4};
constexpr Values likely_claim_edits = {3, 3, 2, 1, 0, 4, 5};
constexpr Values likely_strategies = {0, 0, 1, 2};
constexpr Values likely_kinds = {1, 1, 0, 3};

template <std::size_t N>
consteval Argument word(std::string_view name, const std::string_view (&words)[N], std::int32_t low = 0) {
  return {.name = name, .low = low, .high = static_cast<std::int32_t>(N) - 1, .words = words};
}
template <std::size_t N, std::size_t M>
consteval Argument word(std::string_view name, const std::string_view (&words)[N], const std::int32_t (&likely)[M]) {
  return {.name = name, .low = 0, .high = static_cast<std::int32_t>(N) - 1, .words = words, .likely = likely};
}
/// Files from before it came do without it.
consteval Argument or_the_first(Argument argument) {
  argument.optional = true;
  return argument;
}
consteval Argument whole(std::string_view name, std::int32_t low, std::int32_t high) {
  return {.name = name, .low = low, .high = high};
}
template <std::size_t M>
consteval Argument whole(std::string_view name, std::int32_t low, std::int32_t high, const std::int32_t (&likely)[M]) {
  return {.name = name, .low = low, .high = high, .likely = likely};
}

constexpr Argument none{};
constexpr Argument pod = whole("pod", 0, 15);
constexpr Argument claim = whole("claim", 0, 31);
constexpr Argument revision = whole("revision", 0, 3);

constexpr bool anywhere = true;  // may stand between two calls of a sync
constexpr bool on_its_own = false;

using enum StepKind;
constexpr std::array<StepInfo, step_kind_count> rows = {{
    {scale, "user.scale", "A user changes the number of replicas.", whole("replicas", 0, 9, likely_replicas), none,
     anywhere, scale},
    {edit_template, "user.edit-template", "A user changes the pod template to another edition of the first one.",
     whole("image", 0, 17, likely_images), word("flavour", flavours, likely_flavours), anywhere, edit_template},
    {set_partition, "user.set-partition", "A user sets the partition; -1 removes the whole rollingUpdate block.",
     whole("partition", -1, 9, likely_partitions), none, anywhere, set_partition},
    {set_max_unavailable, "user.set-max-unavailable", "A user sets maxUnavailable; -1 removes it.",
     whole("pods", -1, 100, likely_unavailable), word("unit", units), anywhere, set_max_unavailable},
    {set_min_ready, "user.set-min-ready", "A user sets minReadySeconds.", whole("seconds", 0, 60, likely_min_ready),
     none, anywhere, set_min_ready},
    {set_strategy, "user.set-strategy", "A user changes the update strategy.",
     word("strategy", strategies, likely_strategies), none, anywhere, set_strategy},
    {set_retention, "user.set-retention", "A user sets the claim retention policy.", word("when_deleted", retentions),
     word("when_scaled", retentions), anywhere, set_retention},
    {set_history_limit, "user.set-history-limit", "A user sets revisionHistoryLimit; negative is accepted.",
     whole("limit", -2, 10, likely_limits), none, anywhere, set_history_limit},
    {set_start, "user.set-start",
     "A user sets ordinals.start; -1 removes the whole ordinals block. The n-th ordinal from there on is reserved, or "
     "given back.",
     whole("ordinal", -1, 9, likely_starts), or_the_first(whole("reserve", 0, 9)), anywhere, set_start},
    {roll_back, "user.roll-back", "A user restores the template of one of the set's revisions.", revision, none,
     anywhere, roll_back},
    {restart_rollout, "user.restart-rollout", "A user restarts the rollout: only the restartedAt annotation changes.",
     whole("at", 0, 3), none, anywhere, restart_rollout},
    {add_condition, "user.add-condition", "Somebody writes a condition of theirs into the set's status.",
     whole("value", 0, 3), none, anywhere, add_condition},
    {edit_metadata, "user.edit-metadata",
     "A user annotates or labels the set itself, which changes nothing that it asks for.", whole("value", 0, 3),
     word("of", metadata_edits), anywhere, edit_metadata},
    {apply_neighbour, "user.apply-neighbour",
     "A user creates another set beside this one, or scales it; it is deleted in the end.", word("as", neighbours),
     whole("replicas", 0, 3), anywhere, apply_neighbour},
    {delete_neighbour, "user.delete-neighbour", "A user deletes another set of the namespace.", word("as", neighbours),
     none, anywhere, delete_neighbour},
    {delete_set, "user.delete-set", "A user deletes the set.", word("propagation", propagations), none, anywhere,
     delete_set},
    {create_set, "user.create-set",
     "A user creates the first set again, or nearly so; refused while the name is taken.",
     or_the_first(word("as", recreations, likely_recreations)), none, anywhere, create_set},
    {delete_pod, "user.delete-pod", "A user deletes a pod.", pod, none, anywhere, delete_pod},
    {force_delete_pod, "user.force-delete-pod", "A user deletes a pod with grace period 0; its process may live on.",
     pod, none, anywhere, delete_pod},
    {edit_labels, "user.edit-labels", "A user changes a pod's labels, or annotates it.", pod, word("edit", label_edits),
     anywhere, edit_labels},
    {drop_owner, "user.drop-owner", "A user removes a pod's owner references.", pod, none, anywhere, drop_owner},
    {own_pod, "user.own-pod", "Another controller takes a pod, or its owners change otherwise.", pod,
     or_the_first(word("owner", pod_owners, likely_pod_owners)), anywhere, drop_owner},
    {delete_claim, "user.delete-claim", "A user deletes a claim.", claim, none, anywhere, delete_claim},
    {drop_claim_owners, "user.drop-claim-owners", "A user removes a claim's owner references.", claim, none, anywhere,
     drop_claim_owners},
    {own_claim, "user.own-claim", "Another controller takes a claim.", claim, none, anywhere, drop_claim_owners},
    {add_claim_owner, "user.add-claim-owner",
     "Somebody makes an object that controls nothing a further owner of a claim.", claim, word("owner", further_owners),
     anywhere, add_claim_owner},
    {delete_revision, "user.delete-revision", "A user deletes a revision.", revision, none, anywhere, delete_revision},
    {orphan_revision, "user.orphan-revision",
     "A user removes a revision's owner references, another controller takes it, or its owners change otherwise.",
     revision, or_the_first(word("owner", revision_owners, likely_revision_owners)), anywhere, orphan_revision},
    {add_pod, "user.add-pod", "Somebody creates a pod under a name of the set.", whole("ordinal", 0, 9),
     word("as", foreign_pods), anywhere, add_pod},
    {add_claim, "user.add-claim",
     "Somebody creates a claim under a name of the set, of its first claim template or its last, or one of their own.",
     whole("ordinal", 0, 9), word("owner", foreign_claims), anywhere, add_claim},
    {add_revision, "user.add-revision", "Somebody creates a revision that resembles one of the set.",
     whole("image", 0, 5), word("as", foreign_revisions), anywhere, add_revision},

    {hold_pod, "user.hold-pod", "Somebody's finalizer keeps a pod from going.", pod, none, anywhere, hold_pod},
    {edit_claim, "user.edit-claim",
     "Somebody annotates or labels a claim or takes its labels, asks for more storage, holds it by a finalizer, or its volume is lost.",
     claim, word("edit", claim_edits, likely_claim_edits), anywhere, edit_claim},
    {let_go, "user.let-go", "Somebody's finalizers are removed.", none, none, anywhere, let_go},

    {start_pod, "pod.start", "A pod is scheduled and its containers start.", pod, none, anywhere, run_kubelets},
    {make_ready, "pod.make-ready", "A pod becomes ready.", pod, none, anywhere, run_kubelets},
    {make_unready, "pod.make-unready", "A pod is no longer ready.", pod, none, anywhere, make_unready},
    {fail_pod, "pod.fail", "A pod ends in phase Failed.", pod, none, anywhere, fail_pod},
    {declare_failed, "pod.declare-failed",
     "A pod ends, and who finds it declares it Failed and leaves its condition Ready as it is.", pod, none, anywhere,
     fail_pod},
    {succeed_pod, "pod.succeed", "A pod ends in phase Succeeded.", pod, none, anywhere, fail_pod},
    {evict_pod, "pod.evict", "A node under pressure fails a pod, and the pod is deleted.", pod, none, anywhere,
     fail_pod},
    {stop_pod, "pod.stop", "A terminating pod's processes end and the pod is gone.", pod, none, anywhere, run_kubelets},
    {become_unknown, "pod.become-unknown",
     "Nobody can tell how a running pod is: its phase is Unknown until its kubelet reports.", pod, none, anywhere,
     make_unready},
    {lose_node, "node.lose", "A pod's node stops reporting; its processes go on.", pod, none, anywhere, lose_node},
    {recover_nodes, "node.recover", "Lost nodes report again.", none, none, anywhere, recover_nodes},
    {run_kubelets, "node.run-kubelets", "Every pod goes one stage on.", none, none, anywhere, run_kubelets},

    {deliver, "control.deliver", "A cache receives one event, and some more.", word("kind", kinds, likely_kinds),
     whole("more", 0, 9, likely_few), anywhere, deliver_all},
    {deliver_all, "control.deliver-all", "Every cache receives all its events.", none, none, anywhere, deliver_all},
    {relist, "control.relist", "A cache is replaced by a new list: what came and went unseen causes no event.",
     word("kind", kinds, likely_kinds), none, anywhere, deliver_all},
    {restart, "control.restart", "The controller restarts, its caches some events behind, one kind fresh.",
     whole("behind", 0, 12, likely_few), word("fresh", kinds), on_its_own, restart},
    {turn_gate, "control.turn-gate", "The controller is restarted with a feature gate turned.",
     word("gate", turnable_gates), word("to", switches), on_its_own, turn_gate},
    {run_release, "control.run-release", "Another release acts, unjudged, until it is the program's own turn again.",
     word("release", releases), none, on_its_own, run_release},
    {hand_over, "control.hand-over", "Another process of the controller leads; a new one starts some events behind.",
     whole("behind", 0, 12, likely_few), none, on_its_own, restart},
    {rival_sync, "control.rival-sync", "A process that no longer leads syncs the set, its caches some events behind.",
     whole("behind", 0, 12, likely_few), none, anywhere, hand_over},
    {collect, "control.collect", "The garbage collector works one round, or sees to so many objects of it.",
     or_the_first(whole("objects", 0, 8, likely_objects)), none, anywhere, collect},
    {sync, "sync", "The controller syncs the set, whether it was queued or not.", none, none, on_its_own, sync},
    {fault, "call.fault", "A call of the next sync fails, is lost, or is the last the controller makes.",
     word("reply", faults, 1), none, anywhere, fault},

    {outage, "call.outage", "From now on all calls of a sort fail.", word("calls", outages),
     word("reply", outage_replies), anywhere, fault},
    {end_outage, "call.end-outage", "Calls no longer fail.", none, none, anywhere, end_outage},

    {advance, "time.advance", "Time passes.", whole("seconds", 1, 90'000, likely_waits), none, anywhere, advance},
    {skew_clock, "time.skew-clock", "The controller's clock goes wrong, or right again with 0.",
     whole("seconds", -60, 60, likely_skews), none, anywhere, skew_clock},
    {race, "race", "Deliveries, syncs, kubelets and the collector move by a random schedule that is fair to nobody.",
     whole("seed", 0, 65'535), whole("moves", 1, 60), on_its_own, settle},
    {settle, "settle",
     "Deliver, sync and let the environment be fair until nothing moves, or nothing but pods that crash again and again.",
     none, none, on_its_own, settle},
}};

consteval bool in_order() {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (static_cast<std::size_t>(rows[i].kind) != i) return false;
  return true;
}
static_assert(in_order(), "one row per kind, in the order of StepKind");

}  // namespace

std::span<const StepInfo> step_table() { return rows; }

std::string_view name_of(Fault fault) {
  const auto index = static_cast<std::size_t>(fault);
  return index < std::size(faults) ? faults[index] : "unknown";
}

}  // namespace ordeal::properties
