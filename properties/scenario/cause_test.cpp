#include "properties/scenario/cause.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "properties/scenario/generate.h"
#include "properties/scenario/simpler.h"

namespace ordeal::properties {
namespace {

using enum StepKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

StatefulSet a_set(std::uint64_t seed) {
  Seeded choices(seed_of_trial(3, seed));
  return generate_set(choices);
}
StatefulSet a_plain_set() {
  StatefulSet set = plainest(a_set(1));
  auto spec = std::make_shared<StatefulSetSpec>(*set.spec);
  spec->pod_template = bare_template(*spec->pod_template);
  spec->selector.match_expressions.clear();
  set.spec = std::move(spec);
  return set;
}
template <class Edit>
std::vector<std::string> fields_with(Edit edit) {
  Scenario scenario{.set = a_plain_set(), .environment = {}, .steps = {}};
  auto spec = std::make_shared<StatefulSetSpec>(*scenario.set.spec);
  edit(scenario, *spec);
  scenario.set.spec = std::move(spec);
  return cause_of(scenario).fields;
}
std::vector<std::string> fields_of(const StatefulSet& set) {
  return cause_of({.set = set, .environment = {}, .steps = {}}).fields;
}
Cause cause_with(std::vector<Step> steps) {
  return cause_of({.set = a_plain_set(), .environment = {}, .steps = std::move(steps)});
}

TEST(Cause, IsTheSortsOfStepsWithTheirWords) {
  EXPECT_THAT(cause_with({{.kind = scale, .a = 5},
                          {.kind = outage, .a = static_cast<int>(OutageOf::status_writes)},
                          {.kind = add_pod, .a = 1, .b = static_cast<int>(ForeignPod::leading_zero)},
                          {.kind = delete_set, .a = 2}})
                  .steps,
              ElementsAre("call.outage calls=status-writes", "user.add-pod as=leading-zero",
                          "user.delete-set propagation=orphan", "user.scale"));
}

TEST(Cause, NumbersOrderAndRepetitionAreNoise) {
  EXPECT_EQ(cause_with({{.kind = scale, .a = 5}, {.kind = edit_template, .at_call = 2, .a = 1}}),
            cause_with({{.kind = edit_template, .a = 3}, {.kind = scale, .a = 0}, {.kind = edit_template, .a = 2}}));
  EXPECT_EQ(cause_with({{.kind = delete_pod, .a = 2}}), cause_with({{.kind = delete_pod, .a = 1}}));
}

TEST(Cause, ANegativeNumberIsAWord) {
  EXPECT_THAT(cause_with({{.kind = skew_clock, .a = -30}}).steps, ElementsAre("time.skew-clock seconds<0"));
  EXPECT_THAT(cause_with({{.kind = skew_clock, .a = 30}}).steps, ElementsAre("time.skew-clock"));
}

TEST(Cause, ProgressIsNoise) {
  EXPECT_THAT(cause_with({{.kind = settle},
                          {.kind = sync},
                          {.kind = deliver, .a = 1},
                          {.kind = advance, .a = 30},
                          {.kind = race, .a = 7, .b = 9}})
                  .steps,
              IsEmpty());
}

TEST(Cause, OneOfASortStandsForTheOthers) {
  const auto flavoured = [](TemplateFlavour flavour) {
    return cause_with({{.kind = edit_template, .b = static_cast<int>(flavour)}}).steps;
  };
  for (const TemplateFlavour works :
       {TemplateFlavour::plain, TemplateFlavour::with_env, TemplateFlavour::with_label, TemplateFlavour::with_extras})
    EXPECT_THAT(flavoured(works), ElementsAre("user.edit-template"));
  EXPECT_THAT(cause_with({{.kind = restart_rollout, .a = 2}}).steps, ElementsAre("user.edit-template"));
  for (const TemplateFlavour broken :
       {TemplateFlavour::unready, TemplateFlavour::crashing, TemplateFlavour::completing, TemplateFlavour::unstarted})
    EXPECT_THAT(flavoured(broken), ElementsAre("user.edit-template flavour=unready"));
  EXPECT_THAT(flavoured(TemplateFlavour::unpulled), ElementsAre("user.edit-template flavour=unpulled"));
  EXPECT_EQ(cause_with({{.kind = evict_pod}}), cause_with({{.kind = fail_pod}}));
  EXPECT_EQ(cause_with({{.kind = hand_over, .a = 3}}), cause_with({{.kind = restart, .a = 1, .b = 2}}));
  EXPECT_NE(cause_with({{.kind = fail_pod}}), cause_with({{.kind = delete_pod}}));
}

TEST(Cause, AFieldIsTheSameFromTheStartAndOnTheWay) {
  const auto given = [](Step step) { return cause_with({step}); };
  EXPECT_EQ(given({.kind = set_partition, .a = 2}), (Cause{{}, {"partition"}}));
  EXPECT_EQ(given({.kind = set_partition, .a = -1}), (Cause{{}, {"no rollingUpdate"}}));
  EXPECT_EQ(given({.kind = set_max_unavailable, .a = 2, .b = 1}), (Cause{{}, {"maxUnavailable in percent"}}));
  EXPECT_EQ(given({.kind = set_min_ready, .a = 10}), (Cause{{}, {"minReadySeconds"}}));
  EXPECT_EQ(given({.kind = set_history_limit, .a = 0}), (Cause{{}, {"revisionHistoryLimit"}}));
  EXPECT_EQ(given({.kind = set_strategy, .a = 1}), (Cause{{}, {"OnDelete"}}));
  EXPECT_EQ(given({.kind = set_strategy, .a = 2}), (Cause{{}, {"Recreate"}}));
  EXPECT_EQ(given({.kind = set_retention, .a = 1, .b = 1}), (Cause{{}, {"whenDeleted=Delete", "whenScaled=Delete"}}));
}

TEST(Cause, WhoTakesAFieldBackIsAStep) {
  EXPECT_EQ(cause_with({{.kind = set_partition}}), (Cause{{"user.set-partition"}, {}}));
  EXPECT_EQ(cause_with({{.kind = set_strategy}}), (Cause{{"user.set-strategy"}, {}}));
  EXPECT_EQ(cause_with({{.kind = set_max_unavailable, .a = -1}}), (Cause{{"user.set-max-unavailable pods<0"}, {}}));
}

TEST(Cause, AFieldThatIsNotPlainIsNamed) {
  using Spec = StatefulSetSpec;
  const auto with = [](auto edit) { return fields_with([&](Scenario&, Spec& spec) { edit(spec); }); };
  EXPECT_THAT(with([](Spec&) {}), IsEmpty());
  EXPECT_THAT(with([](Spec& s) { s.replicas = 7; }), IsEmpty());
  EXPECT_THAT(with([](Spec& s) { s.pod_management = PodManagement::parallel; }), ElementsAre("Parallel"));
  EXPECT_THAT(with([](Spec& s) { s.strategy = Strategy::on_delete; }), ElementsAre("OnDelete"));
  EXPECT_THAT(with([](Spec& s) { s.strategy = Strategy::recreate; }), ElementsAre("Recreate"));
  EXPECT_THAT(with([](Spec& s) { s.rolling_update.reset(); }), ElementsAre("no rollingUpdate"));
  EXPECT_THAT(with([](Spec& s) { s.rolling_update->partition = 2; }), ElementsAre("partition"));
  EXPECT_THAT(with([](Spec& s) { s.rolling_update->max_unavailable = IntOrPercent{2, false}; }),
              ElementsAre("maxUnavailable"));
  EXPECT_THAT(with([](Spec& s) { s.rolling_update->max_unavailable = IntOrPercent{2, true}; }),
              ElementsAre("maxUnavailable in percent"));
  EXPECT_THAT(with([](Spec& s) { s.min_ready_seconds = 5; }), ElementsAre("minReadySeconds"));
  EXPECT_THAT(with([](Spec& s) { s.retention.emplace().when_scaled = Retention::remove; }),
              ElementsAre("whenScaled=Delete"));
  EXPECT_THAT(fields_with([](Scenario& s, Spec&) { s.environment.gates.stale_guard = false; }),
              ElementsAre("StaleControllerConsistencyStatefulSet off"));
  EXPECT_THAT(fields_with([](Scenario& s, Spec&) { s.environment.api.max_unavailable = false; }),
              ElementsAre("MaxUnavailableStatefulSet off (API server)"));
  const auto no_recreate = [](Scenario& s, Spec&) { s.environment.gates.recreate = false; };
  EXPECT_THAT(fields_with(no_recreate), IsEmpty()) << "no set asks for it";
  const auto recreate = [&](Scenario& s, Spec& spec) {
    no_recreate(s, spec);
    spec.strategy = Strategy::recreate;
  };
  EXPECT_THAT(fields_with(recreate), ElementsAre("Recreate", "StatefulSetRecreateStrategy off"));
  const auto selects_by_expression = [](Scenario&, Spec& spec) {
    spec.selector = {};
    spec.selector.match_expressions = {{"app", SelectorRequirement::Operator::exists, {}}};
  };
  EXPECT_THAT(fields_with(selects_by_expression), ElementsAre("matchExpressions"));
  EXPECT_THAT(fields_with([](Scenario& s, Spec&) { s.set.meta.ns = "prod"; }), ElementsAre("namespace"));
  EXPECT_THAT(fields_with([](Scenario& s, Spec&) { s.environment.list_order = 9; }), ElementsAre("lists in no order"));
  EXPECT_THAT(fields_with([](Scenario& s, Spec&) { s.environment.injects = true; }), ElementsAre("admission injects"));
  EXPECT_THAT(fields_with([](Scenario& s, Spec&) { s.environment.namesakes = true; }),
              ElementsAre("namesakes in another namespace"));
  EXPECT_THAT(fields_with([](Scenario& s, Spec&) { s.environment.binds_late = true; }),
              ElementsAre("claims bound late"));
  EXPECT_THAT(fields_with([](Scenario& s, Spec&) { s.environment.versions_from = 1; }), ElementsAre("large versions"));
  EXPECT_THAT(fields_with([](Scenario& s, Spec&) { s.environment.between_seconds = true; }),
              ElementsAre("fractions of seconds"));
}

std::size_t requirements_of(const StatefulSet& set) {
  return set.spec->selector.match_labels.size() + set.spec->selector.match_expressions.size();
}

/// No field that the shrinker can make plainer is forgotten: when no name goes any more, numbers of replicas and of
/// requirements are all there is to simplify.
TEST(Cause, NothingThatCanBeSimplifiedIsLeftOut) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    StatefulSet set = a_set(seed);
    const auto renames =
        [&](const StatefulSet& simpler) {  // or begins to: a field of several requirements goes one by one
          return requirements_of(simpler) < requirements_of(set) || fields_of(simpler) != fields_of(set);
        };
    std::vector<StatefulSet> simpler = simpler_sets(set);
    for (auto at = std::ranges::find_if(simpler, renames); at != simpler.end();
         at = std::ranges::find_if(simpler, renames)) {
      set = StatefulSet(*at);
      simpler = simpler_sets(set);
    }
    EXPECT_THAT(fields_of(set), IsEmpty()) << seed;
    for (const StatefulSet& one : simpler)
      EXPECT_TRUE(one.spec->replicas != set.spec->replicas || requirements_of(one) < requirements_of(set)) << seed;
  }
}

