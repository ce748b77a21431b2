// Admission in the hot path of every trial: typed checks only, and nothing is allocated while all is well. What can be
// wrong inside a pod template was worked out once, when the template was made (PodTemplate::faults).
#include "core/api/validation.h"

#include "core/api/names.h"
#include "core/api/syntax.h"

namespace ordeal {

namespace {

constexpr const char* says_not_negative = "must be greater than or equal to 0";
constexpr const char* says_immutable =
    "may not be changed: only replicas, template, updateStrategy, "
    "persistentVolumeClaimRetentionPolicy, minReadySeconds, ordinals and revisionHistoryLimit may";

/// Collects errors; callers name paths as literals, so that a valid set costs no string.
struct Report {
  FieldErrors errors;
  void add(std::string path, std::string message, std::string value = {}) {
    errors.push_back({.path = std::move(path), .message = std::move(message), .value = std::move(value)});
  }
  void not_negative(const char* path, std::int64_t number) {
    if (number < 0) add(path, says_not_negative, std::to_string(number));
  }
};

std::string text_of(const IntOrPercent& value) { return std::to_string(value.value) + (value.percent ? "%" : ""); }

void check_labels(const StringMap* labels, const char* path, Report& report) {
  if (labels == nullptr) return;
  for (const auto& [key, value] : *labels) {
    if (!is_qualified_name(key)) report.add(path, says_qualified_name, key.str());
    if (!is_label_value(value)) report.add(path + ("[" + key.str() + "]"), says_label_value, value.str());
  }
}

void check_meta(const ObjectMeta& meta, Report& report) {
  if (meta.name.empty()) {
    report.add("metadata.name", "is required");
  } else if (!is_dns_label(meta.name)) {
    report.add("metadata.name", says_dns_label, meta.name.str());
  }
  if (!meta.ns.empty() && !is_dns_label(meta.ns)) report.add("metadata.namespace", says_dns_label, meta.ns.str());
}

void check_requirement(const SelectorRequirement& requirement, std::size_t index, Report& report) {
  const auto path = [&] { return "spec.selector.matchExpressions[" + std::to_string(index) + "]"; };
  const bool takes_values =
      requirement.op == SelectorRequirement::Operator::in || requirement.op == SelectorRequirement::Operator::not_in;
  if (!is_qualified_name(requirement.key)) report.add(path() + ".key", says_qualified_name, requirement.key.str());
  if (takes_values && requirement.values.empty()) report.add(path() + ".values", "is required for In and NotIn");
  if (!takes_values && !requirement.values.empty())
    report.add(path() + ".values", "must be absent for Exists and DoesNotExist", requirement.values[0].str());
  for (const Text& value : requirement.values)
    if (!is_label_value(value)) report.add(path() + ".values", says_label_value, value.str());
}

void check_selector(const StatefulSetSpec& spec, Report& report) {
  const LabelSelector& selector = spec.selector;
  if (selector.match_labels.empty() && selector.match_expressions.empty()) {
    report.add("spec.selector", "is required and may not be empty");
    return;
  }
  check_labels(&selector.match_labels, "spec.selector.matchLabels", report);
  for (std::size_t i = 0; i < selector.match_expressions.size(); ++i)
    check_requirement(selector.match_expressions[i], i, report);
  if (spec.pod_template && !selector.matches(&spec.pod_template->labels))
    report.add("spec.template.metadata.labels", "must match spec.selector");
}

/// A fault reads "path: sentence" or "path: sentence (found: value)"; the parts go where they belong.
void add_template_fault(const std::string& fault, Report& report) {
  const std::size_t colon = fault.find(": ");
  const std::string_view path = std::string_view(fault).substr(0, colon);
  std::string_view sentence = std::string_view(fault).substr(colon == std::string::npos ? 0 : colon + 2);
  std::string_view value;
  constexpr std::string_view found = " (found: ";
  if (const std::size_t at = sentence.find(found); at != std::string_view::npos && sentence.ends_with(')')) {
    value = sentence.substr(at + found.size(), sentence.size() - at - found.size() - 1);
    sentence = sentence.substr(0, at);
  }
  const bool whole = path.empty() || path == "template";
  report.add(whole ? "spec.template" : "spec.template." + std::string(path), std::string(sentence), std::string(value));
}

/// Mounts of volumes that neither the template nor the claim templates have.
std::vector<const Mount*> loose_mounts(const StatefulSetSpec& spec) {
  std::vector<const Mount*> loose;
  for (const Mount& mount : spec.pod_template->mounts_beyond)
    if (std::ranges::find(spec.claim_templates, mount.volume, &ClaimTemplate::name) == spec.claim_templates.end())
      loose.push_back(&mount);
  return loose;
}

bool has_faulty_template(const StatefulSetSpec& spec) {
  return spec.pod_template && (!spec.pod_template->faults.empty() || !loose_mounts(spec).empty());
}

void check_template(const StatefulSetSpec& spec, const StatefulSetSpec* stored, Report& report) {
  if (!spec.pod_template) {
    report.add("spec.template", "is required");
    return;
  }
  // What is stored already may stay, so that old objects can still be edited.
  if (stored != nullptr && has_faulty_template(*stored)) return;
  for (const std::string& fault : spec.pod_template->faults) add_template_fault(fault, report);
  for (const Mount* mount : loose_mounts(spec))
    report.add("spec.template." + mount->path, "must name a volume or a claim template", mount->volume.str());
}

void check_claim_templates(const StatefulSetSpec& spec, Report& report) {
  const auto& templates = spec.claim_templates;
  for (std::size_t i = 0; i < templates.size(); ++i) {
    const auto path = [&](const char* rest) {
      return "spec.volumeClaimTemplates[" + std::to_string(i) + "].metadata" + rest;
    };
    const Text& name = templates[i].name;
    if (name.empty()) report.add(path(".name"), "is required");
    else if (!is_dns_label(name)) report.add(path(".name"), says_dns_label, name.str());
    const std::span earlier(templates.data(), i);
    if (!name.empty() && std::ranges::find(earlier, name, &ClaimTemplate::name) != earlier.end())
      report.add(path(".name"), "must be unique among the claim templates", name.str());
  }
}

void check_max_unavailable(const IntOrPercent& value, Report& report) {
  constexpr const char* path = "spec.updateStrategy.rollingUpdate.maxUnavailable";
  if (value.value < 0) report.add(path, says_not_negative, text_of(value));
  if (value.value == 0) report.add(path, "must not be 0", text_of(value));
  if (value.percent && value.value > 100) report.add(path, "must not be more than 100%", text_of(value));
}

void check_strategy(const StatefulSetSpec& spec, const StatefulSetSpec* stored, ApiGates gates, Report& report) {
  const bool newly_recreate =
      spec.strategy == Strategy::recreate && (stored == nullptr || stored->strategy != Strategy::recreate);
  if (newly_recreate && !gates.recreate)
    report.add("spec.updateStrategy.type", "must be RollingUpdate or OnDelete: the gate of Recreate is off",
               "Recreate");
  if (!spec.rolling_update) return;
  if (spec.strategy != Strategy::rolling_update)
    report.add("spec.updateStrategy.rollingUpdate", "must be absent unless the type is RollingUpdate",
               spec.strategy == Strategy::on_delete ? "OnDelete" : "Recreate");
  if (spec.rolling_update->partition)
    report.not_negative("spec.updateStrategy.rollingUpdate.partition", *spec.rolling_update->partition);
  if (spec.rolling_update->max_unavailable) check_max_unavailable(*spec.rolling_update->max_unavailable, report);
}

/// What create and update have in common; `stored` is null on create.
void check_spec(const StatefulSetSpec& spec, const StatefulSetSpec* stored, ApiGates gates, Report& report) {
  if (spec.replicas) report.not_negative("spec.replicas", *spec.replicas);
  report.not_negative("spec.minReadySeconds", spec.min_ready_seconds);
  if (spec.ordinals_start) report.not_negative("spec.ordinals.start", *spec.ordinals_start);
  for (const std::int32_t reserved : spec.reserve_ordinals) report.not_negative("spec.reserveOrdinals", reserved);
  check_strategy(spec, stored, gates, report);
  check_selector(spec, report);
  check_template(spec, stored, report);
}

void check_immutable(const StatefulSetSpec& spec, const StatefulSetSpec& stored, Report& report) {
  if (!(spec.selector == stored.selector)) report.add("spec.selector", says_immutable);
  if (!(spec.service_name == stored.service_name))
    report.add("spec.serviceName", says_immutable, spec.service_name.str());
  if (!(spec.claim_templates == stored.claim_templates)) report.add("spec.volumeClaimTemplates", says_immutable);
  if (spec.pod_management != stored.pod_management)
    report.add("spec.podManagementPolicy", says_immutable,
               spec.pod_management == PodManagement::parallel ? "Parallel" : "OrderedReady");
}

void check_at_most(const char* path, std::int32_t value, std::int32_t bound, const char* of, Report& report) {
  if (value > bound)
    report.add(path, std::string("must not be more than ") + of + " (" + std::to_string(bound) + ")",
               std::to_string(value));
}

}  // namespace

FieldErrors validate_create(const StatefulSet& set, ApiGates gates) {
  Report report;
  check_meta(set.meta, report);
  check_labels(set.meta.labels.get(), "metadata.labels", report);
  if (!set.spec) {
    report.add("spec", "is required");
    return std::move(report.errors);
  }
  check_spec(*set.spec, nullptr, gates, report);
  check_claim_templates(*set.spec, report);
  if (!set.spec->service_name.empty() && !is_dns_label(set.spec->service_name))
    report.add("spec.serviceName", says_dns_label, set.spec->service_name.str());
  return std::move(report.errors);
}

FieldErrors validate_update(const StatefulSet& updated, const StatefulSet& stored, ApiGates gates) {
  Report report;
  if (!(updated.meta.name == stored.meta.name))
    report.add("metadata.name", "may not be changed", updated.meta.name.str());
  if (!(updated.meta.ns == stored.meta.ns))
    report.add("metadata.namespace", "may not be changed", updated.meta.ns.str());
  if (updated.meta.labels != stored.meta.labels) check_labels(updated.meta.labels.get(), "metadata.labels", report);
  if (!updated.spec || !stored.spec) {
    report.add("spec", "is required");
    return std::move(report.errors);
  }
  if (updated.spec == stored.spec) return std::move(report.errors);
  check_spec(*updated.spec, stored.spec.get(), gates, report);
  check_immutable(*updated.spec, *stored.spec, report);
  return std::move(report.errors);
}

FieldErrors validate_status(const StatefulSetStatus& updated, const StatefulSetStatus& stored) {
  Report report;
  report.not_negative("status.observedGeneration", updated.observed_generation);
  report.not_negative("status.replicas", updated.replicas);
  report.not_negative("status.readyReplicas", updated.ready_replicas);
  report.not_negative("status.currentReplicas", updated.current_replicas);
  report.not_negative("status.updatedReplicas", updated.updated_replicas);
  report.not_negative("status.availableReplicas", updated.available_replicas);
  check_at_most("status.readyReplicas", updated.ready_replicas, updated.replicas, "status.replicas", report);
  check_at_most("status.currentReplicas", updated.current_replicas, updated.replicas, "status.replicas", report);
  check_at_most("status.updatedReplicas", updated.updated_replicas, updated.replicas, "status.replicas", report);
  check_at_most("status.availableReplicas", updated.available_replicas, updated.replicas, "status.replicas", report);
  check_at_most("status.availableReplicas", updated.available_replicas, updated.ready_replicas, "status.readyReplicas",
                report);
  if (updated.collision_count) report.not_negative("status.collisionCount", *updated.collision_count);
  constexpr std::int32_t absent = -1;  // giving the count up is a decrease, even from 0
  if (stored.collision_count && updated.collision_count.value_or(absent) < *stored.collision_count)
    report.add("status.collisionCount", "may not decrease (was " + std::to_string(*stored.collision_count) + ")",
               updated.collision_count ? std::to_string(*updated.collision_count) : "");
  return std::move(report.errors);
}

}  // namespace ordeal
