#include "properties/invariants/ordering.h"

#include "properties/invariants/moment_test.h"

namespace ordeal::properties::testing {
namespace {

/// Creates web-1 as soon as web-0 is there, in a state the reference would not accept.
Edit hurrying(bool when_ready) {
  return when_writing_status([=](const View& seen, Api& api) {
    const Pod* first = pod_in(seen, "web-0");
    if (first != nullptr && first->ready == when_ready && !pod_in(seen, "web-1"))
      api.call(create_like(*first, "web-1"));
  });
}

Edit creating_at(std::string created, std::function<void(const Request&, const View&, Api&)> more) {
  return adding(Verb::create, Kind::pod, [=](const Request& request, const View& seen, Api& api) {
    if (request.name == created) more(request, seen, api);
  });
}

std::vector<Case> cases() {
  const Scenario ordered = hand_made("replicas: 3", {settle});
  const Scenario parallel = hand_made("replicas: 3\npodManagementPolicy: Parallel", {settle});
  const Scenario patient = hand_made("replicas: 2\nminReadySeconds: 10", {settle});
  return {
      {"ordering.one-create-per-sync", ordered,
       creating_at("web-0", [](const Request& r, const View&, Api& api) { api.call(renamed(r, "web-1")); })},
      {"ordering.lowest-first", ordered,
       creating_at("web-0", [](const Request& r, const View&, Api& api) { api.call(renamed(r, "web-1")); })},
      {"ordering.predecessors-ready", ordered, hurrying(false)},
      {"ordering.predecessors-available", patient, hurrying(true)},
      {"ordering.created-by-one-view", with_pods_unseen("replicas: 2", {deliver, sync}),
       remembering(Verb::create, "web-0", "web-1")},
      {"ordering.create-or-delete", ordered,
       creating_at("web-1", [](const Request&, const View& seen, Api& api) { api.call(remove_pod(seen, "web-0")); })},
      {"ordering.parallel-creates-all", parallel, swallowing(Verb::create, Kind::pod, "web-2")},
  };
}

TEST(Ordering, EveryPromiseIsKeptAndCanBeBroken) {
  for (const Case& c : cases()) expect_kept_and_breakable(c);
}

TEST(Ordering, EveryPromiseIsTested) {
  expect_all_covered(ordering::invariants, cases(), {"ordering.none-while-deleting"});
}

/// Has one turn, and then asks for another one each time.
class Expecting final : public Forwarding {
 public:
  explicit Expecting(Time memory) : Forwarding(make_reference(strict_rules(), {})), memory_(memory) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    if (made_them_ && now - *made_them_ < memory_) return SyncResult{.requeue_after = Time::seconds(1)};
    made_them_ = now;
    return inner_.sync(key, seen, api, now);
  }
  std::string_view name() const override { return "expecting"; }

