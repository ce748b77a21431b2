// Whole syncs against a cluster: what is asked, in which order, and where it stops.
#include "core/controller/decisions.h"
#include "core/controller/releases.h"
#include "core/controller/test_world.h"

namespace ordeal::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const auto parallel = [](StatefulSetSpec& spec) { spec.pod_management = PodManagement::parallel; };
const auto with_claim = [](StatefulSetSpec& spec) {
  ClaimTemplate data;
  data.name = "data";
  data.labels = {{"tier", "disk"}};
  data.spec = std::make_shared<const std::string>("{}");
  spec.claim_templates = {data};
};

// --- creation ----------------------------------------------------------------------------------------------------------

TEST(Creation, InOrderOneAfterTheOther) {
  World world;
  world.with();
  world.sync();
  EXPECT_THAT(world.calls, ElementsAre(HasSubstr("create revision web-"), "create pod web-0 (create-pod)",
                                       "update-status web (write-status)"));
  world.sync();
  EXPECT_THAT(world.calls, ElementsAre("update-status web (write-status)")) << "web-0 is not ready";
  world.cluster.run_kubelets();
  world.cluster.run_kubelets();
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("create pod web-1 (create-pod)"));
  world.settle();
  EXPECT_EQ(world.pods(), "web-0@1 web-1@1 web-2@1");
  world.sync();
  EXPECT_THAT(world.calls, IsEmpty());
}

TEST(Creation, ParallelAtOnce) {
  World world;
  world.with(parallel);
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("create pod web-0 (create-pod)", "create pod web-1 (create-pod)",
                                                 "create pod web-2 (create-pod)"));
}

TEST(Creation, PodCarriesItsIdentity) {
  World world;
  world.with([](StatefulSetSpec& spec) {
    with_claim(spec);
    spec.ordinals_start = 5;
    spec.pod_template =
        hashed_template("web:1", {{"data", {}, "{\"name\":\"data\"}"}, {"tmp", {}, "{\"name\":\"tmp\"}"}});
  });
  world.sync();
  const Pod& pod = *world.cluster.pods().find("web-5");
  const Text& revision = world.cluster.revisions().live().all()[0]->meta.name;
  EXPECT_TRUE(pod.meta.labels->has(label_pod_name, "web-5") && pod.meta.labels->has(label_pod_index, "5"));
  EXPECT_TRUE(pod.meta.labels->has(label_revision, revision) && pod.meta.labels->has("app", "web"));
  EXPECT_EQ(pod.hostname, "web-5");
  EXPECT_EQ(pod.subdomain, "web");
  EXPECT_EQ(pod.generate_name, "web-");
  EXPECT_EQ(*pod.meta.owners, Owners{owner(world.live())});
  EXPECT_THAT(*pod.volumes, ElementsAre(Volume{"data", "data-web-5", {}}, Volume{"tmp", {}, "{\"name\":\"tmp\"}"}));
  const Claim& claim = *world.cluster.claims().find("data-web-5");
  EXPECT_TRUE(claim.meta.labels->has("app", "web") && claim.meta.labels->has("tier", "disk"));
}

TEST(Creation, RevisionIsNamedByItsHashAndOwned) {
  World world;
  world.with();
  world.sync();
  const Revision& made = *world.cluster.revisions().live().all()[0];
  const Text suffix = revision_suffix(fnv1_32(*made.data.bytes), 0);
  EXPECT_EQ(made.meta.name, "web-" + suffix.str());
  EXPECT_TRUE(made.meta.labels->has(label_revision_hash, suffix) && made.meta.labels->has("app", "web"));
  EXPECT_EQ(*made.meta.owners, Owners{owner(world.live())});
  EXPECT_EQ(made.number, 1);
}

