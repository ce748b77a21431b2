// The work queue: order, back-off in virtual time, and which event wakes which set.
#include "core/controller/queue.h"

#include <gtest/gtest.h>

#include "core/cluster/test_objects.h"

namespace ordeal {
namespace {

const Key web{"default", "web"}, db{"default", "db"};
const SyncResult good{}, bad{.failed = true, .code = Code::ok, .what = {}, .requeue_after = {}};

TEST(WorkQueue, IsFirstInFirstOutAndHoldsAKeyOnce) {
  WorkQueue queue;
  queue.add(web);
  queue.add(db);
  queue.add(web);
  EXPECT_EQ(queue.take({}), web);
  EXPECT_EQ(queue.take({}), db);
  EXPECT_EQ(queue.take({}), std::nullopt);
}

TEST(WorkQueue, DelayedKeysComeWhenTheyAreDueTheEarliestFirst) {
  WorkQueue queue;
  queue.add_after(web, Time{20});
  queue.add_after(db, Time{10});
  EXPECT_FALSE(queue.ready(Time{9}));
  EXPECT_EQ(queue.take(Time{9}), std::nullopt);
  EXPECT_EQ(queue.next_due(), Time{10});
  EXPECT_EQ(queue.next_due(web), Time{20});
  EXPECT_EQ(queue.next_due(Key{"default", "nobody"}), std::nullopt);
  EXPECT_TRUE(queue.ready(Time{20}));
  EXPECT_EQ(queue.take(Time{20}), db);
  EXPECT_EQ(queue.take(Time{20}), web);
  EXPECT_EQ(queue.next_due(), std::nullopt);
}

TEST(WorkQueue, OneMayBeTakenOutOfTurn) {
  WorkQueue queue;
  queue.add(db);
  queue.add(web);
  EXPECT_TRUE(queue.take_ready(web));
  EXPECT_FALSE(queue.take_ready(web));
  EXPECT_EQ(queue.take({}), db);
}

TEST(WorkQueue, KnowsWhatItsHandlersPutOff) {
  class Late final : public Handlers {
   public:
    void on(const Change<StatefulSet>&, const View&) override {}
    void on(const Change<Pod>&, const View&) override {}
    void on(const Change<Claim>&, const View&) override {}
    void on(const Change<Revision>&, const View&) override {}
    std::vector<Wake> asked(Time now) override {
      asked_at = now;
      return {{web, Time{50}}};
    }
    Time asked_at{};
  } late;
  WorkQueue queue;
  queue.serve({}, &late);
  queue.skew(Time{7});
  queue.add_after(db, Time{20});
  queue.hear(Time{10});
  EXPECT_EQ(late.asked_at, Time{17});
  EXPECT_EQ(queue.put_off(web), Time{60});
  EXPECT_EQ(queue.put_off(db), std::nullopt) << "no handler asked for that";
  queue.add_after(web, Time{5});
  EXPECT_EQ(queue.put_off(web), Time{5}) << "whatever else makes the turn";
  EXPECT_EQ(queue.take(Time{5}), web);
  EXPECT_EQ(queue.put_off(web), std::nullopt);
}

TEST(WorkQueue, OfTwoDelaysTheShorterHolds) {
  WorkQueue queue;
  queue.add_after(web, Time{20});
  queue.add_after(web, Time{10});
  queue.add_after(web, Time{30});
  EXPECT_EQ(queue.take(Time{10}), web);
  EXPECT_EQ(queue.take(Time{40}), std::nullopt);
}

TEST(WorkQueue, BacksOffFromFiveMillisecondsToAThousandSeconds) {
  const std::int64_t delays[] = {5, 10, 20, 40};
  WorkQueue queue;
  for (const std::int64_t delay : delays) {
    queue.done(web, bad, Time{1000});
    EXPECT_EQ(queue.next_due(), Time{1000 + delay});
    EXPECT_EQ(queue.take(Time{1000 + delay}), web);
  }
  for (int more = 0; more < 60; ++more) {
    queue.done(web, bad, Time{});
    queue.take(Time{2'000'000});
  }
  queue.done(web, bad, Time{});
  EXPECT_EQ(queue.next_due(), Time{1'000'000});
}

TEST(WorkQueue, SuccessForgetsTheBackOffOfThatKeyOnly) {
  WorkQueue queue;
  for (const Key& key : {web, db}) {
    queue.done(key, bad, {});
    EXPECT_EQ(queue.take(Time{5}), key);
  }
  queue.done(web, good, {});
  queue.done(web, bad, {});
  EXPECT_EQ(queue.next_due(), Time{5});
  EXPECT_EQ(queue.take(Time{5}), web);
  queue.done(db, bad, {});
  EXPECT_EQ(queue.next_due(), Time{10});
}

TEST(WorkQueue, RequeuesAfterTheTimeAskedForButNotAfterAFailure) {
  WorkQueue queue;
  SyncResult again = good;
  again.requeue_after = Time::seconds(7);
  queue.done(web, again, Time{1000});
  EXPECT_EQ(queue.next_due(), Time{8000});
  queue.clear();
  again.failed = true;
  queue.done(web, again, Time{1000});
  EXPECT_EQ(queue.next_due(), Time{1005});
}

TEST(WorkQueue, LeavesRetriesToAControllerThatKeepsItsOwn) {
  WorkQueue queue;
  queue.serve({.keeps_queue = true});
  queue.done(web, bad, {});
  EXPECT_EQ(queue.next_due(), std::nullopt);
  SyncResult again = bad;
  again.retry_after = Time::seconds(7);
  queue.done(web, again, Time{1000});
  EXPECT_EQ(queue.next_due(), Time{8000});
}

// --- events ------------------------------------------------------------------------------------------------------------

struct EventTest : testing::Test {
  EventTest() {
    cluster.reset();
    cluster.create_set(test::set("web"));
    StatefulSet other = test::set("db");
    StatefulSetSpec spec = *other.spec;
    spec.selector.match_labels = {{"app", "db"}};
    auto pod_template = std::make_shared<PodTemplate>(*spec.pod_template);
    pod_template->labels = {{"app", "db"}};
    spec.pod_template = pod_template;
    spec.min_ready_seconds = 30;
    other.spec = std::make_shared<const StatefulSetSpec>(spec);
    cluster.create_set(other);
  }
  const StatefulSet& set(const char* name) { return *cluster.sets().find(name); }
  Pod owned(const char* name, const char* by) {
    return test::owned_by(versioned(test::pod(name)), {test::owner(set(by))});
  }
  Pod versioned(Pod pod) {
    pod.meta.version = Version{++version};
    return pod;
  }
  std::vector<Text> woken(const Pod* before, const Pod* after) {
    queue.clear();
    View seen;
    seen.sets = cluster.sets().live().listing();
    queue.on_pod(before, after, seen, Time{5000});
    std::vector<Text> names;
    while (const auto key = queue.take(Time{5000})) names.push_back(key->name);
    return names;
  }
  using Names = std::vector<Text>;
  Cluster cluster;
  WorkQueue queue;
  std::uint64_t version = 0;
};

TEST_F(EventTest, AnyChangeOfASetWakesIt) {
  const StatefulSet& changed = set("web");
  for (const auto& [before, after] : {std::pair{&changed, &changed}, {nullptr, &changed}, {&changed, nullptr}}) {
    queue.clear();
    queue.on_set(before, after);
    EXPECT_EQ(queue.take({}), web);
  }
}

TEST_F(EventTest, AdditionWakesTheOwnerOrAllThatSelectIt) {
  const Pod mine = owned("web-0", "web"), orphan = versioned(test::pod("some-pod"));
  EXPECT_EQ(woken(nullptr, &mine), Names{"web"});
  EXPECT_EQ(woken(nullptr, &orphan), Names{"web"});
  Pod stranger = test::owned_by(test::pod("x"), {test::stranger(true)});
  EXPECT_EQ(woken(nullptr, &stranger), Names{});
}

TEST_F(EventTest, OwnerOfAnEarlierSetOfTheNameWakesNobody) {
  Pod earlier = owned("web-0", "web");
  Owners owners = *earlier.meta.owners;
  owners[0].uid = Uid{999};
  earlier.meta.owners = test::owners(owners);
  EXPECT_EQ(woken(nullptr, &earlier), Names{});
  EXPECT_EQ(woken(&earlier, nullptr), Names{});
}

TEST_F(EventTest, AnOrphanThatGoesWakesNobodyAndATerminatingAdditionIsADeletion) {
  Pod orphan = versioned(test::pod("web-0")), mine = owned("web-1", "web");
  EXPECT_EQ(woken(&orphan, nullptr), Names{});
  orphan.meta.deletion = mine.meta.deletion = Time{1};
  EXPECT_EQ(woken(nullptr, &orphan), Names{});
  EXPECT_EQ(woken(nullptr, &mine), Names{"web"});
  EXPECT_EQ(woken(&mine, nullptr), Names{"web"});
}

TEST_F(EventTest, AnOrphanWithoutLabelsWakesNobody) {
  StatefulSet wanted = test::set("any");
  StatefulSetSpec spec = *wanted.spec;
  spec.selector = {};
  spec.selector.match_expressions = {{"app", SelectorRequirement::Operator::not_in, {"db"}}};
  wanted.spec = std::make_shared<const StatefulSetSpec>(spec);
  ASSERT_EQ(cluster.create_set(wanted), Code::ok);
  Pod bare = versioned(test::pod("any-0"));
  bare.meta.labels = nullptr;
  EXPECT_EQ(woken(nullptr, &bare), Names{}) << "though it is selected";
  bare.meta.labels = test::labels({{"app", "cache"}});
  EXPECT_EQ(woken(nullptr, &bare), Names{"any"});
}

TEST_F(EventTest, SameVersionWakesNobody) {
  const Pod mine = owned("web-0", "web");
  EXPECT_EQ(woken(&mine, &mine), Names{});
}

TEST_F(EventTest, AnotherOwnerWakesBoth) {
  const Pod before = owned("web-0", "web"), after = owned("web-0", "db");
  EXPECT_EQ(woken(&before, &after), (Names{"web", "db"}));
  const Pod released = versioned(test::pod("web-0"));
  EXPECT_EQ(woken(&before, &released), Names{"web"}) << "and it selects it, too";
  Pod lost = released;
  lost.meta.labels = test::labels({{"app", "db"}});
  EXPECT_EQ(woken(&before, &lost), (Names{"web", "db"}));
}

TEST_F(EventTest, ChangeOfAnOrphanWakesOnlyWhenItsLabelsChanged) {
  const Pod before = versioned(test::pod("x"));
  Pod after = versioned(before);
  after.phase = Phase::running;
  EXPECT_EQ(woken(&before, &after), Names{});
  after.meta.labels = test::labels({{"app", "web"}, {"extra", "1"}});
  EXPECT_EQ(woken(&before, &after), Names{"web"});
}

TEST_F(EventTest, BecomingReadyWakesAgainASecondAfterMinReadySeconds) {
  const Pod before = owned("db-0", "db");
  Pod after = versioned(before);
  after.ready = true;
  EXPECT_EQ(woken(&before, &after), Names{"db"});
  EXPECT_EQ(queue.next_due(), Time{5000 + 31'000});
  queue.serve({.wake_margin = Time{}});
  EXPECT_EQ(woken(&before, &after), Names{"db"});
  EXPECT_EQ(queue.next_due(), Time{5000 + 30'000}) << "or at the very moment";
  queue.clear();
  queue.serve({.wake_margin = {}});
  EXPECT_EQ(woken(&before, &after), Names{"db"});
  EXPECT_EQ(queue.next_due(), std::nullopt) << "or that is for the turn";
  const Pod no_wait = owned("web-0", "web");
  Pod ready = versioned(no_wait);
  ready.ready = true;
  EXPECT_EQ(woken(&no_wait, &ready), Names{"web"});
  EXPECT_EQ(queue.next_due(), std::nullopt);
}

TEST_F(EventTest, HandlersForOwnersWakeWhoeverHasTheOwnersNameAndNobodyElse) {
  queue.serve({.wake_margin = {}, .wakes_owners_only = true});
  const Pod orphan = versioned(test::pod("some-pod")), before = owned("db-0", "db");
  EXPECT_EQ(woken(nullptr, &orphan), Names{});
  Pod relabelled = versioned(orphan);
  relabelled.meta.labels = test::labels({{"app", "web"}, {"extra", "1"}});
  EXPECT_EQ(woken(&orphan, &relabelled), Names{});
  Pod ready = versioned(before);
  ready.ready = true;
  EXPECT_EQ(woken(&before, &ready), Names{"db"});
  EXPECT_EQ(queue.next_due(), std::nullopt) << "no second look";
  Pod released = versioned(before);
  released.meta.owners.reset();
  EXPECT_EQ(woken(&before, &released), Names{"db"}) << "who was left, not who might adopt it";
  Owners earlier = *before.meta.owners, foreign = earlier;
  earlier[0].uid = Uid{999};
  foreign[0].api_version = "apps.kruise.io/v1beta1";
  Owners older_version = *before.meta.owners;
  older_version[0].api_version = "apps/v1beta2";
  const Pod of_earlier = test::owned_by(before, earlier), of_foreign = test::owned_by(before, foreign);
  const Pod of_older_version = test::owned_by(before, older_version);
  EXPECT_EQ(woken(&of_earlier, nullptr), Names{"db"});
  EXPECT_EQ(woken(&of_older_version, nullptr), Names{"db"});
  EXPECT_EQ(woken(&of_foreign, nullptr), Names{});
}

}  // namespace
}  // namespace ordeal
