#include "fuzz/campaign/files.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fuzz/engine/files.h"
#include "fuzz/engine/silent_watcher.h"
#include "properties/scenario/scenario_json.h"
#include "properties/trial/digest.h"

namespace ordeal::fuzz {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using properties::Digest;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class CampaignDirectory : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(root_); }
  void TearDown() override { fs::remove_all(root_); }

  CampaignOptions options() const {
    CampaignOptions options{.controller = find_controller("kubernetes-1.35.0"),
                            .sets = {.given = {}, .drawn_too = true}};
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
  CampaignState load(const std::string& name) const {
    const CampaignOptions asked = options();
    std::vector<std::string> notes;
    return *CampaignFiles((root_ / name).string(), asked).load(notes);
  }
  void damage_state(const std::string& name) const {
    std::string state = read(root_ / name / "campaign.json");
    const std::size_t at = state.find("\"seed\": 1");
    ASSERT_NE(at, state.npos);
    state.replace(at, 9, "\"seed\": 2");
    ASSERT_TRUE(write_file((root_ / name / "campaign.json").string(), state));
  }
  std::vector<std::string> names_in(const std::string& directory) const {
    std::vector<std::string> names;
    for (const std::string& file : files_below((root_ / directory).string()).value())
      names.push_back(fs::path(file).filename());
    return names;
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
  go_on("c", 1);
  const auto before = names_in("c/findings");
  ASSERT_FALSE(before.empty());
  damage_state("c");
  EXPECT_THAT(go_on("c", 0),
              ElementsAre(HasSubstr("campaign.json is damaged"), HasSubstr("corpus was set aside as "),
                          HasSubstr("timeline.jsonl was set aside as "),
                          HasSubstr("findings: " + std::to_string(before.size()) + " of them stay in the campaign")));
  EXPECT_EQ(names_in("c/findings"), before);
  EXPECT_FALSE(names_in("c/damaged/corpus").empty());
  EXPECT_THAT(read(root_ / "c" / "damaged" / "timeline.jsonl"), HasSubstr("{\"stint\":1,"));
}

TEST_F(CampaignDirectory, AFindingThatCannotBeReadCountsNoMore) {
  go_on("c", 2);
  const std::vector<std::string> ids = load("c").finding_ids;
  ASSERT_GE(ids.size(), 4u);
  const auto path_of = [&](std::size_t n) { return root_ / "c" / "findings" / (ids[n] + ".json"); };
  ASSERT_TRUE(write_file(path_of(0).string(), read(path_of(0)).substr(0, 200)));
  fs::remove(path_of(1));
  fs::remove(path_of(2));
  fs::create_directories(path_of(2));
  EXPECT_THAT(go_on("c", 0), ElementsAre(HasSubstr("is damaged (it is not what was written) and was set aside"),
                                         HasSubstr("is missing; what it told is looked for again"),
                                         HasSubstr("is damaged (it is a folder) and was set aside")));
  EXPECT_EQ(load("c").finding_ids.size(), ids.size() - 3);
  EXPECT_TRUE(fs::exists(root_ / "c" / "damaged" / path_of(0).filename()));
  EXPECT_TRUE(fs::is_directory(root_ / "c" / "damaged" / path_of(2).filename()));
  EXPECT_THAT(go_on("c", 0), IsEmpty()) << "said once";
}

TEST_F(CampaignDirectory, AFindingThatOnlyALaterVersionKnowsStaysInItsPlace) {
  go_on("c", 2);
  const std::vector<std::string> ids = load("c").finding_ids;
  ASSERT_GE(ids.size(), 2u);
  const auto replace = [&](std::size_t n, const std::string& what, const std::string& by) {
    const std::string path = (root_ / "c" / "findings" / (ids[n] + ".json")).string();
    std::string text = read(path);
    ASSERT_NE(text.find(what), std::string::npos) << what;
    ASSERT_TRUE(write_file(path, text.replace(text.find(what), what.size(), by)));
  };
  replace(0, "\"invariant\": \"", "\"invariant\": \"later.");
  replace(1, "\"do\": \"", "\"do\": \"later.");
  EXPECT_THAT(go_on("c", 0), IsEmpty());
  EXPECT_EQ(load("c").finding_ids, ids);
}

TEST_F(CampaignDirectory, OfALaterFormatIsLeftAsItIs) {
  go_on("c", 1);
  const fs::path state = root_ / "c" / "campaign.json";
  std::string text = read(state);
  text.replace(text.find("ordeal/campaign/1"), 17, "ordeal/campaign/99");
  ASSERT_TRUE(write_file(state.string(), text));
  const CampaignOptions asked = options();
  std::vector<std::string> notes;
  const auto loaded = CampaignFiles((root_ / "c").string(), asked).load(notes);
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error(), HasSubstr("format ordeal/campaign/99 is not known"));
  EXPECT_EQ(read(state), text);
}

