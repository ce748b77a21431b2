// How objects go: with grace, by force, held by finalizers, with their owners, after their users.
#include <gtest/gtest.h>

#include <limits>

#include "core/cluster/test_objects.h"

namespace ordeal {
namespace {

class DeletionTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cluster_.create_set(test::set()), Code::ok); }

  const StatefulSet* set() const { return cluster_.sets().find("web"); }
  const Pod* pod(const Text& name = "web-0") const { return cluster_.pods().find(name); }
  const Claim* claim(const Text& name = "data-web-0") const { return cluster_.claims().find(name); }
  const Revision* revision(const Text& name = "web-r1") const { return cluster_.revisions().find(name); }
  bool runs(const Text& name) const { return cluster_.kubelets().instances(name) > 0; }

  Pod owned_pod(const Text& name = "web-0") { return test::owned_by(test::pod(name), {test::owner(*set())}); }
  void give_dependents() {
    test::run(cluster_, owned_pod());
    cluster_.create_claim(test::owned_by(test::claim("data-web-0"), {test::owner(*set())}));
    cluster_.create_revision(test::owned_by(test::revision("web-r1"), {test::owner(*set())}));
  }
  Reply remove(Kind kind, const Text& name, Uid uid = Uid::none, Version version = Version::none) {
    Request asked;
    asked.verb = Verb::remove;
    asked.kind = kind;
    asked.name = name;
    asked.uid = uid;
    asked.version = version;
    return cluster_.handle(asked);
  }
  void remove(Propagation propagation) {
    cluster_.handle({.verb = Verb::remove, .kind = Kind::pod, .name = "web-0", .propagation = propagation});
  }

  Cluster cluster_;
};

// --- pods ----------------------------------------------------------------------------------------------------------

