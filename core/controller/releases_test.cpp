// What Kubernetes does otherwise than strict in whole syncs, release by release: README.md has the table.
#include "core/controller/releases.h"

#include "core/controller/test_world.h"

namespace ordeal::test {
namespace {

using testing::Contains;
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

TEST(FindRelease, TakesTheTableOfThatReleaseOrTheNewestThatIsNotOfALaterOne) {
  struct Row {
    std::string_view controller, table;
  };
  for (const Row& row :
       {Row{"kubernetes-1.35.0", "kubernetes-1.35.0"}, Row{"kubernetes@1.37.1", "kubernetes-1.37"},
        Row{"kubernetes@1.39.0", "kubernetes-1.38"}, Row{"kubernetes@1.38.0-beta.0", "kubernetes-1.38"},
        Row{"kubernetes@1.35.4", "kubernetes-1.35.4"}, Row{"kubernetes@1.35.0", "kubernetes-1.35.0"},
        Row{"kubernetes@1.35.0+mine", "kubernetes-1.35.0"}, Row{"kubernetes@1.34.0", "kubernetes-1.34"},
        Row{"kubernetes@1.34.4", "kubernetes-1.34.2"}, Row{"kubernetes@1.33.13", "kubernetes-1.31"},
        Row{"kubernetes@1.30.14", "kubernetes-1.30"}, Row{"kubernetes@1.26.0", "kubernetes-1.24"},
        Row{"kruise-1.5.1", "kruise-1.5.1"}})
    EXPECT_EQ(find_release(row.controller)->rules.name, row.table) << row.controller;
  for (const std::string_view none :
       {"strict", "kubernetes@1.5.0", "kubernetes@2.0.0", "kubernetes@", "kubernetes-1.39"})
    EXPECT_EQ(find_release(none), nullptr) << none;
}

TEST(KnownFieldsOf, AreThoseOfTheTableOrOfOpenKruise) {
  EXPECT_EQ(known_fields("strict"), KnownFields{});
  EXPECT_EQ(known_fields("kubernetes@1.24.17"), find_release("kubernetes-1.24")->known);
  EXPECT_EQ(known_fields("kruise-1.5.1"), find_release("kruise-1.5.1")->known);
  EXPECT_EQ(known_fields("kubernetes@1.24.17+mine"), find_release("kubernetes-1.24")->known);
  EXPECT_FALSE(known_fields("kubernetes@1.27.4").volume_attributes);
  EXPECT_TRUE(known_fields("kubernetes@1.29.6").volume_attributes);
  const KnownFields kruise = known_fields("kruise@1.8.0+mine");
  EXPECT_FALSE(kruise.recreate || kruise.max_unavailable_gated || kruise.bare_rolling_update);
}

TEST(OutsideTraits, AreThoseOfTheTableOrOfOpenKruise) {
  EXPECT_EQ(outside_traits("kubernetes@1.37.1").wake_margin, Time{});
  EXPECT_TRUE(outside_traits("kubernetes@1.31.14").null_times);
  EXPECT_TRUE(outside_traits("kubernetes@1.36.3").waits_for_writes);
  EXPECT_FALSE(outside_traits("kubernetes@1.35.0").waits_for_writes || outside_traits("exec:cat").waits_for_writes);
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
  EXPECT_THAT(
      adopts_a_revision_and_a_pod(strict_rules()),
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
  EXPECT_EQ(claim_writes_of_a_parallel_creation(kubernetes(), true), 5u)
      << "one that succeeds, and four by an old view";
  EXPECT_EQ(claim_writes_of_a_parallel_creation(release("kubernetes-1.24"), false), 1u);
  EXPECT_EQ(claim_writes_of_a_parallel_creation(strict_rules(), false), 1u);
}

// --- before Parallel sets were worked on in batches, and counted afterwards -----------------------------------------------

const Rules& before_batches() { return release("kubernetes-1.24"); }
const Rules& after_batches() { return release("kubernetes-1.27"); }

/// What a set of one pod tells of its replicas, when a pod of that name is its, too.
std::int32_t replicas_told_beside(const Rules& rules, std::string_view other) {
  World world(rules);
  world.with([](StatefulSetSpec& spec) { spec.replicas = 1; });
  world.settle();
  run(world.cluster, owned_by(pod(other), {owner(world.live())}));
  world.sync();
  return world.status().replicas;
}

TEST(Kubernetes, CountsPodsWithoutAPlaceIn124) {
  EXPECT_EQ(replicas_told_beside(before_batches(), "web-99999999999"), 2);
  EXPECT_EQ(replicas_told_beside(after_batches(), "web-99999999999"), 1);
  EXPECT_EQ(replicas_told_beside(before_batches(), "web-00"), 2) << "one of two pods with the number 0";
  EXPECT_EQ(replicas_told_beside(after_batches(), "web-00"), 1);
}

/// A rolling update of two pods, whose first deletion is answered so.
World& begin_update(World& world, Code answer) {
  world.with([](StatefulSetSpec& spec) { spec.replicas = 2; });
  world.settle();
  world.image("web:2");
  world.faults = {{2, answer}};
  world.sync();
  return world;
}

TEST(Kubernetes, ForgivesAMissingPodOnlyWithinABudgetIn124) {
  const auto fails = [](const Rules& rules, bool max_unavailable) {
    World world(rules, {.max_unavailable = max_unavailable});
    return begin_update(world, Code::not_found).result.failed;
  };
  EXPECT_FALSE(fails(before_batches(), true));
  EXPECT_TRUE(fails(before_batches(), false));
  EXPECT_FALSE(fails(after_batches(), false));
  EXPECT_TRUE(fails(release("kubernetes-1.20"), true)) << "it has no such budget";
}

TEST(Kubernetes, LowersCurrentReplicasBeforeItKnowsOfTheDeletionIn124) {
  const auto told = [](const Rules& rules, bool max_unavailable) {
    World world(rules, {.max_unavailable = max_unavailable});
    return begin_update(world, Code::internal).status().current_replicas;
  };
  EXPECT_EQ(told(before_batches(), false), 1);
  EXPECT_EQ(told(before_batches(), true), 2);
  EXPECT_EQ(told(after_batches(), false), 2);
}

TEST(Kubernetes, TakesAFailedPodOnItsWayOutFromTheCountsTwiceIn124) {
  const auto told = [](const Rules& rules) {
    World world(rules);
    world.with([](StatefulSetSpec& spec) { spec.replicas = 2; });
    world.settle();
    Pod held = *world.cluster.pods().find("web-1");
    held.meta.finalizers = finalizers({"example.com/held"});
    world.cluster.edit_pod(held);
    world.cluster.finish_pod("web-1", Phase::failed);
    world.cluster.delete_pod("web-1");
    world.sync();
    return world.status().current_replicas;
  };
  EXPECT_EQ(told(before_batches()), 0) << "web-0 is there";
  EXPECT_EQ(told(after_batches()), 1);
}

/// One claim a pod, which goes with the pod when that is scaled away.
void with_claims_of_the_pods(StatefulSetSpec& spec) {
  with_claims_of_the_set(spec);
  spec.retention = RetentionPolicy{.when_deleted = Retention::retain, .when_scaled = Retention::remove};
}

TEST(Kubernetes, EndsAParallelTurnAtAStaleClaimIn124) {
  const auto made = [](const Rules& rules) {
    World world(rules);
    Owners earlier{owner(pod("web-0"))};
    earlier.front().uid = Uid{1'000'000'007};
    world.cluster.create_claim(owned_by(claim("data-web-0"), earlier));
    world.with([](StatefulSetSpec& spec) {
      with_claims_of_the_pods(spec);
      spec.pod_management = PodManagement::parallel;
      spec.replicas = 2;
    });
    world.sync();
    return world.calls_of("pod");
  };
  EXPECT_THAT(made(before_batches()), IsEmpty());
  EXPECT_THAT(made(after_batches()), ElementsAre("create pod web-1 (create-pod)"));
}

TEST(Kubernetes, DeletesTheOutdatedPodThatWaitsForItsClaimFrom127On) {
  const auto asked = [](const Rules& rules) {
    World world(rules, {.max_unavailable = false});
    world.with([](StatefulSetSpec& spec) {
      with_claims_of_the_pods(spec);
      spec.pod_management = PodManagement::parallel;
      spec.rolling_update.reset();  // the lowest pods are made at the current revision, as many as the status says
      spec.replicas = 1;
    });
    world.settle();
    Owners pod_gone{owner(pod("web-0"))};
    pod_gone.front().uid = world.cluster.pods().find("web-0")->meta.uid;
    world.cluster.edit_claim(owned_by(*world.cluster.claims().find("data-web-0"), pod_gone));
    world.cluster.delete_pod("web-0", 0);
    world.image("web:2");
    world.sync();
    return world.calls_of("pod");
  };
  EXPECT_THAT(asked(strict_rules()), IsEmpty());
  EXPECT_THAT(asked(before_batches()), IsEmpty());
  EXPECT_THAT(asked(after_batches()), ElementsAre(HasSubstr("delete pod web-0 (")));
  EXPECT_THAT(asked(kubernetes()), ElementsAre(HasSubstr("delete pod web-0 (")));
}

TEST(Kubernetes, DiesOfANegativeHistoryLimitBeforeOrAfterItPrunesIn128) {
  const auto pruned = [](std::int32_t limit) {
    World world(release("kubernetes-1.28"));
    world.with();
    world.settle();
    world.image("web:2");
    world.settle();
    world.edit([&](StatefulSetSpec& spec) { spec.revision_history_limit = limit; });
    EXPECT_THROW(world.sync(), ControllerDied);
    return world.calls_of("revision").size();
  };
  EXPECT_EQ(pruned(-1), 1u) << "of two revisions one is in use: there is room for a second, and nothing in it";
  EXPECT_EQ(pruned(-2), 0u) << "there is no room for a third";
}

TEST(Kubernetes, DiesOfAClaimOfASetWithoutAPolicyIn124) {
  const auto dies = [](const char* name) {
    World world(release(name));
    world.cluster.reset({.auto_delete_claims = false});
    world.with([](StatefulSetSpec& spec) {
      spec.claim_templates = {
          ClaimTemplate{.name = "data", .labels = {}, .annotations = {}, .spec = {}, .owners = {}, .finalizers = {}}};
    });
    try {
      world.settle();
    } catch (const ControllerDied&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(dies("kubernetes-1.24"));
  EXPECT_FALSE(dies("kubernetes-1.27"));
  EXPECT_FALSE(dies("kubernetes-1.20"));
}

TEST(Kubernetes, LeavesALabelOfTheIndexAloneBefore128) {
  const auto left = [](const Rules& rules) {
    World world(rules);
    world.with();
    world.settle();
    Pod strange = *world.cluster.pods().find("web-0");
    StringMap labels = *strange.meta.labels;
    labels.set(label_pod_name, "other");
    labels.set(label_pod_index, "999");
    strange.meta.labels = std::make_shared<const StringMap>(std::move(labels));
    world.cluster.edit_pod(strange);
    world.sync();
    const Pod& repaired = *world.cluster.pods().find("web-0");
    EXPECT_EQ(*repaired.meta.label(label_pod_name), "web-0");
    return repaired.meta.label(label_pod_index)->str();
  };
  EXPECT_EQ(left(release("kubernetes-1.27")), "999");
  EXPECT_EQ(left(release("kubernetes-1.28")), "0");
}

TEST(Kubernetes, LeavesATemplatesOwnLabelOfTheIndexBefore128) {
  const auto given = [](const Rules& rules) {
    World world(rules);
    world.with([](StatefulSetSpec& spec) {
      PodTemplate labelled = *spec.pod_template;
      labelled.labels.set(label_pod_index, "7");
      spec.pod_template = std::make_shared<const PodTemplate>(std::move(labelled));
    });
    world.settle();
    return world.cluster.pods().find("web-0")->meta.label(label_pod_index)->str();
  };
  EXPECT_EQ(given(release("kubernetes-1.27")), "7");
  EXPECT_EQ(given(release("kubernetes-1.28")), "0");
}

TEST(Kubernetes, MarksClaimsFromTheLowestIn124) {
  const auto marked = [](const Rules& rules) {
    World world(rules);
    world.with(with_claims_of_the_pods);
    world.settle();
    world.edit([](StatefulSetSpec& spec) { spec.replicas = 1; });
    world.sync();
    return world.calls_of("claim");
  };
  EXPECT_THAT(marked(before_batches()),
              ElementsAre("update claim data-web-1 (retain-claim)", "update claim data-web-2 (retain-claim)"));
  EXPECT_THAT(marked(after_batches()),
              ElementsAre("update claim data-web-2 (retain-claim)", "update claim data-web-1 (retain-claim)"));
}

TEST(Kubernetes, ScalesAwayTheLastListedOfOneOrdinalFirstIn124) {
  const auto first = [](const Rules& rules) {
    World world(rules);
    world.with([](StatefulSetSpec& spec) {
      spec.replicas = 0;
      spec.pod_management = PodManagement::parallel;
    });
    for (const char* name : {"web-2", "web-02"}) run(world.cluster, owned_by(pod(name), {owner(world.live())}));
    world.sync();
    return world.calls_of("pod").at(0);
  };
  EXPECT_EQ(first(before_batches()), "delete pod web-2 (scale-down)") << "web-02 is listed first";
  EXPECT_EQ(first(after_batches()), "delete pod web-02 (scale-down)");
}

/// One pod has its claim, whose owners the next turn will write.
void want_other_owners_of_a_claim(World& world) {
  world.with([](StatefulSetSpec& spec) {
    with_claims_of_the_set(spec);
    spec.replicas = 1;
  });
  world.settle();
  world.edit([](StatefulSetSpec& spec) { spec.retention = RetentionPolicy{}; });
}

/// Writes of a claim in the turn after the one in which it was refused; and in the one after that, when the claim has
/// changed.
std::pair<std::size_t, std::size_t> claim_writes_after_a_refusal(const Rules& rules) {
  World world(rules);
  want_other_owners_of_a_claim(world);
  world.faults = {{1, Code::internal}};
  EXPECT_TRUE(world.sync().failed);
  world.sync();
  const std::size_t next = world.calls_of("claim").size();
  Claim changed = *world.cluster.claims().find("data-web-0");
  changed.meta.labels = labels({{"changed", "yes"}});
  world.cluster.edit_claim(changed);
  world.sync();
  return {next, world.calls_of("claim").size()};
}

TEST(Kubernetes, TakesOwnersOfAClaimForWrittenWhateverTheAnswerIn124) {
  EXPECT_EQ(claim_writes_after_a_refusal(before_batches()), std::pair(std::size_t{0}, std::size_t{1}))
      << "its cache shows them";
  EXPECT_EQ(claim_writes_after_a_refusal(after_batches()), std::pair(std::size_t{1}, std::size_t{0}));
}

TEST(Kubernetes, NeedsNoSecondTryAfterAConflictOnAClaimIn124) {
  const auto writes = [](const Rules& rules) {
    World world(rules);
    want_other_owners_of_a_claim(world);
    world.faults = {{1, Code::conflict}};
    EXPECT_FALSE(world.sync().failed);
    return Calls(world.calls.begin(), world.calls.end() - 1);  // but for the status
  };
  constexpr const char* write = "update claim data-web-0 (retain-claim)";
  EXPECT_THAT(writes(before_batches()), ElementsAre(write));
  EXPECT_THAT(writes(after_batches()), ElementsAre(write, write, "update pod web-0 (repair-pod)"));
}

// --- Recreate ----------------------------------------------------------------------------------------------------------

void recreating(StatefulSetSpec& spec) { spec.strategy = Strategy::recreate; }

TEST(Kubernetes, DoesNothingForARecreateSetWithoutItsGate) {
  World world(kubernetes(), {.recreate = false});
  world.with(recreating);
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls, ElementsAre(HasSubstr("create revision web-")));
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
  EXPECT_THAT(strict_rules().tells({.told = told, .recreation = RecreateStage::wait}), Contains(odd));
  EXPECT_EQ(kubernetes().tells({.told = told, .recreation = {}, .recreates = true, .complete = true}), told)
      << "nothing had begun";
  const std::vector<StatefulSetCondition> none;
  const auto early = kubernetes().tells({.told = none, .recreation = RecreateStage::wait, .now = Time{-300}});
  EXPECT_EQ(early.at(0).last_transition, Time{-1000}) << "as it is written: down";
}

// Without a pod to stop it would begin and end in one turn, and the condition be as new as that turn each time.
TEST(Strict, ARecreationBeginsWithThePodThatItStops) {
  const std::vector<StatefulSetCondition> none;
  const Progress nothing_to_stop{.told = none, .recreation = RecreateStage::done, .changes = true};
  EXPECT_THAT(strict_rules().tells(nothing_to_stop), IsEmpty());
  EXPECT_EQ(kubernetes().tells(nothing_to_stop).at(0).status, "True");
  const auto begun = strict_rules().tells({.told = none, .recreation = RecreateStage::wait});
  EXPECT_EQ(begun.at(0).status, "True");
  EXPECT_EQ(strict_rules().tells({.told = begun, .recreation = RecreateStage::done, .changes = true}), begun);
  EXPECT_EQ(strict_rules().tells({.told = begun, .recreation = RecreateStage::done, .complete = true}).at(0).status,
            "False");
}

TEST(Strict, ARecreationThatGoesOnByAnotherStrategyEnds) {
  const std::vector<StatefulSetCondition> none;
  const auto begun = strict_rules().tells({.told = none, .recreation = RecreateStage::wait});
  const Progress left_half_way{.told = begun, .recreation = {}, .recreates = false, .complete = true};
  EXPECT_EQ(strict_rules().tells(left_half_way).at(0).status, "False");
  EXPECT_EQ(kubernetes().tells(left_half_way), begun);
}

TEST(Kubernetes, LooksAgainASecondLateUntil1350) {
  EXPECT_EQ(make_reference(kubernetes(), {})->traits().wake_margin, Time{});
  EXPECT_EQ(make_reference(release("kubernetes-1.36"), {})->traits().wake_margin, Time{});
  EXPECT_EQ(make_reference(release("kubernetes-1.35.4"), {})->traits().wake_margin, Time{});
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
