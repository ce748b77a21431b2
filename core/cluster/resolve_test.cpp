// What patches come to: which are updates, which are patches of owners, which come to nothing, and how the server
// answers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "core/api/codec.h"
#include "core/cluster/admitted.h"
#include "core/cluster/test_objects.h"

namespace ordeal {
namespace {

using nlohmann::json;

class ResolveTest : public testing::Test {
 protected:
  void SetUp() override {
    cluster_.reset();
    ASSERT_EQ(cluster_.create_set(test::set()), Code::ok);
    ASSERT_EQ(cluster_.create_pod(test::pod_on("web-0", "data-web-0")), Code::ok);
    ASSERT_EQ(cluster_.create_claim(test::claim("data-web-0")), Code::ok);
    ASSERT_EQ(cluster_.create_revision(test::revision("web-r1")), Code::ok);
  }
  const StatefulSet& set() const { return *cluster_.sets().find("web"); }
  const Pod& pod() const { return *cluster_.pods().find("web-0"); }
  std::string set_owner() const {
    return R"({"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","uid":")" + uid_text(set().meta.uid) +
           R"(","controller":true})";
  }

  Request resolved(Kind kind, Text name, PatchType type, std::string document) const {
    Request request{.verb = Verb::patch, .kind = kind, .name = std::move(name)};
    request.body = Patch{type, std::make_shared<const std::string>(std::move(document))};
    cluster_.resolve(request);
    return request;
  }
  Request of_pod(PatchType type, std::string document) const {
    return resolved(Kind::pod, "web-0", type, std::move(document));
  }
  Request merge(std::string document) const { return of_pod(PatchType::merge, std::move(document)); }

  Cluster cluster_;
};

TEST_F(ResolveTest, APatchOfLabelsIsAnUpdateOfWhatIsStored) {
  const Version before = pod().meta.version;
  const Request asked = merge(R"({"metadata":{"labels":{"app":null,"tier":"db"}}})");
  EXPECT_EQ(asked.verb, Verb::update);
  EXPECT_EQ(asked.version, before) << "made for the one it found";
  ASSERT_TRUE(cluster_.handle(asked).ok());
  EXPECT_EQ(*pod().meta.labels, StringMap({{"tier", "db"}}));
  EXPECT_EQ(pod().volumes->front().claim, "data-web-0");
}

TEST_F(ResolveTest, AnUpdateMayHoldWhatAdmissionAdded) {
  Pod made = test::pod_on("web-2", "data-web-2");
  made.made_from = make_template({{"spec", {{"containers", {{{"name", "web"}, {"image", "web:1"}}}}}}});
  ASSERT_EQ(cluster_.create_pod(made), Code::ok);
  const Pod& stored = *cluster_.pods().find("web-2");
  json whole = seen_by_clients(stored);
  for (const char* name : {"web-2", "web-1"}) {  // as it is, and renamed by whoever takes it for another one
    whole["metadata"]["name"] = name;
    whole["metadata"]["labels"]["tier"] = "db";
    Pod sent;
    FieldErrors errors;
    ASSERT_TRUE(from_json(whole, sent, errors));
    Request update{.verb = Verb::update, .kind = Kind::pod, .name = name, .body = sent, .uid = stored.meta.uid};
    cluster_.resolve(update);
    EXPECT_EQ(update.pod().made_from, stored.made_from) << name;
    EXPECT_TRUE(alike(update.pod().volumes, stored.volumes)) << name;
  }
}

TEST_F(ResolveTest, EveryFormAndKindIsServed) {
  ASSERT_TRUE(
      cluster_
          .handle(of_pod(PatchType::operations, R"([{"op":"add","path":"/metadata/annotations","value":{"a":"1"}}])"))
          .ok());
  EXPECT_EQ(*pod().meta.annotations, StringMap({{"a", "1"}}));
  ASSERT_TRUE(
      cluster_.handle(of_pod(PatchType::strategic, R"({"metadata":{"finalizers":["example.org/keep"]}})")).ok());
  EXPECT_EQ(pod().meta.finalizers->front(), "example.org/keep");
  const Request claim = resolved(Kind::claim, "data-web-0", PatchType::merge,
                                 R"({"metadata":{"ownerReferences":[)" + set_owner() + "]}}");
  EXPECT_EQ(claim.verb, Verb::update) << "owners of claims follow the policy: nobody adopts a claim";
  ASSERT_TRUE(cluster_.handle(claim).ok());
  EXPECT_EQ(cluster_.claims().find("data-web-0")->meta.owners->size(), 1u);
  ASSERT_TRUE(cluster_.handle(resolved(Kind::revision, "web-r1", PatchType::merge, R"({"revision":7})")).ok());
  EXPECT_EQ(cluster_.revisions().find("web-r1")->number, 7);
}

