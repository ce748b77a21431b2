// What users and kubelets do to the world, step by step; arguments counted round; refused edits change nothing.
#include "properties/world/actor.h"

#include <gtest/gtest.h>

#include "core/api/names.h"
#include "properties/trial/hand_made.h"
#include "properties/world/strangers.h"

namespace ordeal::properties {
namespace {

/// A world with a set of three, its pods made by hand, running and ready.
class ActorTest : public testing::Test {
 protected:
  void begin(std::string_view spec = "replicas: 3") {
    scenario_ = hand_made(spec);
    cluster_.reset();
    ASSERT_EQ(actor_.begin(scenario_), Code::ok);
    for (int i = 0; i < 3; ++i) act(StepKind::add_pod, i, static_cast<int>(ForeignPod::orphan));
    for (int round = 0; round < 3; ++round) act(StepKind::run_kubelets);
  }
  void act(StepKind kind, std::int32_t a = 0, std::int32_t b = 0) { actor_.act(Step{kind, 0, a, b}); }
  const StatefulSet& set() const { return *cluster_.sets().find("web"); }
  const Pod* pod(std::string_view name) const { return cluster_.pods().find(name); }

  Scenario scenario_;
  Cluster cluster_;
  Actor actor_{cluster_};
};

TEST_F(ActorTest, EditsOfTheSetArriveInItsSpec) {
  begin();
  act(StepKind::scale, 5);
  act(StepKind::set_partition, 2);
  act(StepKind::set_max_unavailable, 30, 1);
  act(StepKind::set_min_ready, 10);
  act(StepKind::set_retention, 0, 1);
  act(StepKind::set_history_limit, -1);
  act(StepKind::set_start, 4);
  const StatefulSetSpec& spec = *set().spec;
  EXPECT_EQ(spec.replicas, 5);
  EXPECT_EQ(spec.rolling_update->partition, 2);
  EXPECT_EQ(spec.rolling_update->max_unavailable, (IntOrPercent{30, true}));
  EXPECT_EQ(spec.min_ready_seconds, 10);
  EXPECT_EQ(spec.retention, (RetentionPolicy{Retention::retain, Retention::remove}));
  EXPECT_EQ(spec.revision_history_limit, -1);
  EXPECT_EQ(spec.ordinals_start, 4);
  EXPECT_EQ(set().meta.generation, 8);
  act(StepKind::set_start, -1);
  EXPECT_EQ(set().spec->ordinals_start, std::nullopt);
}

TEST_F(ActorTest, AnOrdinalIsReservedAndGivenBack) {
  begin();
  act(StepKind::set_start, 4, 2);
  EXPECT_THAT(set().spec->reserve_ordinals, testing::ElementsAre(5));
  act(StepKind::set_start, -1, 2);
  EXPECT_THAT(set().spec->reserve_ordinals, testing::ElementsAre(1, 5));
  act(StepKind::set_start, 1, 1);
  EXPECT_THAT(set().spec->reserve_ordinals, testing::ElementsAre(5));
  act(StepKind::set_start, 1);
  EXPECT_THAT(set().spec->reserve_ordinals, testing::ElementsAre(5));
}

TEST_F(ActorTest, NearlyRightClaimsBeginAndEndAsTheRightOnes) {
  begin(
      "replicas: 3\nvolumeClaimTemplates:\n- metadata: {name: data}\n  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}");
  for (int i = 3; i < 8; ++i) act(StepKind::add_pod, i, static_cast<int>(ForeignPod::near_claims));
  const auto claim_of = [&](std::string_view name) { return std::string(pod(name)->volumes->front().claim.view()); };
  EXPECT_EQ(claim_of("web-3"), "data.web-3");
  EXPECT_EQ(claim_of("web-4"), "data-web.4");
  EXPECT_EQ(claim_of("web-5"), "data-web-15");
  EXPECT_EQ(claim_of("web-6"), "data-old-web-6");
  EXPECT_EQ(claim_of("web-7"), "data-data-web-7");
}

TEST_F(ActorTest, ABarePodFitsTheSelectorAndHasNoIdentity) {
  begin(
      "replicas: 1\nvolumeClaimTemplates:\n- metadata: {name: data}\n  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}");
  act(StepKind::add_pod, 3, static_cast<int>(ForeignPod::bare));
  const Pod& bare = *pod("web-3");
  EXPECT_TRUE(set().spec->selector.matches(bare.meta.labels.get()));
  EXPECT_EQ(bare.meta.label(label_pod_name), nullptr);
  EXPECT_TRUE(bare.hostname.empty() && bare.subdomain.empty());
  EXPECT_EQ(bare.volumes, nullptr);
  EXPECT_EQ(bare.meta.controller(), nullptr);
}

TEST_F(ActorTest, AnOrphanMayHaveAnOwnerThatControlsNothing) {
  begin("replicas: 4");
  act(StepKind::add_pod, 3, static_cast<int>(ForeignPod::orphan));
  EXPECT_EQ(pod("web-2")->meta.owners, nullptr);
  ASSERT_NE(pod("web-3")->meta.owners, nullptr);
  EXPECT_EQ(pod("web-3")->meta.owners->size(), 1u);
  EXPECT_EQ(pod("web-3")->meta.controller(), nullptr);
  cluster_.collect();
  EXPECT_FALSE(pod("web-3")->meta.terminating());
}

TEST_F(ActorTest, AnotherControllerTakesAPodOver) {
  begin("replicas: 4");
  act(StepKind::add_pod, 4, static_cast<int>(ForeignPod::owned_by_other));
  act(StepKind::add_pod, 0, static_cast<int>(ForeignPod::orphan));
  act(StepKind::own_pod, 0);
  EXPECT_EQ(*pod("web-0")->meta.controller(), *pod("web-4")->meta.controller());
}

TEST_F(ActorTest, OwnersOfAPodChangeInOneWayAtATime) {
  begin("replicas: 1");
  act(StepKind::add_pod, 0, static_cast<int>(ForeignPod::orphan));
  const StatefulSet& set = *cluster_.sets().find("web");
  Pod owned = *pod("web-0");
  owned.meta.owners = owned_by(group_version_apps, kind_stateful_set, "web", set.meta.uid);
  ASSERT_EQ(cluster_.edit_pod(owned), Code::ok);
  act(StepKind::own_pod, 0, static_cast<int>(PodOwner::bystander));
  act(StepKind::own_pod, 0, static_cast<int>(PodOwner::bystander));
  ASSERT_EQ(pod("web-0")->meta.owners->size(), 2u) << "the same again changes nothing";
  EXPECT_EQ(pod("web-0")->meta.owners->front().name, "nightly");
  EXPECT_EQ(pod("web-0")->meta.controller()->uid, set.meta.uid);
  act(StepKind::own_pod, 0, static_cast<int>(PodOwner::set_without_control));
  EXPECT_EQ(pod("web-0")->meta.owners->size(), 2u);
  EXPECT_EQ(pod("web-0")->meta.controller(), nullptr);
  act(StepKind::own_pod, 0, static_cast<int>(PodOwner::bystander_alone));
  ASSERT_EQ(pod("web-0")->meta.owners->size(), 1u);
  EXPECT_EQ(pod("web-0")->meta.owners->front().name, "nightly");
}

TEST_F(ActorTest, TheSetsOwnMetadataIsNoneOfItsSpec) {
  begin("replicas: 1");
  act(StepKind::edit_metadata, 2, static_cast<int>(MetadataEdit::change_cause));
  act(StepKind::edit_metadata, 3, static_cast<int>(MetadataEdit::label));
  const StatefulSet& set = *cluster_.sets().find("web");
  EXPECT_TRUE(set.meta.annotations->has("kubernetes.io/change-cause", "2"));
  EXPECT_TRUE(set.meta.labels->has("team", "3"));
  EXPECT_EQ(set.meta.generation, 1);
}

TEST_F(ActorTest, SomebodysConditionIsOneHoweverOftenItIsWritten) {
  begin("replicas: 1");
  act(StepKind::add_condition, 0);
  act(StepKind::add_condition, 3);
  const StatefulSet& set = *cluster_.sets().find("web");
  ASSERT_EQ(set.status.conditions.size(), 1u);
  EXPECT_EQ(set.status.conditions[0].reason, "Value3");
  act(StepKind::add_condition, 2);  // of somebody else
  EXPECT_EQ(cluster_.sets().find("web")->status.conditions.size(), 2u);
}

TEST_F(ActorTest, AClaimIsEditedInOneWayAtATime) {
  begin(R"(replicas: 3
volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}])");
  act(StepKind::add_claim, 0);
  const Claim before = *cluster_.claims().live().all().front();
  const auto claim = [&]() -> const Claim& { return *cluster_.claims().live().all().front(); };
  const auto edit = [&](ClaimEdit as) { act(StepKind::edit_claim, 0, static_cast<int>(as)); };
  edit(ClaimEdit::annotate);
  EXPECT_TRUE(claim().meta.annotations->has("example.org/backed-up", "yes"));
  edit(ClaimEdit::label);
  EXPECT_TRUE(claim().meta.labels->has("example.org/backed-up", "yes"));
  edit(ClaimEdit::unlabel);
  EXPECT_EQ(claim().meta.labels, nullptr);
  EXPECT_TRUE(same(claim().spec, before.spec));
  edit(ClaimEdit::enlarge);
  EXPECT_EQ(
      *claim().spec,
      R"({"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Ti"}},"volumeMode":"Filesystem"})");
  const Version version = claim().meta.version;
  edit(ClaimEdit::enlarge);
  EXPECT_EQ(claim().meta.version, version) << "it is so large already";
  edit(ClaimEdit::hold);
  EXPECT_EQ(claim().meta.finalizers->size(), 1u);
}

