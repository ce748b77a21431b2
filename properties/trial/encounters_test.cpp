#include "properties/trial/encounters.h"

#include <gtest/gtest.h>

#include <set>

#include "core/controller/reference.h"
#include "core/controller/rules.h"
#include "properties/scenario/generate.h"
#include "properties/trial/trial.h"

namespace ordeal::properties {
namespace {

Encounters::Bits bits_of(const Scenario& scenario) {
  Encounters met;
  const auto controller = make_reference(strict_rules(), scenario.environment.gates);
  Court().try_scenario(scenario, *controller, {.encounters = &met});
  return met.bits();
}

Scenario life(std::vector<Step> steps, void (*edit)(StatefulSetSpec&) = [](StatefulSetSpec&) {}) {
  Seeded choices(1);
  Scenario scenario{.set = generate_set(choices), .environment = {}, .steps = std::move(steps)};
  StatefulSetSpec spec;
  spec.replicas = 2;
  spec.selector = scenario.set.spec->selector;
  spec.pod_template = scenario.set.spec->pod_template;
  spec.service_name = scenario.set.spec->service_name;
  edit(spec);
  scenario.set.spec = std::make_shared<const StatefulSetSpec>(spec);
  return scenario;
}

bool met(const Encounters::Bits& bits, Plight plight, Reason reason, Fault fault = Fault::none) {
  return bits[Encounters::of(plight, reason, fault)];
}

TEST(Encounters, EachBitHasANameOfItsOwn) {
  std::set<std::string> names;
  for (std::size_t bit = 0; bit < Encounters::size; ++bit) names.insert(Encounters::name_of(bit));
  EXPECT_EQ(names.size(), Encounters::size);
  EXPECT_EQ(Encounters::name_of(Encounters::of(Plight::outdated, Reason::update_pod, Fault::none)).substr(0, 10),
            "outdated, ");
}

TEST(Encounters, ACallMeetsThePlightOfItsSet) {
  const auto bits = bits_of(life({{StepKind::settle}, {StepKind::edit_template, 0, 1, 0}, {StepKind::settle}}));
  EXPECT_TRUE(met(bits, Plight::missing, Reason::create_pod));
  EXPECT_TRUE(met(bits, Plight::outdated, Reason::update_pod));
  EXPECT_FALSE(met(bits, Plight::surplus, Reason::scale_down));
  EXPECT_FALSE(met(bits, Plight::ended, Reason::replace_terminal));
}

TEST(Encounters, ScalingDownMeetsSurplusPods) {
  const auto bits = bits_of(life({{StepKind::settle}, {StepKind::scale, 0, 1, 0}, {StepKind::settle}}));
  EXPECT_TRUE(met(bits, Plight::surplus, Reason::scale_down));
}

TEST(Encounters, ACallMeetsWhatBefellIt) {
  const Step fault{StepKind::fault, 2, static_cast<std::int32_t>(Fault::internal), 0};
  const auto bits = bits_of(life({{StepKind::deliver_all}, fault, {StepKind::sync}}));
  EXPECT_TRUE(met(bits, Plight::missing, Reason::create_pod, Fault::internal));
  EXPECT_FALSE(met(bits, Plight::missing, Reason::create_pod, Fault::forbidden));
}

TEST(Encounters, ACallMeetsPairsOfTraits) {
  const auto bits = bits_of(life({{StepKind::settle}}, [](StatefulSetSpec& spec) {
    spec.pod_management = PodManagement::parallel;
    spec.min_ready_seconds = 5;
  }));
  constexpr std::size_t parallel = 0, on_delete = 1, min_ready = 6;
  EXPECT_EQ(name_of_trait(min_ready), "minReadySeconds");
  EXPECT_TRUE(bits[Encounters::of(min_ready, parallel, Reason::create_pod)]);
  EXPECT_TRUE(bits[Encounters::of(parallel, parallel, Reason::create_pod)]);
  EXPECT_FALSE(bits[Encounters::of(parallel, on_delete, Reason::create_pod)]);
}

}  // namespace
}  // namespace ordeal::properties
