// What a hostile cluster can do besides single faults: outages, two processes, gates that turn, clocks that disagree,
// lists in no order, objects that do not go.
#include "properties/world/adversary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <map>
#include <sstream>

#include "core/controller/reference.h"
#include "properties/scenario/scenario_json.h"
#include "properties/trial/hand_made.h"
#include "properties/world/fairness.h"
#include "properties/world/simulate.h"

namespace ordeal::properties {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

constexpr const char* one_replica = "replicas: 1";

template <class A, class B = int>
Step step(StepKind kind, A a, B b = B{}, std::uint8_t at_call = 0) {
  return {kind, at_call, static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)};
}
Step step(StepKind kind) { return {.kind = kind}; }

/// strict in as many processes as there are, and under which gates each was started.
class Strict final : public Program {
 public:
  Controller* process(std::size_t which, const Gates& gates) override {
    started.push_back({which, gates});
    for (Made& m : made_)
      if (m.which == which && m.gates == gates) return m.controller.get();
    return made_.emplace_back(Made{which, gates, make_reference(strict_rules(), gates)}).controller.get();
  }
  std::vector<std::pair<std::size_t, Gates>> started;

 private:
  struct Made {
    std::size_t which;
    Gates gates;
    std::unique_ptr<Controller> controller;
  };
  std::deque<Made> made_;
};

struct Seen {
  std::size_t process;
  bool fresh, by_other;
  Time now;
  std::vector<std::string> calls, pods;  // "create web-0"; pods in the order the list gave them
  std::vector<Code> codes;
};

/// Syncs of the scenario's own steps.
class Syncs final : public Witness {
 public:
  static std::vector<Seen> of(const Scenario& scenario) {
    World world;
    Strict program;
    Syncs syncs;
    simulate(world, scenario, program, syncs);
    EXPECT_TRUE(syncs.rested_) << "it comes to rest when the adversary has gone";
    return syncs.seen_;
  }
  void on_step(const World&, const TakenStep* now, std::string_view) override { ended_ = ended_ || now == nullptr; }
  void on_change(const World&) override {}
  void on_sync(const World&, const Sync& sync) override {
    if (ended_) return;
    Seen& seen = seen_.emplace_back(Seen{sync.process, sync.fresh, sync.by_other, sync.now, {}, {}, {}});
    for (const Call& call : sync.calls) {
      seen.calls.push_back(std::string(name_of(call.request.verb)) + " " + call.request.name.str());
      seen.codes.push_back(call.reply.code);
    }
    for (const Pod* pod : sync.seen.pods.all) seen.pods.push_back(pod->meta.name.str());
  }
  void on_settled(const World&, bool rested, int, int) override { rested_ = rested; }
  void on_rest(const World&, const Sync&) override {}

 private:
  std::vector<Seen> seen_;
  bool ended_ = false, rested_ = false;
};

std::vector<Seen> syncs_of(std::vector<Step> steps, const char* spec = one_replica) {
  return Syncs::of(hand_made(spec, std::move(steps)));
}

std::vector<std::string_view> names_of(const Scenario& scenario) {
  std::vector<std::string_view> names;
  for (const Trouble* trouble : troubles_in(scenario)) names.push_back(trouble->name);
  return names;
}

TEST(Adversary, NamesTheTroubleOfAScenario) {
  EXPECT_THAT(names_of(hand_made(one_replica, {step(StepKind::settle)})), ElementsAre());
  Scenario all = hand_made(one_replica, {});
  for (int kind = 0; kind < static_cast<int>(step_kind_count); ++kind)
    all.steps.push_back(step(static_cast<StepKind>(kind)));
  all.steps.push_back(step(StepKind::scale, 0, 0, 1));
  all.environment.list_order = 1;
  all.environment.injects = all.environment.namesakes = all.environment.binds_late = true;
  all.environment.between_seconds = true;
  all.environment.versions_from = 1;
  EXPECT_EQ(names_of(all).size(), adversary().size()) << "each sort is one that scenarios can have";
}

TEST(Adversary, TellsTheBoundOfTheLongestSchedule) {
  const Scenario races = hand_made(one_replica, {step(StepKind::race, 1, 10), step(StepKind::race, 2, 30)});
  const std::vector<const Trouble*> found = troubles_in(races);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(limit_in(*found[0], races),
              testing::EndsWith("; of 30 moves of 14 contenders with 2 changes one in at most 12600 meets an "
                                "order that needs 3 constraints"));
}

