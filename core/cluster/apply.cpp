// What an apply comes to: a creation, what an update of the object would come to, a write of the status, a read where
// all is so already, or a refusal.
//
// It is worked out against what is stored when the request is carried out, so a trial treats it as it treats the other
// request: the same faults, the same judges. Of a set the status alone is looked at, of everything else all but the
// status, as the API server's own strategies have it. Covered by apply_test.cpp.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/api/names.h"
#include "core/api/object_json.h"
#include "core/cluster/admission.h"
#include "core/cluster/admitted.h"
#include "core/cluster/cluster.h"
#include "core/cluster/managers.h"
#include "core/cluster/meant.h"
#include "core/cluster/update.h"

namespace ordeal {

/// An apply that has been read.
struct Cluster::Wish {
  std::string manager;
  bool forces = false;
  nlohmann::json config;
  Shared<Request> creation;
  Text unreadable;
  Version version = Version::none;  // that it names
  Uid uid = Uid::none;
};

namespace {

using nlohmann::json;

// --- refusals ------------------------------------------------------------------------------------------------------------

void refuse(Request& request, Reply reply) { request.refused = std::make_shared<const Reply>(std::move(reply)); }
void refuse(Request& request, Code code, Text why) { refuse(request, Reply{.code = code, .why = std::move(why)}); }

struct Type {
  std::string_view version, kind;
};
Type type_of(Kind kind) {
  switch (kind) {
    case Kind::set: return {"apps/v1", "StatefulSet"};
    case Kind::pod: return {"v1", "Pod"};
    case Kind::claim: return {"v1", "PersistentVolumeClaim"};
    case Kind::revision: break;
  }
  return {"apps/v1", "ControllerRevision"};
}

Text sentence_of(const std::vector<FieldConflict>& conflicts) {
  std::string text = "Apply failed with " + std::to_string(conflicts.size()) + " conflict";
  if (conflicts.size() > 1) text += "s";
  for (const FieldConflict& conflict : conflicts)
    text += std::string(&conflict == &conflicts.front() ? ": " : ", ") + "conflict with \"" + conflict.manager.str() +
            "\": " + conflict.field.str();
  return text;
}

constexpr std::size_t longest_manager = 128;
bool is_printable(const std::string& text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != '\x7f'; });
}

/// What is wrong with an apply whatever is stored; `name` and `ns` are those of its path.
Reply objection_to_request(Kind kind, const std::string& name, const std::string& ns, const std::string& manager,
                           const json& config) {
  const json& metadata = member_of(config, "metadata");
  const std::string said_name = text_at(metadata, "name"), said_ns = text_at(metadata, "namespace"),
                    type = text_at(config, "apiVersion") + ", Kind=" + text_at(config, "kind");
  const auto bad = [](std::string why) { return Reply{.code = Code::bad_request, .why = Text(why)}; };
  if (manager.empty()) return {.code = Code::invalid, .why = "fieldManager: is required for apply patch"};
  if (manager.size() > longest_manager || !is_printable(manager))
    return {.code = Code::invalid, .why = "fieldManager: must be printable, and of at most 128 characters"};
  if (text_at(config, "apiVersion") != type_of(kind).version || text_at(config, "kind") != type_of(kind).kind)
    return bad("invalid object type: " + type);
  for (const char* map : {"metadata", "status"})
    if (const json& value = member_of(config, map); !value.is_null() && !value.is_object())
      return {.code = Code::internal,
              .why = Text(std::string("failed to create typed patch object: .") + map + ": expected map")};
  if (!member_of(metadata, "managedFields").is_null()) return bad("metadata.managedFields must be nil");
  if (std::string fault = fault_in_lists(config); !fault.empty())
    return {.code = Code::internal, .why = Text("failed to create typed patch object: " + fault)};
  if (!said_ns.empty() && said_ns != ns) return bad("the namespace of the object does not match that of the request");
  if (!said_name.empty() && said_name != name)
    return bad("the name of the object (" + said_name + ") does not match the name on the URL (" + name + ")");
  return {};
}

// --- what of an object is managed ------------------------------------------------------------------------------------------

/// Nobody manages these; they are the server's.
constexpr const char* fixed_metadata[] = {
    "name",       "namespace",     "creationTimestamp", "selfLink",          "uid",
    "generation", "managedFields", "resourceVersion",   "deletionTimestamp", "deletionGracePeriodSeconds"};

template <class T>
json managed_part(json whole) {
  if constexpr (std::is_same_v<T, StatefulSet>) {
    const json& status = member_of(whole, "status");
    return {{"status", status.is_object() ? status : json::object()}};
  } else {
    for (const char* member : {"apiVersion", "kind", "status"}) whole.erase(member);
    if (member_of(whole, "metadata").is_object())
      for (const char* member : fixed_metadata) whole["metadata"].erase(member);
    return whole;
  }
}