TEST_F(DeletionTest, ARunningPodIsMarkedAndGoesWhenItsProcessEnded) {
  test::run(cluster_, test::pod("web-0"));
  cluster_.advance({1'500});
  const Uid uid = pod()->meta.uid;
  const Reply reply = remove(Kind::pod, "web-0");
  EXPECT_EQ(reply.as<Pod>(), pod());
  EXPECT_EQ(pod()->meta.deletion, Time::seconds(31)) << "now and the 30 s of its template";
  EXPECT_TRUE(cluster_.kubelets().runs(uid));
  EXPECT_TRUE(cluster_.finish_termination("web-0"));
  EXPECT_EQ(pod(), nullptr);
  EXPECT_FALSE(cluster_.kubelets().runs(uid));
  EXPECT_EQ(cluster_.pods().log().back().after, nullptr);
  EXPECT_GT(cluster_.pods().log().back().version, reply.as<Pod>()->meta.version);
}

TEST_F(DeletionTest, TheRequestsGraceGoesBeforeTheTemplates) {
  test::run(cluster_, test::pod("web-0"));
  cluster_.delete_pod("web-0", 5);
  EXPECT_EQ(pod()->meta.deletion, Time::seconds(5));
}

TEST_F(DeletionTest, OddGracePeriodsAreMadeBearable) {
  const struct {
    std::int64_t grace, seconds;
  } cases[] = {{-1, 1},
               {std::numeric_limits<std::int64_t>::min(), 1},
               {std::numeric_limits<std::int64_t>::max(), std::int64_t{1} << 53}};
  for (const auto& [grace, seconds] : cases) {
    Cluster cluster;
    cluster.create_set(test::set());
    test::run(cluster, test::pod("web-0"));
    cluster.delete_pod("web-0", grace);
    EXPECT_EQ(cluster.pods().find("web-0")->meta.deletion, Time::seconds(seconds)) << grace;
  }
}

TEST_F(DeletionTest, ASecondDeleteChangesNothing) {
  test::run(cluster_, test::pod("web-0"));
  cluster_.delete_pod("web-0");
  const Version marked = pod()->meta.version;
  cluster_.advance(Time::seconds(3));
  EXPECT_EQ(cluster_.delete_pod("web-0"), Code::ok);
  EXPECT_EQ(pod()->meta.version, marked);
  cluster_.finish_termination("web-0");
  EXPECT_EQ(cluster_.delete_pod("web-0"), Code::not_found);
}

TEST_F(DeletionTest, ForceRemovesTheObjectAndLeavesTheProcess) {
  for (const bool terminating : {false, true}) {
    test::run(cluster_, test::pod("web-0"));
    const Uid uid = pod()->meta.uid;
    if (terminating) cluster_.delete_pod("web-0");
    EXPECT_EQ(cluster_.delete_pod("web-0", 0), Code::ok);
    EXPECT_EQ(pod(), nullptr);
    EXPECT_TRUE(cluster_.kubelets().runs(uid));
  }
}

TEST_F(DeletionTest, PodsWithoutAProcessGoAtOnce) {
  cluster_.create_pod(test::pod("web-0"));
  EXPECT_EQ(remove(Kind::pod, "web-0").as<Pod>()->meta.name, "web-0");
  EXPECT_EQ(pod(), nullptr);
  for (const Phase phase : {Phase::failed, Phase::succeeded}) {
    test::run(cluster_, test::pod("web-0"));
    cluster_.finish_pod("web-0", phase);
    cluster_.delete_pod("web-0");
    EXPECT_EQ(pod(), nullptr);
  }
}

TEST_F(DeletionTest, AMarkedPodThatEndsByItselfGoes) {
  test::run(cluster_, test::pod("web-0"));
  cluster_.delete_pod("web-0");
  EXPECT_TRUE(cluster_.finish_pod("web-0", Phase::failed));
  EXPECT_EQ(pod(), nullptr);
}

TEST_F(DeletionTest, ThePodCollectorDeletesWhatItDeclaredFailed) {
  test::run(cluster_, test::pod("web-0"));
  test::run(cluster_, test::pod("web-1"));
  cluster_.finish_pod("web-0", Phase::failed, Readiness::left);
  cluster_.finish_pod("web-1", Phase::failed);
  cluster_.collect();
  EXPECT_EQ(pod("web-0"), nullptr);
  EXPECT_NE(pod("web-1"), nullptr) << "its kubelet told of it: it is left for whoever made it";
}

TEST_F(DeletionTest, PreconditionsProtectASuccessor) {
  test::run(cluster_, test::pod("web-0"));
  const Uid uid = pod()->meta.uid;
  const Version version = pod()->meta.version;
  EXPECT_EQ(remove(Kind::pod, "web-0", Uid{999}).code, Code::conflict);
  EXPECT_EQ(remove(Kind::pod, "web-0", uid, Version{999}).code, Code::conflict);
  EXPECT_FALSE(pod()->meta.terminating());
  EXPECT_EQ(remove(Kind::pod, "web-0", uid, version).code, Code::ok);
  EXPECT_EQ(remove(Kind::pod, "web-9", uid).code, Code::not_found);
}

TEST_F(DeletionTest, FinalizersHoldAPod) {
  for (const bool forced : {false, true}) {
    Pod held = test::pod("web-0");
    held.meta.finalizers = test::finalizers({"example.com/keep"});
    test::run(cluster_, held);
    cluster_.delete_pod("web-0", forced ? std::optional<std::int64_t>(0) : std::nullopt);
    ASSERT_TRUE(pod()->meta.terminating());
    EXPECT_TRUE(cluster_.finish_termination("web-0"));
    EXPECT_FALSE(runs("web-0"));
    ASSERT_NE(pod(), nullptr);
    EXPECT_EQ(pod()->phase, Phase::succeeded);
    EXPECT_FALSE(pod()->ready);
    EXPECT_FALSE(cluster_.finish_termination("web-0")) << "its process has ended already";
    Pod edited = *pod();
    edited.meta.finalizers = test::finalizers({"example.com/keep", "example.com/another"});
    EXPECT_EQ(cluster_.edit_pod(edited), Code::invalid) << "it takes no new finalizers";
    edited.meta.finalizers.reset();
    EXPECT_EQ(cluster_.edit_pod(edited), Code::ok);
    EXPECT_EQ(pod(), nullptr);
  }
}

TEST_F(DeletionTest, WithoutItsFinalizersARunningPodStillHasToEnd) {
  Pod held = test::pod("web-0");
  held.meta.finalizers = test::finalizers({"example.com/keep"});
  test::run(cluster_, held);
  cluster_.delete_pod("web-0");
  Pod edited = *pod();
  edited.meta.finalizers.reset();
  cluster_.edit_pod(edited);
  ASSERT_NE(pod(), nullptr);
  cluster_.finish_termination("web-0");
  EXPECT_EQ(pod(), nullptr);
}

TEST_F(DeletionTest, AHeldPodThatNeverRanGoesWithItsFinalizers) {
  Pod held = test::pod("web-0");
  held.meta.finalizers = test::finalizers({"example.com/keep"});
  cluster_.create_pod(held);
  cluster_.advance(Time::seconds(2));
  cluster_.delete_pod("web-0");
  EXPECT_EQ(pod()->meta.deletion, Time::seconds(2)) << "nothing to wait for";
  EXPECT_EQ(cluster_.create_pod(test::pod("web-0")), Code::already_exists);
  Pod edited = *pod();
  edited.meta.finalizers.reset();
  cluster_.edit_pod(edited);
  EXPECT_EQ(pod(), nullptr);
}

// --- claims and revisions ------------------------------------------------------------------------------------------

TEST_F(DeletionTest, AClaimStaysWhileARunningPodUsesIt) {
  cluster_.create_claim(test::claim("data-web-0"));
  test::run(cluster_, test::pod_on("web-0", "data-web-0"));
  EXPECT_EQ(cluster_.delete_claim("data-web-0"), Code::ok);
  ASSERT_TRUE(claim()->meta.terminating());
  const Version marked = claim()->meta.version;
  EXPECT_EQ(cluster_.delete_claim("data-web-0"), Code::ok);
  EXPECT_EQ(claim()->meta.version, marked);
  cluster_.delete_pod("web-0");
  EXPECT_EQ(cluster_.collect(), 0u) << "the pod still runs";
  cluster_.finish_termination("web-0");
  EXPECT_NE(claim(), nullptr);
  EXPECT_EQ(cluster_.collect(), 1u);
  EXPECT_EQ(claim(), nullptr);
}

TEST_F(DeletionTest, WhoProtectsAClaim) {
  const struct {
    const char* what;
    Phase phase;
    const char* mounts;
    bool is_protected;
  } table[] = {
      {"a pod that runs", Phase::running, "data-web-0", true},
      {"a pod that has not started", Phase::pending, "data-web-0", false},
      {"a failed pod", Phase::failed, "data-web-0", true},
      {"a succeeded pod", Phase::succeeded, "data-web-0", true},
      {"a pod with another claim", Phase::running, "data-web-1", false},
  };
  for (const auto& row : table) {
    cluster_.reset();
    cluster_.create_claim(test::claim("data-web-0"));
    cluster_.create_claim(test::claim("data-web-1"));
    cluster_.create_pod(test::pod_on("web-0", row.mounts));
    if (row.phase != Phase::pending) cluster_.start_pod("web-0");
    cluster_.finish_pod("web-0", row.phase);
    ASSERT_EQ(pod()->phase, row.phase);
    cluster_.delete_claim("data-web-0");
    ASSERT_TRUE(claim()->meta.terminating()) << "each is protected until somebody has looked";
    cluster_.collect();
    EXPECT_EQ(claim() != nullptr, row.is_protected) << row.what;
  }
}

TEST_F(DeletionTest, APodThatEndedProtectsItsClaimsUntilItIsGone) {
  cluster_.create_claim(test::claim("data-web-0"));
  test::run(cluster_, test::pod_on("web-0", "data-web-0"));
  cluster_.delete_claim("data-web-0");
  cluster_.finish_pod("web-0", Phase::failed);
  EXPECT_EQ(cluster_.collect(), 0u);
  EXPECT_NE(claim(), nullptr);
  cluster_.delete_pod("web-0");
  EXPECT_EQ(pod(), nullptr);
  EXPECT_EQ(cluster_.collect(), 1u);
  EXPECT_EQ(claim(), nullptr);
}

TEST_F(DeletionTest, WithoutItsFinalizersAClaimInUseStillStays) {
  Claim held = test::claim("data-web-0");
  held.meta.finalizers = test::finalizers({"example.com/keep"});
  cluster_.create_claim(held);
  test::run(cluster_, test::pod_on("web-0", "data-web-0"));
  cluster_.delete_claim("data-web-0");
  held.meta.finalizers.reset();
  EXPECT_EQ(cluster_.edit_claim(held), Code::ok);
  EXPECT_NE(claim(), nullptr);
}

TEST_F(DeletionTest, AControllerMayAskToRemoveAClaim) {
  cluster_.create_claim(test::claim("data-web-0"));
  const Reply reply = remove(Kind::claim, "data-web-0");
  ASSERT_TRUE(reply.ok());
  EXPECT_TRUE(reply.as<Claim>()->meta.terminating());
  EXPECT_EQ(cluster_.create_claim(test::claim("data-web-0")), Code::already_exists);
  EXPECT_EQ(cluster_.delete_claim("data-web-0"), Code::ok);
  EXPECT_EQ(cluster_.collect(), 1u);
  EXPECT_EQ(claim(), nullptr);
  EXPECT_EQ(cluster_.delete_claim("data-web-0"), Code::not_found);
}

TEST_F(DeletionTest, FinalizersHoldClaimsAndRevisions) {
  Claim data = test::claim("data-web-0");
  Revision first = test::revision("web-r1");
  data.meta.finalizers = first.meta.finalizers = test::finalizers({"example.com/keep"});
  cluster_.create_claim(data);
  cluster_.create_revision(first);
  cluster_.delete_claim("data-web-0");
  remove(Kind::revision, "web-r1");
  ASSERT_TRUE(claim()->meta.terminating());
  ASSERT_TRUE(revision()->meta.terminating());
  EXPECT_EQ(cluster_.collect(), 0u);
  data.meta.finalizers = first.meta.finalizers = nullptr;
  cluster_.edit_claim(data);
  cluster_.edit_revision(first);
  EXPECT_EQ(revision(), nullptr);
  EXPECT_NE(claim(), nullptr) << "its protection is the collector's";
  EXPECT_EQ(cluster_.collect(), 1u);
  EXPECT_EQ(claim(), nullptr);
}

TEST_F(DeletionTest, ARevisionGoesAtOnce) {
  cluster_.create_revision(test::revision("web-r1"));
  EXPECT_EQ(cluster_.delete_revision("web-r1"), Code::ok);
  EXPECT_EQ(revision(), nullptr);
  EXPECT_EQ(cluster_.delete_revision("web-r1"), Code::not_found);
}

// --- sets ----------------------------------------------------------------------------------------------------------

TEST_F(DeletionTest, InTheBackgroundTheSetGoesFirst) {
  give_dependents();
  EXPECT_EQ(cluster_.delete_set("web", Propagation::background), Code::ok);
  EXPECT_EQ(set(), nullptr);
  EXPECT_NE(pod(), nullptr);
  EXPECT_EQ(cluster_.collect(), 3u);
  EXPECT_TRUE(pod()->meta.terminating());
  EXPECT_TRUE(claim()->meta.terminating());
  EXPECT_EQ(revision(), nullptr);
  EXPECT_EQ(cluster_.collect(), 1u) << "the claim has lost its protection";
  EXPECT_EQ(claim(), nullptr);
  EXPECT_EQ(cluster_.collect(), 0u) << "what is terminating is left alone";
  EXPECT_EQ(cluster_.delete_set("web", Propagation::background), Code::not_found);
}

TEST_F(DeletionTest, ARoundMayStopHalfWay) {
  give_dependents();
  cluster_.delete_set("web", Propagation::background);
  EXPECT_EQ(cluster_.collect(1), 1u);
  EXPECT_TRUE(pod()->meta.terminating());
  EXPECT_FALSE(claim()->meta.terminating());
  EXPECT_EQ(cluster_.collect(1), 1u);
  EXPECT_TRUE(claim()->meta.terminating());
  EXPECT_NE(revision(), nullptr);
  EXPECT_EQ(cluster_.collect(2), 2u) << "the claim's protection, then the revision";
  EXPECT_EQ(claim(), nullptr);
  EXPECT_EQ(revision(), nullptr);
  EXPECT_EQ(cluster_.collect(1), 0u);
}

TEST_F(DeletionTest, ASetIsOrphaningUntilAllDependentsAreLeft) {
  give_dependents();
  cluster_.delete_set("web", Propagation::orphan);
  for (int dependents = 3; dependents > 0; --dependents) {
    EXPECT_EQ(cluster_.collect(1), 1u);
    ASSERT_NE(set(), nullptr) << dependents;
  }
  EXPECT_EQ(pod()->meta.controller(), nullptr);
  EXPECT_EQ(revision()->meta.controller(), nullptr);
  EXPECT_EQ(cluster_.collect(1), 1u);
  EXPECT_EQ(set(), nullptr);
}

TEST_F(DeletionTest, InTheForegroundTheSetWaitsForItsDependents) {
  give_dependents();
  EXPECT_EQ(cluster_.delete_set("web", Propagation::foreground), Code::ok);
  ASSERT_TRUE(set()->meta.terminating());
  EXPECT_EQ(set()->meta.generation, 2);
  const Version marked = set()->meta.version;
  EXPECT_EQ(cluster_.delete_set("web", Propagation::foreground), Code::ok);
  EXPECT_EQ(set()->meta.version, marked);
  EXPECT_EQ(cluster_.create_set(test::set()), Code::already_exists);
  cluster_.collect();
  EXPECT_TRUE(pod()->meta.terminating());
  ASSERT_NE(set(), nullptr) << "its pod still runs";
  cluster_.finish_termination("web-0");
  cluster_.collect();
  EXPECT_EQ(set(), nullptr);
}

TEST_F(DeletionTest, ClaimsInUseAndHeldRevisionsKeepASetInTheForegroundToo) {
  cluster_.create_claim(test::owned_by(test::claim("data-web-0"), {test::owner(*set())}));
  Revision held = test::owned_by(test::revision("web-r1"), {test::owner(*set())});
  held.meta.finalizers = test::finalizers({"example.com/keep"});
  cluster_.create_revision(held);
  test::run(cluster_, test::pod_on("other-0", "data-web-0"));
  cluster_.delete_set("web", Propagation::foreground);
  cluster_.collect();
  held.meta.finalizers.reset();
  cluster_.edit_revision(held);
  cluster_.collect();
  ASSERT_EQ(revision(), nullptr);
  EXPECT_NE(set(), nullptr) << "its claim is in use";
  cluster_.create_revision(test::owned_by(test::revision("web-r1"), {test::owner(*set())}));
  cluster_.delete_pod("other-0", 0);
  held.meta.finalizers = test::finalizers({"example.com/keep"});
  cluster_.edit_revision(held);
  cluster_.collect();
  ASSERT_EQ(claim(), nullptr);
  EXPECT_NE(set(), nullptr) << "its revision is held";
}

TEST_F(DeletionTest, OnlyBlockingDependentsKeepASetInTheForeground) {
  OwnerReference loose = test::owner(*set());
  loose.block_owner_deletion = false;
  test::run(cluster_, test::owned_by(test::pod("web-0"), {loose}));
  cluster_.delete_set("web", Propagation::foreground);
  cluster_.collect();
  EXPECT_EQ(set(), nullptr);
  EXPECT_TRUE(pod()->meta.terminating());
}

TEST_F(DeletionTest, OrphansLoseTheirOwnerAndStay) {
  give_dependents();
  cluster_.create_pod(test::owned_by(test::pod("web-1"), {test::stranger(), test::owner(*set())}));
  EXPECT_EQ(cluster_.delete_set("web", Propagation::orphan), Code::ok);
  ASSERT_TRUE(set()->meta.terminating());
  EXPECT_EQ(cluster_.collect(), 5u) << "four dependents and the set";
  EXPECT_EQ(set(), nullptr);
  EXPECT_EQ(pod()->meta.owners, nullptr);
  EXPECT_EQ(*pod("web-1")->meta.owners, Owners{test::stranger()});
  EXPECT_EQ(claim()->meta.owners, nullptr);
  EXPECT_EQ(revision()->meta.owners, nullptr);
  EXPECT_EQ(cluster_.collect(), 0u);
  EXPECT_FALSE(pod()->meta.terminating());
}

TEST_F(DeletionTest, APodMayOrphanItsClaims) {
  test::run(cluster_, owned_pod());
  cluster_.create_claim(test::owned_by(test::claim("data-web-0"), {test::owner(*pod())}));
  remove(Propagation::orphan);
  ASSERT_TRUE(pod()->meta.terminating());
  EXPECT_EQ(cluster_.collect(), 2u) << "its claim, and the finalizer of the pod";
  EXPECT_EQ(claim()->meta.owners, nullptr);
  ASSERT_NE(pod(), nullptr) << "it still runs";
  cluster_.finish_termination("web-0");
  EXPECT_EQ(pod(), nullptr);
  cluster_.collect();
  EXPECT_NE(claim(), nullptr);
}

TEST_F(DeletionTest, InTheForegroundAPodWaitsForItsClaims) {
  test::run(cluster_, owned_pod());
  Claim held = test::owned_by(test::claim("data-web-0"), {test::owner(*pod())});
  held.meta.finalizers = test::finalizers({"example.com/keep"});
  cluster_.create_claim(held);
  remove(Propagation::foreground);
  cluster_.finish_termination("web-0");
  cluster_.collect();
  EXPECT_TRUE(claim()->meta.terminating());
  ASSERT_NE(pod(), nullptr) << "its claim is held";
  held.meta.finalizers.reset();
  cluster_.edit_claim(held);
  cluster_.collect();
  EXPECT_EQ(claim(), nullptr);
  EXPECT_EQ(pod(), nullptr);
}

TEST_F(DeletionTest, AnEndedPodThatWaitsForTheCollectorGoesWhenItIsDeletedInTheBackground) {
  test::run(cluster_, owned_pod());
  remove(Propagation::orphan);
  cluster_.finish_termination("web-0");
  ASSERT_NE(pod(), nullptr);
  remove(Propagation::background);
  EXPECT_EQ(pod(), nullptr);
}

TEST_F(DeletionTest, TheNewerPropagationHolds) {
  give_dependents();
  cluster_.delete_set("web", Propagation::foreground);
  cluster_.delete_set("web", Propagation::orphan);
  cluster_.collect();
  EXPECT_EQ(set(), nullptr);
  EXPECT_FALSE(pod()->meta.terminating());
  cluster_.create_set(test::set());
  cluster_.delete_set("web", Propagation::orphan);
  cluster_.delete_set("web", Propagation::background);
  EXPECT_EQ(set(), nullptr);
}

TEST_F(DeletionTest, ASetsOwnFinalizersAreKept) {
  cluster_.reset();
  StatefulSet held = test::set();
  held.meta.finalizers = test::finalizers({"example.com/keep"});
  cluster_.create_set(held);
  cluster_.delete_set("web", Propagation::orphan);
  cluster_.collect();
  ASSERT_NE(set(), nullptr);
  EXPECT_EQ(*set()->meta.finalizers, std::vector<Text>{"example.com/keep"});
  EXPECT_EQ(cluster_.collect(), 0u);
}

TEST_F(DeletionTest, SeveralSetsGoInOneRound) {
  cluster_.create_set(test::set("xeb"));
  cluster_.delete_set("web", Propagation::foreground);
  cluster_.delete_set("xeb", Propagation::orphan);
  EXPECT_EQ(cluster_.collect(), 2u);
  EXPECT_EQ(cluster_.sets().live().size(), 0u);
}

TEST_F(DeletionTest, TheCollectorsFinalizerMeansNothingOnASetThatStays) {
  cluster_.reset();
  StatefulSet odd = test::set();
  odd.meta.finalizers = test::finalizers({finalizer_foreground});
  cluster_.create_set(odd);
  EXPECT_EQ(cluster_.collect(), 0u);
  give_dependents();
  EXPECT_EQ(cluster_.collect(), 0u);
}

// --- the collector -------------------------------------------------------------------------------------------------

TEST_F(DeletionTest, WhatTheCollectorMakesOfOwners) {
  const OwnerReference web = test::owner(*set());
  OwnerReference former = web, foreign_group = web;
  former.uid = Uid{999};
  former.controller = false;
  foreign_group.uid = Uid{999};
  foreign_group.api_version = "apps.example.com/v1";
  const struct {
    const char* what;
    Owners owners, left;
    bool stays;
  } table[] = {
      {"no owner", {}, {}, true},
      {"a set that is there", {web}, {web}, true},
      {"a former set of that name", {former}, {}, false},
      {"somebody unknown", {test::stranger()}, {test::stranger()}, true},
      {"a set of another group", {foreign_group}, {foreign_group}, true},
      {"one there, one gone", {former, web}, {web}, true},
      {"a pod that is gone", {{group_version_core, kind_pod, "web-7", Uid{888}, true, true}}, {}, false},
  };
  for (const auto& row : table) {
    cluster_.create_claim(test::owned_by(test::claim("data-web-0"), row.owners));
    const std::size_t touched = cluster_.collect();
    EXPECT_EQ(claim()->meta.terminating(), !row.stays) << row.what;
    EXPECT_EQ(touched, row.stays && row.left == row.owners ? 0u : 1u) << row.what;
    if (row.stays) EXPECT_EQ(*claim()->meta.owners, row.left) << row.what;
    cluster_.delete_claim("data-web-0");
    cluster_.collect();
  }
}

TEST_F(DeletionTest, AClaimOfAPodGoesAfterThePod) {
  test::run(cluster_, test::pod("web-0"));
  cluster_.create_claim(test::owned_by(test::claim("data-web-0"), {test::owner(*pod())}));
  EXPECT_EQ(cluster_.collect(), 0u);
  cluster_.delete_pod("web-0");
  EXPECT_EQ(cluster_.collect(), 0u) << "a terminating owner is still there";
  cluster_.finish_termination("web-0");
  cluster_.create_pod(test::pod("web-0"));  // the name alone does not own it
  EXPECT_EQ(cluster_.collect(), 1u);
  EXPECT_TRUE(claim()->meta.terminating());
  EXPECT_EQ(cluster_.collect(), 1u);
  EXPECT_EQ(claim(), nullptr);
}

TEST_F(DeletionTest, GarbageThatIsInUseStays) {
  cluster_.create_claim(test::owned_by(test::claim("data-web-0"), {test::owner(*set())}));
  test::run(cluster_, test::pod_on("web-0", "data-web-0"));
  cluster_.delete_set("web", Propagation::background);
  EXPECT_EQ(cluster_.collect(), 1u);
  ASSERT_TRUE(claim()->meta.terminating());
  EXPECT_EQ(cluster_.collect(), 0u);
}

TEST_F(DeletionTest, ManyGoInOneRoundInTheOrderOfTheirNames) {
  for (const char* name : {"web-2", "web-0", "web-1"}) cluster_.create_pod(owned_pod(name));
  const std::size_t before = cluster_.pods().log().size();
  cluster_.delete_set("web", Propagation::background);
  EXPECT_EQ(cluster_.collect(), 3u);
  EXPECT_EQ(cluster_.pods().live().size(), 0u);
  const auto gone = cluster_.pods().log().subspan(before);
  ASSERT_EQ(gone.size(), 3u);
  EXPECT_EQ(gone[0].before->meta.name, "web-0");
  EXPECT_EQ(gone[2].before->meta.name, "web-2");
}

}  // namespace
}  // namespace ordeal
