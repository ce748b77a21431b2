// What older releases made of a template.
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/controller/decisions.h"

namespace ordeal::decide {

namespace {

using Json = nlohmann::json;

/// Null: it has none.
void label_index(Pod& pod, const Text* value) {
  StringMap labels = *pod.meta.labels;
  if (value != nullptr) labels.set(label_pod_index, *value);
  else labels.erase(label_pod_index);
  pod.meta.labels = std::make_shared<const StringMap>(std::move(labels));
}

/// What only `below` has shows through, in objects and in the elements that both lists have.
void lay_over(Json& top, const Json& below) {
  if (top.is_object() && below.is_object())
    for (const auto& [key, value] : below.items()) {
      if (top.contains(key)) lay_over(top[key], value);
      else top[key] = value;
    }
  if (top.is_array() && below.is_array())
    for (std::size_t i = 0; i < std::min(top.size(), below.size()); ++i) lay_over(top[i], below[i]);
}

}  // namespace

Pod build_pod_without_index(const StatefulSet& set, const Shared<PodTemplate>& from, const Text& revision,
                            Ordinal ordinal) {
  Pod pod = build_pod(set, from, revision, ordinal);
  label_index(pod, from->labels.find(label_pod_index));
  return pod;
}

Pod build_pod_over_newest(const StatefulSet& set, const Shared<PodTemplate>& from, const Text& revision,
                          Ordinal ordinal) {
  const PodTemplate& newest = *set.spec->pod_template;
  if (*from == newest) return build_pod_without_index(set, from, revision, ordinal);
  Json mixed = Json::parse(from->document);
  lay_over(mixed, Json::parse(newest.document));
  return build_pod_without_index(set, make_template(mixed), revision, ordinal);
}

Pod repair_pod_without_index(const StatefulSet& set, const Pod& pod, Ordinal ordinal) {
  Pod repaired = repair_pod(set, pod, ordinal);
  if (repaired.meta.labels != nullptr) label_index(repaired, pod.meta.label(label_pod_index));
  return repaired;
}

}  // namespace ordeal::decide