void expect_next_pod_after(const Rules& rules, Time wait) {
  World world(rules);
  world.with([](StatefulSetSpec& spec) { spec.min_ready_seconds = 10; });
  world.sync();
  world.cluster.run_kubelets();
  world.cluster.advance(Time{500});
  world.cluster.run_kubelets();
  world.cluster.advance(Time{3000});
  EXPECT_EQ(world.sync().requeue_after, wait) << "ready since second 0, now 3.5 s";
  world.cluster.advance(wait - Time{1});
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), IsEmpty()) << "a moment too early";
  world.cluster.advance(Time{1});
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("create pod web-1 (create-pod)"));
}

TEST(Creation, WaitsForMinReadySecondsAndAsksToBeCalledThen) {
  expect_next_pod_after(strict_rules(), Time{6500});
  Rules later = strict_rules();
  later.available = decide::ready_for_longer;
  expect_next_pod_after(later, Time{6501});
}

TEST(TerminalPods, AreDeletedAndReplacedWhenGone) {
  for (const Phase phase : {Phase::failed, Phase::succeeded}) {
    World world;
    world.with();
    world.settle();
    world.cluster.finish_pod("web-1", phase);
    world.sync();
    EXPECT_THAT(world.calls_of("pod"), ElementsAre("delete pod web-1 (replace-terminal)"));
    world.settle();
    EXPECT_EQ(world.pods(), "web-0@1 web-1@1 web-2@1");
  }
}

TEST(TerminalPods, AreNotTouchedBehindAPodThatIsNotReady) {
  World world;
  world.with();
  world.settle();
  world.cluster.set_ready("web-0", false);
  world.cluster.finish_pod("web-1", Phase::failed);
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), IsEmpty());
}

// --- ownership ---------------------------------------------------------------------------------------------------------

TEST(Adoption, AsksOnceWhetherTheSetLives) {
  World world;
  world.with();
  world.cluster.create_pod(pod("web-0"));
  world.cluster.create_pod(pod("web-1"));
  world.sync();
  EXPECT_THAT(std::vector(world.calls.begin(), world.calls.begin() + 3),
              ElementsAre("get set web (confirm-set)", "patch-owners pod web-0 (adopt-pod)",
                          "patch-owners pod web-1 (adopt-pod)"));
  EXPECT_EQ(*world.cluster.pods().find("web-0")->meta.owners, Owners{owner(world.live())});
}

TEST(Adoption, OfASetThatIsGoneEndsTheSync) {
  World world;
  world.with();
  const StatefulSet* seen = &world.live();
  world.cluster.create_pod(pod("web-0"));
  world.cluster.delete_set("web", Propagation::foreground);
  world.shown = seen;
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls, ElementsAre("get set web (confirm-set)"));
}

TEST(Adoption, OfAPodThatIsGoneIsNoError) {
  World world;
  world.with();
  world.cluster.create_pod(pod("web-0"));
  world.before_call = [&](std::size_t call) {
    if (call == 2) world.cluster.delete_pod("web-0", 0);
  };
  EXPECT_FALSE(world.sync().failed);
  EXPECT_THAT(world.calls_of("pod"),
              ElementsAre("patch-owners pod web-0 (adopt-pod)", "create pod web-0 (create-pod)"));
}

TEST(Adoption, RevisionOfNobodyIsAdoptedAndUsed) {
  World world;
  world.with();
  world.settle();
  Revision orphan = *world.cluster.revisions().live().all()[0];
  orphan.meta.owners.reset();
  world.cluster.edit_revision(orphan);
  world.sync();
  EXPECT_THAT(world.calls, ElementsAre("get set web (confirm-set)", HasSubstr("patch-owners revision web-")));
  EXPECT_TRUE(world.cluster.revisions().live().all()[0]->meta.controller());
}

TEST(Release, OfAPodTheSelectorMissesLeavesItsNameTaken) {
  World world;
  world.with();
  world.settle();
  Pod edited = *world.cluster.pods().find("web-2");
  edited.meta.labels = labels({{"app", "elsewhere"}});
  world.cluster.edit_pod(edited);
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls_of("pod"),
              ElementsAre("patch-owners pod web-2 (release-pod)", "create pod web-2 (create-pod)"));
  EXPECT_EQ(world.result.code, Code::already_exists);
}

