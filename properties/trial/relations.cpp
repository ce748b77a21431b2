#include "properties/trial/relations.h"

#include <algorithm>
#include <array>
#include <vector>

namespace ordeal::properties {

namespace {

using Pair = std::pair<Scenario, Scenario>;
using Maybe = std::optional<Pair>;

const Step settle{StepKind::settle, 0, 0, 0};

// --- what twins are made from ------------------------------------------------------------------------------------------

/// Somebody touches objects behind the controller's back, or the set goes away: what follows is not decided by the
/// spec.
bool goes_behind(const Step& step) {
  const bool set_goes = step.kind == StepKind::delete_set || step.kind == StepKind::create_set;
  return set_goes || (touches_objects(step.kind) && step.kind != StepKind::delete_pod);
}
bool is_edit(const Step& step) {
  return edits_spec(step.kind) || step.kind == StepKind::add_condition || step.kind == StepKind::edit_metadata;
}

template <class Unwanted>
Scenario without(Scenario scenario, Unwanted unwanted) {
  std::erase_if(scenario.steps, unwanted);
  return scenario;
}
Scenario in_its_own_hands(const Scenario& scenario) { return without(scenario, goes_behind); }

Scenario then(Scenario scenario, std::initializer_list<Step> steps) {
  scenario.steps.insert(scenario.steps.end(), steps);
  return scenario;
}

/// What comes before or after each step that lets the controller work, the n-th time (from 0).
template <class More>
Scenario around_work(const Scenario& scenario, bool before, More more) {
  Scenario made = scenario;
  made.steps.clear();
  int n = 0;
  for (const Step& step : scenario.steps) {
    const bool works = step.kind == StepKind::settle || (before && step.kind == StepKind::sync);
    if (works && before) more(made.steps, n++);
    made.steps.push_back(step);
    if (works && !before) more(made.steps, n++);
  }
  return made;
}

// --- the relations -----------------------------------------------------------------------------------------------------

/// A, or A, B and A again.
Maybe rolled_back(const Scenario& scenario) {
  constexpr std::int32_t a = 8, b = 9;  // images of template variants
  const Step give_a{StepKind::edit_template, 0, a, static_cast<std::int32_t>(TemplateFlavour::plain)};
  const Step give_b{StepKind::edit_template, 0, b, static_cast<std::int32_t>(TemplateFlavour::with_env)};
  const Scenario before = in_its_own_hands(scenario);
  return Pair{then(before, {give_a, settle}), then(before, {give_a, settle, give_b, settle, give_a, settle})};
}

/// The last edits of each kind at once and in their order, or one by one and the other way round.
Maybe edited_in_another_order(const Scenario& scenario) {
  constexpr std::array kinds{StepKind::scale,         StepKind::edit_template,     StepKind::set_partition,
                             StepKind::set_min_ready, StepKind::set_history_limit, StepKind::set_start};
  const Scenario own = in_its_own_hands(scenario);
  std::vector<Step> edits;
  for (auto step = own.steps.rbegin(); step != own.steps.rend(); ++step) {
    const bool counts = std::ranges::find(kinds, step->kind) != kinds.end();
    if (counts && std::ranges::find(edits, step->kind, &Step::kind) == edits.end()) edits.push_back(*step);
  }
  if (edits.size() < 2) return std::nullopt;
  for (Step& edit : edits) edit.at_call = 0;
  const Scenario before = without(own, is_edit);
  Pair twins{before, before};
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) twins.first.steps.push_back(*edit);
  twins.first.steps.push_back(settle);
  for (const Step& edit : edits) twins.second.steps.insert(twins.second.steps.end(), {edit, settle});
  return twins;
}

/// OrderedReady, or Parallel.
Maybe managed_otherwise(const Scenario& scenario) {
  Pair twins{in_its_own_hands(scenario), in_its_own_hands(scenario)};
  StatefulSetSpec spec = *scenario.set.spec;
  const bool ordered = spec.pod_management == PodManagement::ordered_ready;
  spec.pod_management = ordered ? PodManagement::parallel : PodManagement::ordered_ready;
  twins.second.set.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  return twins;
}

/// Undisturbed, or struck at some call whenever the controller works.
Maybe struck_by(const Scenario& scenario, Fault odd, Fault even) {
  constexpr int calls = 5;
  const Scenario own = in_its_own_hands(scenario);
  return Pair{own, around_work(own, true, [&](std::vector<Step>& steps, int n) {
                steps.push_back({StepKind::fault, static_cast<std::uint8_t>(1 + n % calls),
                                 static_cast<std::int32_t>(n % 2 == 0 ? even : odd), 0});
              })};
}
Maybe crashed(const Scenario& scenario) { return struck_by(scenario, Fault::crash_before, Fault::crash_after); }
Maybe unanswered(const Scenario& scenario) { return struck_by(scenario, Fault::timeout_before, Fault::timeout_after); }

/// Its outcome depends on which request it meets, or on when it happens, to the very call.
bool is_a_matter_of_moments(const Step& step) {
  const bool strikes =
      step.kind == StepKind::fault || step.kind == StepKind::outage || step.kind == StepKind::end_outage;
  return strikes || step.kind == StepKind::race || step.at_call > 0;
}
Scenario undisturbed(const Scenario& scenario) { return without(in_its_own_hands(scenario), is_a_matter_of_moments); }

/// Lists in the order of names, or shuffled.
Maybe listed_otherwise(const Scenario& scenario) {
  Pair twins{undisturbed(scenario), undisturbed(scenario)};
  twins.first.environment.list_order = 0;
  twins.second.environment.list_order = std::max(scenario.environment.list_order, 1u);
  return twins;
}

/// Without any event a turn after it may have something to do: what another release left undone, or what another time
/// shows.
bool is_news_by_itself(const Step& step) {
  return step.kind == StepKind::run_release || step.kind == StepKind::skew_clock;
}

/// Once, or followed by lists and a turn for nothing.
Maybe listed_again(const Scenario& scenario) {
  const Scenario own = then(without(undisturbed(scenario), is_news_by_itself), {settle});
  return Pair{own, around_work(own, false, [](std::vector<Step>& steps, int) {
                for (std::int32_t kind = 0; kind < static_cast<std::int32_t>(kind_count); ++kind)
                  steps.push_back({StepKind::relist, 0, kind, 0});
                steps.push_back({StepKind::sync, 0, 0, 0});
              })};
}

// Twins update pods, and make them, one by one: as many turns as there are pods, which look at all of them each.
constexpr std::int32_t twins_replicas_at_most = 100;

constexpr std::array all{
    Relation{"equivalence.rollback", rolled_back},
    Relation{"equivalence.order-of-edits", edited_in_another_order},
    Relation{"equivalence.management-policies", managed_otherwise},
    Relation{"equivalence.crashes", crashed},
    Relation{"equivalence.lost-replies", unanswered},
    Relation{"equivalence.list-order", listed_otherwise},
    Relation{"equivalence.resync", listed_again},
};

}  // namespace

std::span<const Relation> relations() { return all; }

const Relation* relation_of(const Invariant& invariant) {
  const auto at = std::ranges::find(all, invariant.id, &Relation::invariant);
  return at == all.end() ? nullptr : &*at;
}

std::optional<TwinOutcomes> try_twins(const Relation& relation, World& world, const Scenario& scenario,
                                      Program& program) {
  if (scenario.set.spec->replicas.value_or(1) > twins_replicas_at_most) return std::nullopt;
  const Maybe twins = relation.twins(scenario);
  if (!twins) return std::nullopt;
  TwinOutcomes outcomes{.one = outcome_of(world, twins->first, program), .other = {}};
  outcomes.other = outcome_of(world, twins->second, program);
  return outcomes;
}

}  // namespace ordeal::properties
