// Editions of a pod template, made from the base's JSON once and then remembered.
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/api/codec.h"
#include "properties/scenario/generate.h"

namespace ordeal::properties {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t restart_edit = std::int64_t{1} << 40;

Json document_of(const PodTemplate& pod_template) {
  Json document = Json::parse(pod_template.document, nullptr, false);
  return document.is_object() ? document : Json::object();
}

/// The member as an object, made when absent; null when something else stands there.
Json* object_in(Json& parent, const char* name) {
  Json& member = parent[name];
  if (member.is_null()) member = Json::object();
  return member.is_object() ? &member : nullptr;
}

/// A template without a container is refused by the API server anyway: then there is nothing to edit.
Json* first_container(Json& document) {
  Json* spec = object_in(document, "spec");
  if (spec == nullptr || !spec->contains("containers")) return nullptr;
  Json& containers = (*spec)["containers"];
  return containers.is_array() && !containers.empty() && containers[0].is_object() ? &containers[0] : nullptr;
}

std::string_view suffix_of(TemplateFlavour flavour) {
  switch (flavour) {
    case TemplateFlavour::unready: return "-unready";
    case TemplateFlavour::crashing: return "-crashing";
    case TemplateFlavour::completing: return "-completing";
    case TemplateFlavour::unstarted: return "-unstarted";
    case TemplateFlavour::unpulled: return "-unpulled";
    default: return "";
  }
}

/// "registry:5000/store:1.2@sha256:.." without its tag and digest.
std::string_view image_name(std::string_view image) {
  image = image.substr(0, image.find('@'));
  const std::size_t tag = image.rfind(':');
  const std::size_t slash = image.rfind('/');
  if (tag == std::string_view::npos || (slash != std::string_view::npos && tag < slash)) return image;
  return image.substr(0, tag);
}

std::string version_text(std::int32_t image) { return "v" + std::to_string(image); }

void set_image(Json& container, std::string_view base, std::int32_t image, TemplateFlavour flavour) {
  const std::string_view suffix = suffix_of(flavour);
  if (image == 0 && suffix.empty()) return;
  container["image"] = std::string(image_name(base)) + ":" + version_text(image) + std::string(suffix);
}

void add_env(Json& container, std::int32_t image) {
  Json& env = container["env"];
  if (env.is_null()) env = Json::array();
  if (env.is_array()) env.push_back({{"name", "EDITION"}, {"value", version_text(image)}});
}

void add_volume(Json& document, std::int32_t image) {
  Json* spec = object_in(document, "spec");
  if (spec == nullptr) return;
  Json& volumes = (*spec)["volumes"];
  if (volumes.is_null()) volumes = Json::array();
  if (volumes.is_array()) volumes.push_back({{"name", "edition"}, {"configMap", {{"name", version_text(image)}}}});
}

void edit_spec(Json& spec, std::int32_t image) {
  switch (image % 4) {
    case 1: spec["terminationGracePeriodSeconds"] = 45; return;
    case 2: spec["tolerations"] = Json::array({{{"key", "disk"}, {"operator", "Exists"}}}); return;
    case 3: spec["priorityClassName"] = "high"; return;
    default:
      if (Json* selector = object_in(spec, "nodeSelector")) (*selector)["disk"] = "fast";
  }
}

/// Where the spec says nothing of the kind.
void add_extra(Json& document, std::int32_t image) {
  Json *meta = object_in(document, "metadata"), *spec = object_in(document, "spec");
  if (meta == nullptr || spec == nullptr) return;
  const Json helper = {{"name", "helper"}, {"image", "example.org/helper:1.0"}};
  const auto add_to = [&](const char* containers) {
    Json& list = (*spec)[containers];
    if (list.is_null()) list = Json::array();
    if (list.is_array()) list.push_back(helper);
  };
  switch (image % 4) {
    case 1: return add_to("initContainers");
    case 2: (*spec)["hostname"] = (*spec)["subdomain"] = "edition"; return;
    case 3: return add_to("containers");
    default: (*meta)["finalizers"] = Json::array({"example.org/in-use"});
  }
}

void set_resources(Json& container, std::int32_t image) {
  Json* resources = object_in(container, "resources");
  if (resources == nullptr) return;
  const Json amounts = {{"cpu", std::to_string(100 + image) + "m"}, {"memory", "64Mi"}};
  if (image % 3 != 1) (*resources)["requests"] = amounts;
  if (image % 3 != 2) (*resources)["limits"] = amounts;
}

void set_command(Json& container, std::int32_t image) {
  if (image % 3 != 1) container["command"] = {"store", "--edition=" + version_text(image)};
  if (image % 3 != 2) container["args"] = {"--edition=" + version_text(image)};
}

/// What else a container is told, a thing at a time.
void set_settings(Json& container, std::int32_t image) {
  switch (image % 4) {
    case 1: container["imagePullPolicy"] = "Always"; return;
    case 2: container["securityContext"] = {{"readOnlyRootFilesystem", true}}; return;
    case 3:
      container["ports"] = Json::array({{{"name", "edition"}, {"containerPort", 8080}, {"protocol", "TCP"}}});
      return;
    default: container["livenessProbe"] = {{"exec", {{"command", {"true"}}}}, {"periodSeconds", 20}};
  }
}

/// Beside the image one more thing is edited, or two at once: volumes go with the first flavour, finalizers and what a
/// pod's spec says with the second. Which of them, the image says, so that two editions of one image may differ in a
/// single field.
Shared<PodTemplate> edition(const PodTemplate& base, std::int32_t image, TemplateFlavour flavour) {
  Json document = document_of(base);
  if (Json* container = first_container(document)) {
    set_image(*container, base.image, image, flavour);
    if (flavour == TemplateFlavour::with_env && image % 3 != 1) add_env(*container, image);
    if (flavour == TemplateFlavour::with_resources) set_resources(*container, image);
    if (flavour == TemplateFlavour::with_command) set_command(*container, image);
    if (flavour == TemplateFlavour::with_settings) set_settings(*container, image);
  }
  if (flavour == TemplateFlavour::with_env && image % 3 != 2) add_volume(document, image);
  if (flavour == TemplateFlavour::with_node_selector) {
    if (Json* spec = object_in(document, "spec")) edit_spec(*spec, image);
    if (Json* meta = image % 4 == 0 ? object_in(document, "metadata") : nullptr)
      (*meta)["finalizers"] = Json::array({"example.org/in-use"});
  }
  if (flavour == TemplateFlavour::with_extras) add_extra(document, image);
  if (flavour == TemplateFlavour::with_annotation)
    if (Json* meta = object_in(document, "metadata"))
      if (Json* annotations = object_in(*meta, "annotations"))
        (*annotations)["example.org/edition"] = version_text(image);
  if (flavour == TemplateFlavour::with_label)
    if (Json* meta = object_in(document, "metadata"))
      if (Json* labels = object_in(*meta, "labels")) (*labels)["edition"] = version_text(image);
  return make_template(document);
}

}  // namespace

