// What Kubernetes does otherwise than strict in whole syncs, release by release: README.md has the table.
#include "core/controller/releases.h"

#include "core/controller/test_world.h"

namespace ordeal::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Rules& kubernetes() { return kubernetes_1_37_rules(); }
const Rules& release(std::string_view name) { return find_release(name)->rules; }

/// One claim a pod, which goes with the set.
void with_claims_of_the_set(StatefulSetSpec& spec) {
  ClaimTemplate data;
  data.name = "data";
  data.spec = std::make_shared<const std::string>("{}");
  spec.claim_templates = {data};
  spec.retention = RetentionPolicy{.when_deleted = Retention::remove, .when_scaled = Retention::retain};
}

TEST(FindRelease, TakesTheNewestTableThatIsNotOfALaterRelease) {
  struct Row {
    std::string_view controller, table;
  };
  for (const Row& row : {Row{"kubernetes-1.35.0", "kubernetes-1.35.0"}, Row{"kubernetes@1.37.1", "kubernetes-1.37"},
                         Row{"kubernetes@1.38.0", "kubernetes-1.37"}, Row{"kubernetes@1.35.4", "kubernetes-1.35.0"},
                         Row{"kubernetes@1.30.1", "kubernetes-1.28"}, Row{"kruise-1.5.1", "kruise-1.5.1"}})
    EXPECT_EQ(find_release(row.controller)->rules.name, row.table) << row.controller;
  for (const std::string_view none : {"strict", "kubernetes@1.5.0", "kubernetes@2.0.0", "kubernetes@", "kubernetes-1.38"})
    EXPECT_EQ(find_release(none), nullptr) << none;
}

TEST(KnownFieldsOf, AreThoseOfTheTableOrOfOpenKruise) {
  EXPECT_EQ(known_fields("strict"), KnownFields{});
  EXPECT_EQ(known_fields("kubernetes@1.24.17"), find_release("kubernetes-1.24")->known);
  EXPECT_EQ(known_fields("kruise-1.5.1"), find_release("kruise-1.5.1")->known);
  const KnownFields kruise = known_fields("kruise@1.8.0");
  EXPECT_FALSE(kruise.recreate || kruise.max_unavailable_gated || kruise.bare_rolling_update);
}

TEST(OutsideTraits, AreThoseOfTheTableOrOfOpenKruise) {
  EXPECT_EQ(outside_traits("kubernetes@1.37.1").wake_margin, Time{});
  EXPECT_TRUE(outside_traits("kubernetes@1.31.14").null_times);
  EXPECT_TRUE(outside_traits("kruise@1.8.0").null_times && outside_traits("kruise@1.8.0").wakes_owners_only);
  EXPECT_FALSE(outside_traits("exec:cat").null_times || outside_traits("exec:cat").wakes_owners_only);
}

// --- ownership ---------------------------------------------------------------------------------------------------------

Calls adopts_a_revision_and_a_pod(const Rules& rules) {
  World world(rules);
  world.with();
  world.settle();
  Revision orphan = *world.cluster.revisions().live().all()[0];
  orphan.meta.owners.reset();
  world.cluster.edit_revision(orphan);
  Pod pod = *world.cluster.pods().find("web-1");
  pod.meta.owners.reset();
  world.cluster.edit_pod(pod);
  world.sync();
  return world.calls;
}

TEST(Kubernetes, ReadsTheSetOnceForRevisionsAndOnceForPods) {
  EXPECT_THAT(adopts_a_revision_and_a_pod(kubernetes()),
              ElementsAre("get set web (confirm-set)", HasSubstr("(adopt-revision)"), "get set web (confirm-set)",
                          "patch-owners pod web-1 (adopt-pod)"));
  EXPECT_THAT(adopts_a_revision_and_a_pod(strict_rules()),
              ElementsAre("get set web (confirm-set)", HasSubstr("(adopt-revision)"), "patch-owners pod web-1 (adopt-pod)"));
}

Calls adopts_one_and_releases_another(const Rules& rules) {
  World world(rules);
  world.with();
  world.settle();
  Pod orphan = *world.cluster.pods().find("web-0"), missed = *world.cluster.pods().find("web-1");
  orphan.meta.owners.reset();
  missed.meta.labels = labels({{"app", "other"}});
  world.cluster.edit_pod(orphan);
  world.cluster.edit_pod(missed);
  world.sync();
  return Calls(world.calls.begin(), world.calls.begin() + 3);
}

