// The loop: when things happen, what a fault does to a call, and that nothing depends on anything but the scenario.
#include "properties/world/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/controller/reference.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/choices.h"
#include "properties/scenario/generate.h"
#include "properties/trial/hand_made.h"
#include "properties/trial/story.h"

namespace ordeal::properties {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

Step step(StepKind kind, std::int32_t a = 0, std::int32_t b = 0, std::uint8_t at_call = 0) {
  return {kind, at_call, a, b};
}

std::unique_ptr<Controller> strict() { return make_reference(strict_rules(), Gates{}); }

/// Keeps what the last sync did.
struct LastSync final : Witness {
  void on_step(const World&, const TakenStep*, std::string_view note) override { ended = ended || !note.empty(); }
  void on_change(const World&) override {}
  void on_sync(const World& world, const Sync& sync) override {
    if (ended) return;
    codes.clear();
    committed.clear();
    for (const Call& c : sync.calls) codes.push_back(c.reply.code), committed.push_back(c.committed);
    died = sync.died;
    fresh = sync.fresh;
    pods = world.cluster().pods().live().size();
  }
  void on_settled(const World&, bool rested_now, int, int) override { rested = rested_now; }
  void on_rest(const World&, const Sync& sync) override { rest_calls += sync.calls.size(); }
  std::vector<Code> codes;
  std::vector<bool> committed;
  std::size_t pods = 0, rest_calls = 0;
  bool died = false, fresh = false, ended = false, rested = false;
};

LastSync last_sync(std::vector<Step> steps, std::string_view spec = "replicas: 1",
                   const Rules& rules = strict_rules()) {
  World world;
  LastSync seen;
  const auto controller = make_reference(rules, Gates{});
  simulate(world, hand_made(spec, std::move(steps)), *controller, seen);
  return seen;
}

TEST(Simulate, FirstSyncRecordsTheRevisionMakesThePodAndWritesTheStatus) {
  const LastSync seen = last_sync({step(StepKind::deliver_all), step(StepKind::sync)});
  EXPECT_THAT(seen.codes, ElementsAre(Code::ok, Code::ok, Code::ok));
  EXPECT_EQ(seen.pods, 1u);
  EXPECT_TRUE(seen.fresh);
}

/// What turns were shown, how, and who had asked for them.
struct Shown final : Witness {
  void on_step(const World&, const TakenStep* step, std::string_view) override { ended = ended || step == nullptr; }
  void on_change(const World&) override {}
  void on_sync(const World&, const Sync& sync) override {
    if (ended) return;
    replicas.push_back(sync.seen.sets.all.front()->spec->replicas.value_or(1));
    by_name.push_back(sync.seen.sets.find("web") == sync.seen.sets.all.front());
    queued.push_back(sync.queued);
  }
  void on_settled(const World&, bool, int, int) override {}
  void on_rest(const World&, const Sync&) override {}
  bool ended = false;
  std::vector<std::int32_t> replicas;
  std::vector<bool> by_name, queued;
};

// An event that arrives in a turn is for the next one, which it makes; the turn goes on with what it was shown.
TEST(Simulate, WhatIsDeliveredInATurnMakesTheNextOne) {
  for (const std::uint32_t order : {0u, 5u}) {
    Scenario scenario =
        hand_made("replicas: 1", {step(StepKind::deliver_all), step(StepKind::scale, 3),
                                  step(StepKind::deliver_all, 0, 0, 2), step(StepKind::sync), step(StepKind::sync)});
    scenario.environment.list_order = order;
    World world;
    Shown seen;
    const auto controller = strict();
    simulate(world, scenario, *controller, seen);
    EXPECT_THAT(seen.replicas, ElementsAre(1, 3));
    EXPECT_THAT(seen.by_name, ElementsAre(true, true));
    EXPECT_THAT(seen.queued, ElementsAre(true, true));
  }
}

// The status is told of a set that somebody has edited meanwhile; the cache shows that just before the call. Who has
// one view of a turn tries the same again and again; an informer's cache has the new version once the call is answered.
TEST(Simulate, LiveCachesAreFoundAnewOnceACallIsAnswered) {
  const std::vector<Step> steps = {step(StepKind::settle),
                                   step(StepKind::make_unready, 0),
                                   step(StepKind::deliver_all),
                                   step(StepKind::edit_metadata, 0, static_cast<std::int32_t>(MetadataEdit::label)),
                                   step(StepKind::deliver_all, 0, 0, 1),
                                   step(StepKind::sync)};
  EXPECT_THAT(last_sync(steps).codes, AllOf(SizeIs(5), Each(Code::conflict)));
  EXPECT_THAT(last_sync(steps, "replicas: 1", kubernetes_1_37_rules()).codes, ElementsAre(Code::conflict, Code::ok));
}

/// How often a pod was made, before the epilogue and in all.
struct PodsMade final : Witness {
  void on_step(const World& world, const TakenStep* step, std::string_view) override {
    if (step == nullptr && made_by_steps < 0) made_by_steps = made(world);
  }
  void on_change(const World&) override {}
  void on_sync(const World&, const Sync&) override {}
  void on_settled(const World& world, bool rested_now, int, int) override {
    rested = rested_now;
    made_in_all = made(world);
  }
  void on_rest(const World&, const Sync&) override {}
  static int made(const World& world) {
    const auto log = world.cluster().pods().log();
    return static_cast<int>(std::ranges::count_if(log, [](const auto& change) { return change.before == nullptr; }));
  }
  int made_by_steps = -1, made_in_all = 0;
  bool rested = false;
};

TEST(Simulate, ASettleDoesNotWatchPodsCrashForEver) {
  World world;
  PodsMade pods;
  const auto controller = strict();
  const auto crashing = static_cast<std::int32_t>(TemplateFlavour::crashing);
  const Scenario scenario = hand_made("replicas: 3\npodManagementPolicy: Parallel",
                                      {step(StepKind::edit_template, 1, crashing), step(StepKind::settle)});
  simulate(world, scenario, *controller, pods);
  EXPECT_GE(pods.made_by_steps, 12) << "each place's pod has come back a few times";
  EXPECT_LE(pods.made_by_steps, 30);
  EXPECT_TRUE(pods.rested) << "once the template is mended";
}

TEST(Simulate, ASettleSeesAWholeRolloutOfManyPodsThrough) {
  const LastSync seen = last_sync(
      {step(StepKind::settle), step(StepKind::edit_template, 1), step(StepKind::settle), step(StepKind::sync)},
      "replicas: 40");
  EXPECT_EQ(seen.pods, 40u);
  EXPECT_TRUE(seen.codes.empty()) << "nothing is left to do";
}

TEST(Simulate, UndeliveredSetIsNotSeen) {
  const LastSync seen = last_sync({step(StepKind::sync)});
  EXPECT_TRUE(seen.codes.empty());
  EXPECT_FALSE(seen.fresh);
}

struct FaultCase {
  Fault fault;
  Code reply;
  bool committed, died;
};
class FaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(FaultTest, StrikesTheSecondCall) {  // the POST of web-0
  const FaultCase& c = GetParam();
  const LastSync seen =
      last_sync({step(StepKind::deliver_all), step(StepKind::fault, static_cast<std::int32_t>(c.fault), 0, 2),
                 step(StepKind::sync)});
  ASSERT_GE(seen.codes.size(), 2u);
  if (!c.died) EXPECT_EQ(seen.codes[1], c.reply);
  EXPECT_EQ(seen.committed[1], c.committed);
  EXPECT_EQ(seen.pods, c.committed ? 1u : 0u);
  EXPECT_EQ(seen.died, c.died);
  EXPECT_TRUE(seen.rested) << "a fault does not outlast the steps";
}

INSTANTIATE_TEST_SUITE_P(Every, FaultTest,
                         testing::Values(FaultCase{Fault::already_exists, Code::already_exists, false, false},
                                         FaultCase{Fault::forbidden, Code::forbidden, false, false},
                                         FaultCase{Fault::invalid, Code::invalid, false, false},
                                         FaultCase{Fault::conflict, Code::internal, false, false},
                                         FaultCase{Fault::not_found, Code::not_found, false, false},
                                         FaultCase{Fault::unavailable, Code::unavailable, false, false},
                                         FaultCase{Fault::too_many_requests, Code::too_many_requests, false, false},
                                         FaultCase{Fault::timeout_before, Code::timeout, false, false},
                                         FaultCase{Fault::timeout_after, Code::timeout, true, false},
                                         FaultCase{Fault::crash_before, Code::ok, false, true},
                                         FaultCase{Fault::crash_after, Code::ok, true, true}));

TEST(Simulate, StepsBetweenCallsHappenBeforeTheirCall) {
  const LastSync seen =
      last_sync({step(StepKind::deliver_all), step(StepKind::add_pod, 0, 1, 2), step(StepKind::sync)});
  ASSERT_GE(seen.codes.size(), 2u);
  EXPECT_EQ(seen.codes[1], Code::already_exists) << "somebody else's web-0 came first";
}

TEST(Simulate, StepsForCallsThatNeverComeHappenAfterTheSync) {
  const auto controller = strict();
  const auto story = Story::of(hand_made("replicas: 1", {step(StepKind::settle), step(StepKind::delete_pod, 0, 0, 200),
                                                         step(StepKind::sync), step(StepKind::run_kubelets)}),
                               *controller);
  EXPECT_THAT(story, ElementsAre("create web-0 web:v0", "ready web-0", "delete web-0", "gone web-0"));
}

TEST(Simulate, EpilogueMendsABrokenTemplateAndComesToRest) {
  const LastSync seen = last_sync(
      {step(StepKind::settle), step(StepKind::edit_template, 1, static_cast<std::int32_t>(TemplateFlavour::unready)),
       step(StepKind::settle)},
      "replicas: 3");
  EXPECT_TRUE(seen.rested);
  EXPECT_EQ(seen.rest_calls, 0u);
}

TEST(Simulate, RefusesASetThatWouldNeverEnd) {
  World world;
  LastSync seen;
  const auto controller = strict();
  try {
    simulate(world, hand_made("replicas: 100001"), *controller, seen);
    FAIL() << "100001 replicas were simulated";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("found: 100001"));
  }
}

