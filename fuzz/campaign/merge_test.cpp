#include "fuzz/campaign/merge.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <map>

#include "fuzz/engine/corpus.h"
#include "fuzz/engine/files.h"
#include "fuzz/report/finding_file.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace properties;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Merging : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(root_); }
  void TearDown() override { fs::remove_all(root_); }

  Scenario scenario(std::uint64_t seed, std::size_t steps) const {
    Seeded choices(seed);
    return generate_scenario(choices, nullptr, steps);
  }
  void put(const std::string& file, const std::string& text) const {
    ASSERT_TRUE(write_file((root_ / file).string(), text));
  }
  void put_finding(const std::string& file, const Scenario& found, const std::string& controller = "strict") const {
    Finding finding;
    finding.invariant = &catalogue[0];
    finding.scenario = found;
    put(file, finding_file(finding, origin_of(finding, {controller, Level::strict, 1})));
  }
  Merged merge(std::initializer_list<std::string> campaigns, const std::string& out = "out") const {
    std::vector<std::string> all;
    for (const std::string& name : campaigns) all.push_back((root_ / name).string());
    Dock dock(*find_controller("strict"));
    auto merged = merge_campaigns(all, (root_ / out).string(), dock);
    EXPECT_TRUE(merged) << merged.error();
    return *merged;
  }
  std::vector<std::string> names(const std::string& folder) const {
    std::vector<std::string> names;
    for (const std::string& file : files_below((root_ / folder).string()).value())
      names.push_back(fs::path(file).filename());
    return names;
  }
  std::map<std::string, std::string> whole(const std::string& folder) const {
    std::map<std::string, std::string> all;
    for (const std::string& file : files_below((root_ / folder).string()).value())
      all[fs::relative(file, root_ / folder)] = read_file(file, 1 << 22).value();
    return all;
  }

  const fs::path root_ = fs::path(::testing::TempDir()) /
                         ("merge-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(Merging, FindingsAreUnitedAndTheShorterStoryIsTold) {
  put_finding("a/findings/x.json", scenario(1, 20));
  put_finding("b/findings/x.json", scenario(1, 4));
  put_finding("b/findings/y.json", scenario(2, 4));
  EXPECT_EQ(merge({"a", "b"}).findings, 2u);
  EXPECT_THAT(names("out/findings"), ElementsAre("x.json", "y.json"));
  EXPECT_EQ(whole("out")["findings/x.json"], whole("b")["findings/x.json"]);
}

TEST_F(Merging, TheCorpusIsMinimalAndExercisesAsMuch) {
  for (const std::string campaign : {"a", "b", "c"})
    for (std::uint64_t n = 0; n < 6; ++n)
      put(campaign + "/corpus/" + std::to_string(n) + campaign + ".json", write_scenario(scenario(n, 24)));
  const Merged merged = merge({"a", "b", "c"});
  EXPECT_EQ(merged.corpus_before, 18u);
  EXPECT_LE(merged.corpus, 6u) << "each scenario is there three times";
  auto corpus = read_corpus(std::vector{(root_ / "out/corpus").string()});
  ASSERT_TRUE(corpus) << corpus.error();
  Dock dock(*find_controller("strict"));
  exercise(*corpus, dock);
  EXPECT_EQ(met_by(*corpus).count(), merged.encounters);
}

TEST_F(Merging, OrderDoesNotMatterAndAgainChangesNothing) {
  put_finding("a/findings/x.json", scenario(1, 20));
  put_finding("b/findings/x.json", scenario(3, 20));
  for (std::uint64_t n = 0; n < 4; ++n)
    put((n % 2 ? "a/corpus/" : "b/corpus/") + std::to_string(n) + ".json", write_scenario(scenario(n, 24)));
  merge({"a", "b"}, "one");
  merge({"b", "a"}, "other");
  EXPECT_EQ(whole("one"), whole("other"));
  const auto before = whole("one");
  merge({"a", "b"}, "one");
  EXPECT_EQ(whole("one"), before);
  merge({}, "one");
  EXPECT_EQ(whole("one"), before) << "what is there is merged, too";
}

TEST_F(Merging, DamagedFilesArePassedOverAndLeftWhereTheyAre) {
  put("a/corpus/bad.json", "{");
  put("a/findings/bad.json", "");
  put("a/corpus/half.json.part-7", "{");
  const Merged merged = merge({"a", "missing"});
  EXPECT_THAT(merged.notes, ElementsAre(HasSubstr("findings/bad.json: "), HasSubstr("corpus/bad.json: ")));
  EXPECT_EQ(merged.findings + merged.corpus, 0u);
  EXPECT_TRUE(fs::exists(root_ / "a/corpus/bad.json"));
}

TEST_F(Merging, NothingIsRemovedButScenariosThatTheMinimalCorpusDoesNotKeep) {
  for (std::uint64_t n = 0; n < 3; ++n)
    put("out/corpus/" + std::to_string(n) + ".json", write_scenario(scenario(1, 24)));
  put_finding("out/findings/closed/old.json", scenario(2, 4));
  put("out/findings/notes.md", "why");
  put("out/findings/bad.json", "{");
  put("out/corpus/bad.json", "{");
  put("out/corpus/notes.md", "why");
  put("out/corpus/mine/0.json", write_scenario(scenario(1, 24)));
  auto before = whole("out");
  EXPECT_EQ(merge({}).corpus, 1u);
  const auto after = whole("out");
  EXPECT_EQ(std::erase_if(before, [&](const auto& file) { return !after.contains(file.first); }), 2u);
  EXPECT_EQ(after, before);
}

TEST_F(Merging, CampaignsAreOfOneController) {
  const auto controller = [&](std::vector<std::string> campaigns) {
    for (std::string& campaign : campaigns) campaign = (root_ / campaign).string();
    return controller_of(campaigns);
  };
  put_finding("a/findings/x.json", scenario(1, 4), "kubernetes-1.36");
  put("b/campaign.json", R"({"state": {"campaign": {"controller": "kubernetes-1.36"}}})");
  put("c/campaign.json", R"({"state": {"campaign": {"controller": "strict"}}})");
  put("d/campaign.json", "{ half");
  EXPECT_EQ(controller({"d", "a", "b"}).value(), "kubernetes-1.36");
  EXPECT_THAT(controller({"a", "c"}).error(), HasSubstr("is a campaign of kubernetes-1.36, and "));
  EXPECT_THAT(controller({"d"}).error(), HasSubstr("--controller does"));
}

TEST_F(Merging, WhatCannotBeWrittenIsAnError) {
  put_finding("a/findings/x.json", scenario(1, 4));
  put("out", "a file");
  Dock dock(*find_controller("strict"));
  const auto merged = merge_campaigns(std::vector{(root_ / "a").string()}, (root_ / "out").string(), dock);
  ASSERT_FALSE(merged);
  EXPECT_THAT(merged.error(), HasSubstr("out/findings"));
}

}  // namespace
}  // namespace ordeal::fuzz