TEST_F(ActorTest, AnOwnerOfAClaimThatIsNoMoreCameFirst) {
  begin(
      "replicas: 1\nvolumeClaimTemplates:\n- metadata: {name: data}\n  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}");
  act(StepKind::add_claim, 0, 1);
  act(StepKind::add_claim_owner, 0, static_cast<int>(ClaimOwner::bystander));
  act(StepKind::add_claim_owner, 0, static_cast<int>(ClaimOwner::earlier_set));
  const Owners& owners = *cluster_.claims().find("data-web-0")->meta.owners;
  ASSERT_EQ(owners.size(), 3u);
  EXPECT_EQ(owners[0].name, "web");
  EXPECT_EQ(owners[1].name, "other");
  EXPECT_EQ(owners[2].name, "nightly");
}

TEST_F(ActorTest, TheOwnerOfAClaimIsItsPodAsLongAsThereIsOne) {
  begin(
      "replicas: 1\nvolumeClaimTemplates:\n- metadata: {name: data}\n  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}");
  act(StepKind::add_claim, 3, static_cast<int>(ForeignClaim::nobodys));
  act(StepKind::add_claim_owner, 0, static_cast<int>(ClaimOwner::its_pod));
  EXPECT_EQ(cluster_.claims().find("data-web-3")->meta.owners, nullptr);
  act(StepKind::add_pod, 3);
  act(StepKind::add_claim_owner, 0, static_cast<int>(ClaimOwner::its_pod));
  const Owners& owners = *cluster_.claims().find("data-web-3")->meta.owners;
  ASSERT_EQ(owners.size(), 1u);
  EXPECT_EQ(owners[0].uid, cluster_.pods().find("web-3")->meta.uid);
  EXPECT_FALSE(owners[0].controller);
}

