// Which call fails, and what is still done then: semantics.md 6.10, call by call.
#include "core/controller/test_world.h"

namespace ordeal::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::string write = "update-status web (write-status)";

World::Edit shaped(PodManagement management, std::int32_t replicas = 3) {
  return [=](StatefulSetSpec& spec) {
    spec.pod_management = management;
    spec.replicas = replicas;
    ClaimTemplate data;
    data.name = "data";
    data.spec = std::make_shared<const std::string>("{}");
    spec.claim_templates = {data};
  };
}

TEST(Errors, RevisionThatCannotBeRecordedEndsTheSyncWithoutStatus) {
  World world;
  world.with(shaped(PodManagement::ordered_ready));
  world.faults[1] = Code::internal;
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls, ElementsAre(HasSubstr("create revision")));
  EXPECT_EQ(world.result.code, Code::internal);
}

TEST(Errors, ClaimThatCannotBeCreatedKeepsItsPodBackButNotTheStatus) {
  World world;
  world.with(shaped(PodManagement::ordered_ready));
  world.faults[2] = Code::forbidden;
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls, ElementsAre(HasSubstr("create revision"), HasSubstr("create claim data-web-0"), write));
  EXPECT_EQ(world.result.code, Code::forbidden);
}

TEST(Errors, PodThatCannotBeCreatedLeavesTheStatusToBeWritten) {
  World world;
  world.with(shaped(PodManagement::ordered_ready));
  world.faults[3] = Code::forbidden;
  EXPECT_TRUE(world.sync().failed);
  EXPECT_EQ(world.calls.back(), write);
  EXPECT_EQ(world.status().observed_generation, 1);
}

TEST(Errors, ParallelFinishesTheBatchAndBeginsNoOther) {
  World world;
  world.with([](StatefulSetSpec& spec) {
    spec.pod_management = PodManagement::parallel;
    spec.replicas = 9;
  });
  world.faults[3] = Code::internal;  // web-1, the first of the second batch
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("create pod web-0 (create-pod)", "create pod web-1 (create-pod)",
                                                 "create pod web-2 (create-pod)"));
  EXPECT_THAT(world.calls, Contains(write));
}

TEST(Errors, DeletionThatFailsEndsTheWork) {
  World world;
  world.with(shaped(PodManagement::parallel));
  world.settle();
  world.edit([](StatefulSetSpec& spec) { spec.rolling_update = RollingUpdate{0, IntOrPercent{3, false}}; });
  world.image("web:2");
  world.faults[2] = Code::timeout;
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("delete pod web-2 (update-pod)"));
  EXPECT_EQ(world.calls.back(), write);
  EXPECT_EQ(world.status().current_replicas, 3) << "it may not have been deleted";
}

TEST(Errors, PodThatIsGoneAlreadyCountsAsDeleted) {
  World world;
  world.with(shaped(PodManagement::parallel));
  world.settle();
  world.edit([](StatefulSetSpec& spec) { spec.rolling_update = RollingUpdate{0, IntOrPercent{2, false}}; });
  world.image("web:2");
  world.faults[2] = Code::not_found;
  EXPECT_FALSE(world.sync().failed);
  EXPECT_THAT(world.calls_of("pod"), ElementsAre("delete pod web-2 (update-pod)", "delete pod web-1 (update-pod)"));
  EXPECT_EQ(world.status().current_replicas, 1);
}

TEST(Errors, AdoptionThatFailsEndsTheSyncAfterAllPodsWereTried) {
  World world;
  world.with(shaped(PodManagement::parallel));
  world.cluster.create_pod(pod("web-0"));
  world.cluster.create_pod(pod("web-1"));
  world.faults[2] = Code::internal;
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls, ElementsAre("get set web (confirm-set)", "patch-owners pod web-0 (adopt-pod)",
                                       "patch-owners pod web-1 (adopt-pod)"));
}

TEST(Errors, ReleaseOfWhatIsGoneOrReplacedIsDone) {
  for (const auto& [reply, failed] :
       {std::pair{Code::not_found, false}, {Code::invalid, false}, {Code::internal, true}}) {
    World world;
    world.with(shaped(PodManagement::ordered_ready));
    world.settle();
    Pod edited = *world.cluster.pods().find("web-2");
    edited.meta.labels = labels({{"app", "elsewhere"}});
    world.cluster.edit_pod(edited);
    world.faults[1] = reply;
    world.sync();
    EXPECT_EQ(!world.calls_of("pod").empty() && world.calls_of("pod").size() == 1, failed) << name_of(reply);
  }
}

TEST(Errors, StatusIsTriedFiveTimesAfterConflictsOnly) {
  World world;
  world.with(shaped(PodManagement::ordered_ready));
  for (std::size_t call = 4; call < 12; ++call) world.faults[call] = Code::conflict;
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls, SizeIs(3 + 5));
  EXPECT_EQ(world.result.code, Code::conflict);

  World refused;
  refused.with(shaped(PodManagement::ordered_ready));
  refused.faults[4] = Code::timeout;
  EXPECT_TRUE(refused.sync().failed);
  EXPECT_THAT(refused.calls, SizeIs(4));
}