template <class T>
json managed_part(const T& object) {
  if constexpr (std::is_same_v<T, StatefulSet>) return {{"status", to_json(object.status)}};
  else return managed_part<T>(seen_by_clients(object));
}

/// The object of which this part is managed.
template <class T>
json whole_of(const T& object, json part) {
  const json held = seen_by_clients(object);
  for (const char* member : {"apiVersion", "kind", "status"})
    if (held.contains(member)) part[member] = held[member];
  for (const char* member : fixed_metadata)
    if (held["metadata"].contains(member)) part["metadata"][member] = held["metadata"][member];
  return part;
}

/// Makes the request the write of what came of an apply; or says what is wrong with that. What may not change is read
/// again only where it is to change.
template <class T>
FieldErrors take_result(Request& request, const T& base, const json& before, const json& document) {
  FieldErrors errors;
  if constexpr (std::is_same_v<T, StatefulSet>) {
    StatefulSetStatus status;
    if (!from_json(without_nulls(member_of(document, "status")), status, errors)) return errors;
    request.verb = Verb::update_status;
    request.body = std::move(status);
  } else {
    T read;
    if (!from_json(whole_of(base, without_nulls(document)), read, errors)) return errors;
    if constexpr (std::is_same_v<T, Claim>) take_for_stored(read, base);
    T wanted = base;
    take_changes(wanted, read);
    const bool same_rest = member_of(before, "spec") == member_of(document, "spec") &&
                           member_of(before, "data") == member_of(document, "data");
    request.verb = Verb::update;
    request.body = same_rest ? std::move(wanted) : std::move(read);
  }
  return errors;
}

template <class T>
bool changes(const Request& request, const T& base) {
  if constexpr (std::is_same_v<T, StatefulSet>) return request.status() != base.status;
  else if (request.verb == Verb::patch_owners)
    return !alike(owners_after(base.meta.owners.get(), request.owner_patch()), base.meta.owners);
  else return !changes_nothing(std::get<T>(request.body), base);
}

/// The owner that is to be there, when a configuration says nothing else of the object; a claim is adopted by nobody.
template <class T>
std::optional<OwnerReference> adoption_in(const json& config) {
  if constexpr (!std::is_same_v<T, Pod> && !std::is_same_v<T, Revision>) return std::nullopt;
  json rest = config;
  if (member_of(rest, "metadata").is_object())
    for (const char* member : fixed_metadata) rest["metadata"].erase(member);
  for (const char* member : {"apiVersion", "kind"}) rest.erase(member);
  Owners owners;
  FieldErrors errors;
  const bool is_all = rest.size() == 1 && member_of(rest, "metadata").size() == 1;
  if (!is_all || !from_json(member_of(rest["metadata"], "ownerReferences"), owners, errors)) return std::nullopt;
  return owners.size() == 1 ? std::optional(owners.front()) : std::nullopt;
}

/// Nothing is to change, and nobody's fields are: it only makes sure, and the answer is the object.
void make_read(Request& request) {
  request.verb = Verb::get;
  request.body = std::monostate();
}

/// It leaves something of the object as it was.
bool is_partial(const Applied& applied, const std::string& manager) {
  const auto said = applied.managers.applied.find(manager);
  return said == applied.managers.applied.end() || !std::ranges::includes(said->second, fields_of(applied.document));
}

template <class T>
bool looks_the_same(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, StatefulSet>) return a.status == b.status;
  else if constexpr (std::is_same_v<T, Pod>)
    return changes_nothing(a, b) && alike(a.volumes, b.volumes) && a.node == b.node;
  else if constexpr (std::is_same_v<T, Claim>) return changes_nothing(a, b) && same(a.spec, b.spec);
  else return changes_nothing(a, b);
}

}  // namespace

/// Those that came with the last apply, and what others have written since. A set's creation writes no status.
template <class T>
Managers Cluster::managers_of(const T& object) const {
  std::vector<const T*> versions{&object};  // back to the one that came with these managers
  const auto& log = store<T>().log();
  for (auto change = log.rbegin(); change != log.rend(); ++change) {
    const T* held = change->after;
    if (held == nullptr || held->meta.uid != object.meta.uid || held->meta.version >= object.meta.version) continue;
    if (held->meta.managers != object.meta.managers) break;
    versions.push_back(held);
  }
  Managers managers;
  if (object.meta.managers) managers = *object.meta.managers;
  else if (!std::is_same_v<T, StatefulSet>) managers = managers_before_any_apply(managed_part(*versions.back()));
  for (std::size_t i = versions.size() - 1; i > 0; --i)
    if (!looks_the_same(*versions[i], *versions[i - 1]))
      note_update(managers, managed_part(*versions[i]), managed_part(*versions[i - 1]));
  return managers;
}

