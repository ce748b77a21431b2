// Instances and what their kubelets report; what outlives an object and what ends it.
#include "core/cluster/kubelet.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/cluster/test_objects.h"

namespace ordeal {
namespace {

class KubeletTest : public testing::Test {
 protected:
  const Pod* pod(const Text& name = "web-0") const { return cluster_.pods().find(name); }
  const Kubelets& kubelets() const { return cluster_.kubelets(); }
  Cluster cluster_;
};

TEST(Behaviour, IsReadFromTheEndOfTheImage) {
  const struct {
    const char* image;
    Behaviour expected;
  } table[] = {
      {"web:1", Behaviour::ready},
      {"web:1-unready", Behaviour::unready},
      {"web:1-crashing", Behaviour::crashing},
      {"web:1-completing", Behaviour::completing},
      {"web:1-unstarted", Behaviour::unstarted},
      {"web:1-unpulled", Behaviour::unpulled},
      {"web-crashing:1", Behaviour::ready},
      {"", Behaviour::ready},
  };
  for (const auto& row : table) EXPECT_EQ(behaviour_of(row.image), row.expected) << row.image;
}

TEST(Kubelets, CountInstancesByNameAndKnowThemByUid) {
  Kubelets kubelets;
  kubelets.start("web-1", Uid{7});
  kubelets.start("web-0", Uid{9});
  kubelets.start("web-1", Uid{5});
  kubelets.start("web-10", Uid{6});
  EXPECT_EQ(kubelets.instances("web-1"), 2);
  EXPECT_EQ(kubelets.instances("web-10"), 1);
  EXPECT_EQ(kubelets.instances("web-2"), 0);
  kubelets.stop("web-1", Uid{7});
  for (const Uid unknown : {Uid{4}, Uid{6}, Uid{8}}) kubelets.stop("web-1", unknown);
  EXPECT_EQ(kubelets.instances("web-1"), 1);
  EXPECT_FALSE(kubelets.runs(Uid{7}));
  EXPECT_TRUE(kubelets.runs(Uid{5}));
  EXPECT_EQ(kubelets.running().size(), 3u);
}

TEST(Kubelets, StraysOnLostNodesGoOnUntilTheNodesAreBack) {
  Kubelets kubelets;
  kubelets.start("web-0", Uid{1});
  kubelets.start("web-1", Uid{2});
  kubelets.start("web-2", Uid{3});
  kubelets.lose("web-0", Uid{1});
  kubelets.note_object_gone("web-0", Uid{1});
  kubelets.note_object_gone("web-1", Uid{2});
  EXPECT_TRUE(kubelets.find("web-0", Uid{1})->on_lost_node);
  EXPECT_FALSE(kubelets.find("web-1", Uid{2})->on_lost_node);
  EXPECT_EQ(kubelets.stop_strays(), 1u);
  EXPECT_TRUE(kubelets.runs(Uid{1}));
  EXPECT_FALSE(kubelets.runs(Uid{2}));
  kubelets.recover();
  EXPECT_EQ(kubelets.stop_strays(), 1u);
  EXPECT_FALSE(kubelets.runs(Uid{1}));
  EXPECT_TRUE(kubelets.runs(Uid{3}));
}

TEST_F(KubeletTest, APodStartsOnceAndGetsANode) {
  EXPECT_FALSE(cluster_.start_pod("web-0"));
  cluster_.create_pod(test::pod("web-0"));
  EXPECT_FALSE(cluster_.set_ready("web-0", true)) << "it does not run yet";
  EXPECT_TRUE(cluster_.start_pod("web-0"));
  EXPECT_FALSE(cluster_.start_pod("web-0"));
  EXPECT_EQ(pod()->phase, Phase::running);
  EXPECT_FALSE(pod()->ready);
  EXPECT_FALSE(pod()->node.empty());
  EXPECT_EQ(kubelets().instances("web-0"), 1);
}

TEST_F(KubeletTest, AMissingOrTerminatingClaimHoldsAPod) {
  cluster_.create_pod(test::pod_on("web-0", "data-web-0"));
  EXPECT_FALSE(cluster_.start_pod("web-0"));
  Claim held = test::claim("data-web-0");
  held.meta.finalizers = test::finalizers({"example.com/keep"});
  cluster_.create_claim(held);
  cluster_.delete_claim("data-web-0");
  EXPECT_FALSE(cluster_.start_pod("web-0"));
  EXPECT_EQ(pod()->phase, Phase::pending);
  held.meta.finalizers.reset();
  cluster_.edit_claim(held);
  cluster_.collect();
  cluster_.create_claim(test::claim("data-web-0"));
  EXPECT_TRUE(cluster_.start_pod("web-0"));
}

TEST_F(KubeletTest, AClaimMayWaitForItsPodToBeBound) {
  const auto claim = [&] { return cluster_.claims().find("data-web-0"); };
  cluster_.create_claim(test::claim("data-web-0"));
  EXPECT_EQ(claim()->phase, ClaimPhase::none) << "of most clusters nobody tells";
  cluster_.reset({}, {.binds_late = true});
  cluster_.create_claim(test::claim("data-web-0"));
  cluster_.create_pod(test::pod_on("web-0", "data-web-0"));
  EXPECT_EQ(to_json(*claim())["status"]["phase"], "Pending");
  const Version pending = claim()->meta.version;
  EXPECT_TRUE(cluster_.start_pod("web-0"));
  const nlohmann::json bound = to_json(*claim());
  EXPECT_EQ(bound["status"]["phase"], "Bound");
  EXPECT_TRUE(bound["spec"].contains("volumeName"));
  EXPECT_GT(claim()->meta.version, pending);
  EXPECT_EQ(cluster_.edit_claim(test::claim("data-web-0")), Code::invalid) << "nobody takes the volume away";
}

TEST_F(KubeletTest, AClaimOfTheTemplatesOwnIsTakenToBeThere) {
  Pod own = test::pod_on("web-0", "shared");
  PodTemplate mounting = *own.made_from;
  mounting.volumes = *own.volumes;
  own.made_from = std::make_shared<const PodTemplate>(std::move(mounting));
  cluster_.create_pod(own);
  EXPECT_TRUE(cluster_.start_pod("web-0"));
}

TEST_F(KubeletTest, ATerminatingPodDoesNotStart) {
  Pod held = test::pod("web-0");
  held.meta.finalizers = test::finalizers({"example.com/keep"});
  cluster_.create_pod(held);
  cluster_.delete_pod("web-0");
  EXPECT_FALSE(cluster_.start_pod("web-0"));
  EXPECT_EQ(kubelets().instances("web-0"), 0);
}

TEST_F(KubeletTest, ReadinessChangesAreDatedInWholeSeconds) {
  test::run(cluster_, test::pod("web-0"));
  const Version ready = pod()->meta.version;
  EXPECT_FALSE(cluster_.set_ready("web-0", true));
  EXPECT_EQ(pod()->meta.version, ready) << "no change, no version";
  cluster_.advance({2500});
  EXPECT_TRUE(cluster_.set_ready("web-0", false));
  EXPECT_EQ(pod()->ready_changed, Time::seconds(2));
}

TEST_F(KubeletTest, OnlyAGoodImageGetsReady) {
  cluster_.create_pod(test::pod("web-0", "web:1-unready"));
  cluster_.start_pod("web-0");
  EXPECT_FALSE(cluster_.set_ready("web-0", true));
  EXPECT_FALSE(pod()->ready);
}

TEST_F(KubeletTest, APodWhoseImageIsNotPulledHasANodeAndIsToldToStopLikeAnyOther) {
  Pod unpulled = test::pod("web-0");
  PodTemplate missing = *unpulled.made_from;
  missing.image = "web:1-unpulled";
  unpulled.made_from = std::make_shared<const PodTemplate>(std::move(missing));
  unpulled.meta.finalizers = test::finalizers({"example.com/keep"});
  cluster_.create_pod(unpulled);
  EXPECT_TRUE(cluster_.start_pod("web-0"));
  EXPECT_EQ(pod()->phase, Phase::pending);
  EXPECT_FALSE(pod()->node.empty());
  EXPECT_FALSE(cluster_.start_pod("web-0")) << "nothing more comes of it";
  EXPECT_FALSE(cluster_.set_ready("web-0", true));
  EXPECT_FALSE(cluster_.finish_pod("web-0", Phase::succeeded)) << "it never ran";
  cluster_.delete_pod("web-0");
  EXPECT_TRUE(pod()->meta.terminating()) << "its kubelet is asked first";
  EXPECT_EQ(pod()->phase, Phase::pending);
  EXPECT_TRUE(cluster_.finish_termination("web-0"));
  EXPECT_EQ(pod()->phase, Phase::failed);
}

TEST_F(KubeletTest, APodThatEndedHasNoProcessAndStaysSo) {
  cluster_.create_pod(test::pod("web-0"));
  EXPECT_FALSE(cluster_.finish_pod("web-0", Phase::failed)) << "it never ran";
  test::run(cluster_, test::pod("web-1"));
  EXPECT_FALSE(cluster_.finish_pod("web-1", Phase::pending));
  EXPECT_TRUE(cluster_.finish_pod("web-1", Phase::failed));
  EXPECT_EQ(pod("web-1")->phase, Phase::failed);
  EXPECT_FALSE(pod("web-1")->ready);
  EXPECT_EQ(kubelets().instances("web-1"), 0);
  EXPECT_FALSE(cluster_.finish_pod("web-1", Phase::succeeded));
  test::run(cluster_, test::pod("web-2"));
  EXPECT_TRUE(cluster_.finish_pod("web-2", Phase::failed, Readiness::left));
  EXPECT_TRUE(pod("web-2")->ready);
  EXPECT_EQ(kubelets().instances("web-2"), 0);
  EXPECT_FALSE(cluster_.start_pod("web-1"));
  EXPECT_FALSE(cluster_.set_ready("web-1", true));
}

TEST_F(KubeletTest, ALostNodeReportsNothing) {
  const Uid uid = test::run(cluster_, test::pod("web-0")).meta.uid;
  cluster_.lose_node("web-0");
  EXPECT_FALSE(cluster_.set_ready("web-0", false));
  EXPECT_FALSE(cluster_.finish_pod("web-0", Phase::failed));
  cluster_.delete_pod("web-0");
  EXPECT_FALSE(cluster_.finish_termination("web-0"));
  EXPECT_EQ(cluster_.run_kubelets(), 0u);
  EXPECT_TRUE(pod()->meta.terminating());
  EXPECT_TRUE(kubelets().runs(uid));
  cluster_.recover_nodes();
  EXPECT_TRUE(kubelets().runs(uid)) << "its object is still there";
  EXPECT_TRUE(cluster_.finish_termination("web-0"));
  EXPECT_EQ(pod(), nullptr);
}

TEST_F(KubeletTest, WhatNobodyCanTellOfAPodItsKubeletTellsAgain) {
  const Uid uid = test::run(cluster_, test::pod("web-0")).meta.uid;
  ASSERT_TRUE(cluster_.lose_sight("web-0"));
  EXPECT_EQ(pod()->phase, Phase::unknown);
  EXPECT_FALSE(pod()->ready);
  EXPECT_TRUE(kubelets().runs(uid));
  EXPECT_FALSE(cluster_.lose_sight("web-0"));
  EXPECT_FALSE(cluster_.lose_sight("web-1"));
  cluster_.lose_node("web-0");
  EXPECT_EQ(cluster_.run_kubelets(), 0u);
  cluster_.recover_nodes();
  EXPECT_EQ(cluster_.run_kubelets(), 1u);
  EXPECT_EQ(pod()->phase, Phase::running);
  EXPECT_FALSE(pod()->ready);
  EXPECT_EQ(cluster_.run_kubelets(), 1u);
  EXPECT_TRUE(pod()->ready);
}

TEST_F(KubeletTest, AForcedPodRunsOnBesideItsSuccessorUntilItsNodeIsBack) {
  const Uid old = test::run(cluster_, test::pod("web-0")).meta.uid;
  cluster_.lose_node("web-0");
  cluster_.delete_pod("web-0", 0);
  const Uid young = test::run(cluster_, test::pod("web-0")).meta.uid;
  EXPECT_NE(old, young);
  EXPECT_EQ(kubelets().instances("web-0"), 2);
  cluster_.run_kubelets();
  EXPECT_EQ(kubelets().instances("web-0"), 2);
  cluster_.recover_nodes();
  EXPECT_FALSE(kubelets().runs(old));
  EXPECT_TRUE(kubelets().runs(young));
}

TEST_F(KubeletTest, LosingANodeLosesThePresentIncarnationOnly) {
  const Uid old = test::run(cluster_, test::pod("web-0")).meta.uid;
  cluster_.delete_pod("web-0", 0);
  const Uid young = test::run(cluster_, test::pod("web-0")).meta.uid;
  cluster_.lose_node("web-0");
  EXPECT_FALSE(kubelets().find("web-0", old)->on_lost_node);
  EXPECT_TRUE(kubelets().find("web-0", young)->on_lost_node);
}

TEST_F(KubeletTest, EveryPodGoesOneStageOn) {
  for (const char* name : {"a-1", "a-2", "a-3"}) test::run(cluster_, test::pod(name));
  cluster_.delete_pod("a-2");
  cluster_.set_ready("a-3", false);
  cluster_.create_pod(test::pod("b-1"));
  cluster_.create_pod(test::pod("b-2"));
  cluster_.start_pod("b-2");
  EXPECT_EQ(cluster_.run_kubelets(), 4u);
  EXPECT_EQ(pod("a-2"), nullptr);
  EXPECT_TRUE(pod("a-3")->ready);
  EXPECT_EQ(pod("b-1")->phase, Phase::running);
  EXPECT_FALSE(pod("b-1")->ready) << "two stages at once";
  EXPECT_TRUE(pod("b-2")->ready);
  EXPECT_EQ(cluster_.run_kubelets(), 1u);
  EXPECT_EQ(cluster_.run_kubelets(), 0u);
}

TEST_F(KubeletTest, PodsFollowEachOtherWhenManyGoAtOnce) {
  for (const char* name : {"a-1", "a-2", "a-3"}) {
    test::run(cluster_, test::pod(name));
    cluster_.delete_pod(name);
  }
  EXPECT_EQ(cluster_.run_kubelets(), 3u);
  EXPECT_EQ(cluster_.pods().live().size(), 0u);
  EXPECT_TRUE(kubelets().running().empty());
}

TEST_F(KubeletTest, ImagesDecideHowAPodEnds) {
  const struct {
    const char* image;
    Phase phase;
    bool ready;
  } table[] = {
      {"web:1", Phase::running, true},
      {"web:1-unready", Phase::running, false},
      {"web:1-crashing", Phase::failed, false},
      {"web:1-completing", Phase::succeeded, false},
  };
  for (const auto& row : table) {
    cluster_.reset();
    cluster_.create_pod(test::pod("web-0", row.image));
    for (int round = 0; round < 3; ++round) cluster_.run_kubelets();
    EXPECT_EQ(pod()->phase, row.phase) << row.image;
    EXPECT_EQ(pod()->ready, row.ready) << row.image;
    EXPECT_EQ(cluster_.run_kubelets(), 0u) << row.image;
  }
}

TEST_F(KubeletTest, AStrayEndsOnAHealthyNode) {
  const Uid uid = test::run(cluster_, test::pod("web-0")).meta.uid;
  cluster_.delete_pod("web-0", 0);
  EXPECT_TRUE(kubelets().runs(uid));
  EXPECT_EQ(cluster_.run_kubelets(), 1u);
  EXPECT_FALSE(kubelets().runs(uid));
}

}  // namespace
}  // namespace ordeal