TEST_F(ActorTest, TheOwnerOfAClaimIsItsSetAsLongAsThereIsOne) {
  begin(
      "replicas: 1\nvolumeClaimTemplates:\n- metadata: {name: data}\n  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}");
  act(StepKind::add_claim, 0, static_cast<int>(ForeignClaim::nobodys));
  act(StepKind::add_claim, 1, static_cast<int>(ForeignClaim::of_no_template));
  for (const int claim : {0, 1}) act(StepKind::add_claim_owner, claim, static_cast<int>(ClaimOwner::its_set));
  EXPECT_EQ(cluster_.claims().find("scratch-web-1")->meta.owners, nullptr) << "not a claim of the set's";
  const Owners& owners = *cluster_.claims().find("data-web-0")->meta.owners;
  ASSERT_EQ(owners.size(), 1u);
  EXPECT_EQ(owners[0].uid, set().meta.uid);
  EXPECT_FALSE(owners[0].controller);
  act(StepKind::delete_set);
  act(StepKind::drop_claim_owners, 0);
  act(StepKind::add_claim_owner, 0, static_cast<int>(ClaimOwner::its_set));
  EXPECT_EQ(cluster_.claims().find("data-web-0")->meta.owners, nullptr);
}

TEST_F(ActorTest, AClaimIsOfTheFirstTemplateOrOfTheLast) {
  const std::string spec = "{accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}";
  begin("replicas: 1\nvolumeClaimTemplates:\n- {metadata: {name: data}, spec: " + spec +
        "}\n- {metadata: {name: log}, spec: " + spec + "}");
  act(StepKind::add_claim, 0, static_cast<int>(ForeignClaim::nobodys));
  act(StepKind::add_claim, 1, static_cast<int>(ForeignClaim::others_last));
  ASSERT_EQ(cluster_.claims().live().all().size(), 2u);
  EXPECT_EQ(cluster_.claims().find("data-web-0")->meta.owners, nullptr);
  EXPECT_NE(cluster_.claims().find("log-web-1")->meta.owners, nullptr);
}

