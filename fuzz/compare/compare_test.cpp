// Where two controllers differ, and where one differs from itself.
#include "fuzz/compare/compare.h"

#include <gmock/gmock.h>

#include "core/controller/forwarding.h"
#include "core/controller/reference.h"
#include "core/controller/rules_table.h"
#include "fuzz/engine/files.h"
#include "fuzz/engine/run.h"
#include "properties/scenario/scenario_json.h"
#include "properties/trial/hand_made.h"

namespace ordeal::fuzz {
namespace {

using namespace properties;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view three_replicas = "replicas: 3";

FirstSets one_set() { return {.given = {hand_made(three_replicas).set}}; }

/// The strict reference, each request of which may be changed on its way out.
ControllerKind tampered(Tampered::Edit edit) {
  return {"tampered", "a test's", Level::strict,
          [edit](const Gates& gates) { return std::make_unique<Tampered>(edit, gates); }};
}

ControllerKind plain() {
  return tampered([](Request request, const View&, Api& real) { return real.call(std::move(request)); });
}

/// Each pod that is created gets the next of these host names, over and over.
ControllerKind naming_hosts(std::vector<Text> names) {
  return tampered([names, next = std::make_shared<std::size_t>(0)](Request request, const View&, Api& real) {
    if (request.verb == Verb::create && request.kind == Kind::pod)
      std::get<Pod>(request.body).hostname = names[(*next)++ % names.size()];
    return real.call(std::move(request));
  });
}

TEST(Compare, WhatDecidesAlikeDoesNotDiffer) {
  const Comparison comparison = compare(*find_controller("strict"), plain(), one_set(), 1, 0, 40);
  EXPECT_EQ(comparison.trials, 40u);
  EXPECT_EQ(comparison.unclear, 0u);
  EXPECT_THAT(comparison.differences, IsEmpty());
}

TEST(Compare, TheLastNumbersAreTrialsAsAnyOthers) {
  const Comparison comparison = compare(plain(), plain(), one_set(), 1, ~std::uint64_t{0} - 1, 3);
  EXPECT_EQ(comparison.trials, 3u) << "after the last comes the first";
  const std::atomic<bool> stop = true;
  EXPECT_EQ(compare(plain(), plain(), one_set(), 1, 0, 3, stop).trials, 0u);
}

TEST(Compare, WhatACallIsMadeForAndWhereIsNotCompared) {
  const ControllerKind telling = tampered([](Request request, const View&, Api& real) {
    request.reason = Reason::unstated;
    request.line = "control.go:7";
    return real.call(std::move(request));
  });
  EXPECT_THAT(compare(plain(), telling, one_set(), 1, 0, 5).differences, IsEmpty());
}

TEST(Compare, NamesTheCallAndTheField) {
  const Comparison comparison = compare(plain(), naming_hosts({"elsewhere"}), one_set(), 1, 0, 10);
  ASSERT_THAT(comparison.differences, SizeIs(1)) << "of one kind, however often";
  const Difference& difference = comparison.differences.front();
  EXPECT_EQ(difference.kind, "POST pods: /body/spec/hostname");
  EXPECT_THAT(difference.a, HasSubstr("POST /api/v1/namespaces/default/pods -> ok with \"web-0\""));
  EXPECT_THAT(difference.b, HasSubstr("with \"elsewhere\""));
  EXPECT_GE(difference.times, 5u) << "but for trials that come to no pod";
  EXPECT_EQ(difference.sync, 1);
  EXPECT_THAT(difference.scenario.steps, IsEmpty()) << "shrunk: any trial ends with pods that are made";
}

TEST(Compare, TellsWhatOneDoesAndTheOtherDoesNot) {
  const ControllerKind silent = tampered([](Request request, const View&, Api& real) {
    if (request.verb == Verb::update_status) return Reply{};
    return real.call(std::move(request));
  });
  const Comparison comparison = compare(plain(), silent, one_set(), 1, 3, 5);
  ASSERT_FALSE(comparison.differences.empty());
  EXPECT_EQ(comparison.differences.front().kind, "PUT statefulsets/status against nothing");
  EXPECT_GE(comparison.differences.front().trial, 3u) << "numbers are those of the run";
}

/// Decides as Kubernetes 1.37, and tells how far a Recreate has come in other words.
ControllerKind rewording() {
  Rules rules = kubernetes_1_37_rules();
  rules.tells = [](const ordeal::Progress& progress) {
    auto told = kubernetes_1_37_rules().tells(progress);
    for (StatefulSetCondition& condition : told) condition.message = "in other words";
    return told;
  };
  return {"rewording", "a test's", Level::strict, [rules](const Gates& gates) { return make_reference(rules, gates); }};
}

/// A set in the middle of a Recreate that this release comes upon; the release gets two turns, then the program again.
std::optional<Difference> difference_when_it_stands_in(std::string_view release) {
  const auto names = info(StepKind::run_release).a.words;
  const auto number = static_cast<std::int32_t>(std::ranges::find(names, release) - names.begin());
  const Step turn[] = {{.kind = StepKind::deliver_all}, {.kind = StepKind::sync}};
  std::vector<Step> steps{{.kind = StepKind::settle}, {.kind = StepKind::edit_template, .a = 1}, turn[0], turn[1]};
  for (const std::int32_t next : {number, 0})
    steps.insert(steps.end(), {{.kind = StepKind::run_release, .a = next}, turn[0], turn[1], turn[0], turn[1]});
  const Scenario scenario = hand_made("replicas: 2\nupdateStrategy: {type: Recreate}", steps);
  const ControllerKind other = rewording();
  Dock a(*find_controller("kubernetes-1.37")), b(other);
  return compare_on(scenario, a, b);
}

/// Kubernetes 1.37, counting its turns.
class Counted final : public Forwarding {
 public:
  Counted(const Gates& gates, std::size_t& turns)
      : Forwarding(make_reference(kubernetes_1_37_rules(), gates)), turns_(turns) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    ++turns_;
    return inner_.sync(key, seen, api, now);
  }
  std::string_view name() const override { return "counted"; }

