#include "properties/scenario/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "properties/scenario/gate_names.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::properties {
namespace {

using Fails = std::function<bool(const Scenario&)>;

Scenario drawn(std::uint64_t seed, std::size_t steps = 64) {
  Seeded choices(seed_of_trial(2, seed));
  return generate_scenario(choices, nullptr, steps);
}

/// The kinds, in order, stand somewhere in the steps.
bool has_in_order(const Scenario& scenario, std::initializer_list<StepKind> kinds) {
  auto wanted = kinds.begin();
  for (const Step& step : scenario.steps)
    if (wanted != kinds.end() && step.kind == *wanted) ++wanted;
  return wanted == kinds.end();
}

FieldErrors refused(const Scenario& scenario) {
  StatefulSet set = scenario.set;
  apply_defaults(set, scenario.environment.api);
  return validate_create(set, scenario.environment.api);
}

/// The first drawn scenario that fails.
Scenario a_failing(const Fails& fails) {
  for (std::uint64_t seed = 0; seed < 20000; ++seed)
    if (Scenario scenario = drawn(seed); fails(scenario)) return scenario;
  ADD_FAILURE() << "no drawn scenario fails";
  return {};
}

void expect_minimal(const Shrunk& shrunk, const Fails& fails) {
  EXPECT_TRUE(fails(shrunk.scenario));
  EXPECT_TRUE(shrunk.minimal);
  for (const Scenario& simpler : simplifications(shrunk.scenario))
    EXPECT_FALSE(fails(simpler)) << write_scenario(simpler);
}

std::string steps_of(const Scenario& scenario) {
  std::string text;
  for (const Step& step : scenario.steps) text += (text.empty() ? "" : "; ") + describe(step);
  return text;
}

TEST(Shrink, ThreeStepsInOrderAreLeft) {
  const Fails fails = [](const Scenario& s) {
    return has_in_order(s, {StepKind::edit_template, StepKind::fail_pod, StepKind::scale});
  };
  const Shrunk shrunk = shrink(a_failing(fails), fails);
  EXPECT_EQ(steps_of(shrunk.scenario),
            "user.edit-template image=0 flavour=plain; pod.fail pod=0; user.scale replicas=0");
  EXPECT_EQ(shrunk.scenario.set.spec->replicas.value_or(0), 0);
  expect_minimal(shrunk, fails);
  EXPECT_LT(shrunk.trials, 200u);
}

TEST(Shrink, AFullHistoryIsOneThatHoldsNothing) {
  const auto is_full = [](const Scenario& s) {
    return std::ranges::count(s.steps, StepKind::edit_template, &Step::kind) >
           s.set.spec->revision_history_limit.value_or(10);
  };
  const Fails needs_it = [&](const Scenario& s) { return is_full(s) && has_in_order(s, {StepKind::scale}); };
  const Shrunk shrunk = shrink(a_failing([&](const Scenario& s) {
                                 return needs_it(s) && s.set.spec->revision_history_limit.value_or(10) == 10;
                               }),
                               needs_it);
  expect_minimal(shrunk, needs_it);
  EXPECT_EQ(shrunk.scenario.steps.size(), 2u) << steps_of(shrunk.scenario);
  const Fails needs_none = [](const Scenario& s) { return has_in_order(s, {StepKind::scale}); };
  EXPECT_EQ(shrink(a_failing(needs_none), needs_none).scenario.set.spec->revision_history_limit, std::nullopt);
  const Fails always = [](const Scenario&) { return true; };
  Scenario simplest = shrink(a_failing(always), always).scenario;
  EXPECT_EQ(simplest.set.spec->revision_history_limit, std::nullopt);
  EXPECT_EQ(shrink(simplest, always).scenario.set.spec->revision_history_limit, std::nullopt) << "nothing but that";
}

TEST(Shrink, ArgumentsGoAsLowAsTheyMay) {
  const Fails fails = [](const Scenario& s) {
    return std::any_of(s.steps.begin(), s.steps.end(),
                       [](const Step& step) { return step.kind == StepKind::advance && step.a >= 17; }) &&
           s.set.spec->replicas.value_or(1) >= 3 && s.set.spec->min_ready_seconds >= 7;
  };
  const Shrunk shrunk = shrink(a_failing(fails), fails);
  EXPECT_EQ(steps_of(shrunk.scenario), "time.advance seconds=17");
  EXPECT_EQ(shrunk.scenario.set.spec->replicas, 3);
  EXPECT_EQ(shrunk.scenario.set.spec->min_ready_seconds, 7);
  expect_minimal(shrunk, fails);
}

TEST(Shrink, EverythingThatDoesNotMatterGoesToItsDefault) {
  const Fails always = [](const Scenario&) { return true; };
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Shrunk shrunk = shrink(drawn(seed), always);
    EXPECT_TRUE(shrunk.scenario.steps.empty());
    EXPECT_EQ(shrunk.scenario.environment, Environment{});
    const StatefulSet& set = shrunk.scenario.set;
    EXPECT_EQ(set.meta.name, "web");
    EXPECT_EQ(set.meta.ns, "default");
    EXPECT_EQ(set.spec->rolling_update, RollingUpdate{});
    EXPECT_EQ(set.spec->pod_management, PodManagement::ordered_ready);
    EXPECT_TRUE(set.spec->claim_templates.empty());
    EXPECT_FALSE(set.spec->retention || set.spec->revision_history_limit || set.spec->ordinals_start);
    EXPECT_TRUE(set.spec->reserve_ordinals.empty());
    EXPECT_TRUE(set.spec->pod_template->volumes.empty());
    EXPECT_EQ(set.spec->selector.match_labels.size() + set.spec->selector.match_expressions.size(), 1u);
    EXPECT_TRUE(refused(shrunk.scenario).empty());
    EXPECT_LE(shrunk.trials, 40u) << write_scenario(drawn(seed));
    expect_minimal(shrunk, always);
  }
}

