// What applies come to, and how the server answers.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/cluster/managers.h"
#include "core/cluster/test_objects.h"

namespace ordeal {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class ApplyTest : public testing::Test {
 protected:
  void SetUp() override {
    cluster_.reset();
    ASSERT_EQ(cluster_.create_set(test::set()), Code::ok);
    ASSERT_EQ(cluster_.create_pod(test::pod("web-0")), Code::ok);
    ASSERT_EQ(cluster_.create_claim(test::claim("data-web-0")), Code::ok);
  }
  const StatefulSet& set() const { return *cluster_.sets().find("web"); }
  const Pod& pod() const { return *cluster_.pods().find("web-0"); }

  /// The parts are those of the configuration, which says its kind and its name besides.
  struct Asked {
    Kind kind = Kind::pod;
    Text name = "web-0";
    json config = json::object();
    Text manager = "mine";
    bool forces = false;
  };
  Request resolved(const Asked& asked) const {
    json config = asked.config;
    const bool is_core = asked.kind == Kind::pod || asked.kind == Kind::claim;
    if (!config.contains("apiVersion")) config["apiVersion"] = is_core ? "v1" : "apps/v1";
    if (!config.contains("kind"))
      config["kind"] = asked.kind == Kind::pod     ? "Pod"
                       : asked.kind == Kind::claim ? "PersistentVolumeClaim"
                       : asked.kind == Kind::set   ? "StatefulSet"
                                                   : "ControllerRevision";
    if (!config["metadata"].contains("name")) config["metadata"]["name"] = asked.name.str();
    Apply apply{
        .manager = asked.manager, .forces = asked.forces, .json = std::make_shared<const std::string>(config.dump())};
    Request creation{.verb = Verb::create, .kind = asked.kind, .name = asked.name};
    with_type(asked.kind, [&]<class T>(std::type_identity<T>) {
      if constexpr (!std::is_same_v<T, StatefulSet>) {
        T object;
        FieldErrors errors;
        if (from_json(config, object, errors)) creation.body = object;
      }
    });
    apply.creation = std::make_shared<const Request>(creation);
    Request request{.verb = Verb::patch, .kind = asked.kind, .name = asked.name};
    request.body = std::move(apply);
    cluster_.resolve(request);
    return request;
  }
  Reply applied(const Asked& asked) { return cluster_.handle(resolved(asked)); }
  Reply labelled(const json& labels, Text manager = "mine", bool forces = false) {
    return applied({.config = {{"metadata", {{"labels", labels}}}}, .manager = manager, .forces = forces});
  }
  json owner() const { return to_json(Owners{test::owner(set())})[0]; }

  Cluster cluster_;
};

TEST_F(ApplyTest, MakesWhatIsNotThere) {
  const Asked asked{.kind = Kind::claim, .name = "data-web-1", .config = {{"spec", json::object()}}};
  EXPECT_EQ(resolved(asked).verb, Verb::create);
  const Reply reply = applied(asked);
  EXPECT_TRUE(reply.ok());
  EXPECT_TRUE(reply.created);
  ASSERT_NE(cluster_.claims().find("data-web-1"), nullptr);
  const Reply again = applied(asked);
  EXPECT_TRUE(again.ok());
  EXPECT_FALSE(again.created);
  EXPECT_EQ(again.version(), reply.version()) << "it changes nothing";
}

/// Who applies the same in every turn only makes sure.
TEST_F(ApplyTest, OfWhatIsSoAlreadyIsARead) {
  const Asked asked{.config = {{"metadata", {{"labels", {{"tier", "db"}}}}}}};
  ASSERT_TRUE(applied(asked).ok());
  EXPECT_EQ(resolved(asked).verb, Verb::get);
  const Reply read = applied(asked);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.version(), pod().meta.version);
  Asked of_another = asked;
  of_another.manager = "another";
  EXPECT_EQ(resolved(of_another).verb, Verb::update) << "whose the field is changes";
  const Asked owned{
      .kind = Kind::claim, .name = "data-web-1", .config = {{"metadata", {{"ownerReferences", {owner()}}}}}};
  ASSERT_TRUE(applied(owned).ok());
  EXPECT_EQ(resolved(owned).verb, Verb::get) << "a claim's owner, too: nobody adopts it";
}

TEST_F(ApplyTest, OfALaterObjectIsItsUpdate) {
  const Request asked = resolved({.config = {{"metadata", {{"labels", {{"tier", "db"}}}}}}});
  EXPECT_EQ(asked.verb, Verb::update);
  EXPECT_EQ(asked.version, pod().meta.version) << "made for the one it found";
  EXPECT_TRUE(asked.partial);
  ASSERT_TRUE(cluster_.handle(asked).ok());
  EXPECT_EQ(*pod().meta.labels, StringMap({{"app", "web"}, {"tier", "db"}}));
}

