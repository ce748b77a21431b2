// The documents' own examples, walked through: the eight tests the update proposal lists, the ordering examples of the
// v1.24 page and the walks of the maxUnavailable article, as scenario files in corpus/scenarios. Asserted is what
// became of the pods, line by line, for the strict reference; every promise must be held on the way, by 1.37 too.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/controller/reference.h"
#include "properties/scenario/scenario_json.h"
#include "properties/trial/story.h"
#include "properties/trial/trial.h"

namespace ordeal::properties {
namespace {

const std::filesystem::path scenarios = std::filesystem::path(ORDEAL_SOURCE_DIR) / "corpus" / "scenarios";

Scenario read(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  auto scenario = read_scenario(text.str());
  if (!scenario) throw std::runtime_error(file.string() + ": " + scenario.error().front().text());
  return *std::move(scenario);
}

/// The story without what all images have in common.
std::string told(const Scenario& scenario) {
  const auto controller = make_reference(strict_rules(), scenario.environment.gates);
  const std::string common = "registry.k8s.io/nginx-slim:";
  std::string text;
  for (std::string line : Story::of(scenario, *controller)) {
    if (const auto at = line.find(common); at != std::string::npos) line.erase(at, common.size());
    text += (text.empty() ? "" : ", ") + line;
  }
  return text;
}

struct Walk {
  const char* name;
  const char* story;
};
const Walk walks[] = {
    // web-1 will not be deployed before web-0 is Running and Ready, nor web-2 before web-1.
    {"docs-1.24-pods-start-in-order",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, create web-2 0.8, ready web-2"},
    // web-2 goes first; web-1 stays until web-2 is fully shut down, here on a node that was lost for a while.
    {"docs-1.24-scale-down-in-reverse-order",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, create web-2 0.8, ready web-2, "
     "delete web-2, gone web-2, delete web-1, gone web-1"},
    // web-0 fails after web-1 is ready: web-2 waits until web-0 is back.
    {"docs-1.24-web-0-fails-before-web-2-starts",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, unready web-0, gone web-0, "
     "create web-0 0.8, ready web-0, create web-2 0.8, ready web-2"},
    // web-0 fails after web-2 is gone: web-1 is not terminated until web-0 is back.
    {"docs-1.24-web-0-fails-during-scale-down",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, create web-2 0.8, ready web-2, "
     "delete web-2, gone web-2, unready web-0, gone web-0, create web-0 0.8, ready web-0, delete web-1, "
     "gone web-1"},
    // Parallel: both start at once, and the window slides as soon as one is ready.
    {"max-unavailable-parallel-bursts",
     "create web-0 0.8, create web-1 0.8, create web-2 0.8, create web-3 0.8, create web-4 0.8, ready web-0, "
     "ready web-1, ready web-2, ready web-3, ready web-4, delete web-4, delete web-3, gone web-4, gone web-3, "
     "create web-3 v1, create web-4 v1, ready web-4, delete web-2, gone web-2, create web-2 v1, ready web-3, "
     "delete web-1, gone web-1, create web-1 v1, ready web-1, ready web-2, delete web-0, gone web-0, "
     "create web-0 v1, ready web-0"},
    // 4 and 3 go together, then 2 and 1, then 0; created in order, whichever stopped first.
    {"max-unavailable-two-at-a-time",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, create web-2 0.8, ready web-2, "
     "create web-3 0.8, ready web-3, create web-4 0.8, ready web-4, delete web-4, delete web-3, gone web-3, "
     "create web-3 v1, ready web-3, gone web-4, create web-4 v1, ready web-4, delete web-2, delete web-1, "
     "gone web-1, create web-1 v1, ready web-1, gone web-2, create web-2 v1, ready web-2, delete web-0, "
     "gone web-0, create web-0 v1, ready web-0"},
    // An update replaces pods from the largest ordinal down, one at a time.
    {"update-proposal-1-update-replaces-pods-in-order",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, create web-2 0.8, ready web-2, "
     "delete web-2, gone web-2, create web-2 v1, ready web-2, delete web-1, gone web-1, create web-1 v1, "
     "ready web-1, delete web-0, gone web-0, create web-0 v1, ready web-0"},
    // An update that fails goes no further, whatever time passes and whoever restarts.
    {"update-proposal-2-failed-update-blocks",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, create web-2 0.8, ready web-2, "
     "delete web-2, gone web-2, create web-2 v1-unready"},
    // A rollback in mid-update restores the earlier template everywhere.
    {"update-proposal-3-update-is-rolled-back",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, create web-2 0.8, ready web-2, "
     "delete web-2, gone web-2, create web-2 v1, ready web-2, delete web-1, gone web-1, create web-1 0.8, "
     "ready web-1, delete web-2, gone web-2, create web-2 0.8, ready web-2"},
    // A broken update is mended by another one.
    {"update-proposal-4-update-is-rolled-forward",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, create web-2 0.8, ready web-2, "
     "delete web-2, gone web-2, create web-2 v1-unready, delete web-2, gone web-2, create web-2 v2, "
     "ready web-2, delete web-1, gone web-1, create web-1 v2, ready web-1, delete web-0, gone web-0, "
     "create web-0 v2, ready web-0"},
    // Two pods updated, then a third by scaling; the status is asserted below.
    {"update-proposal-5-status-of-an-update",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, delete web-1, gone web-1, "
     "create web-1 v1, ready web-1, delete web-0, gone web-0, create web-0 v1, ready web-0, create web-2 v1, "
     "ready web-2"},
    // Four templates and two returns; the history is asserted below.
    {"update-proposal-6-revision-history",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, delete web-1, gone web-1, "
     "create web-1 v1, ready web-1, delete web-0, gone web-0, create web-0 v1, ready web-0, delete web-1, "
     "gone web-1, create web-1 v2, gone web-1, create web-1 v3, ready web-1, delete web-0, gone web-0, "
     "create web-0 v3, ready web-0, delete web-1, gone web-1, create web-1 0.8, ready web-1, delete web-0, "
     "gone web-0, create web-0 0.8, ready web-0, delete web-1, gone web-1, create web-1 v3, ready web-1, "
     "delete web-0, gone web-0, create web-0 v3, ready web-0"},
    // Only the canary is updated; a pod below the partition comes back as it was.
    {"update-proposal-7-canary",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, create web-2 0.8, ready web-2, "
     "delete web-2, gone web-2, create web-2 v1, ready web-2, delete web-0, gone web-0, create web-0 0.8, "
     "ready web-0"},
    // The partition is lowered step by step, and the update follows it.
    {"update-proposal-8-staged-update",
     "create web-0 0.8, ready web-0, create web-1 0.8, ready web-1, create web-2 0.8, ready web-2, "
     "delete web-2, gone web-2, create web-2 v1, ready web-2, delete web-1, gone web-1, create web-1 v1, "
     "ready web-1, delete web-0, gone web-0, create web-0 v1, ready web-0"},
};
class WalkTest : public testing::TestWithParam<Walk> {};

TEST_P(WalkTest, PodsComeAndGoAsTheDocumentSays) {
  EXPECT_EQ(told(read(scenarios / (std::string(GetParam().name) + ".json"))), GetParam().story);
}

INSTANTIATE_TEST_SUITE_P(Every, WalkTest, testing::ValuesIn(walks), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST(Documents, EveryScenarioFileIsWalkedAndHeld) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scenarios)) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    const Scenario scenario = read(entry.path());
    Court court;
    for (const auto& [rules, level] :
         {std::pair{&strict_rules(), Level::strict}, std::pair{&kubernetes_1_37_rules(), Level::promised}}) {
      const auto controller = make_reference(*rules, scenario.environment.gates);
      const TrialResult result = court.try_scenario(scenario, *controller, {.level = level});
      EXPECT_EQ(result.verdict, Verdict::held) << entry.path() << " with " << controller->name() << ": "
                                               << (result.breaches.empty() ? "" : result.breaches[0].violation.claim);
    }
  }
  EXPECT_EQ(files, std::size(walks));
}

