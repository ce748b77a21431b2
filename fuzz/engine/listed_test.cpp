#include "fuzz/engine/listed.h"

#include <gtest/gtest.h>

#include <set>

namespace ordeal::fuzz {
namespace {

using namespace properties;

std::string_view relation_asked(const Listed& listed, std::uint64_t seed, std::uint64_t trial) {
  const TrialOptions asked = listed.asked(Level::strict, seed, trial);
  EXPECT_TRUE(asked.guards_inputs);
  EXPECT_EQ(asked.level, Level::strict);
  return asked.relations.size() == 1 ? asked.relations.front().invariant : "";
}

TEST(Listed, AStoryAboutARelationIsAskedThatOne) {
  const Listed listed({{{}, "identity.hostname"}, {{}, "equivalence.crashes"}});
  for (const std::uint64_t seed : {0u, 1u, 2u, 77u}) EXPECT_EQ(relation_asked(listed, seed, 1), "equivalence.crashes");
}

TEST(Listed, OtherStoriesAreAskedAnotherRelationEachAndAllOfThemSomeDay) {
  const Listed listed(std::vector<ListedStory>(relations().size()));
  std::set<std::string_view> of_a_story, of_a_seed;
  for (std::uint64_t i = 0; i < relations().size(); ++i) {
    of_a_story.insert(relation_asked(listed, i, 3));
    of_a_seed.insert(relation_asked(listed, ~std::uint64_t{0}, i));
  }
  EXPECT_EQ(of_a_story.size(), relations().size());
  EXPECT_EQ(of_a_seed.size(), relations().size());
}

TEST(StoriesFirst, ComeBeforeWhatIsDrawnByTheNumberOfItsTrial) {
  Scenario scaled;
  scaled.steps = {{.kind = StepKind::scale, .a = 2}};
  const Listed stories({{scaled, "equivalence.crashes", "a.json"}, {scaled, "identity.hostname", "b.json"}});
  const FirstSets sets;
  const StoriesFirst source(stories, sets, 7);
  EXPECT_EQ(source.scenario(1).steps, scaled.steps);
  EXPECT_EQ(source.scenario(2).steps, scenario_of_trial(sets, 7, 2).steps);
  EXPECT_EQ(source.asked(Level::strict, 7, 0).relations.size(), 1u);
  EXPECT_TRUE(source.asked(Level::strict, 7, 1).relations.empty());
  EXPECT_EQ(stories.file(1), "b.json");
  EXPECT_EQ(stories.file(2), "") << "nobody has stored it";
}

}  // namespace
}  // namespace ordeal::fuzz