TEST_F(ApplyTest, WhatItLeavesOutGoesAndValuesChangeInBetween) {
  ASSERT_TRUE(labelled({{"tier", "db"}, {"zone", "a"}}).ok());
  ASSERT_TRUE(labelled({{"tier", "web"}, {"zone", "a"}}).ok()) << "the same fields";
  ASSERT_TRUE(labelled({{"zone", "a"}}).ok());
  EXPECT_EQ(*pod().meta.labels, StringMap({{"app", "web"}, {"zone", "a"}}));
}

TEST_F(ApplyTest, OneThatChangesOwnersAloneMakesAVersionOnce) {
  const Version before = pod().meta.version;
  ASSERT_TRUE(labelled({{"app", "web"}}).ok());
  const Version after = pod().meta.version;
  EXPECT_NE(after, before) << "of managers, which an API server stores with the object";
  ASSERT_TRUE(labelled({{"app", "web"}}).ok());
  EXPECT_EQ(pod().meta.version, after);
}

TEST_F(ApplyTest, AnOwnerThatComesIsAnAdoption) {
  const json adopts = {{"metadata", {{"uid", uid_text(pod().meta.uid)}, {"ownerReferences", {owner()}}}}};
  const Request careful = resolved({.config = adopts});
  ASSERT_EQ(careful.verb, Verb::patch_owners);
  EXPECT_EQ(careful.owner_patch().add->uid, set().meta.uid);
  EXPECT_EQ(careful.owner_patch().object_uid, pod().meta.uid);
  EXPECT_EQ(careful.version, Version::none);
  const Request careless = resolved({.config = {{"metadata", {{"ownerReferences", {owner()}}}}}});
  EXPECT_EQ(careless.owner_patch().object_uid, Uid::none) << "whatever bears the name would be adopted";
  ASSERT_TRUE(cluster_.handle(careful).ok());
  EXPECT_TRUE(pod().meta.controlled_by(set().meta.uid));
  const Version before = pod().meta.version;
  const Request again = resolved({.config = adopts});
  EXPECT_EQ(again.verb, Verb::patch_owners) << "what was done before is still an adoption";
  EXPECT_TRUE(cluster_.handle(again).ok());
  EXPECT_EQ(pod().meta.version, before);
}

TEST_F(ApplyTest, WritesTheStatusOfASet) {
  const auto status = [&](json members) {
    return Asked{.kind = Kind::set, .name = "web", .config = {{"status", members}}};
  };
  ASSERT_EQ(resolved(status({{"replicas", 2}})).verb, Verb::update_status);
  ASSERT_TRUE(applied(status({{"replicas", 2}, {"readyReplicas", 1}})).ok());
  EXPECT_EQ(set().status.ready_replicas, 1);
  ASSERT_TRUE(applied(status({{"replicas", 3}})).ok());
  EXPECT_EQ(set().status.replicas, 3);
  EXPECT_EQ(set().status.ready_replicas, 0) << "what it leaves out goes";
  EXPECT_EQ(applied({.kind = Kind::set, .name = "db", .config = {{"status", {{"replicas", 1}}}}}).code,
            Code::not_found);
}

TEST_F(ApplyTest, AFieldOfAnotherManagersIsAConflict) {
  ASSERT_TRUE(labelled({{"tier", "db"}}).ok());
  const Reply reply = labelled({{"tier", "web"}, {"app", "db"}}, "other");
  EXPECT_EQ(reply.code, Code::conflict);
  EXPECT_EQ(reply.why.view(),
            R"(Apply failed with 2 conflicts: conflict with "mine": .metadata.labels.tier, conflict with "update": )"
            ".metadata.labels.app");
  ASSERT_TRUE(reply.managed_by);
  EXPECT_EQ(reply.managed_by->front(), (FieldConflict{"mine", ".metadata.labels.tier"}));
  EXPECT_TRUE(labelled({{"tier", "web"}, {"app", "db"}}, "other", true).ok());
  EXPECT_EQ(*pod().meta.labels, StringMap({{"app", "db"}, {"tier", "web"}}));
}

