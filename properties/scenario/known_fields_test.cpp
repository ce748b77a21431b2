#include "properties/scenario/known_fields.h"

#include <gtest/gtest.h>

#include "core/api/validation.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::properties {
namespace {

Scenario scenario(std::uint64_t i) {
  Seeded choices(seed_of_trial(3, i));
  return generate_scenario(choices);
}

TEST(KnownFields, AllKnownChangesNothing) {
  for (std::uint64_t i = 0; i < 200; ++i) {
    Scenario changed = scenario(i);
    leave_out_unknown(changed, {.reserve_ordinals = true});
    ASSERT_EQ(write_scenario(changed), write_scenario(scenario(i)));
  }
}

TEST(KnownFields, WhatIsUnknownIsNowhereAndTheRestIsAsItWas) {
  constexpr KnownFields none{.rolling_update = false,
                             .parallel = false,
                             .recreate = false,
                             .max_unavailable = false,
                             .min_ready_seconds = false,
                             .ordinals_start = false,
                             .retention = false};
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Scenario drawn = scenario(i);
    Scenario left = drawn;
    leave_out_unknown(left, none);
    const StatefulSetSpec& spec = *left.set.spec;
    ASSERT_EQ(spec.strategy, Strategy::on_delete);
    ASSERT_EQ(spec.pod_management, PodManagement::ordered_ready);
    ASSERT_FALSE(spec.rolling_update || spec.ordinals_start || spec.retention || spec.min_ready_seconds != 0);
    ASSERT_FALSE(left.environment.api.recreate || left.environment.gates.max_unavailable);
    for (const Step& step : left.steps)
      ASSERT_TRUE(step.kind != StepKind::set_strategy && step.kind != StepKind::set_partition &&
                  step.kind != StepKind::set_min_ready && step.kind != StepKind::set_start &&
                  step.kind != StepKind::set_retention && step.kind != StepKind::set_max_unavailable &&
                  !makes_ours_an_owner(step));
    ASSERT_EQ(spec.replicas, drawn.set.spec->replicas);
    ASSERT_EQ(spec.revision_history_limit, drawn.set.spec->revision_history_limit);
  }
}

TEST(KnownFields, AGateThatThereIsNotIsOnAndNeverTurned) {
  int off = 0, turned = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    Scenario drawn = scenario(i);
    off += drawn.environment.gates.max_unavailable ? 0 : 1;
    const std::size_t steps = drawn.steps.size();
    const std::string before = write_scenario(drawn);
    leave_out_unknown(drawn, {.max_unavailable_gated = false});
    turned += drawn.steps.size() < steps ? 1 : 0;
    ASSERT_TRUE(drawn.environment.api.max_unavailable);
    ASSERT_TRUE(drawn.environment.gates.max_unavailable);
    ASSERT_FALSE(has_unknown(drawn, {.max_unavailable_gated = false})) << before;
  }
  EXPECT_GT(off, 0);
  EXPECT_GT(turned, 0);
}

TEST(KnownFields, ABlockThatIsAlwaysThereIsNeverRemoved) {
  int without = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    Scenario drawn = scenario(i);
    const auto is_bare = [&] {
      return drawn.set.spec->strategy == Strategy::rolling_update && !drawn.set.spec->rolling_update;
    };
    without += is_bare() ? 1 : 0;
    leave_out_unknown(drawn, {.bare_rolling_update = false});
    ASSERT_FALSE(is_bare());
    for (const Step& step : drawn.steps) ASSERT_FALSE(step.kind == StepKind::set_partition && step.a < 0);
    ASSERT_FALSE(has_unknown(drawn, {.bare_rolling_update = false}));
  }
  EXPECT_GT(without, 0);
}

TEST(KnownFields, AClassThatClaimsDoNotKnowIsInNoTemplate) {
  constexpr std::string_view field = "volumeAttributesClassName";
  int met = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    Scenario drawn = scenario(i);
    met += write_scenario(drawn).contains(field) ? 1 : 0;
    leave_out_unknown(drawn, {.volume_attributes = false});
    ASSERT_FALSE(write_scenario(drawn).contains(field));
  }
  EXPECT_GT(met, 0);
}

TEST(KnownFields, AnUnknownStrategyIsTheDefaultAndIsNeverChosen) {
  int met = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    Scenario drawn = scenario(i);
    met += drawn.set.spec->strategy == Strategy::recreate ? 1 : 0;
    leave_out_unknown(drawn, {.recreate = false});
    ASSERT_NE(drawn.set.spec->strategy, Strategy::recreate);
    StatefulSet sent = drawn.set;
    apply_defaults(sent, drawn.environment.api);
    ASSERT_TRUE(validate_create(sent, drawn.environment.api).empty()) << write_scenario(drawn);
    for (const Step& step : drawn.steps)
      ASSERT_FALSE(step.kind == StepKind::set_strategy && step.a == static_cast<std::int32_t>(Strategy::recreate));
  }
  EXPECT_GT(met, 0);
}

TEST(KnownFields, OnlyWhoReservesOrdinalsIsAskedTo) {
  int sets = 0, steps = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Scenario drawn = scenario(i);
    Scenario left = drawn;
    leave_out_unknown(left, {});
    const auto reserves = [](const Step& step) { return step.kind == StepKind::set_start && step.b != 0; };
    sets += drawn.set.spec->reserve_ordinals.empty() ? 0 : 1;
    steps += std::ranges::any_of(drawn.steps, reserves) ? 1 : 0;
    ASSERT_TRUE(left.set.spec->reserve_ordinals.empty() && std::ranges::none_of(left.steps, reserves));
    ASSERT_EQ(left.steps.size(), drawn.steps.size());
    ASSERT_EQ(has_unknown(drawn, {}), write_scenario(left) != write_scenario(drawn));
    ASSERT_FALSE(has_unknown(drawn, {.reserve_ordinals = true}));
  }
  EXPECT_GT(sets, 150);
  EXPECT_GT(steps, 20);
}

TEST(KnownFields, WhatIsLeftOutIsNamed) {
  Scenario asked = scenario(1);
  StatefulSetSpec spec = *asked.set.spec;
  spec.strategy = Strategy::recreate;
  spec.rolling_update.reset();
  spec.ordinals_start = 3;
  spec.reserve_ordinals = {};
  spec.min_ready_seconds = 5;
  asked.set.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  asked.steps = {{.kind = StepKind::set_start, .a = 4}, {.kind = StepKind::sync}};
  EXPECT_EQ(unknown_text(asked, {}), "");
  EXPECT_EQ(unknown_text(asked, {.bare_rolling_update = false}), "");
  EXPECT_EQ(unknown_text(asked, {.recreate = false}), "spec.updateStrategy.type");
  EXPECT_EQ(unknown_text(asked, {.min_ready_seconds = false, .ordinals_start = false}),
            "spec.minReadySeconds, spec.ordinals, 1 step");
  asked.steps.front().b = 2;
  EXPECT_EQ(unknown_text(asked, {}), "1 reserved ordinal");
}

}  // namespace
}  // namespace ordeal::properties