TEST(LeadingZeros, AreNoMembersInStrict) {
  World strict, kubernetes(kubernetes_1_37_rules());
  for (World* world : {&strict, &kubernetes}) {
    world->with();
    world->cluster.create_pod(pod("web-01"));
    world->settle(20);
  }
  EXPECT_EQ(strict.pods(), "web-0@1 web-01@1 web-1@1 web-2@1");
  EXPECT_EQ(kubernetes.pods(), "web-0@1 web-01@1") << "it holds the place of web-1 and cannot be renamed";
  EXPECT_TRUE(kubernetes.result.failed);
}

// --- scaling down ------------------------------------------------------------------------------------------------------

void scale(World& world, std::int32_t replicas) {
  world.edit([&](StatefulSetSpec& spec) { spec.replicas = replicas; });
}

TEST(ScaleDown, InOrderTheHighestFirstAndOneAtATime) {
  World world;
  world.with();
  world.settle();
  scale(world, 1);
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("delete pod web-2 (scale-down)"));
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), IsEmpty()) << "web-2 is still terminating";
  world.settle();
  EXPECT_EQ(world.pods(), "web-0@1");
}

TEST(ScaleDown, ParallelAllAtOnce) {
  World world;
  world.with(parallel);
  world.settle();
  scale(world, 0);
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("delete pod web-2 (scale-down)", "delete pod web-1 (scale-down)",
                                                 "delete pod web-0 (scale-down)"));
}

TEST(ScaleDown, TwoBrokenPodsDoNotBlockStrict) {
  World strict, kubernetes(kubernetes_1_37_rules());
  for (World* world : {&strict, &kubernetes}) {
    world->with();
    world->settle();
    scale(*world, 1);
    world->cluster.set_ready("web-1", false);
    world->cluster.set_ready("web-2", false);
    world->sync();
  }
  EXPECT_THAT(strict.calls_of("pod"), ElementsAre("delete pod web-2 (scale-down)"));
  EXPECT_THAT(kubernetes.calls_of("pod"), IsEmpty());
}

TEST(ScaleDown, PodsBelowANewStartGoToo) {
  World world;
  world.with();
  world.settle();
  world.edit([](StatefulSetSpec& spec) { spec.ordinals_start = 2; });
  world.settle();
  EXPECT_EQ(world.pods(), "web-2@1 web-3@1 web-4@1");
}

// --- claims ------------------------------------------------------------------------------------------------------------

World::Edit retaining(Retention deleted, Retention scaled) {
  return [=](StatefulSetSpec& spec) {
    with_claim(spec);
    spec.retention = RetentionPolicy{deleted, scaled};
  };
}

TEST(Claims, ComeBeforeTheirPodAndStayWhenItGoes) {
  World world;
  world.with(with_claim);
  world.sync();
  EXPECT_THAT(world.calls, ElementsAre(HasSubstr("create revision"), "create claim data-web-0 (provide-claim)",
                                       "create pod web-0 (create-pod)", "update-status web (write-status)"));
  world.settle();
  scale(world, 1);
  world.settle();
  EXPECT_EQ(world.pods(), "web-0@1");
  EXPECT_EQ(world.cluster.claims().live().size(), 3u);
  EXPECT_EQ(world.cluster.claims().find("data-web-2")->meta.owners, nullptr);
}

TEST(Claims, OfPendingPodsAreRestored) {
  World world;
  world.with(with_claim);
  world.sync();
  world.cluster.delete_claim("data-web-0");
  world.cluster.collect();
  world.sync();
  EXPECT_THAT(world.calls_of("claim"), ElementsAre("create claim data-web-0 (restore-claim)"));
}

TEST(Claims, ThatAreBeingDeletedHoldTheirPodBack) {
  World world;
  world.with(with_claim);
  Claim dying = claim("data-web-0");
  dying.meta.finalizers = finalizers({"example.com/held"});
  world.cluster.create_claim(dying);
  world.cluster.delete_claim("data-web-0");
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls_of("pod"), IsEmpty());
  EXPECT_THAT(world.calls, Contains("update-status web (write-status)"));
}

