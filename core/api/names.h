// Names, ordinals and well-known keys: semantics.md section 2.
#pragma once

#include "core/api/objects.h"

namespace ordeal {

inline const Text label_pod_name = Text::lasting("statefulset.kubernetes.io/pod-name");
inline const Text label_pod_index = Text::lasting("apps.kubernetes.io/pod-index");
inline const Text label_revision = Text::lasting("controller-revision-hash");
inline const Text label_revision_hash = Text::lasting("controller.kubernetes.io/hash");
inline const Text group_version_apps = "apps/v1";
inline const Text kind_stateful_set = "StatefulSet";
inline const Text group_version_core = "v1";
inline const Text kind_pod = "Pod";

/// By kind and group, whatever their names: others may be called like a set or a pod.
inline bool refers_to_set(const OwnerReference& owner) {
  return owner.kind == kind_stateful_set && owner.api_version == group_version_apps;
}
inline bool refers_to_pod(const OwnerReference& owner) {
  return owner.kind == kind_pod && owner.api_version == group_version_core;
}

/// Whether it is one of the three that the controller gives each pod, whatever its template says.
inline bool is_identity_label(const Text& key) {
  return key == label_pod_name || key == label_pod_index || key == label_revision;
}

/// What a pod's name says: "web-3" is member 3 of "web". An overflowing number keeps the parent and has no ordinal;
/// a name that does not end in "-digits" has neither.
struct Member {
  std::string_view parent;
  Ordinal ordinal = Ordinal::none;
};
Member parse_member(std::string_view pod_name);
/// A name that a set gives a pod: its number has no leading zeros. "web-01" is none, though it is member 1 of "web".
bool is_given_name(std::string_view pod_name);

Text pod_name(const Text& set_name, Ordinal ordinal);
Text claim_name(const Text& claim_template, const Text& set_name, Ordinal ordinal);
Text decimal(std::int64_t number);

/// FNV-1 (multiply, then xor), 32 bits, continued from `hash`.
std::uint32_t fnv1_32(std::string_view bytes, std::uint32_t hash = 2166136261u);
/// Decimal digits in the alphabet that cannot spell a word: 0123456789 -> 456789bcdf.
std::string safe_encode(std::uint32_t number);
/// The hash part of a revision's name for data with this hash (PodTemplate::patch_hash) and collision count.
Text revision_suffix(std::uint32_t data_hash, std::int32_t collision_count);
/// First 223 bytes of the set's name, "-", suffix.
Text revision_name(const Text& set_name, const Text& suffix);

}  // namespace ordeal
