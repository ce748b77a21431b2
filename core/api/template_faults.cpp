// What the API server would not take in a pod template: the rules people run into, not all there are. That mounts name
// a volume is checked with the set, whose claim templates count (validation.cpp). Not checked: affinity, tolerations,
// security contexts.
#include <algorithm>
#include <map>
#include <set>

#include "core/api/document_builder.h"
#include "core/api/encode.h"
#include "core/api/fields.h"
#include "core/api/syntax.h"
#include "core/api/template_rules.h"

namespace ordeal {

namespace {

using nlohmann::json;
using Check = bool (*)(std::string_view);

/// Text that must be there (when `required`) and of a form.
void check_text_field(const Field& field, Check is_right, const char* sentence, bool required = false) {
  if (required) field.require();
  Text text;
  field.read(text);
  const bool was_text = field.present() && field.value().is_string();
  if (!was_text) return;
  if (required && text.empty()) return field.fault("is required");
  if (!text.empty() && is_right != nullptr && !is_right(text)) field.fault(sentence);
}

void check_number(const Field& field, std::int64_t low, std::int64_t high, bool required = false) {
  if (required) field.require();
  if (!field.present()) return;
  const bool whole = field.value().is_number_integer();
  const std::int64_t number = whole ? field.value().get<std::int64_t>() : low - 1;
  if (number < low || number > high)
    field.fault("must be a whole number between " + std::to_string(low) + " and " + std::to_string(high));
}

template <class Each>
void for_each(const Field& list, Each each) {
  if (!list.is_list()) return;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Field item = list[i];
    if (!item.present()) item.fault("must be a map");
    else if (item.is_map()) each(item);
  }
}

/// Names that may occur once.
class Once {
 public:
  void check(const Field& name) {
    const std::string* text = name.present() ? name.value().get_ptr<const std::string*>() : nullptr;
    if (text != nullptr && !text->empty() && !seen_.insert(*text).second) name.fault("must be unique");
  }

