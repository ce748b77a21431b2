#include "properties/invariants/status.h"

#include <gmock/gmock.h>

#include "core/controller/releases.h"
#include "properties/invariants/moment_test.h"
#include "properties/world/strangers.h"

namespace ordeal::properties::testing {
namespace {

const Step edit = step(StepKind::edit_template, 1);
constexpr const char* recreate = "\nupdateStrategy:\n  type: Recreate";
constexpr const char* on_delete = "\nupdateStrategy:\n  type: OnDelete";

Scenario three(std::string more, std::vector<Step> steps = {settle, edit, settle}) {
  return hand_made("replicas: 3" + more, std::move(steps));
}
Edit counting(std::int32_t StatefulSetStatus::* field, std::int32_t by) {
  return changing_status([=](StatefulSetStatus& status, const View&) { status.*field += by; });
}
/// Without a rollingUpdate block whatever is not counted out comes back at the old revision.
Edit not_counting_out_what_it_replaces() {
  return changing_status([](StatefulSetStatus& status, const View& seen) {
    if (status.current_revision == status.update_revision) return;
    const auto is_at_current = [&](const Pod* pod) {
      const Text* at = pod->meta.label(label_revision);
      return at != nullptr && *at == status.current_revision && !pod->meta.terminating();
    };
    status.current_replicas = static_cast<std::int32_t>(std::ranges::count_if(seen.pods.all, is_at_current));
  });
}
/// Declares the rollout complete as soon as `early`.
Edit completing(std::function<bool(const StatefulSetStatus&)> early) {
  return changing_status([=](StatefulSetStatus& status, const View&) {
    if (early(status)) status.current_revision = status.update_revision;
  });
}
/// Makes the update revision the current one, and tells of the pods at the last one.
Edit completing_by_name_alone() {
  return changing_status([](StatefulSetStatus& status, const View& seen) {
    const Text& before = set_in(seen).status.current_revision;
    if (!before.empty() && status.current_revision != before)
      status.current_replicas = set_in(seen).status.current_replicas;
  });
}
Edit never_completing() {
  return changing_status([](StatefulSetStatus& status, const View& seen) {
    const Text& before = set_in(seen).status.current_revision;
    if (!before.empty()) status.current_revision = before;
  });
}
Edit writing_times(int times) {
  return [=](Request request, const View&, Api& api) {
    for (int n = 1; n < times && request.verb == Verb::update_status; ++n) api.call(request);
    return api.call(std::move(request));
  };
}
Edit silent(std::function<bool(const StatefulSetStatus&)> when) {
  return swallowing(Verb::update_status, Kind::set,
                    [=](const Request& request, const View&) { return when(request.status()); });
}
Edit progressing_for_ever() {
  return changing_status([](StatefulSetStatus& status, const View&) {
    for (StatefulSetCondition& condition : status.conditions) condition.status = "True";
  });
}
Edit progressing_at_once(std::string_view told) {
  return changing_status([=](StatefulSetStatus& status, const View&) {
    status.conditions = {{.type = "Progressing", .status = told, .reason = {}, .message = {}, .last_transition = {}}};
  });
}
bool always(const StatefulSetStatus&) { return true; }
/// Who holds the place is nobody's promise; what the set asks for is told nevertheless.
const Scenario with_a_second_pod_in_a_place =
    three("", {settle, step(StepKind::add_pod, 1, static_cast<int>(ForeignPod::leading_zero)), edit, settle});
bool of_the_second_spec(const StatefulSetStatus& status) { return status.observed_generation > 1; }

/// Tells of the first generation again once the rollout is under way.
Edit looking_back() {
  return changing_status([](StatefulSetStatus& status, const View&) {
    if (status.updated_replicas == 1 && status.observed_generation > 1) status.observed_generation = 1;
  });
}

/// After a conflict it reads the set, and tells what it counted as if it were of the spec that is stored by now.
Reply telling_the_newest_generation(Request request, const View&, Api& api) {
  const Reply reply = api.call(request);
  if (request.verb != Verb::update_status || reply.code != Code::conflict) return reply;
  const Reply live = api.call(request_of(Verb::get, Kind::set, request.name.view()));
  const StatefulSet* set = live.as<StatefulSet>();
  if (set == nullptr) return reply;
  request.version = set->meta.version;
  std::get<StatefulSetStatus>(request.body).observed_generation = set->meta.generation;
  return api.call(request);
}

/// Takes the pods that an update deletes from those that are updated.
Edit counting_out_what_it_replaces() {
  return [deleted = std::make_shared<int>(0)](Request request, const View&, Api& api) {
    if (request.verb == Verb::remove && request.kind == Kind::pod) ++*deleted;
    if (request.verb == Verb::update_status) {
      auto& status = std::get<StatefulSetStatus>(request.body);
      status.updated_replicas = std::max(0, status.updated_replicas - std::exchange(*deleted, 0));
    }
    return api.call(std::move(request));
  };
}

std::vector<Case> cases() {
  const Step edit_meanwhile = at_call(1, StepKind::edit_template, 1);
  const Step create_fails = at_call(2, StepKind::fault, static_cast<int>(Fault::internal));
  const Scenario failing = hand_made("replicas: 1", {deliver, create_fails, sync, settle});
  const Scenario by_hand =
      three(on_delete, {settle, edit, step(StepKind::delete_pod, 0), settle, step(StepKind::delete_pod, 1), settle,
                        step(StepKind::delete_pod, 2), settle});
  return {
      {"status.replicas", three(""), counting(&StatefulSetStatus::replicas, 1)},
      {"status.replicas", hand_made("replicas: 3\npodManagementPolicy: Parallel"),  // pods just made counted twice
       changing_status([](StatefulSetStatus& status, const View& seen) {
         if (seen.pods.all.empty()) status.replicas = 6;
       })},
      {"status.counts-while-deleting",
       three("", {settle, step(StepKind::make_unready, 0), step(StepKind::delete_set, 1), deliver, sync}),
       changing_status([](StatefulSetStatus& status, const View& seen) {
         if (set_in(seen).meta.terminating()) status.replicas = 0;
       })},
      {"status.written-while-deleting",
       three("", {settle, step(StepKind::delete_set, 1), step(StepKind::force_delete_pod, 0), deliver, sync}),
       silent(always)},
      {"status.ready-replicas", three(""), counting(&StatefulSetStatus::ready_replicas, -1)},
      {"status.available-replicas", three(""), counting(&StatefulSetStatus::available_replicas, -1)},
      {"status.updated-replicas", three(""), counting(&StatefulSetStatus::updated_replicas, -1)},
      {"status.updated-replicas", three(""), counting_out_what_it_replaces()},
      {"status.current-replicas", three(""), counting(&StatefulSetStatus::current_replicas, 7)},
      {"status.current-replicas", three(""), completing_by_name_alone()},
      {"status.current-replicas", three("\nupdateStrategy: {type: RollingUpdate}"),
       not_counting_out_what_it_replaces()},
      {"status.current-replicas-exact", three(""), counting(&StatefulSetStatus::current_replicas, -1)},
      {"status.within-bounds", three("", {settle}),
       changing_status([](StatefulSetStatus& s, const View&) { s.available_replicas = s.ready_replicas + 1; })},
      {"status.within-bounds", three("", {settle}),
       changing_status([](StatefulSetStatus& s, const View&) { s.updated_replicas = s.replicas + 1; })},
      {"status.within-bounds", three(""), counting(&StatefulSetStatus::available_replicas, 4)},
      {"status.within-bounds", three(""), counting(&StatefulSetStatus::ready_replicas, 4)},
      {"status.within-bounds", three(""), counting(&StatefulSetStatus::current_replicas, 4)},
      {"status.within-bounds", three(""), counting(&StatefulSetStatus::updated_replicas, 4)},
      {"status.never-negative", three(""), counting(&StatefulSetStatus::current_replicas, -7)},
      {"status.written-when-changed", three(""), silent(always)},
      {"status.written-despite-failure", failing, silent(always)},
      {"status.no-needless-write", three(""),
       adding(Verb::remove, Kind::pod,
              [](const Request&, const View& seen, Api& api) {
                api.call(put_status(set_in(seen), set_in(seen).status));
              })},
      {"status.observed-generation", three(""), looking_back()},
      {"status.observed-generation",
       three("", {settle, step(StepKind::scale, 2), deliver, edit_meanwhile, sync, settle}),
       telling_the_newest_generation},
      {"status.observed-not-ahead", three(""),
       changing_status([](StatefulSetStatus& status, const View&) { status.observed_generation += 5; })},
      {"status.observed-never-falls", three(""), looking_back()},
      {"status.observed-never-falls-when-stale", three("", {settle, edit, sync, settle}), looking_back()},
      {"status.update-revision", three(""), changing_status([](StatefulSetStatus& status, const View&) {
         status.update_revision = status.current_revision;
       })},
      {"status.current-revision", three(""),
       changing_status([](StatefulSetStatus& status, const View&) { status.current_revision = "web-none"; })},
      {"status.completion-needs-all-updated", three(""), completing(always)},
      {"status.completion-needs-every-place", three(""),
       completing([](const StatefulSetStatus& status) { return status.replicas < 3; })},
      {"status.completion-needs-availability", three("\nminReadySeconds: 10"),
       completing([](const StatefulSetStatus& s) { return s.updated_replicas == 3 && s.available_replicas < 3; })},
      {"status.completion-heeds-partition",
       hand_made("replicas: 0\nupdateStrategy: {rollingUpdate: {partition: 2}}", {settle, edit, settle}),
       completing(always)},
      {"status.completes-when-done", three(""), never_completing()},
      {"status.every-strategy-completes", by_hand, never_completing()},
      {"status.retries-only-conflicts", three("", {settle, step(StepKind::outage, 5, 0), edit, settle}),
       writing_times(3)},
      {"status.few-attempts", three(""), writing_times(6)},
      {"status.conditions-of-others-kept", three("", {settle, step(StepKind::add_condition, 1), edit, settle}),
       changing_status([](StatefulSetStatus& status, const View&) { status.conditions.clear(); })},
      {"status.conditions-of-others-kept", three("", {settle, step(StepKind::add_condition, 2), edit, settle}),
       changing_status([](StatefulSetStatus& status, const View&) {
         std::erase_if(status.conditions, [](const StatefulSetCondition& told) { return told.type == "StatusUpdate"; });
       })},
      {"status.one-condition-of-a-type", three("", {settle, step(StepKind::add_condition, 1), edit, settle}),
       changing_status([](StatefulSetStatus& status, const View&) {
         if (!status.conditions.empty()) status.conditions.push_back(StatefulSetCondition(status.conditions.front()));
       })},
      {"status.conditions-say-what-they-are", three("", {settle, step(StepKind::add_condition, 1), edit, settle}),
       changing_status([](StatefulSetStatus& status, const View&) {
         for (StatefulSetCondition& condition : status.conditions) condition.type = Text();
       })},
      {"status.conditions-say-what-they-are", three("", {settle, step(StepKind::add_condition, 1), edit, settle}),
       changing_status([](StatefulSetStatus& status, const View&) {
         for (StatefulSetCondition& condition : status.conditions) condition.status = "true";
       })},
      {"status.transition-times", three(recreate), changing_status([](StatefulSetStatus& status, const View&) {
         for (StatefulSetCondition& condition : status.conditions) condition.last_transition.reset();
       })},
      {"status.transition-times", three("", {settle, step(StepKind::add_condition, 1), edit, settle}),
       changing_status([](StatefulSetStatus& status, const View&) {
         for (StatefulSetCondition& condition : status.conditions) condition.last_transition = Time::seconds(1'000'000);
       })},
      {"status.transition-times",
       three("", {settle, step(StepKind::add_condition, 1), step(StepKind::advance, 5), edit, settle}),
       changing_status([](StatefulSetStatus& status, const View&) {
         for (StatefulSetCondition& condition : status.conditions) condition.status = "Unknown";
       })},
      {"status.conditions-say-why", three(recreate), changing_status([](StatefulSetStatus& status, const View&) {
         for (StatefulSetCondition& condition : status.conditions) condition.reason = Text();
       })},
      {"status.conditions-say-why", three(recreate), changing_status([](StatefulSetStatus& status, const View&) {
         for (StatefulSetCondition& condition : status.conditions) condition.reason = condition.message;
       })},
      {"status.conditions-say-why", three(recreate), changing_status([](StatefulSetStatus& status, const View&) {
         for (StatefulSetCondition& condition : status.conditions) condition.reason = "Recreate";
       })},
      {"status.conditions-say-why", three(recreate), changing_status([](StatefulSetStatus& status, const View&) {
         for (StatefulSetCondition& condition : status.conditions) condition.message = "pods are recreated";
       })},
      {"status.tells-of-recreation", three(recreate),
       changing_status([](StatefulSetStatus& status, const View&) { status.conditions.clear(); })},
      {"status.recreation-ends-at-rest", three(recreate), progressing_for_ever()},
      {"status.recreation-ends-at-rest",
       three(recreate, {settle, edit, step(StepKind::deliver_all), step(StepKind::sync),
                        step(StepKind::set_strategy, 0), settle}),
       progressing_for_ever()},
      {"status.progress-needs-an-update", three(recreate), progressing_at_once("True")},
      {"status.progress-needs-an-update", three(recreate), progressing_at_once("False")},
      {"status.counts-at-rest", three(""), silent([](const StatefulSetStatus& s) { return s.ready_replicas == 3; })},
      {"status.generation-at-rest", three(""), silent(of_the_second_spec)},
      {"status.generation-at-rest", with_a_second_pod_in_a_place, silent(of_the_second_spec)},
      {"status.update-revision-at-rest", three(""), silent(of_the_second_spec)},
      {"status.update-revision-at-rest", with_a_second_pod_in_a_place, silent(of_the_second_spec)},
  };
}

TEST(Status, EveryPromiseIsKeptAndCanBeBroken) {
  for (const Case& c : cases()) expect_kept_and_breakable(c);
}

TEST(Status, EveryPromiseIsTested) { expect_all_covered(status::invariants, cases()); }

TEST(Status, OfASetThatWasGoneByThenNoProgressIsAsked) {
  Tampered progressing(progressing_at_once("True"), Gates{});
  const std::vector<Step> gone = {at_call(1, StepKind::delete_set), step(StepKind::deliver_all), step(StepKind::sync)};
  EXPECT_FALSE(try_by_hand(three(recreate, gone), progressing).broke("status.progress-needs-an-update"));
}

TEST(Status, MayBeWrittenAgainOnceItIsWritten) {
  Tampered twice(writing_times(2), Gates{});
  EXPECT_FALSE(try_by_hand(three(""), twice).broke("status.retries-only-conflicts"));
}

TEST(Status, MayBeWrittenOnceMoreAfterAnErrorInsideTheApiServer) {
  const Scenario outage = three("", {settle, step(StepKind::outage, 5, 0), edit, settle});
  Tampered twice(writing_times(2), Gates{});
  EXPECT_FALSE(try_by_hand(outage, twice).broke("status.retries-only-conflicts"));
}

/// known-bugs.md U09: the third revision arrives while pods are at two others.
TEST(Status, KubernetesLowersCurrentReplicasForPodsItNeverCounted) {
  const Scenario scenario = hand_made("replicas: 3\nupdateStrategy:\n  rollingUpdate:\n    partition: 1",
                                      {settle, edit, settle, step(StepKind::edit_template, 2), deliver, sync, settle});
  const auto kubernetes = make_reference(kubernetes_1_37_rules(), {});
  const Tried tried = try_by_hand(scenario, *kubernetes);
  EXPECT_TRUE(tried.broke("status.current-replicas-exact"));
  EXPECT_FALSE(tried.broke("status.current-replicas")) << tried.why("status.current-replicas");
}

TEST(Status, OnlyADeletionThatMayHaveHappenedIsCountedOut) {
  const Edit one_too_few = changing_status([](StatefulSetStatus& status, const View& seen) {
    const bool begins = status.current_revision != status.update_revision && set_in(seen).status.current_replicas == 3;
    if (begins) status.current_replicas = 2;
  });
  for (const Fault fault : {Fault::none, Fault::timeout_before, Fault::internal, Fault::forbidden}) {
    std::vector<Step> steps{settle, edit, deliver, sync};
    if (fault != Fault::none) steps.insert(steps.end() - 1, at_call(2, StepKind::fault, static_cast<int>(fault)));
    Tampered counting_out(one_too_few, Gates{});
    const Tried tried = try_by_hand(three("", steps), counting_out);
    EXPECT_EQ(tried.broke("status.current-replicas"), fault == Fault::internal || fault == Fault::forbidden)
        << name_of(fault) << ": " << tried.why("status.current-replicas");
  }
}

/// A pod's deletion is answered with the pod, as it is by then.
TEST(Status, ReadinessMayBeCountedAsAnswersTellIt) {
  const Edit one_too_few = changing_status([](StatefulSetStatus& status, const View& seen) {
    if (set_in(seen).spec->replicas == 2 && status.ready_replicas == 3)
      status.ready_replicas = status.available_replicas = 2;
  });
  for (const bool answered : {false, true}) {
    std::vector<Step> steps{settle, step(StepKind::scale, 2), deliver, sync};
    if (answered) steps.insert(steps.end() - 1, at_call(0, StepKind::make_unready, 2));
    Tampered counting_out(one_too_few, Gates{});
    const Tried tried = try_by_hand(three("", steps), counting_out);
    for (const char* id : {"status.ready-replicas", "status.available-replicas"})
      EXPECT_EQ(tried.broke(id), !answered) << id << ": " << tried.why(id);
  }
}

/// The first is open in 1.37, the second until 1.36.
TEST(Status, KubernetesCompletesTooEarlyOrNever) {
  const auto kubernetes = make_reference(kubernetes_1_37_rules(), {});
  const Tried early = try_by_hand(three("\nminReadySeconds: 10"), *kubernetes);
  EXPECT_TRUE(early.broke("status.completion-needs-availability"));
  EXPECT_FALSE(early.broke("status.completion-needs-all-updated"));
  const Tried never =
      try_by_hand(three(on_delete, {settle, edit, step(StepKind::delete_pod, 0), settle, step(StepKind::delete_pod, 1),
                                    settle, step(StepKind::delete_pod, 2), settle}),
                  *make_reference(find_release("kubernetes-1.36")->rules, {}));
  EXPECT_TRUE(never.broke("status.every-strategy-completes"));
  EXPECT_FALSE(never.broke("status.completes-when-done"));
}

/// First the counts, then that the rollout is complete.
TEST(Status, WhatIsWrittenInTwoStepsIsJudgedByTheSecond) {
  Tampered in_two_steps([](Request request, const View& seen, Api& api) {
    const StatefulSetStatus& shown = set_in(seen).status;
    if (request.verb != Verb::update_status || request.status().current_revision == shown.current_revision)
      return api.call(std::move(request));
    Request counts = request;
    auto& first = std::get<StatefulSetStatus>(counts.body);
    first.current_revision = shown.current_revision;
    first.current_replicas = shown.current_replicas;
    const Reply reply = api.call(std::move(counts));
    if (!reply.ok()) return reply;
    request.version = reply.version();
    return api.call(std::move(request));
  });
  const Tried tried = try_by_hand(three(""), in_two_steps);
  EXPECT_TRUE(tried.applied("status.completes-when-done"));
  EXPECT_FALSE(tried.broke("status.completes-when-done")) << tried.why("status.completes-when-done");
}

/// Counts what its caches show, and remembers what it wrote: the pod that it has made is in neither.
TEST(Status, WhoRemembersWhatItWroteNeedNotWriteItAgain) {
  std::optional<StatefulSetStatus> written;
  const Edit remembering = [&](Request request, const View& seen, Api& api) {
    if (request.verb != Verb::update_status) return api.call(std::move(request));
    auto& status = std::get<StatefulSetStatus>(request.body);
    status.replicas = status.current_replicas = status.updated_replicas =
        static_cast<std::int32_t>(seen.pods.all.size());
    if (written == status) return Reply{};
    const StatefulSetStatus sent = status;
    const Reply reply = api.call(std::move(request));
    if (reply.ok()) written = sent;
    return reply;
  };
  Tampered controller(remembering, {.stale_guard = false});
  const Tried tried = try_by_hand(hand_made("replicas: 1", {deliver, sync, sync}), controller);
  EXPECT_TRUE(tried.applied("status.written-despite-failure"));
  EXPECT_FALSE(tried.broke("status.written-despite-failure")) << tried.why("status.written-despite-failure");
}

TEST(Status, WhoWasToldThatItsSetIsGoneNeedNotTellItsPods) {
  StatefulSet shown = hand_made("replicas: 1").set;
  shown.meta.deletion = Time{};
  shown.status.replicas = 1;
  const std::vector<const StatefulSet*> sets{&shown};
  ByHand now;
  now.sync.key = Key{Text("default"), Text("web")};
  now.sync.seen.sets = {sets, sets};
  EXPECT_TRUE(now.breaks("status.written-while-deleting")) << "there are no pods any more";
  Call asked{.request = put_status(shown, shown.status), .reply = {.code = Code::not_found}};
  Sync last;
  last.calls = {&asked, 1};
  now.history.last_sync = &last;
  EXPECT_FALSE(now.ask("status.written-while-deleting").applied());
  asked.reply.code = Code::conflict;
  EXPECT_TRUE(now.breaks("status.written-while-deleting"));
}

/// Of none, one and two replicas those that a set which goes may not tell of while it controls this pod alone.
std::vector<int> wrong_counts(Pod pod) {
  StatefulSet shown = hand_made("replicas: 1").set;
  shown.meta.deletion = Time{};
  pod.meta.owners = owned_by(group_version_apps, kind_stateful_set, "web", shown.meta.uid);
  const std::vector<const StatefulSet*> sets{&shown};
  const std::vector<const Pod*> pods{&pod};
  ByHand now;
  now.sync.key = Key{Text("default"), Text("web")};
  now.sync.seen.sets = {sets, sets};
  now.sync.seen.pods = {pods, pods};
  StatefulSetStatus told;
  Call& call = now.calls.emplace_back();
  std::vector<int> wrong;
  for (const int replicas : {0, 1, 2}) {
    told.replicas = replicas;
    call.request = put_status(shown, told);
    if (now.breaks("status.counts-while-deleting")) wrong.push_back(replicas);
  }
  return wrong;
}

TEST(Status, ASetThatGoesMayCountPodsOfStrangeNamesThatItControls) {
  Pod stranger;
  stranger.meta.name = "other-web-1";
  EXPECT_THAT(wrong_counts(std::move(stranger)), ::testing::ElementsAre(2));
}

TEST(Status, ASetThatGoesCountsItsSurplusPods) {
  Pod surplus;
  surplus.meta.name = "web-4";
  surplus.meta.labels = std::make_shared<const StringMap>(StringMap{{"app", "web"}});
  surplus.phase = Phase::running;
  EXPECT_THAT(wrong_counts(std::move(surplus)), ::testing::ElementsAre(0, 2));
}

/// client.MergeFrom and its like send what has changed since the cache, which may be behind.
TEST(Status, APatchIsAskedAboutWhatItChangesAlone) {
  StatefulSet shown = hand_made("replicas: 2").set, stored = shown;
  shown.meta.generation = 3;
  stored.status.ready_replicas = 2;
  stored.status.observed_generation = 2;
  const std::vector<const StatefulSet*> sets{&shown};
  ByHand patch;
  patch.sync.key = Key{Text("default"), Text("web")};
  patch.sync.seen.sets = {sets, sets};
  Call& call = patch.calls.emplace_back();
  call.request = put_status(shown, stored.status);
  call.set_before = &stored;
  for (const std::string_view id : {"status.ready-replicas", "status.observed-generation"}) {
    call.request.partial = false;
    EXPECT_TRUE(patch.breaks(id)) << "a whole status says so";
    call.request.partial = true;
    EXPECT_TRUE(patch.holds(id)) << id;
  }
  stored.status.ready_replicas = 1;
  EXPECT_TRUE(patch.breaks("status.ready-replicas")) << "it was changed to that";
  shown.status.current_revision = "web-1";
  stored.status.update_revision = "web-2";  // of a set that was made anew since
  call.request.body = stored.status;
  for (const std::string_view id : {"status.update-revision", "status.current-revision"}) {
    call.request.partial = true;
    EXPECT_FALSE(patch.breaks(id)) << id;
    call.request.partial = false;
    EXPECT_TRUE(patch.breaks(id)) << id;
  }
}

}  // namespace
}  // namespace ordeal::properties::testing
