#include "core/cluster/admitted.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/api/codec.h"

namespace ordeal {
namespace {

using nlohmann::json;

json template_of(const json& spec) {
  json whole = {{"metadata", {{"labels", {{"app", "web"}}}}},
                {"spec", {{"containers", {{{"name", "web"}, {"image", "web:1"}}}}}}};
  whole["spec"].update(spec);
  return whole;
}
Pod stored_pod(const json& spec = json::object()) {
  Pod pod;
  pod.meta.name = "web-0";
  pod.meta.uid = Uid{6};
  pod.made_from = make_template(template_of(spec));
  return pod;
}
Pod injected_pod() {
  Pod pod = stored_pod();
  pod.is_injected = true;
  return pod;
}
template <class T = Pod>
T sent_back(const json& whole) {
  T object;
  FieldErrors errors;
  EXPECT_TRUE(from_json(whole, object, errors));
  return object;
}

TEST(Admitted, IsWhatNoTemplateSays) {
  const json spec = seen_by_clients(stored_pod())["spec"];
  EXPECT_EQ(spec["serviceAccountName"], "default");
  EXPECT_EQ(spec["serviceAccount"], "default");
  EXPECT_EQ(spec["priority"], 0);
  EXPECT_EQ(spec["enableServiceLinks"], true);
  EXPECT_EQ(spec["tolerations"].size(), 2U);
  ASSERT_EQ(spec["volumes"].size(), 1U);
  EXPECT_TRUE(spec["volumes"][0]["name"].get<std::string>().starts_with("kube-api-access-"));
}

TEST(Admitted, IsNoTokenForWhoAsksForNone) {
  const Pod stored = stored_pod({{"automountServiceAccountToken", false}});
  EXPECT_FALSE(seen_by_clients(stored)["spec"].contains("volumes"));
}

TEST(Admitted, IsAFurtherContainerWhereOneWasInjected) {
  const json bare = seen_by_clients(stored_pod())["spec"]["containers"];
  EXPECT_EQ(bare.size(), 1U);
  const json containers = seen_by_clients(injected_pod())["spec"]["containers"];
  ASSERT_EQ(containers.size(), 2U);
  EXPECT_EQ(containers[0]["name"], "web");
  EXPECT_EQ(containers[1]["name"], "injected-proxy");
  EXPECT_EQ(containers[0]["resources"]["requests"]["cpu"], "137m") << "an autoscaler's, whatever the template says";
  EXPECT_NE(bare[0]["resources"], containers[0]["resources"]);
}

TEST(Admitted, LeavesWhatTheTemplateSays) {
  const json said = {{"serviceAccountName", "store"},
                     {"enableServiceLinks", false},
                     {"tolerations", {{{"key", "node.kubernetes.io/unreachable"}, {"operator", "Exists"}}}}};
  const json spec = seen_by_clients(stored_pod(said))["spec"];
  EXPECT_EQ(spec["serviceAccountName"], "store");
  EXPECT_EQ(spec["serviceAccount"], "store");
  EXPECT_EQ(spec["enableServiceLinks"], false);
  EXPECT_EQ(spec["tolerations"].size(), 2U) << "one of its own, and the other one";
}

TEST(Admitted, IsPassedOverInAPodThatIsSentBack) {
  for (const Pod& stored : {stored_pod(), stored_pod({{"serviceAccountName", "default"}}), injected_pod()}) {
    json relabelled = seen_by_clients(stored);
    relabelled["metadata"]["labels"]["edited"] = "yes";
    for (const json& whole : {seen_by_clients(stored), relabelled, to_json(stored)}) {
      Pod sent = sent_back(whole);
      EXPECT_NE(sent.made_from, stored.made_from);
      take_for_stored(sent, stored);
      EXPECT_EQ(sent.made_from, stored.made_from) << whole;
      EXPECT_EQ(sent.volumes, nullptr);
    }
  }
}

TEST(Admitted, IsNoExcuseForAnotherTemplate) {
  const Pod stored = stored_pod();
  json changed = seen_by_clients(stored);
  changed["spec"]["containers"][0]["image"] = "web:2";
  json another_account = seen_by_clients(stored);
  another_account["spec"]["serviceAccountName"] = another_account["spec"]["serviceAccount"] = "store";
  for (const json& whole : {changed, another_account}) {
    Pod sent = sent_back(whole);
    take_for_stored(sent, stored);
    EXPECT_NE(sent.made_from, stored.made_from) << whole;
  }
}

TEST(Admitted, AVolumeMayBeRepaired) {
  const Pod stored = stored_pod();
  json repaired = seen_by_clients(stored);
  repaired["spec"]["volumes"].push_back({{"name", "data"}, {"persistentVolumeClaim", {{"claimName", "data-web-0"}}}});
  Pod sent = sent_back(repaired);
  take_for_stored(sent, stored);
  EXPECT_EQ(sent.made_from, stored.made_from);
  ASSERT_NE(sent.volumes, nullptr);
  ASSERT_EQ(sent.volumes->size(), 1U);
  EXPECT_EQ(sent.volumes->front().name, "data");
}

TEST(Admitted, AClaimIsProtectedAndBound) {
  Claim stored;
  stored.meta.name = "data-web-0";
  stored.meta.finalizers = std::make_shared<const std::vector<Text>>(std::vector<Text>{"example.com/keep"});
  const json seen = seen_by_clients(stored);
  EXPECT_EQ(seen["metadata"]["finalizers"], (json{"example.com/keep", "kubernetes.io/pvc-protection"}));
  EXPECT_EQ(seen["status"]["phase"], "Bound");
  stored.phase = ClaimPhase::lost;
  EXPECT_EQ(seen_by_clients(stored)["status"]["phase"], "Lost");
}

TEST(Admitted, WhatProtectsAClaimIsNoChangeOfIt) {
  Claim stored;
  stored.meta.name = "data-web-0";
  Claim sent = sent_back<Claim>(seen_by_clients(stored));
  EXPECT_TRUE(sent.meta.has_finalizers());
  EXPECT_EQ(sent.phase, ClaimPhase::bound);
  take_for_stored(sent, stored);
  EXPECT_FALSE(sent.meta.has_finalizers());
  EXPECT_EQ(sent.phase, ClaimPhase::none);

  json held = seen_by_clients(stored);
  held["metadata"]["finalizers"].push_back("example.com/keep");
  sent = sent_back<Claim>(held);
  take_for_stored(sent, stored);
  EXPECT_EQ(*sent.meta.finalizers, std::vector<Text>{"example.com/keep"}) << "the sender's own";

  stored.meta.finalizers = sent_back<Claim>(held).meta.finalizers;
  sent = sent_back<Claim>(held);
  take_for_stored(sent, stored);
  EXPECT_EQ(*sent.meta.finalizers, *stored.meta.finalizers) << "a claim template may name it, too";
}

}  // namespace
}  // namespace ordeal
