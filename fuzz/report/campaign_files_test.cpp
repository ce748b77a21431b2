#include "fuzz/report/campaign_files.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "fuzz/engine/files.h"
#include "fuzz/engine/silent_watcher.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CampaignDirectory : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(root_); }
  void TearDown() override { fs::remove_all(root_); }

  CampaignOptions options() const {
    CampaignOptions options{.controller = find_controller("kubernetes-1.35.0"), .sets = {.given = {}, .drawn_too = true}};
    options.stint_trials = 50;
    return options;
  }
  /// Goes on for so many stints as a process of its own would; returns the notes.
  std::vector<std::string> go_on(const std::string& name, std::uint64_t stints) {
    const CampaignOptions asked = options();
    CampaignFiles files((root_ / name).string(), asked);
    std::vector<std::string> notes;
    auto state = files.load(notes);
    EXPECT_TRUE(state) << state.error();
    SilentWatcher watcher;
    const std::atomic<bool> stop = false;
    for (std::uint64_t n = 0; n < stints; ++n) {
      const Stint stint = run_stint(asked, *state, watcher, stop);
      add(*state, stint);
      EXPECT_TRUE(files.store(stint, *state));
    }
    return notes;
  }
  /// Everything below a campaign's directory but the seconds in its timeline.
  std::string whole(const std::string& name) const {
    std::string text;
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(root_ / name))
      if (entry.is_regular_file() && entry.path().filename() != "timeline.jsonl") files.push_back(entry.path());
    std::ranges::sort(files);
    for (const fs::path& file : files) text += fs::relative(file, root_ / name).string() + "\n" + read(file) + "\n";
    return text;
  }
  static std::string read(const fs::path& path) { return read_file(path.string(), std::size_t{64} << 20).value_or(""); }
  fs::path first_in(const std::string& directory) const { return *fs::directory_iterator(root_ / directory); }

  const fs::path root_ = fs::path(::testing::TempDir()) /
                         ("campaign-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(CampaignDirectory, GoneOnWithEndsAsOneLeftAlone) {
  go_on("alone", 4);
  for (int n = 0; n < 4; ++n) EXPECT_THAT(go_on("resumed", 1), IsEmpty());
  EXPECT_EQ(whole("alone"), whole("resumed"));
  EXPECT_THAT(whole("alone"), HasSubstr("findings/"));
}

TEST_F(CampaignDirectory, WhatAnUnfinishedStintLeftBehindIsWrittenAgain) {
  go_on("alone", 3);
  go_on("killed", 2);
  const std::string state = read(root_ / "killed" / "campaign.json");
  const std::string timeline = read(root_ / "killed" / "timeline.jsonl");
  go_on("killed", 1);
  // Killed after all but the state was written, in the middle of a line.
  ASSERT_TRUE(write_file((root_ / "killed" / "campaign.json").string(), state));
  ASSERT_TRUE(write_file((root_ / "killed" / "timeline.jsonl").string(), timeline + "{\"stint\":2,\"eng"));
  ASSERT_TRUE(write_file((root_ / "killed" / "findings" / "stray.00000000.json").string(), "{}"));
  EXPECT_THAT(go_on("killed", 1), IsEmpty());
  EXPECT_EQ(whole("alone"), whole("killed"));
  const std::string lines = read(root_ / "killed" / "timeline.jsonl");
  EXPECT_EQ(std::ranges::count(lines, '\n'), 3);
}

TEST_F(CampaignDirectory, DamagedFilesAreSetAsideAndNamed) {
  go_on("c", 2);
  const fs::path entry = first_in("c/corpus");
  ASSERT_TRUE(write_file(entry.string(), "{}"));
  const auto notes = go_on("c", 0);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr(entry.filename().string()));
  EXPECT_TRUE(fs::exists(root_ / "c" / "damaged" / entry.filename()));
  EXPECT_FALSE(fs::exists(entry));
  std::string state = read(root_ / "c" / "campaign.json");
  state.replace(state.find("\"stints\": 2"), 11, "\"stints\": 3");
  ASSERT_TRUE(write_file((root_ / "c" / "campaign.json").string(), state));
  EXPECT_THAT(go_on("c", 0), ElementsAre(HasSubstr("campaign.json is damaged")));
}

TEST_F(CampaignDirectory, OfAnotherCampaignIsRefusedWithTheDifference) {
  go_on("c", 1);
  CampaignOptions other = options();
  other.seed = 7;
  std::vector<std::string> notes;
  const auto state = CampaignFiles((root_ / "c").string(), other).load(notes);
  ASSERT_FALSE(state);
  EXPECT_THAT(state.error(), HasSubstr("holds another campaign: seed is 1 there, and 7 now"));
}

TEST_F(CampaignDirectory, AClosedFindingIsMovedAndNoted) {
  go_on("c", 3);
  const CampaignOptions asked = options();
  CampaignFiles files((root_ / "c").string(), asked);
  std::vector<std::string> notes;
  auto state = files.load(notes);
  ASSERT_TRUE(state);
  ASSERT_FALSE(state->finding_ids.empty());
  const std::string id = state->finding_ids.front();
  ASSERT_TRUE(files.close(id, "abc123", *state));
  EXPECT_TRUE(fs::exists(root_ / "c" / "findings" / "closed" / (id + ".json")));
  EXPECT_THAT(read(root_ / "c" / "timeline.jsonl"), HasSubstr("{\"closed\":\"" + id + "\",\"by\":\"abc123\"}"));
  EXPECT_THAT(files.load(notes)->finding_ids, testing::Not(testing::Contains(id)));
}

}  // namespace
}  // namespace ordeal::fuzz
