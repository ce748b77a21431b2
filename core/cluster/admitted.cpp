#include "core/cluster/admitted.h"

#include <algorithm>

namespace ordeal {

namespace {

using nlohmann::json;

const Text protection = Text::lasting("kubernetes.io/pvc-protection");

/// The member, an empty list where it is none.
json& list_in(json& spec, const char* member) {
  json& list = spec[member];
  if (!list.is_array()) list = json::array();
  return list;
}

/// For as long a pod bears with a node that is not ready or not reached.
constexpr int toleration_seconds = 300;

void add_tolerations(json& spec) {
  json& tolerations = list_in(spec, "tolerations");
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    const bool is_tolerated = std::ranges::any_of(tolerations, [&](const json& toleration) {
      return toleration.is_object() && toleration.value("key", json()) == key;
    });
    if (!is_tolerated)
      tolerations.push_back(
          {{"key", key}, {"operator", "Exists"}, {"effect", "NoExecute"}, {"tolerationSeconds", toleration_seconds}});
  }
}

constexpr std::string_view token_volume = "kube-api-access-";

/// Its name is made up for each pod, so it is no two pods' alike. A pod may ask for none.
void add_token_volume(json& spec, const std::string& uid) {
  if (uid.empty() || spec.value("automountServiceAccountToken", json(true)) == false) return;
  const std::string name = std::string(token_volume) + uid.substr(uid.size() - std::min<std::size_t>(uid.size(), 5));
  const json token = {{"serviceAccountToken", {{"expirationSeconds", 3607}, {"path", "token"}}}};
  list_in(spec, "volumes")
      .push_back({{"name", name}, {"projected", {{"defaultMode", 420}, {"sources", json::array({token})}}}});
}

/// An autoscaler says what the first container asks for, a service mesh adds its own.
void inject(json& spec) {
  json& containers = list_in(spec, "containers");
  if (!containers.empty() && containers[0].is_object()) {
    json& resources = containers[0]["resources"];
    if (!resources.is_object()) resources = json::object();
    resources["requests"]["cpu"] = "137m";
  }
  containers.push_back({{"name", "injected-proxy"}, {"image", "proxy:1"}});
}

void add_to_spec(json& spec, bool is_injected) {
  const auto fill = [&](const char* member, json value) {
    if (!spec.contains(member)) spec[member] = std::move(value);
  };
  fill("serviceAccountName", "default");
  fill("serviceAccount", spec["serviceAccountName"]);
  fill("priority", 0);
  fill("preemptionPolicy", "PreemptLowerPriority");
  fill("enableServiceLinks", true);
  add_tolerations(spec);
  if (is_injected) inject(spec);
}

/// What a write may not change, however it repairs volumes; not what is the pod's own, whatever its template says.
json fixed_part(const PodTemplate& made_from) {
  json spec = json::parse(made_from.document).value("spec", json::object());
  if (spec.is_object())
    for (const char* member : {"volumes", "hostname", "subdomain", "nodeName"}) spec.erase(member);
  return spec;
}

json fixed_part_as_shown(const PodTemplate& made_from, bool is_injected) {
  json shown = json::parse(made_from.document);
  if (shown.contains("spec") && shown["spec"].is_object()) add_to_spec(shown["spec"], is_injected);
  return fixed_part(*make_template(shown));
}

}  // namespace

json seen_by_clients(const Pod& stored) {
  json pod = to_json(stored);
  add_to_spec(pod["spec"], stored.is_injected);
  add_token_volume(pod["spec"], pod["metadata"].value("uid", std::string()));
  return pod;
}

namespace {

void drop_token_volume(Pod& sent, const Pod& stored) {
  if (sent.volumes == nullptr) return;
  const auto is_added = [&](const Volume& volume) {
    const auto has_it = [&](const Volume& held) { return held.name == volume.name; };
    return volume.name.view().starts_with(token_volume) &&
           (stored.volumes == nullptr || std::ranges::none_of(*stored.volumes, has_it));
  };
  if (std::ranges::none_of(*sent.volumes, is_added)) return;
  std::vector<Volume> rest = *sent.volumes;
  std::erase_if(rest, is_added);
  sent.volumes = rest.empty() ? nullptr : std::make_shared<const std::vector<Volume>>(std::move(rest));
}

}  // namespace

json seen_by_clients(const Claim& stored) {
  json claim = to_json(stored);
  if (!stored.meta.has_finalizer(protection)) claim["metadata"]["finalizers"].push_back(protection.str());
  if (stored.phase == ClaimPhase::none) claim["status"]["phase"] = "Bound";
  return claim;
}

void take_for_stored(Claim& sent, const Claim& stored) {
  if (stored.phase == ClaimPhase::none) sent.phase = ClaimPhase::none;
  if (!sent.meta.has_finalizer(protection) || stored.meta.has_finalizer(protection)) return;
  std::vector<Text> rest = *sent.meta.finalizers;
  std::erase(rest, protection);
  sent.meta.finalizers = rest.empty() ? nullptr : std::make_shared<const std::vector<Text>>(std::move(rest));
}

void take_for_stored(Pod& sent, const Pod& stored) {
  drop_token_volume(sent, stored);
  if (sent.made_from == nullptr || stored.made_from == nullptr || same(sent.made_from, stored.made_from)) return;
  const json wanted = fixed_part(*sent.made_from);
  const bool is_kept =
      wanted == fixed_part(*stored.made_from) || wanted == fixed_part_as_shown(*stored.made_from, stored.is_injected);
  if (is_kept) sent.made_from = stored.made_from;
}

}  // namespace ordeal
