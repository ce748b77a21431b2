#include "properties/invariants/update.h"

#include "core/controller/rules_table.h"
#include "properties/invariants/moment_test.h"

namespace ordeal::properties::testing {
namespace {

const Step edit = step(StepKind::edit_template, 1);
const Step good_edit = step(StepKind::edit_template, 2);
const Step bad_edit = step(StepKind::edit_template, 1, static_cast<int>(TemplateFlavour::unready));

constexpr const char* on_delete = "\nupdateStrategy:\n  type: OnDelete";
constexpr const char* recreate = "\nupdateStrategy:\n  type: Recreate";
constexpr const char* partition_2 = "\nupdateStrategy:\n  rollingUpdate:\n    partition: 2";
constexpr const char* at_most_2 = "\nupdateStrategy:\n  rollingUpdate:\n    maxUnavailable: 2";
constexpr const char* at_most_half = "\nupdateStrategy:\n  rollingUpdate:\n    maxUnavailable: 50%";
constexpr const char* two_from_1_on = "\nupdateStrategy:\n  rollingUpdate:\n    partition: 1\n    maxUnavailable: 2";
constexpr const char* two_thirds_from_1_on =
    "\nupdateStrategy:\n  rollingUpdate:\n    partition: 1\n    maxUnavailable: 67%";
constexpr const char* no_block = "\nupdateStrategy:\n  type: RollingUpdate";
constexpr const char* parallel = "\npodManagementPolicy: Parallel";

/// Three pods, at rest (the sync finds nothing to do), then these steps.
Scenario three(std::string strategy, std::vector<Step> more = {edit, settle}) {
  std::vector<Step> steps{settle, sync};
  steps.insert(steps.end(), more.begin(), more.end());
  return hand_made("replicas: 3" + strategy, std::move(steps));
}

Edit removing_instead(std::string of, std::string other) {
  return [=](Request request, const View& seen, Api& api) {
    const bool hit = request.verb == Verb::remove && request.kind == Kind::pod && request.name == of;
    return api.call(hit ? remove_pod(seen, other) : std::move(request));
  };
}
Edit removing_too(std::string of, std::string other) {
  return adding(Verb::remove, Kind::pod, [=](const Request& request, const View& seen, Api& api) {
    if (request.name == of) api.call(remove_pod(seen, other));
  });
}
Edit hurrying(std::string name, std::function<bool(const View&)> when) {
  return when_writing_status([=](const View& seen, Api& api) {
    if (pod_in(seen, name) && when(seen)) api.call(remove_pod(seen, name));
  });
}
Edit never_removing() {
  return swallowing(Verb::remove, Kind::pod, [](const Request&, const View&) { return true; });
}
/// A controller that gives up on its second edit.
Edit leaving_broken() {
  return swallowing(Verb::remove, Kind::pod,
                    [](const Request&, const View& seen) { return set_in(seen).meta.generation > 2; });
}
Edit creating_too(std::string name) {
  return [=](Request request, const View& seen, Api& api) {
    const bool removes = request.verb == Verb::remove && request.kind == Kind::pod;
    const Reply reply = api.call(std::move(request));
    if (removes) api.call(create_like(*seen.pods.all.front(), name));
    return reply;
  };
}
void label_otherwise(Pod& pod, const View& seen) {
  const StatefulSetStatus& status = set_in(seen).status;
  const bool updated = *pod.meta.label(label_revision) == status.update_revision;
  set_label(pod, label_revision, updated ? status.current_revision : status.update_revision);
}
bool outdated_was_there(const View& seen) { return pod_in(seen, "web-2") && !is_updated(seen, "web-2"); }
bool was_edited(const View& seen) { return set_in(seen).meta.generation > 1; }
bool last_is_away_for_its_update(const View& seen) {
  const Pod* last = pod_in(seen, "web-2");
  return was_edited(seen) && (last == nullptr || last->meta.terminating());
}

/// Its pods outlive it, and the next set of its name wants a volume that they do not have; then it is edited.
std::vector<Step> made_again_with_a_claim() {
  return {step(StepKind::delete_set, static_cast<int>(Propagation::orphan)),
          step(StepKind::collect),
          step(StepKind::create_set, static_cast<int>(Recreation::more_claims)),
          deliver,
          sync,
          edit,
          settle};
}

std::vector<Case> cases() {
  const Step delete_first = step(StepKind::delete_pod, 0), stumble = step(StepKind::make_unready, 0);
  return {
      {"update.by-one-view", with_pods_unseen("replicas: 3", {settle, edit, deliver, sync}),
       remembering(Verb::remove, "web-2", "web-1")},
      {"update.respects-partition", three(partition_2), removing_instead("web-2", "web-1")},
      {"update.waits-for-users", three(on_delete), hurrying("web-2", was_edited)},
      {"update.only-outdated", three(""), removing_too("web-1", "web-2")},
      {"update.partition-protects", three(partition_2), removing_instead("web-2", "web-1")},
      {"update.largest-ordinal-first", three(""), removing_instead("web-2", "web-1")},
      {"update.waits-for-successors", with_gate_off(three("")), removing_instead("web-2", "web-1")},
      {"update.waits-for-all", three(""), hurrying("web-1", last_is_away_for_its_update)},
      {"update.waits-for-lower-pods", with_gate_off(three(parallel, {stumble, edit, deliver, sync, settle})),
       hurrying("web-2", outdated_was_there)},
      {"update.after-scaling", three("", {edit, step(StepKind::scale, 2), settle}), removing_instead("web-2", "web-1")},
      {"update.replaces-later", three(""), creating_too("web-2")},
      {"update.one-at-a-time", with_gate_off(three("")), removing_too("web-2", "web-1")},
      {"update.in-order-within-budget",  // two that are only unready for a moment
       three("", {stumble, step(StepKind::make_unready, 1), edit, deliver, sync}), removing_too("web-1", "web-0")},
      {"update.respects-budget", three(""), removing_too("web-2", "web-1")},
      {"update.rounds-down", three(at_most_half), removing_too("web-2", "web-1")},
      {"update.counts-pods-below-partition",
       three(std::string(parallel) + two_from_1_on, {stumble, edit, deliver, sync}), removing_too("web-2", "web-1")},
      {"update.percentage-of-all-pods", three(two_thirds_from_1_on), swallowing(Verb::remove, Kind::pod, "web-1")},
      {"update.uses-the-budget", three(at_most_2), swallowing(Verb::remove, Kind::pod, "web-1")},
      {"update.uses-the-budget",
       three(std::string(parallel),
             {step(StepKind::hold_pod, 2), step(StepKind::scale, 2), deliver, sync, edit, deliver, sync, settle}),
       swallowing(Verb::remove, Kind::pod,
                  [](const Request& request, const View& seen) {
                    return request.name == "web-1" && pod_in(seen, "web-2") != nullptr;
                  })},
      {"update.uses-what-is-left", three(std::string(parallel) + std::string(at_most_2)),
       swallowing(Verb::remove, Kind::pod, "web-1")},
      {"update.replaces-broken-at-once", three(parallel, {bad_edit, settle, good_edit, settle}), leaving_broken()},
      {"update.replaces-settling-at-once",
       three(std::string(parallel) + std::string(at_most_2) + "\nminReadySeconds: 30",
             {step(StepKind::make_unready, 0), step(StepKind::make_ready, 0), edit, deliver, sync, settle}),
       swallowing(Verb::remove, Kind::pod, "web-0")},
      {"update.replaces-broken-one-by-one", with_gate_off(three(parallel, {bad_edit, settle, good_edit, settle})),
       leaving_broken()},
      {"update.replaces-broken-one-by-one",
       three(std::string(parallel) + no_block, {bad_edit, settle, good_edit, settle}), leaving_broken()},
      {"update.uses-the-budget", three(std::string(parallel) + no_block), swallowing(Verb::remove, Kind::pod, "web-1")},
      {"update.replaces-broken-while-others-go",
       three(no_block, {step(StepKind::hold_pod, 2), step(StepKind::delete_pod, 2), edit,
                        step(StepKind::make_unready, 1), deliver, sync, deliver, sync}),
       swallowing(Verb::remove, Kind::pod, "web-1")},
      {"update.replaces-broken-while-others-go",  // a lost node keeps web-2 where it is
       three("", {step(StepKind::hold_pod, 2), step(StepKind::delete_pod, 2), edit, step(StepKind::make_unready, 0),
                  deliver, sync, deliver, sync}),
       swallowing(Verb::remove, Kind::pod, "web-0")},
      {"update.unavailable-within-budget", three(""), removing_too("web-2", "web-1")},
      {"update.recreates-current-below-partition", three(partition_2, {edit, settle, delete_first, settle}),
       changing_new_pods(label_otherwise)},
      {"update.creates-updated", three(""), changing_new_pods(label_otherwise)},
      {"update.creates-by-count", three(no_block), changing_new_pods(label_otherwise)},
      {"update.replacement-differs",
       three(std::string(no_block) + parallel, {stumble, step(StepKind::make_unready, 2), edit, deliver, sync, settle}),
       removing_instead("web-2", "web-0")},
      {"update.keeps-progress", three(""), changing_new_pods([](Pod& pod, const View& seen) {
         if (const Pod* first = pod_in(seen, "web-0")) pod.made_from = first->made_from;
       })},
      {"update.recreate-stops-all", three(recreate), swallowing(Verb::remove, Kind::pod, "web-1")},
      {"update.recreate-never-mixes", three(recreate), creating_too("web-7")},
      {"update.completes", three(""), never_removing()},
      {"update.replaces-broken-revision", three(parallel, {bad_edit, settle, good_edit, settle}), leaving_broken()},
      {"update.replaces-broken-revision-in-order", three("", {bad_edit, settle, good_edit, settle}), leaving_broken()},
      {"update.replaces-unrepairable", three("", made_again_with_a_claim()), never_removing()},
      {"update.replaces-unrepairable", three(parallel, made_again_with_a_claim()), never_removing()},
  };
}

TEST(Update, EveryPromiseIsKeptAndCanBeBroken) {
  for (const Case& c : cases()) expect_kept_and_breakable(c);
}

TEST(Update, EveryPromiseIsTested) { expect_all_covered(update::invariants, cases()); }

TEST(Update, WithoutABudgetBrokenPodsNeedNotGoAtOnce) {
  Scenario scenario =
      three(std::string(parallel) + "\nupdateStrategy:\n  rollingUpdate: {}", {bad_edit, settle, good_edit, settle});
  for (const bool api_has_the_gate : {true, false}) {
    scenario.environment.api.max_unavailable = api_has_the_gate;
    Tampered leaving(leaving_broken());
    const Tried tried = try_by_hand(scenario, leaving);
    EXPECT_EQ(tried.broke("update.replaces-broken-at-once"), api_has_the_gate) << "it gives 1 where nothing is said";
    EXPECT_EQ(tried.broke("update.replaces-broken-one-by-one"), !api_has_the_gate);
  }
}

TEST(Update, KubernetesWaitsForeverForABrokenPodOfAnOlderRevision) {
  const auto kubernetes = make_reference(kubernetes_1_37_rules(), {});
  const Tried tried = try_by_hand(three("", {bad_edit, settle, good_edit, settle}), *kubernetes);
  EXPECT_TRUE(tried.broke("update.replaces-broken-revision-in-order"));
  EXPECT_FALSE(tried.broke("update.completes")) << "a documented limit is only judged at strict level";
}

TEST(Update, ThePodThatKeepsItsOwnClaimFromGoingIsReplaced) {
  constexpr std::string_view a_claim =
      "\nvolumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: "
      "{storage: 1Gi}}}}]";
  const std::vector<Step> steps{step(StepKind::edit_template, 1, static_cast<int>(TemplateFlavour::unpulled)),
                                step(StepKind::delete_pod, 2),
                                settle,
                                step(StepKind::delete_claim, 2),
                                good_edit,
                                settle};
  const auto broken = [&](const Rules& rules, std::string_view strategy) {
    return try_by_hand(three(std::string(strategy) + std::string(a_claim), steps), *make_reference(rules, {}));
  };
  EXPECT_TRUE(broken(kubernetes_1_37_rules(), parallel).broke("update.replaces-broken-revision"));
  EXPECT_FALSE(broken(strict_rules(), parallel).broke("update.replaces-broken-revision"));
  EXPECT_FALSE(broken(strict_rules(), parallel).broke("convergence.comes-to-rest"));
  EXPECT_TRUE(broken(kubernetes_1_37_rules(), "").broke("update.replaces-broken-revision-in-order"));
  const Tried waits = broken(kubernetes_1_37_rules(), std::string(parallel) + on_delete);
  EXPECT_FALSE(waits.broke("update.replaces-broken-revision")) << "that is the user's to do";
  EXPECT_FALSE(waits.broke("convergence.comes-to-rest")) << "and to wait for it is all that is left";
}

TEST(Update, ToRefuseRecreateWithoutItsGateIsRightAndToRollItIsNot) {
  Scenario scenario = three(recreate);
  scenario.environment.gates.recreate = false;
  const auto refusing = make_reference(strict_rules(), scenario.environment.gates);
  const Tried refused = try_by_hand(scenario, *refusing);
  EXPECT_EQ(refused.result.verdict, Verdict::held);
  EXPECT_TRUE(refused.applied("waking.fails-with-cause"));
  EXPECT_FALSE(refused.applied("convergence.comes-to-rest")) << "who sees to the gate is to come";
  Rules rules = strict_rules();
  rules.recreate_needs_gate = false;
  scenario.set = three("").set;  // which comes up, and asks for Recreate then
  scenario.steps = {settle, step(StepKind::set_strategy, static_cast<int>(Strategy::recreate)), edit, settle};
  const auto rolling = make_reference(rules, scenario.environment.gates);
  EXPECT_TRUE(try_by_hand(scenario, *rolling).broke("update.recreate-never-mixes"));
}

TEST(Update, InOrderTheRestOfABatchIsNotLeftToTheNextTurn) {
  const auto breaks_with = [](std::string_view policy) {
    ComingAgain one_by_one(
        Time::seconds(1), swallowing(Verb::remove, Kind::pod, [](const Request& request, const View& seen) {
          const Pod* last = pod_in(seen, "web-2");
          return request.name == "web-1" && last != nullptr && !last->meta.terminating() &&
                 *last->meta.label(label_revision) == *pod_in(seen, "web-1")->meta.label(label_revision);
        }));
    return try_by_hand(three(std::string(policy) + at_most_2), one_by_one).broke("update.uses-the-budget");
  };
  EXPECT_TRUE(breaks_with("")) << "it would have to wait for web-2 first";
  EXPECT_FALSE(breaks_with(parallel));
}

/// One pod at a time whatever maxUnavailable says, and no turn that deletes one is its last word.
TEST(Update, ABatchThatIsGoneOnWithHasToBeGoneOnWith) {
  struct ByEvents final : Forwarding {
    using Forwarding::Forwarding;
    Traits traits() const override {
      Traits traits = inner_.traits();
      traits.rest_by_events = true;
      return traits;
    }
  };
  const Edit waiting = swallowing(Verb::remove, Kind::pod, [](const Request& request, const View& seen) {
    const Pod* last = pod_in(seen, "web-2");
    const bool is_back = last != nullptr && last->ready &&
                         *last->meta.label(label_revision) != *pod_in(seen, "web-1")->meta.label(label_revision);
    return request.name == "web-1" && !is_back;
  });
  for (const std::string policy : {"", parallel}) {
    const Scenario scenario = three(policy + at_most_2);
    ComingAgain again(Time{500}, waiting);
    Tampered quiet(waiting);
    ByEvents by_events(quiet);
    EXPECT_TRUE(try_by_hand(scenario, again).broke("update.uses-the-budget")) << policy;
    EXPECT_TRUE(try_by_hand(scenario, by_events).broke("update.uses-the-budget")) << policy;
  }
}

/// A turn stops a pod, the next one tells of the edit, and the one after that stops another.
TEST(Update, ABatchIsStillGoneOnWithWhenTheStatusComesInBetween) {
  const auto knows_of_edit = [](const View& seen) { return !seen.sets.find("web")->is_edited_since_status(); };
  const auto is_going = [](const View& seen, const char* name) {
    const Pod* pod = pod_in(seen, name);
    return pod != nullptr && pod->meta.terminating();
  };
  struct GoingOn final : Forwarding {
    GoingOn(Controller& inner, std::function<bool(const View&)> when) : Forwarding(inner), when_(std::move(when)) {}
    SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
      if (when_(seen)) api.call(remove_pod(seen, "web-1"));
      return inner_.sync(key, seen, api, now);
    }
    std::function<bool(const View&)> when_;
  };
  ComingAgain one_by_one(Time{500}, [&](Request request, const View& seen, Api& api) {
    const bool is_early = request.verb == Verb::update_status ? !is_going(seen, "web-2") : request.name == "web-1";
    const bool is_first = seen.sets.find("web")->status.observed_generation == 0;
    return is_early && !is_first && !knows_of_edit(seen) ? Reply{} : api.call(std::move(request));
  });
  GoingOn controller(one_by_one, [&](const View& seen) {
    return knows_of_edit(seen) && is_going(seen, "web-2") && !is_going(seen, "web-1");
  });
  const Tried tried = try_by_hand(three(at_most_2), controller);
  EXPECT_TRUE(tried.applied("update.in-order-within-budget"));
  EXPECT_EQ(tried.why("update.uses-the-budget"), "");
  EXPECT_EQ(tried.why("update.waits-for-all"), "");
}

/// Which is as good as to delete it and be told so.
TEST(Update, WhoReadsThatAPodIsGoneMayGoOnToTheNext) {
  const Scenario scenario = three(at_most_2, {edit, deliver, step(StepKind::force_delete_pod, 2), sync});
  Tampered looking([](Request request, const View&, Api& api) {
    if (request.verb == Verb::remove && request.kind == Kind::pod) {
      const Reply read = api.call(request_of(Verb::get, Kind::pod, request.name.view()));
      if (read.code == Code::not_found) return read;
    }
    return api.call(std::move(request));
  });
  const Tried tried = try_by_hand(scenario, looking);
  EXPECT_TRUE(tried.applied("update.by-one-view"));
  EXPECT_FALSE(tried.broke("update.by-one-view")) << tried.why("update.by-one-view");
  Tampered passing_over([](Request request, const View&, Api& api) {
    return request.verb == Verb::remove && request.name == "web-2" ? Reply{} : api.call(std::move(request));
  });
  EXPECT_TRUE(try_by_hand(scenario, passing_over).broke("update.largest-ordinal-first")) << "who did not ask";
}

}  // namespace
}  // namespace ordeal::properties::testing