TEST(Claims, BelongToTheSetWhenItsDeletionIsToTakeThem) {
  World world;
  world.with(retaining(Retention::remove, Retention::retain));
  world.settle();
  for (const Claim* held : world.cluster.claims().live().all())
    EXPECT_EQ(*held->meta.owners, Owners{owner(world.live())});
  world.edit([](StatefulSetSpec& spec) { spec.retention = RetentionPolicy{}; });
  world.settle();
  for (const Claim* held : world.cluster.claims().live().all())
    EXPECT_TRUE(!held->meta.owners || held->meta.owners->empty());
}

TEST(Claims, OfAllCondemnedPodsAreMarkedBeforeTheFirstGoes) {
  World world;
  world.with(retaining(Retention::retain, Retention::remove));
  world.settle();
  scale(world, 1);
  world.sync();
  EXPECT_THAT(world.calls,
              ElementsAre("update claim data-web-2 (retain-claim)", "update claim data-web-1 (retain-claim)",
                          "delete pod web-2 (scale-down)", "update-status web (write-status)"));
  world.settle();
  EXPECT_EQ(world.cluster.claims().live().size(), 1u);
}

TEST(Claims, OfAnEarlierPodAreWaitedFor) {
  World world;
  world.with(retaining(Retention::retain, Retention::remove));
  world.settle();
  scale(world, 2);
  world.sync();
  world.cluster.finish_termination("web-2");
  scale(world, 3);
  EXPECT_EQ(world.sync().requeue_after, Time::seconds(1));
  EXPECT_THAT(world.calls_of("pod"), IsEmpty());
  EXPECT_THAT(world.calls_of("claim"), IsEmpty());
  world.settle();
  EXPECT_EQ(world.pods(), "web-0@1 web-1@1 web-2@1");
}

// --- updates -----------------------------------------------------------------------------------------------------------

TEST(Update, FromTheHighestOrdinalOneAtATime) {
  World world;
  world.with();
  world.settle();
  world.image("web:2");
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("delete pod web-2 (update-pod)"));
  EXPECT_EQ(world.status().current_replicas, 2);
  world.settle();
  EXPECT_EQ(world.pods(), "web-0@2 web-1@2 web-2@2");
  EXPECT_EQ(world.status().current_revision, world.status().update_revision);
  EXPECT_EQ(world.status().current_replicas, 3);
}

TEST(Update, PartitionHoldsBackAndDecidesWhatARecreatedPodGets) {
  World world;
  world.with([](StatefulSetSpec& spec) { spec.rolling_update = RollingUpdate{2, {}}; });
  world.settle();
  world.image("web:2");
  world.settle();
  EXPECT_EQ(world.pods(), "web-0@1 web-1@1 web-2@2");
  world.cluster.delete_pod("web-0", 0);
  world.settle();
  EXPECT_EQ(world.pods(), "web-0@1 web-1@1 web-2@2");
  EXPECT_NE(world.status().current_revision, world.status().update_revision);
}

TEST(Update, TwoAtATimeInOrder) {
  World world;
  world.with([](StatefulSetSpec& spec) {
    spec.replicas = 5;
    spec.rolling_update = RollingUpdate{0, IntOrPercent{2, false}};
  });
  world.settle();
  world.image("web:2");
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("delete pod web-4 (update-pod)", "delete pod web-3 (update-pod)"));
  world.cluster.run_kubelets();
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("create pod web-3 (create-pod)"));
}

