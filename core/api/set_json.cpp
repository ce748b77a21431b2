// StatefulSets in JSON, read and written. Strict at every typed level: a field nobody knows is most often a typing
// error, and a set tried without it would be another set than the one meant.
#include <charconv>

#include "core/api/encode.h"
#include "core/api/object_json.h"
#include "core/api/template_rules.h"

namespace ordeal {

namespace {

using nlohmann::json;

void read_selector(const Field& selector, LabelSelector& out) {
  if (!selector.is_map()) return;
  selector.only({"matchLabels", "matchExpressions"});
  selector["matchLabels"].read(out.match_labels);
  const Field expressions = selector["matchExpressions"];
  if (!expressions.is_short_list()) return;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const Field item = expressions[i];
    item.require();
    if (!item.is_map()) continue;
    item.only({"key", "operator", "values"});
    SelectorRequirement requirement;
    item["key"].require();
    item["key"].read(requirement.key);
    item["operator"].require();
    read_enum(item["operator"], operator_words, requirement.op);
    if (item["values"].present() && item["values"].is_short_list()) item["values"].read(requirement.values);
    out.match_expressions.push_back(std::move(requirement));
  }
}

/// A whole number, or digits and "%".
void read_int_or_percent(const Field& field, std::optional<IntOrPercent>& out) {
  if (!field.present()) return;
  IntOrPercent value;
  if (!field.value().is_string()) {
    field.read(value.value);
    out = value;
    return;
  }
  const std::string& text = field.value().get_ref<const std::string&>();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value.value);
  const bool is_percent = error == std::errc{} && std::string_view(end, text.data() + text.size()) == "%";
  value.percent = true;
  if (is_percent) out = value;
  else field.fault("must be a whole number or a percentage such as 25%");
}

/// As which API a set is written. apps/v1beta1 waited for the user to delete pods unless told otherwise, and took its
/// selector from the template; OpenKruise's Advanced StatefulSet has minReadySeconds in its rolling update.
struct Dialect {
  bool is_v1beta1 = false, is_kruise = false;
};

// Only an absent type brings a rollingUpdate block with it; that cannot be seen any more once this is read.
void read_strategy(const Field& strategy, Dialect dialect, StatefulSetSpec& out) {
  const Strategy when_absent = dialect.is_v1beta1 ? Strategy::on_delete : Strategy::rolling_update;
  if (strategy.is_map()) strategy.only({"type", "rollingUpdate"});
  const Field type = strategy["type"], rolling = strategy["rollingUpdate"];
  const bool has_type = type.present() && type.value() != "";
  out.strategy = when_absent;
  if (has_type) read_enum(type, strategy_words, out.strategy);
  if (rolling.is_map()) {
    if (dialect.is_kruise) {
      rolling.only({"partition", "maxUnavailable", "minReadySeconds"}, own_of_kruise_rolling);
      rolling["minReadySeconds"].read(out.min_ready_seconds);
    } else {
      rolling.only({"partition", "maxUnavailable"});
    }
    out.rolling_update.emplace();
    rolling["partition"].read(out.rolling_update->partition);
    read_int_or_percent(rolling["maxUnavailable"], out.rolling_update->max_unavailable);
  } else if (!has_type && when_absent == Strategy::rolling_update) {
    out.rolling_update.emplace();
  }
}

void check_claim_spec(const Field& spec) {
  spec.require();
  if (!spec.is_map()) return;
  const Field modes = spec["accessModes"];
  modes.require();
  if (modes.is_list() && modes.size() == 0) modes.fault("must have at least one");
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (modes[i].read_word({"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"}) == 3u &&
        modes.size() > 1)
      modes.fault("must have no other mode beside ReadWriteOncePod");
  const Field resources = spec["resources"];
  if (resources.present() && !resources.is_map()) return;
  const Field requests = resources["requests"];
  if (requests.present() && !requests.is_map()) return;
  const Field storage = requests["storage"];
  storage.require();
  json quantity = storage.present() ? storage.value() : json("1");
  if (!canonical_quantity(quantity)) storage.fault("must be a quantity such as 10Gi");
  else if (quantity == "0" || quantity.get_ref<const std::string&>().starts_with('-'))
    storage.fault("must be greater than 0");
}

