#include "fuzz/campaign/campaign.h"

#include <gmock/gmock.h>

#include "fuzz/engine/silent_watcher.h"
#include "fuzz/explore/explore.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

CampaignOptions options_of(std::string_view controller, unsigned jobs = 1) {
  CampaignOptions options{.controller = find_controller(controller), .sets = {.given = {}, .drawn_too = true}};
  options.stint_trials = 60;
  options.jobs = jobs;
  return options;
}

CampaignState after(const CampaignOptions& options, std::uint64_t stints) {
  CampaignState state;
  SilentWatcher watcher;
  const std::atomic<bool> stop = false;
  for (std::uint64_t n = 0; n < stints; ++n) add(state, run_stint(options, state, watcher, stop));
  return state;
}

std::string text_of(const CampaignState& state) {
  std::string text = std::to_string(state.stints);
  for (const Kept& kept : state.corpus)
    text += "\n" + std::to_string(kept.stint) + " " + std::to_string(kept.trial) +
            properties::write_scenario(kept.scenario);
  for (const std::string& id : state.finding_ids) text += "\n" + id;
  return text;
}

TEST(Campaign, IsTheSameWithAnyNumberOfJobs) {
  const CampaignState one = after(options_of("kubernetes-1.35.0"), 4),
                      two = after(options_of("kubernetes-1.35.0", 3), 4);
  EXPECT_EQ(text_of(one), text_of(two));
  EXPECT_EQ(one.engines, two.engines);
  EXPECT_EQ(one.tally, two.tally);
  EXPECT_GT(one.corpus.size(), 10u);
  EXPECT_FALSE(one.finding_ids.empty());
}

TEST(Campaign, BeginsWithAllStoriesAndKeepsWhatIsNewInThem) {
  std::vector<ListedStory> list;
  for (std::uint64_t trial = 0; trial < 70; ++trial)
    list.push_back({scenario_of_trial({.given = {}, .drawn_too = true}, 9, trial)});
  const Listed stories(list);
  CampaignOptions options = options_of("kubernetes-1.37");
  options.stories = &stories;
  const CampaignState begun = after(options, 1), gone_on = after(options, 4);
  EXPECT_EQ(begun.engines[0].trials, 70u) << "more than a stint has";
  ASSERT_FALSE(begun.corpus.empty());
  EXPECT_EQ(properties::write_scenario(begun.corpus.front().scenario),
            properties::write_scenario(list.front().scenario));
  EXPECT_EQ(gone_on.engines[0].trials, 130u);
}

TEST(Campaign, TellsAFindingOnce) {
  const CampaignState state = after(options_of("kubernetes-1.35.0"), 5);
  ASSERT_GE(state.finding_ids.size(), 2u);
  for (std::size_t i = 0; i < state.finding_ids.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(state.finding_ids[i], state.finding_ids[j]);
  std::uint64_t findings = 0;
  for (const EngineRecord& record : state.engines) findings += record.findings;
  EXPECT_EQ(findings, state.finding_ids.size());
}

TEST(EngineOfNext, TriesEachInTurnThenWhoeverYieldsMoreAndNowAndThenAnother) {
  CampaignState state;
  const auto next = [&](std::uint64_t stints) {
    state.stints = stints;
    return engine_of_next(state, true);
  };
  EXPECT_EQ(next(0), Engine::random);
  EXPECT_EQ(next(1), Engine::guided);
  EXPECT_EQ(next(2), Engine::exhaustive);
  state.engines[1].yield = 10;
  state.engines[0].yield = 3;
  EXPECT_EQ(next(10), Engine::guided);
  EXPECT_EQ(next(14), Engine::exhaustive);
  EXPECT_EQ(next(19), Engine::random);
  state.engines[2].yield = 30;
  EXPECT_EQ(next(10), Engine::exhaustive);
}

TEST(EngineOfNext, LeavesOutWhatCannotBeWalked) {
  CampaignState state;
  for (state.stints = 0; state.stints < 40; ++state.stints) EXPECT_NE(engine_of_next(state, false), Engine::exhaustive);
  EXPECT_TRUE(can_be_walked(*find_controller("strict")));
  EXPECT_FALSE(can_be_walked(*find_controller("canary")));
}

TEST(Campaign, WalksAWorldAndKeepsWhatItFinds) {
  const CampaignOptions options = options_of("mutant:scaling-one-too-many");
  CampaignState state;
  state.stints = 2;  // the turn of the exhaustive engine
  SilentWatcher watcher;
  const std::atomic<bool> stop = false;
  const Stint stint = run_stint(options, state, watcher, stop);
  ASSERT_EQ(stint.engine, Engine::exhaustive);
  EXPECT_GT(stint.result.syncs, 0u);
  ASSERT_FALSE(stint.findings.empty());
  EXPECT_TRUE(stint.findings[0].finding.minimal);
  add(state, stint);
  EXPECT_EQ(state.engines[2].findings, stint.findings.size());
}

std::vector<std::string> found_in_stint(std::uint64_t number, const CampaignOptions& options) {
  CampaignState state;
  state.stints = number;
  SilentWatcher watcher;
  const std::atomic<bool> stop = false;
  add(state, run_stint(options, state, watcher, stop));
  return state.finding_ids;
}

TEST(Campaign, TellsNothingThatIsNotAskedOrThatAnotherControllerBreaksToo) {
  const char* in_the_turn_of_each_engine[] = {"mutant:storage-claim-without-labels",
                                              "mutant:storage-claim-without-labels", "mutant:scaling-one-too-many"};
  for (std::uint64_t number = 0; number < std::size(in_the_turn_of_each_engine); ++number) {
    CampaignOptions options = options_of(in_the_turn_of_each_engine[number]);
    const auto found = found_in_stint(number, options);
    EXPECT_THAT(found, Not(IsEmpty())) << number;
    options.against = find_controller("strict");
    EXPECT_EQ(found_in_stint(number, options), found);
    options.against = options.controller;
    EXPECT_THAT(found_in_stint(number, options), IsEmpty()) << number;
    options.against = nullptr;
    for (const properties::Invariant& invariant : properties::catalogue)
      options.except.set(properties::place_of(invariant), invariant.id != "identity.hostname");
    EXPECT_THAT(found_in_stint(number, options), IsEmpty()) << number;
  }
}

TEST(ChanceOfNews, IsWhatWasMetOnceByTrials) {
  CampaignState state;
  EXPECT_EQ(chance_of_news(state), 1);
  state.engines[0].trials = 90;  // some of them before what met was counted anew
  state.counted = 50;
  state.tally.met.set(1).set(2).set(3);
  state.tally.again.set(2);
  EXPECT_DOUBLE_EQ(chance_of_news(state), 2.0 / 50);
}

}  // namespace
}  // namespace ordeal::fuzz
