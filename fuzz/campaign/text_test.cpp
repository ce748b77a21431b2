#include "fuzz/campaign/text.h"

#include <gmock/gmock.h>

#include "properties/invariants/catalogue.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/simpler.h"

namespace ordeal::fuzz {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

CampaignState some_state() {
  CampaignState state;
  state.stints = 3;
  state.engines[0] = {.stints = 2, .trials = 8000, .syncs = 900'000, .encounters = 700, .findings = 1, .yield = 5};
  state.engines[1] = {.stints = 1, .trials = 4000, .syncs = 400'000, .encounters = 200, .findings = 0, .yield = 4};
  for (std::size_t bit = 0; bit < 12; ++bit) state.tally.met.set(bit);
  state.tally.again.set(3).set(4);
  state.counted = 12'000;
  return state;
}

TEST(EnginesText, SaysWhatEachFoundForItsWork) {
  EXPECT_THAT(engines_text(some_state()),
              AllOf(HasSubstr("random            2        8000        900000         700         1\n"),
                    HasSubstr("guided            1        4000"), HasSubstr("10 of them in one trial only")));
}

TEST(OutlookText, EstimatesTheNextHourAndSaysWhenToStop) {
  CampaignState state = some_state();
  const CampaignNews fast{.found = {}, .closed = {}, .seconds = 10, .trials = 12'000};
  EXPECT_THAT(outlook_text(state, fast),
              AllOf(HasSubstr("1 trial in 1200 meets"), HasSubstr("100 %"), Not(HasSubstr("time to stop"))));
  const CampaignNews slow{.found = {}, .closed = {}, .seconds = 100'000, .trials = 12'000};
  EXPECT_THAT(outlook_text(state, slow), HasSubstr("time to stop"));
  EXPECT_THAT(outlook_text(state, {}), IsEmpty());
}

TEST(FoundText, NamesPromiseCauseThreadAndFile) {
  const CampaignOptions options{.controller = find_controller("kubernetes-1.37"), .sets = {}};
  CampaignFinding found;
  found.finding.invariant = properties::find_invariant("update.respects-partition");
  properties::Seeded choices(1);
  found.finding.scenario.set = properties::generate_set(choices);
  EXPECT_THAT(found_text(options, found, "d/f.json"),
              AllOf(HasSubstr("VIOLATED   update.respects-partition, 0 steps"), HasSubstr("file     d/f.json")));
}

TEST(CampaignText, TellsWhatNobodyKnowsFirstAndCountsTheRest) {
  const CampaignOptions options{.controller = find_controller("kubernetes-1.37"), .sets = {}};
  CampaignNews news;
  properties::Seeded choices(1);
  for (const char* id : {"update.replaces-broken-revision-in-order", "update.respects-partition"}) {
    CampaignFinding& found = news.found.emplace_back();
    found.id = id;
    found.finding.invariant = properties::find_invariant(id);
    found.finding.scenario.set = properties::plainest(properties::generate_set(choices));
    found.finding.scenario.steps = {
        {.kind = properties::StepKind::edit_template, .b = static_cast<int>(properties::TemplateFlavour::unready)}};
  }
  CampaignState state = some_state();
  state.finding_ids = {"a", "b", "c"};
  const std::string text = campaign_text(options, state, news, [](const std::string& id) { return id; });
  EXPECT_THAT(text, HasSubstr("findings   2 new (1 of them known here), 1 from before\n"));
  EXPECT_LT(text.find("VIOLATED   update.respects-partition"), text.find("VIOLATED   update.replaces-broken"));
  news.found.erase(news.found.begin());
  EXPECT_THAT(campaign_text(options, state, news, [](const std::string& id) { return id; }),
              AllOf(HasSubstr("findings   1 new, 2 from before\n"), Not(HasSubstr("against"))));
}

TEST(CampaignText, NamesWhomTheControllerIsHeldAgainstAndWhatBothBreak) {
  CampaignOptions options{.controller = find_controller("kubernetes-1.37"), .sets = {}};
  options.against = find_controller("kubernetes-1.36");
  CampaignNews news;
  news.shared.set(properties::place_of(*properties::find_invariant("update.respects-partition")));
  EXPECT_THAT(campaign_text(options, some_state(), news, [](const std::string& id) { return id; }),
              HasSubstr("against    kubernetes-1.36, which breaks in the same trials: update.respects-partition\n"));
}

}  // namespace
}  // namespace ordeal::fuzz