TEST(Shrink, WhatMattersInTheSetStays) {
  struct Row {
    const char* what;
    Fails fails;
  };
  const auto spec = [](auto test) { return [test](const Scenario& s) { return test(*s.set.spec); }; };
  const Row rows[] = {
      {"Parallel", spec([](auto& s) { return s.pod_management == PodManagement::parallel; })},
      {"OnDelete", spec([](auto& s) { return s.strategy == Strategy::on_delete; })},
      {"no block", spec([](auto& s) { return s.strategy == Strategy::rolling_update && !s.rolling_update; })},
      {"partition 2", spec([](auto& s) { return s.rolling_update && s.rolling_update->partition.value_or(0) >= 2; })},
      {"percent", spec([](auto& s) {
         return s.rolling_update && s.rolling_update->max_unavailable && s.rolling_update->max_unavailable->percent;
       })},
      {"scaled", spec([](auto& s) { return s.retention && s.retention->when_scaled == Retention::remove; })},
      {"two claims", spec([](auto& s) { return s.claim_templates.size() == 2; })},
      {"claim labels", spec([](auto& s) {
         return std::any_of(s.claim_templates.begin(), s.claim_templates.end(),
                            [](auto& c) { return !c.labels.empty(); });
       })},
      {"start", spec([](auto& s) { return s.ordinals_start.value_or(0) >= 2; })},
      {"reserved", spec([](auto& s) { return s.reserve_ordinals.size() == 2; })},
      {"expressions", spec([](auto& s) { return !s.selector.match_expressions.empty(); })},
      {"volumes", spec([](auto& s) { return !s.pod_template->volumes.empty(); })},
      {"annotations", [](const Scenario& s) { return s.set.meta.annotations != nullptr; }},
      {"another namespace", [](const Scenario& s) { return s.set.meta.ns == "prod"; }},
      {"long name", [](const Scenario& s) { return s.set.meta.name.size() > 50; }},
      {"gate", [](const Scenario& s) { return !s.environment.gates.semantic_revisions; }},
  };
  for (const Row& row : rows) {
    const Shrunk shrunk = shrink(a_failing(row.fails), row.fails);
    EXPECT_TRUE(shrunk.scenario.steps.empty()) << row.what;
    expect_minimal(shrunk, row.fails);
    EXPECT_LT(shrunk.trials, 100u) << row.what;
  }
}

