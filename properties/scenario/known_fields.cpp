#include "properties/scenario/known_fields.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/api/encode.h"
#include "properties/scenario/counted.h"
#include "properties/scenario/gate_names.h"
#include "properties/scenario/wrapped.h"

namespace ordeal::properties {

namespace {

void switch_off(Environment& environment, const KnownFields& known) {
  environment.api.recreate &= known.recreate;
  environment.gates.recreate &= known.recreate;
  environment.api.max_unavailable &= known.max_unavailable;
  environment.gates.max_unavailable &= known.max_unavailable;
  environment.api.auto_delete_claims |= !known.retention;
  if (!known.max_unavailable_gated)
    environment.api.max_unavailable = environment.gates.max_unavailable = known.max_unavailable;
}

void leave_out_of(ClaimTemplate& from) {
  if (from.spec == nullptr) return;
  nlohmann::json spec = nlohmann::json::parse(*from.spec);
  if (spec.erase("volumeAttributesClassName") == 0) return;
  from.spec = std::make_shared<const std::string>(go_encode(spec));
}

/// A strategy that is not known is one that was never chosen.
void leave_out_of(StatefulSetSpec& spec, const KnownFields& known) {
  if (!known.recreate && spec.strategy == Strategy::recreate) spec.strategy = Strategy::rolling_update;
  if (!known.rolling_update) {
    spec.strategy = Strategy::on_delete;
    spec.rolling_update.reset();
  }
  if (!known.bare_rolling_update && spec.strategy == Strategy::rolling_update && !spec.rolling_update)
    spec.rolling_update.emplace();
  if (!known.parallel) spec.pod_management = PodManagement::ordered_ready;
  if (!known.max_unavailable && spec.rolling_update) spec.rolling_update->max_unavailable.reset();
  if (!known.min_ready_seconds) spec.min_ready_seconds = 0;
  if (!known.ordinals_start) spec.ordinals_start.reset();
  if (!known.reserve_ordinals) spec.reserve_ordinals.clear();
  if (!known.retention) spec.retention.reset();
  if (!known.volume_attributes)
    for (ClaimTemplate& from : spec.claim_templates) leave_out_of(from);
}

bool edits_unknown(const Step& step, const KnownFields& known) {
  switch (step.kind) {
    case StepKind::set_partition: return !known.rolling_update || (!known.bare_rolling_update && step.a < 0);
    case StepKind::set_strategy:
      return !known.rolling_update || (!known.recreate && step.a == static_cast<std::int32_t>(Strategy::recreate));
    case StepKind::set_max_unavailable: return !known.max_unavailable;
    case StepKind::set_min_ready: return !known.min_ready_seconds;
    case StepKind::set_start: return !known.ordinals_start;
    case StepKind::set_retention: return !known.retention;
    case StepKind::add_claim_owner: return !known.retention && makes_ours_an_owner(step);  // nobody would have done so
    case StepKind::turn_gate: {
      const auto names = info(step.kind).a.words;
      const bool can_be_turned = known.max_unavailable && known.max_unavailable_gated;
      return !can_be_turned && names[wrapped(step.a, names.size())] == row_of(&Gates::max_unavailable).name;
    }
    default: return false;
  }
}

/// Reserves an ordinal beside what it edits.
bool reserves(const Step& step) { return step.kind == StepKind::set_start && step.b != 0; }

bool reserves(const Scenario& scenario) {
  return !scenario.set.spec->reserve_ordinals.empty() ||
         std::ranges::any_of(scenario.steps, [](const Step& step) { return reserves(step); });
}

/// apps/v1 at its newest, and nothing else is asked for.
bool is_all_known(const Scenario& scenario, const KnownFields& known) {
  return known == KnownFields{} && !reserves(scenario);
}

}  // namespace

void leave_out_unknown(Scenario& scenario, const KnownFields& known) {
  if (is_all_known(scenario, known)) return;
  switch_off(scenario.environment, known);
  StatefulSetSpec spec = *scenario.set.spec;
  leave_out_of(spec, known);
  scenario.set.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  std::erase_if(scenario.steps, [&](const Step& step) { return edits_unknown(step, known); });
  for (Step& step : scenario.steps)
    if (!known.reserve_ordinals && reserves(step)) step.b = 0;
}

bool has_unknown(const Scenario& scenario, const KnownFields& known) {
  if (is_all_known(scenario, known)) return false;
  Scenario left = scenario;
  leave_out_unknown(left, known);
  return left.steps != scenario.steps || !(left.environment == scenario.environment) ||
         !(*left.set.spec == *scenario.set.spec);
}

std::string unknown_text(const Scenario& scenario, const KnownFields& known) {
  Scenario left = scenario;
  leave_out_unknown(left, known);
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  for (const nlohmann::json& change : nlohmann::json::diff(to_json(scenario.set), to_json(left.set))) {
    if (change.at("op") == "add") continue;  // what such a release always fills in
    std::string path = change.at("path").get<std::string>().substr(1);
    std::ranges::replace(path, '/', '.');
    add(path);
  }
  const std::size_t steps = scenario.steps.size() - left.steps.size();
  if (steps > 0) add(counted(steps, "step"));
  const auto reserved = static_cast<std::size_t>(std::ranges::count_if(scenario.steps, [&](const Step& step) {
    return known.ordinals_start && !known.reserve_ordinals && reserves(step);
  }));
  if (reserved > 0) add(counted(reserved, "reserved ordinal"));
  return text;
}

}  // namespace ordeal::properties
