// What the controller makes: pods, claims, revisions, from templates. semantics.md 2.4 to 2.9 and 5.2.
#include <algorithm>

#include "core/controller/decisions.h"

namespace ordeal::decide {

namespace {

/// A part of a template as a part of an object: shared with the template, no copy.
template <class Part>
Shared<Part> part_of(const Shared<PodTemplate>& from, const Part& part) {
  return part.empty() ? nullptr : Shared<Part>(from, &part);
}

bool is_claim_template(const StatefulSet& set, const Text& name) {
  const auto& templates = set.spec->claim_templates;
  return std::any_of(templates.begin(), templates.end(), [&](const ClaimTemplate& t) { return t.name == name; });
}

/// The claims come first; a volume of the same name gives way.
std::vector<Volume> with_claims(const StatefulSet& set, const std::vector<Volume>& others, Ordinal ordinal) {
  std::vector<Volume> volumes;
  volumes.reserve(set.spec->claim_templates.size() + others.size());
  for (const ClaimTemplate& from : set.spec->claim_templates)
    volumes.push_back({from.name, claim_name(from.name, set.meta.name, ordinal), {}});
  for (const Volume& other : others)
    if (!is_claim_template(set, other.name)) volumes.push_back(other);
  return volumes;
}

Shared<std::vector<Volume>> volumes_of(const StatefulSet& set, const Shared<PodTemplate>& from, Ordinal ordinal) {
  if (set.spec->claim_templates.empty()) return part_of(from, from->volumes);
  return std::make_shared<const std::vector<Volume>>(with_claims(set, from->volumes, ordinal));
}

void label_identity(StringMap& labels, const Text& name, Ordinal ordinal) {
  labels.set(label_pod_name, name);
  labels.set(label_pod_index, decimal(number(ordinal)));
}

}  // namespace

OwnerReference controlled_by(const ObjectMeta& set) {
  return {group_version_apps, kind_stateful_set, set.name, set.uid, true, true};
}

Pod build_pod(const StatefulSet& set, const Shared<PodTemplate>& from, const Text& revision, Ordinal ordinal) {
  Pod pod;
  pod.meta.name = pod_name(set.meta.name, ordinal);
  pod.meta.ns = set.meta.ns;
  StringMap labels = from->labels;
  labels.reserve(labels.size() + 3);
  label_identity(labels, pod.meta.name, ordinal);
  labels.set(label_revision, revision);
  pod.meta.labels = std::make_shared<const StringMap>(std::move(labels));
  pod.meta.annotations = part_of(from, from->annotations);
  pod.meta.finalizers = part_of(from, from->finalizers);
  pod.meta.owners = std::make_shared<const Owners>(Owners{controlled_by(set.meta)});
  pod.generate_name = set.meta.name.str() + "-";
  pod.hostname = pod.meta.name;
  pod.subdomain = set.spec->service_name;
  pod.made_from = from;
  pod.volumes = volumes_of(set, from, ordinal);
  return pod;
}

Pod repair_pod(const StatefulSet& set, const Pod& pod, Ordinal ordinal) {
  Pod repaired = pod;
  repaired.meta.name = pod_name(set.meta.name, ordinal);
  repaired.meta.ns = set.meta.ns;
  if (!identity_matches(set, pod, ordinal)) {
    StringMap labels = pod.meta.labels ? *pod.meta.labels : StringMap();
    label_identity(labels, repaired.meta.name, ordinal);
    repaired.meta.labels = std::make_shared<const StringMap>(std::move(labels));
  }
  if (!storage_matches(set, pod, ordinal)) {
    const std::vector<Volume> held = pod.volumes ? *pod.volumes : std::vector<Volume>();
    repaired.volumes = std::make_shared<const std::vector<Volume>>(with_claims(set, held, ordinal));
  }
  return repaired;
}

Claim build_claim(const StatefulSet& set, const ClaimTemplate& from, const Text& name) {
  Claim claim;
  claim.meta.name = name;
  claim.meta.ns = set.meta.ns;
  StringMap labels = from.labels;
  for (const auto& [key, value] : set.spec->selector.match_labels) labels.set(key, value);
  claim.meta.labels = std::make_shared<const StringMap>(std::move(labels));
  if (!from.annotations.empty()) claim.meta.annotations = std::make_shared<const StringMap>(from.annotations);
  claim.meta.owners = from.owners;
  claim.meta.finalizers = from.finalizers;
  claim.spec = from.spec;
  return claim;
}

/// A set that goes before its cache shows the claim would leave the claim behind.
Claim build_claim_of_its_set(const StatefulSet& set, const ClaimTemplate& from, const Text& name) {
  Claim claim = build_claim(set, from, name);
  if (!set.spec->retention || set.spec->retention->when_deleted != Retention::remove) return claim;
  if (claim.meta.controller() != nullptr) return claim;  // whose it is, the policy is not for
  Owners owners = claim.meta.owners ? *claim.meta.owners : Owners{};
  owners.push_back(controlled_by(set.meta));
  claim.meta.owners = std::make_shared<const Owners>(std::move(owners));
  return claim;
}

Revision build_revision(const StatefulSet& set, const Candidate& candidate, const Text& suffix, std::int64_t number) {
  Revision revision;
  revision.meta.name = revision_name(set.meta.name, suffix);
  revision.meta.ns = set.meta.ns;
  StringMap labels = candidate.pod_template.labels;
  labels.set(label_revision_hash, suffix);
  revision.meta.labels = std::make_shared<const StringMap>(std::move(labels));
  revision.meta.annotations = set.meta.annotations;
  revision.meta.owners = std::make_shared<const Owners>(Owners{controlled_by(set.meta)});
  revision.data = {candidate.data, set.spec->pod_template};
  revision.number = number;
  return revision;
}

// --- does it match -----------------------------------------------------------------------------------------------------

bool identity_matches(const StatefulSet& set, const Pod& pod, Ordinal ordinal) {
  const std::string_view name = pod.meta.name.view();
  const std::size_t digits_at = set.meta.name.size() + 1;
  const bool canonical = name.size() == digits_at + 1 || (name.size() > digits_at && name[digits_at] != '0');
  const Text* label = pod.meta.label(label_pod_name);
  return ordinal != Ordinal::none && canonical && pod.meta.ns == set.meta.ns && label != nullptr &&
         *label == pod.meta.name;
}

namespace {

/// Takes a dash and the ordinal off the end; false when they are not there.
bool take_ordinal(std::string_view& name, Ordinal ordinal) {
  std::int32_t left = number(ordinal);
  do {
    if (name.empty() || name.back() != static_cast<char>('0' + left % 10)) return false;
    name.remove_suffix(1);
    left /= 10;
  } while (left > 0);
  if (!name.ends_with('-')) return false;
  name.remove_suffix(1);
  return true;
}

}  // namespace

bool is_claim_name(std::string_view claim, std::string_view claim_template, std::string_view set, Ordinal ordinal) {
  const std::size_t set_at = claim_template.size() + 1;
  return take_ordinal(claim, ordinal) && claim.size() == set_at + set.size() && claim.starts_with(claim_template) &&
         claim[set_at - 1] == '-' && claim.ends_with(set);
}

bool storage_matches(const StatefulSet& set, const Pod& pod, Ordinal ordinal) {
  for (const ClaimTemplate& from : set.spec->claim_templates) {
    const auto bound = [&](const Volume& volume) {
      return volume.name == from.name && is_claim_name(volume.claim, from.name, set.meta.name, ordinal);
    };
    if (!pod.volumes || std::none_of(pod.volumes->begin(), pod.volumes->end(), bound)) return false;
  }
  return true;
}

}  // namespace ordeal::decide
