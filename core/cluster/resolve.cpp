// What a request comes to: patches are updates of what is stored, and some updates are patches of owners.
//
// A patch is applied to the JSON of what is stored. Of the result only what an update may change is taken, and what it may not
// change has to be what it was; the status of a pod, and what the server itself sets, are passed over, as a server does.
// Covered by resolve_test.cpp.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/api/object_json.h"
#include "core/cluster/admission.h"
#include "core/cluster/cluster.h"
#include "core/cluster/patch.h"
#include "core/cluster/update.h"

namespace ordeal {

namespace {

using nlohmann::json;

/// A member of a map, or null.
const json& part(const json& object, const char* name) {
  static const json absent = nullptr;
  if (!object.is_object()) return absent;
  const auto found = object.find(name);
  return found == object.end() ? absent : *found;
}

bool names_the_same(const json& before, const json& after) {
  const json &was = part(before, "metadata"), &is = part(after, "metadata");
  return is.is_object() && part(was, "name") == part(is, "name") && part(was, "namespace") == part(is, "namespace") && part(was, "uid") == part(is, "uid");
}

/// `before` as the patch leaves it; null when it cannot be applied, or would make another object of it.
json applied(const json& before, const Patch& patch) {
  json after = before;
  const json asked = json::parse(*patch.json, nullptr, /*allow_exceptions=*/false);
  const bool fits = apply_patch(after, patch.type, asked) && after.is_object() && names_the_same(before, after);
  return fits ? after : json();
}

/// The version that a result names; nothing when it is none, or the result is null.
std::optional<Version> version_in(const json& after) {
  if (after.is_null()) return std::nullopt;
  ObjectMeta meta;
  FieldErrors errors;
  read_meta(Field(part(after, "metadata"), errors), meta, /*strict=*/false);
  return errors.empty() ? std::optional(meta.version) : std::nullopt;
}

/// That version of an object: what is stored, or what was; null when it never was. None is any.
template <class T>
const T* version_of(const Store<T>& store, const T& stored, Version version) {
  if (version == Version::none || version == stored.meta.version) return &stored;
  const auto is_it = [&](const Change<T>& change) {
    return change.after != nullptr && change.after->meta.version == version && change.after->meta.name == stored.meta.name;
  };
  const auto at = std::ranges::find_if(store.log(), is_it);
  return at != store.log().end() ? at->after : nullptr;
}

/// A set with its status, also where that is all zeros.
json with_status(const StatefulSet& set) {
  json whole = to_json(set);
  whole["status"] = to_json(set.status);
  return whole;
}

/// Whether a patch has something to say of this member of metadata.
bool speaks_of(const Patch& patch, const std::string& name) {
  const json asked = json::parse(*patch.json, nullptr, /*allow_exceptions=*/false);
  const std::string way = "/metadata/" + name;
  const auto leads_there = [&](const json& one) {
    const std::string path = part(one, "path").is_string() ? part(one, "path").get<std::string>() : std::string();
    return path == way || path.starts_with(way + "/");
  };
  return asked.is_array() ? std::ranges::any_of(asked, leads_there) : !part(part(asked, "metadata"), name.c_str()).is_null();
}

/// The object that was seen can be meant, and none that bears its name since.
bool names_incarnation(const Request& request) {
  if (request.verb == Verb::update) return request.version != Version::none || request.uid != Uid::none;
  return speaks_of(request.patch(), "uid") || speaks_of(request.patch(), "resourceVersion");
}

bool asks_for_owners(const Request& request) { return request.verb == Verb::patch && speaks_of(request.patch(), "ownerReferences"); }

/// What was done before: an owner that is there comes, or one that is not goes.
OwnerPatch repeated(const ObjectMeta& stored) {
  const OwnerReference* controller = stored.controller();
  return controller != nullptr ? OwnerPatch{.add = *controller} : OwnerPatch{.remove = Uid::none};
}

/// The patch of owners that leads from one list to the other, if one does.
std::optional<OwnerPatch> between(std::span<const OwnerReference> before, std::span<const OwnerReference> wanted) {
  const Owners held(before.begin(), before.end());
  const auto leads = [&](const OwnerPatch& patch) {
    const Shared<Owners> made = owners_after(&held, patch);
    return std::ranges::equal(made ? std::span<const OwnerReference>(*made) : std::span<const OwnerReference>(), wanted);
  };
  const auto missing_in = [](std::span<const OwnerReference> list) {
    return [list](const OwnerReference& owner) { return std::ranges::find(list, owner) == list.end(); };
  };
  if (const auto added = std::ranges::find_if(wanted, missing_in(before)); added != wanted.end())
    if (OwnerPatch patch{.add = *added}; leads(patch)) return patch;
  if (const auto gone = std::ranges::find_if(before, missing_in(wanted)); gone != before.end())
    if (OwnerPatch patch{.remove = gone->uid}; leads(patch)) return patch;
  return std::nullopt;
}

std::span<const OwnerReference> owners_of(const ObjectMeta& meta) {
  return meta.owners ? std::span<const OwnerReference>(*meta.owners) : std::span<const OwnerReference>();
}

}  // namespace

void Cluster::resolve(Request& request) const {
  if (request.verb != Verb::patch && request.verb != Verb::update) return;
  switch (request.kind) {
    case Kind::set: return resolve_status(request);
    case Kind::pod: return resolve_owned<Pod>(request);
    case Kind::claim: return resolve_patch<Claim>(request);  // nobody adopts a claim: its owners are those of the policy
    case Kind::revision: return resolve_owned<Revision>(request);
  }
}

template <class T>
void Cluster::resolve_owned(Request& request) const {
  const bool of_one = names_incarnation(request), of_owners = asks_for_owners(request);
  resolve_patch<T>(request);
  std::optional<OwnerPatch> patch = request.verb == Verb::update ? owners_by_update<T>(request, of_owners) : std::nullopt;
  if (patch) patch->object_uid = of_one ? store<T>().find(request.name)->meta.uid : Uid::none;
  if (request.verb == Verb::patch && of_owners) patch.emplace();  // it came to nothing
  if (!patch) return;
  request.verb = Verb::patch_owners;
  request.body = std::move(*patch);
}

/// Made for the version that it names, also where that is stale and it will be refused: this is what was asked for. One that
/// names none is made for the version it finds.
template <class T>
void Cluster::resolve_patch(Request& request) const {
  const T* base = request.verb == Verb::patch ? store<T>().find(request.name) : nullptr;
  if (base == nullptr) return;
  json before = to_json(*base), after = applied(before, request.patch());
  const std::optional<Version> version = version_in(after);
  if (!version) return;
  request.version = *version;
  base = version_of(store<T>(), *base, *version);
  if (base == nullptr) return;
  before = to_json(*base), after = applied(before, request.patch());
  T read;
  FieldErrors errors;
  if (after.is_null() || !from_json(after, read, errors)) return;
  if (part(before, "spec") != part(after, "spec") || part(before, "data") != part(after, "data")) return;
  T wanted = *base;
  take_changes(wanted, read);
  request.verb = Verb::update;
  request.body = std::move(wanted);
}

void Cluster::resolve_status(Request& request) const {
  const StatefulSet* base = request.verb == Verb::patch ? sets_.find(request.name) : nullptr;
  if (base == nullptr) return;
  const std::optional<Version> version = version_in(applied(with_status(*base), request.patch()));
  if (!version) return;
  request.version = *version;
  base = version_of(sets_, *base, *version);
  const json after = base != nullptr ? applied(with_status(*base), request.patch()) : json();
  StatefulSetStatus status;
  FieldErrors errors;
  if (after.is_null() || !from_json(part(after, "status"), status, errors)) return;
  request.verb = Verb::update_status;
  request.body = std::move(status);
}

/// What an update comes to that does nothing but add an owner or drop one; and one that does nothing, if it was to.
template <class T>
std::optional<OwnerPatch> Cluster::owners_by_update(const Request& request, bool of_owners) const {
  const T* wanted = std::get_if<T>(&request.body);
  const T* stored = wanted != nullptr ? store<T>().find(request.name) : nullptr;
  if (stored == nullptr || conflicts(stored->meta, request.version, request.uid)) return std::nullopt;
  T other = *wanted;
  other.meta.owners = stored->meta.owners;  // whether these are right is seen when it is carried out
  if (!changes_nothing(other, *stored) || !may_update(other, *stored)) return std::nullopt;
  if (!alike(wanted->meta.owners, stored->meta.owners)) return between(owners_of(stored->meta), owners_of(wanted->meta));
  return of_owners ? std::optional(repeated(stored->meta)) : std::nullopt;
}

}  // namespace ordeal
