// Metadata, owners, volumes: the parts every object has.
#include "core/api/object_json.h"

#include <charconv>

#include "core/api/encode.h"

namespace ordeal {

namespace {

using nlohmann::json;

void read_time_field(const Field& field, std::optional<Time>& out) {
  Text text;
  field.read(text);
  if (text.empty()) return;
  const auto time = ordeal::read_time(text);
  if (time) out = *time;
  else field.fault("must be a time such as 2026-01-01T00:00:00Z");
}

void read_version(const Field& field, Version& out) {
  Text text;
  field.read(text);
  if (text.empty()) return;
  std::uint64_t number = 0;
  const std::string_view view = text.view();
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), number);
  if (error == std::errc{} && end == view.data() + view.size()) out = static_cast<Version>(number);
  else field.fault("must be a whole number in quotes");
}

void read_uid_field(const Field& field, Uid& out) {
  Text text;
  field.read(text);
  out = read_uid(text);
}

void read_owners(const Field& list, Owners& out) {
  if (!list.is_short_list()) return;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Field item = list[i];
    item.require();
    if (!item.is_map()) continue;
    item.only({"apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"});
    OwnerReference owner;
    for (const char* key : {"apiVersion", "kind", "name", "uid"}) item[key].require();
    item["apiVersion"].read(owner.api_version);
    item["kind"].read(owner.kind);
    item["name"].read(owner.name);
    read_uid_field(item["uid"], owner.uid);
    item["controller"].read(owner.controller);
    item["blockOwnerDeletion"].read(owner.block_owner_deletion);
    out.push_back(std::move(owner));
  }
}

/// An empty part is absent, as the API writes it.
template <class T>
Shared<T> unless_empty(T part) {
  return part.empty() ? nullptr : std::make_shared<const T>(std::move(part));
}

}  // namespace

const json& member_of(const json& map, const char* name) {
  static const json absent = nullptr;
  if (!map.is_object()) return absent;
  const auto found = map.find(name);
  return found == map.end() ? absent : *found;
}

std::string text_at(const json& map, const char* name) {
  const json& value = member_of(map, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

void read_meta(const Field& metadata, ObjectMeta& out, bool strict) {
  if (!metadata.is_map()) return;
  if (strict)
    metadata.only({"name", "namespace", "labels", "annotations", "ownerReferences", "finalizers", "uid",
                   "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
                   "deletionGracePeriodSeconds", "generateName", "managedFields", "selfLink"});
  metadata["name"].read(out.name);
  metadata["namespace"].read(out.ns);
  read_uid_field(metadata["uid"], out.uid);
  read_version(metadata["resourceVersion"], out.version);
  metadata["generation"].read(out.generation);
  std::optional<Time> created;
  read_time_field(metadata["creationTimestamp"], created);
  out.created = created.value_or(Time{});
  read_time_field(metadata["deletionTimestamp"], out.deletion);
  StringMap labels, annotations;
  metadata["labels"].read(labels);
  metadata["annotations"].read(annotations);
  Owners owners;
  read_owners(metadata["ownerReferences"], owners);
  std::vector<Text> finalizers;
  if (metadata["finalizers"].is_short_list()) metadata["finalizers"].read(finalizers);
  out.labels = unless_empty(std::move(labels));
  out.annotations = unless_empty(std::move(annotations));
  out.owners = unless_empty(std::move(owners));
  out.finalizers = unless_empty(std::move(finalizers));
}

bool from_json(const json& value, ObjectMeta& out, FieldErrors& errors) {
  const std::size_t errors_before = errors.size();
  const Field metadata(value, errors, "metadata");
  read_meta(metadata, out, /*strict=*/false);
  return errors.size() == errors_before;
}

bool from_json(const json& value, Owners& out, FieldErrors& errors) {
  const std::size_t errors_before = errors.size();
  const Field list(value, errors, "ownerReferences");
  read_owners(list, out);
  return errors.size() == errors_before;
}

json string_map_json(const StringMap& map) {
  json out = json::object();
  for (const auto& [key, value] : map) out[key.str()] = value.str();
  return out;
}

json texts_json(const std::vector<Text>& texts) {
  json out = json::array();
  for (const Text& text : texts) out.push_back(text.str());
  return out;
}

json to_json(const Owners& owners) {
  json out = json::array();
  for (const OwnerReference& owner : owners) {
    json item = {{"apiVersion", owner.api_version.str()},
                 {"kind", owner.kind.str()},
                 {"name", owner.name.str()},
                 {"uid", uid_text(owner.uid)}};
    // Some clients write what is false, and some leave it out: which, goes by whose the object is.
    if (owner.controller || static_cast<std::uint64_t>(owner.uid) % 2 == 1) item["controller"] = owner.controller;
    if (owner.block_owner_deletion) item["blockOwnerDeletion"] = true;
    out.push_back(std::move(item));
  }
  return out;
}

json meta_json(const ObjectMeta& meta) {
  json out = {{"name", meta.name.str()}};
  if (!meta.ns.empty()) out["namespace"] = meta.ns.str();
  if (meta.uid != Uid::none) out["uid"] = uid_text(meta.uid);
  if (meta.version != Version::none) out["resourceVersion"] = std::to_string(static_cast<std::uint64_t>(meta.version));
  if (meta.generation != 0) out["generation"] = meta.generation;
  const bool stored = meta.uid != Uid::none || meta.created != Time{};
  if (stored) out["creationTimestamp"] = time_text(meta.created);
  if (meta.deletion) out["deletionTimestamp"] = time_text(*meta.deletion);
  if (meta.labels && !meta.labels->empty()) out["labels"] = string_map_json(*meta.labels);
  if (meta.annotations && !meta.annotations->empty()) out["annotations"] = string_map_json(*meta.annotations);
  if (meta.owners && !meta.owners->empty()) out["ownerReferences"] = to_json(*meta.owners);
  if (meta.finalizers && !meta.finalizers->empty()) out["finalizers"] = texts_json(*meta.finalizers);
  return out;
}

Volume volume_of(const json& volume) {
  Volume out;
  FieldErrors reported_elsewhere;
  const Field field(volume, reported_elsewhere);
  field["name"].read(out.name);
  const Field source = field["persistentVolumeClaim"];
  source["claimName"].read(out.claim);
  const bool plain = !out.claim.empty() && volume.size() == 2 &&
                     (source.value().size() == 1 || (source.value().size() == 2 && source["readOnly"].present() &&
                                                     source["readOnly"].value() == false));
  if (!plain) out.json = go_encode(volume);
  return out;
}

json volume_json(const Volume& volume) {
  if (volume.json.empty())
    return {{"name", volume.name.str()}, {"persistentVolumeClaim", {{"claimName", volume.claim.str()}}}};
  return json::parse(volume.json.view(), nullptr, /*allow_exceptions=*/false);
}

}  // namespace ordeal