TEST_F(ActorTest, ALostVolumeHoldsItsPodUntilItIsRestored) {
  begin(
      "replicas: 1\nvolumeClaimTemplates:\n- metadata: {name: data}\n  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}");
  act(StepKind::add_claim, 0, static_cast<int>(ForeignClaim::smaller));
  const auto claim = [&]() -> const Claim& { return *cluster_.claims().find("data-web-0"); };
  EXPECT_NE(claim().spec->find(R"("storage":"1Mi")"), std::string::npos);
  act(StepKind::add_pod, 0);
  act(StepKind::edit_claim, 0, static_cast<int>(ClaimEdit::lose));
  EXPECT_EQ(to_json(claim())["status"]["phase"], "Lost");
  act(StepKind::start_pod, 0);
  EXPECT_EQ(cluster_.pods().find("web-0")->phase, Phase::pending);
  actor_.heal();
  EXPECT_EQ(claim().phase, ClaimPhase::bound);
  act(StepKind::start_pod, 0);
  EXPECT_EQ(cluster_.pods().find("web-0")->phase, Phase::running);
}

TEST_F(ActorTest, OfSeveralClaimsOnlyTheLastMayBeWrong) {
  const std::string spec = "{accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}";
  begin("replicas: 3\nvolumeClaimTemplates:\n- {metadata: {name: data}, spec: " + spec +
        "}\n- {metadata: {name: log}, spec: " + spec + "}");
  act(StepKind::add_pod, 5, static_cast<int>(ForeignPod::other_claims));
  act(StepKind::add_pod, 6, static_cast<int>(ForeignPod::other_claims));
  act(StepKind::add_pod, 7, static_cast<int>(ForeignPod::near_claims));
  const auto claim_of = [&](std::string_view name, std::size_t i) {
    return std::string(pod(name)->volumes->at(i).claim.view());
  };
  EXPECT_EQ(claim_of("web-5", 0), "data-web-5");
  EXPECT_EQ(claim_of("web-5", 1), "log-web-x");
  EXPECT_EQ(claim_of("web-6", 0), "data-xeb-6");
  EXPECT_EQ(claim_of("web-6", 1), "log-xeb-6");
  EXPECT_EQ(claim_of("web-7", 0), "data-web-7");
  EXPECT_EQ(claim_of("web-7", 1), "log-log-web-7");
}

