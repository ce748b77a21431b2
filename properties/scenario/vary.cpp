#include "properties/scenario/vary.h"

#include <algorithm>
#include <array>
#include <span>

#include "properties/scenario/generate.h"
#include "properties/scenario/generate_steps.h"

namespace ordeal::properties {

namespace {

using Steps = std::vector<Step>;
using Offset = Steps::difference_type;

constexpr std::uint32_t longest_span = 8;  // steps that are taken out, repeated or moved at a time

// --- steps -------------------------------------------------------------------------------------------------------------

Offset place_in(Choices& choices, const Steps& steps) {
  return static_cast<Offset>(choices.up_to(static_cast<std::uint32_t>(steps.size())));
}

struct Span {
  Offset from, to;
};
/// Of at least one step; there are some. Short ones are likelier.
Span draw_span(Choices& choices, const Steps& steps) {
  const auto from = static_cast<Offset>(choices.up_to(static_cast<std::uint32_t>(steps.size() - 1)));
  const auto length = static_cast<Offset>(1 + choices.up_to(choices.up_to(longest_span - 1)));
  return {from, std::min(from + length, static_cast<Offset>(steps.size()))};
}

void insert(Steps& steps, Offset at, std::span<const Step> more) {
  steps.insert(steps.begin() + at, more.begin(), more.end());
}

void draw_more(Choices& choices, Scenario& scenario) {
  Steps drawn;
  const Swarm everything;
  for (std::uint32_t beats = 1 + choices.up_to(2); beats > 0; --beats) draw_beat(choices, everything, drawn);
  insert(scenario.steps, place_in(choices, scenario.steps), drawn);
}

void leave_out(Choices& choices, Scenario& scenario) {
  const Span span = draw_span(choices, scenario.steps);
  scenario.steps.erase(scenario.steps.begin() + span.from, scenario.steps.begin() + span.to);
}

void repeat(Choices& choices, Scenario& scenario) {
  const Span span = draw_span(choices, scenario.steps);
  const Steps again(scenario.steps.begin() + span.from, scenario.steps.begin() + span.to);
  insert(scenario.steps, choices.one_in(2) ? span.to : place_in(choices, scenario.steps), again);
}

void move_on(Choices& choices, Scenario& scenario) {
  const Span span = draw_span(choices, scenario.steps);
  const Steps moved(scenario.steps.begin() + span.from, scenario.steps.begin() + span.to);
  scenario.steps.erase(scenario.steps.begin() + span.from, scenario.steps.begin() + span.to);
  insert(scenario.steps, place_in(choices, scenario.steps), moved);
}

Step& draw_from(Choices& choices, Steps& steps) {
  return steps[choices.up_to(static_cast<std::uint32_t>(steps.size() - 1))];
}

void redraw(Choices& choices, Scenario& scenario) {
  Step& step = draw_from(choices, scenario.steps);
  const std::uint8_t call = step.at_call;
  step = generate_step(choices, step.kind);
  step.at_call = call;
}

void nudge(Choices& choices, Scenario& scenario) {
  Step& step = draw_from(choices, scenario.steps);
  const StepInfo& row = info(step.kind);
  const auto nudged = [&](std::int32_t value, const Argument& argument) {
    const std::int64_t wanted = std::int64_t{value} + choices.between(-1, 1);
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(wanted, std::min(argument.low, value), std::max(argument.high, value)));
  };
  if (!row.a.name.empty()) step.a = nudged(step.a, row.a);
  if (!row.b.name.empty()) step.b = nudged(step.b, row.b);
}

/// A fault strikes another call; a step of the environment happens earlier, later, or between calls at all.
void strike_elsewhere(Choices& choices, Scenario& scenario) {
  Step& step = draw_from(choices, scenario.steps);
  if (info(step.kind).between_calls) step.at_call = static_cast<std::uint8_t>(choices.up_to(8));
}

// --- the set and its environment ---------------------------------------------------------------------------------------

using TakeField = void (*)(StatefulSetSpec& to, const StatefulSetSpec& from);
constexpr std::array<TakeField, 10> fields = {
    [](StatefulSetSpec& to, const StatefulSetSpec& from) { to.replicas = from.replicas; },
    [](StatefulSetSpec& to, const StatefulSetSpec& from) { to.pod_management = from.pod_management; },
    [](StatefulSetSpec& to, const StatefulSetSpec& from) { to.rolling_update = from.rolling_update; },
    [](StatefulSetSpec& to, const StatefulSetSpec& from) {
      to.strategy = from.strategy;
      to.rolling_update = from.rolling_update;
    },
    [](StatefulSetSpec& to, const StatefulSetSpec& from) { to.claim_templates = from.claim_templates; },
    [](StatefulSetSpec& to, const StatefulSetSpec& from) { to.retention = from.retention; },
    [](StatefulSetSpec& to, const StatefulSetSpec& from) { to.revision_history_limit = from.revision_history_limit; },
    [](StatefulSetSpec& to, const StatefulSetSpec& from) { to.min_ready_seconds = from.min_ready_seconds; },
    [](StatefulSetSpec& to, const StatefulSetSpec& from) { to.ordinals_start = from.ordinals_start; },
    [](StatefulSetSpec& to, const StatefulSetSpec& from) { to.reserve_ordinals = from.reserve_ordinals; },
};

bool is_accepted(StatefulSet set, const ApiGates& gates) {
  apply_defaults(set, gates);
  return validate_create(set, gates).empty();
}

void change_field(Choices& choices, Scenario& scenario) {
  const TakeField take = fields[choices.up_to(fields.size() - 1)];
  const StatefulSet drawn = generate_set(choices);
  auto spec = std::make_shared<StatefulSetSpec>(*scenario.set.spec);
  take(*spec, *drawn.spec);
  Scenario changed = scenario;
  changed.set.spec = std::move(spec);
  know_strategy_of(changed.set, changed.environment);
  if (is_accepted(changed.set, changed.environment.api)) scenario = std::move(changed);
}

void change_environment(Choices& choices, Scenario& scenario) {
  scenario.environment = draw_environment(choices, scenario.set);
}

struct Change {
  std::uint32_t weight;
  void (*make)(Choices&, Scenario&);
  bool of_steps;  // there must be some
};
constexpr std::array<Change, 9> changes = {{
    {6, draw_more, false},
    {3, leave_out, true},
    {2, repeat, true},
    {2, move_on, true},
    {3, redraw, true},
    {2, nudge, true},
    {2, strike_elsewhere, true},
    {2, change_field, false},
    {1, change_environment, false},
}};
constexpr auto weights = [] {
  std::array<std::uint32_t, changes.size()> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = changes[i].weight;
  return all;
}();

void shorten(Steps& steps, std::size_t at_most) {
  if (steps.size() > at_most) steps.resize(at_most);
}

}  // namespace

Scenario vary(Choices& choices, Scenario scenario, std::size_t steps_at_most) {
  for (std::uint32_t left = 1 + choices.up_to(choices.up_to(3)); left > 0; --left) {
    const Change& change = changes[choices.weighted(weights)];
    if (!change.of_steps || !scenario.steps.empty()) change.make(choices, scenario);
  }
  shorten(scenario.steps, steps_at_most);
  return scenario;
}

Scenario splice(Choices& choices, const Scenario& one, const Scenario& other, std::size_t steps_at_most) {
  Scenario made = choices.one_in(2) ? other : one;
  const Offset until = place_in(choices, one.steps), from = place_in(choices, other.steps);
  made.steps.assign(one.steps.begin(), one.steps.begin() + until);
  made.steps.insert(made.steps.end(), other.steps.begin() + from, other.steps.end());
  shorten(made.steps, steps_at_most);
  return made;
}

}  // namespace ordeal::properties
