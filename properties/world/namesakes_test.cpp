#include "properties/world/namesakes.h"

#include <gmock/gmock.h>

#include <array>
#include <memory>

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

TEST(Namesakes, FitTheSetOnTrialWhosePodsDoNotFitThem) {
  Namesakes namesakes;
  const Scenario scenario = hand_made("replicas: 1\nrevisionHistoryLimit: -1", {});
  const View& seen = namesakes.of(scenario);
  EXPECT_EQ(seen.sets.all[0]->spec->revision_history_limit, 10) << "as if nobody had said";
  const LabelSelector& theirs = seen.sets.all[0]->spec->selector;
  EXPECT_TRUE(scenario.set.spec->selector.matches(seen.pods.all[0]->meta.labels.get()));
  EXPECT_TRUE(theirs.matches(seen.pods.all[0]->meta.labels.get()));
  EXPECT_FALSE(theirs.matches(&scenario.set.spec->pod_template->labels));
}

/// The strict reference as a program that serves every namespace.
class Everywhere final : public Forwarding {
 public:
  Everywhere() : Forwarding(make_reference(strict_rules(), {})) {}
  Traits traits() const override { return {.watches_every_namespace = true}; }
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    namespaces.push_back(key.ns.str());
    return inner_.sync(key, key.ns == "elsewhere" ? *seen.elsewhere : seen, api, now);
  }
  std::vector<std::string> namespaces;
};

TEST(Namesakes, HaveATurnBeforeEachOfTheSetOnTrial) {
  Scenario scenario = hand_made("replicas: 3\npodManagementPolicy: Parallel", {{.kind = StepKind::sync}});
  Everywhere alone;
  OneProcess program(alone);
  Court court;
  ASSERT_EQ(court.try_scenario(scenario, program).verdict, Verdict::held);
  EXPECT_THAT(alone.namespaces, testing::Each("default"));
  scenario.environment.namesakes = true;
  Everywhere beside;
  OneProcess another(beside);
  EXPECT_EQ(court.try_scenario(scenario, another).verdict, Verdict::held) << "whatever it asked for them";
  ASSERT_EQ(beside.namespaces.size(), 2 * alone.namespaces.size());
  for (std::size_t turn = 0; turn < beside.namespaces.size(); ++turn)
    EXPECT_EQ(beside.namespaces[turn], turn % 2 == 0 ? "elsewhere" : "default");
}

/// Has a worker for each namespace. `shared`: both keep in the same place whom they serve.
class TwoWorkers final : public Controller {
 public:
  explicit TwoWorkers(bool shared) : shared_(shared) {}
  Traits traits() const override { return {.watches_every_namespace = true, .several_workers = true}; }
  std::string_view name() const override { return "two-workers"; }
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const bool is_elsewhere = key.ns == "elsewhere";
    turns[depth_ > 0] += is_elsewhere ? 1 : 0;
    is_told_late = is_told_late || (depth_ > 0 && !seen.pods.events.empty());
    serves_ = key.ns;
    Gate gate(*this, key, api);
    ++depth_;
    const SyncResult result = workers_[is_elsewhere]->sync(key, is_elsewhere ? *seen.elsewhere : seen, gate, now);
    --depth_;
    return result;
  }
  bool is_told_late = false;   // of events, when they are valid no more
  std::array<int, 2> turns{};  // for the namesake: before turns of the set on trial, and in the midst of them

 private:
  /// Lets a worker's calls through that serves the set for which it began.
  class Gate final : public Api {
   public:
    Gate(const TwoWorkers& workers, const Key& key, Api& api) : workers_(workers), key_(key), api_(api) {}
    Reply call(Request request) override {
      const bool mixed_up = workers_.shared_ && workers_.serves_ != key_.ns;
      return mixed_up ? Reply{} : api_.call(std::move(request));
    }

   private:
    const TwoWorkers& workers_;
    const Key& key_;
    Api& api_;
  };
  const bool shared_;
  Text serves_;
  int depth_ = 0;
  std::array<std::unique_ptr<Controller>, 2> workers_{make_reference(strict_rules(), {}),
                                                      make_reference(strict_rules(), {})};
};

TEST(Namesakes, HaveATurnInTheMidstOfOneWhereThereAreSeveralWorkers) {
  Scenario scenario = hand_made("replicas: 3", {{.kind = StepKind::settle}});
  scenario.environment.namesakes = true;
  Court court;
  TwoWorkers apart(false), mixed(true);
  OneProcess program(apart), another(mixed);
  EXPECT_EQ(court.try_scenario(scenario, program).verdict, Verdict::held);
  EXPECT_GT(apart.turns[0], 0);
  EXPECT_GT(apart.turns[1], 0);
  EXPECT_FALSE(apart.is_told_late);
  EXPECT_EQ(court.try_scenario(scenario, another).verdict, Verdict::violated);
  TwoWorkers in_one_order(true);
  OneProcess shuffled(in_one_order);
  scenario.environment.list_order = 7;
  EXPECT_EQ(court.try_scenario(scenario, shuffled).verdict, Verdict::held);
  EXPECT_EQ(in_one_order.turns[1], 0) << "their lists have an order of their own";
}

TEST(Namesakes, WhoAsksWithoutEndForThemHasNoVerdict) {
  class Endless final : public Controller {
    SyncResult sync(const Key&, const View&, Api& api, Time) override {
      for (;;) api.call({.verb = Verb::get, .kind = Kind::set, .name = "web"});
    }
    Traits traits() const override { return {.watches_every_namespace = true}; }
    std::string_view name() const override { return "endless"; }
  } endless;
  OneProcess program(endless);
  Scenario scenario = hand_made("replicas: 1", {});
  scenario.environment.namesakes = true;
  Court court;
  EXPECT_THAT(court.try_scenario(scenario, program).inconclusive,
              testing::HasSubstr("10000 calls in one sync of a set in another namespace"));
}

}  // namespace
}  // namespace ordeal::properties