 private:
  std::set<std::string, std::less<>> seen_;
};

/// Those that are fine, in their one form.
std::map<std::string, json, std::less<>> check_quantities(const Field& map) {
  std::map<std::string, json, std::less<>> fine;
  if (!map.is_map()) return fine;
  for (const auto& item : map.value().items()) {
    json quantity = item.value();
    const Field field = map[std::string_view(item.key())];
    if (!canonical_quantity(quantity)) field.fault("must be a quantity such as 500m, 2 or 1Gi");
    else if (quantity.get_ref<const std::string&>().starts_with('-')) field.fault("must not be negative");
    else fine.emplace(item.key(), std::move(quantity));
  }
  return fine;
}

void check_resources(const Field& resources) {
  if (!resources.is_map()) return;
  const Field requests = resources["requests"], limits = resources["limits"];
  const auto at_most = check_quantities(limits);
  for (const auto& [name, request] : check_quantities(requests)) {
    const auto limit = at_most.find(name);
    if (limit != at_most.end() && is_more_than(request, limit->second))
      requests[std::string_view(name)].fault("must not be more than its limit, " + limit->second.get<std::string>());
  }
}

void check_probe(const Field& probe) {
  if (!probe.is_map()) return;
  constexpr std::int64_t most = 2147483647;
  int handlers = 0;
  for (const char* handler : {"exec", "httpGet", "tcpSocket", "grpc"}) handlers += probe[handler].present() ? 1 : 0;
  if (handlers != 1) probe.fault("must have exactly one of exec, httpGet, tcpSocket, grpc");
  check_number(probe["initialDelaySeconds"], 0, most);
  for (const char* number : {"timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"})
    check_number(probe[number], 0, most);
}

void check_env(const Field& env) {
  check_text_field(env["name"], nullptr, "", /*required=*/true);
  check_text_field(env["value"], nullptr, "");
  const Field from = env["valueFrom"];
  if (from.is_map() && env["value"].present() && !(env["value"].value() == ""))
    from.fault("must be absent when there is a value");
}

void check_ports(const Field& ports) {
  Once names;
  for_each(ports, [&](const Field& port) {
    check_number(port["containerPort"], 1, 65535, /*required=*/true);
    check_number(port["hostPort"], 0, 65535);
    port["protocol"].read_word({"TCP", "UDP", "SCTP"});
    check_text_field(port["name"], is_port_name, says_port_name);
    names.check(port["name"]);
  });
}

void check_mounts(const Field& mounts) {
  Once paths;
  for_each(mounts, [&](const Field& mount) {
    check_text_field(mount["name"], nullptr, "", /*required=*/true);
    check_text_field(mount["mountPath"], nullptr, "", /*required=*/true);
    paths.check(mount["mountPath"]);
  });
}

bool has_no_space_around(std::string_view text) {
  return text.find_first_of(" \t\r\n") != 0 && text.find_last_of(" \t\r\n") != text.size() - 1;
}

void check_container(const Field& container, Once& names) {
  check_text_field(container["name"], is_dns_label, says_dns_label, /*required=*/true);
  names.check(container["name"]);
  check_text_field(container["image"], has_no_space_around, "must not begin or end with a space", /*required=*/true);
  container["imagePullPolicy"].read_word({"Always", "IfNotPresent", "Never"});
  container["terminationMessagePolicy"].read_word({"File", "FallbackToLogsOnError"});
  check_text_field(container["terminationMessagePath"], nullptr, "");
  check_ports(container["ports"]);
  for_each(container["env"], check_env);
  check_mounts(container["volumeMounts"]);
  std::vector<Text> words;
  for (const char* list : {"command", "args"}) container[list].read(words);
  check_resources(container["resources"]);
  for (const char* probe : {"livenessProbe", "readinessProbe", "startupProbe"}) check_probe(container[probe]);
}

void check_volumes(const Field& volumes) {
  Once names;
  for_each(volumes, [&](const Field& volume) {
    check_text_field(volume["name"], is_dns_label, says_dns_label, /*required=*/true);
    names.check(volume["name"]);
    if (volume.value().size() > 2) volume.fault("must have exactly one source");
    const Field claim = volume["persistentVolumeClaim"];
    if (claim.is_map()) check_text_field(claim["claimName"], nullptr, "", /*required=*/true);
  });
}

void check_pod_spec(const Field& spec) {
  spec.require();
  if (!spec.is_map()) return;
  Once names;
  const Field containers = spec["containers"];
  containers.require();
  if (containers.present() && containers.value().is_array() && containers.size() == 0) containers.fault("is required");
  for (const char* list : {"containers", "initContainers"})
    for_each(spec[list], [&](const Field& container) { check_container(container, names); });
  check_volumes(spec["volumes"]);

  const Field restart = spec["restartPolicy"];
  if (restart.present() && restart.value() != "Always") restart.fault("must be Always");
  if (spec["activeDeadlineSeconds"].present()) spec["activeDeadlineSeconds"].fault("must be absent");
  if (spec["ephemeralContainers"].present()) spec["ephemeralContainers"].fault("must be absent");
  spec["dnsPolicy"].read_word({"ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"});
  check_number(spec["terminationGracePeriodSeconds"], 0, std::int64_t{1} << 53);
  for (const char* text : {"schedulerName", "nodeName", "priorityClassName"}) check_text_field(spec[text], nullptr, "");
  for (const char* name : {"serviceAccountName", "serviceAccount"})
    check_text_field(spec[name], is_dns_subdomain, says_dns_subdomain);
  for (const char* name : {"hostname", "subdomain"})
    check_text_field(spec[name], nullptr, "");  // the controller gives pods others
  if (spec["securityContext"].present()) static_cast<void>(spec["securityContext"].is_map());
  StringMap selector;
  spec["nodeSelector"].read(selector);
}

void check_metadata(const Field& metadata) {
  if (!metadata.is_map()) return;
  StringMap labels, annotations;
  metadata["labels"].read(labels);
  metadata["annotations"].read(annotations);
  for (const auto& [key, value] : labels) {
    const Field label = metadata["labels"];
    if (!is_qualified_name(key)) label[key.view()].fault(says_qualified_name);
    if (!is_label_value(value)) label[key.view()].fault(says_label_value);
  }
  for (const auto& [key, value] : annotations) {
    std::string lower = key.str();  // annotation keys may have capitals in their prefix
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    const Field annotation = metadata["annotations"];
    if (!is_qualified_name(lower)) annotation[key.view()].fault(says_qualified_name);
  }
  std::vector<Text> finalizers;
  metadata["finalizers"].read(finalizers);
}

}  // namespace

std::vector<std::string> template_faults(const json& pod_template) {
  FieldErrors errors;
  const Field whole(pod_template, errors);
  whole.require();
  if (whole.is_map()) {
    check_metadata(whole["metadata"]);
    check_pod_spec(whole["spec"]);
  }
  std::vector<std::string> faults;
  for (const FieldError& error : errors)
    faults.push_back((error.path.empty() ? "template: " : error.path + ": ") + error.message +
                     (error.value.empty() ? "" : " (found: " + error.value + ")"));
  return faults;
}

}  // namespace ordeal
