// Two sets side by side: each is served, each has its own turns, and what a controller mixes up between them shows.
#include "properties/world/neighbour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "core/controller/forwarding.h"
#include "core/controller/reference.h"
#include "properties/trial/hand_made.h"
#include "properties/world/simulate.h"

namespace ordeal::properties {
namespace {

using testing::ElementsAre;

Step step(StepKind kind, std::int32_t a = 0, std::int32_t b = 0) { return {kind, 0, a, b}; }
Step apply(Neighbour as, std::int32_t replicas) {
  return step(StepKind::apply_neighbour, static_cast<std::int32_t>(as), replicas);
}
const Step settle = step(StepKind::settle), deliver = step(StepKind::deliver_all), one_sync = step(StepKind::sync);

/// What there is when the scenario's own steps are over, and in the end.
class Census final : public Witness {
 public:
  explicit Census(const Scenario& scenario) {
    World world;
    const auto controller = make_reference(strict_rules(), {});
    simulate(world, scenario, *controller, *this);
    for (const Pod* pod : world.cluster().pods().live().all()) left.push_back(pod->meta.name.str());
  }
  void on_step(const World& world, const TakenStep* now, std::string_view) override {
    if (now != nullptr || ended_) return;
    ended_ = true;
    for (const Pod* pod : world.cluster().pods().live().all()) pods.push_back(pod->meta.name.str());
  }
  void on_change(const World&) override {}
  void on_sync(const World&, const Sync& sync) override {
    if (ended_) return;
    served.push_back(sync.key.name.str());
    for_neighbour.push_back(sync.for_neighbour);
  }
  void on_settled(const World&, bool rested_now, int, int) override { rested = rested_now; }
  void on_rest(const World&, const Sync& sync) override { EXPECT_FALSE(sync.for_neighbour); }

  std::vector<std::string> pods, left, served;
  std::vector<bool> for_neighbour;
  bool rested = false;

 private:
  bool ended_ = false;
};

Census census(std::vector<Step> steps) { return Census(hand_made("replicas: 1", std::move(steps))); }

TEST(Neighbour, EachSortIsServedBesideTheSetAndGoneInTheEnd) {
  for (std::size_t as = 0; as < neighbour_count; ++as) {
    const Neighbour sort{static_cast<std::uint8_t>(as)};
    const bool before = sort == Neighbour::apart_before || sort == Neighbour::alike_before;
    const Census seen = census({apply(sort, 2), settle});
    if (before) EXPECT_THAT(seen.pods, ElementsAre("a-web-0", "a-web-1", "web-0"));
    else EXPECT_THAT(seen.pods, ElementsAre("web-0", "web-1-0", "web-1-1"));
    EXPECT_THAT(seen.left, ElementsAre("web-0"));
    EXPECT_TRUE(seen.rested);
  }
}

TEST(Neighbour, IsScaledWhenItIsThere) {
  EXPECT_THAT(census({apply(Neighbour::apart_after, 2), settle, apply(Neighbour::apart_after, 1), settle}).pods,
              ElementsAre("web-0", "web-1-0"));
  EXPECT_THAT(census({apply(Neighbour::apart_after, 0), settle}).pods, ElementsAre("web-0"));
  EXPECT_THAT(census({apply(Neighbour::apart_after, 2'000'000'000), settle}).pods,
              ElementsAre("web-0", "web-1-0", "web-1-1", "web-1-2"));
}

TEST(Neighbour, TakesItsTurnBeforeTheOneASyncIsFor) {
  const Census seen = census({settle, apply(Neighbour::apart_after, 1), deliver, one_sync});
  ASSERT_GE(seen.served.size(), 2u);
  EXPECT_EQ(seen.served[seen.served.size() - 2], "web-1");
  EXPECT_TRUE(seen.for_neighbour[seen.served.size() - 2]);
  EXPECT_EQ(seen.served.back(), "web");
  EXPECT_FALSE(seen.for_neighbour.back());
}

/// Works for the set that it was asked for the time before.
class Late final : public Forwarding {
 public:
  Late() : Forwarding(make_reference(strict_rules(), {})) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const Key before = std::exchange(last_, key);
    return inner_.sync(before.name.empty() ? key : before, seen, api, now);
  }
  void restart() override {
    Forwarding::restart();
    last_ = {};
  }
  std::string_view name() const override { return "late"; }

 private:
  Key last_;
};

TEST(Neighbour, ShowsWhatIsDoneForTheWrongSet) {
  Late controller;
  EXPECT_EQ(try_by_hand(hand_made("replicas: 1", {settle}), controller).result.verdict, Verdict::held)
      << "alone it is always the right one";
  const Tried both = try_by_hand(hand_made("replicas: 1", {apply(Neighbour::apart_before, 1), settle}), controller);
  EXPECT_TRUE(both.broke("ownership.sets-apart")) << "a turn for one writes what the other needs";
}

TEST(Neighbour, HasANumberForEachOfItsPods) {
  Scenario scenario = hand_made("replicas: 0\nordinals: {start: 2147483647}");
  EXPECT_EQ(neighbour_of(scenario.set, Neighbour::alike_before, 3).spec->ordinals_start, 2147483644);
}

}  // namespace
}  // namespace ordeal::properties
