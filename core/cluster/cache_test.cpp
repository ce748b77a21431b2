// What a cache shows and tells when it lags, jumps or starts at an older point. Three sets, so that the keys in the
// queue say whose event it was.
#include "core/cluster/cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cluster/test_objects.h"

namespace ordeal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CacheTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a", "b", "c"}) ASSERT_EQ(cluster_.create_set(test::set(name)), Code::ok);
    caches_.deliver(Kind::set, 3, queue_);
    told();
  }

  /// The keys told since this was last asked, in order.
  std::vector<std::string> told() {
    std::vector<std::string> names;
    while (const auto key = queue_.take(cluster_.now())) names.push_back(key->name.str());
    return names;
  }
  template <class T>
  static std::vector<std::string> names(const Listing<T>& listing) {
    std::vector<std::string> all;
    for (const T* held : listing.all) all.push_back(held->meta.name.str());
    return all;
  }
  std::vector<std::string> pods() const { return names(caches_.view().pods); }

  /// A pod of set a, b or c, by its first letter.
  void create_pod(const Text& name) {
    const StatefulSet* set = cluster_.sets().find(name.view().substr(0, 1));
    cluster_.create_pod(test::owned_by(test::pod(name), {test::owner(*set)}));
  }

  Cluster cluster_;
  Caches caches_{cluster_};
  WorkQueue queue_;
};

TEST_F(CacheTest, ShowsOnlyWhatWasDelivered) {
  create_pod("a-0");
  cluster_.start_pod("a-0");
  cluster_.set_ready("a-0", true);
  EXPECT_THAT(pods(), IsEmpty());
  EXPECT_EQ(caches_.view().reached[1], Version::none);
  EXPECT_EQ(caches_.behind(Kind::pod), 3u);
  EXPECT_EQ(caches_.deliver(Kind::pod, 1, queue_), 1u);
  EXPECT_EQ(caches_.view().pods.find("a-0")->phase, Phase::pending);
  EXPECT_EQ(caches_.view().reached[1], cluster_.pods().log()[0].version);
  EXPECT_EQ(caches_.deliver(Kind::pod, 1, queue_), 1u);
  EXPECT_EQ(caches_.view().pods.find("a-0")->phase, Phase::running);
  EXPECT_FALSE(caches_.fresh());
  EXPECT_EQ(caches_.deliver(Kind::pod, 9, queue_), 1u) << "there was only one more";
  EXPECT_EQ(caches_.view().pods.find("a-0"), cluster_.pods().find("a-0"));
  EXPECT_TRUE(caches_.fresh());
}

TEST_F(CacheTest, KnowsWhatItWasToldOneByOneSinceItListed) {
  create_pod("a-0");
  create_pod("b-0");
  caches_.relist(Kind::pod, queue_);
  const Version listed = cluster_.pods().log().back().version;
  EXPECT_EQ(caches_.view().pods.listed, listed);
  EXPECT_TRUE(caches_.view().pods.events.empty());
  cluster_.start_pod("a-0");
  cluster_.delete_pod("b-0");
  caches_.deliver(Kind::pod, 1, queue_);
  EXPECT_EQ(caches_.view().pods.events.size(), 1u);
  caches_.deliver_all(queue_);
  for (const View& view : {caches_.view(), caches_.shuffled_view(7), caches_.kept(caches_.view())}) {
    EXPECT_EQ(view.pods.listed, listed);
    ASSERT_EQ(view.pods.events.size(), 2u);
    EXPECT_EQ(view.pods.events[0].after->meta.name, "a-0");
    EXPECT_EQ(view.pods.events[1].before->meta.name, "b-0");
  }
  caches_.restart(Kind::pod, 1, queue_);
  EXPECT_EQ(caches_.view().pods.listed, cluster_.pods().log()[2].version);
  EXPECT_TRUE(caches_.view().pods.events.empty());
}

TEST_F(CacheTest, ARemovalIsAnEventToo) {
  create_pod("a-0");
  create_pod("b-0");
  caches_.deliver_all(queue_);
  told();
  cluster_.delete_pod("a-0");
  EXPECT_THAT(pods(), ElementsAre("a-0", "b-0"));
  caches_.deliver_all(queue_);
  EXPECT_THAT(pods(), ElementsAre("b-0"));
  EXPECT_THAT(told(), ElementsAre("a"));
  EXPECT_EQ(caches_.view().reached[1], cluster_.pods().log().back().version);
}