TEST_F(ApplyTest, AnUpdateInBetweenTakesTheFieldItChanges) {
  ASSERT_TRUE(labelled({{"tier", "db"}}).ok());
  Pod edited = pod();
  edited.meta.labels = test::labels({{"app", "web"}, {"tier", "web"}});
  ASSERT_EQ(cluster_.edit_pod(edited), Code::ok);
  EXPECT_EQ(labelled({{"tier", "db"}}).code, Code::conflict);
  EXPECT_TRUE(labelled(json::object()).ok());
  EXPECT_EQ(*pod().meta.labels->find("tier"), "web") << "no longer its own, so it stays";
}

TEST_F(ApplyTest, AnObjectOfTheSameNameHasNoManagers) {
  ASSERT_TRUE(labelled({{"tier", "db"}}).ok());
  ASSERT_EQ(cluster_.delete_pod("web-0", 0), Code::ok);
  cluster_.recover_nodes();
  Pod made = test::pod("web-0");
  made.meta.labels = test::labels({{"tier", "db"}});
  ASSERT_EQ(cluster_.create_pod(made), Code::ok);
  ASSERT_TRUE(labelled(json::object()).ok());
  EXPECT_NE(pod().meta.labels->find("tier"), nullptr);
}

TEST_F(ApplyTest, VersionAndUidAreConditions) {
  const auto named = [&](const char* member, std::string value) {
    return applied({.config = {{"metadata", {{member, value}, {"labels", {{"tier", "db"}}}}}}}).code;
  };
  EXPECT_EQ(named("resourceVersion", "1"), Code::conflict);
  EXPECT_EQ(named("uid", uid_text(Uid{4711})), Code::invalid);
  EXPECT_EQ(pod().meta.labels->find("tier"), nullptr);
  EXPECT_EQ(named("resourceVersion", std::to_string(static_cast<std::uint64_t>(pod().meta.version))), Code::ok);
  const auto of_none = [&](const char* member, std::string value) {
    return applied(
        {.kind = Kind::claim, .name = "new", .config = {{"metadata", {{member, value}}}, {"spec", json::object()}}});
  };
  EXPECT_EQ(of_none("uid", uid_text(Uid{4711})).code, Code::conflict);
  EXPECT_TRUE(of_none("resourceVersion", "1").created) << "as an API server passes it over";
}

TEST_F(ApplyTest, AnAdoptionOfWhatIsGoneIsOneAllTheSame) {
  const json adopts = {{"metadata", {{"uid", uid_text(pod().meta.uid)}, {"ownerReferences", {owner()}}}}};
  ASSERT_EQ(cluster_.delete_pod("web-0", 0), Code::ok);
  const Request asked = resolved({.config = adopts});
  EXPECT_EQ(asked.verb, Verb::patch_owners);
  const Reply reply = cluster_.handle(asked);
  EXPECT_EQ(reply.code, Code::conflict);
  EXPECT_THAT(reply.why.str(), HasSubstr("uid mismatch"));
}

TEST_F(ApplyTest, TheSpecOfWhatIsThereStaysAsItIs) {
  const json spec = {{"containers", {{{"name", "web"}, {"image", "web:2"}}}}};
  EXPECT_EQ(applied({.config = {{"spec", spec}}, .forces = true}).code, Code::invalid);
}

TEST_F(ApplyTest, OneThatContradictsItselfIsABadRequest) {
  const struct {
    Asked asked;
    Code code;
    const char* because;
  } cases[] = {
      {{.manager = ""}, Code::invalid, "fieldManager: is required"},
      {{.manager = Text(std::string(129, 'm'))}, Code::invalid, "fieldManager: must be"},
      {{.config = {{"apiVersion", "v2"}}}, Code::bad_request, "invalid object type: v2, Kind=Pod"},
      {{.config = {{"kind", "Node"}}}, Code::bad_request, "invalid object type: v1, Kind=Node"},
      {{.config = {{"metadata", {{"managedFields", json::array()}}}}},
       Code::bad_request,
       "metadata.managedFields must be nil"},
      {{.config = {{"metadata", {{"name", "web-1"}}}}},
       Code::bad_request,
       "(web-1) does not match the name on the URL"},
      {{.config = {{"metadata", {{"namespace", "other"}}}}}, Code::bad_request, "the namespace of the object"},
      {{.config = {{"spec", {{"volumes", {{{"emptyDir", json::object()}}}}}}}}, Code::internal, "lacks its key"},
      {{.config = {{"status", 5}}}, Code::internal, ".status: expected map"},
  };
  for (const auto& c : cases) {
    const Reply reply = applied(c.asked);
    EXPECT_EQ(reply.code, c.code) << c.because;
    EXPECT_THAT(reply.why.str(), HasSubstr(c.because));
  }
}

}  // namespace
}  // namespace ordeal
