// The judge: who is asked, what is remembered, and that one broken promise is told once.
#include "properties/trial/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "properties/invariants/moment_test.h"
#include "properties/mutants/mutants.h"
#include "properties/trial/hand_made.h"

namespace ordeal::properties {
namespace {

const std::vector<Step> a_short_life = {{StepKind::settle, 0, 0, 0}};

/// Makes every pod one number too high.
Tampered misnaming() {
  return Tampered([](Request request, const View&, Api& api) {
    if (request.verb == Verb::create && request.kind == Kind::pod) {
      Pod pod = request.pod();
      pod.meta.name = pod.meta.name.str() + "0";
      request.name = pod.meta.name;
      request.body = std::move(pod);
    }
    return api.call(std::move(request));
  });
}

TEST(Judge, TheReferenceIsHeldOverAShortLife) {
  const auto controller = make_reference(strict_rules(), Gates{});
  const Tried tried = try_by_hand(hand_made("replicas: 3", a_short_life), *controller);
  EXPECT_EQ(tried.result.verdict, Verdict::held);
  EXPECT_GT(tried.result.syncs, 3u);
  EXPECT_GT(tried.result.calls, 4u);
}

TEST(Judge, AsksNothingThatIsExcepted) {
  Tampered controller = misnaming();
  Court court;
  const Scenario scenario = hand_made("replicas: 3", a_short_life);
  const TrialResult all = court.try_scenario(scenario, controller);
  Promises broken;
  for (const Breach& breach : all.breaches) broken.set(place_of(*breach.invariant));
  ASSERT_GT(broken.count(), 1u);
  const TrialResult rest = court.try_scenario(scenario, controller, {.except = broken});
  EXPECT_EQ(rest.verdict, Verdict::held);
  for (std::size_t place = 0; place < catalogue.size(); ++place)
    EXPECT_FALSE(broken.test(place) && rest.situations.test(situation_of_invariant(place))) << catalogue[place].id;
  const Invariant* first = all.breaches.front().invariant;
  EXPECT_EQ(court.try_scenario(scenario, controller, {.except = broken, .only = first}).breaches.size(), 1u)
      << "one that is asked for by name is asked";
}

/// A user who asks for a second set of the name is refused, and nobody's revisions are older for it.
TEST(Judge, AStepThatChangesNothingExcusesNothing) {
  const Step settle{.kind = StepKind::settle}, edit{.kind = StepKind::edit_template, .a = 1},
      back{.kind = StepKind::roll_back}, refused{.kind = StepKind::create_set}, recreated{.kind = StepKind::delete_set};
  const auto controller = make_reference(find_mutant("revisions-return-in-place")->rules, Gates{});
  const auto breaks = [&](std::vector<Step> first) {
    for (const Step& step : {settle, edit, settle, back, settle, edit, settle}) first.push_back(step);
    return try_by_hand(hand_made("replicas: 1", std::move(first)), *controller)
        .broke("revisions.update-number-never-falls");
  };
  EXPECT_TRUE(breaks({}));
  EXPECT_TRUE(breaks({refused}));
  EXPECT_FALSE(breaks({settle, recreated, settle, refused})) << "its revisions may be an earlier set's";
}

/// Who is told in the midst of a turn that the set goes may stop; it may not make pods as it likes from then on.
TEST(Judge, TakesTheEndOfTheSetForNoExcuseToMakePods) {
  Tampered controller([](Request request, const View&, Api& api) {
    if (request.verb == Verb::create && request.kind == Kind::pod) {
      api.call({.verb = Verb::get, .kind = Kind::set, .name = "web"});
      Pod pod = request.pod();
      pod.meta.name = "web-2";
      request.name = pod.meta.name;
      request.body = std::move(pod);
    }
    return api.call(std::move(request));
  });
  const Step going{StepKind::delete_set, 0, static_cast<int>(Propagation::foreground), 0};
  const auto steps = {Step{StepKind::deliver_all, 0, 0, 0}, going, Step{StepKind::sync, 0, 0, 0}};
  const Tried tried = try_by_hand(hand_made("replicas: 3", steps), controller);
  const auto is_broken = [&](std::string_view id) {
    return std::ranges::any_of(tried.result.breaches, [&](const Breach& breach) { return breach.invariant->id == id; });
  };
  EXPECT_TRUE(is_broken("ordering.lowest-first"));
}

TEST(Judge, TellsEachBrokenPromiseOnce) {
  Tampered controller = misnaming();
  const Tried tried = try_by_hand(hand_made("replicas: 3", a_short_life), controller);
  ASSERT_EQ(tried.result.verdict, Verdict::violated);
  std::set<std::string_view> ids;
  for (const Breach& breach : tried.result.breaches) EXPECT_TRUE(ids.insert(breach.invariant->id).second);
}

TEST(Judge, QuotesTheLastTurnOfASetThatNeverRests) {
  int turns = 0;
  const Scripted::Turn fails = [&](const View&, Api&, Time) -> SyncResult {
    return {.failed = true,
            .code = Code::ok,
            .what = "no luck in turn number " + std::to_string(++turns),
            .requeue_after = {}};
  };
  Scripted controller(std::vector(1'000, fails));
  const Tried tried = try_by_hand(hand_made("replicas: 3", {}), controller);
  const auto unrest = std::ranges::find(tried.result.breaches, "convergence.comes-to-rest",
                                        [](const Breach& b) { return b.invariant->id; });
  ASSERT_NE(unrest, tried.result.breaches.end());
  const int turns_at_rest = 2;
  EXPECT_TRUE(unrest->violation.claim.ends_with("; the last turn failed: no luck in turn number " +
                                                std::to_string(turns - turns_at_rest)))
      << unrest->violation.claim;
}

TEST(Judge, WithOneInvariantStopsAtItsFirstBreach) {
  Tampered controller = misnaming();
  Court court;
  const Scenario scenario = hand_made("replicas: 3", a_short_life);
  const TrialResult all = court.try_scenario(scenario, controller);
  ASSERT_FALSE(all.breaches.empty());
  const TrialResult one = court.try_scenario(scenario, controller, {.only = all.breaches.front().invariant});
  ASSERT_EQ(one.breaches.size(), 1u);
  EXPECT_EQ(one.breaches[0].invariant, all.breaches[0].invariant);
  EXPECT_LT(one.syncs, all.syncs);
}

TEST(Judge, WatchesNobodyForEverWhoHasBrokenAPromise) {
  const Scripted::Turn counts_on = [](const View& seen, Api& api, Time) -> SyncResult {
    if (seen.sets.all.empty()) return {};
    const StatefulSet& set = *seen.sets.all.front();
    StatefulSetStatus status = set.status;
    ++status.replicas;
    api.call({.verb = Verb::update_status,
              .kind = Kind::set,
              .name = set.meta.name,
              .body = status,
              .version = set.meta.version});
    return {};
  };
  Scripted controller(std::vector(20'000, counts_on));
  Court court;
  const std::vector<Step> long_life(max_steps, {StepKind::settle, 0, 0, 0});
  const TrialResult result = court.try_scenario(hand_made("replicas: 3", long_life), controller);
  EXPECT_EQ(result.verdict, Verdict::violated);
  EXPECT_GT(result.syncs, 4000u);
  EXPECT_LT(result.syncs, 4300u);
}

TEST(Judge, AThrowingControllerIsInconclusiveNeverHeld) {
  int turns = 0;
  testing::Followed throwing([&](const View&, Api&, SyncResult&) {
    if (++turns == 2) throw std::runtime_error("gave up");
  });
  Court court;
  const TrialResult result = court.try_scenario(hand_made("replicas: 1", a_short_life), throwing);
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_EQ(result.inconclusive, "gave up");
  EXPECT_GT(result.syncs, 0u);
  for (std::size_t place = 0; place < catalogue.size(); ++place)
    EXPECT_FALSE(result.situations.test(situation_of_invariant(place))) << catalogue[place].id;
}

TEST(Judge, DigestTellsDifferentTracesApart) {
  Court court;
  const auto controller = make_reference(strict_rules(), Gates{});
  const auto digest = [&](std::string_view spec) {
    return court.try_scenario(hand_made(spec, a_short_life), *controller).digest;
  };
  EXPECT_EQ(digest("replicas: 2"), digest("replicas: 2"));
  EXPECT_NE(digest("replicas: 2"), digest("replicas: 3"));
}

TEST(Situations, AreNamedAndDistinct) {
  std::set<std::string_view> names;
  for (const std::string& name : situation_names()) EXPECT_TRUE(names.insert(name).second) << name;
  EXPECT_EQ(situation_names()[situation_of(StepKind::settle)], "step settle");
  EXPECT_EQ(situation_names()[situation_of(PodManagement::parallel, Strategy::on_delete)], "set Parallel OnDelete");
  EXPECT_EQ(situation_names()[situation_of_invariant(0)], "judged " + std::string(catalogue[0].id));
}

}  // namespace
}  // namespace ordeal::properties
