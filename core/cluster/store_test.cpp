// The log keeps every version in order and for good; the live objects are sorted by name.
#include "core/cluster/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/cluster/test_objects.h"

namespace ordeal {
namespace {

using testing::ElementsAre;

const auto unchanged = [](Claim&) {};

std::vector<std::string> names(std::span<const Claim* const> claims) {
  std::vector<std::string> all;
  for (const Claim* held : claims) all.push_back(held->meta.name.str());
  return all;
}

TEST(Store, LiveObjectsAreInTheOrderOfTheirNames) {
  Store<Claim> store;
  for (const char* name : {"web-2", "web-10", "a", "web-1"}) store.commit(test::claim(name), Version{1}, unchanged);
  EXPECT_THAT(names(store.live().all()), ElementsAre("a", "web-1", "web-10", "web-2"));
  store.remove("web-10", Version{2});
  EXPECT_THAT(names(store.live().all()), ElementsAre("a", "web-1", "web-2"));
  EXPECT_EQ(store.find("web-10"), nullptr);
  EXPECT_EQ(store.find("web-2"), store.live().all()[2]);
}

TEST(Store, TheLogTellsEachChangeWithWhatWasBefore) {
  Store<Claim> store;
  const Claim* first = store.commit(test::claim("a"), Version{3}, unchanged);
  const Claim* second = store.commit(*first, Version{5}, [](Claim& c) { c.meta.deletion = Time::seconds(1); });
  store.remove("a", Version{8});
  const auto log = store.log();
  ASSERT_EQ(log.size(), 3u);
  EXPECT_EQ(log[0].before, nullptr);
  EXPECT_EQ(log[0].after, first);
  EXPECT_EQ(log[1].before, first);
  EXPECT_EQ(log[1].after, second);
  EXPECT_EQ(log[2].before, second);
  EXPECT_EQ(log[2].after, nullptr);
  EXPECT_EQ(&log[2].object(), second);
  EXPECT_EQ(log[2].version, Version{8});
  EXPECT_FALSE(first->meta.terminating()) << "an older version changed";
  EXPECT_TRUE(second->meta.terminating());
  EXPECT_EQ(first->meta.version, Version{3});
  EXPECT_EQ(second->meta.version, Version{5});
}

TEST(Store, VersionsNeverMove) {
  Store<Claim> store;
  const Claim* first = store.commit(test::claim("a"), Version{1}, unchanged);
  for (std::uint64_t v = 2; v < 1000; ++v) store.commit(*first, Version{v}, unchanged);
  EXPECT_EQ(store.log()[0].after, first);
  EXPECT_EQ(first->meta.version, Version{1});
}

TEST(Store, RemovingWhatIsNotThereIsNoEvent) {
  Store<Claim> store;
  store.remove("a", Version{1});
  EXPECT_TRUE(store.log().empty());
}

TEST(Store, ClearedItStartsAgainInTheSameMemory) {
  Store<Claim> store;
  const Claim* first = store.commit(test::claim("a"), Version{1}, unchanged);
  store.clear();
  EXPECT_EQ(store.find("a"), nullptr);
  EXPECT_TRUE(store.log().empty());
  const Claim* again = store.commit(test::claim("b"), Version{1}, unchanged);
  EXPECT_EQ(again, first);
  EXPECT_EQ(again->meta.name, "b");
  EXPECT_EQ(store.log().size(), 1u);
}

}  // namespace
}  // namespace ordeal
