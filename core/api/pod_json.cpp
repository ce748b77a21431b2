// Pods, claims, revisions and services in JSON, read and written. Lenient: real ones carry much that nobody here
// decides on. A pod that is read gets back the template it was made from as far as that can be seen: without what a
// controller adds to it (its labels, claim volumes, host names) and what a node adds.
#include <algorithm>
#include <array>

#include "core/api/encode.h"
#include "core/api/names.h"
#include "core/api/object_json.h"

namespace ordeal {

namespace {

using nlohmann::json;

json object_json(const char* api_version, const char* kind, const ObjectMeta& meta) {
  return {{"apiVersion", api_version}, {"kind", kind}, {"metadata", meta_json(meta)}};
}

/// metadata as every reader of a whole object wants it: there, with a name.
void read_named_meta(const Field& whole, ObjectMeta& out) {
  const Field metadata = whole["metadata"];
  read_meta(metadata, out, /*strict=*/false);
  if (out.name.empty() && !(metadata["name"].present() && !metadata["name"].value().is_string()))
    metadata["name"].fault("is required");
}

/// True of the volume that a claim template brought: it is bound to the claim of that name and pod.
bool is_claim_volume(const Volume& volume, std::string_view name_of_pod) {
  const std::string_view claim = volume.claim.view();
  return volume.json.empty() && claim.size() == volume.name.size() + 1 + name_of_pod.size() &&
         claim.starts_with(volume.name.view()) && claim[volume.name.size()] == '-' && claim.ends_with(name_of_pod);
}

json template_metadata(const Pod& pod) {
  json metadata = json::object();
  if (pod.meta.labels)
    for (const auto& [key, value] : *pod.meta.labels)
      if (!is_identity_label(key)) metadata["labels"][key.str()] = value.str();
  if (pod.meta.annotations) metadata["annotations"] = string_map_json(*pod.meta.annotations);
  if (pod.meta.finalizers) metadata["finalizers"] = texts_json(*pod.meta.finalizers);
  return metadata;
}

void read_pod_spec(const Field& spec, Pod& out) {
  if (!spec.is_map()) return;
  spec["hostname"].read(out.hostname);
  spec["subdomain"].read(out.subdomain);
  spec["nodeName"].read(out.node);
  json rest = spec.value();
  json kept = json::array();
  std::vector<Volume> volumes;
  const Field list = spec["volumes"];
  if (list.is_list())
    for (const json& volume : list.value()) {
      volumes.push_back(volume_of(volume));
      if (!is_claim_volume(volumes.back(), out.meta.name)) kept.push_back(volume);
    }
  for (const char* own : {"hostname", "subdomain", "nodeName", "volumes"}) rest.erase(own);
  if (!kept.empty()) rest["volumes"] = std::move(kept);
  if (!volumes.empty()) out.volumes = std::make_shared<const std::vector<Volume>>(std::move(volumes));
  out.made_from = make_template({{"metadata", template_metadata(out)}, {"spec", std::move(rest)}});
}

void read_condition(const Field& condition, Pod& out) {
  if (!condition.is_map() || !condition["type"].present() || condition["type"].value() != "Ready") return;
  Text status, changed;
  condition["status"].read(status);
  condition["lastTransitionTime"].read(changed);
  out.ready = status == "True";
  if (changed.empty()) return;
  out.ready_changed = read_time(changed);
  if (!out.ready_changed) condition["lastTransitionTime"].fault("must be a time such as 2026-01-01T00:00:00Z");
}

void read_pod_status(const Field& status, Pod& out) {
  if (!status.is_map()) return;
  read_enum(status["phase"], phase_words, out.phase);
  const Field conditions = status["conditions"];
  if (!conditions.is_list()) return;
  for (std::size_t i = 0; i < conditions.size(); ++i) read_condition(conditions[i], out);
}

json pod_spec_json(const Pod& pod) {
  json spec = json::object();
  if (pod.made_from) {
    const json whole = json::parse(pod.made_from->document, nullptr, /*allow_exceptions=*/false);
    if (const auto found = whole.find("spec"); found != whole.end() && found->is_object()) spec = *found;
  }
  for (const char* own : {"hostname", "subdomain", "volumes"}) spec.erase(own);  // whatever the template says
  if (pod.volumes)
    for (const Volume& volume : *pod.volumes) spec["volumes"].push_back(volume_json(volume));
  if (!pod.hostname.empty()) spec["hostname"] = pod.hostname.str();
  if (!pod.subdomain.empty()) spec["subdomain"] = pod.subdomain.str();
  if (!pod.node.empty()) spec["nodeName"] = pod.node.str();
  return spec;
}

/// Of running pods that are not ready, every other one waits for a readiness gate of somebody's: its containers are
/// ready, and it is not.
bool lacks_only_its_gate(const Pod& pod) {
  return pod.phase == Phase::running && static_cast<std::uint64_t>(pod.meta.uid) % 2 == 1;
}

/// What nobody reports who runs the pod: that gate, and of every other pod whether it is about to be disrupted, which
/// changes nothing until it is.
void add_conditions_of_others(const Pod& pod, auto add) {
  const auto number = static_cast<std::uint64_t>(pod.meta.uid);
  if (!pod.ready && lacks_only_its_gate(pod)) add("example.org/Gated", false);
  if (number != 0 && number % 2 == 0) add("DisruptionTarget", number % 4 == 0);
}

/// Ready, and of a pod that has a node what its kubelet reports beside it, in a kubelet's order: who looks for the
/// first condition finds another one. Nobody knows whether a pod is ready of which nobody hears: neither True nor
/// False.
json pod_conditions_json(const Pod& pod) {
  json conditions = json::array();
  const auto add = [&](const char* type, bool holds) -> json& {
    return conditions.emplace_back(json{{"type", type}, {"status", holds ? "True" : "False"}});
  };
  const bool has_node = !pod.node.empty();
  if (has_node) add("Initialized", true);
  if (pod.ready || pod.ready_changed) {
    json& ready = add("Ready", pod.ready);
    if (pod.phase == Phase::unknown && !pod.ready) ready["status"] = "Unknown";
    if (pod.ready_changed) ready["lastTransitionTime"] = time_text(*pod.ready_changed);
  }
  if (has_node) add("ContainersReady", pod.ready || lacks_only_its_gate(pod));
  if (has_node) add("PodScheduled", true);
  if (has_node) add_conditions_of_others(pod, add);
  return conditions;
}

/// Pods whose containers are always started again fail for their node's sake, and it says why; or nobody does.
std::string_view reason_of_failure(const Pod& pod) {
  constexpr std::array<std::string_view, 4> reasons = {"Evicted", "Terminated", "OutOfcpu", ""};
  return reasons[static_cast<std::uint64_t>(pod.meta.uid) % reasons.size()];
}

json pod_status_json(const Pod& pod) {
  json status = json::object();
  if (pod.phase != Phase::none) status["phase"] = word_json(phase_words, pod.phase);
  if (pod.phase == Phase::failed)
    if (const std::string_view reason = reason_of_failure(pod); !reason.empty()) status["reason"] = reason;
  if (!pod.node.empty() && pod.meta.uid != Uid::none) status["startTime"] = time_text(pod.meta.created);
  if (json conditions = pod_conditions_json(pod); !conditions.empty()) status["conditions"] = std::move(conditions);
  return status;
}

}  // namespace

json to_json(const Pod& pod) {
  json out = object_json("v1", "Pod", pod.meta);
  if (!pod.generate_name.empty()) out["metadata"]["generateName"] = pod.generate_name.str();
  if (json spec = pod_spec_json(pod); pod.made_from || !spec.empty()) out["spec"] = std::move(spec);
  if (json status = pod_status_json(pod); !status.empty()) out["status"] = std::move(status);
  return out;
}

bool from_json(const json& value, Pod& out, FieldErrors& errors) {
  const std::size_t errors_before = errors.size();
  const Field whole(value, errors);
  whole.require();
  if (!whole.is_map()) return false;
  const Field metadata = whole["metadata"];
  metadata["generateName"].read(out.generate_name);
  read_meta(metadata, out.meta, /*strict=*/false);
  if (out.meta.name.empty() && out.generate_name.empty()) metadata["name"].fault("is required");
  whole["spec"].require();
  read_pod_spec(whole["spec"], out);
  read_pod_status(whole["status"], out);
  return errors.size() == errors_before;
}

json to_json(const Claim& claim) {
  json out = object_json("v1", "PersistentVolumeClaim", claim.meta);
  if (claim.spec) out["spec"] = json::parse(*claim.spec, nullptr, /*allow_exceptions=*/false);
  if (claim.phase != ClaimPhase::none) out["status"]["phase"] = word_json(claim_phase_words, claim.phase);
  return out;
}

bool from_json(const json& value, Claim& out, FieldErrors& errors) {
  const std::size_t errors_before = errors.size();
  const Field whole(value, errors);
  whole.require();
  if (!whole.is_map()) return false;
  read_named_meta(whole, out.meta);
  const Field spec = whole["spec"];
  if (spec.is_map()) out.spec = std::make_shared<const std::string>(go_encode(spec.value()));
  Text phase;
  const Field status = whole["status"];
  status["phase"].read(phase);
  const auto word = std::ranges::find(claim_phase_words, phase.view());
  if (word != claim_phase_words.end()) out.phase = static_cast<ClaimPhase>(word - claim_phase_words.begin());
  return errors.size() == errors_before;
}

// Revision data are bytes that names depend on, and JSON has no bytes: what an encoder wrote in another way comes back
// in today's, unless it is given as text. Written as an object when that loses nothing, as text otherwise.
json to_json(const Revision& revision) {
  json out = object_json("apps/v1", "ControllerRevision", revision.meta);
  out["revision"] = revision.number;
  if (!revision.data.bytes) return out;
  json data = json::parse(*revision.data.bytes, nullptr, /*allow_exceptions=*/false);
  const bool loses_nothing = data.is_object() && go_encode(data) == *revision.data.bytes;
  out["data"] = loses_nothing ? std::move(data) : json(*revision.data.bytes);
  return out;
}

bool from_json(const json& value, Revision& out, FieldErrors& errors) {
  const std::size_t errors_before = errors.size();
  const Field whole(value, errors);
  whole.require();
  if (!whole.is_map()) return false;
  read_named_meta(whole, out.meta);
  whole["revision"].read(out.number);
  const Field data = whole["data"];
  data.require();
  if (data.present()) {
    std::string bytes = data.value().is_string() ? data.value().get<std::string>() : go_encode(data.value());
    out.data = decode_revision(std::make_shared<const std::string>(std::move(bytes)));
  }
  return errors.size() == errors_before;
}

json to_json(const Service& service) { return json::parse(service.json, nullptr, /*allow_exceptions=*/false); }

bool from_json(const json& value, Service& out, FieldErrors& errors) {
  const std::size_t errors_before = errors.size();
  const Field whole(value, errors);
  whole.require();
  if (!whole.is_map()) return false;
  read_named_meta(whole, out.meta);
  out.json = go_encode(value);
  return errors.size() == errors_before;
}

}  // namespace ordeal
