#include "properties/explore/scope.h"

#include <algorithm>

#include "core/api/validation.h"
#include "properties/scenario/counted.h"

namespace ordeal::properties {

namespace {

constexpr std::array<std::string_view, mishap_count> names{"crash",   "timeout", "conflict", "fail",
                                                           "unready", "delete",  "stale"};

std::string listed(std::string_view name, const std::vector<std::int32_t>& values) {
  std::string text;
  for (const std::int32_t value : values)
    text += (text.empty() ? ", " + std::string(name) + " " : "|") +
            (value < 0 ? std::string("none") : std::to_string(value));
  return text;
}

}  // namespace

std::span<const std::string_view, mishap_count> mishap_names() { return names; }

void leave_out_unknown(Scope& scope, const KnownFields& known) {
  leave_out_unknown(scope.start, known);
  if (!known.rolling_update) scope.partitions.clear();
  if (!known.max_unavailable) scope.max_unavailable.clear();
}

std::string why_not_walked(const Scope& scope) {
  const StatefulSetSpec& spec = *scope.start.set.spec;
  if (spec.retention && spec.retention->when_scaled == Retention::remove)
    return "spec.persistentVolumeClaimRetentionPolicy.whenScaled: a set that deletes claims cannot be walked, since promises "
           "about them look back over its whole life (found: Delete)";
  if (scope.start.environment.list_order != 0) return "environment.list_order: a walk shows lists by name";
  if (spec.replicas.value_or(1) > replicas_walked_at_most)
    return "spec.replicas: at most " + std::to_string(replicas_walked_at_most) +
           " can be walked (found: " + std::to_string(spec.replicas.value_or(1)) + ")";
  const auto pods = static_cast<std::size_t>(std::max<std::int32_t>(spec.replicas.value_or(1), scope.replicas));
  const std::size_t claims = pods * spec.claim_templates.size();
  if (claims > claims_walked_at_most)
    return "spec.volumeClaimTemplates: at most " + std::to_string(claims_walked_at_most) +
           " claims can be walked (found: " + counted(spec.claim_templates.size(), "template") + " for each of " +
           counted(pods, "pod") + ")";
  return {};
}

std::string text_of(const Scope& scope) {
  std::string text = "replicas 0.." + std::to_string(scope.replicas) + ", " + counted(scope.templates, "template") +
                     listed("partition", scope.partitions) + listed("maxUnavailable", scope.max_unavailable) + ", " +
                     counted(scope.edits, "edit");
  for (std::size_t i = 0; i < mishap_count; ++i)
    if (scope.mishaps[i] > 0) text += ", " + std::string(names[i]) + " " + std::to_string(scope.mishaps[i]);
  return text;
}

}  // namespace ordeal::properties
