#include "properties/explore/canonical.h"

#include <algorithm>

#include "core/api/names.h"

namespace ordeal::properties {

namespace {

constexpr std::size_t templates_remembered = 4096;
const Text some_node = Text::lasting("node");

std::optional<Kind> kind_of(const OwnerReference& owner) {
  if (refers_to_set(owner)) return Kind::set;
  if (refers_to_pod(owner)) return Kind::pod;
  return std::nullopt;
}

/// 48 bits of kind and name, so that it does not depend on who met the name first; the last eight are free.
std::uint64_t hash_of_name(Kind kind, const Text& name) {
  Hasher hasher;
  hasher.add(static_cast<std::uint64_t>(kind));
  hasher.add(name.view());
  return hasher.value().low >> 16 << 8;
}
Uid canonical_uid(Kind kind, const Text& name, unsigned incarnation) {
  return Uid{hash_of_name(kind, name) | incarnation};
}

/// A UID that is kept says which name it belongs to.
std::uint64_t name_behind(Kind kind, const Text& name, Uid uid) {
  return uid <= youngest_kept ? static_cast<std::uint64_t>(uid) & ~std::uint64_t{255} : hash_of_name(kind, name);
}

bool is_kept(const ObjectMeta& meta) { return meta.version < newest_kept; }

void add(Hasher& hasher, const Shared<StringMap>& map) {
  hasher.add(map ? map->size() + 1 : 0);
  if (!map) return;
  for (const auto& [key, value] : *map) {
    hasher.add(key.view());
    hasher.add(value.view());
  }
}

void add(Hasher& hasher, const Shared<std::vector<Text>>& list) {
  hasher.add(list ? list->size() + 1 : 0);
  if (!list) return;
  for (const Text& text : *list) hasher.add(text.view());
}

void add(Hasher& hasher, const Shared<std::vector<Volume>>& volumes) {
  hasher.add(volumes ? volumes->size() + 1 : 0);
  if (!volumes) return;
  for (const Volume& volume : *volumes) {
    hasher.add(volume.name.view());
    hasher.add(volume.claim.view());
    hasher.add(volume.json.view());
  }
}

void add(Hasher& hasher, const StatefulSetStatus& status, std::int64_t observed_before) {
  hasher.add(static_cast<std::uint64_t>(status.observed_generation - observed_before));
  for (const std::int32_t count :
       {status.replicas, status.ready_replicas, status.current_replicas, status.updated_replicas,
        status.available_replicas, status.collision_count.value_or(-1)})
    hasher.add(static_cast<std::uint64_t>(count));
  hasher.add(status.current_revision.view());
  hasher.add(status.update_revision.view());
  hasher.add(status.conditions.size());
  for (const StatefulSetCondition& condition : status.conditions)  // nobody decides by when it changed
    for (const Text* text : {&condition.type, &condition.status, &condition.reason, &condition.message})
      hasher.add(text->view());
}

/// Of all that users edit in a walk. The rest of the spec is the first set's.
void add(Hasher& hasher, const StatefulSetSpec& spec) {
  const auto number = [&](const auto& optional) {
    hasher.add(optional ? static_cast<std::uint64_t>(*optional) : ~0ull);
  };
  number(spec.replicas);
  hasher.add(spec.rolling_update ? 1 : 0);
  if (!spec.rolling_update) return;
  number(spec.rolling_update->partition);
  const auto& most = spec.rolling_update->max_unavailable;
  hasher.add(most ? static_cast<std::uint64_t>(most->value) << 1 | (most->percent ? 1u : 0u) : ~0ull);
}

}  // namespace

Canon::Canon(Library& library, std::int32_t min_ready_seconds)
    : sets(library.sets),
      pods(library.pods),
      claims(library.claims),
      revisions(library.revisions),
      min_ready_seconds_(min_ready_seconds) {}

// --- the world as a whole ----------------------------------------------------------------------------------------------

void Canon::look_at(const Cluster& truth, std::span<const Pod* const> other_pods,
                    std::span<const StatefulSet* const> other_sets, std::span<const Revision* const> other_revisions,
                    std::span<const Claim* const> other_claims) {
  now_ = truth.now();
  observed_before_ = std::numeric_limits<std::int64_t>::max();
  const auto note_set = [&](const StatefulSet* set) {
    observed_before_ = std::min(observed_before_, std::max<std::int64_t>(set->status.observed_generation - 1, 0));
  };
  std::ranges::for_each(truth.sets().live().all(), note_set);
  std::ranges::for_each(other_sets, note_set);
  numbers_.clear();
  created_.assign(1, Time::seconds(now_.whole_seconds()));
  const auto note_revision = [&](const Revision* revision) {
    numbers_.push_back(revision->number);
    created_.push_back(revision->meta.created);
  };
  std::ranges::for_each(truth.revisions().live().all(), note_revision);
  std::ranges::for_each(other_revisions, note_revision);
  std::ranges::sort(numbers_);
  numbers_.erase(std::ranges::unique(numbers_).begin(), numbers_.end());
  std::ranges::sort(created_, std::greater());
  created_.erase(std::ranges::unique(created_).begin(), created_.end());
  name_all(truth, other_pods, other_sets, other_revisions, other_claims);
}

template <class T>
bool Canon::owners_are_live(const Cluster& truth, std::span<const T* const> all) const {
  return std::ranges::all_of(all, [&](const T* object) {
    if (!object->meta.owners) return true;
    return std::ranges::all_of(*object->meta.owners, [&](const OwnerReference& owner) {
      const auto kind = kind_of(owner);
      if (!kind) return true;
      if (*kind == Kind::set) {
        const StatefulSet* set = truth.sets().find(owner.name);
        return set != nullptr && set->meta.uid == owner.uid;
      }
      const Pod* pod = truth.pods().find(owner.name);
      return pod != nullptr && pod->meta.uid == owner.uid;
    });
  });
}

void Canon::name_all(const Cluster& truth, std::span<const Pod* const> other_pods,
                     std::span<const StatefulSet* const> other_sets, std::span<const Revision* const> other_revisions,
                     std::span<const Claim* const> other_claims) {
  const bool only_live = other_pods.empty() && other_sets.empty() && other_revisions.empty() && other_claims.empty();
  const auto has_pod = [&](const Instance& instance) {
    const Pod* pod = truth.pods().find(instance.pod);
    return pod != nullptr && pod->meta.uid == instance.uid;
  };
  one_each_ = only_live && owners_are_live(truth, truth.pods().live().all()) &&
              owners_are_live(truth, truth.claims().live().all()) &&
              owners_are_live(truth, truth.revisions().live().all()) &&
              std::ranges::all_of(truth.kubelets().running(), has_pod);
  incarnations_.clear();
  if (one_each_) return;
  const auto each = [&](Kind kind, auto all) {
    for (const auto* object : all) name(kind, *object);
  };
  each(Kind::set, truth.sets().live().all());
  each(Kind::set, other_sets);
  each(Kind::pod, truth.pods().live().all());
  each(Kind::pod, other_pods);
  each(Kind::claim, truth.claims().live().all());
  each(Kind::claim, other_claims);
  each(Kind::revision, truth.revisions().live().all());
  each(Kind::revision, other_revisions);
  for (const Instance& instance : truth.kubelets().running()) name(Kind::pod, instance.pod, instance.uid);
  std::ranges::sort(incarnations_);
  incarnations_.erase(std::ranges::unique(incarnations_).begin(), incarnations_.end());
}

template <class T>
void Canon::name(Kind kind, const T& object) {
  name(kind, object.meta.name, object.meta.uid);
  name_owners(object.meta);
}

void Canon::name_owners(const ObjectMeta& meta) {
  if (!meta.owners) return;
  for (const OwnerReference& owner : *meta.owners)
    if (const auto kind = kind_of(owner)) name(*kind, owner.name, owner.uid);
}

void Canon::name(Kind kind, const Text& name, Uid uid) { incarnations_.push_back({name_behind(kind, name, uid), uid}); }

unsigned Canon::incarnation_of(Kind kind, const Text& name, Uid uid) const {
  if (one_each_) return 1;
  const std::uint64_t of_name = name_behind(kind, name, uid);
  const auto first = std::ranges::lower_bound(incarnations_, Incarnation{of_name, Uid::none});
  const auto at = std::ranges::lower_bound(first, incarnations_.end(), Incarnation{of_name, uid});
  return static_cast<unsigned>(at - first) + 1;
}

Uid Canon::uid_of(Kind kind, const Text& name, Uid uid) const {
  const unsigned incarnation = incarnation_of(kind, name, uid);
  const bool is_canonical = uid <= youngest_kept && (static_cast<std::uint64_t>(uid) & 255u) == incarnation;
  return is_canonical ? uid : canonical_uid(kind, name, incarnation);
}

Uid Canon::uid_of(const OwnerReference& owner) const {
  const auto kind = kind_of(owner);
  return kind ? uid_of(*kind, owner.name, owner.uid) : owner.uid;
}

/// Its UID and those of its owners are what they would be called.
bool Canon::keeps_names(const ObjectMeta& meta, Kind kind) const {
  if (uid_of(kind, meta.name, meta.uid) != meta.uid) return false;
  return !meta.owners ||
         std::ranges::all_of(*meta.owners, [&](const OwnerReference& owner) { return uid_of(owner) == owner.uid; });
}

Time Canon::ready_since(Time changed) const {
  if (min_ready_seconds_ == 0) return now_of_walks;
  const Time longest = Time::seconds(std::int64_t{min_ready_seconds_} + 1);
  return now_of_walks - std::min(longest, now_ - changed);
}

Time Canon::created_at(Time created) const {
  const auto at = std::ranges::find(created_, created);
  return now_of_walks - Time::seconds(at - created_.begin());
}

std::int64_t Canon::number_of(std::int64_t number) const {
  return std::ranges::lower_bound(numbers_, number) - numbers_.begin() + 1;
}

// --- one object --------------------------------------------------------------------------------------------------------

void Canon::add(Hasher& hasher, const ObjectMeta& meta, Kind kind, Version version) const {
  hasher.add(static_cast<std::uint64_t>(kind) << 32 | static_cast<std::uint64_t>(version) << 8 |
             (meta.terminating() ? 1u : 0u));
  hasher.add(meta.name.view());
  hasher.add(incarnation_of(kind, meta.name, meta.uid));
  properties::add(hasher, meta.labels);
  properties::add(hasher, meta.annotations);
  properties::add(hasher, meta.finalizers);
  hasher.add(meta.owners ? meta.owners->size() + 1 : 0);
  if (!meta.owners) return;
  for (const OwnerReference& owner : *meta.owners) {
    hasher.add(owner.kind.view());
    hasher.add(owner.name.view());
    hasher.add(static_cast<std::uint64_t>(uid_of(owner)));
    hasher.add((owner.controller ? 2u : 0u) | (owner.block_owner_deletion ? 1u : 0u));
    hasher.add(owner.api_version.view());
  }
}

ObjectMeta Canon::meta_of(const ObjectMeta& meta, Kind kind, Version version) const {
  ObjectMeta made = meta;
  made.uid = uid_of(kind, meta.name, meta.uid);
  made.version = version;
  made.created = now_of_walks;
  if (made.deletion) made.deletion = now_of_walks;
  if (!made.owners) return made;
  Owners owners = *made.owners;
  for (OwnerReference& owner : owners) owner.uid = uid_of(owner);
  made.owners = std::make_shared<const Owners>(std::move(owners));
  return made;
}

Hash128 Canon::hash_of(const Shared<PodTemplate>& pod_template) {
  if (!pod_template) return {};
  if (const auto held = templates_.find(pod_template.get()); held != templates_.end()) return held->second.second;
  if (templates_.size() == templates_remembered) templates_.clear();
  Hasher hasher;
  hasher.add(pod_template->document);
  return templates_.emplace(pod_template.get(), std::pair(pod_template, hasher.value())).first->second.second;
}

const Kept<StatefulSet>& Canon::of(const StatefulSet& set, Version version) {
  const bool stays = is_kept(set.meta) && set.meta.version == version && observed_before_ == 0;
  if (stays && keeps_names(set.meta, Kind::set)) return static_cast<const Kept<StatefulSet>&>(set);
  Hasher hasher;
  add(hasher, set.meta, Kind::set, version);
  hasher.add(static_cast<std::uint64_t>(set.meta.generation - observed_before_));
  properties::add(hasher, *set.spec);
  hasher.add(hash_of(set.spec->pod_template));
  properties::add(hasher, set.status, observed_before_);
  return sets.keep(hasher.value(), [&] {
    StatefulSet made = set;
    made.meta = meta_of(set.meta, Kind::set, version);
    made.meta.generation -= observed_before_;
    made.status.observed_generation -= observed_before_;
    return made;
  });
}

const Kept<Pod>& Canon::of(const Pod& pod, Version version) {
  const std::optional<Time> ready_changed =
      pod.ready_changed ? std::optional(ready_since(*pod.ready_changed)) : std::nullopt;
  const bool stays = is_kept(pod.meta) && pod.meta.version == version && pod.ready_changed == ready_changed;
  if (stays && keeps_names(pod.meta, Kind::pod)) return static_cast<const Kept<Pod>&>(pod);
  Hasher hasher;
  add(hasher, pod.meta, Kind::pod, version);
  for (const Text* text : {&pod.generate_name, &pod.hostname, &pod.subdomain}) hasher.add(text->view());
  hasher.add(hash_of(pod.made_from));
  properties::add(hasher, pod.volumes);
  hasher.add(static_cast<std::uint64_t>(pod.phase) << 2 | (pod.node.empty() ? 0u : 2u) | (pod.ready ? 1u : 0u));
  hasher.add(ready_changed ? static_cast<std::uint64_t>(ready_changed->ms) : 0);
  return pods.keep(hasher.value(), [&] {
    Pod made = pod;
    made.meta = meta_of(pod.meta, Kind::pod, version);
    made.ready_changed = ready_changed;
    if (!made.node.empty()) made.node = some_node;
    return made;
  });
}

const Kept<Claim>& Canon::of(const Claim& claim, Version version) {
  const bool stays = is_kept(claim.meta) && claim.meta.version == version;
  if (stays && keeps_names(claim.meta, Kind::claim)) return static_cast<const Kept<Claim>&>(claim);
  Hasher hasher;
  add(hasher, claim.meta, Kind::claim, version);
  hasher.add(claim.spec ? std::string_view(*claim.spec) : std::string_view());
  if (claim.phase != ClaimPhase::none) hasher.add(static_cast<std::uint64_t>(claim.phase));
  return claims.keep(hasher.value(), [&] {
    Claim made = claim;
    made.meta = meta_of(claim.meta, Kind::claim, version);
    return made;
  });
}

const Kept<Revision>& Canon::of(const Revision& revision, Version version) {
  const std::int64_t number = number_of(revision.number);
  const Time created = created_at(revision.meta.created);
  const bool stays = is_kept(revision.meta) && revision.meta.version == version && revision.number == number &&
                     revision.meta.created == created;
  if (stays && keeps_names(revision.meta, Kind::revision)) return static_cast<const Kept<Revision>&>(revision);
  Hasher hasher;
  add(hasher, revision.meta, Kind::revision, version);
  hasher.add(static_cast<std::uint64_t>(number));
  hasher.add(static_cast<std::uint64_t>(created.ms));
  hasher.add(revision.data.bytes ? std::string_view(*revision.data.bytes) : std::string_view());
  return revisions.keep(hasher.value(), [&] {
    Revision made = revision;
    made.meta = meta_of(revision.meta, Kind::revision, version);
    made.meta.created = created;
    made.number = number;
    return made;
  });
}

const Kept<Pod>& Canon::of(const Instance& stray) {
  Pod pod;
  pod.meta.name = stray.pod;
  pod.meta.uid = stray.uid;
  pod.meta.version = Version{static_cast<std::uint64_t>(newest_kept) + 1};
  return of(pod, Version{1});
}

const Kept<Revision>& Canon::memory_of(const Revision& gone) {
  Revision remembered;
  remembered.meta.name = gone.meta.name;
  remembered.data = gone.data;
  if (const OwnerReference* owner = gone.meta.controller()) {
    OwnerReference only_name = *owner;
    only_name.uid = Uid{1};
    remembered.meta.owners = std::make_shared<const Owners>(Owners{only_name});
  }
  Hasher hasher;
  hasher.add(remembered.meta.name.view());
  hasher.add(remembered.meta.owners ? remembered.meta.owners->front().name.view() : std::string_view());
  hasher.add(remembered.data.bytes ? std::string_view(*remembered.data.bytes) : std::string_view());
  return revisions.keep(hasher.value(), [&] { return remembered; });
}

}  // namespace ordeal::properties
