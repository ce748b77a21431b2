// DELETE: what goes at once, what is marked and stays, and what lets it go. semantics.md 12.3, 12.7 and 1.3.14.
//
// An object stays while finalizers hold it; a pod also while it runs, unless the delete was forced. Every claim is
// protected: it stays until the collector finds that no pod which has started uses it, though that may have ended. A
// marked object stays marked; a second DELETE changes nothing, but a forced one removes the pod, and pods and sets take
// the newer propagation. Covered by deletion_test.cpp.
#include <algorithm>

#include "core/cluster/cluster.h"

namespace ordeal {

namespace {

template <class T>
Reply done(const T* object) {
  return {Code::ok, object};
}

/// The object's finalizers for this propagation: its own, and at most one of the collector's.
std::vector<Text> finalizers_for(const ObjectMeta& meta, Propagation propagation) {
  std::vector<Text> next;
  if (meta.finalizers)
    for (const Text& name : *meta.finalizers)
      if (name != finalizer_foreground && name != finalizer_orphan) next.push_back(name);
  if (propagation == Propagation::foreground) next.push_back(finalizer_foreground);
  if (propagation == Propagation::orphan) next.push_back(finalizer_orphan);
  return next;
}

template <class T>
void set_deletion(T& made, Time at) {
  made.meta.deletion = at;
  if constexpr (std::is_same_v<T, StatefulSet>) ++made.meta.generation;  // a deletion is a change of what is wanted
}

/// API servers make a second of a negative grace period. The longest is that of a valid template, which a clock can
/// still bear.
std::int64_t bearable(std::int64_t grace) {
  constexpr std::int64_t longest = std::int64_t{1} << 53;
  return grace < 0 ? 1 : std::min(grace, longest);
}

}  // namespace

Code Cluster::delete_set(const Text& name, Propagation propagation) {
  const StatefulSet* set = sets_.find(name);
  return set ? end(*set, propagation).code : Code::not_found;
}

Code Cluster::delete_pod(const Text& name, std::optional<std::int64_t> grace) {
  const Pod* pod = pods_.find(name);
  return pod ? end(*pod, grace).code : Code::not_found;
}

Code Cluster::delete_claim(const Text& name) {
  const Claim* claim = claims_.find(name);
  return claim ? end(*claim).code : Code::not_found;
}

Code Cluster::delete_revision(const Text& name) {
  const Revision* revision = revisions_.find(name);
  return revision ? end(*revision).code : Code::not_found;
}

Reply Cluster::end(const StatefulSet& set, Propagation propagation) {
  std::vector<Text> finalizers = finalizers_for(set.meta, propagation);
  if (finalizers.empty()) return depart(set);
  return mark_terminating(set, this_second(), std::move(finalizers));
}

Reply Cluster::end(const Pod& pod, std::optional<std::int64_t> grace, Propagation propagation) {
  const bool forced = grace == 0;
  const bool runs = kubelets_.find(pod.meta.name, pod.meta.uid) != nullptr;
  std::vector<Text> finalizers = finalizers_for(pod.meta, propagation);
  if (finalizers.empty() && (forced || !runs)) return depart(pod);
  const std::int64_t allowed = runs ? bearable(grace.value_or(pod.made_from->termination_grace)) : 0;
  return mark_terminating(pod, this_second() + Time::seconds(allowed), std::move(finalizers));
}

Reply Cluster::end(const Claim& claim) { return mark_terminating(claim, this_second()); }

Reply Cluster::end(const Revision& revision) {
  return revision.meta.has_finalizers() ? mark_terminating(revision, this_second()) : depart(revision);
}

template <class T>
Reply Cluster::mark_terminating(const T& stored, Time at) {
  if (stored.meta.terminating()) return done(&stored);
  return done(writable<T>().commit(stored, next_version(), [&](T& made) { set_deletion(made, at); }));
}

template <class T>
Reply Cluster::mark_terminating(const T& stored, Time at, std::vector<Text> finalizers) {
  const bool are_there = stored.meta.finalizers ? *stored.meta.finalizers == finalizers : finalizers.empty();
  if (are_there) return mark_terminating(stored, at);
  return done(writable<T>().commit(stored, next_version(), [&](T& made) {
    made.meta.finalizers =
        finalizers.empty() ? nullptr : std::make_shared<const std::vector<Text>>(std::move(finalizers));
    if (!made.meta.terminating()) set_deletion(made, at);
  }));
}

template <class T>
Reply Cluster::depart(const T& stored) {
  if constexpr (std::is_same_v<T, Pod>) kubelets_.note_object_gone(stored.meta.name, stored.meta.uid);
  writable<T>().remove(stored.meta.name, next_version());
  return done(&stored);
}

template Reply Cluster::depart(const Claim& stored);

void Cluster::depart_if_free(const StatefulSet& set) {
  if (set.meta.terminating() && !set.meta.has_finalizers()) depart(set);
}

void Cluster::depart_if_free(const Pod& pod) {
  const bool marked = pod.meta.terminating() && !pod.meta.has_finalizers();
  if (marked && kubelets_.find(pod.meta.name, pod.meta.uid) == nullptr) depart(pod);
}

void Cluster::depart_if_free(const Revision& revision) {
  if (revision.meta.terminating() && !revision.meta.has_finalizers()) depart(revision);
}

}  // namespace ordeal