TEST_F(ResolveTest, AnOwnerThatComesOrGoesIsAPatchOfOwners) {
  const std::string adopts = R"({"metadata":{"ownerReferences":[)" + set_owner() + R"(]}})";
  const Request careless = merge(adopts);
  ASSERT_EQ(careless.verb, Verb::patch_owners);
  EXPECT_EQ(careless.owner_patch().add->uid, set().meta.uid);
  EXPECT_EQ(careless.owner_patch().object_uid, Uid::none) << "whatever bears the name would be adopted";
  const Request careful =
      merge(R"({"metadata":{"uid":")" + uid_text(pod().meta.uid) + R"(","ownerReferences":[)" + set_owner() + "]}}");
  EXPECT_EQ(careful.owner_patch().object_uid, pod().meta.uid);
  ASSERT_TRUE(cluster_.handle(careful).ok());
  ASSERT_TRUE(pod().meta.controller() != nullptr);
  const Request again = merge(adopts);
  EXPECT_EQ(again.verb, Verb::patch_owners) << "what was done before is still an adoption";
  const Version before = pod().meta.version;
  EXPECT_TRUE(cluster_.handle(again).ok());
  EXPECT_EQ(pod().meta.version, before);

  const Request releases = of_pod(PatchType::operations, R"([{"op":"remove","path":"/metadata/ownerReferences"}])");
  ASSERT_EQ(releases.verb, Verb::patch_owners);
  EXPECT_EQ(releases.owner_patch().remove, set().meta.uid);
  ASSERT_TRUE(cluster_.handle(releases).ok());
  EXPECT_EQ(pod().meta.owners, nullptr);
}

TEST_F(ResolveTest, AnUpdateThatOnlyAdoptsIsAPatchOfOwnersToo) {
  Request request{.verb = Verb::update, .kind = Kind::pod, .name = "web-0"};
  request.body = test::owned_by(pod(), {test::owner(set())});
  request.version = pod().meta.version;
  cluster_.resolve(request);
  ASSERT_EQ(request.verb, Verb::patch_owners);
  EXPECT_EQ(request.owner_patch().object_uid, pod().meta.uid) << "a version is of one incarnation";

  Pod labelled = test::owned_by(pod(), {test::owner(set())});
  labelled.meta.labels = test::labels({{"app", "db"}});
  Request both{.verb = Verb::update, .kind = Kind::pod, .name = "web-0"};
  both.body = labelled;
  cluster_.resolve(both);
  EXPECT_EQ(both.verb, Verb::update);
  Request stale{.verb = Verb::update, .kind = Kind::pod, .name = "web-0"};
  stale.body = test::owned_by(pod(), {test::owner(set())});
  const Version before = pod().meta.version;
  stale.version = before;
  ASSERT_TRUE(cluster_.handle(merge(R"({"metadata":{"annotations":{"a":"1"}}})")).ok());
  cluster_.resolve(stale);
  EXPECT_EQ(stale.verb, Verb::patch_owners) << "too late, it is an adoption still";
  EXPECT_EQ(cluster_.handle(stale).code, Code::conflict);
  ASSERT_EQ(cluster_.delete_pod("web-0", 0), Code::ok);
  Request gone{.verb = Verb::update, .kind = Kind::pod, .name = "web-0"};
  gone.body = std::get<Pod>(both.body);
  std::get<Pod>(gone.body).meta.labels = test::labels({{"app", "web"}});
  gone.version = before;
  cluster_.resolve(gone);
  EXPECT_EQ(gone.verb, Verb::patch_owners);
  EXPECT_EQ(cluster_.handle(gone).code, Code::not_found);
}