TEST(Cause, IsToldByTheStepsOfTheStory) {
  Scenario scenario{.set = a_set(1), .environment = {}, .steps = {{.kind = StepKind::own_claim, .a = 1}}};
  EXPECT_THAT(cause_of(scenario).steps, ElementsAre("user.drop-claim-owners"));
  EXPECT_THAT(told_cause(scenario), testing::StartsWith("user.own-claim"));
}

TEST(Cause, ReadsAsAText) {
  EXPECT_EQ((Cause{{"call.outage calls=status-writes", "user.scale"}, {"Parallel"}}.text()),
            "call.outage calls=status-writes, user.scale; Parallel");
  EXPECT_EQ((Cause{{}, {"Parallel", "partition"}}.text()), "creation alone; Parallel, partition");
  EXPECT_EQ(Cause{}.text(), "creation alone");
}

TEST(Cause, NamesStepsWithAndWithoutWordsAndFields) {
  const Cause cause{{"user.add-pod as=leading-zero", "user.scale"}, {"Parallel"}};
  for (const char* named : {"user.add-pod as=leading-zero", "user.add-pod", "user.scale", "Parallel"})
    EXPECT_TRUE(cause.names(named)) << named;
  for (const char* not_named :
       {"user.add", "user.add-pod as=orphan", "user.scale replicas=2", "OnDelete", "user.add-pod as"})
    EXPECT_FALSE(cause.names(not_named)) << not_named;
}

TEST(Cause, MoreStepsWithTheSameFieldsAreNoise) {
  const Cause plain{{"user.scale"}, {"Parallel"}};
  EXPECT_TRUE(is_noisier({{"pod.fail", "user.scale"}, {"Parallel"}}, plain));
  EXPECT_FALSE(is_noisier(plain, plain));
  EXPECT_FALSE(is_noisier(plain, {{"pod.fail", "user.scale"}, {"Parallel"}}));
  EXPECT_FALSE(is_noisier({{"pod.fail", "user.scale"}, {}}, plain)) << "other fields";
  EXPECT_FALSE(is_noisier({{"pod.fail", "user.delete-pod"}, {"Parallel"}}, plain)) << "other steps";
}

}  // namespace
}  // namespace ordeal::properties