TEST_F(ActorTest, OtherNamesEndOrBeginAsTheSetsOwn) {
  begin();
  for (int i = 4; i < 8; ++i) act(StepKind::add_pod, i, static_cast<int>(ForeignPod::other_name));
  for (const char* name : {"other-web-4", "other-web-5", "web-other-6", "web-other-7"}) {
    ASSERT_NE(pod(name), nullptr) << name;
    EXPECT_EQ(pod(name)->meta.controller() != nullptr, number(parse_member(name).ordinal) % 2 == 1) << name;
  }
}

TEST_F(ActorTest, SomeOtherNamesHaveNoOrdinal) {
  begin();
  for (const int i : {1, 9}) act(StepKind::add_pod, i, static_cast<int>(ForeignPod::other_name));
  for (const char* name : {"web-1-debug", "web-x7k2q"}) {
    ASSERT_NE(pod(name), nullptr) << name;
    EXPECT_EQ(parse_member(name).ordinal, Ordinal::none);
    EXPECT_NE(pod(name)->meta.controller(), nullptr);
  }
}

TEST_F(ActorTest, RefusedEditsChangeNothing) {
  begin();
  const Version before = set().meta.version;
  act(StepKind::scale, -1);
  act(StepKind::set_partition, -1);  // legal: removes the block
  const Version removed = set().meta.version;
  EXPECT_NE(before, removed);
  act(StepKind::set_max_unavailable, 0);
  EXPECT_EQ(set().meta.version, removed) << "maxUnavailable 0 is not accepted";
}

TEST_F(ActorTest, PodsAreCountedRound) {
  begin();
  act(StepKind::make_unready, 4);
  EXPECT_TRUE(pod("web-0")->ready);
  EXPECT_FALSE(pod("web-1")->ready);
}

TEST_F(ActorTest, DeletedPodsStopWhenTheirKubeletSaysSo) {
  begin();
  act(StepKind::delete_pod, 0);
  EXPECT_TRUE(pod("web-0")->meta.terminating());
  act(StepKind::stop_pod, 0);
  EXPECT_EQ(pod("web-0"), nullptr);
}

TEST_F(ActorTest, ForceDeletedPodsLeaveTheirProcessBehind) {
  begin();
  const Uid uid = pod("web-0")->meta.uid;
  act(StepKind::lose_node, 0);
  act(StepKind::force_delete_pod, 0);
  EXPECT_EQ(pod("web-0"), nullptr);
  EXPECT_TRUE(cluster_.kubelets().runs(uid));
  act(StepKind::recover_nodes);
  EXPECT_FALSE(cluster_.kubelets().runs(uid));
}

TEST_F(ActorTest, LabelsBrokenAndRestored) {
  begin();
  const StringMap labels = *pod("web-1")->meta.labels;
  for (LabelEdit edit : {LabelEdit::break_selector, LabelEdit::drop_pod_name}) {
    act(StepKind::edit_labels, 1, static_cast<int>(edit));
    EXPECT_NE(*pod("web-1")->meta.labels, labels);
    act(StepKind::edit_labels, 1, static_cast<int>(LabelEdit::restore));
    EXPECT_EQ(*pod("web-1")->meta.labels, labels);
  }
}

TEST_F(ActorTest, EverySecondWrongNameComesWithAWrongNumber) {
  begin();
  for (int i = 0; i < 2; ++i) act(StepKind::edit_labels, i, static_cast<int>(LabelEdit::other_pod_name));
  EXPECT_TRUE(pod("web-0")->meta.labels->has(label_pod_index, "0"));
  EXPECT_TRUE(pod("web-1")->meta.labels->has(label_pod_index, "999"));
  for (const char* name : {"web-0", "web-1"})
    EXPECT_TRUE(pod(name)->meta.labels->has(label_pod_name, "web-999")) << name;
}

