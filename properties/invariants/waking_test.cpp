// Few controllers have event handlers of their own that could spoil the queue, so most traces here are made by hand:
// two turns of one process, and the queue's word.
#include "properties/invariants/waking.h"

#include "core/cluster/test_objects.h"
#include "properties/invariants/moment_test.h"

namespace ordeal::properties::testing {
namespace {

const Scenario plain = hand_made("replicas: 1");
constexpr Time five{5}, later{60'000};

/// A set in the truth and in the view, and two turns of a process that saw the same of it, a minute apart.
class TwoTurns : public ::testing::Test, protected ByHand {
 protected:
  TwoTurns() {
    truth.reset();
    truth.create_set(plain.set);
    sets_ = {truth.sets().find(Text("web"))};
    for (Sync* turn : {&last_, &sync}) {
      turn->key = Key{Text("default"), Text("web")};
      turn->seen.sets = {sets_, sets_};
      turn->seen.reached[0] = sets_.front()->meta.version;
      turn->started = 1;
      turn->fresh = true;
    }
    sync.now = later;
    history.last_sync = &last_;
  }
  void fail(Sync& turn, std::optional<Time> next) {
    turn.result.failed = true;
    turn.next = next;
  }
  void write() { calls.emplace_back().request = request_about("web-0", Verb::create); }

  std::vector<const StatefulSet*> sets_;
  Sync last_;
};

TEST_F(TwoTurns, OneThatNobodyAskedForFindsNothingToWrite) {
  EXPECT_FALSE(ask("waking.by-events").applied()) << "it was asked for";
  sync.queued = false;
  EXPECT_TRUE(holds("waking.by-events"));
  write();
  EXPECT_TRUE(breaks("waking.by-events"));
  Pod read = test::pod("web-7");
  read.meta.version = Version{7};
  calls.emplace_back().request = request_of(Verb::get, Kind::pod, "web-7");
  calls.back().reply = {Code::ok, &read, {}};
  EXPECT_TRUE(breaks("waking.by-events")) << "what it read then was no reason to write";
  std::swap(calls.front(), calls.back());
  EXPECT_FALSE(ask("waking.by-events").applied()) << "it read it first";
  std::swap(calls.front(), calls.back());
  calls.pop_back();
  last_.read_news = true;
  EXPECT_FALSE(ask("waking.by-events").applied()) << "the last turn knew more than it was shown";
  last_.read_news = false;
  sync.seen.reached[2] = Version{1'000};
  EXPECT_FALSE(ask("waking.by-events").applied()) << "a claim changed, which wakes nobody";
  sync.seen.reached[2] = Version::none;
  fail(last_, five);
  EXPECT_FALSE(ask("waking.by-events").applied()) << "the last turn was to be made again";
  Pod news = test::owned_by(test::pod("web-0"), {test::owner(*sets_.front())});
  news.meta.version = Version{1'000};
  const Pod* pods[] = {&news};
  sync.seen.pods = {pods, pods};
  EXPECT_TRUE(breaks("waking.by-events")) << "a pod changed, whatever became of the last turn";
  last_.seen.reached[1] = news.meta.version;
  EXPECT_FALSE(ask("waking.by-events").applied()) << "the last turn was shown that";
  sync.seen.pods = {};
  last_.result = {};
  last_.result.requeue_after = Time::seconds(10);
  EXPECT_FALSE(ask("waking.by-events").applied()) << "this may be what it was to be followed for";
  last_.result.requeue_after = Time::seconds(11);
  EXPECT_TRUE(breaks("waking.by-events"));
  history.came_for_a_place = true;
  EXPECT_FALSE(ask("waking.by-events").applied()) << "a name that is in the way may be asked for now and then";
}

TEST_F(TwoTurns, APodThatGoesMakesATurn) {
  truth.create_pod(test::owned_by(test::pod("web-0"), {test::owner(*sets_.front())}));
  last_.seen.reached[1] = sync.seen.reached[1] = truth.pods().log().back().version;
  sync.queued = false;
  EXPECT_TRUE(holds("waking.by-events"));
  truth.delete_pod("web-0");
  EXPECT_TRUE(holds("waking.by-events")) << "the turn is not shown that";
  sync.seen.reached[1] = truth.pods().log().back().version;
  EXPECT_TRUE(breaks("waking.by-events"));
  sync.queued = true;
  EXPECT_FALSE(breaks("waking.by-events"));
}

/// What a turn decides by makes one; a note of somebody's does not.
TEST_F(TwoTurns, APodThatChangesMakesATurn) {
  Pod wanted = test::owned_by(test::pod("web-0"), {test::owner(*sets_.front())});
  wanted.meta.labels = std::make_shared<const StringMap>(sets_.front()->spec->pod_template->labels);
  truth.create_pod(wanted);
  sync.queued = false;
  const auto edited = [&](void (*edit)(Pod&)) {
    Pod pod = *truth.pods().find("web-0");
    edit(pod);
    return truth.edit_pod(pod) == Code::ok;
  };
  const auto makes_a_turn = [&](bool changed) {
    EXPECT_TRUE(changed);
    last_.seen.reached[1] = sync.seen.reached[1];
    sync.seen.reached[1] = truth.pods().log().back().version;
    const std::vector pods{truth.pods().find("web-0")};
    sync.seen.pods = {pods, pods};
    return breaks("waking.by-events");
  };
  EXPECT_TRUE(makes_a_turn(true)) << "it is new";
  EXPECT_TRUE(makes_a_turn(truth.start_pod("web-0"))) << "it runs";
  EXPECT_TRUE(makes_a_turn(truth.set_ready("web-0", true)));
  EXPECT_FALSE(makes_a_turn(edited([](Pod& pod) { pod.meta.annotations = test::labels({{"seen", "yes"}}); })));
  EXPECT_TRUE(
      makes_a_turn(edited([](Pod& pod) { pod.meta.labels = test::labels({{"app", "web"}, {"kept", "yes"}}); })));
  EXPECT_TRUE(makes_a_turn(edited([](Pod& pod) {
    auto owners = *pod.meta.owners;
    owners.push_back({.api_version = "v1", .kind = "ConfigMap", .name = "other", .uid = Uid{99}});
    pod.meta.owners = std::make_shared<const Owners>(std::move(owners));
  }))) << "somebody else's, too, is told to handlers";
  EXPECT_TRUE(makes_a_turn(truth.delete_pod("web-0") == Code::ok)) << "it is to go";
}

TEST_F(TwoTurns, AnOrphanThatFitsMakesATurnAndASetThatOnlySaysMoreOfItselfNone) {
  Pod orphan = test::pod("web-0");
  orphan.meta.labels = std::make_shared<const StringMap>(sets_.front()->spec->pod_template->labels);
  truth.create_pod(orphan);
  const std::vector pods{truth.pods().find("web-0")};
  sync.seen.pods = {pods, pods};
  sync.seen.reached[1] = pods.front()->meta.version;
  sync.queued = false;
  EXPECT_TRUE(breaks("waking.by-events"));
  last_.seen.reached[1] = sync.seen.reached[1];
  EXPECT_FALSE(breaks("waking.by-events")) << "the last turn was shown it";
  ASSERT_EQ(truth.delete_pod("web-0", 0), Code::ok);
  truth.create_pod(orphan);
  const std::vector others{truth.pods().find("web-0")};
  sync.seen.pods = {others, others};
  sync.seen.reached[1] = others.front()->meta.version;
  EXPECT_FALSE(breaks("waking.by-events")) << "no handler tells one orphan that fits from another";
  sync.seen.pods = {};
  StatefulSetStatus status;
  status.replicas = 1;
  Request writes = request_about("web", Verb::update_status);
  writes.kind = Kind::set;
  writes.body = status;
  ASSERT_TRUE(truth.handle(writes).ok());
  sets_ = {truth.sets().find("web")};
  sync.seen.sets = {sets_, sets_};
  sync.seen.reached[0] = sets_.front()->meta.version;
  EXPECT_FALSE(breaks("waking.by-events")) << "a status is the controller's own";
  StatefulSetSpec spec = *sets_.front()->spec;
  spec.replicas = 3;
  truth.update_set("web", spec);
  sets_ = {truth.sets().find("web")};
  sync.seen.sets = {sets_, sets_};
  sync.seen.reached[0] = sets_.front()->meta.version;
  EXPECT_TRUE(breaks("waking.by-events"));
}

TEST_F(TwoTurns, NoOtherWorkerHasTheSetMeanwhile) {
  EXPECT_FALSE(ask("waking.one-worker-at-a-time").applied()) << "nobody has looked";
  sync.result.alone = true;
  EXPECT_TRUE(holds("waking.one-worker-at-a-time"));
  sync.result.alone = false;
  EXPECT_TRUE(breaks("waking.one-worker-at-a-time"));
}

TEST_F(TwoTurns, ATurnThatWasDueIsNotForgotten) {
  sync.queued = false;
  last_.next = five;
  EXPECT_TRUE(breaks("waking.as-asked"));
  last_.ended = later;
  EXPECT_TRUE(holds("waking.as-asked")) << "it is not due yet";
  last_.ended = {};
  sync.queued = true;
  EXPECT_TRUE(holds("waking.as-asked")) << "this is it";
  sync.queued = false;
  sync.started = 2;
  EXPECT_TRUE(holds("waking.as-asked")) << "a new process knows of no timers";
}

TEST_F(TwoTurns, WhatIsNotDoneIsComeBackTo) {
  EXPECT_TRUE(breaks("waking.leaves-nothing-undone")) << "web-0 is missing";
  sync.next = five;
  EXPECT_TRUE(holds("waking.leaves-nothing-undone"));
  sync.next = Time::seconds(11);
  EXPECT_TRUE(breaks("waking.leaves-nothing-undone")) << "nothing is waited for that long";
  fail(sync, {});
  EXPECT_TRUE(holds("waking.leaves-nothing-undone")) << "waking.after-failures has more to say";
  sync.result.failed = false;
  write();
  EXPECT_FALSE(ask("waking.leaves-nothing-undone").applied()) << "what it wrote will be told of";
}

TEST_F(TwoTurns, APodIsComeBackToAtLevelPromised) {
  EXPECT_TRUE(breaks("waking.leaves-no-pod-undone"));
  sync.next = five;
  EXPECT_TRUE(holds("waking.leaves-no-pod-undone"));
  sync.next.reset();
  fail(sync, {});
  EXPECT_TRUE(holds("waking.leaves-no-pod-undone"));
  sync.result.failed = false;
  Pod strangers = test::pod("web-0");
  const Pod* pods[] = {&strangers};
  sync.seen.pods = {pods, pods};
  for (const Phase phase : {Phase::running, Phase::failed}) {
    strangers.phase = phase;
    EXPECT_FALSE(ask("waking.leaves-no-pod-undone").applied()) << "its name is taken, and no event tells till when";
  }
}

TEST_F(TwoTurns, APodThatIsOneTooManyIsNotLeftEither) {
  Pod pod = test::owned_by(test::pod("web-0"), {test::owner(*sets_.front())});
  pod.meta.labels = std::make_shared<const StringMap>(sets_.front()->spec->pod_template->labels);
  test::run(truth, pod);
  const std::vector pods{truth.pods().find("web-0")};
  sync.seen.pods = {pods, pods};
  EXPECT_FALSE(ask("waking.leaves-nothing-undone").applied()) << "all is as it should be";
  StatefulSetSpec spec = *sets_.front()->spec;
  spec.replicas = 0;
  truth.update_set("web", spec);
  sets_ = {truth.sets().find("web")};
  sync.seen.sets = {sets_, sets_};
  EXPECT_TRUE(breaks("waking.leaves-nothing-undone"));
  EXPECT_TRUE(breaks("waking.leaves-no-pod-undone"));
}

TEST_F(TwoTurns, WhatIsInTheWayIsWaitedForAMinute) {
  const Pod strangers = test::pod("web-0");
  const Pod* pods[] = {&strangers};
  sync.seen.pods = {pods, pods};
  StatefulSetSpec two = *sets_.front()->spec;
  two.replicas = 2;
  truth.update_set("web", two);
  sets_ = {truth.sets().find("web")};
  sync.seen.sets = {sets_, sets_};
  sync.next = Time::seconds(60);
  EXPECT_TRUE(holds("waking.leaves-nothing-undone")) << ask("waking.leaves-nothing-undone").violation();
  sync.next = Time::seconds(61);
  EXPECT_TRUE(breaks("waking.leaves-nothing-undone"));
}

TEST_F(TwoTurns, AFinishedPodIsNotLeftEither) {
  Pod pod = test::owned_by(test::pod("web-0"), {test::owner(*sets_.front())});
  pod.meta.labels = std::make_shared<const StringMap>(sets_.front()->spec->pod_template->labels);
  test::run(truth, pod);
  truth.finish_pod("web-0", Phase::failed);
  const std::vector pods{truth.pods().find("web-0")};
  sync.seen.pods = {pods, pods};
  EXPECT_TRUE(breaks("waking.leaves-nothing-undone"));
  EXPECT_TRUE(breaks("waking.leaves-no-pod-undone"));
  sync.next = five;
  EXPECT_TRUE(holds("waking.leaves-nothing-undone"));
}

TEST_F(TwoTurns, WhatIsListedAtAStartMakesATurn) {
  sync.after_restart = true;
  sync.queued = false;
  EXPECT_TRUE(breaks("waking.by-events"));
  sync.queued = true;
  EXPECT_FALSE(breaks("waking.by-events"));
}

TEST_F(TwoTurns, TheFirstComesOnceEveryCacheIsFilled) {
  sync.unlisted = Kind::revision;
  sync.says_what_it_waits_for = true;
  EXPECT_FALSE(ask("waking.waits-for-caches").applied()) << "it is not the first";
  sync.after_restart = true;
  EXPECT_TRUE(breaks("waking.waits-for-caches"));
  sync.unlisted.reset();
  EXPECT_TRUE(holds("waking.waits-for-caches"));
  sync.says_what_it_waits_for = false;
  EXPECT_FALSE(ask("waking.waits-for-caches").applied()) << "whatever it waits for";
}

TEST_F(TwoTurns, AnotherTurnComesAsAskedFor) {
  EXPECT_TRUE(holds("waking.as-asked"));
  sync.next = five;
  EXPECT_TRUE(breaks("waking.as-asked")) << "nobody asked";
  sync.result.requeue_after = five;
  EXPECT_TRUE(holds("waking.as-asked"));
  sync.next = later;
  EXPECT_TRUE(breaks("waking.as-asked")) << "too late";
  sync.next.reset();
  EXPECT_TRUE(breaks("waking.as-asked")) << "never";
}

TEST_F(TwoTurns, AFailedTurnIsFollowedByAnother) {
  fail(sync, five);
  EXPECT_TRUE(holds("waking.after-failures"));
  fail(sync, Time{});
  EXPECT_TRUE(breaks("waking.after-failures")) << "at once";
  fail(sync, Time::seconds(1001));
  EXPECT_TRUE(breaks("waking.after-failures")) << "too late";
  fail(sync, {});
  EXPECT_TRUE(breaks("waking.after-failures")) << "never";
}

TEST_F(TwoTurns, EachFailureInARowDoublesTheWait) {
  fail(last_, five);
  fail(sync, Time{10});
  EXPECT_TRUE(holds("waking.ever-later"));
  fail(sync, five);
  EXPECT_TRUE(breaks("waking.ever-later"));
  fail(last_, Time::seconds(900));
  fail(sync, Time::seconds(1000));
  EXPECT_TRUE(holds("waking.ever-later")) << "as long as it gets";
  fail(last_, Time::seconds(20));
  fail(sync, five);
  sync.timer = five;
  EXPECT_TRUE(holds("waking.ever-later")) << "a timer makes the turn before the failure would";
  sync.timer = Time::seconds(30);
  EXPECT_TRUE(breaks("waking.ever-later")) << "this one does not";
  sync.timer.reset();
}

TEST_F(TwoTurns, AQueueOfItsOwnSaysWhatIsDueFirst) {
  StatefulSet young = *sets_.front();
  StatefulSetSpec spec = *young.spec;
  spec.min_ready_seconds = 1;
  young.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  sets_.front() = &young;
  Pod pod = test::owned_by(test::pod("web-0"), {test::owner(young)});
  pod.phase = Phase::running;
  pod.ready = true;
  pod.ready_changed = sync.now - Time::seconds(1) + five;
  const Pod* pods[] = {&pod};
  sync.seen.pods = {pods, pods};
  fail(last_, Time::seconds(20));
  fail(sync, five);
  EXPECT_TRUE(breaks("waking.ever-later")) << "a pod that is soon available makes no turn of itself";
  sync.result.retry_after = five;
  EXPECT_TRUE(holds("waking.ever-later"));
  fail(sync, Time{4});
  EXPECT_TRUE(breaks("waking.ever-later")) << "it is not available so soon";
  sync.seen.pods = {};
  fail(last_, Time::seconds(20));
  sync.result.retry_after.reset();
  fail(sync, Time::seconds(15));
  EXPECT_TRUE(breaks("waking.ever-later"));
  sync.result.retry_after = Time::seconds(15);
  EXPECT_TRUE(holds("waking.ever-later")) << "it may look at its sets every 15 seconds";
  sync.result.retry_after = five;
  fail(sync, five);
  EXPECT_TRUE(breaks("waking.ever-later"));
}

TEST_F(TwoTurns, TheFirstFailureIsSoonTriedAgain) {
  fail(sync, five);
  EXPECT_TRUE(holds("waking.first-retry-is-soon"));
  fail(sync, Time::seconds(11));
  EXPECT_TRUE(breaks("waking.first-retry-is-soon"));
  fail(last_, five);
  EXPECT_FALSE(ask("waking.first-retry-is-soon").applied()) << "it was not the first";
}

TEST_F(TwoTurns, WhoIsToldWhenToComeAgainComesThen) {
  fail(last_, Time::seconds(1));
  fail(sync, Time::seconds(1));
  EXPECT_TRUE(breaks("waking.ever-later"));
  write();
  calls.back().reply.code = Code::too_many_requests;
  EXPECT_TRUE(holds("waking.ever-later"));
  sync.next = Time{999};
  EXPECT_TRUE(breaks("waking.ever-later")) << "earlier than it was told";
  last_.result = {};
  history.first_retry = five;
  EXPECT_FALSE(ask("waking.forgets-failures").applied());
}

TEST_F(TwoTurns, ASuccessForgetsThem) {
  history.first_retry = five;
  fail(sync, five);
  EXPECT_TRUE(holds("waking.forgets-failures"));
  fail(sync, Time{40});
  EXPECT_TRUE(breaks("waking.forgets-failures"));
  last_.result.requeue_after = Time{10};
  EXPECT_TRUE(breaks("waking.forgets-failures"));
  const std::vector<Call> refused{{.request = request_about("web-0", Verb::create), .reply = {Code::conflict, {}}}};
  last_.calls = refused;
  EXPECT_FALSE(ask("waking.forgets-failures").applied()) << "which need not have been a success";
}

TEST_F(TwoTurns, OwnWritesAreWaitedFor) {
  for (const auto& [id, own] : {std::pair{"waking.own-writes-first", &history.told.written},
                                std::pair{"waking.own-deletions-first", &history.told.removed}}) {
    calls.clear();
    EXPECT_FALSE(ask(id).applied()) << "the caches show everything";
    (*own)[1] = Version{1'000};
    EXPECT_TRUE(holds(id));
    write();
    EXPECT_TRUE(breaks(id));
  }
}

TEST_F(TwoTurns, AReleaseWithTheGuardWaits) {
  history.told.awaited[1] = Version{1'000};
  write();
  EXPECT_FALSE(ask("waking.guard-waits").applied()) << "releases before the guard do not wait";
  sync.waits_for_writes = true;
  EXPECT_TRUE(breaks("waking.guard-waits"));
  calls.clear();
  EXPECT_TRUE(holds("waking.guard-waits"));
  history.told.awaited = {};
  EXPECT_FALSE(ask("waking.guard-waits").applied()) << "the caches have shown everything";
}

TEST_F(TwoTurns, NoTurnFailsForNothing) {
  fail(sync, five);
  EXPECT_TRUE(breaks("waking.fails-with-cause"));
  history.told.touched[1] = Version{1'000};
  EXPECT_TRUE(holds("waking.fails-with-cause"));
  history.told.touched[1] = sync.seen.reached[1];
  EXPECT_TRUE(breaks("waking.fails-with-cause")) << "the cache shows what was written";
  write();
  calls.back().reply.code = Code::internal;
  EXPECT_TRUE(holds("waking.fails-with-cause"));
  calls.back().request = request_of(Verb::get, Kind::pod, "web-0");
  calls.back().reply.code = Code::not_found;
  EXPECT_TRUE(breaks("waking.fails-with-cause")) << "that nothing is there is an answer";
}

TEST_F(TwoTurns, NoTurnFailsForWhatItMadeGood) {
  fail(sync, five);
  write();
  calls.back().reply.code = Code::conflict;
  EXPECT_TRUE(holds("waking.fails-with-cause"));
  write();
  EXPECT_TRUE(breaks("waking.fails-with-cause")) << "it succeeded when it was made again";
}

TEST_F(TwoTurns, NoTurnFailsForWhatItDidItself) {
  Pod shown = test::owned_by(test::pod("web-0"), {test::owner(*sets_.front())}), made = shown;
  made.meta.name = "web-1";
  made.meta.version = Version{9};
  const Pod* pods[] = {&shown};
  sync.seen.pods = {pods, pods};
  const auto call = [&](Verb verb, std::string_view pod, Reply reply) {
    calls.emplace_back().request = request_of(verb, Kind::pod, pod);
    calls.back().reply = std::move(reply);
  };
  fail(sync, five);
  call(Verb::create, "web-1", {Code::ok, &made, {}});
  call(Verb::get, "web-1", {Code::ok, &made, {}});
  EXPECT_TRUE(breaks("waking.fails-with-cause")) << "it is as it was made";
  call(Verb::remove, "web-0", {Code::ok, &shown, {}});
  call(Verb::get, "web-0", {Code::not_found, {}, {}});
  EXPECT_TRUE(breaks("waking.fails-with-cause")) << "nothing is left of what it deleted";
  calls.erase(calls.begin() + 2);
  EXPECT_TRUE(holds("waking.fails-with-cause")) << "somebody else deleted it";
}

TEST_F(TwoTurns, NoTurnFailsSinceItsSetIsGone) {
  fail(sync, five);
  sync.seen.sets = {};
  EXPECT_TRUE(breaks("waking.fails-with-cause"));
  history.told.touched[1] = Version{1'000};
  EXPECT_TRUE(holds("waking.fails-with-cause")) << "its caches may be about to show it";
}

TEST_F(TwoTurns, ATurnThatFailsHasDoneWhatNothingWasInTheWayOf) {
  fail(sync, five);
  EXPECT_TRUE(breaks("waking.fails-for-what-is-in-the-way")) << "web-0 is missing";
  calls.emplace_back().request = request_of(Verb::get, Kind::pod, "web-0");
  calls.back().reply.code = Code::not_found;
  EXPECT_TRUE(breaks("waking.fails-for-what-is-in-the-way")) << "and was found to be";
  calls.clear();
  history.told.touched[1] = Version{1'000};
  EXPECT_TRUE(holds("waking.fails-for-what-is-in-the-way")) << "that is in the way of all";
  history.told.touched[1] = sync.seen.reached[1];
  write();
  EXPECT_FALSE(ask("waking.fails-for-what-is-in-the-way").applied()) << "something was done";
}

TEST(Waking, ALeavingClaimIsInTheWayOfItsOwnPodOnly) {
  const std::string_view id = "waking.fails-for-what-is-in-the-way";
  StoppedByAClaim fearful({.failed = true, .code = Code::ok, .what = Text("a claim is leaving"), .requeue_after = {}});
  const Tried own = try_by_hand(with_a_leaving_claim("replicas: 2", {sync}), fearful);
  EXPECT_TRUE(own.applied(id));
  EXPECT_FALSE(own.broke(id)) << "web-0 has to wait for it";
  const Tried another = try_by_hand(
      with_a_leaving_claim("replicas: 2", {step(StepKind::force_delete_pod, 0), deliver, sync}, 1), fearful);
  EXPECT_TRUE(another.broke(id)) << "that of web-1 leaves, web-0 is missing";
}

/// Does nothing while a pod of the set lacks the volumes of its claims.
class Paralysed final : public Forwarding {
 public:
  Paralysed() : Forwarding(make_reference(strict_rules(), {})) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const auto lacks = [](const Pod* pod) {
      const auto is_its_claim = [&](const Volume& v) { return v.claim == "data-" + pod->meta.name.str(); };
      return pod->meta.controller() != nullptr && std::ranges::none_of(*pod->volumes, is_its_claim);
    };
    if (std::ranges::none_of(seen.pods.all, lacks)) return inner_.sync(key, seen, api, now);
    return {.failed = true, .code = Code::ok, .what = Text("a pod has wrong volumes"), .requeue_after = {}};
  }
  std::string_view name() const override { return "paralysed"; }
};

TEST(Waking, APodThatNobodyCanRepairIsInTheWayOfWhatComesAfterIt) {
  const std::string_view id = "waking.fails-for-what-is-in-the-way";
  const auto with_strange = [](int strange, int lost) {
    Scenario scenario = with_a_leaving_claim("replicas: 3", {}, 0);  // for its set
    const Step replace = step(StepKind::add_pod, strange, static_cast<int>(ForeignPod::other_claims)),
               run = step(StepKind::run_kubelets);
    scenario.steps = {settle, step(StepKind::force_delete_pod, strange), replace, run, run, deliver,
                      sync,   step(StepKind::force_delete_pod, lost),    deliver, sync};
    return scenario;
  };
  Paralysed paralysed;
  const Tried after = try_by_hand(with_strange(1, 2), paralysed);
  EXPECT_TRUE(after.applied(id));
  EXPECT_FALSE(after.broke(id)) << after.why(id);
  EXPECT_TRUE(try_by_hand(with_strange(2, 0), paralysed).broke(id)) << "that of web-2 is wrong, web-0 is missing";
}

/// Hears of every set and pod, but not that a pod is gone which had ended: that was seen to when it did.
class DeafToTheEnded final : public Forwarding, private Handlers {
 public:
  DeafToTheEnded() : Forwarding(make_reference(strict_rules(), {})) {}
  Handlers* handlers() override { return this; }
  std::string_view name() const override { return "deaf to the ended"; }

 private:
  void on(const Change<StatefulSet>& event, const View&) override {
    wakes_.push_back({{event.object().meta.ns, event.object().meta.name}, {}});
  }
  void on(const Change<Pod>& event, const View&) override {
    const Pod& pod = event.object();
    if (event.after == nullptr && pod.phase == Phase::failed) return;
    if (const OwnerReference* owner = pod.meta.controller()) wakes_.push_back({{pod.meta.ns, owner->name}, {}});
  }
  void on(const Change<Claim>&, const View&) override {}
  void on(const Change<Revision>&, const View&) override {}
  std::vector<Wake> asked(Time) override { return std::exchange(wakes_, {}); }

  std::vector<Wake> wakes_;
};

/// The epilogue looks at the set once, whatever asks for it; a turn that nothing had made is told apart from others.
TEST(Waking, TheEndOfATrialWakesNobody) {
  // It counts as ready no more before it ends, so that no status is written then, whose event would make a turn.
  const Scenario scenario = hand_made("replicas: 2", {settle, step(StepKind::make_unready, 1), deliver, sync, deliver,
                                                      sync, step(StepKind::fail_pod, 1), deliver, sync, deliver});
  DeafToTheEnded deaf;
  EXPECT_TRUE(try_by_hand(scenario, deaf).broke("waking.by-events"));
}

/// What the hand-made traces say is what trials tell.
TEST(Waking, TheReferenceKeepsEveryPromiseOfATrial) {
  const Step fault = at_call(2, StepKind::fault, static_cast<int>(Fault::internal));
  const Scenario scenario = hand_made("replicas: 2\nminReadySeconds: 10",
                                      {deliver, fault, sync, settle, step(StepKind::scale, 3), deliver, sync, sync,
                                       settle, step(StepKind::advance, 60), sync, sync, step(StepKind::restart), sync});
  const auto reference = make_reference(strict_rules(), scenario.environment.gates);
  const Tried tried = try_by_hand(scenario, *reference);
  const std::set<std::string_view> seldom{"waking.leaves-no-pod-undone", "waking.leaves-nothing-undone",
                                          "waking.own-deletions-first",  "waking.ever-later",
                                          "waking.forgets-failures",     "waking.fails-for-what-is-in-the-way"};
  for (const Invariant& invariant : waking::invariants) {
    EXPECT_FALSE(tried.broke(invariant.id)) << tried.why(invariant.id);
    if (seldom.contains(invariant.id)) continue;
    EXPECT_TRUE(tried.applied(invariant.id)) << invariant.id;
  }
}

}  // namespace
}  // namespace ordeal::properties::testing
