// A scenario: a first set, an environment and steps. The unit that is generated, stored, shrunk and replayed.
//
// Steps are small flat values with relative arguments ("the third pod, counted round"), resolved when they happen, so
// that every list of steps is a scenario and every part of a scenario is one too. That makes decoding total and
// shrinking safe. A step with at_call = n > 0 does not happen now: it happens just before the n-th call of the next
// sync (or, for a fault, to that call). What is left over when that sync ends with fewer calls happens then; faults
// lapse. What caches take between calls is seen in that sync by those controllers that look into them anew
// (Traits::live_caches); for all others a sync has one view.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/api/objects.h"
#include "core/api/validation.h"
#include "core/controller/rules.h"
#include "properties/scenario/wrapped.h"

namespace ordeal::properties {

enum class StepKind : std::uint8_t {
  // user: the spec (edits_spec)
  scale,                // replicas = a
  edit_template,        // image number a, flavour b (TemplateFlavour)
  set_partition,        // a; -1 removes the whole rollingUpdate block
  set_max_unavailable,  // a; b = 1: percent; a = -1 removes it
  set_min_ready,        // a seconds
  set_strategy,         // a: Strategy
  set_retention,        // a: whenDeleted, b: whenScaled (0 Retain, 1 Delete)
  set_history_limit,    // a; may be negative
  set_start,            // ordinals.start = a; removed if -1; b > 0: the b-th from there on is reserved, or given back
  roll_back,            // template of the a-th of the revisions that the set controls
  restart_rollout,      // the restartedAt annotation, value a
  // user: beside the spec
  add_condition,     // value a: somebody's condition in the status
  edit_metadata,     // the set's own, value a, b: MetadataEdit
  apply_neighbour,   // another set, a: Neighbour, of b replicas: created, or scaled when it is there
  delete_neighbour,  // that set, a: Neighbour, in the background
  delete_set,        // a: Propagation
  create_set,        // again, a: Recreation; refused while the name is taken
  // users and others: objects of the set (touches_objects)
  delete_pod,         // pod a
  force_delete_pod,   // pod a, grace 0
  edit_labels,        // pod a, b: LabelEdit
  drop_owner,         // pod a loses its owner references
  own_pod,            // pod a, b: PodOwner
  delete_claim,       // claim a
  drop_claim_owners,  // claim a
  own_claim,          // claim a gets a foreign controller
  add_claim_owner,    // claim a gets one more owner, b: ClaimOwner
  delete_revision,    // revision a
  orphan_revision,    // revision a loses its owner references, or is RevisionOwner b's
  add_pod,            // ordinal a, b: ForeignPod
  add_claim,          // for ordinal a, b: ForeignClaim
  add_revision,       // b: ForeignRevision
  hold_pod,           // pod a gets a finalizer of somebody's
  edit_claim,         // claim a, b: ClaimEdit
  let_go,             // those finalizers are removed everywhere
  // nodes and kubelets
  start_pod,
  make_ready,
  make_unready,
  fail_pod,
  declare_failed,
  succeed_pod,
  evict_pod,
  stop_pod,
  become_unknown,
  lose_node,  // pod a
  recover_nodes,
  run_kubelets,  // every pod goes one stage on
  // control plane
  deliver,  // kind a, b + 1 events
  deliver_all,
  relist,       // kind a
  restart,      // the controller; every cache a events behind, kind b fresh
  turn_gate,    // a: which, b: on or off; restarts the controller
  run_release,  // a: which release acts from now on; 0: the program on trial
  hand_over,    // another process leads; when it is new, its caches start a events behind
  rival_sync,   // the process that does not lead syncs, each cache up to a events behind
  collect,      // one round of garbage collection; a: only so many objects of it, 0: all
  sync,         // of the set, whether queued or not
  fault,        // a: Fault; to call at_call (0: the first) of the next sync
  outage,       // a: OutageOf, b: OutageReply; until it ends
  end_outage,
  // time
  advance,     // a seconds
  skew_clock,  // the controller's clock is a seconds off the API server's
  race,        // a: seed, b: moves of a random, unfair schedule (properties/world/race.h)
  settle,      // deliver, sync and let the environment be fair until nothing moves
};
/// A user changes what the set asks for.
constexpr bool edits_spec(StepKind kind) { return kind <= StepKind::restart_rollout; }
/// A user or another controller touches pods, claims or revisions.
constexpr bool touches_objects(StepKind kind) { return kind >= StepKind::delete_pod && kind <= StepKind::let_go; }
inline constexpr std::size_t step_kind_count = static_cast<std::size_t>(StepKind::settle) + 1;

enum class TemplateFlavour : std::uint8_t {
  plain,
  with_env,
  with_node_selector,
  with_label,
  unready,
  crashing,
  completing,
  unstarted,
  with_extras,
  unpulled,
  with_resources,
  with_command,
  with_annotation,
  with_settings
};
/// Its pods never come to be ready.
constexpr bool is_broken(TemplateFlavour flavour) {
  using enum TemplateFlavour;
  return (flavour >= unready && flavour <= unstarted) || flavour == unpulled;
}
inline constexpr std::size_t template_flavour_count = static_cast<std::size_t>(TemplateFlavour::with_settings) + 1;
enum class MetadataEdit : std::uint8_t { change_cause, label };
inline constexpr std::size_t metadata_edit_count = static_cast<std::size_t>(MetadataEdit::label) + 1;
/// Another set of the namespace, called so that lists and name tests find it before this one or after it ("a-web",
/// "web-1"), with a selector and a template of its own or with this one's.
enum class Neighbour : std::uint8_t { apart_before, apart_after, alike_before, alike_after };
inline constexpr std::size_t neighbour_count = static_cast<std::size_t>(Neighbour::alike_after) + 1;
/// What a set that is made again has otherwise than the scenario's first: nothing, or what nobody may change while it
/// lives.
enum class Recreation : std::uint8_t {
  as_first,
  other_service,
  other_management,
  larger_claims,
  more_claims,
  other_labels,  // that it selects by, and gives its pods
  fewer_claims,
};
inline constexpr std::size_t recreation_count = static_cast<std::size_t>(Recreation::fewer_claims) + 1;
/// `beside_selector`: a label nobody asked for, and another value for those of the template that no selector asks for.
/// `annotate`: no label at all, but an annotation nobody asked for.
enum class LabelEdit : std::uint8_t {
  break_selector,
  restore,
  drop_pod_name,
  drop_revision,
  other_pod_name,
  beside_selector,
  annotate
};
inline constexpr std::size_t label_edit_count = static_cast<std::size_t>(LabelEdit::annotate) + 1;
enum class ForeignPod : std::uint8_t {
  orphan,
  owned_by_other,
  leading_zero,
  other_labels,
  overflow,
  other_claims,
  other_name,
  near_claims,  // claims whose names begin and end as the right ones do
  bare,         // an orphan that was made by hand: neither a network identity nor claims
};
inline constexpr std::size_t foreign_pod_count = static_cast<std::size_t>(ForeignPod::bare) + 1;
/// Who owns a pod from now on: another controller instead of all others, a bystander before them or instead of them, or
/// the set, which controls it no more or is named by an older version of its API.
enum class PodOwner : std::uint8_t {
  other_controller,
  bystander,
  set_without_control,
  set_of_older_version,
  bystander_alone
};
inline constexpr std::size_t pod_owner_count = static_cast<std::size_t>(PodOwner::bystander_alone) + 1;
enum class RevisionOwner : std::uint8_t { nobody, other_controller, set_of_older_version, bystander };
inline constexpr std::size_t revision_owner_count = static_cast<std::size_t>(RevisionOwner::bystander) + 1;
/// Types of conditions that others write into a set's status: of a domain of theirs, or plain words.
inline constexpr std::array<std::string_view, 3> somebodys_conditions = {"example.org/BackedUp", "example.org/Gated",
                                                                         "StatusUpdate"};
/// A claim of the first claim template or of the last one, which nobody owns or another controller; or nobody's, of the
/// first, with less storage than that asks for; or a user's own, of no template, labelled like the set's.
enum class ForeignClaim : std::uint8_t { nobodys, others, nobodys_last, others_last, smaller, of_no_template };
inline constexpr std::size_t foreign_claim_count = static_cast<std::size_t>(ForeignClaim::of_no_template) + 1;
/// An owner that controls nothing: of its own name, or of the set's or the pod's name but another kind or group; the
/// pod or the set itself, as releases before 1.36 wrote them; or, no more there, a set or a pod of the name or of
/// another one.
enum class ClaimOwner : std::uint8_t {
  bystander,
  set_of_other_group,
  kind_named_as_set,
  pod_of_other_group,
  kind_named_as_pod,
  its_pod,
  its_set,
  earlier_set,
  earlier_pod,
  other_set,
  other_pod,
  earlier_set_last,
  earlier_pod_last,
};
inline constexpr std::size_t claim_owner_count = static_cast<std::size_t>(ClaimOwner::earlier_pod_last) + 1;
/// What else may be changed of a claim by others than its controller: their finalizer, annotations, labels, and how
/// much it asks for; or its volume is lost, until the epilogue; or all its labels are taken away, by which nothing but
/// its name tells whose it is.
enum class ClaimEdit : std::uint8_t { annotate, label, enlarge, hold, lose, unlabel };
inline constexpr std::size_t claim_edit_count = static_cast<std::size_t>(ClaimEdit::unlabel) + 1;
enum class ForeignRevision : std::uint8_t {
  equal_orphan,
  colliding_name,
  older_encoder,
  owned_by_other,
  unreadable,
  undefaulted,  // the set's, and as an API server wrote it that did not know some fields of a template yet
};
inline constexpr std::size_t foreign_revision_count = static_cast<std::size_t>(ForeignRevision::undefaulted) + 1;
enum class Fault : std::uint8_t {
  none,
  conflict,
  already_exists,
  not_found,
  forbidden,
  invalid,
  internal,
  timeout_before,  // not committed, and no reply
  timeout_after,   // committed, and the reply is lost
  crash_before,    // the controller dies before the commit
  crash_after,     // the controller dies after the commit
  unavailable,
  too_many_requests,
};
/// `even_pods`: writes to pods of even numbers, `some_claims`: to about half of all claims, which their names tell; as
/// when a quota is used up or a webhook refuses some.
enum class OutageOf : std::uint8_t {
  writes,
  pod_creates,
  pod_deletes,
  claim_writes,
  revision_writes,
  status_writes,
  reads,
  even_pods,
  some_claims
};
inline constexpr std::size_t outage_of_count = static_cast<std::size_t>(OutageOf::some_claims) + 1;
enum class OutageReply : std::uint8_t {
  internal,
  forbidden,
  conflict,
  not_found,
  timeout_before,
  timeout_after,
  invalid,
  unavailable,
  too_many_requests
};
inline constexpr std::size_t outage_reply_count = static_cast<std::size_t>(OutageReply::too_many_requests) + 1;
inline constexpr std::size_t fault_count = static_cast<std::size_t>(Fault::too_many_requests) + 1;

struct Step {
  StepKind kind = StepKind::sync;
  std::uint8_t at_call = 0;
  std::int32_t a = 0, b = 0;
  friend bool operator==(const Step&, const Step&) = default;
};
/// It makes the pod of a claim, or its set, the owner of that.
inline bool makes_ours_an_owner(const Step& step) {
  if (step.kind != StepKind::add_claim_owner) return false;
  const auto owner = static_cast<ClaimOwner>(wrapped(step.b, claim_owner_count));
  return owner == ClaimOwner::its_pod || owner == ClaimOwner::its_set;
}
/// A step as it happens, and its place in the scenario, from 1: one that waits for a call comes after later ones.
struct TakenStep : Step {
  std::size_t number = 0;
};

/// What one argument of a kind of step means: for JSON, generators, decoding and shrinking alike.
struct Argument {
  std::string_view name;                      // "" when the kind has no such argument
  std::int32_t low = 0, high = 0;             // what generators draw from; files may hold any 32-bit number
  std::span<const std::string_view> words{};  // JSON words for 0, 1, ...; empty: a number
  std::span<const std::int32_t> likely{};     // drawn three times out of four, a repeated one more often
  bool optional = false;                      // a file may leave it out, and means 0
};
struct StepInfo {
  StepKind kind;
  std::string_view name;   // "user.scale": group and verb, as in JSON
  std::string_view about;  // a sentence
  Argument a, b;
  bool between_calls;  // may have at_call
  StepKind simpler;    // a plainer kind a shrinker may try instead; itself when there is none
};
/// One row per kind, in the order of StepKind (step_table.cpp).
std::span<const StepInfo> step_table();
inline const StepInfo& info(StepKind kind) { return step_table()[static_cast<std::size_t>(kind)]; }
std::string_view name_of(Fault fault);

struct Environment {
  ApiGates api;
  Gates gates;
  // 0: lists are in the order of names; otherwise shuffled by this seed, for each sync anew
  std::uint32_t list_order = 0;
  bool injects = false;  // webhooks add a label, a volume and a container to each new pod and set what it asks for
  // another namespace has a set of this name, with pods, claims and a revision called like this one's
  bool namesakes = false;
  bool binds_late = false;          // claims are Pending until a pod that mounts them starts
  std::uint32_t versions_from = 0;  // the resourceVersion that the cluster had before the first set
  bool between_seconds = false;     // the clock begins between two seconds; the API's times have none
  friend bool operator==(const Environment&, const Environment&) = default;
};

struct Scenario {
  StatefulSet set;  // as a user would send it, before defaulting
  Environment environment;
  std::vector<Step> steps;
};
inline constexpr std::size_t max_steps = 256;

}  // namespace ordeal::properties