TEST(Kubernetes, LooksAtItsOwnPodsFirst) {
  EXPECT_THAT(adopts_one_and_releases_another(kubernetes()),
              ElementsAre("patch-owners pod web-1 (release-pod)", "get set web (confirm-set)",
                          "patch-owners pod web-0 (adopt-pod)"));
  EXPECT_THAT(adopts_one_and_releases_another(release("kubernetes-1.31")),
              ElementsAre("get set web (confirm-set)", "patch-owners pod web-0 (adopt-pod)",
                          "patch-owners pod web-1 (release-pod)"));
}

// --- claims ------------------------------------------------------------------------------------------------------------

TEST(Kubernetes, RepeatsAllOfARepairAfterAConflict) {
  World world(kubernetes());
  world.with(with_claims_of_the_set);
  world.settle();
  world.edit([](StatefulSetSpec& spec) { spec.retention = RetentionPolicy{}; });
  world.faults = {{1, Code::conflict}};
  EXPECT_FALSE(world.sync().failed);
  EXPECT_THAT(Calls(world.calls.begin(), world.calls.begin() + 3),
              ElementsAre("update claim data-web-0 (retain-claim)", "update claim data-web-0 (retain-claim)",
                          "update pod web-0 (repair-pod)"));
  world.edit([](StatefulSetSpec& spec) { spec.retention->when_deleted = Retention::remove; });
  for (std::size_t call = 1; call <= 4; ++call) world.faults[call] = Code::conflict;
  EXPECT_TRUE(world.sync().failed);
  EXPECT_EQ(world.calls_of("claim").size(), 4u);
}

std::size_t claim_writes_of_a_parallel_creation(const Rules& rules, bool fails) {
  World world(rules);
  world.cluster.create_claim(claim("data-web-0"));
  world.with([](StatefulSetSpec& spec) {
    with_claims_of_the_set(spec);
    spec.pod_management = PodManagement::parallel;
    spec.replicas = 1;
  });
  EXPECT_EQ(world.sync().failed, fails) << rules.name;
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("create pod web-0 (create-pod)"));
  return world.calls_of("claim").size();
}

TEST(Kubernetes, ComparesClaimsOnceMoreAfterAParallelCreation) {
  EXPECT_EQ(claim_writes_of_a_parallel_creation(kubernetes(), true), 5u) << "one that succeeds, and four by an old view";
  EXPECT_EQ(claim_writes_of_a_parallel_creation(release("kubernetes-1.24"), false), 1u);
  EXPECT_EQ(claim_writes_of_a_parallel_creation(strict_rules(), false), 1u);
}

// --- Recreate ----------------------------------------------------------------------------------------------------------

void recreating(StatefulSetSpec& spec) { spec.strategy = Strategy::recreate; }

TEST(Kubernetes, DoesNothingForARecreateSetWithoutItsGate) {
  World world(kubernetes(), {.recreate = false});
  world.with(recreating);
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls, ElementsAre(HasSubstr("create revision web-")));
  World strict(strict_rules(), {.recreate = false});
  strict.with(recreating);
  EXPECT_FALSE(strict.sync().failed);
}

void begin_recreation(World& world) {
  world.with([](StatefulSetSpec& spec) {
    with_claims_of_the_set(spec);
    spec.retention->when_scaled = Retention::remove;
    recreating(spec);
  });
  world.settle();
  world.edit([](StatefulSetSpec& spec) {
    spec.replicas = 2;
    spec.pod_template = hashed_template("web:2");
  });
}

TEST(Kubernetes, RecreatesInBatchesAndLeavesClaimsAndCountsAlone) {
  World world(kubernetes());
  begin_recreation(world);
  world.faults = {{2, Code::internal}};
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls, ElementsAre(HasSubstr("create revision"), "delete pod web-0 (recreate-pod)",
                                       "update-status web (write-status)"))
      << "the first batch is one pod";
  world.faults = {{2, Code::internal}};
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("delete pod web-0 (recreate-pod)", "delete pod web-1 (recreate-pod)",
                                                 "delete pod web-2 (recreate-pod)"))
      << "the second is two, in an OrderedReady set, too";
  EXPECT_THAT(world.calls_of("claim"), IsEmpty());
  EXPECT_EQ(world.status().current_replicas, 3) << "none was terminating as it was seen";
}

