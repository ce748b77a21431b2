// The API server: who may write what, with which version, and what it becomes in the log. Removal: deletion.cpp.
//
// Checks come in Kubernetes' order: what is wrong with the request itself, then whether the object is there, then
// preconditions, then what may not change. Patches come resolved (resolve.cpp, apply.cpp). A write that changes
// nothing, and nobody's fields, makes no version. Covered by server_test.cpp.
#include <algorithm>

#include "core/cluster/admission.h"
#include "core/cluster/cluster.h"
#include "core/cluster/update.h"

namespace ordeal {

namespace {

Reply refused(Code code) { return {.code = code}; }
Reply invalid(Text why) { return {.code = Code::invalid, .why = std::move(why)}; }

constexpr const char* not_understood = "the request does not fit the kind that it is for";
constexpr const char* not_applicable = "the patch cannot be applied, fails its own test, or changes what is fixed";
constexpr const char* another_namespace = "metadata.namespace: must be that of the request";

template <class T>
Reply done(const T* object) {
  return {.code = Code::ok, .object = object};
}

/// A volume written out as clients in Go write it again: they know no absent list of sources.
constexpr const char* proxy_volume = R"({"name":"injected-proxy","projected":{"defaultMode":420,"sources":[)"
                                     R"({"serviceAccountToken":{"expirationSeconds":3607,"path":"token"}}]}})";

/// What the webhook of a service mesh does to each pod. Its container is shown to clients alone (admitted.h).
void inject(Pod& pod) {
  StringMap labels = pod.meta.labels ? *pod.meta.labels : StringMap();
  labels.set("sidecar.example.org/injected", "true");
  pod.meta.labels = std::make_shared<const StringMap>(std::move(labels));
  auto volumes = pod.volumes ? *pod.volumes : std::vector<Volume>();
  volumes.push_back({"injected-proxy", {}, proxy_volume});
  pod.volumes = std::make_shared<const std::vector<Volume>>(std::move(volumes));
  pod.is_injected = true;
}

/// Its first status, and what admission adds.
void set_up(Pod& pod, const Habits& habits) {
  pod.phase = Phase::pending;
  pod.ready = false;
  pod.ready_changed.reset();
  pod.node = {};
  pod.is_injected = false;
  if (habits.injects) inject(pod);
}
void set_up(Claim& claim, const Habits& habits) {
  claim.phase = habits.binds_late ? ClaimPhase::pending : ClaimPhase::none;
}
void set_up(Revision&, const Habits&) {}

}  // namespace

void Cluster::set_identity(ObjectMeta& meta) {
  if (ns_.empty()) ns_ = meta.ns;
  meta.ns = ns_;
  meta.uid = next_uid();
  meta.created = this_second();
  meta.generation = 0;
  meta.deletion.reset();
  meta.managers.reset();
}

// --- requests of a controller --------------------------------------------------------------------------------------

Reply Cluster::handle(const Request& request) {
  if (request.refused) return *request.refused;
  switch (request.kind) {
    case Kind::set: return handle_set(request);
    case Kind::pod: return handle_kind<Pod>(request);
    case Kind::claim: return handle_kind<Claim>(request);
    case Kind::revision: return handle_kind<Revision>(request);
  }
  return invalid(not_understood);
}

std::vector<const ObjectMeta*> Cluster::stored(Kind kind) const {
  std::vector<const ObjectMeta*> metas;
  with_type(kind, [&]<class T>(std::type_identity<T>) {
    for (const T* object : store<T>().live().all()) metas.push_back(&object->meta);
  });
  return metas;
}

Reply Cluster::handle_set(const Request& request) {
  if (request.verb == Verb::create || request.verb == Verb::update)
    return refused(Code::forbidden);  // a controller's role lets it write the status alone
  const auto* status = std::get_if<StatefulSetStatus>(&request.body);
  const bool writes_status = request.verb == Verb::update_status && status != nullptr;
  const bool understood =
      request.verb == Verb::get || request.verb == Verb::remove || request.verb == Verb::patch || writes_status;
  if (!understood) return invalid(not_understood);
  const StatefulSet* stored = sets_.find(request.name);
  if (stored == nullptr) return refused(Code::not_found);
  if (request.verb == Verb::get) return done(stored);
  if (conflicts(stored->meta, request.version, request.uid)) return refused(Code::conflict);
  if (request.verb == Verb::patch) return invalid(not_applicable);
  if (request.verb == Verb::remove) return end(*stored, request.propagation);
  return update_status(*stored, *status, request.managers);
}

template <class T>
Reply Cluster::handle_kind(const Request& request) {
  if (request.verb == Verb::create || request.verb == Verb::update) {
    const T* body = std::get_if<T>(&request.body);
    if (body == nullptr) return invalid(not_understood);
    if (request.name.view().contains('/'))
      return invalid("metadata.namespace: must be that of the set; no other is served");
    if (!(body->meta.name == request.name)) return invalid("metadata.name: must be that of the path");
    return request.verb == Verb::create ? create(*body, request.version, request.managers)
                                        : update(*body, request.version, request.uid, request.managers);
  }
  const T* stored = store<T>().find(request.name);
  if (stored == nullptr) return refused(Code::not_found);
  if (request.verb == Verb::get) return done(stored);
  if (conflicts(stored->meta, request.version, request.uid)) return refused(Code::conflict);
  if (request.verb == Verb::remove) {
    if constexpr (std::is_same_v<T, Pod>) return end(*stored, request.grace, request.propagation);
    else return end(*stored);
  }
  if (request.verb == Verb::patch) return invalid(not_applicable);
  const auto* patch = std::get_if<OwnerPatch>(&request.body);
  const bool is_patch = request.verb == Verb::patch_owners && patch != nullptr;
  return is_patch ? patch_owners(*stored, *patch, request.managers) : invalid(not_understood);
}

template <class T>
Reply Cluster::create(const T& wanted, Version version, const Shared<Managers>& managers) {
  if (!in_namespace(wanted.meta)) return invalid(another_namespace);
  if (Text why = objection_to(wanted); !why.empty()) return invalid(std::move(why));
  if (version != Version::none)  // no error of the API: the store refuses it
    return {.code = Code::internal, .why = "resourceVersion should not be set on objects to be created"};
  if (store<T>().find(wanted.meta.name) != nullptr) return refused(Code::already_exists);
  Reply reply = done(writable<T>().commit(wanted, next_version(), [&](T& made) {
    set_identity(made.meta);
    set_up(made, habits_);
    made.meta.managers = managers;
  }));
  reply.created = true;
  return reply;
}

template <class T>
Reply Cluster::update(const T& wanted, Version version, Uid uid, const Shared<Managers>& managers) {
  const T* stored = store<T>().find(wanted.meta.name);
  if (stored == nullptr) return refused(Code::not_found);
  if (conflicts(stored->meta, version, uid)) return refused(Code::conflict);
  if (!in_namespace(wanted.meta)) return invalid(another_namespace);
  if (Text why = objection_to(wanted, *stored); !why.empty()) return invalid(std::move(why));
  if (changes_nothing(wanted, *stored) && !managers) return done(stored);
  const T* next = writable<T>().commit(*stored, next_version(), [&](T& made) {
    take_changes(made, wanted);
    if (managers) made.meta.managers = managers;
  });
  // Its last finalizer may just have gone. Claims have one more, which is the collector's.
  if constexpr (!std::is_same_v<T, Claim>) depart_if_free(*next);
  return done(next);
}

/// A patch without a UID is for whatever holds the name.
template <class T>
Reply Cluster::patch_owners(const T& stored, const OwnerPatch& patch, const Shared<Managers>& managers) {
  if (patch.object_uid != Uid::none && patch.object_uid != stored.meta.uid)
    return invalid("metadata.uid: must not be changed; the object is another one of this name");
  if (!patch.applies || (!patch.add && !patch.remove)) return invalid(not_applicable);
  Shared<Owners> owners = owners_after(stored.meta.owners.get(), patch);
  if (Text why = owners ? objection_to(*owners) : Text(); !why.empty()) return invalid(std::move(why));
  if (alike(owners, stored.meta.owners) && !managers) return done(&stored);
  return done(writable<T>().commit(stored, next_version(), [&](T& made) {
    made.meta.owners = std::move(owners);
    if (managers) made.meta.managers = managers;
  }));
}

Reply Cluster::update_status(const StatefulSet& stored, const StatefulSetStatus& status,
                             const Shared<Managers>& managers) {
  if (const FieldErrors errors = validate_status(status, stored.status); !errors.empty())
    return invalid(errors.front().text());
  if (status == stored.status && !managers) return done(&stored);
  return done(sets_.commit(stored, next_version(), [&](StatefulSet& made) {
    made.status = status;
    if (managers) made.meta.managers = managers;
  }));
}

// --- requests of everybody else ------------------------------------------------------------------------------------

Code Cluster::create_set(StatefulSet set) {
  if (!in_namespace(set.meta)) return Code::invalid;
  apply_defaults(set, gates_);
  if (!validate_create(set, gates_).empty()) return Code::invalid;
  if (sets_.find(set.meta.name) != nullptr) return Code::already_exists;
  sets_.commit(set, next_version(), [&](StatefulSet& made) {
    set_identity(made.meta);
    made.meta.generation = 1;
    made.status = {};
  });
  return Code::ok;
}

Code Cluster::update_set(const Text& name, StatefulSetSpec spec) {
  const StatefulSet* stored = sets_.find(name);
  if (stored == nullptr) return Code::not_found;
  StatefulSet wanted = *stored;
  wanted.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  apply_defaults(wanted, gates_, stored);
  if (!validate_update(wanted, *stored, gates_).empty()) return Code::invalid;
  if (*wanted.spec == *stored->spec) return Code::ok;
  ++wanted.meta.generation;
  sets_.commit(wanted, next_version(), [](StatefulSet&) {});
  return Code::ok;
}

Code Cluster::edit_set(const StatefulSet& set) {
  const StatefulSet* stored = sets_.find(set.meta.name);
  if (stored == nullptr) return Code::not_found;
  if (alike(stored->meta.labels, set.meta.labels) && alike(stored->meta.annotations, set.meta.annotations) &&
      same(stored->meta.finalizers, set.meta.finalizers) && stored->status.conditions == set.status.conditions)
    return Code::ok;
  const StatefulSet* edited = sets_.commit(*stored, next_version(), [&](StatefulSet& made) {
    made.meta.labels = set.meta.labels;
    made.meta.annotations = set.meta.annotations;
    made.meta.finalizers = set.meta.finalizers;
    made.status.conditions = set.status.conditions;
  });
  depart_if_free(*edited);
  return Code::ok;
}

Code Cluster::create_pod(const Pod& pod) { return create(pod).code; }
Code Cluster::create_claim(const Claim& claim) { return create(claim).code; }
Code Cluster::create_revision(const Revision& revision) { return create(revision).code; }
Code Cluster::edit_pod(const Pod& pod) { return update(pod, Version::none, Uid::none).code; }
Code Cluster::edit_claim(const Claim& claim) { return update(claim, Version::none, Uid::none).code; }
Code Cluster::edit_revision(const Revision& revision) { return update(revision, Version::none, Uid::none).code; }

void Cluster::resize_claim(const Text& name, Shared<std::string> spec) {
  const Claim* stored = claims_.find(name);
  if (stored == nullptr || same(stored->spec, spec)) return;
  claims_.commit(*stored, next_version(), [&](Claim& made) { made.spec = std::move(spec); });
}

void Cluster::set_claim_phase(const Text& name, ClaimPhase phase) {
  const Claim* stored = claims_.find(name);
  if (stored == nullptr || stored->phase == phase) return;
  claims_.commit(*stored, next_version(), [&](Claim& made) { made.phase = phase; });
}

}  // namespace ordeal
