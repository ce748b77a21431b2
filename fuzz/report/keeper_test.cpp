#include "fuzz/report/keeper.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "fuzz/engine/files.h"
#include "fuzz/report/test_report.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class KeeperTest : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove_all(directory_); }
  std::string file(int n) const { return (directory_ / ("test.promise." + std::to_string(n) + ".json")).string(); }
  std::uint64_t trial_in(int n) const { return read_origin(read_file(file(n), 1 << 20).value()).value().trial; }
  static Keeper a_keeper(const fs::path& directory, std::uint64_t seed = 1) {
    return Keeper(directory.string(), {.controller = "strict", .level = properties::Level::strict, .seed = seed});
  }
  static Finding a_finding(std::uint64_t trial) {
    Finding finding = test_report().findings[0].finding;
    finding.trial = trial;
    return finding;
  }
  /// What stands are these trials.
  static Done keep(Keeper& keeper, const std::vector<std::uint64_t>& trials) {
    std::vector<Finding> findings;
    for (const std::uint64_t trial : trials) findings.push_back(a_finding(trial));
    std::vector<const Finding*> standing;
    for (const Finding& finding : findings) standing.push_back(&finding);
    return keeper.keep(standing);
  }
  /// Trials by number of the file.
  std::vector<std::uint64_t> stored() const {
    std::vector<std::uint64_t> trials;
    while (fs::exists(file(static_cast<int>(trials.size()) + 1)))
      trials.push_back(trial_in(static_cast<int>(trials.size()) + 1));
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : fs::directory_iterator(directory_)) ++files;
    EXPECT_EQ(files, trials.size()) << "files with no number in order";
    return trials;
  }
  const fs::path directory_ = fs::temp_directory_path() / ("ordeal-keeper-" + std::to_string(::getpid()));
};

TEST_F(KeeperTest, NothingIsTouchedBeforeTheFirstFinding) {
  Keeper keeper = a_keeper(directory_);
  EXPECT_FALSE(fs::exists(directory_));
  EXPECT_EQ(keeper.path_of(a_finding(57)), "");
  ASSERT_TRUE(keep(keeper, {57}));
  EXPECT_EQ(keeper.path_of(a_finding(57)), file(1));
  EXPECT_THAT(stored(), ElementsAre(57));
}

TEST_F(KeeperTest, ALowerTrialOfTheSameRunTakesItsPlace) {
  Keeper keeper = a_keeper(directory_);
  ASSERT_TRUE(keep(keeper, {57}));
  ASSERT_TRUE(keep(keeper, {40}));
  EXPECT_THAT(stored(), ElementsAre(40));
}

TEST_F(KeeperTest, EachCauseHasAFileAndMergedOnesHaveNone) {
  Keeper keeper = a_keeper(directory_);
  ASSERT_TRUE(keep(keeper, {57}));
  ASSERT_TRUE(keep(keeper, {40, 57, 60}));
  EXPECT_THAT(stored(), ElementsAre(40, 57, 60));
  EXPECT_EQ(keeper.path_of(a_finding(57)), file(2));
  ASSERT_TRUE(keep(keeper, {40, 60}));
  EXPECT_THAT(stored(), ElementsAre(40, 60));
  EXPECT_EQ(keeper.path_of(a_finding(57)), "");
  EXPECT_EQ(keeper.path_of(a_finding(60)), file(2));
}

TEST_F(KeeperTest, AFindingIsWrittenAgainWhenItWasShrunk) {
  Keeper keeper = a_keeper(directory_);
  ASSERT_TRUE(keep(keeper, {57}));
  Finding shrunk = a_finding(57);
  shrunk.scenario.steps.pop_back();
  const Finding* standing[] = {&shrunk};
  ASSERT_TRUE(keeper.keep(standing));
  EXPECT_EQ(properties::read_scenario(read_file(file(1), 1 << 20).value())->steps, shrunk.scenario.steps);
}

TEST_F(KeeperTest, TheSameFindingsOfAnEarlierRunAreWrittenAgain) {
  const std::vector<std::vector<std::uint64_t>> orders{{57}, {57, 80}, {80}, {60, 80}, {80, 99}};
  for (const auto& first : orders) {
    Keeper keeper = a_keeper(directory_);
    ASSERT_TRUE(keep(keeper, first)) << "as jobs happen to find them";
    ASSERT_TRUE(keep(keeper, {57, 80}));
    EXPECT_THAT(stored(), ElementsAre(57, 80)) << "each once";
  }
}

TEST_F(KeeperTest, AnotherRunsFindingMovesOn) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Keeper keeper = a_keeper(directory_, seed);
    ASSERT_TRUE(keep(keeper, {10 * seed}));
  }
  EXPECT_THAT(stored(), ElementsAre(30, 10, 20));
  Keeper keeper = a_keeper(directory_, 4);
  ASSERT_TRUE(keep(keeper, {40, 41}));
  EXPECT_THAT(stored(), ElementsAre(40, 41, 20, 30, 10)) << "none is lost";
}

TEST_F(KeeperTest, AnotherManifestOfTheSameSeedAndTrialMovesOn) {
  const auto keep_of = [&](const char* manifest) {
    Keeper keeper = a_keeper(directory_);
    Finding finding = a_finding(57);
    finding.found_in = manifest;
    const Finding* standing = &finding;
    ASSERT_TRUE(keeper.keep(std::span(&standing, 1)));
    EXPECT_EQ(read_origin(read_file(file(1), 1 << 20).value())->scenario_before, manifest);
  };
  keep_of("web");
  keep_of("db");
  EXPECT_THAT(stored(), ElementsAre(57, 57));
  for (int round = 0; round < 2; ++round) {
    keep_of("web");
    keep_of("db");
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(directory_), {}), 2) << "each once, however often they take turns";
}

TEST_F(KeeperTest, ACopyUnderAnotherNameStays) {
  Keeper first = a_keeper(directory_);
  ASSERT_TRUE(keep(first, {57}));
  fs::copy_file(file(1), directory_ / "test.promise.mine.json");
  fs::copy_file(file(1), file(7));
  fs::copy_file(file(1), directory_ / "test.promise.007.json");
  std::string shorter = read_file(file(1), 1 << 20).value();
  shorter.insert(shorter.rfind('\n'), " ");
  ASSERT_TRUE(write_file(file(5), shorter));
  Keeper again = a_keeper(directory_);
  ASSERT_TRUE(keep(again, {57}));
  EXPECT_TRUE(fs::exists(directory_ / "test.promise.mine.json"));
  EXPECT_FALSE(fs::exists(file(7))) << "the very same, under a number";
  EXPECT_TRUE(fs::exists(directory_ / "test.promise.007.json")) << "no number of ours";
  EXPECT_TRUE(fs::exists(file(5))) << "found in the same trial, and another text, as one that was shrunk further";
}

TEST_F(KeeperTest, AFileOfSomebodyElseMovesOnToo) {
  ASSERT_TRUE(write_file(file(1), "mine"));
  Keeper keeper = a_keeper(directory_);
  ASSERT_TRUE(keep(keeper, {57}));
  EXPECT_EQ(read_file(file(2), 100).value(), "mine");
}

TEST_F(KeeperTest, WhatCannotBeWrittenIsSaid) {
  ASSERT_TRUE(write_file(directory_.string(), "a file where the directory should be"));
  Keeper keeper = a_keeper(directory_);
  EXPECT_THAT(keep(keeper, {57}).error(), HasSubstr(directory_.string()));
  EXPECT_EQ(keeper.path_of(a_finding(57)), "") << "no file holds it";
}

}  // namespace
}  // namespace ordeal::fuzz