TEST(Update, OnDeleteLeavesItToUsersAndCompletesSince137) {
  World strict, kubernetes(kubernetes_1_37_rules()), older(find_release("kubernetes-1.36")->rules);
  for (World* world : {&strict, &kubernetes, &older}) {
    world->with([](StatefulSetSpec& spec) {
      spec.strategy = Strategy::on_delete;
      spec.replicas = 1;
    });
    world->settle();
    world->image("web:2");
    world->settle();
    EXPECT_EQ(world->pods(), "web-0@1");
    world->cluster.delete_pod("web-0", 0);
    world->settle();
    EXPECT_EQ(world->pods(), "web-0@2");
  }
  EXPECT_EQ(strict.status().current_revision, strict.status().update_revision);
  EXPECT_EQ(kubernetes.status().current_revision, kubernetes.status().update_revision);
  EXPECT_NE(older.status().current_revision, older.status().update_revision);
}

TEST(Update, RecreateStopsAllThenStartsAgain) {
  World world;
  world.with([](StatefulSetSpec& spec) { spec.strategy = Strategy::recreate; });
  world.settle();
  world.image("web:2");
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("delete pod web-0 (recreate-pod)", "delete pod web-1 (recreate-pod)",
                                                 "delete pod web-2 (recreate-pod)"));
  world.cluster.finish_termination("web-0");
  world.sync();
  EXPECT_THAT(world.calls_of("pod"), IsEmpty()) << "two old pods are left";
  world.settle();
  EXPECT_EQ(world.pods(), "web-0@2 web-1@2 web-2@2");
}

TEST(Update, BadTemplateIsLeftBehindByStrictOnly) {
  World strict, kubernetes(kubernetes_1_37_rules());
  for (World* world : {&strict, &kubernetes}) {
    world->with();
    world->settle();
    world->image("web:2-unready");
    world->settle(20);
    EXPECT_EQ(world->pods(), "web-0@1 web-1@1 web-2@2-unready*");
    world->image("web:3");
    world->settle(20);
  }
  EXPECT_EQ(strict.pods(), "web-0@3 web-1@3 web-2@3");
  EXPECT_EQ(kubernetes.pods(), "web-0@1 web-1@1 web-2@2-unready*");
}

TEST(Update, RollbackBumpsTheOldRevision) {
  World world;
  world.with();
  world.settle();
  const Text first = world.status().update_revision;
  world.image("web:2");
  world.settle();
  world.image("web:1");
  world.sync();
  EXPECT_THAT(world.calls_of("revision"), ElementsAre("update revision " + first.str() + " (bump-revision)"));
  world.settle();
  EXPECT_EQ(world.status().current_revision, first);
  EXPECT_EQ(world.cluster.revisions().find(first)->number, 3);
  EXPECT_EQ(world.cluster.revisions().live().size(), 2u);
}

// --- revisions ---------------------------------------------------------------------------------------------------------

TEST(Collision, IsCountedAndRenamed) {
  World strict, kubernetes(kubernetes_1_37_rules());
  for (World* world : {&strict, &kubernetes}) {
    world->with();
    const std::uint32_t hash = world->live().spec->pod_template->patch_hash;
    world->cluster.create_revision(revision(revision_name("web", revision_suffix(hash, 0)), "{\"other\":1}"));
    world->sync();
    EXPECT_EQ(world->status().collision_count, 1);
    const Text renamed = revision_name("web", revision_suffix(hash, 1));
    EXPECT_EQ(world->status().update_revision, renamed);
    EXPECT_EQ(*world->cluster.revisions().find(renamed)->meta.label(label_revision_hash), revision_suffix(hash, 0))
        << "the label keeps the hash of the first name";
    world->settle();
    EXPECT_FALSE(world->result.failed);
  }
}

TEST(Collision, WithTheSameDataIsReused) {
  World world;
  world.with();
  const auto& pod_template = *world.live().spec->pod_template;
  Revision held = revision(revision_name("web", revision_suffix(pod_template.patch_hash, 0)), *pod_template.patch);
  held.data.decoded = world.live().spec->pod_template;
  held.meta.labels = labels({{"app", "web"}});
  world.before_call = [&](std::size_t call) {  // it appears when the controller has looked already
    if (call == 1) world.cluster.create_revision(held);
  };
  world.sync();
  EXPECT_THAT(world.calls_of("revision"), SizeIs(2));
  EXPECT_EQ(world.status().update_revision, held.meta.name);
  EXPECT_EQ(world.status().collision_count, 0);
}

