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

std::optional<std::int64_t> StatefulSetSpec::index_of(Ordinal ordinal) const {
  const std::int64_t start = ordinals_start.value_or(0);
  std::int64_t index = number(ordinal) - start;
  if (index < 0) return std::nullopt;
  for (const std::int32_t reserved : reserve_ordinals) {
    if (reserved == number(ordinal)) return std::nullopt;
    if (reserved >= start && reserved < number(ordinal)) --index;
  }
  return index;
}

std::int64_t StatefulSetSpec::ordinal_at(std::int64_t index) const {
  const std::int64_t start = ordinals_start.value_or(0);
  std::int64_t ordinal = start + index;
  for (const std::int32_t reserved : reserve_ordinals)
    if (reserved >= start && reserved <= ordinal) ++ordinal;
  return ordinal;
}

std::int32_t StatefulSetSpec::places() const {
  std::int64_t left = std::int64_t{std::numeric_limits<std::int32_t>::max()} + 1 - ordinals_start.value_or(0);
  for (const std::int32_t reserved : reserve_ordinals) left -= reserved >= ordinals_start.value_or(0) ? 1 : 0;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(replicas.value_or(1), 0, left));
}

// The cheap and the often different come first; templates and claims are mostly the same object.
bool operator==(const StatefulSetSpec& a, const StatefulSetSpec& b) {
  if (&a == &b) return true;
  return a.replicas == b.replicas && a.strategy == b.strategy && a.rolling_update == b.rolling_update &&
         a.pod_management == b.pod_management && a.revision_history_limit == b.revision_history_limit &&
         a.min_ready_seconds == b.min_ready_seconds && a.retention == b.retention &&
         a.ordinals_start == b.ordinals_start && a.reserve_ordinals == b.reserve_ordinals &&
         a.service_name == b.service_name && same(a.pod_template, b.pod_template) && a.selector == b.selector &&
         a.claim_templates == b.claim_templates;
}

bool same_meta(const ObjectMeta& a, const ObjectMeta& b) {
  return alike(a.labels, b.labels) && alike(a.annotations, b.annotations) && alike(a.owners, b.owners) &&
         alike(a.finalizers, b.finalizers);
}

}  // namespace ordeal