TEST(Simulate, StopsAControllerThatDoesNotStopCalling) {
  Court court;
  for (const StepKind kind : {StepKind::sync, StepKind::settle, StepKind::race}) {
    SCOPED_TRACE(info(kind).name);
    Scripted endless({[](const View&, Api& api, Time) -> SyncResult {
      for (;;) api.call(Request{.verb = Verb::get, .kind = Kind::set, .name = "web"});
    }});
    const Scenario scenario = hand_made("replicas: 1", {{.kind = kind, .a = 1, .b = 60}, step(StepKind::sync)});
    const TrialResult result = court.try_scenario(scenario, endless);
    EXPECT_EQ(result.verdict, Verdict::violated);
    ASSERT_FALSE(result.breaches.empty());
    const auto never_ends =
        std::ranges::find(result.breaches, "economy.bounded-turn", [](const Breach& b) { return b.invariant->id; });
    ASSERT_NE(never_ends, result.breaches.end());
    EXPECT_THAT(never_ends->violation.claim, HasSubstr("requests, and was not at its end"));
    EXPECT_EQ(result.syncs, 1u) << "it is the last turn of the trial";
  }
}

TEST(Simulate, ASettleEndsWithTheTrial) {
  Scripted silent({[](const View&, Api&, Time) -> SyncResult { return {.requeue_after = Time{}}; }});
  Court court;
  const TrialResult result = court.try_scenario(hand_made("replicas: 1", {step(StepKind::settle)}), silent,
                                                {.only = find_invariant("economy.no-busy-loop")});
  ASSERT_EQ(result.breaches.size(), 1u);
  EXPECT_EQ(static_cast<std::uint64_t>(result.breaches.front().sync), result.syncs) << "no turn comes after it";
}