TEST(Collision, WithOneThatIsAnothersByNowIsNotPruned) {
  World world;
  world.with([](StatefulSetSpec& spec) { spec.replicas = 0, spec.revision_history_limit = 0; });
  const std::uint32_t hash = world.live().spec->pod_template->patch_hash;
  Revision held = revision(revision_name("web", revision_suffix(hash, 0)), "{\"other\":1}");
  held.meta.labels = labels({{"app", "web"}});
  world.cluster.create_revision(held);
  world.before_call = [&](std::size_t call) {  // the set was confirmed, the revision adopted, the new one not created
    if (call != 3) return;
    Revision taken = *world.cluster.revisions().find(held.meta.name);
    taken.meta.owners = std::make_shared<const Owners>(Owners{stranger(true)});
    world.cluster.edit_revision(std::move(taken));
  };
  world.sync();
  EXPECT_FALSE(world.result.failed);
  EXPECT_NE(world.cluster.revisions().find(held.meta.name), nullptr);
}

TEST(History, KeepsTheLimitAndWhatIsInUse) {
  World world;
  world.with([](StatefulSetSpec& spec) { spec.revision_history_limit = 1; });
  for (const char* image : {"web:2", "web:3", "web:4"}) {
    world.settle();
    world.image(image);
  }
  world.settle();
  EXPECT_EQ(world.cluster.revisions().live().size(), 2u);
  world.edit([](StatefulSetSpec& spec) { spec.revision_history_limit = -1; });
  world.image("web:5");
  world.settle();
  EXPECT_EQ(world.cluster.revisions().live().size(), 3u);
}

TEST(History, WithALimitOfZeroKeepsWhatPodsAreAt) {
  World world;
  world.with([](StatefulSetSpec& spec) {
    spec.revision_history_limit = 0;
    spec.rolling_update = RollingUpdate{1, {}};
  });
  world.settle();
  world.image("web:2");
  world.settle();
  EXPECT_EQ(world.cluster.revisions().live().size(), 2u);
  world.edit([](StatefulSetSpec& spec) { spec.rolling_update = RollingUpdate{0, {}}; });
  world.settle();
  EXPECT_EQ(world.cluster.revisions().live().size(), 1u);
}

// --- a set that goes or is gone ----------------------------------------------------------------------------------------

TEST(Deleting, MakesNoWorkAndInStrictNoRevision) {
  World strict, kubernetes(kubernetes_1_37_rules());
  for (World* world : {&strict, &kubernetes}) {
    world->with();
    world->settle();
    world->image("web:2");
    world->cluster.finish_pod("web-0", Phase::failed);
    world->cluster.delete_set("web", Propagation::foreground);
    world->sync();
    EXPECT_THAT(world->calls_of("pod"), IsEmpty());
    EXPECT_EQ(world->status().ready_replicas, 2);
    EXPECT_EQ(world->status().replicas, 3);
  }
  EXPECT_THAT(strict.calls_of("revision"), IsEmpty());
  EXPECT_THAT(kubernetes.calls_of("revision"), SizeIs(1));
}

TEST(Deleting, StillAsksToBeCalledWhenAPodWillBeAvailable) {
  World world;
  world.with([](StatefulSetSpec& spec) { spec.replicas = 1, spec.min_ready_seconds = 10; });
  world.sync();
  world.cluster.run_kubelets();
  world.cluster.run_kubelets();
  world.cluster.delete_set("web", Propagation::foreground);
  EXPECT_EQ(world.sync().requeue_after, Time::seconds(10));
}

TEST(Absent, MakesNoCall) {
  World world;
  EXPECT_FALSE(world.sync().failed);
  EXPECT_THAT(world.calls, IsEmpty());
}

