// The Kubernetes objects a StatefulSet controller deals with, as plain values.
//
// Only what somebody decides on is typed: everything else of a pod template or a claim template is kept as the JSON it
// came as, unchanged, and shared by every object made from it. A pod therefore costs a few hundred bytes and no JSON.
// Optional means that the API has a pointer there: an absent field may be stored, and a controller has to cope.
//
// Field by field: https://kubernetes.io/docs/reference/kubernetes-api/ (apps/v1 StatefulSet, ControllerRevision; v1
// Pod, PersistentVolumeClaim, Service). JSON and YAML: core/api/codec.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/api/values.h"

namespace ordeal {

struct Volume {
  Text name;
  Text claim;  // the claim it is bound to, or empty
  Text json;   // the whole volume when it is not one of the set's claims
  friend bool operator==(const Volume&, const Volume&) = default;
};

/// Of a container: what it mounts, and where the template says so.
struct Mount {
  std::string path;  // "spec.containers[0].volumeMounts[1].name"
  Text volume;
};

/// spec.template, immutable. Made by make_template (core/api/codec.h), which defaults it and works out the rest once.
struct PodTemplate {
  StringMap labels, annotations;
  std::vector<Text> finalizers;
  std::vector<Volume> volumes;          // spec.volumes in order
  Text image;                           // of the first container; the kubelet model reads it, no controller may
  std::int64_t termination_grace = 30;  // seconds

  std::string document;              // the whole template, defaulted: JSON, keys sorted, no spaces
  Shared<std::string> patch;         // the revision data of this template (semantics.md 5.1)
  Shared<std::string> older_patch;   // the same as encoders before 1.34 wrote it (core/api/older_encoder.h)
  std::uint32_t patch_hash = 0;      // FNV-1 32 over `patch`, to be continued with the collision count
  std::vector<Mount> mounts_beyond;  // of no volume that it has itself: a claim template must
  std::vector<std::string> faults;   // why the API server would not take it, "path: sentence"; empty when valid