void read_claim_template(const Field& item, ClaimTemplate& out) {
  item.require();
  if (!item.is_map()) return;
  item.only({"apiVersion", "kind", "metadata", "spec", "status"});
  ObjectMeta meta;
  read_meta(item["metadata"], meta, /*strict=*/true);
  out.name = meta.name;
  out.ns = meta.ns;
  if (meta.labels) out.labels = *meta.labels;
  if (meta.annotations) out.annotations = *meta.annotations;
  out.owners = meta.owners;
  out.finalizers = meta.finalizers;
  const Field spec = item["spec"];
  check_claim_spec(spec);
  json copy = spec.present() ? spec.value() : json::object();
  apply_claim_defaults(copy);
  out.spec = std::make_shared<const std::string>(go_encode(copy));
}

void read_claim_templates(const Field& list, std::vector<ClaimTemplate>& out) {
  if (!list.is_short_list()) return;
  for (std::size_t i = 0; i < list.size(); ++i) read_claim_template(list[i], out.emplace_back());
}

void read_retention(const Field& policy, std::optional<RetentionPolicy>& out) {
  if (!policy.is_map()) return;
  policy.only({"whenDeleted", "whenScaled"});
  out.emplace();
  read_enum(policy["whenDeleted"], retention_words, out->when_deleted);
  read_enum(policy["whenScaled"], retention_words, out->when_scaled);
}

void read_ordinals(const Field& ordinals, std::optional<std::int32_t>& out) {
  if (!ordinals.is_map()) return;
  ordinals.only({"start"});
  out = 0;
  ordinals["start"].read(out);
}

/// "3-5", of at most max_entries; nothing when it is no such range.
std::optional<std::pair<std::int32_t, std::int32_t>> range_in(std::string_view text) {
  std::int32_t first = 0, last = 0;
  const char* end = text.data() + text.size();
  const auto low = std::from_chars(text.data(), end, first);
  if (low.ec != std::errc{} || low.ptr == end || *low.ptr != '-') return std::nullopt;
  const auto high = std::from_chars(low.ptr + 1, end, last);
  const bool is_range = high.ec == std::errc{} && high.ptr == end && first >= 0 && first <= last;
  if (!is_range || std::int64_t{last} - first >= std::int64_t{max_entries}) return std::nullopt;
  return std::pair(first, last);
}

void read_reserved_one(const Field& item, std::vector<std::int32_t>& out) {
  if (!item.present() || !item.value().is_string()) return item.read(out.emplace_back());
  const auto range = range_in(item.value().get_ref<const std::string&>());
  if (!range)
    return item.fault("must be a whole number or a range such as 3-5, of at most " + std::to_string(max_entries));
  for (std::int64_t ordinal = range->first; ordinal <= range->second; ++ordinal)
    out.push_back(static_cast<std::int32_t>(ordinal));
}

void read_reserved(const Field& list, std::vector<std::int32_t>& out) {
  if (!list.is_short_list()) return;
  for (std::size_t i = 0; i < list.size() && out.size() <= max_entries; ++i) read_reserved_one(list[i], out);
  if (out.size() > max_entries) list.fault("must not reserve more than " + std::to_string(max_entries) + " ordinals");
  std::ranges::sort(out);
  const auto again = std::ranges::unique(out);
  out.erase(again.begin(), again.end());
}

constexpr std::initializer_list<std::string_view> all_of_spec = {"replicas",
                                                                 "selector",
                                                                 "template",
                                                                 "volumeClaimTemplates",
                                                                 "serviceName",
                                                                 "podManagementPolicy",
                                                                 "updateStrategy",
                                                                 "revisionHistoryLimit",
                                                                 "persistentVolumeClaimRetentionPolicy",
                                                                 "ordinals",
                                                                 "reserveOrdinals"};

