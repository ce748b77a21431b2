// What a request comes to: patches are updates, and some updates are patches of owners.
//
// A patch is applied to the JSON of the object that it is meant for. Of the result only what an update may change is
// taken, and what it may not change has to be what it was; the status of a pod, and what the server itself sets, are
// passed over, as a server does. Covered by resolve_test.cpp.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/api/object_json.h"
#include "core/cluster/admission.h"
#include "core/cluster/admitted.h"
#include "core/cluster/cluster.h"
#include "core/cluster/meant.h"
#include "core/cluster/patch.h"
#include "core/cluster/update.h"

namespace ordeal {

namespace {

using nlohmann::json;

// --- what a patch says of metadata ---------------------------------------------------------------------------------------

std::string path_in(const json& operation, const char* member = "path") {
  const json& path = member_of(operation, member);
  return path.is_string() ? path.get<std::string>() : std::string("?");
}

bool speaks_of(const json& document, const std::string& member) {
  if (document.is_object()) return member_of(document, "metadata").is_object() && document["metadata"].contains(member);
  const std::string way = "/metadata/" + member;
  const auto touches = [&](const std::string& path) {
    return path.empty() || path == "/metadata" || path == way || path.starts_with(way + "/");
  };
  return std::ranges::any_of(document, [&](const json& operation) {
    return touches(path_in(operation)) || (member_of(operation, "op") == "move" && touches(path_in(operation, "from")));
  });
}

/// What it gives the member, or tests it for; null when it says nothing.
json said_of(const json& document, const char* member) {
  if (document.is_object()) return member_of(member_of(document, "metadata"), member);
  json said;
  for (const json& operation : document)
    if (path_in(operation) == std::string("/metadata/") + member) said = member_of(operation, "value");
  return said;
}

/// Takes an owner away, by strategic merge, be it there or not.
bool drops_an_owner(const json& document) {
  const json owners = said_of(document, "ownerReferences");
  return owners.is_array() && std::ranges::any_of(owners, [](const json& owner) {
           return owner.is_object() && member_of(owner, "$patch") == "delete";
         });
}

/// A patch, and the object that it is meant for: one of none is for whichever there is.
struct Asked {
  json document;
  ObjectMeta meant;  // version and UID
  bool of_owners = false, drops_owner = false;