/// Readers find there what reports say.
TEST(Adversary, TheReadmeHasEachLimitAndEachAssumption) {
  std::ostringstream text;
  text << std::ifstream(ORDEAL_SOURCE_DIR "/properties/world/README.md").rdbuf();
  const std::string readme = text.str();
  const auto has_row = [&](std::string_view name, std::string_view about, std::string_view last) {
    const std::size_t at = readme.find("| `" + std::string(name) + "` | " + std::string(about) + " |");
    const std::size_t end = readme.find('\n', at);
    return at != std::string::npos &&
           std::string_view(readme).substr(at, end - at).ends_with("| " + std::string(last) + " |");
  };
  for (const Trouble& trouble : adversary())
    EXPECT_TRUE(has_row(trouble.name, trouble.about, trouble.limit)) << trouble.name;
  for (const Assumption& assumption : fairness)
    EXPECT_TRUE(has_row(assumption.name, assumption.about, assumption.about)) << assumption.name;
}

TEST(Outage, EveryCallOfItsSortFailsUntilItEnds) {
  const auto syncs =
      syncs_of({step(StepKind::deliver_all), step(StepKind::outage, OutageOf::pod_creates, OutageReply::forbidden),
                step(StepKind::sync), step(StepKind::sync), step(StepKind::end_outage), step(StepKind::deliver_all),
                step(StepKind::sync)});
  ASSERT_EQ(syncs.size(), 3u);
  for (std::size_t i : {0u, 1u})
    EXPECT_EQ(std::ranges::count(syncs[i].codes, Code::forbidden), i == 0 ? 1 : 0)
        << "the second waits for its own writes";
  EXPECT_THAT(syncs[2].codes, Not(Contains(Code::forbidden)));
  EXPECT_THAT(syncs[2].calls, Contains("create web-0"));
}

TEST(Outage, OtherCallsGoThrough) {
  const auto syncs =
      syncs_of({step(StepKind::deliver_all), step(StepKind::outage, OutageOf::status_writes, OutageReply::internal),
                step(StepKind::sync)});
  ASSERT_EQ(syncs.size(), 1u);
  for (std::size_t i = 0; i < syncs[0].calls.size(); ++i)
    EXPECT_EQ(syncs[0].codes[i] == Code::internal, syncs[0].calls[i] == "update-status web") << syncs[0].calls[i];
}

TEST(Outage, MayBeOfSomePodsOnly) {
  const auto after_the_loss_of = [](int pod) {
    return syncs_of({step(StepKind::settle), step(StepKind::outage, OutageOf::even_pods, OutageReply::invalid),
                     step(StepKind::delete_pod, pod), step(StepKind::run_kubelets), step(StepKind::deliver_all),
                     step(StepKind::sync)},
                    "replicas: 2\npodManagementPolicy: Parallel")
        .back();
  };
  const Seen even = after_the_loss_of(0), odd = after_the_loss_of(1);
  EXPECT_THAT(even.calls, Contains("create web-0"));
  EXPECT_THAT(even.codes, Contains(Code::invalid));
  EXPECT_THAT(odd.calls, Contains("create web-1"));
  EXPECT_THAT(odd.codes, Not(Contains(Code::invalid)));
}

TEST(Outage, MayBeOfSomeClaimsOnly) {
  const Seen seen = syncs_of({step(StepKind::outage, OutageOf::some_claims, OutageReply::forbidden),
                              step(StepKind::deliver_all), step(StepKind::sync)},
                             R"(replicas: 1
volumeClaimTemplates:
- {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}
- {metadata: {name: log}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}})")
                        .back();
  std::map<std::string, Code> codes;
  for (std::size_t i = 0; i < seen.calls.size(); ++i) codes[seen.calls[i]] = seen.codes[i];
  EXPECT_EQ(codes.at("create data-web-0"), Code::forbidden);
  EXPECT_EQ(codes.at("create log-web-0"), Code::ok);
}

