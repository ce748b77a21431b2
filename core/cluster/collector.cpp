// The collectors: pods declared failed, garbage (by owner references), claim protection, and what foreground and orphan
// deletion wait for.
//
// An owner is looked up by kind and name and must have the UID. Sets and pods are looked up here; an owner of any other
// kind is somebody else's and taken to exist. What is terminating already is left alone. Order: pods, claims,
// revisions, sets, each by name. Claims lose their protection here and not at once: its controller is slow in
// Kubernetes, too. Covered by deletion_test.cpp.
#include <algorithm>

#include "core/api/names.h"
#include "core/cluster/cluster.h"

namespace ordeal {

namespace {

template <class T>
const ObjectMeta* meta_in(const Store<T>& store, const OwnerReference& owner) {
  const T* held = store.find(owner.name);
  return held != nullptr && held->meta.uid == owner.uid ? &held->meta : nullptr;
}

/// The names of all claims that are protected, for when many claims are looked at.
class ClaimsInUse {
 public:
  explicit ClaimsInUse(std::span<const Pod* const> pods) {
    for (const Pod* pod : pods) {
      if (!protects_claims(*pod)) continue;
      for (const Volume& volume : *pod->volumes)
        if (!volume.claim.empty()) names_.push_back(volume.claim.view());
    }
    std::sort(names_.begin(), names_.end());
  }
  bool has(const Text& name) const { return std::binary_search(names_.begin(), names_.end(), name.view()); }