/// The world as the scenario's own steps leave it.
struct Left final : Witness {
  void on_step(const World& world, const TakenStep* step, std::string_view) override {
    if (step != nullptr || ended) return;
    ended = true;
    set = *world.cluster().sets().live().all().front();
    for (const Revision* r : world.cluster().revisions().live().all()) numbers.push_back(r->number);
    std::sort(numbers.begin(), numbers.end());
  }
  void on_change(const World&) override {}
  void on_sync(const World&, const Sync&) override {}
  void on_settled(const World&, bool, int, int) override {}
  void on_rest(const World&, const Sync&) override {}
  bool enough() const override { return ended; }
  StatefulSet set;
  std::vector<std::int64_t> numbers;
  bool ended = false;
};
Left left_by(const char* name) {
  const Scenario scenario = read(scenarios / name);
  const auto controller = make_reference(strict_rules(), scenario.environment.gates);
  World world;
  Left left;
  simulate(world, scenario, *controller, left);
  return left;
}

TEST(Documents, StatusOfAnUpdateIsTold) {
  const StatefulSetStatus status = left_by("update-proposal-5-status-of-an-update.json").set.status;
  EXPECT_EQ(status.replicas, 3);
  EXPECT_EQ(status.ready_replicas, 3);
  EXPECT_EQ(status.updated_replicas, 3);
  EXPECT_EQ(status.current_replicas, 3);
  EXPECT_EQ(status.current_revision, status.update_revision);
}

TEST(Documents, HistoryIsBoundedAndReturnsBecomeTheNewest) {
  const Left left = left_by("update-proposal-6-revision-history.json");
  EXPECT_EQ(left.numbers, (std::vector<std::int64_t>{6})) << "limit 0 leaves the revision in use alone";
}

}  // namespace
}  // namespace ordeal::properties