TEST_F(ActorTest, LabelsBesideTheSelectorAreEditedToo) {
  begin();
  act(StepKind::edit_template, 0, static_cast<int>(TemplateFlavour::with_label));  // edition
  for (int i = 0; i < 2; ++i) act(StepKind::force_delete_pod, 0);
  for (int i = 0; i < 2; ++i) act(StepKind::add_pod, i, static_cast<int>(ForeignPod::orphan));
  ASSERT_NE(pod("web-1")->meta.labels->find("edition"), nullptr);
  act(StepKind::edit_labels, 1, static_cast<int>(LabelEdit::beside_selector));
  const StringMap& labels = *pod("web-1")->meta.labels;
  EXPECT_TRUE(labels.has("app", "web")) << "the selector asks for it";
  EXPECT_TRUE(labels.has(label_pod_name, "web-1"));
  EXPECT_TRUE(labels.has("edition", "changed"));
  EXPECT_TRUE(labels.has("example.org/role", "primary"));
}

TEST_F(ActorTest, APodIsAnnotatedAndNothingElse) {
  begin();
  const StringMap labels = *pod("web-1")->meta.labels;
  act(StepKind::edit_labels, 1, static_cast<int>(LabelEdit::annotate));
  EXPECT_TRUE(pod("web-1")->meta.annotations->has("example.org/checked", "yes"));
  EXPECT_EQ(*pod("web-1")->meta.labels, labels);
}

TEST_F(ActorTest, ASetIsMadeAgainWithWhatNobodyMayChangeWhileItLives) {
  begin(
      "replicas: 3\nvolumeClaimTemplates:\n- metadata: {name: data}\n  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}");
  const auto again = [&](Recreation as) {
    act(StepKind::delete_set, static_cast<int>(Propagation::orphan));
    while (cluster_.sets().find("web") != nullptr) act(StepKind::collect);
    act(StepKind::create_set, static_cast<int>(as));
    return *set().spec;
  };
  const StatefulSetSpec first = *set().spec;
  EXPECT_EQ(again(Recreation::as_first), first);
  EXPECT_EQ(again(Recreation::other_service).service_name, "web-2");
  EXPECT_EQ(again(Recreation::other_management).pod_management, PodManagement::parallel);
  EXPECT_THAT(*again(Recreation::larger_claims).claim_templates.front().spec, testing::HasSubstr(R"("storage":"1Ti")"));
  EXPECT_EQ(again(Recreation::more_claims).claim_templates.size(), first.claim_templates.size() + 1);
  EXPECT_EQ(again(Recreation::fewer_claims).claim_templates.size(), first.claim_templates.size() - 1);
  EXPECT_TRUE(again(Recreation::other_labels).selector.match_labels.has("app", "second"));
  EXPECT_TRUE(set().spec->pod_template->labels.has("app", "second"));
  act(StepKind::edit_template, 1, static_cast<int>(TemplateFlavour::plain));
  EXPECT_TRUE(set().spec->pod_template->labels.has("app", "second")) << "editions are of the set as it is made now";
  EXPECT_EQ(again(Recreation::as_first), first) << "each differs from the first in one thing";
  EXPECT_NE(pod("web-0"), nullptr) << "pods outlive a set that leaves them as orphans";
}

TEST_F(ActorTest, ASetWithoutClaimsIsMadeAgainWithSome) {
  begin();
  act(StepKind::delete_set, static_cast<int>(Propagation::orphan));
  while (cluster_.sets().find("web") != nullptr) act(StepKind::collect);
  act(StepKind::create_set, static_cast<int>(Recreation::more_claims));
  ASSERT_EQ(set().spec->claim_templates.size(), 1u);
  EXPECT_TRUE(validate_create(set()).empty());
}

TEST_F(ActorTest, LabelsThatNeverFittedAreMadeToFit) {
  begin();
  act(StepKind::add_pod, 5, static_cast<int>(ForeignPod::other_labels));
  const LabelSelector& selector = set().spec->selector;
  ASSERT_FALSE(selector.matches(pod("web-5")->meta.labels.get()));
  act(StepKind::edit_labels, 3, static_cast<int>(LabelEdit::restore));
  EXPECT_TRUE(selector.matches(pod("web-5")->meta.labels.get()));
}

