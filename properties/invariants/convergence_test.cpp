#include "properties/invariants/convergence.h"

#include "properties/invariants/moment_test.h"

namespace ordeal::properties::testing {
namespace {

const Step edit = step(StepKind::edit_template, 1);
const Step fail = step(StepKind::fail_pod, 0);
const Step lose_label = step(StepKind::edit_labels, 0, static_cast<int>(LabelEdit::drop_pod_name));
const Step delete_first = step(StepKind::delete_pod, 0), delete_second = step(StepKind::delete_pod, 1);

Scenario two(std::string more, std::vector<Step> steps) { return hand_made("replicas: 2" + more, std::move(steps)); }
Edit never(Verb verb, Kind kind) {
  return swallowing(verb, kind, [](const Request&, const View&) { return true; });
}
Edit never_completing() {
  return changing_status([](StatefulSetStatus& status, const View& seen) {
    const Text& before = set_in(seen).status.current_revision;
    if (!before.empty()) status.current_revision = before;
  });
}
Edit failing_to_create() {
  return [](Request request, const View&, Api& api) {
    if (request.verb == Verb::create && request.kind == Kind::pod) return Reply{Code::internal, {}};
    return api.call(std::move(request));
  };
}

/// The second pod, as soon as it is ready.
Edit deleting_what_is_updated() {
  return when_writing_status([](const View& seen, Api& api) {
    const Pod* pod = pod_in(seen, "web-1");
    if (pod != nullptr && pod->ready && is_updated(seen, "web-1")) api.call(remove_pod(seen, "web-1"));
  });
}

std::vector<Case> cases() {
  const Scenario rollout = two("", {settle, edit, settle});
  const Scenario by_hand =
      two("\nupdateStrategy:\n  type: OnDelete", {settle, edit, delete_first, settle, delete_second, settle});
  const Scenario claims = two(one_claim, {settle});
  return {
      {"convergence.comes-to-rest", two("", {}), failing_to_create()},
      {"convergence.every-pod-available", claims, never(Verb::create, Kind::claim)},
      {"convergence.finished-pods-replaced", two("", {settle, fail, settle}), never(Verb::remove, Kind::pod)},
      {"convergence.identity-repaired", two("", {settle, lose_label, settle}), never(Verb::update, Kind::pod)},
      {"convergence.rollout-declared-complete", rollout, never_completing()},
      {"convergence.every-rollout-declared-complete", by_hand, never_completing()},
      {"convergence.history-within-limit", two("\nrevisionHistoryLimit: 0", {settle, edit, settle}),
       never(Verb::remove, Kind::revision)},
      {"convergence.never-undoes-itself", rollout, deleting_what_is_updated()},
      {"convergence.never-undoes-itself", two("", {a_call_fails, settle, edit, settle}), deleting_what_is_updated()},
  };
}

TEST(Convergence, EveryPromiseIsKeptAndCanBeBroken) {
  for (const Case& c : cases()) expect_kept_and_breakable(c);
}

TEST(Convergence, APodThatEndedIsReplacedBelowThePartitionToo) {
  // Not so one that is there and broken (kubernetes#67250).
  const Scenario held_back = two("\nupdateStrategy:\n  type: RollingUpdate\n  rollingUpdate:\n    partition: 1",
                                 {settle, edit, settle, fail, settle});
  expect_kept_and_breakable({"convergence.finished-pods-replaced", held_back, never(Verb::remove, Kind::pod)});
}

/// A hash of its own, too long for a label: no pod can ever be made, and nobody else is to blame.
TEST(Convergence, WhoNamesItsRevisionsTooLongNeverComesToRest) {
  const Text too_long(std::string("web-") + std::string(70, 'f'));
  Tampered verbose([&](Request request, const View&, Api& api) {
    if (Pod* pod = std::get_if<Pod>(&request.body); pod != nullptr) set_label(*pod, label_revision, too_long);
    if (auto* status = std::get_if<StatefulSetStatus>(&request.body); status != nullptr)
      status->update_revision = too_long;
    return api.call(std::move(request));
  });
  EXPECT_TRUE(try_by_hand(two("", {settle}), verbose).broke("convergence.comes-to-rest"));
}

TEST(Convergence, EveryPromiseIsTested) {
  expect_all_covered(convergence::invariants, cases(),
                     {"convergence.no-writes-at-rest", "convergence.no-calls-at-rest", "convergence.waits-quietly",
                      "convergence.same-view-same-calls", "convergence.asks-to-be-woken",
                      "convergence.asks-despite-surplus", "convergence.woken-in-time"});
}

TEST(Convergence, ASetAtRestIsLeftAlone) {
  Followed writing([](const View&, Api& api, SyncResult&) { api.call(request_of(Verb::remove, Kind::pod, "ghost")); });
  expect_broken_by("convergence.no-writes-at-rest", two("", {}), writing);
  Followed reading([](const View&, Api& api, SyncResult&) { api.call(request_of(Verb::get, Kind::set, "web")); });
  expect_broken_by("convergence.no-calls-at-rest", two("", {}), reading);
}

TEST(Convergence, TheSameViewLeadsToTheSame) {
  const Scenario scenario = two("", {settle, sync, sync});
  const Scenario early = two("", {deliver, sync, sync});
  const auto reference = make_reference(strict_rules(), {});
  for (const char* id : {"convergence.waits-quietly", "convergence.same-view-same-calls"}) {
    const Tried good = try_by_hand(scenario, *reference);
    EXPECT_TRUE(good.applied(id));
    EXPECT_FALSE(good.broke(id)) << good.why(id);
  }
  Scripted second_thoughts({nullptr, [](const View&, Api& api, Time) {
                              api.call(request_of(Verb::remove, Kind::pod, "ghost"));
                              return SyncResult{};
                            }});
  EXPECT_TRUE(try_by_hand(early, second_thoughts).broke("convergence.waits-quietly"));
  const auto calling_once = [](Verb verb) {
    return Scripted({[verb](const View& seen, Api& api, Time) {
      Request request = request_of(verb, Kind::set, "web");
      if (verb == Verb::update_status) request.body = set_in(seen).status;
      api.call(std::move(request));
      return SyncResult{};
    }});
  };
  Scripted forgetful = calling_once(Verb::update_status), makes_sure = calling_once(Verb::get);
  EXPECT_TRUE(try_by_hand(early, forgetful).broke("convergence.same-view-same-calls"));
  EXPECT_FALSE(try_by_hand(early, makes_sure).broke("convergence.same-view-same-calls")) << "now and then";
}

TEST(Convergence, NobodyWaitsLongerThanMinReadySeconds) {
  const Scenario scenario = two("\nminReadySeconds: 10", {});
  Followed silent([](const View&, Api&, SyncResult& result) { result.requeue_after.reset(); });
  expect_broken_by("convergence.asks-to-be-woken", scenario, silent);
  const Scenario surplus = two(
      "\nminReadySeconds: 10",
      {settle, step(StepKind::delete_pod, 0), settle, step(StepKind::scale, 1), step(StepKind::delete_pod, 0), settle});
  expect_broken_by("convergence.asks-despite-surplus", surplus, silent);
  Followed late([](const View&, Api&, SyncResult& result) {
    if (result.requeue_after) *result.requeue_after = *result.requeue_after + Time::seconds(2);
  });
  expect_broken_by("convergence.woken-in-time", scenario, late);
}

/// For whom a pod is available once it has been ready for longer than minReadySeconds.
class JustBefore final : public Forwarding {
 public:
  explicit JustBefore(std::optional<Time> again) : Forwarding(make_reference(strict_rules(), {})), again_(again) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    SyncResult result = inner_.sync(key, seen, api, now - Time{1});
    if (result.requeue_after && again_) result.requeue_after = again_;
    return result;
  }
  std::string_view name() const override { return "just-before"; }

 private:
  std::optional<Time> again_;
};

TEST(Convergence, WhoComesInTimeAndSeesNothingLooksAgainAtOnce) {
  const Scenario scenario = two("\nminReadySeconds: 10", {settle});
  JustBefore at_once({}), all_of_it(Time::seconds(10));
  EXPECT_FALSE(try_by_hand(scenario, at_once).broke("convergence.woken-in-time"));
  EXPECT_TRUE(try_by_hand(scenario, all_of_it).broke("convergence.woken-in-time"));
}

TEST(Convergence, FinalizersOfAUserAreRemovedInTheEnd) {
  const Scenario scenario = hand_made(
      "replicas: 2\npersistentVolumeClaimRetentionPolicy: {whenScaled: Delete}\nvolumeClaimTemplates:\n"
      "- metadata: {name: data, finalizers: [acme.io/drain]}\n"
      "  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}",
      {settle, step(StepKind::scale, 1), deliver, sync, step(StepKind::scale, 2)});
  const auto reference = make_reference(strict_rules(), {});
  EXPECT_TRUE(try_by_hand(scenario, *reference).result.breaches.empty());
}

}  // namespace
}  // namespace ordeal::properties::testing
