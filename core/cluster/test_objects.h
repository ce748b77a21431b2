// Small objects for the tests of this room: valid, and plain in everything a test does not ask for.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/names.h"
#include "core/cluster/cluster.h"

namespace ordeal::test {

inline Shared<StringMap> labels(std::initializer_list<StringMap::Entry> entries) {
  return std::make_shared<const StringMap>(entries);
}

inline Shared<std::vector<Text>> finalizers(std::vector<Text> names) {
  return std::make_shared<const std::vector<Text>>(std::move(names));
}

inline ObjectMeta meta(std::string_view name) {
  ObjectMeta made;
  made.name = name;
  made.ns = "default";
  return made;
}

inline Shared<PodTemplate> pod_template(std::string_view image = "web:1") {
  PodTemplate made;
  made.labels.set("app", "web");
  made.image = image;
  made.document = R"({"image":")" + std::string(image) + R"("})";
  made.patch = made.older_patch = std::make_shared<const std::string>(made.document);
  return std::make_shared<const PodTemplate>(std::move(made));
}

inline StatefulSet set(std::string_view name = "web") {
  StatefulSetSpec spec;
  spec.replicas = 3;
  spec.selector.match_labels.set("app", "web");
  spec.pod_template = pod_template();
  spec.service_name = "web";
  StatefulSet made;
  made.meta = meta(name);
  made.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  return made;
}

inline Pod pod(std::string_view name, std::string_view image = "web:1") {
  Pod made;
  made.meta = meta(name);
  made.meta.labels = labels({{"app", "web"}});
  made.made_from = pod_template(image);
  return made;
}

/// A pod that mounts the claim.
inline Pod pod_on(std::string_view name, std::string_view claim) {
  Pod made = pod(name);
  made.volumes = std::make_shared<const std::vector<Volume>>(std::vector<Volume>{{"data", claim, {}}});
  return made;
}

inline Claim claim(std::string_view name) {
  Claim made;
  made.meta = meta(name);
  made.spec = std::make_shared<const std::string>("{}");
  return made;
}

inline Revision revision(std::string_view name, std::string_view data = "{}") {
  Revision made;
  made.meta = meta(name);
  made.data.bytes = std::make_shared<const std::string>(data);
  made.number = 1;
  return made;
}

inline OwnerReference owner(const StatefulSet& set) {
  return {group_version_apps, kind_stateful_set, set.meta.name, set.meta.uid, true, true};
}
inline OwnerReference owner(const Pod& pod) {
  return {group_version_core, kind_pod, pod.meta.name, pod.meta.uid, true, true};
}
/// Of a kind the cluster does not know, so never gone.
inline OwnerReference stranger(bool controller = false) {
  return {group_version_apps, "ReplicaSet", "other", Uid{1'000'000'007}, controller, false};
}
inline Shared<Owners> owners(Owners list) { return std::make_shared<const Owners>(std::move(list)); }

template <class T>
T owned_by(T object, Owners list) {
  object.meta.owners = owners(std::move(list));
  return object;
}

/// Creates the pod and takes it to running and ready, as far as its image goes.
inline const Pod& run(Cluster& cluster, const Pod& wanted) {
  cluster.create_pod(wanted);
  cluster.start_pod(wanted.meta.name);
  cluster.set_ready(wanted.meta.name, true);
  return *cluster.pods().find(wanted.meta.name);
}

}  // namespace ordeal::test