/// "Progressing True: outdated pods are being stopped, since 0", or nothing.
std::string condition_of(const World& world) {
  if (world.status().conditions.empty()) return "";
  const StatefulSetCondition& told = world.status().conditions.front();
  return told.type.str() + " " + told.status.str() + ": " + told.message.str() + ", since " +
         std::to_string(told.last_transition.value_or(Time{-1}).ms);
}

TEST(Kubernetes, TellsHowFarARecreateHasCome) {
  World world(kubernetes());
  begin_recreation(world);
  EXPECT_EQ(condition_of(world), "") << "nothing was told of the first pods";
  world.cluster.advance(Time{10'500});
  world.faults = {{2, Code::internal}};
  world.sync();
  EXPECT_EQ(condition_of(world), "") << "a pod could not be deleted";
  world.sync();
  EXPECT_EQ(condition_of(world), "Progressing True: outdated pods are being stopped, since 10000");
  world.cluster.advance(Time{10'000});
  world.cluster.run_kubelets();
  world.sync();
  EXPECT_EQ(condition_of(world), "Progressing True: new pods are to be created, since 10000");
  world.settle();
  EXPECT_EQ(condition_of(world), "Progressing False: all pods are new and ready, since 20000");
  EXPECT_THAT(world.calls, IsEmpty()) << "and is not told again";
}

TEST(Kubernetes, OlderOnesLoseConditionsAndStrictKeepsThem) {
  const StatefulSetCondition odd{.type = "Odd", .status = "True", .reason = {}, .message = {}, .last_transition = {}};
  const std::vector<StatefulSetCondition> told{odd};
  EXPECT_THAT(release("kubernetes-1.36").tells({.told = told, .recreation = {}}), IsEmpty());
  EXPECT_EQ(strict_rules().tells({.told = told, .recreation = Recreation::wait}), told);
  EXPECT_EQ(kubernetes().tells({.told = told, .recreation = {}, .complete = true}), told) << "nothing had begun";
  const std::vector<StatefulSetCondition> none;
  const auto early = kubernetes().tells({.told = none, .recreation = Recreation::wait, .now = Time{-300}});
  EXPECT_EQ(early.at(0).last_transition, Time{-1000}) << "as it is written: down";
}

TEST(Kubernetes, LooksAgainASecondLateUntil135) {
  EXPECT_EQ(make_reference(kubernetes(), {})->traits().wake_margin, Time{});
  EXPECT_EQ(make_reference(release("kubernetes-1.36"), {})->traits().wake_margin, Time{});
  EXPECT_EQ(make_reference(release("kubernetes-1.35.0"), {})->traits().wake_margin, Time::seconds(1));
}

TEST(Strict, RecreatesOneAfterTheOtherAndMarksClaims) {
  World world;
  begin_recreation(world);
  world.sync();
  EXPECT_THAT(world.calls, ElementsAre(HasSubstr("create revision"), "update claim data-web-2 (retain-claim)",
                                       "delete pod web-0 (recreate-pod)", "delete pod web-1 (recreate-pod)",
                                       "delete pod web-2 (recreate-pod)", "update-status web (write-status)"));
  EXPECT_EQ(world.status().current_replicas, 0);
}

// --- own writes --------------------------------------------------------------------------------------------------------

/// Whether a sync waits for its caches when these go back in time after they have once shown what was written.
bool waits_when_caches_go_back(const Rules& rules) {
  World world(rules);
  world.with();
  world.settle();
  world.reached = Version::none;
  return world.sync().failed;
}

TEST(Kubernetes, ForgetsWhatItsCachesHaveShownOnce) {
  EXPECT_FALSE(waits_when_caches_go_back(kubernetes()));
  EXPECT_TRUE(waits_when_caches_go_back(strict_rules()));
}

}  // namespace
}  // namespace ordeal::test