TEST_F(CacheTest, KindsLagIndependently) {
  create_pod("a-0");
  cluster_.create_claim(test::claim("data-a-0"));
  cluster_.create_revision(test::revision("a-r1"));
  caches_.deliver(Kind::claim, 1, queue_);
  const View seen = caches_.view();
  EXPECT_EQ(seen.pods.all.size(), 0u);
  EXPECT_EQ(seen.claims.all.size(), 1u);
  EXPECT_EQ(seen.revisions.all.size(), 0u);
  EXPECT_EQ(caches_.behind(Kind::revision), 1u);
  EXPECT_EQ(caches_.behind(Kind::set), 0u);
}

TEST_F(CacheTest, WhatEachKindTellsTheQueue) {
  cluster_.create_claim(test::claim("data-a-0"));
  cluster_.create_revision(test::revision("a-r1"));
  EXPECT_EQ(caches_.deliver_all(queue_), 2u);
  EXPECT_THAT(told(), IsEmpty()) << "claims and revisions enqueue nothing";
  create_pod("b-0");
  caches_.deliver_all(queue_);
  EXPECT_THAT(told(), ElementsAre("b"));
  StatefulSetSpec spec = *cluster_.sets().find("c")->spec;
  spec.replicas = 9;
  cluster_.update_set("c", spec);
  caches_.deliver_all(queue_);
  EXPECT_THAT(told(), ElementsAre("c"));
}

/// Says what it was told, and wakes a set of each event's first letter, a second after a claim's.
class Own final : public Handlers {
 public:
  void on(const Change<StatefulSet>& event, const View& seen) override { note(event, seen); }
  void on(const Change<Pod>& event, const View& seen) override { note(event, seen); }
  void on(const Change<Claim>& event, const View& seen) override { note(event, seen); }
  void on(const Change<Revision>& event, const View& seen) override { note(event, seen); }
  std::vector<Wake> asked(Time) override { return std::exchange(wakes_, {}); }

  std::vector<std::string> told;

