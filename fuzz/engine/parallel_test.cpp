#include "fuzz/engine/parallel.h"

#include <gmock/gmock.h>
#include <pthread.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

namespace ordeal::fuzz {
namespace {

using ::testing::StartsWith;

template <class Act>
std::string what_is_thrown(Act act) {
  try {
    act();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

TEST(RunInParallel, EachJobIsDoneOnceAtTheSameTime) {
  std::mutex mutex;
  std::set<unsigned> done;
  std::set<std::thread::id> threads;
  std::atomic<unsigned> waiting = 4;
  run_in_parallel(4, [&](unsigned job) {
    for (--waiting; waiting > 0;) std::this_thread::yield();
    const std::scoped_lock lock(mutex);
    EXPECT_TRUE(done.insert(job).second);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(done, (std::set<unsigned>{0, 1, 2, 3}));
  EXPECT_EQ(threads.size(), 4u);
  EXPECT_TRUE(threads.contains(std::this_thread::get_id()));
}

TEST(RunInParallel, OneJobNeedsNoThread) {
  run_in_parallel(1, [here = std::this_thread::get_id()](unsigned) { EXPECT_EQ(std::this_thread::get_id(), here); });
}

TEST(RunInParallel, WhatAJobThrowsIsThrownWhenAllAreDone) {
  for (unsigned thrower = 0; thrower < 3; ++thrower) {
    std::atomic<int> done = 0;
    EXPECT_EQ(what_is_thrown([&] {
                run_in_parallel(3, [&](unsigned job) {
                  ++done;
                  if (job == thrower) throw std::runtime_error("out of cheese");
                });
              }),
              "out of cheese");
    EXPECT_EQ(done, 3);
  }
}

TEST(RunInParallel, WhatTheSystemRefusesIsAnErrorAndNothingIsDone) {
  pthread_attr_t before, huge;
  ASSERT_EQ(::pthread_getattr_default_np(&before), 0);
  ASSERT_EQ(::pthread_getattr_default_np(&huge), 0);
  ASSERT_EQ(::pthread_attr_setstacksize(&huge, std::size_t{1} << 60), 0);  // more than there are addresses
  ASSERT_EQ(::pthread_setattr_default_np(&huge), 0);
  int done = 0;
  const std::string why = what_is_thrown([&] { run_in_parallel(3, [&](unsigned) { ++done; }); });
  ASSERT_EQ(::pthread_setattr_default_np(&before), 0);
  EXPECT_THAT(why, StartsWith("so many jobs cannot be started: the system refuses thread 1 of 2 ("));
  EXPECT_EQ(done, 0);
}

}  // namespace
}  // namespace ordeal::fuzz