TEST(Outage, AnswersAsItSaysOrAsTheCallCan) {
  const auto codes_with = [](OutageOf calls, OutageReply reply) {
    return syncs_of({step(StepKind::deliver_all), step(StepKind::outage, calls, reply), step(StepKind::sync)})
        .at(0)
        .codes;
  };
  EXPECT_THAT(codes_with(OutageOf::pod_creates, OutageReply::conflict), Contains(Code::internal));
  EXPECT_THAT(codes_with(OutageOf::pod_creates, OutageReply::not_found), Contains(Code::not_found))
      << "the namespace is gone";
  EXPECT_THAT(codes_with(OutageOf::status_writes, OutageReply::not_found), Contains(Code::internal))
      << "nothing else that is there is not found";
  EXPECT_THAT(codes_with(OutageOf::pod_creates, OutageReply::unavailable), Contains(Code::unavailable));
  EXPECT_THAT(codes_with(OutageOf::pod_creates, OutageReply::too_many_requests), Contains(Code::too_many_requests));
}

TEST(Processes, ANewLeaderStartsWithItsOwnCachesSomeEventsBehind) {
  const auto syncs = syncs_of(
      {step(StepKind::settle), step(StepKind::edit_template, 1), step(StepKind::hand_over, 1), step(StepKind::sync)});
  EXPECT_EQ(syncs.back().process, 1u);
  EXPECT_FALSE(syncs.back().fresh);
}

TEST(Processes, AReturningLeaderSeesWhatItSawLast) {
  const auto syncs = syncs_of({step(StepKind::settle), step(StepKind::hand_over, 0), step(StepKind::edit_template, 1),
                               step(StepKind::settle), step(StepKind::hand_over, 0), step(StepKind::sync)});
  EXPECT_EQ(syncs.back().process, 0u);
  EXPECT_FALSE(syncs.back().fresh);
}

TEST(Processes, ARivalSyncsBetweenTwoCalls) {
  const auto syncs = syncs_of({step(StepKind::deliver_all), step(StepKind::rival_sync, 0, 0, 2), step(StepKind::sync)});
  ASSERT_EQ(syncs.size(), 2u);
  EXPECT_EQ(syncs[0].process, 1u) << "its sync ends first";
  EXPECT_THAT(syncs[0].calls, Contains("create web-0"));
  EXPECT_EQ(syncs[1].process, 0u);
  EXPECT_THAT(syncs[1].codes, Contains(Code::already_exists));
}

TEST(Processes, WithoutASecondOneNothingHappens) {
  const auto only = make_reference(strict_rules(), {});
  const Tried tried = try_by_hand(
      hand_made(one_replica, {step(StepKind::settle), step(StepKind::hand_over, 0), step(StepKind::rival_sync, 0)}),
      *only);
  EXPECT_EQ(tried.result.verdict, Verdict::held);
}

TEST(Gates, TurningOneRestartsTheControllerUnderNewGates) {
  World world;
  Strict program;
  Syncs syncs;
  simulate(world,
           hand_made(one_replica, {step(StepKind::settle), step(StepKind::turn_gate, 0, 0), step(StepKind::sync)}),
           program, syncs);
  ASSERT_EQ(program.started.size(), 2u);
  EXPECT_TRUE(program.started[0].second.max_unavailable);
  EXPECT_FALSE(program.started[1].second.max_unavailable);
}

TEST(Releases, StandInForTheProgramAndAreNotJudged) {
  const auto releases = info(StepKind::run_release).a.words;
  const auto old = std::ranges::find(releases, "kubernetes-1.24") - releases.begin();
  const Scenario scenario =
      hand_made("replicas: 3\npodManagementPolicy: Parallel",
                {step(StepKind::run_release, old), step(StepKind::settle), step(StepKind::run_release, 0),
                 step(StepKind::edit_template, 1), step(StepKind::settle)});
  World world;
  Strict program;
  Court court;
  const TrialResult result = court.try_scenario(scenario, program);
  EXPECT_EQ(result.verdict, Verdict::held) << (result.breaches.empty() ? "" : result.breaches[0].violation.claim);
  const auto syncs = Syncs::of(scenario);
  EXPECT_TRUE(std::ranges::any_of(syncs, &Seen::by_other));
  EXPECT_FALSE(std::ranges::all_of(syncs, &Seen::by_other));
}

/// Who takes the turns at rest.
class AtRest final : public Witness {
 public:
  void on_step(const World&, const TakenStep*, std::string_view) override {}
  void on_change(const World&) override {}
  void on_sync(const World&, const Sync&) override {}
  void on_settled(const World&, bool, int, int) override {}
  void on_rest(const World&, const Sync& sync) override { by_other.push_back(sync.by_other); }
  std::vector<bool> by_other;
};

