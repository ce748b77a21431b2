#include "fuzz/report/keeper.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "fuzz/engine/files.h"
#include "fuzz/report/test_report.h"

namespace ordeal::fuzz {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class KeeperTest : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove_all(directory_); }
  std::string file(int n) const { return (directory_ / ("test.promise." + std::to_string(n) + ".json")).string(); }
  std::uint64_t trial_in(int n) const { return read_origin(read_file(file(n), 1 << 20).value()).value().trial; }
  std::expected<void, std::string> keep(Keeper& keeper, std::uint64_t trial, std::uint64_t seed = 1) {
    Finding finding = test_report().findings[0].finding;
    finding.trial = trial;
    return keeper.keep(finding, {.invariant = "test.promise", .controller = "strict", .seed = seed, .trial = trial});
  }
  const fs::path directory_ = fs::temp_directory_path() / ("ordeal-keeper-" + std::to_string(::getpid()));
};

TEST_F(KeeperTest, NothingIsTouchedBeforeTheFirstFinding) {
  Keeper keeper(directory_.string());
  EXPECT_FALSE(fs::exists(directory_));
  ASSERT_TRUE(keep(keeper, 57));
  EXPECT_EQ(keeper.path_of(test_invariant), file(1));
  EXPECT_EQ(trial_in(1), 57u);
}

TEST_F(KeeperTest, ALowerTrialOfTheSameRunTakesItsPlace) {
  Keeper keeper(directory_.string());
  ASSERT_TRUE(keep(keeper, 57));
  ASSERT_TRUE(keep(keeper, 40));
  EXPECT_EQ(trial_in(1), 40u);
  EXPECT_FALSE(fs::exists(file(2)));
}

TEST_F(KeeperTest, TheSameFindingOfAnEarlierRunIsWrittenAgain) {
  for (int run = 0; run < 2; ++run) {
    Keeper keeper(directory_.string());
    ASSERT_TRUE(keep(keeper, 57));
  }
  EXPECT_FALSE(fs::exists(file(2)));
}

TEST_F(KeeperTest, AnotherRunsFindingMovesOn) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Keeper keeper(directory_.string());
    ASSERT_TRUE(keep(keeper, 10 * seed, seed));
  }
  EXPECT_EQ(trial_in(1), 30u);
  EXPECT_EQ(trial_in(2), 10u);
  EXPECT_EQ(trial_in(3), 20u);
}

TEST_F(KeeperTest, AFileOfSomebodyElseMovesOnToo) {
  ASSERT_TRUE(write_file(file(1), "mine"));
  Keeper keeper(directory_.string());
  ASSERT_TRUE(keep(keeper, 57));
  EXPECT_EQ(read_file(file(2), 100).value(), "mine");
}

TEST_F(KeeperTest, WhatCannotBeWrittenIsSaid) {
  ASSERT_TRUE(write_file(directory_.string(), "a file where the directory should be"));
  Keeper keeper(directory_.string());
  EXPECT_THAT(keep(keeper, 57).error(), HasSubstr(directory_.string()));
}

}  // namespace
}  // namespace ordeal::fuzz