void read_spec(const Field& spec, Dialect dialect, StatefulSetSpec& out) {
  if (!spec.is_map()) return;
  if (dialect.is_kruise) spec.only(all_of_spec, own_of_kruise);
  else spec.only(all_of_spec, {"minReadySeconds"});
  spec["replicas"].read(out.replicas);
  read_selector(spec["selector"], out.selector);
  const Field pod_template = spec["template"];
  if (pod_template.present()) out.pod_template = make_template(pod_template.value());
  read_claim_templates(spec["volumeClaimTemplates"], out.claim_templates);
  spec["serviceName"].read(out.service_name);
  read_enum(spec["podManagementPolicy"], management_words, out.pod_management);
  read_strategy(spec["updateStrategy"], dialect, out);
  spec["revisionHistoryLimit"].read(out.revision_history_limit);
  if (!dialect.is_kruise) spec["minReadySeconds"].read(out.min_ready_seconds);
  read_retention(spec["persistentVolumeClaimRetentionPolicy"], out.retention);
  read_ordinals(spec["ordinals"], out.ordinals_start);
  read_reserved(spec["reserveOrdinals"], out.reserve_ordinals);
  if (dialect.is_v1beta1 && !spec["selector"].present() && out.pod_template)
    out.selector.match_labels = out.pod_template->labels;
}

StatefulSetCondition condition_of(const Field& condition) {
  StatefulSetCondition out;
  condition["type"].read(out.type);
  condition["status"].read(out.status);
  condition["reason"].read(out.reason);
  condition["message"].read(out.message);
  Text changed;
  condition["lastTransitionTime"].read(changed);
  if (changed.empty()) return out;
  out.last_transition = read_time(changed);
  if (!out.last_transition) condition["lastTransitionTime"].fault("must be a time such as 2026-01-01T00:00:00Z");
  return out;
}

void read_conditions(const Field& list, std::vector<StatefulSetCondition>& out) {
  if (!list.is_short_list()) return;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].is_map()) out.push_back(condition_of(list[i]));
}

void read_status(const Field& status, StatefulSetStatus& out) {
  if (!status.is_map()) return;
  status["observedGeneration"].read(out.observed_generation);
  status["replicas"].read(out.replicas);
  status["readyReplicas"].read(out.ready_replicas);
  status["currentReplicas"].read(out.current_replicas);
  status["updatedReplicas"].read(out.updated_replicas);
  status["availableReplicas"].read(out.available_replicas);
  status["currentRevision"].read(out.current_revision);
  status["updateRevision"].read(out.update_revision);
  status["collisionCount"].read(out.collision_count);
  read_conditions(status["conditions"], out.conditions);
}

json condition_json(const StatefulSetCondition& condition) {
  json out = {{"type", condition.type.str()}, {"status", condition.status.str()}};
  if (condition.last_transition) out["lastTransitionTime"] = time_text(*condition.last_transition);
  if (!condition.reason.empty()) out["reason"] = condition.reason.str();
  if (!condition.message.empty()) out["message"] = condition.message.str();
  return out;
}

json selector_json(const LabelSelector& selector) {
  json out = json::object();
  if (!selector.match_labels.empty()) out["matchLabels"] = string_map_json(selector.match_labels);
  for (const SelectorRequirement& requirement : selector.match_expressions) {
    json item = {{"key", requirement.key.str()}, {"operator", word_json(operator_words, requirement.op)}};
    if (!requirement.values.empty()) item["values"] = texts_json(requirement.values);
    out["matchExpressions"].push_back(std::move(item));
  }
  return out;
}

json strategy_json(const StatefulSetSpec& spec) {
  json out = {{"type", word_json(strategy_words, spec.strategy)}};
  if (!spec.rolling_update) return out;
  json& rolling = out["rollingUpdate"] = json::object();
  if (spec.rolling_update->partition) rolling["partition"] = *spec.rolling_update->partition;
  if (const auto& most = spec.rolling_update->max_unavailable)
    rolling["maxUnavailable"] = most->percent ? json(std::to_string(most->value) + "%") : json(most->value);
  return out;
}

