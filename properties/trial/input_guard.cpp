#include "properties/trial/input_guard.h"

#include <algorithm>

#include "core/controller/forwarding.h"
#include "properties/trial/digest.h"

namespace ordeal::properties {

namespace {

/// Templates are large, and shared by all that was made from them: each is read once.
class ViewDigest : public Digest {
 public:
  using Digest::add;
  void add(const PodTemplate& made_from);

 private:
  std::vector<std::pair<const PodTemplate*, std::uint64_t>> met_;  // and what each adds
};

// Parts that lists and shared parts below are made of.
void add(ViewDigest& digest, const ClaimTemplate& claim);
void add(ViewDigest& digest, const SelectorRequirement& requirement);
void add(ViewDigest& digest, const StatefulSetSpec& spec);

void add(ViewDigest& digest, const std::optional<Time>& time) {
  digest.add(static_cast<std::uint64_t>(time ? time->ms : -1));
}
void add(ViewDigest& digest, const std::optional<std::int32_t>& number) {
  digest.add(number ? std::uint64_t{1} << 32 | static_cast<std::uint32_t>(*number) : 0);
}
void add(ViewDigest& digest, const StringMap& map) {
  digest.add(map.size());
  for (const auto& [key, value] : map) {
    digest.add(key.view());
    digest.add(value.view());
  }
}
void add(ViewDigest& digest, const Text& text) { digest.add(text.view()); }
void add(ViewDigest& digest, const std::string& text) { digest.add(std::string_view(text)); }
void add(ViewDigest& digest, const Volume& volume) {
  add(digest, volume.name);
  add(digest, volume.claim);
  add(digest, volume.json);
}
void add(ViewDigest& digest, const OwnerReference& owner) {
  add(digest, owner.api_version);
  add(digest, owner.kind);
  add(digest, owner.name);
  digest.add(static_cast<std::uint64_t>(owner.uid));
  digest.add(std::uint64_t{owner.controller} << 1 | std::uint64_t{owner.block_owner_deletion});
}
template <class T>
void add(ViewDigest& digest, const std::vector<T>& list) {
  digest.add(list.size());
  for (const T& one : list) add(digest, one);
}
void add(ViewDigest& digest, const PodTemplate& made_from) {
  add(digest, made_from.labels);
  add(digest, made_from.annotations);
  add(digest, made_from.finalizers);
  add(digest, made_from.volumes);
  add(digest, made_from.image);
  digest.add(std::uint64_t{made_from.patch_hash} << 32 | static_cast<std::uint32_t>(made_from.termination_grace));
  add(digest, made_from.document);
  if (made_from.patch != nullptr) add(digest, *made_from.patch);
}
void ViewDigest::add(const PodTemplate& made_from) {
  auto held = std::ranges::find(met_, &made_from, [](const auto& met) { return met.first; });
  if (held == met_.end()) {
    ViewDigest alone;
    properties::add(alone, made_from);
    held = met_.insert(held, {&made_from, alone.value()});
  }
  add(held->second);
}
void add(ViewDigest& digest, const Shared<PodTemplate>& made_from) {
  digest.add(made_from != nullptr ? 1 : 0);
  if (made_from != nullptr) digest.add(*made_from);
}
template <class T>
void add(ViewDigest& digest, const Shared<T>& part) {
  digest.add(part != nullptr ? 1 : 0);
  if (part != nullptr) add(digest, *part);
}

void add(ViewDigest& digest, const ObjectMeta& meta) {
  add(digest, meta.name);
  add(digest, meta.ns);
  digest.add(static_cast<std::uint64_t>(meta.uid));
  digest.add(static_cast<std::uint64_t>(meta.version));
  digest.add(static_cast<std::uint64_t>(meta.generation));
  digest.add(static_cast<std::uint64_t>(meta.created.ms));
  add(digest, meta.deletion);
  add(digest, meta.labels);
  add(digest, meta.annotations);
  add(digest, meta.owners);
  add(digest, meta.finalizers);
}

void add(ViewDigest& digest, const ClaimTemplate& claim) {
  add(digest, claim.name);
  add(digest, claim.ns);
  add(digest, claim.labels);
  add(digest, claim.annotations);
  add(digest, claim.spec);
  add(digest, claim.owners);
  add(digest, claim.finalizers);
}
void add(ViewDigest& digest, const SelectorRequirement& requirement) {
  add(digest, requirement.key);
  digest.add(static_cast<std::uint64_t>(requirement.op));
  add(digest, requirement.values);
}
void add(ViewDigest& digest, const StatefulSetSpec& spec) {
  add(digest, spec.replicas);
  add(digest, spec.selector.match_labels);
  add(digest, spec.selector.match_expressions);
  add(digest, spec.pod_template);
  add(digest, spec.claim_templates);
  add(digest, spec.service_name);
  digest.add(static_cast<std::uint64_t>(spec.pod_management) << 8 | static_cast<std::uint64_t>(spec.strategy));
  if (spec.rolling_update) {
    const auto& most = spec.rolling_update->max_unavailable;
    add(digest, spec.rolling_update->partition);
    add(digest, most ? std::optional(most->value) : std::nullopt);
    digest.add(most && most->percent ? 1 : 0);
  }
  add(digest, spec.revision_history_limit);
  digest.add(static_cast<std::uint64_t>(spec.min_ready_seconds));
  if (spec.retention)
    digest.add(static_cast<std::uint64_t>(spec.retention->when_deleted) << 8 |
               static_cast<std::uint64_t>(spec.retention->when_scaled));
  add(digest, spec.ordinals_start);
  for (const std::int32_t reserved : spec.reserve_ordinals) digest.add(static_cast<std::uint64_t>(reserved));
}
void add(ViewDigest& digest, const StatefulSet& set) {
  const StatefulSetStatus& status = set.status;
  add(digest, set.meta);
  add(digest, set.spec);
  digest.add(static_cast<std::uint64_t>(status.observed_generation));
  for (const std::int32_t count : {status.replicas, status.ready_replicas, status.current_replicas,
                                   status.updated_replicas, status.available_replicas})
    digest.add(static_cast<std::uint64_t>(count));
  add(digest, status.current_revision);
  add(digest, status.update_revision);
  add(digest, status.collision_count);
  for (const StatefulSetCondition& condition : status.conditions) {
    for (const Text& text : {condition.type, condition.status, condition.reason, condition.message}) add(digest, text);
    add(digest, condition.last_transition);
  }
}
void add(ViewDigest& digest, const Pod& pod) {
  add(digest, pod.meta);
  for (const Text& text : {pod.generate_name, pod.hostname, pod.subdomain, pod.node}) add(digest, text);
  add(digest, pod.made_from);
  add(digest, pod.volumes);
  digest.add(static_cast<std::uint64_t>(pod.phase) << 1 | std::uint64_t{pod.ready});
  add(digest, pod.ready_changed);
}
void add(ViewDigest& digest, const Claim& claim) {
  add(digest, claim.meta);
  add(digest, claim.spec);
  digest.add(static_cast<std::uint64_t>(claim.phase));
}
void add(ViewDigest& digest, const Revision& revision) {
  add(digest, revision.meta);
  add(digest, revision.data.bytes);
  add(digest, revision.data.decoded);
  digest.add(static_cast<std::uint64_t>(revision.number));
}
template <class T>
void add(ViewDigest& digest, const Listing<T>& listing) {
  digest.add(listing.all.size());
  for (const T* object : listing.all) add(digest, *object);
}

}  // namespace

std::uint64_t digest_of(const View& seen) {
  ViewDigest digest;
  add(digest, seen.sets);
  add(digest, seen.pods);
  add(digest, seen.claims);
  add(digest, seen.revisions);
  return digest.value();
}

namespace {

template <class T>
using Objects = std::vector<const T*>;

/// What a view shows now, whatever it will show later: live caches go on, objects stay as they are.
class Held {
 public:
  explicit Held(const View& seen) {
    for_each_type([&]<class T>(std::type_identity<T>) {
      objects_.of<T>().assign(seen.of<T>().all.begin(), seen.of<T>().all.end());
      view_.of<T>().all = objects_.of<T>();
    });
  }
  std::uint64_t digest() const { return digest_of(view_); }

 private:
  EachKind<Objects> objects_;
  View view_;
};

}  // namespace

class InputGuard::Watched final : public Forwarding {
 public:
  using Forwarding::Forwarding;

  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const Held held(seen);
    const std::uint64_t before = held.digest();
    SyncResult result = inner_.sync(key, seen, api, now);
    result.touched = held.digest() == before ? Text() : Text("an object");
    return result;
  }
};

Controller* InputGuard::process(std::size_t which, const Gates& gates) {
  Controller* inner = inner_.process(which, gates);
  if (inner == nullptr || inner->traits().watches_every_namespace) return inner;
  for (const auto& [of, watched] : watched_)
    if (of == inner) return watched.get();
  return watched_.emplace_back(inner, std::make_unique<Watched>(*inner)).second.get();
}

}  // namespace ordeal::properties
