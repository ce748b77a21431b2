#include "properties/invariants/economy.h"

#include "core/cluster/test_objects.h"
#include "core/controller/releases.h"
#include "properties/invariants/moment_test.h"

namespace ordeal::properties::testing {
namespace {

const Step lose_label = step(StepKind::edit_labels, 0, static_cast<int>(LabelEdit::drop_pod_name));
const Scenario growing = hand_made("replicas: 2", {settle, step(StepKind::scale, 3), settle});

void many_times(const Request& request, Api& api, int times) {
  for (int n = 0; n < times; ++n) api.call(request);
}

/// After a conflict it asks for the version that is stored, and sends what it had, as of that version.
Reply naming_the_newest_version(Request request, const View&, Api& api) {
  const Reply reply = api.call(request);
  if (request.verb != Verb::update || reply.code != Code::conflict) return reply;
  const Reply live = api.call(request_of(Verb::get, request.kind, request.name.view()));
  if (const Pod* pod = live.as<Pod>()) request.version = pod->meta.version;
  if (const Claim* claim = live.as<Claim>()) request.version = claim->meta.version;
  return api.call(request);
}

std::vector<Case> cases() {
  const Step unlabel_meanwhile = at_call(1, StepKind::edit_labels, 0, static_cast<int>(LabelEdit::drop_revision));
  const Step hold_meanwhile = at_call(1, StepKind::hold_pod, 0);
  const Step own_meanwhile = at_call(1, StepKind::add_claim_owner, 0, static_cast<int>(ClaimOwner::bystander));
  const Scenario repair = hand_made("replicas: 1", {settle, lose_label, deliver, sync, settle});
  return {
      {"economy.no-empty-update", repair,
       changing(Verb::update, Kind::pod,
                [](Request& request, const View& seen) { request.body = *pod_in(seen, request.name.view()); })},
      {"economy.each-write-once", hand_made("replicas: 2", {settle, step(StepKind::scale, 1), settle}),
       adding(Verb::remove, Kind::pod, [](const Request& r, const View&, Api& api) { many_times(r, api, 1); })},
      {"economy.each-read-once", growing,
       when_writing_status([](const View&, Api& api) { many_times(request_of(Verb::get, Kind::set, "web"), api, 2); })},
      {"economy.overwrites-nothing", repair,
       changing(Verb::update, Kind::pod, [](Request& request, const View&) { request.version = Version::none; })},
      {"economy.overwrites-nothing",
       hand_made("replicas: 1", {settle, lose_label, deliver, unlabel_meanwhile, sync, settle}),
       naming_the_newest_version},
      {"economy.overwrites-nothing",
       hand_made("replicas: 1", {settle, lose_label, deliver, hold_meanwhile, sync, settle}),
       naming_the_newest_version},
      {"economy.overwrites-nothing",
       hand_made(std::string("replicas: 1") + one_claim,
                 {settle, step(StepKind::set_retention, 1, 0), deliver, own_meanwhile, sync, settle}),
       naming_the_newest_version},
      {"economy.bounded-turn", growing, when_writing_status([](const View&, Api& api) {
         many_times(request_of(Verb::get, Kind::set, "web"), api, 100);
       })},
      {"economy.few-writes-to-rest", hand_made("replicas: 2"), when_writing_status([](const View& seen, Api& api) {
         many_times(put_status(set_in(seen), set_in(seen).status), api, 40);  // which changes nothing
       })},
  };
}

TEST(Economy, EveryPromiseIsKeptAndCanBeBroken) {
  for (const Case& c : cases()) expect_kept_and_breakable(c);
}

/// A broken pod of an older revision is a human's to remove; till then there is nothing to write (#67250).
TEST(Economy, WhoWaitsForAHumanWritesNothingMeanwhile) {
  const Scenario stuck = hand_made(
      "replicas: 1", {settle, step(StepKind::edit_template, 1, static_cast<int>(TemplateFlavour::unready)), settle});
  const Rules& release = find_release("kubernetes-1.31")->rules;
  EXPECT_FALSE(try_by_hand(stuck, *make_reference(release, {})).broke("economy.few-writes-to-rest"));
  struct Flips final : Forwarding {
    using Forwarding::Forwarding;
    SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
      SyncResult result = inner_.sync(key, seen, api, now);
      const StatefulSet* set = seen.sets.find(key.name);
      if (set == nullptr) return result;
      StatefulSetStatus status = set->status;
      status.collision_count = ++turn_;
      api.call(put_status(*set, status));
      return result;
    }
    std::int32_t turn_ = 0;
  };
  const auto waiting = make_reference(release, {});
  Flips flips(*waiting);
  EXPECT_TRUE(try_by_hand(stuck, flips).broke("economy.few-writes-to-rest"));
}

/// A read between two conflicts is another one each time.
TEST(Economy, WhatSomebodyHasChangedIsReadAgain) {
  ByHand turn;
  const auto call = [&](Verb verb, Code code) {
    Call& made = turn.calls.emplace_back();
    made.request = request_of(verb, Kind::pod, "web-0");
    made.reply.code = code;
  };
  for (int i = 0; i < 2; ++i) {
    call(Verb::get, Code::ok);
    call(Verb::update, Code::conflict);
  }
  call(Verb::get, Code::ok);
  EXPECT_TRUE(turn.holds("economy.each-read-once"));
  call(Verb::get, Code::ok);
  call(Verb::get, Code::ok);
  EXPECT_TRUE(turn.breaks("economy.each-read-once"));
}

TEST(Economy, EveryPromiseIsTested) {
  // The last is tested where the guard is (trial/input_guard_test.cpp).
  expect_all_covered(economy::invariants, cases(),
                     {"economy.no-busy-loop", "economy.no-data-race", "economy.inputs-untouched"});
}

TEST(Economy, ThreadsThatRaceAreSeenByWhoWatchesThem) {
  const auto watched = [](const char* races) {
    return Followed([races](const View&, Api&, SyncResult& result) { result.races = Text(races); });
  };
  Followed unwatched([](const View&, Api&, SyncResult& result) { result.races.reset(); }),
      orderly = watched(""), racing = watched("write at utils.go:348, write at utils.go:348");
  const Scenario scenario = hand_made("replicas: 2", {settle});
  EXPECT_FALSE(try_by_hand(scenario, unwatched).applied("economy.no-data-race"));
  EXPECT_TRUE(try_by_hand(scenario, orderly).applied("economy.no-data-race"));
  EXPECT_FALSE(try_by_hand(scenario, orderly).broke("economy.no-data-race"));
  EXPECT_TRUE(try_by_hand(scenario, racing).broke("economy.no-data-race"));
}

TEST(Economy, AskingForTheSameMomentIsABusyLoop) {
  const Scenario waiting = hand_made("replicas: 2\nminReadySeconds: 10", {settle});
  Followed impatient([](const View&, Api&, SyncResult& result) {
    if (result.requeue_after) result.requeue_after = Time{};
  });
  expect_broken_by("economy.no-busy-loop", waiting, impatient);
}

TEST(Economy, AskingForNextToTheSameMomentIsABusyLoopWhereNothingIsWaitedFor) {
  const auto asked_after = [](Time wait) {
    return Followed([wait](const View&, Api&, SyncResult& result) {
      result.requeue_after = result.requeue_after ? wait : result.requeue_after;
    });
  };
  const Scenario waiting = hand_made("replicas: 2\nminReadySeconds: 10", {settle, sync, sync});
  Followed in_wrong_units = asked_after(Time{10});  // milliseconds
  expect_broken_by("economy.no-busy-loop", waiting, in_wrong_units);
  Followed each_second = asked_after(Time::seconds(1));
  EXPECT_FALSE(try_by_hand(waiting, each_second).broke("economy.no-busy-loop"));
}

TEST(Economy, TheSameFailureAgainAndAgainIsBackedOff) {
  const auto answering_with = [](std::function<Time(int)> wait) {
    return Followed([wait, n = std::make_shared<int>(0)](const View&, Api&, SyncResult& result) {
      if (std::exchange(result.failed, false)) result.requeue_after = wait((*n)++);
    });
  };
  const Scenario refused = hand_made("replicas: 1", {step(StepKind::outage, 1, 0), settle});  // pods cannot be made
  Followed at_once = answering_with([](int) { return Time{1}; }),
           each_second = answering_with([](int) { return Time::seconds(1); }),
           backing_off = answering_with([](int n) { return Time{std::int64_t{1} << std::min(n, 20)}; });
  EXPECT_TRUE(try_by_hand(refused, at_once).broke("economy.no-busy-loop"));
  EXPECT_FALSE(try_by_hand(refused, each_second).broke("economy.no-busy-loop"));
  EXPECT_FALSE(try_by_hand(refused, backing_off).broke("economy.no-busy-loop"));
}

TEST(Economy, ConflictsAreBackedOffToo) {
  const auto coming_again_after = [](Time wait) {
    return Followed([wait](const View&, Api&, SyncResult& result) {
      if (std::exchange(result.failed, false)) result.requeue_after = wait;
    });
  };
  const Scenario refused = hand_made("replicas: 1", {step(StepKind::outage, static_cast<int>(OutageOf::status_writes),
                                                          static_cast<int>(OutageReply::conflict)),
                                                     settle});
  Followed at_once = coming_again_after(Time{1}), each_second = coming_again_after(Time::seconds(1));
  EXPECT_TRUE(try_by_hand(refused, at_once).broke("economy.no-busy-loop"));
  EXPECT_FALSE(try_by_hand(refused, each_second).broke("economy.no-busy-loop"));
}

TEST(Economy, AFirstFailureMayBeWhatTheWaitIsFor) {
  ByHand now;
  Sync last;
  for (Sync* turn : {&last, &now.sync}) turn->result.requeue_after = Time{5};
  now.history.last_sync = &last;
  const auto fail = [&](const char* pod) {
    Call& call = now.calls.emplace_back();
    call.request = request_about(pod, Verb::create);
    call.reply.code = Code::already_exists;
  };
  fail("web-0");
  const std::vector<Call> before = now.calls;
  last.calls = before;
  EXPECT_TRUE(now.breaks("economy.no-busy-loop"));
  fail("web-1");
  EXPECT_FALSE(now.breaks("economy.no-busy-loop"));
  const std::vector<Call> both = now.calls;
  last.calls = both;
  EXPECT_TRUE(now.breaks("economy.no-busy-loop"));
}

TEST(Economy, WhatIsNotThereIsNoFailureAndWhoeverWritesGoesOn) {
  ByHand now;
  Sync last;
  for (Sync* turn : {&last, &now.sync}) turn->result.requeue_after = Time{5};
  now.history.last_sync = &last;
  Call& call = now.calls.emplace_back();
  call.request = request_about("web-0", Verb::create);
  call.reply.code = Code::already_exists;
  const std::vector<Call> before = now.calls;
  last.calls = before;
  EXPECT_TRUE(now.breaks("economy.no-busy-loop"));
  now.calls.emplace_back().request = request_about("web-1", Verb::create);
  EXPECT_TRUE(now.breaks("economy.no-busy-loop")) << "nothing came of that";
  now.calls.back().committed = true;
  EXPECT_FALSE(now.breaks("economy.no-busy-loop"));
  now.calls = {now.calls.back()};
  now.calls.back().request = request_about("web-0", Verb::get);
  now.calls.back().committed = false;
  now.calls.back().reply.code = Code::not_found;
  const std::vector<Call> missed = now.calls;
  last.calls = missed;
  EXPECT_FALSE(now.breaks("economy.no-busy-loop")) << "that is an answer";
}

TEST(Economy, AListIsOneRequest) {
  Followed listing([](const View&, Api& api, SyncResult&) {
    for (int i = 0; i < 100; ++i) {
      Request one = request_about("web-0", Verb::get);
      one.of_list = i == 0 ? OfList::first : OfList::further;
      api.call(std::move(one));
    }
  });
  Followed reading([](const View&, Api& api, SyncResult&) {
    for (int i = 0; i < 100; ++i) api.call(request_about("web-0", Verb::get));
  });
  const Scenario scenario = hand_made("replicas: 1", {settle});
  EXPECT_FALSE(try_by_hand(scenario, listing).broke("economy.bounded-turn"));
  EXPECT_TRUE(try_by_hand(scenario, reading).broke("economy.bounded-turn"));
}

TEST(Economy, AfterAWriteTheNextTurnMayComeAtOnce) {
  ByHand now;
  now.sync.result.requeue_after = Time{};
  EXPECT_TRUE(now.breaks("economy.no-busy-loop"));
  now.calls.emplace_back().request = request_about("web-0", Verb::create);
  EXPECT_TRUE(now.holds("economy.no-busy-loop"));
}

TEST(Economy, WhoWaitsTwiceAsLongEachTimeIsInNoLoop) {
  const auto waiting = [](std::int64_t first_ms, std::int64_t then_ms) {
    ByHand now;
    Sync last;
    last.result.requeue_after = Time{first_ms};
    last.clean = true;
    now.sync.now = Time{first_ms};
    now.sync.result.requeue_after = Time{then_ms};
    now.history.last_sync = &last;
    return now.holds("economy.no-busy-loop");
  };
  EXPECT_TRUE(waiting(5, 10));
  EXPECT_FALSE(waiting(5, 5));
  EXPECT_TRUE(waiting(2'000, 5)) << "so soon for the first time";
  EXPECT_FALSE(waiting(999, 5));
}

TEST(Economy, ANameThatIsTakenForGoodIsAskedForAsOftenAsPodsNeedIt) {
  ByHand now;
  now.truth.reset();
  now.truth.create_set(hand_made("replicas: 1\nminReadySeconds: 10").set);
  const std::vector sets{now.truth.sets().find(Text("web"))};
  Pod pod = test::pod("web-0");
  pod.phase = Phase::running;
  pod.ready = true;
  const std::vector<const Pod*> pods{&pod};
  Sync last;
  for (Sync* turn : {&last, &now.sync}) {
    turn->key = Key{Text("default"), Text("web")};
    turn->seen.sets = {sets, sets};
    turn->seen.pods = {pods, pods};
    turn->result.requeue_after = Time{75};
    turn->now = Time::seconds(100);
  }
  Call& taken = now.calls.emplace_back();
  taken.request = request_of(Verb::create, Kind::revision, "web-taken");
  taken.reply.code = Code::already_exists;
  const std::vector<Call> before = now.calls;
  last.calls = before;
  now.history.last_sync = &last;
  EXPECT_TRUE(now.breaks("economy.no-busy-loop"));
  pod.ready_changed = now.sync.now - Time::seconds(10) + Time{75};
  EXPECT_TRUE(now.holds("economy.no-busy-loop")) << "that is when the pod becomes available";
}

TEST(Economy, ManyWritesAreComparedToo) {
  ByHand sync;
  const auto create = [&](int n) {
    sync.calls.emplace_back().request = request_about("web-" + std::to_string(n), Verb::create);
  };
  for (int n = 0; n < 100; ++n) create(n);
  EXPECT_TRUE(sync.holds("economy.each-write-once"));
  create(42);
  EXPECT_TRUE(sync.breaks("economy.each-write-once"));
  sync.calls.back().reply.code = Code::conflict;
  EXPECT_TRUE(sync.breaks("economy.each-write-once")) << "it had succeeded";
  sync.calls[42].reply.code = Code::conflict;
  EXPECT_TRUE(sync.holds("economy.each-write-once"));
}

TEST(Economy, OwnersThatComeAndGoAndComeAgainAreWrittenTwice) {
  ByHand sync;
  const auto patch = [&](OwnerPatch owners) {
    sync.calls.emplace_back().request = patch_owner(Kind::pod, test::pod("web-0").meta, std::move(owners));
  };
  patch({.add = OwnerReference{}});
  patch({.remove = Uid{7}});
  EXPECT_TRUE(sync.holds("economy.each-write-once"));
  patch({.add = OwnerReference{}});
  EXPECT_TRUE(sync.breaks("economy.each-write-once"));
  for (int n = 0; n < 30; ++n)
    sync.calls.emplace_back().request = request_about("web-" + std::to_string(n), Verb::create);
  EXPECT_TRUE(sync.breaks("economy.each-write-once")) << "however much else the turn asks for";
}

}  // namespace
}  // namespace ordeal::properties::testing