TEST_F(ActorTest, ASelectorIsBrokenByItsLabelsOrItsExpressions) {
  scenario_ = hand_made("replicas: 3");
  auto spec = std::make_shared<StatefulSetSpec>(*scenario_.set.spec);
  const auto& [key, value] = *spec->selector.match_labels.begin();
  spec->selector.match_expressions = {
      {.key = "tier", .op = SelectorRequirement::Operator::not_in, .values = {"elsewhere"}}};
  scenario_.set.spec = spec;
  cluster_.reset();
  ASSERT_EQ(actor_.begin(scenario_), Code::ok);
  for (int i = 0; i < 2; ++i) {
    act(StepKind::add_pod, i, static_cast<int>(ForeignPod::orphan));
    act(StepKind::edit_labels, i, static_cast<int>(LabelEdit::break_selector));
  }
  EXPECT_TRUE(pod("web-0")->meta.labels->has(key, value));
  EXPECT_TRUE(pod("web-0")->meta.labels->has("tier", "elsewhere"));
  EXPECT_TRUE(pod("web-1")->meta.labels->has(key, "elsewhere"));
  EXPECT_FALSE(pod("web-1")->meta.labels->has("tier", "elsewhere"));
  for (const char* name : {"web-0", "web-1"})
    EXPECT_FALSE(spec->selector.matches(pod(name)->meta.labels.get())) << name;
}

TEST_F(ActorTest, OlderBytesMeanTheSameTemplate) {
  for (const ForeignRevision as : {ForeignRevision::older_encoder, ForeignRevision::undefaulted}) {
    begin();
    act(StepKind::add_revision, 0, static_cast<int>(as));
    ASSERT_EQ(cluster_.revisions().live().size(), 1u);
    const Revision& older = *cluster_.revisions().live().all()[0];
    EXPECT_NE(*older.data.bytes, *set().spec->pod_template->patch);
    EXPECT_EQ(older.data.bytes->contains("terminationMessagePath"), as == ForeignRevision::older_encoder);
    ASSERT_NE(older.data.decoded, nullptr);
    EXPECT_EQ(older.data.decoded->document, set().spec->pod_template->document);
  }
}

TEST_F(ActorTest, CollidingNamesHoldOtherData) {
  begin();
  act(StepKind::add_revision, 3, static_cast<int>(ForeignRevision::colliding_name));
  act(StepKind::edit_template, 3);
  const Text name = revision_name("web", revision_suffix(set().spec->pod_template->patch_hash, 0));
  const Revision* holder = cluster_.revisions().find(name);
  ASSERT_NE(holder, nullptr);
  EXPECT_NE(*holder->data.bytes, *set().spec->pod_template->patch);
}

TEST_F(ActorTest, EarlierControllersOfAnOlderReleaseRecordedAsItDoes) {
  cluster_.reset();
  ASSERT_EQ(actor_.begin(hand_made("replicas: 3"), /*null_times=*/true), Code::ok);
  act(StepKind::add_revision, 0, static_cast<int>(ForeignRevision::equal_orphan));
  const auto& recorded = cluster_.revisions().live().all();
  ASSERT_EQ(recorded.size(), 1u);
  const PodTemplate& content = *set().spec->pod_template;
  EXPECT_EQ(*recorded[0]->data.bytes, *content.older_patch);
  EXPECT_EQ(recorded[0]->meta.name, revision_name("web", revision_suffix(fnv1_32(*content.older_patch), 0)));
}

TEST_F(ActorTest, WhatIsRecordedIsRecordedAgainUnderTheNextName) {
  begin();
  for (int again = 0; again < 2; ++again)
    act(StepKind::add_revision, 0, static_cast<int>(ForeignRevision::equal_orphan));
  const auto& recorded = cluster_.revisions().live().all();
  ASSERT_EQ(recorded.size(), 2u);
  EXPECT_NE(recorded[0]->meta.name, recorded[1]->meta.name);
  EXPECT_EQ(*recorded[0]->data.bytes, *recorded[1]->data.bytes);
}

