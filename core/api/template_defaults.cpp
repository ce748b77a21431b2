// Defaults of pod templates, as the API documentation of PodSpec, Container, Probe and Volume states them. What only a
// Pod gets and a template does not (enableServiceLinks, requests from limits, ...) is left out on purpose: it is not in
// the bytes of a revision either.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/api/encode.h"
#include "core/api/template_rules.h"

namespace ordeal {

namespace {

using nlohmann::json;

constexpr int default_file_mode = 420;  // 0644
constexpr int default_token_seconds = 3600;

/// Lists that are written even when they are empty, and members that are maps, not structs: of these an empty one is
/// left out.
constexpr std::array written_when_empty{"nodeSelectorTerms", "sources", "monitors"};
constexpr std::array maps{"labels", "annotations", "matchLabels", "limits", "requests", "options", "volumeAttributes"};

/// What the API server's types do not hold, at any depth of a field that they know: null, an empty list, an empty map.
/// An empty struct stays, since a pointer to one says that it is there (`emptyDir: {}`).
void drop_unsaid(json& value) {
  if (value.is_array())
    for (json& item : value) drop_unsaid(item);
  if (!value.is_object()) return;
  for (auto at = value.begin(); at != value.end();) {
    const auto is_one_of = [&](const auto& names) { return std::ranges::find(names, at.key()) != names.end(); };
    const bool is_map = at->is_object() && is_one_of(maps);
    const bool is_list = at->is_array() && !is_one_of(written_when_empty);
    const bool unsaid = at->is_null() || ((is_map || is_list) && at->empty());
    if (!unsaid && !is_map) drop_unsaid(*at);
    at = unsaid ? value.erase(at) : std::next(at);
  }
}

json* member(json& map, const char* key) {
  if (!map.is_object()) return nullptr;
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &*found;
}

void drop_unsaid_in(json& map, std::initializer_list<const char*> keys) {
  for (const char* key : keys)
    if (json* held = member(map, key)) drop_unsaid(*held);
}

void fill(json& map, const char* key, json value) {
  if (!map.is_object()) return;
  json& held = map[key];
  const bool unset = held.is_null() || (held.is_string() && held.get_ref<const std::string&>().empty());
  if (unset) held = std::move(value);
}

template <class Each>
void for_each(json& map, const char* list, Each each) {
  json* items = member(map, list);
  if (items == nullptr || !items->is_array()) return;
  for (json& item : *items) each(item);
}

/// Members that say nothing: Go writes none of them.
void drop_empty(json& map) {
  if (!map.is_object()) return;
  for (auto at = map.begin(); at != map.end();) {
    const bool empty = at->is_null() || (at->is_array() && at->empty()) ||
                       (at->is_string() && at->get_ref<const std::string&>().empty());
    at = empty ? map.erase(at) : std::next(at);
  }
}

/// Members that are left out at their zero value: false, 0 or {}.
void drop_zero(json& map, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const json* held = member(map, key);
    if (held == nullptr) continue;
    const bool zero = (held->is_object() && held->empty()) || (held->is_boolean() && !held->get<bool>()) ||
                      (held->is_number_integer() && held->get<std::int64_t>() == 0);
    if (zero) map.erase(key);
  }
}

void canonical_quantities(json& resources) {
  for (const char* key : {"limits", "requests"})
    if (json* quantities = member(resources, key); quantities != nullptr && quantities->is_object())
      for (json& quantity : *quantities) canonical_quantity(quantity);
  drop_empty(resources);
  drop_zero(resources, {"limits", "requests"});
}

/// "registry:5000/app" has no tag; "app:latest", whatever digest follows, and neither tag nor digest mean the newest
/// image.
bool wants_newest(std::string_view image) {
  const std::size_t digest = image.find('@');
  const std::string_view named = image.substr(0, digest), name = named.substr(named.rfind('/') + 1);
  const std::size_t colon = name.find(':');
  return colon == name.npos ? digest == image.npos : name.substr(colon + 1) == "latest";
}

void default_field_ref(json& source) {
  if (json* reference = member(source, "fieldRef")) fill(*reference, "apiVersion", "v1");
}

void default_http_get(json& handler) {
  json* get = member(handler, "httpGet");
  if (get == nullptr) return;
  fill(*get, "path", "/");
  fill(*get, "scheme", "HTTP");
  drop_empty(*get);
}

void default_probe(json& container, const char* key) {
  json* probe = member(container, key);
  if (probe == nullptr || !probe->is_object()) return;
  default_http_get(*probe);
  if (json* grpc = member(*probe, "grpc"); grpc != nullptr && grpc->is_object() && !grpc->contains("service"))
    (*grpc)["service"] = "";
  const auto fill_number = [&](const char* name, int value) {
    const json* held = member(*probe, name);
    if (held == nullptr || held->is_null() || *held == 0) (*probe)[name] = value;
  };
  fill_number("timeoutSeconds", 1);
  fill_number("periodSeconds", 10);
  fill_number("successThreshold", 1);
  fill_number("failureThreshold", 3);
  drop_empty(*probe);
  drop_zero(*probe, {"initialDelaySeconds"});
}

void default_env(json& env) {
  if (json* from = member(env, "valueFrom")) default_field_ref(*from);
  drop_empty(env);
}

void default_port(json& port) {
  fill(port, "protocol", "TCP");
  drop_empty(port);
  drop_zero(port, {"hostPort"});
}

void default_container(json& container) {
  if (!container.is_object()) return;
  drop_unsaid_in(container, {"env", "envFrom", "lifecycle", "livenessProbe", "ports", "readinessProbe", "resources",
                             "securityContext", "startupProbe", "volumeDevices", "volumeMounts"});
  const json* image = member(container, "image");
  const bool newest = image == nullptr || !image->is_string() || wants_newest(image->get_ref<const std::string&>());
  fill(container, "imagePullPolicy", newest ? "Always" : "IfNotPresent");
  fill(container, "terminationMessagePath", "/dev/termination-log");
  fill(container, "terminationMessagePolicy", "File");
  fill(container, "resources", json::object());
  canonical_quantities(container["resources"]);
  for_each(container, "ports", default_port);
  for_each(container, "env", default_env);
  for_each(container, "volumeMounts", [](json& mount) { drop_empty(mount), drop_zero(mount, {"readOnly"}); });
  for (const char* probe : {"livenessProbe", "readinessProbe", "startupProbe"}) default_probe(container, probe);
  if (json* lifecycle = member(container, "lifecycle"))
    for (const char* hook : {"postStart", "preStop"})
      if (json* handler = member(*lifecycle, hook)) default_http_get(*handler);
  drop_empty(container);
  drop_zero(container, {"stdin", "stdinOnce", "tty"});
}

void default_file_source(json& volume, const char* key) {
  json* source = member(volume, key);
  if (source == nullptr || !source->is_object()) return;
  fill(*source, "defaultMode", default_file_mode);
  for_each(*source, "items", default_field_ref);
  for_each(*source, "sources", [](json& projected) {
    if (json* token = member(projected, "serviceAccountToken"))
      fill(*token, "expirationSeconds", default_token_seconds);
    if (json* downward = member(projected, "downwardAPI")) for_each(*downward, "items", default_field_ref);
  });
  drop_empty(*source);
}

void default_volume(json& volume) {
  drop_empty(volume);
  if (!volume.is_object()) return;
  const bool has_source = volume.size() > (volume.contains("name") ? 1u : 0u);
  if (!has_source) volume["emptyDir"] = json::object();
  for (const char* key : {"secret", "configMap", "downwardAPI", "projected"}) default_file_source(volume, key);
  if (json* host_path = member(volume, "hostPath"); host_path != nullptr && host_path->is_object())
    if (!host_path->contains("type")) (*host_path)["type"] = "";
  if (json* iscsi = member(volume, "iscsi")) fill(*iscsi, "iscsiInterface", "default");
  if (json* claim = member(volume, "persistentVolumeClaim")) drop_zero(*claim, {"readOnly"});
  if (json* empty_dir = member(volume, "emptyDir")) {
    if (json* limit = member(*empty_dir, "sizeLimit")) canonical_quantity(*limit);
    drop_empty(*empty_dir);
  }
  if (json* ephemeral = member(volume, "ephemeral"))
    if (json* claim = member(*ephemeral, "volumeClaimTemplate")) {
      fill(*claim, "metadata", json::object());
      if (json* metadata = member(*claim, "metadata")) drop_empty(*metadata);
      if (json* spec = member(*claim, "spec")) apply_claim_defaults(*spec);
    }
}

/// The deprecated spelling is kept in step with the present one, both ways.
void default_service_account(json& spec) {
  for (const auto& [from, to] :
       {std::pair{"serviceAccountName", "serviceAccount"}, {"serviceAccount", "serviceAccountName"}})
    if (const json* name = member(spec, from); name != nullptr && name->is_string()) fill(spec, to, *name);
}

void default_pod_spec(json& spec) {
  if (!spec.is_object()) return;
  drop_unsaid_in(spec, {"affinity", "dnsConfig", "hostAliases", "overhead", "readinessGates", "resourceClaims",
                        "securityContext", "tolerations", "topologySpreadConstraints", "volumes"});
  for (const char* list : {"containers", "initContainers"}) for_each(spec, list, default_container);
  for_each(spec, "volumes", default_volume);
  fill(spec, "dnsPolicy", "ClusterFirst");
  fill(spec, "restartPolicy", "Always");
  fill(spec, "schedulerName", "default-scheduler");
  fill(spec, "securityContext", json::object());
  fill(spec, "terminationGracePeriodSeconds", 30);
  default_service_account(spec);
  for_each(spec, "tolerations", drop_empty);
  if (json* overhead = member(spec, "overhead"); overhead != nullptr && overhead->is_object())
    for (json& quantity : *overhead) canonical_quantity(quantity);
  drop_empty(spec);
  drop_zero(spec, {"hostNetwork", "hostPID", "hostIPC", "nodeSelector", "overhead"});
}

}  // namespace

void apply_claim_defaults(json& spec) {
  if (!spec.is_object()) return;
  fill(spec, "volumeMode", "Filesystem");
  fill(spec, "resources", json::object());
  canonical_quantities(spec["resources"]);
  drop_empty(spec);
}

void apply_template_defaults(json& pod_template) {
  if (!pod_template.is_object()) return;
  fill(pod_template, "metadata", json::object());
  json& metadata = pod_template["metadata"];
  drop_empty(metadata);
  drop_zero(metadata, {"labels", "annotations"});
  if (json* spec = member(pod_template, "spec")) default_pod_spec(*spec);
}

}  // namespace ordeal