TEST_F(CampaignDirectory, FindingsOutliveADamagedState) {
  go_on("c", 3);
  const auto before = names_in("c/findings");
  ASSERT_GE(before.size(), 2u);
  damage_state("c");
  go_on("c", 1);
  for (const std::string& name : before) EXPECT_TRUE(fs::exists(root_ / "c" / "findings" / name)) << name;
  EXPECT_GE(load("c").finding_ids.size(), before.size());
  EXPECT_THAT(read(root_ / "c" / "timeline.jsonl"), HasSubstr("\"stint\":0,")) << "it has begun anew";
  const auto kept = names_in("c/damaged/corpus");
  damage_state("c");
  go_on("c", 1);
  EXPECT_EQ(names_in("c/damaged/corpus"), kept) << "set aside again, nothing is written over";
  EXPECT_FALSE(names_in("c/damaged/corpus.2").empty());
  for (const std::string& name : before) EXPECT_TRUE(fs::exists(root_ / "c" / "findings" / name)) << name;
}

TEST_F(CampaignDirectory, WithoutItsStateIsADamagedOne) {
  go_on("c", 3);
  const auto before = names_in("c/findings");
  fs::remove(root_ / "c" / "campaign.json");
  EXPECT_THAT(go_on("c", 1), Contains(HasSubstr("campaign.json is missing")));
  for (const std::string& name : before) EXPECT_TRUE(fs::exists(root_ / "c" / "findings" / name)) << name;
  EXPECT_FALSE(names_in("c/damaged/corpus").empty());
}

TEST_F(CampaignDirectory, OddValuesAreDamageToo) {
  for (const char* odd :
       {"", "[]", "{\"format\": 5}", "{\"format\": \"ordeal/campaign/1\", \"checksum\": 5, \"state\": {}}"}) {
    ASSERT_TRUE(write_file((root_ / "c" / "campaign.json").string(), odd));
    EXPECT_THAT(go_on("c", 0), ElementsAre(HasSubstr("campaign.json is damaged"))) << odd;
  }
}

TEST_F(CampaignDirectory, ADamagedOneKeepsNoFindingsOfAnotherController) {
  go_on("c", 3);
  const auto before = names_in("c/findings");
  const std::string text = read(root_ / "c" / "findings" / before.front());
  std::string other = text;
  other.replace(other.find("kubernetes-1.35.0"), 17, "kubernetes-1.31.0");
  ASSERT_TRUE(write_file((root_ / "c" / "findings" / "other.00000000.json").string(), other));
  damage_state("c");
  EXPECT_THAT(go_on("c", 1),
              Contains(HasSubstr("other.00000000.json is damaged (it is no finding of kubernetes-1.35.0)")));
  EXPECT_TRUE(fs::exists(root_ / "c" / "damaged" / "other.00000000.json"));
}

TEST_F(CampaignDirectory, WhatAKilledStintHadFoundIsNoFindingUntilAWholeOneHas) {
  go_on("alone", 1);
  {
    const CampaignOptions asked = options();
    CampaignFiles files((root_ / "killed").string(), asked);
    std::vector<std::string> notes;
    const CampaignState state = *files.load(notes);
    SilentWatcher watcher;
    const std::atomic<bool> stop = false;
    CampaignFinding early = run_stint(asked, state, watcher, stop).findings.at(0);
    early.id = "early.00000000";  // as of a later trial that another job had done before
    ASSERT_TRUE(files.store_unfinished(early));
    ASSERT_TRUE(write_file(files.path_of("merged.00000000"), "{}"));
  }
  EXPECT_THAT(names_in("killed/findings/unfinished"), ElementsAre("early.00000000.json"));
  go_on("killed", 1);
  EXPECT_TRUE(fs::remove(root_ / "killed" / "findings" / "merged.00000000.json")) << "somebody else's stays";
  EXPECT_EQ(whole("alone"), whole("killed"));
}

TEST_F(CampaignDirectory, WhatAKilledStintHadFoundStaysThoughTheWholeOneDoesNotFindIt) {
  go_on("c", 1);
  const fs::path findings = root_ / "c" / "findings";
  const std::string stem = fs::path(names_in("c/findings").front()).stem().string(), id = stem + ".json";
  const std::string text = read(findings / id);
  damage_state("c");
  fs::create_directories(findings / "unfinished");
  ASSERT_TRUE(write_file((findings / "unfinished" / "gone.00000000.json").string(), [&] {
    std::string other = text;  // nothing that a stint of these few trials finds
    const std::size_t at = other.find("\"steps\": [");
    other.insert(at + 10, "\n    {\"do\": \"call.outage\", \"calls\": \"reads\", \"reply\": \"forbidden\"},");
    const std::size_t promise = other.find(stem.substr(0, stem.rfind('.')));
    return other.replace(promise, stem.rfind('.'), "identity.canonical-name");
  }()));
  go_on("c", 1);
  EXPECT_TRUE(fs::exists(findings / "gone.00000000.json"));
  EXPECT_FALSE(fs::exists(findings / "unfinished" / "gone.00000000.json"));
}