TEST_F(ActorTest, WhoeverOwnsARevisionNeedNotControlIt) {
  begin();
  act(StepKind::add_revision, 0, static_cast<int>(ForeignRevision::equal_orphan));
  act(StepKind::orphan_revision, 0, static_cast<int>(RevisionOwner::bystander));
  const Revision& owned = *cluster_.revisions().live().all()[0];
  ASSERT_NE(owned.meta.owners, nullptr);
  EXPECT_EQ(owned.meta.owners->size(), 1u);
  EXPECT_EQ(owned.meta.controller(), nullptr);
}

TEST_F(ActorTest, FiveNamesOfATemplateMayBeTaken) {
  begin();
  for (int again = 0; again < 7; ++again)
    act(StepKind::add_revision, 3, static_cast<int>(ForeignRevision::colliding_name));
  EXPECT_EQ(cluster_.revisions().live().size(), 6u) << "the name itself, and those after five collisions";
}

TEST_F(ActorTest, HealingReplacesABrokenTemplateAndLiftsAPartitionWithABrokenPodBelow) {
  for (const int broken : {1, 2}) {
    begin("replicas: 3\nupdateStrategy:\n  type: RollingUpdate\n  rollingUpdate:\n    partition: 2");
    act(StepKind::edit_template, 1, static_cast<int>(TemplateFlavour::unready));
    ASSERT_TRUE(is_broken(*set().spec->pod_template));
    act(StepKind::force_delete_pod, broken);
    act(StepKind::add_pod, broken, static_cast<int>(ForeignPod::orphan));
    actor_.heal();
    EXPECT_FALSE(is_broken(*set().spec->pod_template));
    EXPECT_EQ(set().spec->rolling_update->partition, broken == 1 ? 0 : 2)
        << "an update replaces a pod from the partition on";
  }
}

TEST_F(ActorTest, HealingLeavesAGoodTemplateAlone) {
  begin();
  const Version before = set().meta.version;
  actor_.heal();
  EXPECT_EQ(set().meta.version, before);
}

TEST_F(ActorTest, HealingRemovesBrokenPodsUnderAGoodRevisionsName) {
  scenario_ = hand_made("replicas: 1");
  ASSERT_EQ(actor_.begin(scenario_), Code::ok);
  StatefulSetStatus status = set().status;
  status.update_revision = "web-good";
  // of the edit to come, as the status of a set on its way out is of edits that nobody records
  status.observed_generation = 2;
  Revision good;
  good.meta.name = "web-good";
  good.data = revision_of(set().spec->pod_template);
  ASSERT_EQ(cluster_.create_revision(good), Code::ok);
  ASSERT_TRUE(cluster_.handle({.verb = Verb::update_status, .kind = Kind::set, .name = "web", .body = status}).ok());
  act(StepKind::edit_template, 1, static_cast<int>(TemplateFlavour::unready));
  act(StepKind::add_pod, 0, static_cast<int>(ForeignPod::orphan));  // made from the broken one, labelled with the other
  act(StepKind::edit_template, 0);
  act(StepKind::run_kubelets);
  ASSERT_NE(pod("web-0"), nullptr);
  actor_.heal();
  act(StepKind::run_kubelets);
  EXPECT_EQ(pod("web-0"), nullptr);
}

TEST_F(ActorTest, HealingRemovesHoldersOfNeededNamesOnly) {
  scenario_ = hand_made("replicas: 2");
  cluster_.reset();
  ASSERT_EQ(actor_.begin(scenario_), Code::ok);
  act(StepKind::add_pod, 0, static_cast<int>(ForeignPod::owned_by_other));
  act(StepKind::add_pod, 1, static_cast<int>(ForeignPod::orphan));
  act(StepKind::add_pod, 5, static_cast<int>(ForeignPod::owned_by_other));
  actor_.heal();
  for (int round = 0; round < 2; ++round) act(StepKind::run_kubelets);
  EXPECT_EQ(pod("web-0"), nullptr);
  EXPECT_NE(pod("web-1"), nullptr);
  EXPECT_NE(pod("web-5"), nullptr);
}

}  // namespace
}  // namespace ordeal::properties