TEST(Errors, StatusThatSucceedsAfterAConflictIsFine) {
  World world;
  world.with(shaped(PodManagement::ordered_ready));
  world.faults[4] = Code::conflict;
  EXPECT_FALSE(world.sync().failed);
  EXPECT_EQ(world.status().observed_generation, 1);
}

std::size_t attempts_at_a_bump(const Rules& rules) {
  World world(rules);
  world.with(shaped(PodManagement::ordered_ready));
  world.settle();
  world.image("web:2");
  world.settle();
  world.image("web:1");
  for (std::size_t call = 1; call < 9; ++call) world.faults[call] = Code::conflict;
  EXPECT_TRUE(world.sync().failed) << rules.name;
  return world.calls.size();
}

TEST(Errors, RepairAndBumpAreTriedFourTimes) {
  World world;
  world.with(shaped(PodManagement::ordered_ready));
  world.settle();
  Pod edited = *world.cluster.pods().find("web-0");
  StringMap without = *edited.meta.labels;
  without.erase(label_pod_name);
  edited.meta.labels = std::make_shared<const StringMap>(without);
  world.cluster.edit_pod(edited);
  for (std::size_t call = 1; call < 9; ++call) world.faults[call] = Code::conflict;
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls_of("pod"), SizeIs(4));
  EXPECT_EQ(attempts_at_a_bump(strict_rules()), 4u);
  EXPECT_EQ(attempts_at_a_bump(kubernetes_1_37_rules()), 1u);
}

TEST(Errors, HistoryIsTruncatedThoughNoRevisionCouldBeRecorded) {
  World strict, kubernetes(kubernetes_1_37_rules());
  for (World* world : {&strict, &kubernetes}) {
    world->with(shaped(PodManagement::ordered_ready, 0));
    world->settle();
    world->edit([](StatefulSetSpec& spec) { spec.revision_history_limit = 0; });
    world->image("web:2");
    world->faults[1] = Code::internal;
    EXPECT_TRUE(world->sync().failed);
  }
  EXPECT_THAT(strict.calls, SizeIs(1)) << "the current revision stays";
  EXPECT_THAT(kubernetes.calls, ElementsAre(HasSubstr("create revision"), HasSubstr("delete revision")));
}

TEST(Errors, OldRevisionThatCannotBeDeletedEndsTruncation) {
  World world;
  world.with(shaped(PodManagement::ordered_ready, 0));
  for (const char* image : {"web:2", "web:3"}) {
    world.settle();
    world.image(image);
  }
  world.settle();
  world.edit([](StatefulSetSpec& spec) { spec.revision_history_limit = 0; });
  world.faults[2] = Code::internal;
  EXPECT_TRUE(world.sync().failed);
  EXPECT_THAT(world.calls, ElementsAre(write, HasSubstr("delete revision")));
  world.faults[1] = Code::not_found;
  EXPECT_FALSE(world.sync().failed);
  EXPECT_THAT(world.calls, SizeIs(2));
}

TEST(Errors, TheFirstOneIsReported) {
  World world;
  world.with(shaped(PodManagement::ordered_ready));
  world.faults[3] = Code::forbidden;
  world.faults[4] = Code::timeout;
  EXPECT_TRUE(world.sync().failed);
  EXPECT_EQ(world.result.code, Code::forbidden);
  EXPECT_EQ(world.result.what, "a pod could not be created");
  EXPECT_EQ(world.result.requeue_after, std::nullopt);
}

TEST(Errors, OwnersOfClaimsAreWrittenThoughThePodCouldNotBe) {
  World world;
  world.with([](StatefulSetSpec& spec) {
    shaped(PodManagement::ordered_ready)(spec);
    spec.retention = RetentionPolicy{Retention::remove, Retention::retain};
  });
  world.cluster.create_claim(claim("data-web-0"));
  world.faults[2] = Code::forbidden;
  world.sync();
  EXPECT_THAT(world.calls, Contains("update claim data-web-0 (retain-claim)"));

  World taken;
  taken.with([](StatefulSetSpec& spec) {
    shaped(PodManagement::ordered_ready)(spec);
    spec.retention = RetentionPolicy{Retention::remove, Retention::retain};
  });
  taken.cluster.create_claim(claim("data-web-0"));
  taken.faults[2] = Code::already_exists;
  taken.sync();
  EXPECT_THAT(taken.calls, Not(Contains("update claim data-web-0 (retain-claim)")));
}

/// A controller that dies leaves nothing behind that the next sync could stumble over.
TEST(Errors, DyingInTheMiddleLeavesACleanStart) {
  World world;
  world.with(shaped(PodManagement::ordered_ready));
  world.before_call = [](std::size_t call) {
    if (call == 3) throw ControllerDied{};
  };
  EXPECT_THROW(world.sync(), ControllerDied);
  world.before_call = {};
  world.controller->restart();
  world.settle();
  EXPECT_EQ(world.pods(), "web-0@1 web-1@1 web-2@1");
  EXPECT_THAT(world.calls, IsEmpty());
}

}  // namespace
}  // namespace ordeal::test
