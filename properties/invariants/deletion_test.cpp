#include "properties/invariants/deletion.h"

#include "core/controller/releases.h"
#include "properties/invariants/moment_test.h"

namespace ordeal::properties::testing {
namespace {

Edit removing_too(std::string name, std::function<bool(const View&)> when) {
  return adding(Verb::remove, Kind::pod, [=](const Request&, const View& seen, Api& api) {
    if (pod_in(seen, name) && when(seen)) api.call(remove_pod(seen, name));
  });
}
bool always(const View&) { return true; }

std::vector<Case> cases() {
  const Step edit = step(StepKind::edit_template, 1);
  const Step fail_1 = step(StepKind::fail_pod, 1), fail_2 = step(StepKind::fail_pod, 2);
  const Step other = step(StepKind::add_pod, 9, static_cast<int>(ForeignPod::owned_by_other));
  const Scenario rollout = hand_made("replicas: 3", {settle, edit, settle});
  const Scenario crowded = hand_made("replicas: 3", {settle, other, edit, settle});
  const Scenario failing = hand_made("replicas: 3", {settle, fail_1, fail_2, edit, deliver, sync});
  // Between view and deletion web-2 goes and a newer pod takes its name.
  const Scenario replaced =
      hand_made("replicas: 3", {settle, edit, deliver, at_call(2, StepKind::force_delete_pod, 2),
                                at_call(2, StepKind::add_pod, 2, static_cast<int>(ForeignPod::orphan)), sync, settle});
  return {
      {"deletion.justified", hand_made("replicas: 3", {settle, step(StepKind::scale, 1), settle}),
       removing_too("web-0", always)},
      {"deletion.only-own-pods", crowded, removing_too("web-9", always)},
      {"deletion.not-twice",
       hand_made("replicas: 3", {settle, step(StepKind::delete_pod, 0), deliver, sync, edit, settle}),
       when_writing_status([](const View& seen, Api& api) {
         const Pod* first = pod_in(seen, "web-0");
         if (first != nullptr && first->meta.terminating()) api.call(remove_pod(seen, "web-0"));
       })},
      {"deletion.the-pod-it-saw", replaced,
       changing(Verb::remove, Kind::pod, [](Request& request, const View&) { request.uid = Uid::none; })},
      {"deletion.default-grace", rollout,
       changing(Verb::remove, Kind::pod, [](Request& request, const View&) { request.grace = 5; })},
      {"deletion.one-purpose-per-sync", failing, removing_too("web-0", always)},
      {"deletion.one-failed-pod-per-sync", failing, removing_too("web-2", always)},
      {"deletion.failed-pods-in-order",
       hand_made("replicas: 3", {settle, step(StepKind::make_unready, 0), fail_2, deliver, sync}),
       when_writing_status([](const View& seen, Api& api) {
         const Pod* third = pod_in(seen, "web-2");
         if (third != nullptr && third->phase == Phase::failed) api.call(remove_pod(seen, "web-2"));
       })},
      {"deletion.parallel-replaces-all-finished",
       hand_made("replicas: 3\npodManagementPolicy: Parallel",
                 {settle, step(StepKind::make_unready, 0), step(StepKind::fail_pod, 1), step(StepKind::fail_pod, 2),
                  deliver, sync}),
       swallowing(Verb::remove, Kind::pod, "web-2")},
  };
}

TEST(Deletion, EveryPromiseIsKeptAndCanBeBroken) {
  for (const Case& c : cases()) expect_kept_and_breakable(c);
}

TEST(Deletion, WithoutTheGateOfRecreateNoPodIsStoppedForIt) {
  Scenario scenario =
      hand_made("replicas: 2", {settle, step(StepKind::set_strategy, static_cast<int>(Strategy::recreate)),
                                step(StepKind::edit_template, 1), settle});
  scenario.environment.gates.recreate = false;
  const auto refusing = make_reference(strict_rules(), scenario.environment.gates);
  EXPECT_FALSE(try_by_hand(scenario, *refusing).broke("deletion.justified"));
  const auto recreating = make_reference(strict_rules(), Gates{});
  EXPECT_EQ(try_by_hand(scenario, *recreating).why("deletion.justified"),
            "pod web-0 was deleted, but the gate of Recreate is off");
}

/// Without a rollingUpdate block releases make a missing pod at the current revision, and update it in the same turn,
/// which was not shown it. Who has not made it has no business with it.
TEST(Deletion, APodThatWasMadeAndIsOutdatedMayGoUnseen) {
  const Scenario bare = hand_made("replicas: 2\npodManagementPolicy: Parallel",
                                  {settle, step(StepKind::set_partition, -1), step(StepKind::edit_template, 1),
                                   step(StepKind::force_delete_pod, 0), deliver, sync});
  const auto release = make_reference(find_release("kubernetes-1.37")->rules, {});
  const Tried made = try_by_hand(bare, *release);
  EXPECT_TRUE(made.applied("deletion.justified"));
  EXPECT_FALSE(made.broke("deletion.justified")) << made.why("deletion.justified");
  Tampered astray(
      when_writing_status([](const View&, Api& api) { api.call(request_of(Verb::remove, Kind::pod, "web-7")); }),
      Gates{});
  EXPECT_TRUE(try_by_hand(bare, astray).broke("deletion.justified"));
}

/// Until the cache shows it, the name is another controller's there.
TEST(Deletion, WhatTheTurnHasMadeIsItsOwn) {
  const Scenario taken = hand_made(
      "replicas: 1", {settle, step(StepKind::own_pod, 0), deliver, step(StepKind::force_delete_pod, 0), sync, settle});
  int removed = 0;
  Tampered hasty([&](Request request, const View& seen, Api& api) {
    const bool makes = request.verb == Verb::create && request.kind == Kind::pod;
    const Text name = request.name;
    const Reply reply = api.call(std::move(request));
    if (makes && reply.ok() && pod_in(seen, "web-0") != nullptr)
      removed += api.call(request_about(name.view(), Verb::remove)).ok();
    return reply;
  });
  const Tried tried = try_by_hand(taken, hasty);
  EXPECT_GE(removed, 1);
  EXPECT_FALSE(tried.broke("deletion.only-own-pods")) << tried.why("deletion.only-own-pods");
  EXPECT_FALSE(tried.broke("ownership.foreign-pods-untouched")) << tried.why("ownership.foreign-pods-untouched");
}

TEST(Deletion, EveryPromiseIsTested) { expect_all_covered(deletion::invariants, cases()); }

}  // namespace
}  // namespace ordeal::properties::testing