TEST_F(CampaignDirectory, WhatAStintFoundAndDoesNotTellIsNoFinding) {
  const CampaignOptions asked = options();
  CampaignFiles files((root_ / "c").string(), asked);
  std::vector<std::string> notes;
  CampaignState state = *files.load(notes);
  SilentWatcher watcher;
  const std::atomic<bool> stop = false;
  Stint stint = run_stint(asked, state, watcher, stop);
  ASSERT_FALSE(stint.findings.empty());
  CampaignFinding without_verdict = stint.findings.front();
  without_verdict.id += "0";
  ASSERT_TRUE(files.store_unfinished(without_verdict));
  std::erase_if(stint.result.findings,
                [&](const Finding& finding) { return finding.invariant == without_verdict.finding.invariant; });
  add(state, stint);
  ASSERT_TRUE(files.store(stint, state));
  EXPECT_THAT(state.finding_ids, Not(Contains(without_verdict.id)));
  EXPECT_FALSE(fs::exists(files.path_of(without_verdict.id)));
}

TEST_F(CampaignDirectory, WhatCannotBeReadTodayIsNotMoved) {
  go_on("c", 2);
  const std::string kept = first_in("c/corpus").string();
  const std::string timeline = (root_ / "c" / "timeline.jsonl").string();
  for (const std::string& path : {kept, timeline}) {
    fs::rename(path, path + ".away");
    fs::create_symlink("/proc/self/mem", path);  // it is there, and reading it fails
    const CampaignOptions asked = options();
    std::vector<std::string> notes;
    const auto state = CampaignFiles((root_ / "c").string(), asked).load(notes);
    ASSERT_FALSE(state) << path;
    EXPECT_THAT(state.error(), HasSubstr(path));
    EXPECT_TRUE(fs::is_symlink(path));
    fs::rename(path + ".away", path);
  }
  EXPECT_THAT(go_on("c", 0), IsEmpty());
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

TEST_F(CampaignDirectory, OfACampaignThatAsksForLessIsRefused) {
  go_on("c", 1);
  CampaignOptions other = options();
  other.except.set(properties::place_of(*properties::find_invariant("update.respects-partition")));
  std::vector<std::string> notes;
  EXPECT_THAT(CampaignFiles((root_ / "c").string(), other).load(notes).error(),
              HasSubstr("except is null there, and [\"update.respects-partition\"] now"));
  other.except.reset();
  other.against = find_controller("strict");
  EXPECT_THAT(CampaignFiles((root_ / "c").string(), other).load(notes).error(),
              HasSubstr("against is null there, and \"strict\" now"));
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

TEST_F(CampaignDirectory, AFindingThatWasMovedBeforeTheProcessWasKilledIsClosed) {
  go_on("c", 3);
  const std::string id = load("c").finding_ids.at(0);
  fs::create_directories(root_ / "c" / "findings" / "closed");
  fs::rename(root_ / "c" / "findings" / (id + ".json"), root_ / "c" / "findings" / "closed" / (id + ".json"));
  EXPECT_THAT(load("c").finding_ids, testing::Not(Contains(id)));
}

TEST_F(CampaignDirectory, IsOneProcessAtATime) {
  const CampaignOptions asked = options();
  std::vector<std::string> notes;
  {
    CampaignFiles files((root_ / "c").string(), asked), others((root_ / "c").string(), asked);
    ASSERT_TRUE(files.load(notes));
    const auto second = others.load(notes);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error(), HasSubstr("is being used by another process"));
  }
  EXPECT_TRUE(CampaignFiles((root_ / "c").string(), asked).load(notes)) << "the first is gone";
}

TEST_F(CampaignDirectory, EncountersOfAnotherListAreCountedAnew) {
  go_on("c", 2);
  ASSERT_TRUE(load("c").tally.met.any());
  json stored = json::parse(read(root_ / "c" / "campaign.json"));
  stored["state"]["encounters"] = "0";
  stored["checksum"] = properties::hex_digest(stored["state"].dump());
  ASSERT_TRUE(write_file((root_ / "c" / "campaign.json").string(), stored.dump()));
  const CampaignOptions asked = options();
  std::vector<std::string> notes;
  const auto state = CampaignFiles((root_ / "c").string(), asked).load(notes);
  ASSERT_TRUE(state);
  EXPECT_THAT(notes, ElementsAre(HasSubstr("encounters apart in another way; they are counted anew")));
  EXPECT_TRUE(state->tally.met.none());
  EXPECT_EQ(state->stints, 2u);
  EXPECT_FALSE(state->corpus.empty());
}

}  // namespace
}  // namespace ordeal::fuzz