Shared<PodTemplate> TemplateVariants::of(const Shared<PodTemplate>& base, std::int32_t image, TemplateFlavour flavour) {
  if (base == nullptr || (image == 0 && flavour == TemplateFlavour::plain)) return base;
  const std::int64_t edit =
      (std::int64_t{static_cast<std::uint8_t>(flavour)} << 32) | static_cast<std::uint32_t>(image);
  return made_.get(base, edit, [&] { return edition(*base, image, flavour); });
}

Shared<PodTemplate> TemplateVariants::restarted(const Shared<PodTemplate>& base, std::int32_t at) {
  if (base == nullptr) return base;
  return made_.get(base, restart_edit | static_cast<std::uint32_t>(at), [&] {
    Json document = document_of(*base);
    if (Json* meta = object_in(document, "metadata"))
      if (Json* annotations = object_in(*meta, "annotations"))
        (*annotations)["kubectl.kubernetes.io/restartedAt"] = time_text(Time::seconds(at));
    return make_template(document);
  });
}

Shared<PodTemplate> relabelled(const PodTemplate& base, const StringMap& labels) {
  Json document = document_of(base);
  Json& written = document["metadata"]["labels"];
  written = Json::object();
  for (const auto& [key, value] : labels) written[key.str()] = value.str();
  return make_template(document);
}

Shared<PodTemplate> bare_template(const PodTemplate& full) {
  Json document = document_of(full);
  Json bare = Json::object();
  for (const auto& [key, value] : full.labels) bare["metadata"]["labels"][key.str()] = value.str();
  if (const Json* container = first_container(document))
    for (const char* field : {"name", "image"})
      if (container->contains(field)) bare["spec"]["containers"][0][field] = container->at(field);
  return make_template(bare);
}

}  // namespace ordeal::properties