TEST_F(ResolveTest, APatchOfOwnersIsKnownHoweverItIsWritten) {
  const Uid first = pod().meta.uid;
  const std::string by_uid =
      R"({"metadata":{"uid":")" + uid_text(first) + R"(","ownerReferences":[)" + set_owner() + "]}}";
  Pod owned = test::owned_by(pod(), {test::stranger()});
  ASSERT_EQ(cluster_.edit_pod(owned), Code::ok);
  const Request before_another = of_pod(
      PatchType::operations, R"([{"op":"add","path":"/metadata/ownerReferences/0","value":)" + set_owner() + "}]");
  ASSERT_EQ(before_another.verb, Verb::patch_owners);
  EXPECT_EQ(before_another.owner_patch().add->uid, set().meta.uid);
  EXPECT_EQ(merge(R"({"metadata":{"namespace":"default","ownerReferences":null}})").owner_patch().remove,
            test::stranger().uid);

  owned.meta.owners = nullptr;
  ASSERT_EQ(cluster_.edit_pod(owned), Code::ok);
  ASSERT_EQ(cluster_.delete_pod("web-0", 0), Code::ok);
  EXPECT_EQ(merge(R"({"metadata":{"ownerReferences":null}})").verb, Verb::patch_owners)
      << "nobody is there to be released";
  ASSERT_EQ(cluster_.create_pod(test::pod("web-0")), Code::ok);
  const Request of_the_first = merge(by_uid);
  ASSERT_EQ(of_the_first.verb, Verb::patch_owners);
  EXPECT_EQ(of_the_first.owner_patch().add->uid, set().meta.uid) << "an adoption of the one that is gone";
  EXPECT_EQ(of_the_first.owner_patch().object_uid, first);
  EXPECT_EQ(cluster_.handle(of_the_first).code, Code::invalid);
  EXPECT_EQ(cluster_.handle(merge(R"({"metadata":{"uid":")" + uid_text(first) + R"(","labels":{"a":"b"}}})")).code,
            Code::invalid);
}

TEST_F(ResolveTest, WhatAPatchOfOwnersWantedIsKnownThoughItCanNoLongerBeApplied) {
  ASSERT_EQ(cluster_.edit_pod(test::owned_by(pod(), {test::owner(set())})), Code::ok);
  const std::string version = std::to_string(static_cast<std::uint64_t>(pod().meta.version));
  const std::string releases = R"([{"op":"remove","path":"/metadata/ownerReferences"},)"
                               R"({"op":"add","path":"/metadata/resourceVersion","value":")" +
                               version + R"("}])";
  ASSERT_TRUE(cluster_.handle(of_pod(PatchType::operations, releases)).ok());
  const Request again = of_pod(PatchType::operations, releases);
  ASSERT_EQ(again.verb, Verb::patch_owners);
  EXPECT_EQ(again.owner_patch().remove, set().meta.uid) << "a release, if one that comes too late";
  EXPECT_FALSE(again.owner_patch().applies);
  EXPECT_EQ(cluster_.handle(again).code, Code::invalid) << "there is nothing to be removed";
}

TEST_F(ResolveTest, AReleaseStaysOneThoughThePodIsAnothersByNow) {
  ASSERT_EQ(cluster_.edit_pod(test::owned_by(pod(), {test::stranger(true)})), Code::ok);
  const Request release = of_pod(PatchType::strategic, R"({"metadata":{"uid":")" + uid_text(pod().meta.uid) +
                                                           R"(","ownerReferences":[{"$patch":"delete","uid":")" +
                                                           uid_text(set().meta.uid) + R"("}]}})");
  ASSERT_EQ(release.verb, Verb::patch_owners);
  EXPECT_FALSE(release.owner_patch().add);
  ASSERT_TRUE(cluster_.handle(release).ok());
  EXPECT_EQ(pod().meta.controller()->uid, test::stranger().uid) << "whose it is by now";
}

// Sets of a manifest need not name a namespace; clients are shown one all the same.
TEST_F(ResolveTest, WhereNoNamespaceIsNamedItIsTheDefaultOne) {
  cluster_.reset();
  StatefulSet nowhere = test::set();
  nowhere.meta.ns = Text();
  ASSERT_EQ(cluster_.create_set(nowhere), Code::ok);
  EXPECT_TRUE(cluster_
                  .handle(resolved(Kind::set, "web", PatchType::merge,
                                   R"({"metadata":{"namespace":"default"},"status":{"replicas":1}})"))
                  .ok());
  EXPECT_EQ(cluster_
                .handle(resolved(Kind::set, "web", PatchType::merge,
                                 R"({"metadata":{"namespace":"other"},"status":{"replicas":1}})"))
                .code,
            Code::invalid);
}

TEST_F(ResolveTest, WhatNamesAVersionOfOneThatIsAnotherByNowIsUnderstoodAndRefused) {
  const std::string version = std::to_string(static_cast<std::uint64_t>(pod().meta.version));
  ASSERT_TRUE(cluster_.handle({.verb = Verb::remove, .kind = Kind::pod, .name = "web-0", .grace = 0}).ok());
  ASSERT_EQ(cluster_.create_pod(test::pod("web-0")), Code::ok);
  const std::string of_version = R"("resourceVersion":")" + version + R"(",)";
  for (const std::string& named : {of_version, std::string()}) {
    const Request asked = merge(R"({"metadata":{)" + named + R"("labels":{"app":"db"}}})");
    EXPECT_EQ(asked.verb, Verb::update) << named;
    EXPECT_EQ(cluster_.handle(asked).code, named.empty() ? Code::ok : Code::conflict);
  }
}