 private:
  template <class T>
  void note(const Change<T>& event, const View& seen) {
    const std::string name = event.object().meta.name.str();
    const std::string what = event.before == nullptr ? "+" : event.after == nullptr ? "-" : "=";
    told.push_back(what + name + (event.version == Version::none ? " by a list" : ""));
    EXPECT_EQ(seen.of<T>().find(name) != nullptr, event.after != nullptr) << "the cache has taken it";
    const Text set(std::is_same_v<T, Claim> ? name.substr(5, 1) : name.substr(0, 1));
    wakes_.push_back({{"default", set}, std::is_same_v<T, Claim> ? Time{1'000} : Time{}});
  }
  std::vector<Wake> wakes_;
};

TEST_F(CacheTest, HandlersOfTheControllersOwnHearOfAllKinds) {
  Own own;
  queue_.serve({}, &own);
  create_pod("b-0");
  cluster_.create_claim(test::claim("data-a-0"));
  cluster_.create_revision(test::revision("c-r1"));
  EXPECT_EQ(caches_.deliver_all(queue_), 3u);
  EXPECT_THAT(own.told, ElementsAre("+b-0", "+data-a-0", "+c-r1"));
  EXPECT_THAT(told(), ElementsAre("b", "c"));
  EXPECT_EQ(queue_.next_due(), cluster_.now() + Time{1'000});
  own.told.clear();
  cluster_.delete_pod("b-0");
  create_pod("b-1");
  caches_.relist(Kind::pod, queue_);
  cluster_.start_pod("b-1");
  caches_.deliver(Kind::pod, 1, queue_);
  EXPECT_THAT(own.told, ElementsAre("-b-0 by a list", "+b-1 by a list", "=b-1"));
  EXPECT_THAT(told(), ElementsAre("b")) << "of three events of one set";
  own.told.clear();
  caches_.restart(Kind::set, 0, queue_);
  EXPECT_THAT(own.told, ElementsAre("+a by a list", "+b by a list", "+c by a list"));
  EXPECT_THAT(told(), ElementsAre("a", "b", "c"));
  queue_.serve({});
  cluster_.create_set(test::set("d"));
  caches_.deliver_all(queue_);
  EXPECT_THAT(told(), ElementsAre("d")) << "those of Kubernetes again";
  EXPECT_EQ(own.told.size(), 3u);
}

TEST_F(CacheTest, DeliversSetsBeforePods) {
  cluster_.create_set(test::set("d"));
  cluster_.create_pod(test::owned_by(test::pod("d-0"), {test::owner(*cluster_.sets().find("d"))}));
  caches_.deliver(Kind::pod, 1, queue_);
  EXPECT_THAT(told(), IsEmpty()) << "its set is not known yet";
  cluster_.start_pod("d-0");
  caches_.deliver_all(queue_);
  EXPECT_THAT(told(), ElementsAre("d"));
}

TEST_F(CacheTest, AJumpMissesWhatHappenedBetween) {
  for (const char* name : {"a-0", "b-0", "c-0"}) create_pod(name);
  caches_.deliver_all(queue_);
  told();
  create_pod("a-1");  // came and went
  cluster_.delete_pod("a-1");
  cluster_.start_pod("c-0");  // changed twice
  cluster_.set_ready("c-0", true);
  caches_.relist(Kind::pod, queue_);
  EXPECT_THAT(told(), ElementsAre("c")) << "b-0 did not change";
  EXPECT_THAT(pods(), ElementsAre("a-0", "b-0", "c-0"));
  EXPECT_TRUE(caches_.view().pods.find("c-0")->ready);
  EXPECT_EQ(caches_.behind(Kind::pod), 0u);
  EXPECT_EQ(caches_.view().reached[1], cluster_.pods().log().back().version);
  caches_.relist(Kind::pod, queue_);
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(CacheTest, AJumpTellsWhatWasAddedAndRemoved) {
  for (const char* name : {"a-0", "b-0"}) create_pod(name);
  caches_.deliver_all(queue_);
  told();
  cluster_.delete_pod("a-0");
  caches_.relist(Kind::pod, queue_);
  EXPECT_THAT(told(), ElementsAre("a")) << "a removal at the front";
  create_pod("c-0");
  cluster_.delete_pod("b-0");
  caches_.relist(Kind::pod, queue_);
  EXPECT_THAT(told(), ElementsAre("b", "c"));
  create_pod("a-5");
  caches_.relist(Kind::pod, queue_);
  EXPECT_THAT(pods(), ElementsAre("a-5", "c-0"));
  EXPECT_THAT(told(), ElementsAre("a"));
  cluster_.delete_pod("c-0");
  caches_.relist(Kind::pod, queue_);
  EXPECT_THAT(told(), ElementsAre("c")) << "a removal at the end";
}

TEST_F(CacheTest, AJumpOverAReplacementIsOneChange) {
  create_pod("a-0");
  caches_.deliver_all(queue_);
  told();
  const Uid first = cluster_.pods().find("a-0")->meta.uid;
  cluster_.delete_pod("a-0");
  cluster_.create_pod(test::owned_by(test::pod("a-0"), {test::owner(*cluster_.sets().find("b"))}));
  caches_.relist(Kind::pod, queue_);
  EXPECT_NE(caches_.view().pods.find("a-0")->meta.uid, first);
  EXPECT_THAT(told(), ElementsAre("a", "b")) << "the old owner and the new one";
}

TEST_F(CacheTest, EveryKindCanJump) {
  cluster_.create_set(test::set("d"));
  cluster_.create_claim(test::claim("data-a-0"));
  cluster_.create_revision(test::revision("a-r1"));
  for (const Kind kind : every_kind) caches_.relist(kind, queue_);
  EXPECT_THAT(told(), ElementsAre("d"));
  EXPECT_EQ(caches_.view().claims.all.size(), 1u);
  EXPECT_EQ(caches_.view().revisions.all.size(), 1u);
  EXPECT_TRUE(caches_.fresh());
}

TEST_F(CacheTest, ARestartReadsFromAnOlderPoint) {
  create_pod("a-0");           // event 1
  create_pod("b-0");           // 2
  cluster_.start_pod("b-0");   // 3
  cluster_.delete_pod("a-0");  // 4
  create_pod("c-0");           // 5
  caches_.deliver_all(queue_);
  told();
  const struct {
    std::size_t back;
    std::vector<std::string> shown;
  } table[] = {
      {0, {"b-0", "c-0"}}, {1, {"b-0"}}, {2, {"a-0", "b-0"}}, {4, {"a-0"}}, {5, {}}, {99, {}},
  };
  for (const auto& row : table) {
    caches_.restart(Kind::pod, row.back, queue_);
    EXPECT_EQ(pods(), row.shown) << row.back;
    EXPECT_EQ(caches_.behind(Kind::pod), std::min<std::size_t>(row.back, 5)) << row.back;
    EXPECT_EQ(told().size(), row.shown.size()) << "every object is added, " << row.back;
    const std::size_t position = 5 - caches_.behind(Kind::pod);
    const Version reached = position == 0 ? Version::none : cluster_.pods().log()[position - 1].version;
    EXPECT_EQ(caches_.view().reached[1], reached) << row.back;
  }
  caches_.restart(Kind::pod, 3, queue_);
  EXPECT_EQ(caches_.view().pods.find("b-0")->phase, Phase::pending) << "an older version of b-0";
  caches_.deliver_all(queue_);
  EXPECT_EQ(pods(), table[0].shown) << "from there it goes on";
}

TEST_F(CacheTest, EachKindRestartsAtItsOwnPoint) {
  create_pod("a-0");
  cluster_.create_claim(test::claim("data-a-0"));
  cluster_.create_claim(test::claim("data-b-0"));
  cluster_.create_revision(test::revision("a-r1"));
  const std::size_t back[kind_count] = {2, 0, 1, 1};
  for (const Kind kind : every_kind) caches_.restart(kind, back[static_cast<std::size_t>(kind)], queue_);
  const View seen = caches_.view();
  EXPECT_THAT(names(seen.sets), ElementsAre("a"));
  EXPECT_THAT(names(seen.pods), ElementsAre("a-0"));
  EXPECT_THAT(names(seen.claims), ElementsAre("data-a-0"));
  EXPECT_THAT(names(seen.revisions), IsEmpty());
  EXPECT_THAT(told(), ElementsAre("a"));
}

TEST_F(CacheTest, OneThatAwaitsItsListIsEmptyUntilAllOfItComesAtOnce) {
  create_pod("a-0");
  cluster_.start_pod("a-0");
  create_pod("b-0");
  cluster_.delete_pod("b-0");
  caches_.deliver_all(queue_);
  told();
  EXPECT_EQ(caches_.unlisted(), std::nullopt);
  caches_.await_list(Kind::pod, queue_);
  EXPECT_EQ(caches_.unlisted(), Kind::pod);
  EXPECT_THAT(pods(), IsEmpty());
  EXPECT_THAT(told(), IsEmpty());
  Caches::Mark before;
  caches_.mark(before);
  caches_.deliver(Kind::pod, 1, queue_);
  EXPECT_EQ(caches_.unlisted(), std::nullopt);
  EXPECT_THAT(pods(), ElementsAre("a-0"));
  EXPECT_THAT(told(), ElementsAre("a")) << "b-0 came and went";
  caches_.rewind(before);
  EXPECT_EQ(caches_.unlisted(), Kind::pod);
  caches_.restart(Kind::pod, 1, queue_);
  EXPECT_EQ(caches_.unlisted(), std::nullopt);
  caches_.await_list(Kind::claim, queue_);
  caches_.deliver_all(queue_);
  EXPECT_EQ(caches_.unlisted(), std::nullopt) << "there are no claims, and that is a list, too";
}

TEST_F(CacheTest, ClearedItIsANewCacheOfANewCluster) {
  create_pod("a-0");
  caches_.deliver_all(queue_);
  cluster_.reset();
  caches_.clear();
  EXPECT_THAT(pods(), IsEmpty());
  EXPECT_EQ(caches_.view().sets.all.size(), 0u);
  EXPECT_EQ(caches_.view().reached[0], Version::none);
  EXPECT_TRUE(caches_.fresh());
  cluster_.create_set(test::set("z"));
  EXPECT_EQ(caches_.deliver_all(queue_), 1u);
}

}  // namespace
}  // namespace ordeal
