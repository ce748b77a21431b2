// Every set passes here on its way into the API server, in each trial: a set that lacks nothing is left as it is, and a
// set that lacks something is copied once. One default cannot be seen in typed values and is applied by the codec: an
// absent updateStrategy.type brings an empty rollingUpdate block with it (semantics.md 1.1).
#include "core/api/validation.h"

namespace ordeal {

namespace {

constexpr std::int32_t default_replicas = 1;
constexpr std::int32_t default_history_limit = 10;
constexpr IntOrPercent default_max_unavailable{.value = 1, .percent = false};

bool has_max_unavailable(const StatefulSetSpec& spec) {
  return spec.rolling_update && spec.rolling_update->max_unavailable;
}

/// True when rollingUpdate is there but not as the API server would store it.
bool rolling_update_lacks(const StatefulSetSpec& spec, ApiGates gates, bool drop_max_unavailable) {
  if (!spec.rolling_update || spec.strategy != Strategy::rolling_update) return false;
  if (!spec.rolling_update->partition) return true;
  return has_max_unavailable(spec) ? drop_max_unavailable : gates.max_unavailable;
}

void complete_rolling_update(RollingUpdate& rolling, ApiGates gates, bool drop_max_unavailable) {
  if (!rolling.partition) rolling.partition = 0;
  if (drop_max_unavailable) rolling.max_unavailable.reset();
  if (gates.max_unavailable && !rolling.max_unavailable) rolling.max_unavailable = default_max_unavailable;
}

}  // namespace

void apply_defaults(StatefulSet& set, ApiGates gates, const StatefulSet* stored) {
  if (!set.spec) return;
  const StatefulSetSpec& given = *set.spec;
  const bool has_stored = stored != nullptr && stored->spec;
  const bool drop_max_unavailable = !gates.max_unavailable && !(has_stored && has_max_unavailable(*stored->spec));
  const bool drop_retention = !gates.auto_delete_claims && !(has_stored && stored->spec->retention);
  const bool rolling_lacks = rolling_update_lacks(given, gates, drop_max_unavailable);
  const bool retention_lacks = given.retention ? drop_retention : gates.auto_delete_claims;
  if (given.replicas && given.revision_history_limit && !retention_lacks && !rolling_lacks) return;

  auto spec = std::make_shared<StatefulSetSpec>(given);
  if (!spec->replicas) spec->replicas = default_replicas;
  if (!spec->revision_history_limit) spec->revision_history_limit = default_history_limit;
  if (drop_retention) spec->retention.reset();
  if (gates.auto_delete_claims && !spec->retention) spec->retention = RetentionPolicy{};
  if (rolling_lacks) complete_rolling_update(*spec->rolling_update, gates, drop_max_unavailable);
  set.spec = std::move(spec);
}

}  // namespace ordeal