TEST(Selector, ThatCannotBeReadMakesNoCall) {
  World world;
  world.with();
  StatefulSet unreadable = world.live();
  StatefulSetSpec spec = *unreadable.spec;
  spec.selector.match_expressions = {{"app", SelectorRequirement::Operator::in, {}}};
  unreadable.spec = std::make_shared<const StatefulSetSpec>(spec);
  world.shown = &unreadable;
  EXPECT_FALSE(world.sync().failed);
  EXPECT_THAT(world.calls, IsEmpty());
}

// --- repair ------------------------------------------------------------------------------------------------------------

TEST(Repair, GivesALostNameLabelBack) {
  World world;
  world.with();
  world.settle();
  Pod edited = *world.cluster.pods().find("web-1");
  StringMap without = *edited.meta.labels;
  without.erase(label_pod_name);
  edited.meta.labels = std::make_shared<const StringMap>(without);
  world.cluster.edit_pod(edited);
  world.sync();
  EXPECT_THAT(world.calls, ElementsAre("update pod web-1 (repair-pod)"));
  EXPECT_TRUE(world.cluster.pods().find("web-1")->meta.labels->has(label_pod_name, "web-1"));
}

TEST(Repair, ForClaimsWritesThePodInKubernetesOnly) {
  World strict, kubernetes(kubernetes_1_37_rules());
  for (World* world : {&strict, &kubernetes}) {
    world->with(retaining(Retention::remove, Retention::retain));
    world->settle();
    Claim edited = *world->cluster.claims().find("data-web-0");
    edited.meta.owners.reset();
    world->cluster.edit_claim(edited);
    world->sync();
  }
  EXPECT_THAT(strict.calls, ElementsAre("update claim data-web-0 (retain-claim)"));
  EXPECT_THAT(kubernetes.calls, ElementsAre("update claim data-web-0 (retain-claim)", "update pod web-0 (repair-pod)"));
}

// --- counters ----------------------------------------------------------------------------------------------------------

TEST(CurrentReplicas, GoesBelowZeroInKubernetesOnly) {  // kubernetes/kubernetes#75498
  World strict, kubernetes(kubernetes_1_37_rules());
  for (World* world : {&strict, &kubernetes}) {
    world->with([](StatefulSetSpec& spec) {
      parallel(spec);
      spec.replicas = 1;
    });
    world->settle();
    world->image("web:2-unready");
    world->settle(20);
    world->image("web:3");
    world->sync();
    EXPECT_THAT(world->calls_of("pod"), ElementsAre("delete pod web-0 (replace-broken)"));
  }
  EXPECT_FALSE(strict.result.failed);
  EXPECT_EQ(kubernetes.requests.back().status().current_replicas, -1);
  EXPECT_TRUE(kubernetes.result.failed);
}

// --- deletes, and what is remembered -----------------------------------------------------------------------------------

TEST(Deletes, NameTheIncarnationInStrictOnly) {
  World strict, kubernetes(kubernetes_1_37_rules());
  for (World* world : {&strict, &kubernetes}) {
    world->with();
    world->settle();
    scale(*world, 2);
    world->sync();
  }
  EXPECT_EQ(strict.requests[0].uid, strict.cluster.pods().find("web-2")->meta.uid);
  EXPECT_EQ(kubernetes.requests[0].uid, Uid::none);
}

TEST(OwnWrites, AreWaitedForUntilARestart) {
  World world;
  world.with();
  world.sync();
  world.reached = Version::none;
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls, IsEmpty());
  world.controller->restart();
  EXPECT_FALSE(world.sync().failed);
  EXPECT_THAT(world.calls, SizeIs(1));

  World unguarded(strict_rules(), {.stale_guard = false});
  unguarded.with();
  unguarded.sync();
  unguarded.reached = Version::none;
  EXPECT_FALSE(unguarded.sync().failed);
}

TEST(OwnWrites, OfASetThatIsGoneAreForgotten) {
  World world;
  world.with();
  world.sync();
  world.cluster.delete_set("web", Propagation::background);
  world.sync();
  world.reached = Version::none;
  world.with();
  world.sync();
  EXPECT_THAT(world.calls, testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace ordeal::test
