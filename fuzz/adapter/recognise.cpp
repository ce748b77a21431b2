#include "fuzz/adapter/recognise.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/api/names.h"

namespace ordeal::fuzz {

namespace {

using nlohmann::json;

bool is_claim(const StatefulSetSpec& spec, std::string_view volume) {
  return std::ranges::any_of(spec.claim_templates, [&](const ClaimTemplate& claim) { return claim.name == volume; });
}

/// Anybody may store a revision, so a template that was read from one may be of any shape.
std::string name_in(const json& volume) {
  const auto name = volume.is_object() ? volume.find("name") : volume.end();
  return name != volume.end() && name->is_string() ? name->get<std::string>() : std::string();
}

/// What of the template is left to be seen in a pod of a set with these claims: not the labels that say whose pod it is.
std::string visible(const PodTemplate& pod_template, const StatefulSetSpec& spec) {
  const Text* const covered[] = {&label_pod_name, &label_pod_index, &label_revision};
  const bool all = std::ranges::none_of(pod_template.volumes, [&](const Volume& v) { return is_claim(spec, v.name); }) &&
                   std::ranges::none_of(covered, [&](const Text* label) { return pod_template.labels.find(*label) != nullptr; });
  if (all) return pod_template.document;
  json whole = json::parse(pod_template.document);
  if (const json::json_pointer volumes("/spec/volumes"); whole.contains(volumes) && whole[volumes].is_array())
    std::erase_if(whole[volumes].get_ref<json::array_t&>(), [&](const json& v) { return is_claim(spec, name_in(v)); });
  if (const json::json_pointer labels("/metadata/labels"); whole.contains(labels) && whole[labels].is_object())
    for (const Text* label : covered) whole[labels].erase(label->str());
  return make_template(whole)->document;
}

/// What a write may not change, however it repairs volumes.
json fixed_part(const PodTemplate& pod_template) {
  json spec = json::parse(pod_template.document).value("spec", json::object());
  if (spec.is_object()) spec.erase("volumes");
  return spec;
}

}  // namespace

void recognise_template(Pod& pod, const Key& set, const View& seen) {
  const StatefulSet* owner = seen.sets.find(set.name);
  if (owner == nullptr || !owner->spec || !pod.made_from) return;
  const auto held = std::ranges::find_if(seen.pods.all, [&](const Pod* p) { return p->meta.uid == pod.meta.uid; });
  if (held != seen.pods.all.end() && (*held)->made_from) {
    if (fixed_part(*(*held)->made_from) == fixed_part(*pod.made_from)) pod.made_from = (*held)->made_from;
    return;
  }
  const auto is_it = [&](const Shared<PodTemplate>& known) {
    if (!known || visible(*known, *owner->spec) != pod.made_from->document) return false;
    pod.made_from = known;
    return true;
  };
  if (is_it(owner->spec->pod_template)) return;
  for (const Revision* revision : seen.revisions.all)
    if (is_it(revision->data.decoded)) return;
}

}  // namespace ordeal::fuzz
