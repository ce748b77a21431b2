#include "properties/world/namesakes.h"

#include <gmock/gmock.h>

#include "properties/trial/hand_made.h"

namespace ordeal::properties {
namespace {

std::vector<std::string> names_in(const auto& listing) {
  std::vector<std::string> names;
  for (const auto* object : listing.all) names.push_back(object->meta.ns.str() + "/" + object->meta.name.str());
  return names;
}

TEST(Namesakes, BearTheNamesThatTheSetGives) {
  Namesakes namesakes;
  const Scenario scenario = hand_made(
      "replicas: 2\nvolumeClaimTemplates:\n- metadata: {name: data}\n  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}",
      {});
  const View& seen = namesakes.of(scenario);
  EXPECT_THAT(names_in(seen.sets), testing::ElementsAre("elsewhere/web"));
  EXPECT_THAT(names_in(seen.pods), testing::ElementsAre("elsewhere/web-0", "elsewhere/web-1"));
  EXPECT_THAT(names_in(seen.claims), testing::ElementsAre("elsewhere/data-web-0", "elsewhere/data-web-1"));
  ASSERT_THAT(names_in(seen.revisions), testing::ElementsAre(testing::StartsWith("elsewhere/web-")));
  for (const Pod* pod : seen.pods.all) EXPECT_TRUE(pod->ready) << pod->meta.name.view();
  EXPECT_EQ(seen.pods.all[0]->meta.controller(), nullptr);
  EXPECT_EQ(seen.pods.all[1]->meta.controller()->uid, seen.sets.all[0]->meta.uid);
}

TEST(Namesakes, AreOfAnotherNamespaceWhateverThatOfTheSetIsCalled) {
  Namesakes namesakes;
  Scenario scenario = hand_made("replicas: 1", {});
  scenario.set.meta.ns = "elsewhere";
  EXPECT_THAT(names_in(namesakes.of(scenario).pods), testing::Each(testing::StartsWith("nowhere/")));
}

}  // namespace
}  // namespace ordeal::properties