/// Makes the set's only pod and deletes it, turn by turn.
struct Restless final : Controller {
  SyncResult sync(const Key&, const View& seen, Api& api, Time) override {
    ++turns;
    if (const Pod* pod = seen.pods.find("web-0")) {
      api.call({.verb = Verb::remove, .kind = Kind::pod, .name = pod->meta.name});
    } else if (const StatefulSet* set = seen.sets.find("web")) {
      Pod made;
      made.meta.name = "web-0";
      made.meta.labels = std::make_shared<const StringMap>(set->spec->pod_template->labels);
      made.made_from = set->spec->pod_template;
      api.call({.verb = Verb::create, .kind = Kind::pod, .name = made.meta.name, .body = made});
    }
    return {.requeue_after = Time{}};
  }
  std::string_view name() const override { return "restless"; }
  int turns = 0;
};

TEST(Simulate, GivesUpOnAControllerThatGoesRoundAndRound) {
  World world;
  LastSync seen;
  Restless restless;
  simulate(world, hand_made("replicas: 1"), restless, seen);
  EXPECT_FALSE(seen.rested);
  EXPECT_GT(restless.turns, 64 * 4);
  EXPECT_LT(restless.turns, 64 * 8) << "six rounds, and not all 76";
}

/// Asks for nothing, and to be run again at once.
struct Impatient final : Controller {
  SyncResult sync(const Key&, const View&, Api&, Time) override {
    ++turns;
    return {.requeue_after = wait};
  }
  std::string_view name() const override { return "impatient"; }
  Time wait{};
  int turns = 0;
};

