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

/// Whether only the object that was seen can be meant, and none that bears its name since.
bool names_incarnation(const Request& request) {
  if (request.verb == Verb::update) return request.version != Version::none || request.uid != Uid::none;
  return speaks_of(request.patch(), "uid") || speaks_of(request.patch(), "resourceVersion");
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
  const bool is_of_one = names_incarnation(request);
  resolve_patch<T>(request);
  if (request.verb == Verb::update) return resolve_owners<T>(request, is_of_one);
  if (!speaks_of(request.patch(), "ownerReferences")) return;
  request.verb = Verb::patch_owners;  // one of owners came to nothing
  request.body = OwnerPatch{};
}

/// A patch without a version is made for the one it finds.
template <class T>
void Cluster::resolve_patch(Request& request) const {
  const T* stored = request.verb == Verb::patch ? store<T>().find(request.name) : nullptr;
  if (stored == nullptr) return;
  const json before = to_json(*stored), after = applied(before, request.patch());
  T read;
  FieldErrors errors;
  if (after.is_null() || !from_json(after, read, errors)) return;
  request.version = read.meta.version;
  if (part(before, "spec") != part(after, "spec") || part(before, "data") != part(after, "data")) return;
  T wanted = *stored;
  take_changes(wanted, read);
  request.verb = Verb::update;
  request.body = std::move(wanted);
}

void Cluster::resolve_status(Request& request) const {
  const StatefulSet* stored = request.verb == Verb::patch ? sets_.find(request.name) : nullptr;
  if (stored == nullptr) return;
  json before = to_json(*stored);
  before["status"] = to_json(stored->status);  // also where it is all zeros
  const json after = applied(before, request.patch());
  StatefulSetStatus status;
  ObjectMeta meta;
  FieldErrors errors;
  if (after.is_null() || !from_json(part(after, "status"), status, errors)) return;
  read_meta(Field(part(after, "metadata"), errors), meta, /*strict=*/false);
  if (!errors.empty()) return;
  request.verb = Verb::update_status;
  request.version = meta.version;
  request.body = std::move(status);
}

/// An update that does nothing but add an owner or drop one. `is_of_one`: it was meant for this incarnation alone.
template <class T>
void Cluster::resolve_owners(Request& request, bool is_of_one) const {
  const T* wanted = request.verb == Verb::update ? std::get_if<T>(&request.body) : nullptr;
  const T* stored = wanted != nullptr ? store<T>().find(request.name) : nullptr;
  if (stored == nullptr || alike(wanted->meta.owners, stored->meta.owners)) return;
  T other = *wanted;
  other.meta.owners = stored->meta.owners;
  if (!changes_nothing(other, *stored) || !may_update(*wanted, *stored) || conflicts(stored->meta, request.version, request.uid)) return;
  std::optional<OwnerPatch> patch = between(owners_of(stored->meta), owners_of(wanted->meta));
  if (!patch) return;
  patch->object_uid = is_of_one ? stored->meta.uid : Uid::none;
  request.verb = Verb::patch_owners;
  request.body = std::move(*patch);
}

}  // namespace ordeal
