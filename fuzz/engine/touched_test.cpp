#include "fuzz/engine/touched.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "properties/invariants/catalogue.h"
#include "properties/mutants/wrong.h"

namespace ordeal::fuzz {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Pair;
namespace fs = std::filesystem;

Touched touched(std::vector<std::string> files) { return touched_by(files); }

TEST(Touched, APhaseAndItsRulesCanBreakTheirFamilies) {
  const Touched claims = touched({"core/controller/decide_claims.cpp", "core/controller/phase_claims.cpp"});
  EXPECT_FALSE(claims.everything);
  EXPECT_TRUE(claims.has("storage"));
  EXPECT_TRUE(claims.has("convergence"));
  EXPECT_FALSE(claims.has("status"));
  EXPECT_THAT(claims.areas, ElementsAre(Pair("claims", 2)));
}

TEST(Touched, APromiseIsItsFamily) {
  const Touched update = touched({"properties/invariants/update_truth.cpp"});
  EXPECT_THAT(update.families, ElementsAre("update"));
  EXPECT_TRUE(touched({"properties/evidence/facts.cpp"}).everything) << "all families ask it";
}

TEST(Touched, NoVerdictDependsOnDocumentsTestsAndReports) {
  const Touched idle = touched(
      {"README.md", "core/controller/README.md", "fuzz/report/text.cpp", "core/controller/phases_test.cpp", "ci/test"});
  EXPECT_TRUE(idle.nothing());
  EXPECT_EQ(idle.idle, 5u);
  EXPECT_TRUE(touched({}).nothing());
}

TEST(Touched, WhatNobodyKnowsCanBreakEverything) {
  for (const char* file : {"my-controller/sync.go", "core/cluster/server.cpp", "core/controller/strict.cpp",
                           "properties/trial/judge.cpp", "CMakeLists.txt", "fuzz/report/known_facts.cpp"})
    EXPECT_TRUE(touched({"README.md", file}).everything) << file;
}

TEST(Touched, OfAnotherProjectNothingIsKnown) {
  const Touched touched = touched_elsewhere(std::vector<std::string>{"ci/controller.py", "README.md"});
  EXPECT_TRUE(touched.everything);
  EXPECT_EQ(touched.idle, 0u);
  EXPECT_FALSE(touched_elsewhere({}).nothing()) << "it may have changed where git does not see it";
}

TEST(Touched, AreasAreOfThisRepositoryAndTheirFamiliesOfTheCatalogue) {
  for (const Area& area : areas()) {
    const fs::path path = fs::path(ORDEAL_SOURCE) / area.path;
    const fs::path room = path.has_filename() ? path.parent_path() : path;
    bool is_there = fs::is_directory(path);
    if (!is_there && fs::is_directory(room))
      for (const auto& entry : fs::directory_iterator(room))
        is_there |= entry.path().string().starts_with(path.string());
    EXPECT_TRUE(is_there) << area.path;
    if (!area.families.empty())
      for (const std::string& family : touched({std::string(area.path) + "x"}).families)
        EXPECT_TRUE(std::ranges::any_of(properties::catalogue, [&](const auto& i) { return i.family() == family; }))
            << family;
  }
}

/// Seeded bugs of rows say what a mistake there breaks. The rows of a part are decided in these files.
TEST(Touched, NoSeededBugOfAnAreaBreaksWhatTheAreaDoesNotName) {
  using namespace properties;
  struct Part {
    std::span<const Wrong> (*wrong)();
    std::vector<std::string> files;
  };
  const Part parts[] = {
      {wrong_ownership, {"core/controller/decide_ownership.cpp", "core/controller/phase_ownership.cpp"}},
      {wrong_claims, {"core/controller/decide_claims.cpp", "core/controller/build.cpp"}},
      {wrong_revisions, {"core/controller/decide_revisions.cpp", "core/controller/phase_revisions.cpp"}},
      {wrong_order, {"core/controller/decide_pods.cpp"}},
      {wrong_updates, {"core/controller/decide_updates.cpp", "core/controller/phase_removals.cpp"}},
      {wrong_status, {"core/controller/decide_status.cpp"}},
      {wrong_pods, {"core/controller/build.cpp"}},
  };
  for (const Part& part : parts)
    for (const Wrong& wrong : part.wrong()) {
      const std::string family(wrong.invariant.substr(0, wrong.invariant.find('.')));
      EXPECT_TRUE(std::ranges::all_of(part.files, [&](const std::string& file) { return touched({file}).has(family); }))
          << wrong.id;
    }
}

}  // namespace
}  // namespace ordeal::fuzz