void Cluster::resolve_apply(Request& request) const {
  const Apply& asked = std::get<Apply>(request.body);
  Wish wish{.manager = asked.manager.str(),
            .forces = asked.forces,
            .config = json::parse(*asked.json),
            .creation = asked.creation,
            .unreadable = asked.unreadable};
  const std::string_view path = request.name.view();
  const std::size_t slash = path.find('/');  // behind another namespace
  const std::string ns = slash != path.npos ? std::string(path.substr(0, slash)) : ns_.empty() ? "default" : ns_.str();
  if (Reply reply =
          objection_to_request(request.kind, std::string(path.substr(slash + 1)), ns, wish.manager, wish.config);
      !reply.ok())
    return refuse(request, std::move(reply));
  ObjectMeta named;
  FieldErrors errors;
  const json& metadata = member_of(wish.config, "metadata");
  const json conditions = {{"uid", member_of(metadata, "uid")},
                           {"resourceVersion", member_of(metadata, "resourceVersion")}};
  read_meta(Field(conditions, errors), named, /*strict=*/false);
  if (!errors.empty()) return refuse(request, Code::invalid, errors.front().text());
  wish.version = named.version;
  wish.uid = named.uid;
  with_type(request.kind, [&]<class T>(std::type_identity<T>) {
    const T* stored = store<T>().find(request.name);
    if (stored == nullptr && wish.uid == Uid::none) return resolve_apply_to_none<T>(request, wish);
    const T* meant = find_meant(store<T>(), request.name, wish.version, wish.uid);
    if (meant == nullptr) meant = stored;
    if (meant != nullptr) resolve_apply_to<T>(request, *meant, wish);
    if (request.refused || request.kind == Kind::set) return;
    if (stored == nullptr) refuse(request, Code::conflict, "uid mismatch: no existing object was found");
    else if (wish.version == Version::none && conflicts(stored->meta, Version::none, wish.uid))
      refuse(request, Code::invalid, "metadata.uid: must not be changed; the object is another one of this name");
  });
}

/// A resourceVersion is passed over here, as an API server does.
template <class T>
void Cluster::resolve_apply_to_none(Request& request, const Wish& wish) const {
  if (request.kind == Kind::set) return;  // nobody makes a set by its status
  if (text_at(member_of(wish.config, "metadata"), "name").empty())
    return refuse(request, Code::bad_request, "name must be provided");
  if (!wish.creation) return refuse(request, Code::invalid, wish.unreadable);
  Applied applied = apply(json::object(), {}, managed_part<T>(wish.config), wish.manager, false);
  request.verb = Verb::create;
  request.body = wish.creation->body;
  request.managers = std::make_shared<const Managers>(std::move(applied.managers));
}

/// The object that is meant may be stale, or gone: it then says what was wanted, and the answer is a refusal.
template <class T>
void Cluster::resolve_apply_to(Request& request, const T& base, const Wish& wish) const {
  const Managers before = managers_of(base);
  const json live = managed_part(base);
  const Applied applied = apply(live, before, managed_part<T>(wish.config), wish.manager, wish.forces);
  if (const FieldErrors errors = take_result(request, base, live, applied.document); !errors.empty())
    return refuse(request, Code::invalid, errors.front().text());
  const auto adoption = adoption_in<T>(wish.config);  // it may have been told of that by nobody
  const bool is_so = !changes(request, base) && applied.managers == before && applied.conflicts.empty();
  if (is_so && !adoption && &base == store<T>().find(request.name)) return make_read(request);
  request.version = wish.version != Version::none ? wish.version : base.meta.version;
  request.partial = is_partial(applied, wish.manager);
  if constexpr (!std::is_same_v<T, StatefulSet>) resolve_as_update(request, base, wish, adoption);
  if (changes(request, base) || applied.managers != before)
    request.managers = std::make_shared<const Managers>(applied.managers);
  if (!applied.conflicts.empty())
    refuse(request, {.code = Code::conflict,
                     .why = sentence_of(applied.conflicts),
                     .managed_by = std::make_shared<const std::vector<FieldConflict>>(applied.conflicts)});
}

/// As a PUT of the whole would come to; but that it takes of an object only what may change, as a patch does, that an
/// adoption is one also when it was made before, and that one which names no object is for whatever bears the name.
template <class T>
void Cluster::resolve_as_update(Request& request, const T& base, const Wish& wish,
                                const std::optional<OwnerReference>& adoption) const {
  request.uid = base.meta.uid;
  resolve(request);
  request.uid = Uid::none;
  if (adoption && request.verb == Verb::update && changes_nothing(std::get<T>(request.body), base)) {
    request.verb = Verb::patch_owners;
    request.body = OwnerPatch{.add = *adoption, .remove = {}, .object_uid = base.meta.uid};
  }
  if (request.verb == Verb::patch_owners) {
    request.version = wish.version;
    if (wish.version == Version::none && wish.uid == Uid::none)
      std::get<OwnerPatch>(request.body).object_uid = Uid::none;
    return;
  }
  T& wanted = std::get<T>(request.body);
  if (!objection_to(wanted, base).empty()) return;
  T changed = base;
  take_changes(changed, wanted);
  wanted = std::move(changed);
}

}  // namespace ordeal