TEST(Simulate, NobodyKeepsAWorldBusyByAskingForTheNextTurn) {
  World world;
  LastSync seen;
  Impatient impatient;
  const Scenario scenario = hand_made(
      "replicas: 0",
      {step(StepKind::apply_neighbour, 0, 1), step(StepKind::deliver_all), step(StepKind::sync), step(StepKind::sync)});
  simulate(world, scenario, impatient, seen);
  EXPECT_FALSE(seen.rested) << "no time can pass";
  EXPECT_LT(impatient.turns, 150);
}

TEST(Simulate, WhoLooksAgainNowAndThenIsAtRest) {
  World world;
  LastSync seen;
  Impatient patient;
  patient.wait = Time::seconds(36'000);
  simulate(world, hand_made("replicas: 0"), patient, seen);
  EXPECT_TRUE(seen.rested);
}

/// Asks for its next turn in a minute, and notes when its turns are.
struct Punctual final : Controller {
  SyncResult sync(const Key&, const View&, Api&, Time now) override {
    turns.push_back(now);
    return {.requeue_after = Time::seconds(60)};
  }
  std::string_view name() const override { return "punctual"; }
  std::vector<Time> turns;
};

/// The shortest time between two turns of the settle of a set that nothing happens to.
Time shortest_wait(bool between_seconds) {
  Scenario scenario = hand_made("replicas: 0", {step(StepKind::settle)});
  scenario.environment.between_seconds = between_seconds;
  World world;
  LastSync seen;
  Punctual punctual;
  simulate(world, scenario, punctual, seen);
  Time shortest = Time::seconds(3600);
  for (std::size_t i = 1; i < punctual.turns.size(); ++i)
    if (const Time wait = punctual.turns[i] - punctual.turns[i - 1]; wait > Time{}) shortest = std::min(shortest, wait);
  return shortest;
}

TEST(Simulate, TimersAreALittleLateWhereTheClockShowsIt) {
  EXPECT_EQ(shortest_wait(false), Time::seconds(60));
  EXPECT_GT(shortest_wait(true), Time::seconds(60));
  EXPECT_LT(shortest_wait(true), Time::seconds(61));
}

TEST(Simulate, TenThousandScenariosTwiceAreTheSame) {
  Court first, second;
  const auto one = strict(), two = strict();
  for (std::uint64_t index = 0; index < 10'000; ++index) {
    Seeded choices_one(seed_of_trial(1, index)), choices_two(seed_of_trial(1, index));
    const Scenario a = generate_scenario(choices_one), b = generate_scenario(choices_two);
    const TrialResult x = first.try_scenario(a, *one), y = second.try_scenario(b, *two);
    ASSERT_EQ(x.digest, y.digest) << "trial " << index;
    ASSERT_EQ(x.situations, y.situations) << "trial " << index;
    ASSERT_EQ(x.verdict, y.verdict) << "trial " << index;
  }
}

}  // namespace
}  // namespace ordeal::properties
