#include "properties/invariants/events.h"

#include "properties/invariants/moment_test.h"

namespace ordeal::properties::testing {
namespace {

const Scenario shrinking = hand_made("replicas: 2", {settle, step(StepKind::scale, 1), settle});
const Scenario refused = hand_made("replicas: 1", {step(StepKind::outage, 1, 1), settle});  // creations are forbidden

/// The strict reference, but its events are what becomes of them here.
Followed telling(std::function<void(std::vector<Event>&)> change) {
  return Followed([change = std::move(change)](const View&, Api&, SyncResult& result) {
    if (result.events) change(*result.events);
  });
}
Followed telling_all_but(std::string_view reason) {
  return telling([reason](std::vector<Event>& events) {
    std::erase_if(events, [&](const Event& event) { return event.reason == reason; });
  });
}
Followed telling_besides(const Event& event) {
  return telling([event](std::vector<Event>& events) { events.push_back(event); });
}

struct Wrong {
  std::string_view id;
  Scenario scenario;
  Followed controller;
};

TEST(Events, EveryPromiseIsKeptAndCanBeBroken) {
  Wrong cases[] = {
      {"events.tells-of-pods", shrinking, telling_all_but("SuccessfulDelete")},
      {"events.tells-of-pods", shrinking, telling_all_but("SuccessfulCreate")},
      {"events.tells-of-refusals", refused, telling_all_but("FailedCreate")},
      {"events.tells-what-was-done", shrinking,
       telling_besides({.reason = "SuccessfulDelete", .message = "Delete Pod web-0 in StatefulSet web"})},
      {"events.told-once", hand_made("replicas: 1", {settle, sync, sync}),
       telling_besides({.reason = "Reconciled", .message = "all is well"})},
  };
  std::set<std::string_view> tested;
  for (Wrong& c : cases) {
    expect_broken_by(c.id, c.scenario, c.controller);
    tested.insert(c.id);
  }
  expect_all_covered(events::invariants, {}, tested);
}

TEST(Events, NobodyIsAskedWhoDoesNotSay) {
  Followed silent([](const View&, Api&, SyncResult& result) { result.events.reset(); });
  const Tried tried = try_by_hand(shrinking, silent);
  for (const Invariant& i : events::invariants) EXPECT_FALSE(tried.applied(i.id)) << i.id;
}

/// A turn by hand that deletes a pod.
struct Deletion : ByHand {
  explicit Deletion(Code answer) {
    sync.result.events.emplace();
    Call& call = calls.emplace_back();
    call.request = request_about("web-1", Verb::remove);
    call.reply.code = answer;
  }
  void tell(std::string_view reason, std::string_view message, std::string_view about = "web") {
    sync.result.events = {{.reason = reason, .message = message, .about = about}};
  }
};

TEST(Events, APodIsNamedByAWordOrByWhatTheEventIsAbout) {
  constexpr const char* promise = "events.tells-of-pods";
  Deletion turn(Code::ok);
  EXPECT_TRUE(turn.breaks(promise));
  for (const char* message : {"deleted web-10", "deleted data-web-1", "deleted pods"}) {
    turn.tell("Deleted", message);
    EXPECT_TRUE(turn.breaks(promise)) << message;
  }
  for (const char* message : {"web-1 is gone", "deleted web-10, web-1", "deleted \"web-1\"."}) {
    turn.tell("Deleted", message);
    EXPECT_TRUE(turn.holds(promise)) << message;
  }
  turn.tell("Deleted", "deleted", "web-1");
  EXPECT_TRUE(turn.holds(promise));
  turn.tell("Deleted", "deleted");
  turn.sync.result.failed = true;  // it never came to telling
  EXPECT_FALSE(turn.ask(promise).applied());
}

TEST(Events, APodThatWasOnItsWayOutIsNotToldOfAgain) {
  Pod going;
  going.meta.deletion = Time{};
  Deletion turn(Code::ok);
  turn.calls.back().pod_before = &going;
  EXPECT_FALSE(turn.ask("events.tells-of-pods").applied());
}

TEST(Events, WhatIsGoneIsDeleted) {
  constexpr const char* promise = "events.tells-what-was-done";
  const auto told_after = [&](Code answer) {
    Deletion turn(answer);
    turn.tell("SuccessfulDelete", "web-1");
    return turn.holds(promise);
  };
  EXPECT_TRUE(told_after(Code::ok));
  EXPECT_TRUE(told_after(Code::not_found));
  EXPECT_FALSE(told_after(Code::timeout));
  Deletion late(Code::timeout);
  late.calls.back().committed = true;
  late.tell("SuccessfulDelete", "web-1");
  EXPECT_TRUE(late.holds(promise));
}

TEST(Events, OneThatNamesNothingIsTrueIfAnythingWasDone) {
  constexpr const char* promise = "events.tells-what-was-done";
  Deletion turn(Code::ok);
  turn.tell("SuccessfulDelete", "one pod");
  EXPECT_TRUE(turn.holds(promise));
  turn.tell("SuccessfulCreate", "one pod");
  EXPECT_TRUE(turn.breaks(promise));
}

TEST(Events, AWarningMayComeAgain) {
  const Scenario quiet = hand_made("replicas: 1", {settle, sync, sync});
  Followed warning = telling_besides({.warning = true, .reason = "ConflictingController", .message = "data-web-0"});
  EXPECT_FALSE(try_by_hand(quiet, warning).broke("events.told-once"));
}

TEST(Events, AWarningIsOneOfAnyReason) {
  constexpr const char* promise = "events.tells-of-refusals";
  Deletion turn(Code::forbidden);
  EXPECT_FALSE(turn.ask(promise).applied()) << "nobody waits for what was not deleted";
  turn.calls.back().request.verb = Verb::create;
  turn.tell("Odd", "web-1 is refused");
  EXPECT_TRUE(turn.breaks(promise));
  turn.sync.result.events->back().warning = true;
  EXPECT_TRUE(turn.holds(promise));
}

}  // namespace
}  // namespace ordeal::properties::testing
