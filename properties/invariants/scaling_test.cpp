#include "properties/invariants/scaling.h"

#include "properties/invariants/moment_test.h"

namespace ordeal::properties::testing {
namespace {

const Step scale_to_1 = step(StepKind::scale, 1);

Edit removing_instead(std::string of, std::string other) {
  return [=](Request request, const View& seen, Api& api) {
    const bool hit = request.verb == Verb::remove && request.kind == Kind::pod && request.name == of;
    return api.call(hit && pod_in(seen, other) ? remove_pod(seen, other) : std::move(request));
  };
}
Edit removing_too(std::string of, std::string other) {
  return adding(Verb::remove, Kind::pod, [=](const Request& request, const View& seen, Api& api) {
    if (request.name == of) api.call(remove_pod(seen, other));
  });
}
/// Removes a surplus pod as soon as it is surplus.
Edit hurrying(std::string name, std::function<bool(const View&)> when) {
  return when_writing_status([=](const View& seen, Api& api) {
    if (set_in(seen).spec->replicas == 1 && pod_in(seen, name) && when(seen)) api.call(remove_pod(seen, name));
  });
}
bool first_is_unready(const View& seen) { return !pod_in(seen, "web-0")->ready; }
bool last_is_stopping(const View& seen) {
  const Pod* last = pod_in(seen, "web-2");
  return last != nullptr && last->meta.terminating();
}
Edit keeping_surplus() {
  return swallowing(Verb::remove, Kind::pod,
                    [](const Request& request, const View&) { return request.reason == Reason::scale_down; });
}

/// Two surplus pods come from a template that never becomes ready; the one that stays is well.
Scenario two_broken_surplus_pods() {
  const int orphan = static_cast<int>(ForeignPod::orphan);
  return hand_made("replicas: 1\nupdateStrategy:\n  rollingUpdate:\n    partition: 5",
                   {settle, step(StepKind::edit_template, 1, static_cast<int>(TemplateFlavour::unready)), settle,
                    step(StepKind::add_pod, 3, orphan), step(StepKind::add_pod, 4, orphan), settle});
}

std::vector<Case> cases() {
  const Scenario down = hand_made("replicas: 3", {settle, scale_to_1, settle});
  const Scenario parallel = hand_made("replicas: 3\npodManagementPolicy: Parallel", {settle, scale_to_1, settle});
  const Step stumble = step(StepKind::make_unready, 0), recover = step(StepKind::make_ready, 0);
  const Scenario unready = hand_made("replicas: 3", {settle, stumble, scale_to_1, deliver, sync});
  const Scenario too_early =
      hand_made("replicas: 3\nminReadySeconds: 10",
                {settle, step(StepKind::advance, 60), deliver, sync, stumble, recover, scale_to_1, deliver, sync});
  const Scenario refused = hand_made("replicas: 3\npodManagementPolicy: Parallel",
                                     {settle, step(StepKind::force_delete_pod, 0), step(StepKind::scale, 2),
                                      step(StepKind::outage, static_cast<int>(OutageOf::pod_creates)), deliver, sync});
  return {
      {"scaling.removed-by-one-view", with_pods_unseen("replicas: 3", {settle, scale_to_1, deliver, sync}),
       remembering(Verb::remove, "web-2", "web-1")},
      {"scaling.predecessors-ready", unready, hurrying("web-2", first_is_unready)},
      {"scaling.predecessors-available", too_early, hurrying("web-2", [](const View&) { return true; })},
      {"scaling.highest-first", down, removing_instead("web-2", "web-1")},
      {"scaling.one-at-a-time", down, removing_too("web-2", "web-1")},
      {"scaling.successors-gone", down, hurrying("web-1", last_is_stopping)},
      {"scaling.strictly-descending", down, removing_instead("web-2", "web-1")},
      {"scaling.strictly-descending", hand_made("replicas: 3", {a_call_fails, settle, scale_to_1, settle}),
       removing_instead("web-2", "web-1")},
      {"scaling.parallel-removes-all", parallel, swallowing(Verb::remove, Kind::pod, "web-1")},
      {"scaling.missing-pods-do-not-block", refused, swallowing(Verb::remove, Kind::pod, "web-2")},
      {"scaling.missing-pods-do-not-block",
       with_a_leaving_claim("replicas: 3\npodManagementPolicy: Parallel", {scale_to_1, deliver, sync}),
       swallowing(Verb::remove, Kind::pod, "web-2")},
      {"scaling.broken-pods-go-at-once",
       hand_made("replicas: 2", {settle, step(StepKind::make_unready, 1), scale_to_1, deliver, sync}),
       keeping_surplus()},
      {"scaling.broken-pods-go-at-once",
       hand_made("replicas: 2\nminReadySeconds: 600",
                 {settle, step(StepKind::advance, 600), settle, step(StepKind::make_unready, 1),
                  step(StepKind::make_ready, 1), scale_to_1, deliver, sync}),
       keeping_surplus()},
      {"scaling.only-outside-range", down, removing_instead("web-2", "web-0")},
      {"scaling.completes", down, keeping_surplus()},
      {"scaling.broken-pods-do-not-block", two_broken_surplus_pods(), keeping_surplus()},
  };
}

TEST(Scaling, EveryPromiseIsKeptAndCanBeBroken) {
  for (const Case& c : cases()) expect_kept_and_breakable(c);
}

TEST(Scaling, WhatIsGoneAtOnceNeedNotBeWaitedFor) {
  const auto removes_both = [](std::vector<Step> before) {
    before.insert(before.end(), {step(StepKind::scale, 1), deliver, sync});
    Tampered hurrying(removing_too("web-2", "web-1"));
    return try_by_hand(hand_made("replicas: 3", std::move(before)), hurrying).broke("scaling.one-at-a-time");
  };
  EXPECT_TRUE(removes_both({settle}));
  EXPECT_FALSE(removes_both({settle, step(StepKind::fail_pod, 1)}));
}

TEST(Scaling, EveryPromiseIsTested) { expect_all_covered(scaling::invariants, cases()); }

TEST(Scaling, KubernetesLetsTwoBrokenSurplusPodsWaitForEachOther) {
  const auto kubernetes = make_reference(kubernetes_1_37_rules(), {});
  const Tried tried = try_by_hand(two_broken_surplus_pods(), *kubernetes);
  EXPECT_TRUE(tried.broke("scaling.broken-pods-do-not-block"));
  EXPECT_FALSE(tried.broke("scaling.completes")) << "a documented limit is only judged at strict level";
}

TEST(Scaling, ALeavingClaimIsNoReasonToLeaveOtherWork) {
  const Scenario leaving =
      with_a_leaving_claim("replicas: 3\npodManagementPolicy: Parallel", {step(StepKind::scale, 2), deliver, sync});
  Followed coming_again = coming_again_instead_of_failing(Time::seconds(10));
  StoppedByAClaim frozen({.failed = false, .code = Code::ok, .what = {}, .requeue_after = Time::seconds(10)});
  for (const std::string_view id : {"scaling.parallel-removes-all", "status.written-when-changed"}) {
    const Tried tried = try_by_hand(leaving, coming_again);
    EXPECT_TRUE(tried.applied(id)) << id;
    EXPECT_FALSE(tried.broke(id)) << tried.why(id);
    EXPECT_TRUE(try_by_hand(leaving, frozen).broke(id)) << id;
  }
}

}  // namespace
}  // namespace ordeal::properties::testing
