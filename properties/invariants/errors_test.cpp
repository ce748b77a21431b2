#include "properties/invariants/errors.h"

#include "core/controller/releases.h"
#include "properties/invariants/moment_test.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::properties::testing {
namespace {

Step fault_at(int call, Fault fault) { return at_call(call, StepKind::fault, static_cast<int>(fault)); }
const Step lose_label = step(StepKind::edit_labels, 0, static_cast<int>(LabelEdit::drop_pod_name));
const Step orphan = step(StepKind::add_pod, 0, static_cast<int>(ForeignPod::orphan));
constexpr const char* parallel = "\npodManagementPolicy: Parallel";

/// Does something more when a request of this kind fails.
Edit on_failure(Verb verb, Kind kind, std::function<void(const Request&, const View&, Api&)> more) {
  return [=](Request request, const View& seen, Api& api) {
    const Request asked = request;
    const Reply reply = api.call(std::move(request));
    if (asked.verb == verb && asked.kind == kind && !reply.ok()) more(asked, seen, api);
    return reply;
  };
}
/// Tells the reference another answer than the one that came.
Edit answering(Verb verb, Kind kind, Code code) {
  return [=](Request request, const View&, Api& api) {
    const bool hit = request.verb == verb && request.kind == kind;
    const Reply reply = api.call(std::move(request));
    return hit && !reply.ok() ? Reply{code, {}} : reply;
  };
}
void remove_last(const Request&, const View& seen, Api& api) { api.call(remove_pod(seen, "web-2")); }
void create_last(const Request& request, const View&, Api& api) { api.call(renamed(request, "web-2")); }

/// Asks for web-2 to go before it is known that this failed.
Edit removing_last_together(bool together) {
  return [=](Request request, const View& seen, Api& api) {
    const bool hit = request.verb == Verb::create && request.kind == Kind::pod;
    const Reply reply = api.call(std::move(request));
    if (!hit || reply.ok()) return reply;
    Request other = remove_pod(seen, "web-2");
    other.together = together;
    api.call(std::move(other));
    return reply;
  };
}

/// Takes a set that could not be read for alive, and adopts nothing.
Edit passing_over_a_failed_read() {
  return [failed = std::make_shared<bool>(false)](Request request, const View& seen, Api& api) {
    if (request.verb == Verb::patch_owners && std::exchange(*failed, false)) return Reply{};
    const bool confirms = request.verb == Verb::get && request.kind == Kind::set;
    const Reply reply = api.call(std::move(request));
    if (!confirms || reply.ok()) return reply;
    *failed = true;
    return Reply{Code::ok, seen.sets.all.front(), {}};
  };
}

std::vector<Case> cases() {
  // A first turn: revision, pod, status.
  const auto failing = [](std::string more) {
    return hand_made("replicas: 3" + more, {deliver, fault_at(2, Fault::internal), sync, settle});
  };
  // web-0 cannot be made again while web-2 is outdated: the second call, after the new revision's.
  const Scenario updating = hand_made(std::string("replicas: 3") + parallel,
                                      {settle, step(StepKind::force_delete_pod, 0), step(StepKind::edit_template, 1),
                                       deliver, fault_at(2, Fault::internal), sync, settle});
  const Scenario conflict = hand_made("replicas: 3", {deliver, fault_at(3, Fault::conflict), sync, settle});
  const Scenario repair =
      hand_made("replicas: 1", {settle, lose_label, deliver, fault_at(1, Fault::conflict), sync, settle});
  // The set is asked for, then the pod adopted.
  const Scenario unadopted = hand_made("replicas: 3", {orphan, deliver, fault_at(2, Fault::internal), sync, settle});
  const Scenario unrecorded = hand_made("replicas: 3", {deliver, fault_at(1, Fault::internal), sync, settle});
  return {
      {"errors.ordered-stops", failing(""), on_failure(Verb::create, Kind::pod, create_last)},
      {"errors.never-dies", failing(""),
       on_failure(Verb::create, Kind::pod, [](const Request&, const View&, Api&) { throw ControllerDied{}; })},
      {"errors.parallel-stops", updating, on_failure(Verb::create, Kind::pod, remove_last)},
      {"errors.parallel-slow-start", failing(parallel), on_failure(Verb::create, Kind::pod, create_last)},
      {"errors.conflict-never-deletes", repair,
       on_failure(Verb::update, Kind::pod,
                  [](const Request& r, const View& seen, Api& api) { api.call(remove_pod(seen, r.name.view())); })},
      {"errors.no-hammering", failing(""),
       on_failure(Verb::create, Kind::pod,
                  [](const Request& r, const View&, Api& api) {
                    for (int n = 0; n < 2; ++n) api.call(r);
                  })},
      {"errors.few-retries", conflict,
       on_failure(Verb::update_status, Kind::set,
                  [](const Request& r, const View&, Api& api) {
                    for (int n = 0; n < 5; ++n) api.call(r);
                  })},
      {"errors.failure-is-reported", failing(""), answering(Verb::create, Kind::pod, Code::ok)},
      {"errors.failure-is-reported",
       hand_made("replicas: 3", {orphan, deliver, fault_at(1, Fault::internal), sync, settle}),
       passing_over_a_failed_read()},
      {"errors.failure-is-reported",
       hand_made("replicas: 1",
                 {settle, step(StepKind::orphan_revision, 0), deliver, fault_at(1, Fault::internal), sync, settle}),
       passing_over_a_failed_read()},
      {"errors.failure-is-reported",
       hand_made("replicas: 3", {orphan, deliver, fault_at(2, Fault::invalid), sync, settle}),
       answering(Verb::patch_owners, Kind::pod, Code::ok)},
      {"errors.unclear-owners-stop-work", unadopted,
       on_failure(Verb::patch_owners, Kind::pod,
                  [](const Request&, const View& seen, Api& api) { api.call(remove_pod(seen, "web-0")); })},
      {"errors.unclear-revisions-stop-work", unrecorded,
       on_failure(Verb::create, Kind::revision,
                  [](const Request&, const View& seen, Api& api) { api.call(remove_pod(seen, "web-0")); })},
      {"errors.unclear-revisions-stop-work",
       hand_made("replicas: 3",
                 {settle, step(StepKind::edit_template, 1), deliver, fault_at(1, Fault::internal), sync}),
       on_failure(Verb::create, Kind::revision,
                  [](const Request&, const View& seen, Api& api) {
                    api.call(request_of(Verb::get, Kind::revision, seen.revisions.all.front()->meta.name.view()));
                    api.call(remove_pod(seen, "web-0"));
                  })},
  };
}

TEST(Errors, EveryPromiseIsKeptAndCanBeBroken) {
  for (const Case& c : cases()) expect_kept_and_breakable(c);
}

TEST(Errors, EveryPromiseIsTested) {
  expect_all_covered(
      errors::invariants, cases(),
      {"errors.missing-pod-is-no-error", "errors.missing-revision-is-no-error", "errors.missing-orphan-is-no-error",
       "errors.failure-is-soon-tried-again", "errors.retries-what-is-shown"});
}

TEST(Errors, WhatFailedInsideTheApiServerMayBeTriedOnceMore) {
  const auto once_more = [](Fault fault) {
    Tampered trying(on_failure(Verb::create, Kind::pod, [](const Request& r, const View&, Api& api) { api.call(r); }));
    return try_by_hand(hand_made("replicas: 3", {deliver, fault_at(2, fault), sync, settle}), trying)
        .broke("errors.no-hammering");
  };
  for (const Fault passing : {Fault::internal, Fault::unavailable, Fault::too_many_requests})
    EXPECT_FALSE(once_more(passing));
  EXPECT_TRUE(once_more(Fault::forbidden));
}

TEST(Errors, ASecondTryIsNoSecondDeed) {
  const Step fails = fault_at(1, Fault::internal), fails_later = fault_at(2, Fault::internal);
  const std::pair<const char*, Scenario> rows[] = {
      {"scaling.one-at-a-time", hand_made("replicas: 2", {settle, step(StepKind::scale, 1), deliver, fails, sync})},
      {"deletion.one-failed-pod-per-sync",
       hand_made("replicas: 2", {settle, step(StepKind::fail_pod, 1), deliver, fails, sync})},
      {"update.respects-budget", hand_made(std::string("replicas: 2") + parallel,
                                           {settle, step(StepKind::edit_template, 1), deliver, fails_later, sync})}};
  for (const auto& [id, scenario] : rows) {
    Tampered trying(on_failure(Verb::remove, Kind::pod, [](const Request& r, const View&, Api& api) { api.call(r); }));
    const Tried tried = try_by_hand(scenario, trying);
    EXPECT_TRUE(tried.applied(id)) << id;
    EXPECT_FALSE(tried.broke(id)) << tried.why(id);
  }
}

TEST(Errors, APodInTheWayThatIsAdoptedLeavesNothingUndone) {
  const auto fails = [](bool adopts) {
    StatefulSet set = hand_made("replicas: 1", {}).set;
    const std::vector<const StatefulSet*> sets{&set};
    Pod there;
    there.meta.name = "web-0";
    there.meta.uid = Uid{7};
    ByHand turn;
    turn.sync.key = Key{Text("default"), Text("web")};
    turn.sync.seen.sets = {sets, sets};
    Call& made = turn.calls.emplace_back();
    made.request = create_like(there, "web-0");
    made.reply.code = Code::already_exists;
    if (adopts) turn.calls.emplace_back().request = patch_owner(Kind::pod, there.meta, {.add = owned_by_set(set)});
    return turn.breaks("errors.failure-is-reported");
  };
  EXPECT_TRUE(fails(false));
  EXPECT_FALSE(fails(true));
}

TEST(Errors, AConflictMayBePassedOverWhereAnEventIsStillToCome) {
  const auto passed_over = [](std::initializer_list<Step> before) {
    std::vector<Step> steps = {settle, lose_label, deliver};
    steps.insert(steps.end(), before);
    steps.push_back(sync);
    Tampered silent(answering(Verb::update, Kind::pod, Code::ok));
    return !try_by_hand(hand_made("replicas: 1", std::move(steps)), silent).broke("errors.failure-is-reported");
  };
  EXPECT_TRUE(passed_over({step(StepKind::edit_labels, 0, static_cast<int>(LabelEdit::annotate))}));
  EXPECT_FALSE(passed_over({fault_at(1, Fault::conflict)}));
}

TEST(Errors, WhatIsAskedTogetherIsNoAnswerToAFailure) {
  const Scenario updating = hand_made(std::string("replicas: 3") + parallel,
                                      {settle, step(StepKind::force_delete_pod, 0), step(StepKind::edit_template, 1),
                                       deliver, fault_at(2, Fault::internal), sync, settle});
  Tampered later(removing_last_together(false)), at_once(removing_last_together(true));
  expect_broken_by("errors.parallel-stops", updating, later);
  EXPECT_FALSE(try_by_hand(updating, at_once).broke("errors.parallel-stops"));
}

/// Before a pod is repaired, web-0 is written, just as it is shown or with an annotation, whatever comes of it.
Edit writing_beside(bool something) {
  return [=](Request request, const View& seen, Api& api) {
    if (request.verb == Verb::update && request.kind == Kind::pod) {
      Request other = request;
      Pod written = *seen.pods.find("web-0");
      if (something) written.meta.annotations = std::make_shared<const StringMap>(StringMap{{"seen", "yes"}});
      other.name = written.meta.name;
      other.body = std::move(written);
      api.call(std::move(other));
    }
    return api.call(std::move(request));
  };
}

TEST(Errors, WhereNothingWasToBeChangedAFailureLeavesNothingUndone) {
  Step lose_last_label = lose_label;
  lose_last_label.a = 1;
  const Scenario repair =
      hand_made("replicas: 2", {settle, lose_last_label, deliver, fault_at(1, Fault::internal), sync, settle});
  for (const char* id : {"errors.ordered-stops", "errors.failure-is-reported"}) {
    Tampered something(writing_beside(true)), nothing(writing_beside(false));
    expect_broken_by(id, repair, something);
    EXPECT_FALSE(try_by_hand(repair, nothing).broke(id)) << id;
  }
}

/// Of a set with claims that is to own them from now on, the first of which cannot be given to it.
TEST(Errors, WhoOwnsAClaimIsNothingThatPodsAreBuiltUpon) {
  const Scenario scenario =
      hand_made(std::string("replicas: 2") + one_claim,
                {settle, step(StepKind::set_retention, 1, 0), deliver, fault_at(1, Fault::conflict), sync, settle});
  const auto breaks = [&](auto another) {
    Tampered controller(on_failure(Verb::update, Kind::claim, another));
    return try_by_hand(scenario, controller).broke("errors.ordered-stops");
  };
  EXPECT_FALSE(breaks([](const Request&, const View& seen, Api& api) {
    api.call(put_claim(*seen.claims.find(Text("data-web-1")), {}));
  }));
  EXPECT_TRUE(breaks([](const Request&, const View& seen, Api& api) { api.call(remove_pod(seen, "web-1")); }));
}

// Kubernetes repairs a pod as it is cached, which has been repaired by then: it is outdated, and goes for that.
TEST(Errors, AConflictOverWhatTheCacheHasLearntSinceIsForgotten) {
  const auto older = make_reference(find_release("kubernetes-1.35.0")->rules, {});
  const Scenario repaired_twice =
      hand_made("replicas: 1", {settle, step(StepKind::edit_template, 1), lose_label, deliver, sync,
                                at_call(1, StepKind::deliver_all), sync, settle});
  EXPECT_FALSE(try_by_hand(repaired_twice, *older).broke("errors.conflict-never-deletes"));
}

TEST(Errors, AWriteIsTriedAgainUponWhatTheCacheShowsByThen) {
  const std::string_view id = "errors.retries-what-is-shown";
  const auto looks_anew = make_reference(kubernetes_1_37_rules(), {});
  for (const Scenario& scenario :
       {hand_made("replicas: 1", {settle, step(StepKind::scale, 0), deliver, at_call(2, StepKind::edit_metadata, 1),
                                  at_call(2, StepKind::deliver_all), sync}),
        hand_made("replicas: 1", {settle, lose_label, deliver, at_call(1, StepKind::make_unready, 0),
                                  at_call(1, StepKind::deliver_all), sync})}) {
    const Tried tried = try_by_hand(scenario, *looks_anew);
    EXPECT_TRUE(tried.applied(id));
    EXPECT_FALSE(tried.broke(id)) << tried.why(id);
  }

  const auto tried_again_for = [&](std::uint64_t version, std::size_t told_after) {
    StatefulSet newer;
    newer.meta.name = "web";
    newer.meta.version = Version{9};
    const Taken taken[] = {{told_after, {newer.meta.name, &newer}}};
    ByHand turn;
    for (const std::uint64_t asked : {std::uint64_t{7}, version}) {
      Call& call = turn.calls.emplace_back();
      call.request = put_status(newer, {});
      call.request.version = Version{asked};
    }
    turn.calls.front().reply.code = Code::conflict;
    turn.sync.taken = taken;
    return turn.breaks(id);
  };
  EXPECT_TRUE(tried_again_for(7, 0));
  EXPECT_TRUE(tried_again_for(8, 0)) << "whatever the older one is";
  EXPECT_FALSE(tried_again_for(9, 0));
  EXPECT_FALSE(tried_again_for(10, 0)) << "an answer told of it";
  EXPECT_FALSE(tried_again_for(7, 1)) << "the cache showed it too late";
}

/// Looks what became of a request that was not answered, and takes it for carried out, whatever it is told.
Edit looking_without_heeding() {
  return [](Request request, const View&, Api& api) {
    const Request asked = request;
    Reply reply = api.call(std::move(request));
    if (reply.code != Code::timeout) return reply;
    api.call(request_of(Verb::get, asked.kind, asked.name.view()));
    return Reply{};
  };
}

TEST(Errors, ALookAfterATimeoutHasToShowThatItCameToPass) {
  const std::string_view id = "errors.failure-is-reported";
  const Step scale_down = step(StepKind::scale, 1), scale_up = step(StepKind::scale, 3),
             unready = step(StepKind::make_unready, 1), disown = step(StepKind::drop_owner, 0),
             stray = step(StepKind::edit_labels, 1, static_cast<int>(LabelEdit::break_selector));
  struct Work {
    std::vector<Step> steps;
    int call;  // that nobody answers
  };
  // Before an orphan is adopted the set is read.
  const Work works[] = {{{scale_down}, 1}, {{scale_up}, 1},          {{lose_label}, 1},
                        {{unready}, 1},    {{scale_down, stray}, 1}, {{disown}, 2}};
  for (const Work& work : works)
    for (const Fault fault : {Fault::timeout_before, Fault::timeout_after}) {
      Tampered careless(looking_without_heeding(), Gates{});
      std::vector<Step> steps{settle};
      steps.insert(steps.end(), work.steps.begin(), work.steps.end());
      steps.insert(steps.end(), {deliver, fault_at(work.call, fault), sync});
      const Scenario scenario = hand_made("replicas: 2", steps);
      EXPECT_EQ(try_by_hand(scenario, careless).broke(id), fault == Fault::timeout_before) << write_scenario(scenario);
    }
}

TEST(Errors, ALookAtAClaimGivesItNoOwner) {
  const std::string_view id = "errors.failure-is-reported";
  for (const Fault fault : {Fault::conflict, Fault::timeout_before}) {
    Tampered content([](Request request, const View&, Api& api) {
      const Request asked = request;
      const Reply reply = api.call(std::move(request));
      const bool owns = asked.verb == Verb::update && asked.kind == Kind::claim;
      return owns && !reply.ok() ? api.call(request_of(Verb::get, Kind::claim, asked.name.view())) : reply;
    });
    const Scenario owned = hand_made(std::string("replicas: 2") + one_claim,
                                     {settle, step(StepKind::set_retention, 1, 0), deliver, fault_at(1, fault), sync});
    EXPECT_TRUE(try_by_hand(owned, content).broke(id)) << name_of(fault);
  }
}

TEST(Errors, ALookAfterAConflictHasToShowThatSomebodyChangedIt) {
  const std::string_view id = "errors.failure-is-reported";
  Tampered content([](Request request, const View&, Api& api) {
    const Request asked = request;
    const Reply reply = api.call(std::move(request));
    const bool tells = asked.verb == Verb::update_status && reply.code == Code::conflict;
    return tells ? api.call(request_of(Verb::get, Kind::set, asked.name.view())) : reply;
  });
  EXPECT_TRUE(try_by_hand(hand_made("replicas: 1", {deliver, fault_at(3, Fault::conflict), sync}), content).broke(id));
  const Scenario changed = hand_made("replicas: 1", {deliver, at_call(3, StepKind::edit_metadata), sync});
  EXPECT_FALSE(try_by_hand(changed, content).broke(id)) << "news of it makes a turn";
}

TEST(Errors, DeletingOrAdoptingWhatIsGoneIsNoFailure) {
  const Scenario vanished = hand_made("replicas: 2", {settle, step(StepKind::scale, 1), deliver,
                                                      at_call(1, StepKind::force_delete_pod, 1), sync, settle});
  Followed failing([](const View&, Api&, SyncResult& result) {
    result.failed = true;
    result.code = Code::not_found;
  });
  expect_broken_by("errors.missing-pod-is-no-error", vanished, failing);
  Followed making_sure([](const View&, Api& api, SyncResult& result) {
    api.call(request_of(Verb::get, Kind::pod, "web-9"));
    result.failed = true;
    result.code = Code::not_found;
  });
  expect_broken_by("errors.missing-pod-is-no-error", vanished, making_sure);
  const Scenario pruned = hand_made("replicas: 0\nrevisionHistoryLimit: 0",
                                    {settle, step(StepKind::edit_template, 1), deliver, sync, deliver,
                                     at_call(1, StepKind::delete_revision, 0), sync, settle});
  expect_broken_by("errors.missing-revision-is-no-error", pruned, failing);
  // The set is asked for, then the pod is to be adopted.
  const Scenario left =
      hand_made("replicas: 1", {deliver, orphan, deliver, at_call(2, StepKind::force_delete_pod, 0), sync, settle});
  expect_broken_by("errors.missing-orphan-is-no-error", left, failing);
}

TEST(Errors, ToComeAgainInADayIsNoAnswerToAFailure) {
  const Scenario failing =
      hand_made("replicas: 1", {deliver, at_call(1, StepKind::fault, static_cast<int>(Fault::internal)), sync, settle});
  Followed tomorrow = coming_again_instead_of_failing(Time::seconds(86'400)),
           soon = coming_again_instead_of_failing(Time::seconds(60));
  expect_broken_by("errors.failure-is-reported", failing, tomorrow);
  EXPECT_FALSE(try_by_hand(failing, soon).broke("errors.failure-is-reported"));
  Followed later = coming_again_instead_of_failing(Time::seconds(61));
  EXPECT_FALSE(try_by_hand(failing, later).broke("errors.failure-is-reported"));
  expect_broken_by("errors.failure-is-soon-tried-again", failing, later);
  EXPECT_FALSE(try_by_hand(failing, soon).broke("errors.failure-is-soon-tried-again"));
}

TEST(Errors, ReleasingAPodThatIsAnotherByNowIsNoFailure) {
  const Scenario renewed =
      hand_made("replicas: 1", {settle, step(StepKind::edit_labels, 0, static_cast<int>(LabelEdit::break_selector)),
                                step(StepKind::scale, 0), deliver, step(StepKind::force_delete_pod, 0),
                                step(StepKind::add_pod, 0, static_cast<int>(ForeignPod::orphan)), sync, settle});
  Followed failing([](const View&, Api&, SyncResult& result) {
    result.failed = true;
    result.code = Code::invalid;
  });
  expect_broken_by("errors.missing-orphan-is-no-error", renewed, failing);
}

/// Nobody holds the name of the revision that the status names: a user deleted it, and the turn made sure.
TEST(Errors, ARevisionThatIsGoneIsAnAnswer) {
  const StatefulSet set = hand_made("replicas: 1").set;
  const std::vector<const StatefulSet*> sets{&set};
  const auto told_that_nobody_holds = [&](std::string_view name) {
    ByHand turn;
    turn.sync.key = Key{Text("default"), Text("web")};
    turn.sync.seen.sets = {sets, sets};
    turn.calls.emplace_back().request = request_of(Verb::create, Kind::revision, "web-new");
    turn.calls.back().reply.code = Code::already_exists;
    turn.calls.emplace_back().request = request_of(Verb::get, Kind::revision, "web-new");
    turn.calls.emplace_back().request = request_of(Verb::get, Kind::revision, name);
    turn.calls.back().reply.code = Code::not_found;
    turn.calls.emplace_back().request = put_status(set, {});
    return turn;
  };
  EXPECT_FALSE(told_that_nobody_holds("web-old").breaks("errors.unclear-revisions-stop-work"));
  EXPECT_TRUE(told_that_nobody_holds("web-new").breaks("errors.unclear-revisions-stop-work")) << "its name was taken";
}

}  // namespace
}  // namespace ordeal::properties::testing