TEST_F(ResolveTest, WhatComesToNothingIsRefused) {
  const struct {
    const char* document;
    Code answer;
    Verb verb;
  } cases[] = {
      {R"({"spec":{"hostname":"other"}})", Code::invalid, Verb::patch},
      {R"({"metadata":{"name":"web-1"}})", Code::invalid, Verb::patch},
      {R"({"metadata":{"uid":"00000000-0000-4000-8000-00000000ffff"}})", Code::invalid, Verb::patch},
      {R"({"metadata":{"labels":{"app":5}}})", Code::invalid, Verb::patch},
      {R"({"metadata":{"labels":{"-":"x"}}})", Code::invalid, Verb::update},
      {R"({"metadata":{"resourceVersion":"1","labels":{"app":"db"}}})", Code::conflict, Verb::update},
      {R"({"metadata":{"resourceVersion":"1"},"spec":{"hostname":"other"}})", Code::conflict, Verb::patch},
      {R"({"metadata":{"resourceVersion":"latest"}})", Code::invalid, Verb::patch},
      {R"({"metadata":{"ownerReferences":[{"uid":"?"}]}})", Code::invalid, Verb::patch_owners},
      {R"({"metadata":null})", Code::invalid, Verb::patch},
      {R"({"metadata":{}})", Code::ok, Verb::update},
      {R"({"status":{"phase":"Failed"}})", Code::ok, Verb::update},  // a status is passed over
  };
  const std::size_t writes = cluster_.pods().log().size();
  for (const auto& c : cases) {
    const Request asked = merge(c.document);
    EXPECT_EQ(asked.verb, c.verb) << c.document;
    EXPECT_EQ(cluster_.handle(asked).code, c.answer) << c.document;
  }
  EXPECT_EQ(cluster_.pods().log().size(), writes) << "none of them changed anything";
  EXPECT_EQ(cluster_.handle(of_pod(PatchType::operations, R"([{"op":"remove","path":"/metadata/labels/none"}])")).code,
            Code::invalid);
  EXPECT_EQ(cluster_.handle(resolved(Kind::pod, "web-9", PatchType::merge, "{}")).code, Code::not_found);
  const Request of_owners = resolved(Kind::pod, "web-9", PatchType::merge, R"({"metadata":{"ownerReferences":[]}})");
  EXPECT_EQ(of_owners.verb, Verb::patch_owners) << "the one that is gone was to be adopted or released";
  EXPECT_EQ(cluster_.handle(of_owners).code, Code::not_found);
}

TEST_F(ResolveTest, AStatusIsPatchedByItself) {
  const Request asked = resolved(Kind::set, "web", PatchType::merge,
                                 R"({"status":{"replicas":2,"currentRevision":"web-1"},"spec":{"replicas":9}})");
  ASSERT_EQ(asked.verb, Verb::update_status);
  EXPECT_EQ(asked.version, set().meta.version);
  ASSERT_TRUE(cluster_.handle(asked).ok());
  EXPECT_EQ(set().status.replicas, 2);
  ASSERT_TRUE(cluster_
                  .handle(resolved(Kind::set, "web", PatchType::operations,
                                   R"([{"op":"replace","path":"/status/replicas","value":3}])"))
                  .ok());
  EXPECT_EQ(set().status.replicas, 3);
  EXPECT_EQ(set().status.current_revision, "web-1") << "a patch says nothing of what it does not name";
  EXPECT_EQ(set().spec->replicas, 3) << "of the set itself it changes nothing";
  EXPECT_EQ(cluster_.handle(resolved(Kind::set, "web", PatchType::merge, R"({"status":{"replicas":-1}})")).code,
            Code::invalid);
  EXPECT_EQ(cluster_.handle(resolved(Kind::set, "web", PatchType::merge, R"({"status":{"replicas":"many"}})")).code,
            Code::invalid);
  const Request stale = resolved(Kind::set, "web", PatchType::merge,
                                 R"({"metadata":{"resourceVersion":"1"},"status":{"readyReplicas":1}})");
  ASSERT_EQ(stale.verb, Verb::update_status);
  EXPECT_EQ(stale.status().replicas, 0) << "what was asked for was of the version that it names";
  EXPECT_EQ(cluster_.handle(stale).code, Code::conflict);
  EXPECT_EQ(
      cluster_.handle(resolved(Kind::set, "web", PatchType::merge, R"({"metadata":{"resourceVersion":"999"}})")).code,
      Code::conflict);
  EXPECT_EQ(cluster_.handle(resolved(Kind::set, "db", PatchType::merge, R"({"status":{"replicas":1}})")).code,
            Code::not_found);
}

}  // namespace
}  // namespace ordeal
