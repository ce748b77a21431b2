#include "properties/world/strangers.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/api/codec.h"
#include "core/api/encode.h"
#include "core/api/names.h"

namespace ordeal::properties {

namespace {

/// Owns and controls nothing; nobody may take it away.
OwnerReference bystander() {
  return {"example.org/v1",
          "Backup",
          "nightly",
          Uid{1'000'000'100 + static_cast<std::uint64_t>(ClaimOwner::bystander)},
          false,
          false};
}

/// The volumes of member `ordinal`: its claims first, then the template's others (semantics.md 2.6).
Shared<std::vector<Volume>> volumes_of(const StatefulSet& set, Ordinal ordinal) {
  auto volumes = std::make_shared<std::vector<Volume>>();
  for (const ClaimTemplate& t : set.spec->claim_templates)
    volumes->push_back({t.name, claim_name(t.name, set.meta.name, ordinal), {}});
  for (const Volume& v : set.spec->pod_template->volumes) {
    const bool hidden =
        std::any_of(volumes->begin(), volumes->end(), [&](const Volume& c) { return c.name == v.name; });
    if (!hidden) volumes->push_back(v);
  }
  return volumes;
}

/// Where claims begin that are wrong: every second time only the last one is.
std::size_t first_wrong_claim(const StatefulSet& set, Ordinal ordinal) {
  const std::size_t claims = set.spec->claim_templates.size();
  return number(ordinal) % 2 == 1 && claims > 1 ? claims - 1 : 0;
}

bool is_of_a_claim_template(const Volume& volume, const StatefulSet& set) {
  return !volume.claim.empty() && !set.spec->pod_template->has(volume);
}

/// As of a pod that was made when its set had no claim template of that name.
Volume no_claim(const Text& name) {
  return {name, {}, go_encode(nlohmann::json{{"emptyDir", nlohmann::json::object()}, {"name", name.str()}})};
}

/// Nearly the volumes of that member; what is wrong with them goes by its number.
Shared<std::vector<Volume>> lookalike_volumes(const StatefulSet& set, Ordinal ordinal) {
  if (number(ordinal) % 5 == 4) return nullptr;
  auto volumes = std::make_shared<std::vector<Volume>>(*volumes_of(set, ordinal));
  const auto renamed = [](const Text& name) { return "x" + name.str().substr(1); };
  const auto with_another_end = [](const Text& name) { return name.str().substr(0, name.size() - 1) + "x"; };
  for (Volume& volume : std::span(*volumes).subspan(first_wrong_claim(set, ordinal))) {
    if (!is_of_a_claim_template(volume, set)) continue;
    switch (number(ordinal) % 4) {
      case 0: volume.name = renamed(volume.name); break;
      case 1: volume.claim = with_another_end(volume.claim); break;
      case 2: volume.claim = claim_name(volume.name, renamed(set.meta.name), ordinal); break;
      default: volume = no_claim(volume.name);
    }
  }
  return volumes;
}

/// The names of its claims begin and end like the right ones, but are others: the ordinal decides what is wrong in the
/// middle.
Shared<std::vector<Volume>> nearly_named_volumes(const StatefulSet& set, Ordinal ordinal) {
  auto volumes = std::make_shared<std::vector<Volume>>(*volumes_of(set, ordinal));
  for (Volume& volume : std::span(*volumes).subspan(first_wrong_claim(set, ordinal))) {
    if (!is_of_a_claim_template(volume, set)) continue;
    const std::string before_set = volume.name.str() + "-", set_name = set.meta.name.str();
    const std::string digits = std::to_string(number(ordinal));
    switch (number(ordinal) % 5) {
      case 0: volume.claim = before_set + set_name + "-1" + digits; break;  // a sibling's
      case 1: volume.claim = before_set + "old-" + set_name + "-" + digits; break;
      case 2: volume.claim = before_set + before_set + set_name + "-" + digits; break;
      case 3: volume.claim = volume.name.str() + "." + set_name + "-" + digits; break;
      default: volume.claim = before_set + set_name + "." + digits;
    }
  }
  return volumes;
}

Text strange_name(const StatefulSet& like, Ordinal ordinal, ForeignPod as) {
  const std::string set = like.meta.name.str();
  switch (as) {
    case ForeignPod::leading_zero: return set + "-0" + std::to_string(number(ordinal));
    case ForeignPod::overflow:
      return set + (number(ordinal) % 2 == 0 ? "-99999999999" : "-2147483648");  // one too many for 32 bits
    default: return pod_name(like.meta.name, ordinal);
  }
}

Shared<StringMap> strange_labels(const StatefulSet& like, const StatefulSet* live, Ordinal ordinal, const Text& name,
                                 ForeignPod as) {
  if (as == ForeignPod::other_labels && number(ordinal) % 3 == 2) return nullptr;
  if (as == ForeignPod::other_labels) return with_labels({}, {{"app", "elsewhere"}});
  if (as == ForeignPod::bare) return with_labels(like.spec->pod_template->labels, {});
  const auto labels = with_labels(like.spec->pod_template->labels,
                                  {{label_pod_name, name}, {label_pod_index, decimal(number(ordinal))}});
  // The label is of the template that the pod is made of: the status may still name an earlier one's, and of a set on
  // its way out for ever.
  const bool is_recorded = live != nullptr && !live->meta.terminating() && !live->is_edited_since_status();
  if (!is_recorded || live->status.update_revision.empty()) return labels;
  return with_labels(*labels, {{label_revision, live->status.update_revision}});
}

Shared<std::vector<Volume>> strange_volumes(const StatefulSet& like, Ordinal ordinal, ForeignPod as) {
  switch (as) {
    case ForeignPod::other_claims: return lookalike_volumes(like, ordinal);
    case ForeignPod::near_claims: return nearly_named_volumes(like, ordinal);
    case ForeignPod::other_name:
    case ForeignPod::bare: return nullptr;
    default: return volumes_of(like, ordinal);
  }
}

/// A name that no pod of the set has.
Text other_name(const StatefulSet& like, Ordinal ordinal, std::int32_t index) {
  if (index % 10 < 2) return pod_name(like.meta.name, ordinal).str() + "-debug";  // as a copy that somebody looks into
  if (index % 10 >= 8) return like.meta.name.str() + "-x7k2q";                    // as a pod of the ReplicaSet "web"
  if (index % 4 >= 2) return pod_name(like.meta.name.str() + "-other", ordinal);  // as one of the set "web-other"
  return "other-" + pod_name(like.meta.name, ordinal).str();
}

/// The selector still matches it, and with an odd index the set is its owner, too.
void call_otherwise(Pod& pod, const StatefulSet& like, const StatefulSet* live, Ordinal ordinal, std::int32_t index) {
  pod.meta.name = other_name(like, ordinal, index);
  if (live != nullptr && index % 2 == 1)
    pod.meta.owners = owned_by(group_version_apps, kind_stateful_set, live->meta.name, live->meta.uid);
}

}  // namespace

Shared<Owners> owned_by(Text api_version, Text kind, Text name, Uid uid) {
  return std::make_shared<const Owners>(
      Owners{{std::move(api_version), std::move(kind), std::move(name), uid, true, true}});
}

Shared<Owners> foreign_owner(std::int32_t index) {
  static const Shared<Owners> replica_set = owned_by(group_version_apps, "ReplicaSet", "other", Uid{1'000'000'007});
  static const Shared<Owners> set = owned_by(group_version_apps, kind_stateful_set, "other", Uid{1'000'000'013});
  return index % 2 == 0 ? replica_set : set;
}

namespace {

/// As a release wrote it that knew no apps/v1 yet: the set is the same.
void name_by_older_version(OwnerReference& owner) {
  if (owner.kind == kind_stateful_set && owner.api_version == group_version_apps) owner.api_version = "apps/v1beta2";
}

}  // namespace

Shared<Owners> other_owners(const ObjectMeta& held, std::int32_t index, PodOwner as) {
  if (as == PodOwner::other_controller) return foreign_owner(index);
  if (as == PodOwner::bystander_alone) return std::make_shared<const Owners>(Owners{bystander()});
  Owners owners = held.owners ? *held.owners : Owners{};
  if (as == PodOwner::set_without_control)
    for (OwnerReference& owner : owners) owner.controller = false;
  else if (as == PodOwner::set_of_older_version)
    for (OwnerReference& owner : owners) name_by_older_version(owner);
  else if (std::ranges::find(owners, bystander()) == owners.end()) owners.insert(owners.begin(), bystander());
  return std::make_shared<const Owners>(std::move(owners));
}

Shared<Owners> owners_of_taken(const ObjectMeta& held, std::int32_t index) {
  Owners owners = held.owners != nullptr && index % 4 != 0 ? *held.owners : Owners{};
  for (OwnerReference& owner : owners) owner.controller = false;
  owners.push_back(foreign_owner(index)->front());
  return std::make_shared<const Owners>(std::move(owners));
}

Shared<Owners> namesake_owner(const Text& set) {
  return owned_by("apps.kruise.io/v1beta1", kind_stateful_set, set, Uid{1'000'000'011});
}

OwnerReference further_owner(const Text& claim, const Text& set, ClaimOwner as) {
  const std::string_view whole = claim.view();
  const Text pod = whole.substr(std::min(whole.rfind(set.view()), whole.size()));
  const Uid uid{1'000'000'100 + static_cast<std::uint64_t>(as)};
  switch (as) {
    case ClaimOwner::bystander: return bystander();
    case ClaimOwner::set_of_other_group: return {"apps.kruise.io/v1beta1", kind_stateful_set, set, uid, false, false};
    case ClaimOwner::kind_named_as_set: return {group_version_apps, "Deployment", set, uid, false, false};
    case ClaimOwner::pod_of_other_group: return {"example.org/v1", kind_pod, pod, uid, false, false};
    case ClaimOwner::kind_named_as_pod: return {group_version_core, "ConfigMap", pod, uid, false, false};
    case ClaimOwner::its_pod: return {group_version_core, kind_pod, pod, Uid::none, false, false};
    case ClaimOwner::its_set: return {group_version_apps, kind_stateful_set, set, Uid::none, false, false};
    case ClaimOwner::earlier_set:
    case ClaimOwner::earlier_set_last: return {group_version_apps, kind_stateful_set, set, uid, false, false};
    case ClaimOwner::earlier_pod:
    case ClaimOwner::earlier_pod_last: return {group_version_core, kind_pod, pod, uid, false, false};
    case ClaimOwner::other_set: return {group_version_apps, kind_stateful_set, "other", uid, false, false};
    case ClaimOwner::other_pod: return {group_version_core, kind_pod, "other-0", uid, false, false};
  }
  return {};
}

Shared<StringMap> with_labels(const StringMap& base, std::initializer_list<StringMap::Entry> more) {
  auto labels = std::make_shared<StringMap>(base);
  for (const auto& [key, value] : more) labels->set(key, value);
  return labels;
}

Shared<std::string> with_storage(const std::string& claim_spec, const char* quantity) {
  nlohmann::json resized = nlohmann::json::parse(claim_spec);
  resized.merge_patch({{"resources", {{"requests", {{"storage", quantity}}}}}});  // whatever a user has written there
  return std::make_shared<const std::string>(resized.dump());
}

Ordinal member_at(const StatefulSet& like, std::int32_t index) {
  constexpr std::int64_t last = std::numeric_limits<std::int32_t>::max();
  return static_cast<Ordinal>(
      std::min(last, std::int64_t{like.spec->ordinals_start.value_or(0)} + std::clamp(index, 0, 1000)));
}

Pod strange_pod(const StatefulSet& like, const StatefulSet* live, std::int32_t index, ForeignPod as) {
  const Ordinal ordinal = member_at(like, index);
  Pod made;
  made.meta.ns = like.meta.ns;
  made.meta.name = strange_name(like, ordinal, as);
  made.meta.labels = strange_labels(like, live, ordinal, made.meta.name, as);
  // One in two is a pod of another group's StatefulSet, which bears the set's own name.
  if (as == ForeignPod::owned_by_other)
    made.meta.owners = index % 2 == 0 ? foreign_owner(index / 2) : namesake_owner(like.meta.name);
  if (as == ForeignPod::orphan && index % 4 == 3)
    made.meta.owners = std::make_shared<const Owners>(Owners{bystander()});
  if (as == ForeignPod::other_name) call_otherwise(made, like, live, ordinal, index);
  if (as != ForeignPod::bare) {  // what a pod was made without nothing can give it
    made.hostname = made.meta.name;
    made.subdomain = like.spec->service_name;
  }
  made.made_from = like.spec->pod_template;
  made.volumes = strange_volumes(like, ordinal, as);
  return made;
}

std::vector<Claim> claims_of(const Pod& pod, const StatefulSet& like) {
  std::vector<Claim> claims;
  if (!pod.volumes || like.spec->claim_templates.empty()) return claims;
  for (const Volume& volume : *pod.volumes) {
    if (!is_of_a_claim_template(volume, like)) continue;
    Claim& claim = claims.emplace_back();
    claim.meta.ns = pod.meta.ns;
    claim.meta.name = volume.claim;
    claim.spec = like.spec->claim_templates.front().spec;
  }
  return claims;
}

Revision recorded(const ObjectMeta& set, const RevisionData& data, std::int32_t collisions) {
  const Text suffix = revision_suffix(fnv1_32(*data.bytes), collisions);
  Revision made;
  made.meta.ns = set.ns;
  made.meta.name = revision_name(set.name, suffix);
  made.meta.labels = with_labels(data.decoded->labels, {{label_revision_hash, suffix}});
  made.data = data;
  made.number = 1;
  return made;
}

RevisionData without_defaults(const PodTemplate& content) {
  nlohmann::json patch = nlohmann::json::parse(*content.patch);
  nlohmann::json& spec = patch["spec"]["template"]["spec"];
  const auto leave_out = [](nlohmann::json& from, const char* field, const char* by_default) {
    if (from.value(field, "") == by_default) from.erase(field);
  };
  leave_out(spec, "schedulerName", "default-scheduler");
  for (nlohmann::json& container : spec["containers"]) {
    leave_out(container, "terminationMessagePath", "/dev/termination-log");
    leave_out(container, "terminationMessagePolicy", "File");
  }
  return decode_revision(std::make_shared<const std::string>(go_encode(patch)));
}

Claim strange_claim(const StatefulSet& like, Ordinal ordinal, ForeignClaim as) {
  const auto& templates = like.spec->claim_templates;
  const bool of_last = as == ForeignClaim::nobodys_last || as == ForeignClaim::others_last;
  const ClaimTemplate& from = of_last ? templates.back() : templates.front();
  Claim made;
  made.meta.ns = like.meta.ns;
  made.meta.name =
      claim_name(as == ForeignClaim::of_no_template ? Text("scratch") : from.name, like.meta.name, ordinal);
  made.meta.labels = with_labels(like.spec->selector.match_labels, {});
  if (as == ForeignClaim::others || as == ForeignClaim::others_last) made.meta.owners = foreign_owner(number(ordinal));
  made.spec = as == ForeignClaim::smaller ? with_storage(*from.spec, little_storage) : from.spec;
  return made;
}

}  // namespace ordeal::properties
