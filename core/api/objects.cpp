#include "core/api/objects.h"

namespace ordeal {

namespace {

bool matches_requirement(const SelectorRequirement& requirement, const StringMap* labels) {
  const Text* value = labels ? labels->find(requirement.key) : nullptr;
  const auto listed = [&] {
    return std::find(requirement.values.begin(), requirement.values.end(), *value) != requirement.values.end();
  };
  switch (requirement.op) {
    case SelectorRequirement::Operator::in: return value != nullptr && listed();
    case SelectorRequirement::Operator::not_in: return value == nullptr || !listed();
    case SelectorRequirement::Operator::exists: return value != nullptr;
    case SelectorRequirement::Operator::does_not_exist: return value == nullptr;
  }
  return false;
}

}  // namespace

bool LabelSelector::matches(const StringMap* labels) const {
  for (const auto& [key, value] : match_labels)
    if (labels == nullptr || !labels->has(key, value)) return false;
  for (const SelectorRequirement& requirement : match_expressions)
    if (!matches_requirement(requirement, labels)) return false;
  return true;
}

// The cheap and the often different come first; templates and claims are mostly the same object.
bool operator==(const StatefulSetSpec& a, const StatefulSetSpec& b) {
  if (&a == &b) return true;
  return a.replicas == b.replicas && a.strategy == b.strategy && a.rolling_update == b.rolling_update &&
         a.pod_management == b.pod_management && a.revision_history_limit == b.revision_history_limit &&
         a.min_ready_seconds == b.min_ready_seconds && a.retention == b.retention &&
         a.ordinals_start == b.ordinals_start && a.service_name == b.service_name &&
         same(a.pod_template, b.pod_template) && a.selector == b.selector && a.claim_templates == b.claim_templates;
}

bool same_meta(const ObjectMeta& a, const ObjectMeta& b) {
  return alike(a.labels, b.labels) && alike(a.annotations, b.annotations) && alike(a.owners, b.owners) &&
         alike(a.finalizers, b.finalizers);
}

}  // namespace ordeal
