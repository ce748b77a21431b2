#include "core/cluster/kubelet.h"

#include <algorithm>

namespace ordeal {

namespace {

/// The first instance of `pod` with at least this UID; UIDs grow, so those of one name are in the order they started.
auto first_at(std::span<const Instance> running, const Text& pod, Uid uid) {
  return std::lower_bound(running.begin(), running.end(), uid, [&](const Instance& held, Uid u) {
    const auto order = held.pod <=> pod;
    return order < 0 || (order == 0 && held.uid < u);
  });
}

}  // namespace

Behaviour behaviour_of(std::string_view image) {
  if (image.ends_with("-unready")) return Behaviour::unready;
  if (image.ends_with("-crashing")) return Behaviour::crashing;
  if (image.ends_with("-completing")) return Behaviour::completing;
  if (image.ends_with("-unstarted")) return Behaviour::unstarted;
  if (image.ends_with("-unpulled")) return Behaviour::unpulled;
  return Behaviour::ready;
}

const Instance* Kubelets::find(const Text& pod, Uid uid) const {
  const std::span<const Instance> all = running_;
  const auto at = first_at(all, pod, uid);
  return at != all.end() && at->uid == uid && at->pod == pod ? &*at : nullptr;
}

Instance* Kubelets::found(const Text& pod, Uid uid) {
  const Instance* held = find(pod, uid);
  return held ? running_.data() + (held - running_.data()) : nullptr;
}

bool Kubelets::runs(Uid uid) const {
  return std::any_of(running_.begin(), running_.end(), [&](const Instance& p) { return p.uid == uid; });
}

int Kubelets::instances(const Text& pod) const {
  const std::span<const Instance> all = running_;
  auto at = first_at(all, pod, Uid::none);
  int count = 0;
  for (; at != all.end() && at->pod == pod; ++at) ++count;
  return count;
}

void Kubelets::start(const Text& pod, Uid uid) { place(Instance{.pod = pod, .uid = uid}); }

void Kubelets::place(const Instance& instance) {
  const std::span<const Instance> all = running_;
  const auto at = first_at(all, instance.pod, instance.uid) - all.begin();
  running_.insert(running_.begin() + at, instance);
}

void Kubelets::stop(const Text& pod, Uid uid) {
  if (const Instance* held = find(pod, uid)) running_.erase(running_.begin() + (held - running_.data()));
}

void Kubelets::lose(const Text& pod, Uid uid) {
  if (Instance* held = found(pod, uid)) held->on_lost_node = true;
}

void Kubelets::note_object_gone(const Text& pod, Uid uid) {
  if (Instance* held = found(pod, uid)) held->object_gone = true;
}

void Kubelets::recover() {
  for (Instance& p : running_) p.on_lost_node = false;
}

std::size_t Kubelets::stop_strays() {
  return std::erase_if(running_, [](const Instance& p) { return p.object_gone && !p.on_lost_node; });
}

}  // namespace ordeal
