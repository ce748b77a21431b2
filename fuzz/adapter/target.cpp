#include "fuzz/adapter/target.h"

#include <algorithm>
#include <array>

namespace ordeal::fuzz {

namespace {

using Refused = std::unexpected<std::string>;

struct Resource {
  Kind kind;
  std::string_view api, version, plural, list;
};
constexpr std::array<Resource, kind_count> resources{
    {{Kind::set, "/apis/apps/v1", "apps/v1", "statefulsets", "StatefulSetList"},
     {Kind::pod, "/api/v1", "v1", "pods", "PodList"},
     {Kind::claim, "/api/v1", "v1", "persistentvolumeclaims", "PersistentVolumeClaimList"},
     {Kind::revision, "/apis/apps/v1", "apps/v1", "controllerrevisions", "ControllerRevisionList"}}};
const Resource& resource_for(Kind kind) { return resources[static_cast<std::size_t>(kind)]; }

}  // namespace

Text sent_namespace(const Text& ns) { return ns.empty() ? Text("default") : ns; }
const char* resource_of(Kind kind) { return resource_for(kind).plural.data(); }
std::string_view version_of(Kind kind) { return resource_for(kind).version; }
std::string_view list_kind_of(Kind kind) { return resource_for(kind).list; }

std::vector<std::string_view> parts_of(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

std::string collection_of(Kind kind, const Text& ns) {
  const Resource& resource = resource_for(kind);
  return std::string(resource.api) + "/namespaces/" + sent_namespace(ns).str() + "/" + std::string(resource.plural);
}

std::expected<Target, std::string> target_of(std::string_view path, const Text& ns) {
  if (path.contains('?')) return Refused("a path with a query in it: a query is said in `query`");
  constexpr std::string_view namespaces = "/namespaces/";
  const std::size_t at = std::min(path.find(namespaces), path.size());
  const auto parts = parts_of(path.substr(std::min(at + namespaces.size(), path.size())));  // NS, pods, NAME, status
  const bool is_whole = std::ranges::none_of(parts, &std::string_view::empty) && !path.ends_with('/');
  if (parts.size() < 2 || parts.size() > 4 || !is_whole) return Refused("a path that is not served");
  for (const Resource& resource : resources) {
    if (resource.api != path.substr(0, at) || resource.plural != parts[1]) continue;
    Target target;
    target.kind = resource.kind;
    if (parts[0] != sent_namespace(ns).view()) target.elsewhere = std::string(parts[0]) + "/";
    if (parts.size() > 2) target.name = parts[2];
    if (parts.size() > 3) target.subresource = parts[3];
    return target;
  }
  return Refused("a path that is not served");
}

}  // namespace ordeal::fuzz
