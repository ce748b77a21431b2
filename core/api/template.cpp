// Pod templates and the revision data made of them (semantics.md 5.1).
#include <nlohmann/json.hpp>

#include "core/api/encode.h"
#include "core/api/names.h"
#include "core/api/object_json.h"
#include "core/api/older_encoder.h"
#include "core/api/template_rules.h"

namespace ordeal {

namespace {

using nlohmann::json;

constexpr std::string_view patch_begin = R"({"spec":{"template":{"$patch":"replace",)";
constexpr std::string_view patch_begin_alone = R"({"spec":{"template":{"$patch":"replace")";
constexpr std::string_view patch_end = "}}";

void take_metadata(const json& metadata, PodTemplate& out) {
  FieldErrors reported_as_faults;
  const Field field(metadata, reported_as_faults);
  field["labels"].read(out.labels);
  field["annotations"].read(out.annotations);
  field["finalizers"].read(out.finalizers);
}

void take_spec(const json& spec, PodTemplate& out) {
  const json& volumes = member_of(spec, "volumes");
  if (volumes.is_array())
    for (const json& volume : volumes) out.volumes.push_back(volume_of(volume));
  const json& containers = member_of(spec, "containers");
  if (containers.is_array() && !containers.empty())
    if (const json& image = member_of(containers.front(), "image"); image.is_string())
      out.image = image.get<std::string>();
  const json& grace = member_of(spec, "terminationGracePeriodSeconds");
  if (grace.is_number_integer()) out.termination_grace = grace.get<std::int64_t>();
}

/// Of volumes that `out` has not.
void take_mounts(const json& spec, PodTemplate& out) {
  for (const char* list : {"containers", "initContainers"}) {
    const json& containers = member_of(spec, list);
    for (std::size_t i = 0; containers.is_array() && i < containers.size(); ++i) {
      const json& mounts = member_of(containers[i], "volumeMounts");
      for (std::size_t j = 0; mounts.is_array() && j < mounts.size(); ++j) {
        const json& name = member_of(mounts[j], "name");
        if (!name.is_string() || name == "") continue;  // a fault of its own
        const Text volume = name.get<std::string>();
        if (std::ranges::find(out.volumes, volume, &Volume::name) != out.volumes.end()) continue;
        out.mounts_beyond.push_back(
            {"spec." + std::string(list) + "[" + std::to_string(i) + "].volumeMounts[" + std::to_string(j) + "].name",
             volume});
      }
    }
  }
}

/// The document inside the patch that puts it in place of another. "$patch" sorts before every other key.
std::string patch_of(std::string_view document) {
  const std::string_view members = document.substr(1);
  std::string patch(members == "}" ? patch_begin_alone : patch_begin);
  patch.append(members).append(patch_end);
  return patch;
}

}  // namespace

Shared<PodTemplate> make_template(const json& pod_template) {
  auto made = std::make_shared<PodTemplate>();
  made->faults = template_faults(pod_template);
  json whole = pod_template.is_object() ? pod_template : json::object();
  whole.erase("$patch");  // of a revision's data; a user's means nothing
  apply_template_defaults(whole);
  take_metadata(member_of(whole, "metadata"), *made);
  take_spec(member_of(whole, "spec"), *made);
  take_mounts(member_of(whole, "spec"), *made);
  made->document = go_encode(whole);
  made->patch = std::make_shared<const std::string>(patch_of(made->document));
  made->patch_hash = fnv1_32(*made->patch);
  made->older_patch = std::make_shared<const std::string>(with_null_times(*made->patch));
  return made;
}

RevisionData revision_of(const Shared<PodTemplate>& pod_template) {
  if (!pod_template) return {};
  return {pod_template->patch, pod_template};
}

// Older encoders wrote members that say nothing, such as "creationTimestamp":null; defaulting drops them, so that what
// they meant compares equal to what is meant now.
RevisionData decode_revision(Shared<std::string> bytes) {
  RevisionData data{std::move(bytes), nullptr};
  FieldErrors unreadable;
  json patch;
  if (!data.bytes || !parse_json(*data.bytes, patch, unreadable)) return data;
  const json& pod_template = member_of(member_of(patch, "spec"), "template");
  if (!pod_template.is_object()) return data;
  data.decoded = make_template(pod_template);
  return data;
}

}  // namespace ordeal