TEST(Shrink, EveryGateIsResetOnItsOwn) {
  struct Switch {
    std::string what;
    std::function<bool&(Environment&)> of;
  };
  std::vector<Switch> switches;
  for (const Gate& gate : gates) {
    const std::string name(gate.name);
    if (gate.controller) switches.push_back({name, [&](Environment& e) -> bool& { return e.gates.*gate.controller; }});
    if (gate.api)
      switches.push_back({name + " of the API server", [&](Environment& e) -> bool& { return e.api.*gate.api; }});
  }
  for (const auto& [what, needed] : switches) {
    const Fails fails = [&](const Scenario& s) {
      Environment environment = s.environment;
      return !needed(environment);
    };
    Scenario scenario = drawn(1);
    for (const auto& each : switches) each.of(scenario.environment) = false;
    Environment expected;
    needed(expected) = false;
    const Shrunk shrunk = shrink(scenario, fails);
    EXPECT_EQ(shrunk.scenario.environment, expected) << what;
    expect_minimal(shrunk, fails);
  }
}

TEST(Shrink, StepsThatOnlyGoTogetherGoTogether) {
  // Fails when nodes are lost and recovered equally often, so that neither can be removed alone.
  const Fails fails = [](const Scenario& s) {
    const auto count = [&](StepKind kind) {
      return std::count_if(s.steps.begin(), s.steps.end(), [&](const Step& step) { return step.kind == kind; });
    };
    return count(StepKind::lose_node) == count(StepKind::recover_nodes) && count(StepKind::restart) > 0;
  };
  Scenario scenario = drawn(1);
  scenario.steps = {
      {.kind = StepKind::lose_node}, {.kind = StepKind::restart, .a = 3, .b = 2}, {.kind = StepKind::recover_nodes}};
  const Shrunk shrunk = shrink(scenario, fails);
  EXPECT_EQ(steps_of(shrunk.scenario), "control.restart behind=0 fresh=set");
  expect_minimal(shrunk, fails);
}

TEST(Shrink, ACacheOfAShorterStoryIsLessBehind) {
  // Fails when a restart is behind by an event for each scaling before it and by two for each replica.
  const Fails fails = [](const Scenario& s) {
    const auto scalings = std::ranges::count_if(s.steps, [](const Step& step) { return step.kind == StepKind::scale; });
    const std::int64_t events = scalings + std::int64_t{2} * s.set.spec->replicas.value_or(1);
    return std::ranges::any_of(s.steps,
                               [&](const Step& step) { return step.kind == StepKind::restart && step.a == events; });
  };
  Scenario scenario = drawn(1);
  auto spec = std::make_shared<StatefulSetSpec>(*scenario.set.spec);
  spec->replicas = 3;
  scenario.set.spec = std::move(spec);
  scenario.steps = {
      {.kind = StepKind::scale, .a = 1}, {.kind = StepKind::scale, .a = 2}, {.kind = StepKind::restart, .a = 8}};
  const Shrunk shrunk = shrink(scenario, fails);
  EXPECT_EQ(steps_of(shrunk.scenario), "control.restart behind=0 fresh=set");
  EXPECT_EQ(shrunk.scenario.set.spec->replicas, 0);
  expect_minimal(shrunk, fails);
}

TEST(Shrink, ARunOfProgressBecomesOneSettle) {
  // Progress is needed: four syncs, or one settle.
  const Fails fails = [](const Scenario& s) {
    const auto count = [&](StepKind kind) {
      return std::count_if(s.steps.begin(), s.steps.end(), [&](const Step& step) { return step.kind == kind; });
    };
    return count(StepKind::edit_template) > 0 && (count(StepKind::sync) >= 4 || count(StepKind::settle) >= 1);
  };
  Scenario scenario = drawn(1);
  scenario.steps = {{.kind = StepKind::edit_template}};
  for (int i = 0; i < 5; ++i)
    for (const StepKind kind : {StepKind::deliver_all, StepKind::sync, StepKind::run_kubelets})
      scenario.steps.push_back({.kind = kind});
  const Shrunk shrunk = shrink(scenario, fails);
  EXPECT_EQ(steps_of(shrunk.scenario), "user.edit-template image=0 flavour=plain; settle");
  expect_minimal(shrunk, fails);
}

