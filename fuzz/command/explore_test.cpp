// `ordeal explore`: certificates, shortest stories, and worlds that it refuses.
#include "fuzz/command/test_command.h"

namespace ordeal::fuzz {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(Command, AReleaseIsWalkedWithoutWhatItDoesNotKnow) {
  write("recreate.yaml", std::string(web) + "  updateStrategy: {type: Recreate}\n");
  const std::string walk = "explore recreate.yaml --replicas 1 --edits 1 --quiet --controller ";
  const Ended older = ordeal(walk + "kubernetes-1.34"), newest = ordeal(walk + "kubernetes-1.37");
  EXPECT_THAT(older.out, HasSubstr("left out, since kubernetes-1.34 does not know it: spec.updateStrategy.type"));
  EXPECT_THAT(older.out, HasSubstr("RollingUpdate"));
  EXPECT_THAT(newest.out, HasSubstr("Recreate"));
  EXPECT_THAT(newest.out, Not(HasSubstr("left out")));
}

TEST_F(Command, ExploreEndsWithACertificate) {
  write("web.yaml", web);
  const std::string small = "explore web.yaml --replicas 1 --templates 1 --edits 1 --quiet ";
  const Ended text = ordeal(small);
  EXPECT_EQ(text.status, 0) << text.out;
  EXPECT_THAT(text.out,
              AllOf(StartsWith("HELD "), HasSubstr("27 and 42 transitions"), HasSubstr("no move leads to another")));
  const json one = json::parse(ordeal(small + "--format json").out),
             two = json::parse(ordeal(small + "--jobs 2 --format json").out);
  EXPECT_EQ(one["states"], 27);
  EXPECT_EQ(one["digest"], two["digest"]);
  EXPECT_EQ(one["reach"], "all");
}

TEST_F(Command, ExploreTellsTheShortestStory) {
  write("web.yaml", web);
  const Ended ended = ordeal(
      "explore web.yaml --replicas 2 --edits 0 --controller mutant:ordering-waits-for-nobody --quiet --format json");
  EXPECT_EQ(ended.status, 1) << ended.out;
  const json found = json::parse(ended.out);
  EXPECT_EQ(found["reach"], "violation");
  ASSERT_FALSE(found["findings"].empty());
  EXPECT_EQ(ordeal("replay " + found["findings"][0]["file"].get<std::string>()).status, 1);
}

TEST_F(Command, ExploreBeginsWithThePlainestSet) {
  const Ended ended = ordeal("explore --replicas 1 --edits 0 --quiet");
  EXPECT_EQ(ended.status, 0) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("  world       web: replicas=1, OrderedReady, RollingUpdate, claim www\n"));
}

TEST_F(Command, ExploreSaysWhyItCannot) {
  write("web.yaml", web);
  const auto refused = [&](const std::string& arguments, const std::string& because) {
    const Ended ended = ordeal("explore web.yaml --quiet " + arguments);
    EXPECT_EQ(ended.status, 2) << arguments;
    EXPECT_THAT(ended.out, HasSubstr(because));
  };
  refused("--faults crush:1", "(found: crush:1)");
  refused("--faults crash:10", "(found: crash:10)");
  refused("--memory 8T", "(found: 8T)");
  refused("--replicas 9", "--replicas: must be from 0 to 8 (found: 9)");
  refused("--partition 1,x", "(found: 1,x)");
  refused("--controller canary", "cannot be walked with");
  const Ended full = ordeal("explore web.yaml --quiet --memory 10K");
  EXPECT_EQ(full.status, 3) << full.out;
  EXPECT_THAT(full.out, HasSubstr("then the memory was full"));
}

TEST_F(Command, ExploreRefusesMoreClaimsThanAStateCounts) {
  std::string many(web);
  many += "  podManagementPolicy: Parallel\n  volumeClaimTemplates:\n";
  for (int i = 0; i < 40; ++i)
    many += "  - {metadata: {name: d" + std::to_string(i) +
            "}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}\n";
  write("many.yaml", many);
  const Ended ended = ordeal("explore many.yaml --quiet --replicas 8 --edits 0 --depth 2");
  EXPECT_EQ(ended.status, 2) << ended.out;
  EXPECT_THAT(ended.out, HasSubstr("at most 100 claims can be walked (found: 40 templates for each of 8 pods)"));
}

}  // namespace
}  // namespace ordeal::fuzz