TEST(Releases, GiveWayAgainToAProgramWhoseGatesNobodyTurns) {
  const auto reference = make_reference(strict_rules(), {});
  World world;
  AtRest end;
  simulate(world, hand_made(one_replica, {step(StepKind::run_release, 1), step(StepKind::turn_gate, 0, 0)}), *reference,
           end);
  EXPECT_THAT(end.by_other, ElementsAre(false, false));
}

/// Records each template under two names.
class RecordsTwice final : public Program {
 public:
  Controller* process(std::size_t which, const Gates&) override { return &processes_.at(which); }

 private:
  static Tampered make() {
    return Tampered([](Request request, const View&, Api& api) {
      if (request.verb == Verb::create && request.kind == Kind::revision) {
        Request again = request;
        Revision other = again.revision();
        again.name = other.meta.name = other.meta.name.str() + "0";
        again.body = std::move(other);
        api.call(std::move(again));
      }
      return api.call(std::move(request));
    });
  }
  std::array<Tampered, process_count> processes_{make(), make()};
};

TEST(Releases, DoNotHideWhatTheTurnTheyInterruptHadWritten) {
  const auto releases = info(StepKind::run_release).a.words;
  const auto old = std::ranges::find(releases, "kubernetes-1.24") - releases.begin();
  const Scenario scenario =
      hand_made(one_replica, {step(StepKind::run_release, old), step(StepKind::hand_over), step(StepKind::deliver_all),
                              step(StepKind::rival_sync, 0, 0, 3), step(StepKind::sync)});
  RecordsTwice program;
  Court court;
  const TrialResult result = court.try_scenario(scenario, program);
  EXPECT_TRUE(std::ranges::any_of(result.breaches, [](const Breach& breach) {
    return breach.invariant->id == "revisions.one-per-template" && breach.sync == 0;
  }));
}

TEST(Releases, AreAllKnown) {
  OtherReleases others;
  for (const std::string_view name : info(StepKind::run_release).a.words)
    if (name != "itself") EXPECT_EQ(others.process(name, 0, {}).name(), name);
}

TEST(Clock, TheControllersClockIsOff) {
  const auto syncs = syncs_of(
      {step(StepKind::skew_clock, 30), step(StepKind::sync), step(StepKind::skew_clock, 0), step(StepKind::sync)});
  EXPECT_EQ(syncs.at(0).now, Time::seconds(30));
  EXPECT_EQ(syncs.at(1).now, Time{});
}

TEST(Lists, AreShuffledAnewForEachSync) {
  Scenario scenario =
      hand_made("replicas: 5\npodManagementPolicy: Parallel",
                {step(StepKind::settle), step(StepKind::sync), step(StepKind::sync), step(StepKind::sync)});
  const std::vector<std::string> sorted = {"web-0", "web-1", "web-2", "web-3", "web-4"};
  EXPECT_EQ(Syncs::of(scenario).back().pods, sorted);
  scenario.environment.list_order = 7;
  std::map<std::vector<std::string>, int> orders;
  for (const Seen& seen : Syncs::of(scenario)) {
    if (seen.pods.size() == sorted.size()) ++orders[seen.pods];
    EXPECT_TRUE(std::ranges::is_permutation(seen.pods, std::span(sorted).first(seen.pods.size())));
  }
  EXPECT_GE(orders.size(), 3u);
  const auto read = read_scenario(write_scenario(scenario));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->environment, scenario.environment);
}

TEST(Finalizers, HoldAPodUntilTheyAreLetGo) {
  const auto held = syncs_of({step(StepKind::settle), step(StepKind::hold_pod, 0), step(StepKind::delete_pod, 0),
                              step(StepKind::settle), step(StepKind::deliver_all), step(StepKind::sync)});
  EXPECT_THAT(held.back().pods, ElementsAre("web-0"));
  EXPECT_THAT(held.back().calls, Not(Contains("create web-0")));
  const auto gone = syncs_of({step(StepKind::settle), step(StepKind::hold_pod, 0), step(StepKind::delete_pod, 0),
                              step(StepKind::run_kubelets), step(StepKind::let_go), step(StepKind::deliver_all),
                              step(StepKind::sync)});
  EXPECT_THAT(gone.back().calls, Contains("create web-0"));
}

}  // namespace
}  // namespace ordeal::properties