TEST(Shrink, AKindGivesWayToAPlainerOne) {
  const Fails fails = [](const Scenario& s) {
    return has_in_order(s, {StepKind::delete_pod}) || has_in_order(s, {StepKind::force_delete_pod});
  };
  Scenario scenario = drawn(1);
  scenario.steps = {{.kind = StepKind::force_delete_pod, .at_call = 3, .a = 2}};
  EXPECT_EQ(steps_of(shrink(scenario, fails).scenario), "user.delete-pod pod=0");
}

TEST(Shrink, ASimplerSetThatIsTakenIsOneTheApiServerTakes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const Scenario& simpler : simplifications(drawn(seed, 4))) {
      const FieldErrors errors = refused(simpler);
      ASSERT_TRUE(errors.empty()) << errors.front().text() << "\n" << write_scenario(simpler);
    }
}

TEST(Shrink, IsDeterministicAndAsksNothingTwice) {
  const Fails fails = [](const Scenario& s) {
    return has_in_order(s, {StepKind::scale, StepKind::settle, StepKind::scale});
  };
  const Scenario start = a_failing(fails);
  std::set<std::string> asked;
  const Shrunk first = shrink(start, [&](const Scenario& s) {
    EXPECT_TRUE(asked.insert(write_scenario(s)).second) << write_scenario(s);
    return fails(s);
  });
  const Shrunk second = shrink(start, fails);
  EXPECT_EQ(write_scenario(first.scenario), write_scenario(second.scenario));
  EXPECT_EQ(first.trials, second.trials);
  EXPECT_EQ(first.trials, asked.size());
}

TEST(Shrink, StopsAtItsLimitWithWhatItHas) {
  const Fails fails = [](const Scenario& s) { return has_in_order(s, {StepKind::scale}); };
  const Scenario start = a_failing(fails);
  for (const std::size_t limit : {0u, 1u, 5u}) {
    const Shrunk shrunk = shrink(start, fails, {.trials = limit});
    EXPECT_EQ(shrunk.trials, limit);
    EXPECT_FALSE(shrunk.minimal);
    EXPECT_TRUE(fails(shrunk.scenario));
  }
}

/// Six steps in a fixed order with what they need: about as tangled as a real finding.
TEST(Shrink, AsksSeldom) {
  const Fails fails = [](const Scenario& s) {
    return s.set.spec->replicas.value_or(1) >= 2 &&
           has_in_order(s, {StepKind::settle, StepKind::edit_template, StepKind::sync, StepKind::fail_pod,
                            StepKind::sync, StepKind::settle});
  };
  std::size_t found = 0, worst = 0, all = 0;
  for (std::uint64_t seed = 0; found < 50 && seed < 20000; ++seed) {
    const Scenario scenario = drawn(seed);
    if (!fails(scenario)) continue;
    ++found;
    const Shrunk shrunk = shrink(scenario, fails);
    EXPECT_EQ(shrunk.scenario.steps.size(), 6u);
    EXPECT_TRUE(shrunk.minimal);
    worst = std::max(worst, shrunk.trials);
    all += shrunk.trials;
  }
  EXPECT_EQ(found, 50u);
  // Of these, 50 for each pair of neighbours that is left: whether any one step would do in their place.
  EXPECT_LT(worst, 500u);
  EXPECT_LT(all / found, 400u);
}

/// Two requirements of one key are two things to be left out.
TEST(Shrink, RequirementsOfOneKeyAreToldApart) {
  Scenario scenario = drawn(1);
  StatefulSetSpec spec = *scenario.set.spec;
  using enum SelectorRequirement::Operator;
  spec.selector.match_expressions = {{"app", exists, {}}, {"app", not_in, {"zz"}}, {"app", not_in, {"zy"}}};
  scenario.set.spec = std::make_shared<const StatefulSetSpec>(spec);
  const Fails needs_the_second = [](const Scenario& s) {
    return std::ranges::count(s.set.spec->selector.match_expressions,
                              SelectorRequirement{.key = "app", .op = not_in, .values = {"zz"}}) > 0;
  };
  const Shrunk shrunk = shrink(scenario, needs_the_second);
  expect_minimal(shrunk, needs_the_second);
  EXPECT_EQ(shrunk.scenario.set.spec->selector.match_expressions.size(), 1u);
}

}  // namespace
}  // namespace ordeal::properties