 private:
  std::size_t& turns_;
};

TEST(Compare, OfATrialThatNeverEndsOnlyTheBeginningIsCompared) {
  const std::string stored =
      read_file(std::string(ORDEAL_SOURCE) + "/corpus/regressions/eleven-thousand-turns.json", 1 << 20).value();
  std::size_t turns = 0;
  const ControllerKind counted{"counted", "a test's", Level::strict,
                               [&](const Gates& gates) { return std::make_unique<Counted>(gates, turns); }};
  Dock a(*find_controller("kubernetes-1.37")), b(counted);
  EXPECT_FALSE(compare_on(read_scenario(stored).value(), a, b).has_value());
  EXPECT_GE(turns, 500u) << "it does not come to rest before";
  EXPECT_LE(turns, 600u);
}

TEST(Compare, WhatAReleaseThatStandsInMakesOfOtherMessagesIsNoDifference) {
  for (const char* release : {"kubernetes-1.37", "kubernetes-1.36"}) {
    const auto unlike = difference_when_it_stands_in(release);
    EXPECT_FALSE(unlike.has_value()) << release << ": " << unlike->kind << " in sync " << unlike->sync;
  }
}

TEST(Compare, WhatDiffersAfterAReleaseThatStoodInDiffers) {
  const Scenario scenario = hand_made("replicas: 2", {{.kind = StepKind::settle},
                                                      {.kind = StepKind::run_release, .a = 1},
                                                      {.kind = StepKind::deliver_all},
                                                      {.kind = StepKind::sync},
                                                      {.kind = StepKind::run_release, .a = 0},
                                                      {.kind = StepKind::scale, .a = 3},
                                                      {.kind = StepKind::deliver_all},
                                                      {.kind = StepKind::sync}});
  const ControllerKind right = plain(), wrong = naming_hosts({"web-0", "web-1", "elsewhere"});
  Dock a(right), b(wrong);
  const auto difference = compare_on(scenario, a, b);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->kind, "POST pods: /body/spec/hostname");
}

TEST(Compare, AControllerThatCannotBeTriedIsUnclear) {
  const ControllerKind broken =
      tampered([](Request, const View&, Api&) -> Reply { throw std::runtime_error("out of cheese"); });
  const Comparison comparison = compare(plain(), broken, one_set(), 1, 0, 3);
  EXPECT_GE(comparison.unclear, 1u);
  EXPECT_EQ(comparison.why_unclear, "out of cheese");
  EXPECT_THAT(comparison.differences, IsEmpty());
}

TEST(CompareTwice, WhatIsDeterministicGoesTheSameWay) {
  for (const char* name : {"strict", "kubernetes-1.37", "kubernetes-1.20"}) {
    Dock dock(*find_controller(name));
    for (std::uint64_t trial = 0; trial < 20; ++trial) {
      const auto difference = compare_twice(scenario_of_trial(one_set(), 5, trial), dock);
      EXPECT_FALSE(difference.has_value()) << name << " in trial " << trial << ": " << difference->kind;
    }
  }
}

TEST(CompareTwice, NamesWhatIsDrawnAtRandom) {
  const ControllerKind moody =
      naming_hosts({"a", "b", "c", "d", "e", "f", "g"});  // three pods a time: never the same again
  Dock dock(moody);
  const auto difference = compare_twice(hand_made(three_replicas, {{.kind = StepKind::settle}}), dock);
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->kind, "POST pods: /body/spec/hostname");
  EXPECT_THAT(difference->a, HasSubstr("with \"a\""));
}

}  // namespace
}  // namespace ordeal::fuzz