 private:
  std::vector<std::string_view> names_;
};

}  // namespace

/// An owner that is gone, or that waits in foreground deletion for its dependents to go.
bool Cluster::lets_go(const OwnerReference& owner) const {
  if (!refers_to_set(owner) && !refers_to_pod(owner)) return false;
  const ObjectMeta* held = refers_to_set(owner) ? meta_in(sets_, owner) : meta_in(pods_, owner);
  return held == nullptr || (held->terminating() && held->has_finalizer(finalizer_foreground));
}

bool Cluster::all_let_go(const Owners& owners) const {
  return std::all_of(owners.begin(), owners.end(), [&](const OwnerReference& o) { return lets_go(o); });
}

std::size_t Cluster::collect(std::size_t at_most) {
  std::size_t left = at_most;
  left -= collect_declared_failed(left);
  left -= collect_each(losing_owners<Pod>(), left, [&](const Pod& pod) { end(pod, std::nullopt); });
  left -= collect_claims(left);
  left -= collect_each(losing_owners<Revision>(), left, [&](const Revision& revision) { end(revision); });
  left -= complete_deletions<Pod>(left);
  left -= complete_deletions<StatefulSet>(left);
  return at_most - left;
}

template <class T>
std::size_t Cluster::complete_deletions(std::size_t at_most) {
  const auto& live = store<T>().live();
  std::size_t touched = 0;
  for (std::size_t i = 0; i < live.size() && touched < at_most;) {
    const std::size_t before = live.size();
    const T& owner = *live.all()[i];
    if (owner.meta.terminating() && owner.meta.has_finalizers()) touched += complete_deletion(owner, at_most - touched);
    if (live.size() == before) ++i;  // else the next one has moved up into this place
  }
  return touched;
}

/// Who declares a pod failed, leaving its condition Ready, is the pod collector: it deletes the pod next.
std::size_t Cluster::collect_declared_failed(std::size_t at_most) {
  std::vector<const Pod*> declared;
  for (const Pod* pod : pods_.live().all())
    if (pod->phase == Phase::failed && pod->ready && !pod->meta.has_finalizers()) declared.push_back(pod);
  if (declared.size() > at_most) declared.resize(at_most);
  for (const Pod* pod : declared) end(*pod, 0);
  return declared.size();
}

std::size_t Cluster::collect_claims(std::size_t at_most) {
  std::vector<const Claim*> losing = losing_owners<Claim>();
  const std::vector<const Claim*> leaving = leaving_claims();
  if (losing.empty() && leaving.empty()) return 0;
  const ClaimsInUse used(pods_.live().all());
  std::size_t gone = 0;
  for (const Claim* claim : leaving) {
    if (gone == at_most || used.has(claim->meta.name)) continue;
    depart(*claim);
    ++gone;
  }
  return gone + collect_each(std::move(losing), at_most - gone, [&](const Claim& claim) { end(claim); });
}

/// On their way out, and held by nothing but their protection.
std::vector<const Claim*> Cluster::leaving_claims() const {
  std::vector<const Claim*> leaving;
  for (const Claim* claim : claims_.live().all())
    if (claim->meta.terminating() && !claim->meta.has_finalizers()) leaving.push_back(claim);
  return leaving;
}

/// Gathered before anything is removed, since a removal moves the listing.
template <class T>
std::vector<const T*> Cluster::losing_owners() const {
  std::vector<const T*> losing;
  for (const T* held : store<T>().live().all()) {
    if (held->meta.terminating() || !held->meta.owners) continue;
    const Owners& owners = *held->meta.owners;
    const bool loses = std::any_of(owners.begin(), owners.end(), [&](const OwnerReference& o) { return lets_go(o); });
    if (loses) losing.push_back(held);
  }
  return losing;
}

template <class T, class End>
std::size_t Cluster::collect_each(std::vector<const T*> losing, std::size_t at_most, End end_it) {
  if (losing.size() > at_most) losing.resize(at_most);
  for (const T* held : losing) {
    if (all_let_go(*held->meta.owners)) end_it(*held);
    else drop_owners(*held, [&](const OwnerReference& o) { return lets_go(o); });
  }
  return losing.size();
}

template <class T, class Gone>
void Cluster::drop_owners(const T& stored, Gone gone) {
  Owners left = *stored.meta.owners;
  std::erase_if(left, gone);
  writable<T>().commit(stored, next_version(), [&](T& made) {
    made.meta.owners = left.empty() ? nullptr : std::make_shared<const Owners>(std::move(left));
  });
}

/// One that is to be left by its dependents keeps its finalizer until all have been looked at.
template <class T>
std::size_t Cluster::complete_deletion(const T& owner, std::size_t at_most) {
  const Uid uid = owner.meta.uid;
  if (owner.meta.has_finalizer(finalizer_orphan)) {
    std::size_t orphaned = drop_owner<Pod>(uid, at_most);
    orphaned += drop_owner<Claim>(uid, at_most - orphaned);
    orphaned += drop_owner<Revision>(uid, at_most - orphaned);
    return orphaned == at_most ? orphaned : orphaned + drop_finalizer(owner, finalizer_orphan);
  }
  const bool waits = any_blocks<Pod>(uid) || any_blocks<Claim>(uid) || any_blocks<Revision>(uid);
  return owner.meta.has_finalizer(finalizer_foreground) && !waits ? drop_finalizer(owner, finalizer_foreground) : 0;
}

template <class T>
std::size_t Cluster::drop_owner(Uid owner, std::size_t at_most) {
  const auto is_owner = [&](const OwnerReference& o) { return o.uid == owner; };
  std::size_t touched = 0;
  for (std::size_t i = 0; i < store<T>().live().size() && touched < at_most; ++i) {
    const T& held = *store<T>().live().all()[i];
    if (!held.meta.owners || std::none_of(held.meta.owners->begin(), held.meta.owners->end(), is_owner)) continue;
    drop_owners(held, is_owner);
    ++touched;
  }
  return touched;
}

template <class T>
bool Cluster::any_blocks(Uid owner) const {
  const auto all = store<T>().live().all();
  return std::any_of(all.begin(), all.end(), [&](const T* held) {
    const Shared<Owners>& owners = held->meta.owners;
    return owners && std::any_of(owners->begin(), owners->end(),
                                 [&](const OwnerReference& o) { return o.uid == owner && o.block_owner_deletion; });
  });
}

template <class T>
std::size_t Cluster::drop_finalizer(const T& owner, const Text& name) {
  std::vector<Text> left = *owner.meta.finalizers;
  std::erase(left, name);
  const T* next = writable<T>().commit(owner, next_version(), [&](T& made) {
    made.meta.finalizers = std::make_shared<const std::vector<Text>>(std::move(left));
  });
  depart_if_free(*next);
  return 1;
}

}  // namespace ordeal