  bool names_one() const { return meant.version != Version::none || meant.uid != Uid::none; }
};

std::optional<Asked> read_patch(const Patch& patch) {
  Asked asked{.document = json::parse(*patch.json, nullptr, /*allow_exceptions=*/false),
              .meant = {},
              .of_owners = false,
              .drops_owner = false};
  json named;
  for (const char* member : {"uid", "resourceVersion"}) named[member] = said_of(asked.document, member);
  FieldErrors errors;
  read_meta(Field(named, errors), asked.meant, /*strict=*/false);
  asked.of_owners = speaks_of(asked.document, "ownerReferences");
  asked.drops_owner = drops_an_owner(asked.document);
  return errors.empty() ? std::optional(std::move(asked)) : std::nullopt;
}

// --- what it is applied to -----------------------------------------------------------------------------------------------

/// The object of that UID, whatever its name; null when there never was one.
template <class T>
const T* find_incarnation(const Store<T>& store, Uid uid) {
  for (const Change<T>& change : store.log())
    if (change.after != nullptr && change.after->meta.uid == uid) return change.after;
  return nullptr;
}

/// As a client is shown it.
template <class T>
json shown(const T& object) {
  json whole = seen_by_clients(object);
  if (object.meta.ns.empty()) whole["metadata"]["namespace"] = "default";
  if constexpr (std::is_same_v<T, StatefulSet>) whole["status"] = to_json(object.status);  // also where it is all zeros
  return whole;
}

/// `before` as the patch leaves it; null when it cannot be applied, or would make another object of it.
json applied(const json& before, PatchType type, const json& document) {
  json after = before;
  if (!apply_patch(after, type, document) || !member_of(after, "metadata").is_object()) return nullptr;
  for (const char* fixed : {"name", "namespace", "uid"})
    if (member_of(after["metadata"], fixed) != member_of(before["metadata"], fixed)) return nullptr;
  return after;
}

/// The server drops a reference that is there already.
Shared<Owners> without_repetition(const Shared<Owners>& owners) {
  if (!owners) return nullptr;
  Owners once;
  for (const OwnerReference& owner : *owners)
    if (std::ranges::find(once, owner) == once.end()) once.push_back(owner);
  return std::make_shared<const Owners>(std::move(once));
}

/// The object as the patch leaves what an update may change of it; nothing when it would change more, or cannot be
/// applied.
template <class T>
std::optional<T> patched(const T& base, PatchType type, const json& document) {
  const json before = shown(base), after = applied(before, type, document);
  T read;
  FieldErrors errors;
  const bool same_rest =
      member_of(before, "spec") == member_of(after, "spec") && member_of(before, "data") == member_of(after, "data");
  if (after.is_null() || !same_rest || !from_json(after, read, errors)) return std::nullopt;
  if constexpr (std::is_same_v<T, Claim>) take_for_stored(read, base);
  T wanted = base;
  take_changes(wanted, read);
  wanted.meta.owners = without_repetition(wanted.meta.owners);
  return wanted;
}

// --- owners --------------------------------------------------------------------------------------------------------------

/// The patch of owners that leads from one list to the other, in whatever order, if one does.
std::optional<OwnerPatch> between(std::span<const OwnerReference> before, std::span<const OwnerReference> wanted) {
  const Owners held(before.begin(), before.end());
  const auto leads = [&](const OwnerPatch& patch) {
    const Shared<Owners> made = owners_after(&held, patch);
    return std::ranges::is_permutation(
        made ? std::span<const OwnerReference>(*made) : std::span<const OwnerReference>(), wanted);
  };
  const auto missing_in = [](std::span<const OwnerReference> list) {
    return [list](const OwnerReference& owner) { return std::ranges::find(list, owner) == list.end(); };
  };
  const auto is_appended =
      [&](const OwnerReference& added) {  // also where one of the same UID is there, which controls nothing
        Owners longer = held;
        longer.push_back(added);
        return std::ranges::is_permutation(longer, wanted);
      };
  if (const auto added = std::ranges::find_if(wanted, missing_in(before)); added != wanted.end())
    if (OwnerPatch patch{.add = *added}; leads(patch) || is_appended(*added)) return patch;
  if (const auto gone = std::ranges::find_if(before, missing_in(wanted)); gone != before.end())
    if (OwnerPatch patch{.remove = gone->uid}; leads(patch)) return patch;
  return std::nullopt;
}

/// What was done before: an owner that is there comes, or one that is not goes.
OwnerPatch repeated(const ObjectMeta& held, bool drops) {
  const OwnerReference* controller = held.controller();
  return controller != nullptr && !drops ? OwnerPatch{.add = *controller} : OwnerPatch{.remove = Uid::none};
}

/// What an update comes to that does nothing but add an owner or drop one; and one that does nothing, if it was to.
template <class T>
std::optional<OwnerPatch> owners_by_update(const T& before, const T& wanted, bool of_owners, bool drops) {
  const bool keeps_owners = alike(wanted.meta.owners, before.meta.owners);
  if (keeps_owners && !of_owners) return std::nullopt;  // most updates
  T other = wanted;
  other.meta.owners = before.meta.owners;  // whether these are right is seen when it is carried out
  if (!changes_nothing(other, before) || !objection_to(other, before).empty()) return std::nullopt;
  return keeps_owners ? repeated(before.meta, drops) : between(owners_of(before.meta), owners_of(wanted.meta));
}

void make_patch_of_owners(Request& request, OwnerPatch patch) {
  request.verb = Verb::patch_owners;
  request.body = std::move(patch);
}

}  // namespace

void Cluster::resolve(Request& request) const {
  if (request.verb == Verb::update && request.kind == Kind::pod) return resolve_update<Pod>(request);
  if (request.verb == Verb::update && request.kind == Kind::claim) return resolve_update<Claim>(request);
  if (request.verb == Verb::update && request.kind == Kind::revision) return resolve_update<Revision>(request);
  if (request.verb != Verb::patch || request.refused) return;
  if (std::holds_alternative<Apply>(request.body)) return resolve_apply(request);
  switch (request.kind) {
    case Kind::set: return resolve_status(request);
    case Kind::pod: return resolve_patch<Pod>(request);
    case Kind::claim: return resolve_patch<Claim>(request);
    case Kind::revision: return resolve_patch<Revision>(request);
  }
}

template <class T>
void Cluster::resolve_update(Request& request) const {
  T* wanted = std::get_if<T>(&request.body);
  const T* base = wanted != nullptr ? find_meant(store<T>(), request.name, request.version, request.uid) : nullptr;
  if constexpr (!std::is_same_v<T, Revision>) {  // a pod may be renamed, and either may have gone
    const T* original = base == nullptr && wanted != nullptr ? find_incarnation(store<T>(), wanted->meta.uid) : base;
    if (original != nullptr) take_for_stored(*wanted, *original);
  }
  if (base == nullptr || std::is_same_v<T, Claim>) return;  // nobody adopts a claim
  std::optional<OwnerPatch> owners = owners_by_update(*base, *wanted, false, false);
  if (!owners) return;
  const bool names_one = request.version != Version::none || request.uid != Uid::none;
  owners->object_uid = names_one ? base->meta.uid : Uid::none;
  make_patch_of_owners(request, std::move(*owners));
}

/// One that names no version is made for the one it finds. Nobody adopts a claim: its owners are those of the policy,
/// and come by updates.
template <class T>
void Cluster::resolve_patch(Request& request) const {
  const PatchType type = request.patch().type;
  const std::optional<Asked> asked = read_patch(request.patch());
  if (!asked) return;
  request.version = asked->meant.version;
  const T *base = find_meant(store<T>(), request.name, asked->meant.version, asked->meant.uid),
          *stored = store<T>().find(request.name);
  const std::optional<T> wanted = base != nullptr ? patched(*base, type, asked->document) : std::nullopt;
  const bool is_another = stored != nullptr && (base == nullptr || stored->meta.uid != base->meta.uid);
  const bool fails_now =
      stored != nullptr && !is_another && applied(shown(*stored), type, asked->document).is_null();  // a test, say
  if (fails_now) request.version = Version::none;
  if constexpr (!std::is_same_v<T, Claim>) {
    std::optional<OwnerPatch> owners;
    if (wanted) owners = owners_by_update(*base, *wanted, asked->of_owners, asked->drops_owner);
    if (owners) owners->object_uid = asked->names_one() ? base->meta.uid : Uid::none;
    else if (asked->of_owners && (!wanted || fails_now || is_another)) owners.emplace();
    if (owners) {
      owners->applies = !fails_now;
      return make_patch_of_owners(request, std::move(*owners));
    }
  }
  // Of one that is another by now a patch that names a version changes nothing, just as an update does.
  if (!wanted || (is_another && request.version == Version::none) || fails_now) return;
  if (request.version == Version::none) request.version = base->meta.version;
  request.verb = Verb::update;
  request.partial = true;
  request.body = *wanted;
}

void Cluster::resolve_status(Request& request) const {
  const PatchType type = request.patch().type;
  const std::optional<Asked> asked = read_patch(request.patch());
  if (!asked) return;
  request.version = asked->meant.version;
  const StatefulSet* base = find_meant(sets_, request.name, asked->meant.version, asked->meant.uid);
  const StatefulSet* stored = sets_.find(request.name);
  if (base == nullptr || (stored != nullptr && stored->meta.uid != base->meta.uid)) return;
  const json after = applied(shown(*base), type, asked->document);
  StatefulSetStatus status;
  FieldErrors errors;
  const bool fails_now = stored != nullptr && applied(shown(*stored), type, asked->document).is_null();
  if (fails_now) request.version = Version::none;
  if (fails_now || after.is_null() || !from_json(member_of(after, "status"), status, errors)) return;
  if (request.version == Version::none) request.version = base->meta.version;
  ObjectMeta meta;
  if (from_json(member_of(after, "metadata"), meta, errors))
    request.meta = std::make_shared<const ObjectMeta>(std::move(meta));
  request.verb = Verb::update_status;
  request.partial = true;
  request.body = std::move(status);
}

}  // namespace ordeal
