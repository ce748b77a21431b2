#include "fuzz/report/timeline.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "core/controller/reference.h"
#include "fuzz/engine/first_sets.h"
#include "fuzz/report/decisions.h"
#include "properties/invariants/catalogue.h"
#include "properties/trial/trial.h"

namespace ordeal::fuzz {
namespace {

using properties::Fault;
using properties::Scenario;
using properties::Step;
using properties::StepKind;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

Scenario web(int replicas, std::vector<Step> steps) {
  const ReadSets read =
      read_sets("web", R"({"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"},
    "spec": {"serviceName": "web", "replicas": )" +
                           std::to_string(replicas) + R"(, "selector": {"matchLabels": {"a": "b"}},
             "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "web:1"}]}}}})");
  return {.set = read.sets.at(0), .environment = {}, .steps = std::move(steps)};
}

Timeline of(const Scenario& scenario, const properties::Breach* breach = nullptr) {
  const auto reference = make_reference(strict_rules(), {});
  properties::OneProcess program(*reference);
  return record_timeline(scenario, program, breach);
}

std::vector<std::string> decisions(const Timeline& timeline) {
  std::vector<std::string> all;
  for (const TimelineRow& row : timeline.rows)
    for (const TimelineLine& line : row.lines)
      if (!line.decision.empty()) all.push_back(line.decision);
  return all;
}

const TimelineRow& row_of_step(const Timeline& timeline, int step) {
  for (const TimelineRow& row : timeline.rows)
    if (row.lines.front().step == step) return row;
  throw std::out_of_range("no row of step " + std::to_string(step));
}

TEST(Timeline, ASyncSaysWhatWasShownDecidedAndWhatBecameOfThePods) {
  const Timeline timeline =
      of(web(1, {{.kind = StepKind::deliver_all}, {.kind = StepKind::sync}, {.kind = StepKind::run_kubelets}}));
  const TimelineRow& row = row_of_step(timeline, 2);
  EXPECT_EQ(row.lines.front().event, "sync");
  EXPECT_THAT(row.shown, StartsWith("rv "));
  EXPECT_THAT(row.shown, Not(HasSubstr("stale")));
  EXPECT_THAT(decisions(timeline), Contains(StartsWith("create web-0 (")));
  EXPECT_THAT(timeline.pods, ElementsAre("web-0"));
  EXPECT_THAT(row.pods, ElementsAre("r1 pending"));
  EXPECT_THAT(row_of_step(timeline, 3).pods, ElementsAre(Not(AnyOf("-", "r1 pending"))));
  EXPECT_THAT(timeline.revisions, ElementsAre(StartsWith("web-")));
}

TEST(Timeline, AStepThatChangesNothingSaysSo) {
  const Timeline timeline = of(web(1, {{.kind = StepKind::settle},
                                       {.kind = StepKind::scale, .a = -3},
                                       {.kind = StepKind::scale, .a = 2},
                                       {.kind = StepKind::deliver_all}}));
  EXPECT_EQ(row_of_step(timeline, 2).lines.front().decision, "(nothing changes)") << "the API server refuses it";
  EXPECT_EQ(row_of_step(timeline, 3).lines.front().decision, "");
  EXPECT_EQ(row_of_step(timeline, 4).lines.front().decision, "") << "what caches take is no object's change";
}

TEST(Timeline, AStepThatChoosesARevisionSaysWhich) {
  const Timeline timeline = of(web(1, {{.kind = StepKind::settle},
                                       {.kind = StepKind::edit_template, .a = 1},
                                       {.kind = StepKind::settle},
                                       {.kind = StepKind::roll_back, .a = 0},
                                       {.kind = StepKind::settle},
                                       {.kind = StepKind::roll_back, .a = 1},
                                       {.kind = StepKind::orphan_revision, .a = 1}}));
  std::vector<std::string> names;
  for (const int step : {4, 6, 7}) names.push_back(row_of_step(timeline, step).lines.front().decision);
  std::vector<std::string> chosen;  // by the order of names, which is that of hashes
  for (const std::string& name : std::set(timeline.revisions.begin(), timeline.revisions.end()))
    chosen.push_back("r" +
                     std::to_string(std::ranges::find(timeline.revisions, name) - timeline.revisions.begin() + 1));
  ASSERT_EQ(chosen.size(), 2);
  EXPECT_THAT(names, Contains(chosen[1]));
  EXPECT_EQ(names.back(), chosen[1]);
  EXPECT_TRUE(names[0] == chosen[0] || names[0] == "(nothing changes)") << names[0];
}

TEST(Timeline, AStaleViewIsCalledStale) {
  const Timeline timeline =
      of(web(1, {{.kind = StepKind::deliver_all}, {.kind = StepKind::sync}, {.kind = StepKind::sync}}));
  EXPECT_THAT(row_of_step(timeline, 3).shown, HasSubstr("(stale)"));
}

TEST(Timeline, AStepBeforeACallStandsOnItsLine) {
  const Step scale{.kind = StepKind::scale, .at_call = 2, .a = 5};
  const Timeline timeline = of(web(1, {scale, {.kind = StepKind::deliver_all}, {.kind = StepKind::sync}}));
  bool found = false;
  for (const TimelineRow& row : timeline.rows)
    for (std::size_t i = 1; i < row.lines.size(); ++i)
      if (row.lines[i].event.find("user.scale replicas=5") != std::string::npos) found = !row.lines[i].decision.empty();
  EXPECT_TRUE(found);
}

TEST(Timeline, AStepBeforeTheFirstCallHidesNoCall) {
  const Step scale{.kind = StepKind::scale, .at_call = 1, .a = 5};
  const Timeline timeline = of(web(1, {scale, {.kind = StepKind::deliver_all}, {.kind = StepKind::sync}}));
  EXPECT_THAT(decisions(timeline),
              AllOf(Contains(HasSubstr("(record-revision)")), Contains(StartsWith("create web-0 ("))));
}

TEST(Timeline, AFaultIsSeenAtItsCall) {
  const Step fault{.kind = StepKind::fault, .at_call = 1, .a = static_cast<int>(Fault::timeout_after)};
  const Timeline timeline = of(web(1, {fault, {.kind = StepKind::deliver_all}, {.kind = StepKind::sync}}));
  EXPECT_THAT(decisions(timeline), Contains(HasSubstr("-> timeout (but it took effect)")));
}

TEST(Timeline, ItEndsWithTheOffendingRow) {
  const Scenario scenario =
      web(3, {{.kind = StepKind::settle}, {.kind = StepKind::scale, .a = 5}, {.kind = StepKind::settle}});
  const Timeline whole = of(scenario);
  const properties::Breach breach{.invariant = &properties::catalogue.front(),
                                  .violation = {.claim = "web-1 is odd", .evidence = {}},
                                  .step = 2,
                                  .sync = 0};
  properties::Breach of_step_two = breach;
  of_step_two.sync = row_of_step(whole, 2).sync;
  const Timeline cut = of(scenario, &of_step_two);
  EXPECT_TRUE(cut.rows.back().offending);
  EXPECT_EQ(cut.rows.back().lines.front().event, "user.scale replicas=5");
  EXPECT_LT(cut.rows.size(), whole.rows.size());
}

/// A release that stands in for the program is not on trial: the judge counts none of its turns.
TEST(Timeline, MarksTheRightRowAfterAnotherRelease) {
  const Scenario scenario = web(1, {{.kind = StepKind::run_release, .a = 1},
                                    {.kind = StepKind::deliver_all},
                                    {.kind = StepKind::sync},
                                    {.kind = StepKind::run_release, .a = 0},
                                    {.kind = StepKind::deliver_all},
                                    {.kind = StepKind::sync}});
  const auto reference = make_reference(strict_rules(), {});
  properties::Court court;
  const int syncs = static_cast<int>(court.try_scenario(scenario, *reference).syncs);
  ASSERT_GE(syncs, 2);
  properties::Breach at_the_last{
      .invariant = &properties::catalogue.front(), .violation = {}, .step = 7, .sync = syncs, .line = {}};
  const Timeline whole = of(scenario, &at_the_last);
  EXPECT_EQ(whole.rows.back().lines.front().event, "sync at rest") << "the last turn that was judged is the last row";
  properties::Breach at_the_first{
      .invariant = &properties::catalogue.front(), .violation = {}, .step = 6, .sync = 1, .line = {}};
  const TimelineRow first = of(scenario, &at_the_first).rows.back();
  EXPECT_EQ(first.lines.front().step, 6);
  EXPECT_FALSE(first.lines.front().decision.empty());
}

TEST(Timeline, PodsThatAreNamedGetAColumnFirst) {
  const Scenario scenario = web(12, {{.kind = StepKind::settle}});
  EXPECT_THAT(of(scenario).pods, ElementsAre("web-0", "web-1", "web-2", "web-3", "web-4", "web-5"));
  const properties::Breach breach{
      .invariant = &properties::catalogue.front(),
      .violation = {.claim = "web-11 came before its time", .evidence = {"web-9 was not ready"}},
      .step = 2,
      .sync = 1'000'000};
  const Timeline timeline = of(scenario, &breach);
  EXPECT_THAT(timeline.pods, ElementsAre("web-0", "web-1", "web-2", "web-3", "web-9", "web-11"));
  EXPECT_EQ(timeline.pods_not_shown, 6u);
}

TEST(Timeline, WhatTheEnvironmentMendsIsSaid) {
  const Step broken{.kind = StepKind::edit_template, .b = static_cast<int>(properties::TemplateFlavour::unready)};
  const Timeline timeline = of(web(1, {{.kind = StepKind::settle}, broken, {.kind = StepKind::settle}}));
  std::vector<std::string> events;
  for (const TimelineRow& row : timeline.rows)
    for (const TimelineLine& line : row.lines) events.push_back(line.event);
  EXPECT_THAT(events, Contains("  a good template is given"));
}

TEST(Timeline, ATrialThatCannotBeFinishedSaysWhy) {
  class Broken final : public Controller {
    SyncResult sync(const Key&, const View&, Api&, Time) override { throw std::runtime_error("out of order"); }
    std::string_view name() const override { return "broken"; }
  } broken;
  properties::OneProcess program(broken);
  EXPECT_EQ(record_timeline(web(1, {}), program).ended, "out of order");
}

TEST(Timeline, WhoBreaksDownByChanceIsAskedAgain) {
  struct OnceBroken final : Controller {
    SyncResult sync(const Key&, const View&, Api&, Time) override {
      if (turns++ == 0) throw std::runtime_error("out of order");
      return {};
    }
    std::string_view name() const override { return "once broken"; }
    int turns = 0;
  } once;
  properties::OneProcess program(once);
  EXPECT_EQ(record_timeline(web(1, {}), program).ended, "");
}

TEST(Decisions, PodsInOneWord) {
  const auto state = [](Phase phase, bool ready, bool stopping) {
    Pod pod;
    pod.phase = phase;
    pod.ready = ready;
    if (stopping) pod.meta.deletion = Time{};
    return pod_state(pod);
  };
  EXPECT_EQ(state(Phase::none, false, false), "pending");
  EXPECT_EQ(state(Phase::running, false, false), "running");
  EXPECT_EQ(state(Phase::running, true, false), "ready");
  EXPECT_EQ(state(Phase::running, true, true), "stopping");
  EXPECT_EQ(state(Phase::failed, false, false), "failed");
  EXPECT_EQ(state(Phase::succeeded, false, false), "done");
}

TEST(Decisions, AStatusWriteSaysWhatItChanges) {
  StatefulSet before;
  before.status.replicas = 3;
  properties::Call call;
  StatefulSetStatus after = before.status;
  after.ready_replicas = 2;
  after.update_revision = "web-1";
  call.request = {.verb = Verb::update_status, .kind = Kind::set, .name = "web", .body = after};
  call.set_before = &before;
  EXPECT_EQ(decision_text(call), "status of web ready=2 updateRevision");
  call.reply.code = Code::conflict;
  EXPECT_THAT(decision_text(call), HasSubstr("-> conflict"));
  call.reply = {.code = Code::invalid, .why = "status.readyReplicas: must not be more than status.replicas (found: 2)"};
  EXPECT_THAT(decision_text(call), EndsWith("-> invalid, status.readyReplicas"));
}

TEST(Decisions, AStatusWriteSaysThatItBringsOtherMetadata) {
  StatefulSet before;
  ObjectMeta meta;
  properties::Call call;
  call.request = {.verb = Verb::update_status, .kind = Kind::set, .name = "web", .body = before.status};
  call.set_before = &before;
  call.request.meta = std::make_shared<const ObjectMeta>(meta);
  EXPECT_EQ(decision_text(call), "status of web unchanged");
  meta.labels = std::make_shared<const StringMap>(StringMap{{"app", "other"}});
  call.request.meta = std::make_shared<const ObjectMeta>(meta);
  EXPECT_EQ(decision_text(call), "status of web metadata");
}

TEST(Decisions, ADeletionSaysWhatItAsksForBesides) {
  properties::Call call;
  call.request = {.verb = Verb::remove, .kind = Kind::pod, .name = "web-0"};
  EXPECT_EQ(decision_text(call), "delete web-0");
  call.request.grace = 0;
  call.request.propagation = Propagation::orphan;
  EXPECT_EQ(decision_text(call), "delete web-0 grace=0 orphaning");
}

TEST(Decisions, AListIsToldFromReads) {
  properties::Call call;
  call.request = {.verb = Verb::get, .kind = Kind::pod, .name = "web-0"};
  call.reply.code = Code::not_found;
  EXPECT_EQ(decision_text(call), "get web-0 -> not-found");
  call.request.of_list = OfList::further;
  EXPECT_EQ(decision_text(call), "list web-0 -> not in it");
}

TEST(Decisions, AClaimsUpdateSaysWhoseItIsFromThenOn) {
  Claim before, after;
  after.meta.owners = std::make_shared<const Owners>(
      Owners{{.api_version = "apps/v1", .kind = "StatefulSet", .name = "web", .uid = Uid{1}, .controller = true},
             {.api_version = "v1", .kind = "ConfigMap", .name = "x", .uid = Uid{2}}});
  properties::Call call;
  call.request = {.verb = Verb::update, .kind = Kind::claim, .name = "data-web-0", .body = after};
  call.claim_before = &before;
  EXPECT_EQ(decision_text(call), "update data-web-0 owners: StatefulSet web, ConfigMap x (no controller)");
  call.request.body = before;
  EXPECT_EQ(decision_text(call), "update data-web-0") << "about something else";
  call.claim_before = &after;
  EXPECT_EQ(decision_text(call), "update data-web-0 owners: none");
}

TEST(Decisions, OutcomesAreOnlyNamedWhenWorthIt) {
  EXPECT_EQ(outcome_text({}), "");
  EXPECT_EQ(outcome_text({.key = {}, .seen = {}, .calls = {}, .result = {.requeue_after = Time::seconds(10)}}),
            "again in 10 s");
  EXPECT_EQ(outcome_text({.key = {}, .seen = {}, .calls = {}, .result = {.requeue_after = Time{500}}}),
            "again in 0.500 s");
  EXPECT_EQ(outcome_text({.key = {}, .seen = {}, .calls = {}, .result = {.failed = true, .what = "no cache"}}),
            "failed: no cache");
  EXPECT_EQ(outcome_text({.key = {}, .seen = {}, .calls = {}, .result = {}, .died = true}), "controller dies");
  const std::array made{properties::Call{}};
  EXPECT_EQ(outcome_text({.key = {}, .seen = {}, .calls = made, .result = {.what = "panic"}, .died = true}),
            "controller dies: panic")
      << "nobody killed it";
  std::array last{properties::Call{}};
  last[0].fault = Fault::crash_after;
  EXPECT_EQ(outcome_text({.key = {}, .seen = {}, .calls = last, .result = {}, .died = true}), "") << "the call says so";
}

TEST(SecondsText, IsWholeOrHasThreeDigitsAndMayBeNegative) {
  EXPECT_EQ(seconds_text(Time{0}), "0 s");
  EXPECT_EQ(seconds_text(Time{-5}), "-0.005 s");
  EXPECT_EQ(seconds_text(Time{-29'995}), "-29.995 s");
  EXPECT_EQ(seconds_text(Time::seconds(3600)), "3600 s");
  EXPECT_EQ(seconds_text(Time{std::numeric_limits<std::int64_t>::min()}), "-9223372036854775.808 s");
}

}  // namespace
}  // namespace ordeal::fuzz