  /// A volume of its user's own, claim and all.
  bool has(const Volume& volume) const { return std::find(volumes.begin(), volumes.end(), volume) != volumes.end(); }
  friend bool operator==(const PodTemplate& a, const PodTemplate& b) { return a.document == b.document; }
};

struct ClaimTemplate {
  Text name;
  StringMap labels, annotations;
  Shared<std::string> spec;  // JSON
  Shared<Owners> owners;     // what the claims of operators' sets belong to
  Shared<std::vector<Text>> finalizers;
  Text ns{};  // of no effect: a claim is where its set is
  friend bool operator==(const ClaimTemplate& a, const ClaimTemplate& b) {
    return a.name == b.name && a.ns == b.ns && a.labels == b.labels && a.annotations == b.annotations &&
           same(a.spec, b.spec) && same(a.owners, b.owners) && same(a.finalizers, b.finalizers);
  }
};

/// A whole number or "N%".
struct IntOrPercent {
  std::int32_t value = 1;
  bool percent = false;
  friend bool operator==(const IntOrPercent&, const IntOrPercent&) = default;
};

enum class PodManagement : std::uint8_t { ordered_ready, parallel };
enum class Strategy : std::uint8_t { rolling_update, on_delete, recreate };
inline constexpr std::size_t strategy_count = static_cast<std::size_t>(Strategy::recreate) + 1;
enum class Retention : std::uint8_t { retain, remove };  // "Retain", "Delete"

struct RollingUpdate {
  std::optional<std::int32_t> partition;
  std::optional<IntOrPercent> max_unavailable;
  friend bool operator==(const RollingUpdate&, const RollingUpdate&) = default;
};
struct RetentionPolicy {
  Retention when_deleted = Retention::retain;
  Retention when_scaled = Retention::retain;
  friend bool operator==(const RetentionPolicy&, const RetentionPolicy&) = default;
};

struct SelectorRequirement {
  enum class Operator : std::uint8_t { in, not_in, exists, does_not_exist };
  Text key;
  Operator op = Operator::in;
  std::vector<Text> values;
  friend bool operator==(const SelectorRequirement&, const SelectorRequirement&) = default;
};
struct LabelSelector {
  StringMap match_labels;
  std::vector<SelectorRequirement> match_expressions;
  bool matches(const StringMap* labels) const;
  friend bool operator==(const LabelSelector&, const LabelSelector&) = default;
};

struct StatefulSetSpec {
  std::optional<std::int32_t> replicas;
  LabelSelector selector;
  Shared<PodTemplate> pod_template;
  std::vector<ClaimTemplate> claim_templates;
  Text service_name;
  PodManagement pod_management = PodManagement::ordered_ready;
  Strategy strategy = Strategy::rolling_update;
  std::optional<RollingUpdate> rolling_update;
  std::optional<std::int32_t> revision_history_limit;
  std::int32_t min_ready_seconds = 0;
  std::optional<RetentionPolicy> retention;
  std::optional<std::int32_t> ordinals_start;
  /// OpenKruise's, unknown to apps/v1: no pod takes one of these, and the next ordinals make up for them. Ascending,
  /// each once.
  std::vector<std::int32_t> reserve_ordinals;
  /// The place of an ordinal: how many, from the start on, come before it. Nothing for one that comes before the start
  /// or is reserved.
  std::optional<std::int64_t> index_of(Ordinal ordinal) const;
  /// The ordinal of a place. May be past 32 bits.
  std::int64_t ordinal_at(std::int64_t index) const;
  /// spec.replicas (1 when absent), or as many as there are ordinals from the start on: none is past 32 bits.
  std::int32_t places() const;
  /// The ordinal is one of spec.replicas (1 when absent) from the start on.
  bool covers(Ordinal ordinal) const {
    const auto index = index_of(ordinal);
    return index && *index < replicas.value_or(1);
  }
  friend bool operator==(const StatefulSetSpec& a, const StatefulSetSpec& b);  // deep, as the generation bump needs it
};

/// Its status is a word: True, False or Unknown.
struct StatefulSetCondition {
  Text type, status, reason, message;
  std::optional<Time> last_transition;  // whole seconds
  friend bool operator==(const StatefulSetCondition&, const StatefulSetCondition&) = default;
};

struct StatefulSetStatus {
  std::int64_t observed_generation = 0;
  std::int32_t replicas = 0, ready_replicas = 0, current_replicas = 0, updated_replicas = 0, available_replicas = 0;
  Text current_revision, update_revision;
  std::optional<std::int32_t> collision_count;
  std::vector<StatefulSetCondition> conditions{};
  friend bool operator==(const StatefulSetStatus&, const StatefulSetStatus&) = default;
};

struct StatefulSet {
  ObjectMeta meta;
  Shared<StatefulSetSpec> spec;
  StatefulSetStatus status;

  /// The status is of another generation than the spec.
  bool is_edited_since_status() const { return meta.generation != status.observed_generation; }
};

enum class Phase : std::uint8_t { none, pending, running, succeeded, failed, unknown };

struct Pod {
  ObjectMeta meta;
  Text generate_name, hostname, subdomain;
  Shared<PodTemplate> made_from;  // containers and all the rest of the spec
  Shared<std::vector<Volume>> volumes;
  Text node;
  Phase phase = Phase::none;
  bool ready = false;                 // the Ready condition
  std::optional<Time> ready_changed;  // its lastTransitionTime, whole seconds
  bool is_injected = false;           // a webhook's container is beside those of its template
};

/// Of a claim. `none`: nobody tells.
enum class ClaimPhase : std::uint8_t { none, pending, bound, lost };

struct Claim {
  ObjectMeta meta;
  Shared<std::string> spec;  // JSON
  ClaimPhase phase = ClaimPhase::none;
};

/// ControllerRevision.data: bytes, and what they mean.
struct RevisionData {
  Shared<std::string> bytes;
  Shared<PodTemplate> decoded;  // null when the bytes hold no readable template
  /// In its bytes, or in what they say.
  bool holds(const PodTemplate& pod_template) const {
    return same(bytes, pod_template.patch) || (decoded != nullptr && *decoded == pod_template);
  }
};

struct Revision {
  ObjectMeta meta;
  RevisionData data;
  std::int64_t number = 0;  // .revision
};

/// Read and kept, since people's manifests have one beside the set; nothing depends on it.
struct Service {
  ObjectMeta meta;
  std::string json;
};

}  // namespace ordeal
