#include "fuzz/adapter/recognise.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/api/names.h"
#include "core/api/object_json.h"

namespace ordeal::fuzz {

namespace {

using nlohmann::json;

bool is_claim(const StatefulSetSpec& spec, std::string_view volume) {
  return std::ranges::any_of(spec.claim_templates, [&](const ClaimTemplate& claim) { return claim.name == volume; });
}

// Of a pod's spec, these are the pod's own, whatever its template says (core/api/pod_json.cpp).
constexpr const char* own_members[] = {"hostname", "subdomain", "nodeName"};

bool may_name(const PodTemplate& pod_template, std::string_view member) {
  return pod_template.document.contains("\"" + std::string(member) + "\":");
}

/// What of the template is left to be seen in a pod of a set with these claims: not the labels that say whose pod it
/// is.
std::string visible(const PodTemplate& pod_template, const StatefulSetSpec& spec) {
  const Text* const covered[] = {&label_pod_name, &label_pod_index, &label_revision};
  const bool all =
      std::ranges::none_of(pod_template.volumes, [&](const Volume& v) { return is_claim(spec, v.name); }) &&
      std::ranges::none_of(covered, [&](const Text* label) { return pod_template.labels.find(*label) != nullptr; }) &&
      std::ranges::none_of(own_members, [&](const char* member) { return may_name(pod_template, member); });
  if (all) return pod_template.document;
  json whole = json::parse(pod_template.document);
  if (whole.contains("spec") && whole["spec"].is_object())
    for (const char* member : own_members) whole["spec"].erase(member);
  if (const json::json_pointer volumes("/spec/volumes"); whole.contains(volumes) && whole[volumes].is_array())
    std::erase_if(whole[volumes].get_ref<json::array_t&>(),
                  [&](const json& v) { return is_claim(spec, text_at(v, "name")); });
  if (const json::json_pointer labels("/metadata/labels"); whole.contains(labels) && whole[labels].is_object())
    for (const Text* label : covered) whole[labels].erase(label->str());
  return make_template(whole)->document;
}

/// Every template that the controller may have made the pod from; first the one that the pod says it is made from,
/// since of two that differ in what is the pod's own nothing else tells which it was.
std::vector<Shared<PodTemplate>> known_templates(const Pod& pod, const StatefulSet& set, const View& seen) {
  std::vector<Shared<PodTemplate>> known;
  const Text* label = pod.meta.label(label_revision);
  if (const Revision* named = label != nullptr ? seen.revisions.find(*label) : nullptr)
    known.push_back(named->data.decoded);
  known.push_back(set.spec->pod_template);
  for (const Revision* revision : seen.revisions.all) known.push_back(revision->data.decoded);
  std::erase(known, nullptr);
  return known;
}

/// The document of a pod without the labels, annotations and finalizers that no template has: the controller's own,
/// which a pod may bear.
std::string without_its_own(const PodTemplate& made_from, std::span<const Shared<PodTemplate>> known) {
  json whole = json::parse(made_from.document);
  const auto drop = [&](const char* member, StringMap PodTemplate::* entries) {
    const json::json_pointer at(std::string("/metadata/") + member);
    if (!whole.contains(at) || !whole[at].is_object()) return;
    std::vector<std::string> own;
    for (const auto& [key, value] : whole[at].items())
      if (std::ranges::none_of(known, [&](const auto& one) { return ((*one).*entries).find(Text(key)) != nullptr; }))
        own.push_back(key);
    for (const std::string& key : own) whole[at].erase(key);
    if (whole[at].empty()) whole["metadata"].erase(member);
  };
  drop("labels", &PodTemplate::labels);
  drop("annotations", &PodTemplate::annotations);
  if (const json::json_pointer at("/metadata/finalizers"); whole.contains(at) && whole[at].is_array())
    std::erase_if(whole[at].get_ref<json::array_t&>(), [&](const json& finalizer) {
      return finalizer.is_string() && std::ranges::none_of(known, [&](const auto& one) {
               return std::ranges::find(one->finalizers, finalizer.get_ref<const std::string&>()) !=
                      one->finalizers.end();
             });
    });
  return make_template(whole)->document;
}

}  // namespace

void recognise_template(Pod& pod, const Key& set, const View& seen) {
  if (!pod.made_from) return;
  const StatefulSet* owner = seen.sets.find(set.name);
  if (owner == nullptr || !owner->spec) return;
  const std::vector<Shared<PodTemplate>> known = known_templates(pod, *owner, seen);
  const auto take = [&](const std::string& document) {
    const auto at =
        std::ranges::find_if(known, [&](const auto& one) { return visible(*one, *owner->spec) == document; });
    if (at == known.end()) return false;
    pod.made_from = *at;
    return true;
  };
  if (!take(pod.made_from->document)) take(without_its_own(*pod.made_from, known));
}

void recognise_template(Request& request, const Key& set, const View& seen) {
  if (request.kind != Kind::pod) return;
  if (request.verb == Verb::create) return recognise_template(std::get<Pod>(request.body), set, seen);
  auto* apply = std::get_if<Apply>(&request.body);
  if (apply == nullptr || !apply->creation) return;
  Request creation = *apply->creation;
  recognise_template(std::get<Pod>(creation.body), set, seen);
  apply->creation = std::make_shared<const Request>(std::move(creation));
}

}  // namespace ordeal::fuzz
