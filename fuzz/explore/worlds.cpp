#include "fuzz/explore/worlds.h"

#include <algorithm>
#include <memory>

#include "fuzz/engine/run.h"
#include "properties/scenario/choices.h"

namespace ordeal::fuzz {

using namespace properties;

namespace {

constexpr std::int32_t replicas_at_most = 3;
constexpr std::uint64_t states_at_most = 50'000;  // but for those of the last level

void cut_down(Scenario& start, std::int32_t replicas) {
  start.steps.clear();
  start.environment = {.api = start.environment.api, .gates = start.environment.gates};
  StatefulSetSpec spec = *start.set.spec;
  spec.replicas = std::min(spec.replicas.value_or(1), replicas);
  if (spec.retention) spec.retention->when_scaled = Retention::retain;
  start.set.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
}

}  // namespace

Scope world_of(const FirstSets& sets, std::uint64_t seed, std::uint64_t number) {
  Seeded choices(seed_of_trial(seed, number));
  Scope scope;
  scope.start = scenario_of_trial(sets, seed, number);
  scope.replicas = static_cast<std::uint8_t>(choices.between(1, replicas_at_most));
  cut_down(scope.start, scope.replicas);
  scope.templates = static_cast<std::uint8_t>(choices.between(1, 2));
  scope.edits = static_cast<std::uint8_t>(choices.between(1, 2));
  if (choices.one_in(2)) scope.partitions = {0, 1};
  if (choices.one_in(2)) scope.max_unavailable = {1, 2};
  for (std::int32_t mishaps = choices.between(1, 2); mishaps > 0; --mishaps)
    ++scope.mishaps[choices.up_to(mishap_count - 1)];
  return scope;
}

ExploreOptions walk_of(const ControllerKind& controller, const FirstSets& sets, std::uint64_t seed,
                       std::uint64_t number) {
  ExploreOptions walk;
  walk.controller = &controller;
  walk.scope = world_of(sets, seed, number);
  leave_out_unknown(walk.scope, known_fields(controller.name));
  walk.states = states_at_most;
  return walk;
}

}  // namespace ordeal::fuzz
