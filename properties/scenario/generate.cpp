#include "properties/scenario/generate.h"

#include <algorithm>
#include <array>

#include "properties/scenario/generate_steps.h"

namespace ordeal::properties {

namespace {

constexpr std::uint32_t largest_byte = 255;

// So that the versions of a trial pass what a 32-bit word can hold, or get one more digit.
constexpr std::uint32_t past_signed_words = (std::uint32_t{1} << 31) - 40, past_words = ~std::uint32_t{0} - 40,
                        past_three_digits = 1000 - 40;

/// Most scenarios are as long as they may be: trouble needs company.
std::size_t draw_length(Choices& choices, std::size_t at_most) {
  static constexpr std::array<std::uint32_t, 8> eighths = {8, 8, 8, 8, 8, 6, 4, 1};
  return std::min(at_most, std::max<std::size_t>(1, at_most * eighths[choices.up_to(7)] / 8));
}

/// What an earlier set or another cluster left: a set that is made anew takes it over.
void leave_behind(Choices& choices, const Swarm& swarm, std::vector<Step>& steps) {
  static constexpr std::array kinds = {StepKind::add_pod, StepKind::add_claim, StepKind::add_pod,
                                       StepKind::add_revision};
  for (std::uint32_t n = choices.up_to(3) + 1; n > 0; --n) {
    Step left = generate_step(choices, kinds[choices.up_to(kinds.size() - 1)]);
    if (left.kind != StepKind::add_revision) left.a = choices.between(0, 4);
    if (swarm.has(left.kind)) steps.push_back(left);
  }
}

/// Most lives begin with a set that came up well; some are disturbed from the first moment, or before it.
void open_life(Choices& choices, const Swarm& swarm, std::vector<Step>& steps) {
  const std::uint32_t drawn = choices.up_to(7);
  if (drawn < 4) steps.push_back({.kind = StepKind::settle});
  if (drawn == 4 || drawn == 5)
    for (const StepKind kind : {StepKind::deliver_all, StepKind::sync, StepKind::run_kubelets})
      steps.push_back({.kind = kind});
  if (drawn == 7) leave_behind(choices, swarm, steps);
}

/// Mostly all on. A controller may well be behind the API server; ahead of it only where that just drops a field, as
/// when the two were started with other flags.
void draw_gates(Choices& choices, Environment& environment) {
  switch (choices.weighted(std::array<std::uint32_t, 9>{40, 7, 7, 3, 3, 2, 2, 2, 2})) {
    case 1: environment.gates.max_unavailable = false; break;
    case 2: environment.api.max_unavailable = environment.gates.max_unavailable = false; break;
    case 3: environment.gates.semantic_revisions = false; break;
    case 4: environment.gates.stale_guard = false; break;
    case 5: environment.api.recreate = environment.gates.recreate = false; break;
    case 6: environment.gates.recreate = false; break;
    case 7: environment.api.auto_delete_claims = false; break;
    case 8: environment.api.max_unavailable = false; break;
    default: break;
  }
}

/// Drawn last: it means nothing to most controllers, whose scenarios are not to depend on it.
void reserve_ordinals(Choices& choices, std::vector<Step>& steps) {
  for (Step& step : steps)
    if (step.kind == StepKind::set_start) step.b = choices.between(0, 4);
}

}  // namespace

Environment draw_environment(Choices& choices, const StatefulSet& set) {
  Environment environment;
  draw_gates(choices, environment);
  if (choices.up_to(3) == 3) environment.list_order = choices.up_to(65'534) + 1;
  environment.injects = choices.up_to(3) == 3;
  know_strategy_of(set, environment);
  const std::uint32_t world = choices.up_to(15);
  environment.namesakes = world >= 14;
  environment.binds_late = world >= 8 && world < 12;
  if (world == 7 && set.spec->strategy == Strategy::recreate) environment.gates.recreate = false;
  if (world == 4) environment.versions_from = past_signed_words;
  if (world == 5) environment.versions_from = past_words;
  if (world == 6) environment.versions_from = past_three_digits;
  environment.between_seconds = world % 3 == 1;
  return environment;
}

void know_strategy_of(const StatefulSet& set, Environment& environment) {
  if (set.spec->strategy != Strategy::recreate || environment.api.recreate) return;
  environment.api.recreate = environment.gates.recreate = true;
}

Scenario generate_scenario(Choices& choices, const StatefulSet* first, std::size_t steps_at_most) {
  Scenario scenario;
  steps_at_most = std::min(steps_at_most, max_steps);
  if (first == nullptr) {
    scenario.set = generate_set(choices);
  } else {
    choices.part();
    scenario.set = choices.one_in(4) ? generate_set_like(choices, *first) : *first;
    choices.part();  // so that the same bytes give the same steps
  }
  choices.part();
  scenario.environment = draw_environment(choices, scenario.set);
  choices.part();
  const std::size_t wanted = draw_length(choices, steps_at_most);
  scenario.steps.reserve(wanted + 16);
  const std::array<std::uint8_t, 2> favourites = {static_cast<std::uint8_t>(choices.up_to(largest_byte)),
                                                  static_cast<std::uint8_t>(choices.up_to(largest_byte))};
  Swarm swarm = draw_swarm(choices);
  std::copy(favourites.begin(), favourites.end(), swarm.favourites);
  open_life(choices, swarm, scenario.steps);
  while (scenario.steps.size() < wanted && choices.more()) draw_beat(choices, swarm, scenario.steps);
  if (scenario.steps.size() > wanted) scenario.steps.resize(wanted);
  reserve_ordinals(choices, scenario.steps);
  return scenario;
}

void continue_scenario(Choices& choices, Scenario& scenario, std::size_t steps) {
  const Swarm swarm = draw_swarm(choices);
  while (scenario.steps.size() < steps && choices.more()) draw_beat(choices, swarm, scenario.steps);
  if (scenario.steps.size() > steps) scenario.steps.resize(steps);
}

Scenario decode_scenario(std::span<const std::uint8_t> bytes, const StatefulSet* first) {
  Bytes choices(bytes);
  return generate_scenario(choices, first, max_steps);
}

}  // namespace ordeal::properties