 private:
  Time memory_;
  std::optional<Time> made_them_;
};

TEST(Ordering, WhoWasNeverShownWhatItCreatedMayWait) {
  const char* id = "ordering.parallel-creates-all";
  const Step dies = step(StepKind::force_delete_pod, 0), listed = step(StepKind::relist, static_cast<int>(Kind::pod));
  const auto after = [](std::vector<Step> steps) {
    return hand_made("replicas: 2\npodManagementPolicy: Parallel", std::move(steps));
  };
  constexpr Time five_minutes = Time::seconds(300), for_ever = Time::seconds(1'000'000);
  Expecting unshown(five_minutes), shown(five_minutes), stubborn(for_ever);
  EXPECT_FALSE(try_by_hand(after({deliver, sync, dies, listed, sync}), unshown).broke(id));
  EXPECT_TRUE(try_by_hand(after({deliver, sync, dies, deliver, sync}), shown).broke(id)) << "by a watch";
  EXPECT_TRUE(
      try_by_hand(after({deliver, sync, dies, listed, sync, step(StepKind::advance, 601), sync}), stubborn).broke(id))
      << "for longer than anybody remembers";
}

TEST(Ordering, ASetBeingDeletedCreatesNothing) {
  const auto reference = make_reference(strict_rules(), {});
  EXPECT_TRUE(try_by_hand(hand_made("replicas: 1"), *reference).applied("ordering.none-while-deleting"));
  const Step going = step(StepKind::delete_set, static_cast<int>(Propagation::foreground));
  const Scenario scenario = hand_made("replicas: 2", {settle, going, deliver, sync});
  Scripted scripted({[](const View& seen, Api& api, Time) {
    Pod pod;
    pod.meta.ns = set_in(seen).meta.ns;
    api.call(create_like(pod, "web-0"));
    return SyncResult{};
  }});
  const Scenario early = hand_made("replicas: 2", {going, deliver, sync});
  EXPECT_FALSE(try_by_hand(scenario, *reference).broke("ordering.none-while-deleting"));
  EXPECT_TRUE(try_by_hand(early, scripted).broke("ordering.none-while-deleting"));
}

/// In the row of the report that name is there, and ready.
TEST(Ordering, APodThatIsNoMoreTheSetsIsSaidToBe) {
  const Scenario released =
      hand_made("replicas: 2", {settle, step(StepKind::edit_labels, 0, static_cast<int>(LabelEdit::break_selector)),
                                sync, step(StepKind::force_delete_pod, 1), deliver, sync});
  Tampered hasty([](Request request, const View& seen, Api& api) {
    const bool is_again = request.verb == Verb::create && request.name == "web-0" && pod_in(seen, "web-0") != nullptr;
    return api.call(is_again ? renamed(request, "web-1") : std::move(request));
  });
  const Tried tried = try_by_hand(released, hasty);
  const auto breach = std::ranges::find(tried.result.breaches, "ordering.lowest-first",
                                        [](const Breach& one) { return one.invariant->id; });
  ASSERT_NE(breach, tried.result.breaches.end());
  EXPECT_EQ(breach->violation.claim,
            "pod web-1 was created while ordinal 0 was missing: the pod of that name is not the set's");
}

TEST(Ordering, ToComeAgainForALeavingClaimIsAsGoodAsToFailForIt) {
  const Scenario leaving = with_a_leaving_claim("replicas: 1\npodManagementPolicy: Parallel", {sync});
  Followed coming_again = coming_again_instead_of_failing(Time::seconds(2)),
           forgetting = coming_again_instead_of_failing(std::nullopt);
  EXPECT_FALSE(try_by_hand(leaving, coming_again).broke("ordering.parallel-creates-all"));
  EXPECT_TRUE(try_by_hand(leaving, forgetting).broke("ordering.parallel-creates-all"));
  const Scenario in_order = with_a_leaving_claim("replicas: 1", {sync, deliver, sync});
  EXPECT_FALSE(try_by_hand(in_order, coming_again).broke("waking.leaves-no-pod-undone"));
  EXPECT_TRUE(try_by_hand(in_order, forgetting).broke("waking.leaves-no-pod-undone"));
}

TEST(Ordering, AReadOfWhatIsNeitherShownNorThereExcusesNothing) {
  const auto looking_for = [](Verb verb) {
    return Tampered([=](Request request, const View& seen, Api& api) {
      if (request.verb != Verb::create || request.kind != Kind::pod || request.name != "web-1" ||
          pod_in(seen, "web-2") == nullptr)
        return api.call(std::move(request));
      api.call(request_about("web-7", verb));
      return Reply{};
    });
  };
  const Scenario scenario = hand_made("replicas: 3\npodManagementPolicy: Parallel",
                                      {settle, step(StepKind::force_delete_pod, 1), deliver, sync});
  Tampered reading = looking_for(Verb::get), removing = looking_for(Verb::remove);
  EXPECT_TRUE(try_by_hand(scenario, reading).broke("ordering.parallel-creates-all"));
  EXPECT_FALSE(try_by_hand(scenario, removing).broke("ordering.parallel-creates-all")) << "a request of it failed";
}

}  // namespace
}  // namespace ordeal::properties::testing
