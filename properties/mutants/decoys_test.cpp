// No decoy is taken for a violation, in as many trials of the general generator as a test can take.
#include "properties/mutants/decoys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "core/api/codec.h"
#include "core/controller/reference.h"
#include "properties/scenario/choices.h"
#include "properties/scenario/generate.h"
#include "properties/trial/hand_made.h"
#include "properties/trial/trial.h"

namespace ordeal::properties {
namespace {

constexpr std::uint64_t trials = 400, related_every = 20;

class DecoyTest : public testing::TestWithParam<std::size_t> {};

TEST_P(DecoyTest, Passes) {
  const Decoy& decoy = decoys()[GetParam()];
  Court court;
  for (std::uint64_t index = 0; index < trials; ++index) {
    Seeded choices(seed_of_trial(23, index));
    const Scenario scenario = generate_scenario(choices);
    TrialOptions options{.level = decoy.level, .guards_inputs = true};
    if (index % related_every == 0) options.relations = relations();
    const auto controller = decoy.make(scenario.environment.gates);
    const TrialResult result = court.try_scenario(scenario, *controller, options);
    for (const Breach& breach : result.breaches)
      ADD_FAILURE() << decoy.id << ", trial " << index << ": " << breach.invariant->id << ": "
                    << breach.violation.claim;
    ASSERT_EQ(result.verdict, Verdict::held) << decoy.id << ", trial " << index << ": " << result.inconclusive;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, DecoyTest, testing::Range(std::size_t{0}, decoys().size()), [](const auto& info) {
  std::string name(decoys()[info.param].id);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// Stories that they were once blamed for.
TEST(Decoys, PassStoriesThatChanceSeldomBrings) {
  using enum StepKind;
  const auto step = [](StepKind kind) { return Step{.kind = kind}; };
  const Step caught_up = step(deliver_all), turn = step(StepKind::sync);
  const Step conflict{.kind = fault, .at_call = 1, .a = static_cast<std::int32_t>(Fault::conflict)};
  const Step going{.kind = delete_set, .a = static_cast<std::int32_t>(Propagation::foreground)};
  const auto edited = [](std::int32_t image) { return Step{.kind = edit_template, .a = image}; };
  const std::pair<std::string_view, Scenario> stories[] = {
      // A broken pod was stopped, and says that it is ready before it has gone: that is no batch that was begun.
      {"polls-each-second", hand_made("replicas: 4\nupdateStrategy: {rollingUpdate: {maxUnavailable: 50%}}",
                                      {step(settle), step(restart_rollout), step(make_unready), caught_up, turn,
                                       step(make_ready), caught_up, turn})},
      // The last turn read that the pod has gone; this one cannot read.
      {"looks-before-deleting", hand_made("replicas: 1", {caught_up, turn, step(run_kubelets), caught_up, turn,
                                                          step(fail_pod), caught_up, turn, turn, conflict, turn})},
      // This turn reads that the pod has gone, which makes another one.
      {"looks-before-deleting",
       hand_made("replicas: 1", {caught_up, turn, step(run_kubelets), caught_up, turn,
                                 Step{.kind = delete_pod, .at_call = 1}, step(fail_pod), caught_up, turn})},
      // The template of a set on its way out is no revision any more: what is complete is the rollout before.
      {"status-by-the-release",
       hand_made("replicas: 1", {caught_up, turn, edited(1), caught_up, turn, caught_up, turn, step(run_kubelets),
                                 going, edited(2), step(run_kubelets), caught_up, turn})},
      // The second pod of a batch goes, though the turn is told that it failed: the batch ends there.
      {"goes-on-by-events", hand_made("replicas: 4\nupdateStrategy: {rollingUpdate: {maxUnavailable: 3}}",
                                      {step(settle), edited(1),
                                       Step{.kind = outage,
                                            .a = static_cast<std::int32_t>(OutageOf::even_pods),
                                            .b = static_cast<std::int32_t>(OutageReply::timeout_after)},
                                       step(settle)})},
  };
  Court court;
  for (const auto& [id, scenario] : stories) {
    const Decoy* decoy = find_decoy(id);
    ASSERT_NE(decoy, nullptr) << id;
    const auto controller = decoy->make(scenario.environment.gates);
    const TrialResult result = court.try_scenario(scenario, *controller, {.level = decoy->level});
    for (const Breach& breach : result.breaches)
      ADD_FAILURE() << id << ": " << breach.invariant->id << ": " << breach.violation.claim;
    EXPECT_EQ(result.verdict, Verdict::held) << id;
  }
}

/// Every request to the last member, and how each turn ended.
class Transcript final : public Witness {
 public:
  static std::string of(const Scenario& scenario, Controller& controller) {
    World world;
    Transcript transcript;
    simulate(world, scenario, controller, transcript);
    return std::move(transcript.text_);
  }
  void on_step(const World&, const TakenStep*, std::string_view) override {}
  void on_change(const World&) override {}
  void on_sync(const World&, const Sync& sync) override { write(sync); }
  void on_settled(const World&, bool, int, int) override {}
  void on_rest(const World&, const Sync& sync) override { write(sync); }

 private:
  void write(const Sync& sync) {
    for (const Call& call : sync.calls) write(call.request);
    add(sync.result.failed, sync.result.requeue_after ? sync.result.requeue_after->ms : -1);
  }
  void write(const Request& request) {
    add(name_of(request.verb), name_of(request.kind), request.name.view(), static_cast<std::uint64_t>(request.version),
        static_cast<std::uint64_t>(request.uid), request.grace.value_or(-1));
    std::visit(
        [&]<class Body>(const Body& body) {
          if constexpr (requires { to_json(body); }) text_ += to_json(body).dump() + "\n";
        },
        request.body);
  }
  void add(const auto&... words) {
    std::ostringstream line;
    ((line << words << ' '), ...);
    text_ += line.str() + "\n";
  }
  std::string text_;
};

/// A decoy that never does anything else than the reference proves nothing: some trial must go another way.
TEST(Decoys, EveryOneIsOdd) {
  for (const Decoy& decoy : decoys()) {
    bool odd = false;
    for (std::uint64_t index = 0; index < 1500 && !odd; ++index) {
      Seeded choices(seed_of_trial(29, index));
      const Scenario scenario = generate_scenario(choices);
      const auto controller = decoy.make(scenario.environment.gates);
      const auto reference = make_reference(strict_rules(), scenario.environment.gates);
      odd = Transcript::of(scenario, *controller) != Transcript::of(scenario, *reference);
    }
    EXPECT_TRUE(odd) << decoy.id;
  }
}

TEST(Decoys, HaveIdsOfTheirOwn) {
  std::set<std::string_view> ids;
  for (const Decoy& decoy : decoys()) {
    EXPECT_TRUE(ids.insert(decoy.id).second) << decoy.id;
    EXPECT_EQ(find_decoy(decoy.id), &decoy);
  }
  EXPECT_EQ(find_decoy("none-such"), nullptr);
}

}  // namespace
}  // namespace ordeal::properties