json claim_template_json(const ClaimTemplate& claim) {
  json metadata = {{"name", claim.name.str()}};
  if (!claim.ns.empty()) metadata["namespace"] = claim.ns.str();
  if (!claim.labels.empty()) metadata["labels"] = string_map_json(claim.labels);
  if (!claim.annotations.empty()) metadata["annotations"] = string_map_json(claim.annotations);
  if (claim.owners) metadata["ownerReferences"] = to_json(*claim.owners);
  if (claim.finalizers) metadata["finalizers"] = texts_json(*claim.finalizers);
  json out = {{"apiVersion", "v1"}, {"kind", "PersistentVolumeClaim"}, {"metadata", std::move(metadata)}};
  if (claim.spec) out["spec"] = json::parse(*claim.spec, nullptr, /*allow_exceptions=*/false);
  return out;
}

json spec_json(const StatefulSetSpec& spec) {
  json out = {{"selector", selector_json(spec.selector)},
              {"podManagementPolicy", word_json(management_words, spec.pod_management)},
              {"updateStrategy", strategy_json(spec)}};
  if (spec.replicas) out["replicas"] = *spec.replicas;
  if (spec.pod_template)
    out["template"] = json::parse(spec.pod_template->document, nullptr, /*allow_exceptions=*/false);
  for (const ClaimTemplate& claim : spec.claim_templates)
    out["volumeClaimTemplates"].push_back(claim_template_json(claim));
  if (!spec.service_name.empty()) out["serviceName"] = spec.service_name.str();
  if (spec.revision_history_limit) out["revisionHistoryLimit"] = *spec.revision_history_limit;
  if (spec.min_ready_seconds != 0) out["minReadySeconds"] = spec.min_ready_seconds;
  if (spec.retention)
    out["persistentVolumeClaimRetentionPolicy"] = {
        {"whenDeleted", word_json(retention_words, spec.retention->when_deleted)},
        {"whenScaled", word_json(retention_words, spec.retention->when_scaled)}};
  if (spec.ordinals_start) out["ordinals"] = {{"start", *spec.ordinals_start}};
  if (!spec.reserve_ordinals.empty()) out["reserveOrdinals"] = spec.reserve_ordinals;
  return out;
}

}  // namespace

json to_json(const StatefulSetStatus& status) {
  json out = {{"replicas", status.replicas}, {"availableReplicas", status.available_replicas}};
  if (status.observed_generation != 0) out["observedGeneration"] = status.observed_generation;
  if (status.ready_replicas != 0) out["readyReplicas"] = status.ready_replicas;
  if (status.current_replicas != 0) out["currentReplicas"] = status.current_replicas;
  if (status.updated_replicas != 0) out["updatedReplicas"] = status.updated_replicas;
  if (!status.current_revision.empty()) out["currentRevision"] = status.current_revision.str();
  if (!status.update_revision.empty()) out["updateRevision"] = status.update_revision.str();
  if (status.collision_count) out["collisionCount"] = *status.collision_count;
  for (const StatefulSetCondition& condition : status.conditions)
    out["conditions"].push_back(condition_json(condition));
  return out;
}

json to_json(const StatefulSet& set) {
  json out = {{"apiVersion", "apps/v1"}, {"kind", "StatefulSet"}, {"metadata", meta_json(set.meta)}};
  if (set.spec) out["spec"] = spec_json(*set.spec);
  if (!(set.status == StatefulSetStatus{})) out["status"] = to_json(set.status);
  return out;
}

bool from_json(const json& value, StatefulSetStatus& out, FieldErrors& errors) {
  const std::size_t errors_before = errors.size();
  read_status(Field(value, errors, "status"), out);
  return errors.size() == errors_before;
}

bool from_json(const json& value, StatefulSet& out, FieldErrors& errors) {
  const std::size_t errors_before = errors.size();
  const Field whole(value, errors);
  whole.require();
  if (!whole.is_map()) return false;
  whole.only({"apiVersion", "kind", "metadata", "spec", "status"});
  read_meta(whole["metadata"], out.meta, /*strict=*/true);
  auto spec = std::make_shared<StatefulSetSpec>();
  const std::string version = text_at(value, "apiVersion");
  read_spec(whole["spec"],
            {.is_v1beta1 = version == "apps/v1beta1", .is_kruise = version.starts_with("apps.kruise.io/")}, *spec);
  if (whole["spec"].present()) out.spec = std::move(spec);
  read_status(whole["status"], out.status);
  return errors.size() == errors_before;
}

}  // namespace ordeal
