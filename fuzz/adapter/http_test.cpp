#include "fuzz/adapter/http.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/cluster/cluster.h"
#include "fuzz/adapter/answer.h"
#include "fuzz/adapter/recorded.h"

namespace ordeal::fuzz {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const Text ns = "default";

json call(std::string method, std::string path, json body = nullptr) {
  return {{"method", std::move(method)}, {"path", std::move(path)}, {"body", std::move(body)}};
}

json patch(std::string path, const char* type, json body) {
  json made = call("PATCH", std::move(path), std::move(body));
  made["contentType"] = type;
  return made;
}

const json pod_json = json::parse(R"({"apiVersion": "v1", "kind": "Pod",
  "metadata": {"name": "web-0", "namespace": "default", "uid": "00000000-0000-4000-8000-000000000007", "resourceVersion": "12",
               "creationTimestamp": null, "labels": {"app": "web"}},
  "spec": {"containers": [{"name": "web", "image": "web:1", "resources": {}}], "hostname": "web-0"}, "status": {}})");

json without(json body, const char* path) {
  const json::json_pointer at(path);
  body[at.parent_pointer()].erase(at.back());
  return body;
}

json changed(json body, const char* path, json value) {
  body[json::json_pointer(path)] = std::move(value);
  return body;
}

Request read(const json& asked) {
  auto request = request_of(asked, ns);
  EXPECT_TRUE(request.has_value()) << request.error();
  return request.value_or(Request{});
}

TEST(RequestOf, TakesItsVerbKindAndNameFromMethodAndPath) {
  const struct {
    const char *method, *path;
    json body;
    Verb verb;
    Kind kind;
    const char* name;
  } cases[] = {
      {"GET", "/apis/apps/v1/namespaces/default/statefulsets/web", nullptr, Verb::get, Kind::set, "web"},
      {"GET", "/apis/apps/v1/namespaces/default/statefulsets/web/status", nullptr, Verb::get, Kind::set, "web"},
      {"PUT",
       "/apis/apps/v1/namespaces/default/statefulsets/web/status",
       {{"status", {{"replicas", 1}}}},
       Verb::update_status,
       Kind::set,
       "web"},
      {"POST", "/api/v1/namespaces/default/pods", pod_json, Verb::create, Kind::pod, "web-0"},
      {"PUT", "/api/v1/namespaces/default/pods/web-0", pod_json, Verb::update, Kind::pod, "web-0"},
      {"DELETE", "/api/v1/namespaces/default/pods/web-0", nullptr, Verb::remove, Kind::pod, "web-0"},
      {"GET", "/api/v1/namespaces/default/persistentvolumeclaims/data-web-0", nullptr, Verb::get, Kind::claim,
       "data-web-0"},
      {"DELETE", "/apis/apps/v1/namespaces/default/controllerrevisions/web-1", nullptr, Verb::remove, Kind::revision,
       "web-1"},
  };
  for (const auto& c : cases) {
    const Request request = read(call(c.method, c.path, c.body));
    EXPECT_EQ(request.verb, c.verb) << c.path;
    EXPECT_EQ(request.kind, c.kind) << c.path;
    EXPECT_EQ(request.name, c.name) << c.path;
  }
}

TEST(RequestOf, NamesWhatIsInAnotherNamespaceWithIt) {
  json made = pod_json;
  made["metadata"]["namespace"] = "elsewhere";
  const Request removal = read(call("DELETE", "/api/v1/namespaces/elsewhere/pods/web-0"));
  EXPECT_EQ(removal.name, "elsewhere/web-0");
  EXPECT_EQ(call_of(removal, ns)["path"], "/api/v1/namespaces/elsewhere/pods/web-0");
  EXPECT_EQ(read(call("POST", "/api/v1/namespaces/elsewhere/pods", made)).name, "elsewhere/web-0");
  EXPECT_EQ(
      read(call("PUT", "/apis/apps/v1/namespaces/elsewhere/statefulsets/web/status", {{"status", {{"replicas", 1}}}}))
          .name,
      "elsewhere/web");
}

// A fuzzer begins with these. Those that are refused say so in their names.
TEST(RequestOf, UnderstandsEveryCallOfTheCorpus) {
  std::size_t understood = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ORDEAL_SOURCE "/corpus/calls")) {
    std::ifstream file(entry.path());
    const json stored = json::parse(file);
    if (is_event(stored)) continue;
    if (entry.path().filename().string().starts_with("refused-")) {
      EXPECT_FALSE(request_of(stored, ns)) << entry.path();
      continue;
    }
    EXPECT_EQ(read(stored).reason, Reason::unstated) << entry.path();
    ++understood;
  }
  EXPECT_GE(understood, 8u);
}

TEST(RequestOf, ReadsConditions) {
  const Request update = read(call("PUT", "/api/v1/namespaces/default/pods/web-0", pod_json));
  EXPECT_EQ(update.version, Version{12});
  EXPECT_EQ(update.uid, Uid{7});
  const Request create = read(call("POST", "/api/v1/namespaces/default/pods", pod_json));
  EXPECT_EQ(create.uid, Uid::none);
  const Request remove = read(call(
      "DELETE", "/api/v1/namespaces/default/pods/web-0",
      json::parse(
          R"({"gracePeriodSeconds": 0, "preconditions": {"uid": "00000000-0000-4000-8000-000000000007", "resourceVersion": "5"}})")));
  EXPECT_EQ(remove.grace, 0);
  EXPECT_EQ(remove.uid, Uid{7});
  EXPECT_EQ(remove.version, Version{5});
}

TEST(RequestOf, TakesGracePeriodsThatAClockCanBear) {
  const auto with = [](const char* grace) {
    return call("DELETE", "/api/v1/namespaces/default/pods/web-0",
                json::parse(std::string(R"({"gracePeriodSeconds": )") + grace + "}"));
  };
  for (const std::int64_t grace :
       {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0}, std::int64_t{2147483647}})
    EXPECT_EQ(read(with(std::to_string(grace).c_str())).grace, grace);
  EXPECT_EQ(read(with("null")).grace, std::nullopt);
  for (const char* longer : {"2147483648", "9223372036854775807"})
    EXPECT_EQ(read(with(longer)).grace, 2147483647) << longer;
}

TEST(RequestOf, ReadsWhatBecomesOfDependents) {
  const auto with = [](const char* options) {
    return request_of(call("DELETE", "/api/v1/namespaces/default/pods/web-0", json::parse(options)), ns);
  };
  for (const char* options : {R"({"propagationPolicy":"Background"})", R"({"orphanDependents":false})", "{}"})
    EXPECT_EQ(with(options).value().propagation, Propagation::background) << options;
  EXPECT_EQ(with(R"({"propagationPolicy":"Foreground"})").value().propagation, Propagation::foreground);
  for (const char* options : {R"({"propagationPolicy":"Orphan"})", R"({"orphanDependents":true})"})
    EXPECT_EQ(with(options).value().propagation, Propagation::orphan) << options;
}

TEST(RequestOf, ReadsOptionsOfTheUrlWhereThereIsNoBody) {
  const auto with = [](const char* query, const json& body) {
    json asked = call("DELETE", "/api/v1/namespaces/default/pods/web-0", body);
    asked["query"] = query;
    return request_of(asked, ns);
  };
  const auto asked = with("gracePeriodSeconds=0&propagationPolicy=Orphan", nullptr);
  ASSERT_TRUE(asked) << asked.error();
  EXPECT_EQ(asked->grace, 0);
  EXPECT_EQ(asked->propagation, Propagation::orphan);
  EXPECT_EQ(with("orphanDependents=true", nullptr).value().propagation, Propagation::orphan);
  EXPECT_EQ(with("gracePeriodSeconds=0", json::object()).value().grace, std::nullopt);
  const auto soon = with("gracePeriodSeconds=soon", nullptr);
  ASSERT_TRUE(soon && soon->refused);
  EXPECT_EQ(soon->refused->code, Code::bad_request);
  EXPECT_THAT(soon->refused->why.str(), HasSubstr("(found: \"soon\")"));
}

TEST(RequestOf, WhatIsOfAnotherObjectThanItsUrlIsABadRequest) {
  const std::string pods = "/api/v1/namespaces/default/pods";
  const std::string status = "/apis/apps/v1/namespaces/default/statefulsets/web/status";
  const json set = {{"metadata", {{"name", "web"}, {"namespace", "default"}}}, {"status", {{"replicas", 1}}}};
  const auto code = [](const json& asked) {
    const auto request = request_of(asked, ns);
    if (!request) return Code::invalid;
    return request->refused ? request->refused->code : Code::ok;
  };
  EXPECT_EQ(code(call("POST", pods, pod_json)), Code::ok);
  EXPECT_EQ(code(call("POST", pods, changed(pod_json, "/kind", "PodTemplate"))), Code::bad_request);
  EXPECT_EQ(code(call("POST", pods, without(pod_json, "/kind"))), Code::ok);
  EXPECT_EQ(code(call("PUT", pods + "/web-0", pod_json)), Code::ok);
  EXPECT_EQ(code(call("PUT", pods + "/web-1", pod_json)), Code::bad_request);
  EXPECT_EQ(code(call("PUT", pods + "/web-0", changed(pod_json, "/apiVersion", "v2"))), Code::bad_request);
  EXPECT_EQ(code(call("PUT", status, set)), Code::ok);
  EXPECT_EQ(code(call("PUT", status, changed(set, "/metadata/name", "other"))), Code::bad_request);
  EXPECT_EQ(code(call("PUT", status, without(set, "/metadata/name"))), Code::bad_request);
  EXPECT_EQ(code(call("PUT", status, changed(set, "/metadata/namespace", "other"))), Code::bad_request);
  EXPECT_EQ(code(call("PUT", status, without(set, "/metadata/namespace"))), Code::ok);
}

// A controller that writes them is wrong, and gets to know it as from any API server: the trial goes on.
TEST(RequestOf, ABodyThatCannotBeReadIsRefused) {
  const std::string pods = "/api/v1/namespaces/default/pods", apps = "/apis/apps/v1/namespaces/default/";
  const json revision = {{"metadata", {{"name", "web-1"}}}, {"revision", 1}};
  const json set = {{"metadata", {{"name", "web"}}}, {"status", {{"replicas", "three"}}}};
  const struct {
    json asked;
    Code code;
    const char* why;
  } cases[] = {
      {call("POST", pods, without(pod_json, "/spec")), Code::invalid, "spec: is required"},
      {call("POST", pods, without(pod_json, "/metadata/name")), Code::invalid, "metadata.name: is required"},
      {call("POST", pods, json::object()), Code::invalid, "metadata.name: is required"},
      {call("POST", pods, changed(pod_json, "/spec", 5)), Code::bad_request,
       "spec: must be a map, not a number (found: 5)"},
      {call("POST", pods, changed(without(pod_json, "/spec"), "/metadata/labels", "app")), Code::bad_request,
       "metadata.labels: must be a map"},
      {call("POST", pods, 5), Code::bad_request, "must be a map, not a number"},
      {call("POST", apps + "controllerrevisions", revision), Code::invalid, "data: is required"},
      {call("PUT", apps + "controllerrevisions/web-1", revision), Code::invalid, "data: is required"},
      {call("PUT", apps + "statefulsets/web/status", set), Code::bad_request,
       "status.replicas: must be a whole number"},
  };
  for (const auto& [asked, code, why] : cases) {
    const Request request = read(asked);
    ASSERT_TRUE(request.refused) << asked;
    EXPECT_EQ(request.refused->code, code) << asked;
    EXPECT_THAT(request.refused->why.str(), HasSubstr(why)) << asked;
  }
}

TEST(RequestOf, OptionsOfADeletionThatCannotBeReadAreRefused) {
  const struct {
    const char* options;
    Code code;
    const char* why;
  } cases[] = {
      {R"({"gracePeriodSeconds": 9223372036854775808})", Code::bad_request,
       "gracePeriodSeconds: must be a whole number"},
      {R"({"gracePeriodSeconds": 18446744073709551615})", Code::bad_request,
       "gracePeriodSeconds: must be a whole number"},
      {R"({"gracePeriodSeconds": 1e300})", Code::bad_request, "gracePeriodSeconds: must be a whole number"},
      {R"({"gracePeriodSeconds": 1.5})", Code::bad_request, "(found: 1.5)"},
      {R"({"gracePeriodSeconds": "30"})", Code::bad_request, "not text (found: \"30\")"},
      {R"({"gracePeriodSeconds": {}})", Code::bad_request, "not a map"},
      {R"({"preconditions": []})", Code::bad_request, "preconditions: must be a map"},
      {R"({"preconditions": {"uid": 7}})", Code::bad_request, "preconditions.uid: must be text"},
      {R"({"propagationPolicy": 1})", Code::bad_request, "propagationPolicy: must be text"},
      {R"({"orphanDependents": "yes"})", Code::bad_request, "orphanDependents: must be true or false"},
      {R"({"propagationPolicy": "foreground"})", Code::invalid,
       "propagationPolicy: must be Background, Foreground or Orphan (found: \"foreground\")"},
      {R"({"propagationPolicy": "Orphan", "orphanDependents": true})", Code::invalid, "cannot both be set"},
      {R"([{"gracePeriodSeconds": 3}])", Code::bad_request, "must be a map, not a list"},
  };
  for (const auto& [options, code, why] : cases) {
    const Request request = read(call("DELETE", "/api/v1/namespaces/default/pods/web-0", json::parse(options)));
    ASSERT_TRUE(request.refused) << options;
    EXPECT_EQ(request.refused->code, code) << options;
    EXPECT_THAT(request.refused->why.str(), HasSubstr(why)) << options;
  }
}

// Whatever is stored has a version, and that is a number.
TEST(RequestOf, AConditionOnAVersionThatIsNoNumberNeverHolds) {
  const json options = {{"preconditions", {{"resourceVersion", "first"}}}};
  const Request request = read(call("DELETE", "/api/v1/namespaces/default/pods/web-0", options));
  EXPECT_NE(request.version, Version::none);
  Cluster cluster;
  Pod pod;
  FieldErrors errors;
  ASSERT_TRUE(from_json(pod_json, pod, errors));
  ASSERT_EQ(cluster.create_pod(pod), Code::ok);
  EXPECT_EQ(cluster.handle(request).code, Code::conflict);
}

TEST(RequestOf, APatchOfAnotherShapeThanItsTypeHasIsRefused) {
  const std::string pod = "/api/v1/namespaces/default/pods/web-0";
  const struct {
    const char* type;
    json body;
    const char* why;
  } cases[] = {
      {"application/json-patch+json", json::object(), "patch: must be a list, not a map"},
      {"application/json-patch+json", {5}, "patch[0]: must be a map, not a number"},
      {"application/merge-patch+json", json::array(), "patch: must be a map, not a list"},
      {"application/strategic-merge-patch+json", "spec", "patch: must be a map, not text"},
      {"application/apply-patch+yaml", json::array(), "patch: must be a map, not a list"},
  };
  for (const auto& [type, body, why] : cases) {
    Request request = read(patch(pod, type, body));
    ASSERT_TRUE(request.refused) << type;
    EXPECT_THAT(request.refused->why.str(), HasSubstr(why)) << type;
    Cluster cluster;
    cluster.resolve(request);
    EXPECT_EQ(cluster.handle(request).code, Code::bad_request) << type;
  }
}

TEST(RequestOf, TakesNoDryRunForADeletion) {
  const json options = {{"dryRun", {"All"}}};
  const auto asked = request_of(call("DELETE", "/api/v1/namespaces/default/pods/web-0", options), ns);
  ASSERT_FALSE(asked);
  EXPECT_THAT(asked.error(), HasSubstr("a dry run, which is not served"));
  EXPECT_TRUE(request_of(call("DELETE", "/api/v1/namespaces/default/pods/web-0", {{"dryRun", json::array()}}), ns));
}

TEST(RequestOf, AnEvictionIsADeletion) {
  const json eviction = {{"kind", "Eviction"}, {"deleteOptions", {{"gracePeriodSeconds", 3}}}};
  const auto asked = request_of(call("POST", "/api/v1/namespaces/default/pods/web-0/eviction", eviction), ns);
  ASSERT_TRUE(asked) << asked.error();
  EXPECT_EQ(asked->verb, Verb::remove);
  EXPECT_EQ(asked->name, Text("web-0"));
  EXPECT_EQ(asked->grace, 3);
}

TEST(RequestOf, RefusesWhatIsNotServedWithASentence) {
  const struct {
    json call;
    const char* because;
  } cases[] = {
      {call("POST", "/api/v1/namespaces/default/pods/web-0/binding"), "a subresource that is not served"},
      {call("GET", "/api/v1/nodes/n"), "the adapter called GET /api/v1/nodes/n, a path that is not served"},
      {call("GET", "/api/v1/namespaces/default/pods/"), "a path that is not served"},
      {call("GET", "/api/v1/namespaces/default/pods/web-0/status/now"), "a path that is not served"},
      {call("GET", "/api/v1/namespaces//pods/web-0"), "a path that is not served"},
      {call("GET", "/api/v1/namespaces/default/podsx/web-0"), "a path that is not served"},
      {call("GET", "/api/v1/namespaces/default/pods"), "where every object has a name"},
      {call("HEAD", "/api/v1/namespaces/default/pods/web-0"), "a method that is not served"},
      {call("POST", "/apis/apps/v1/namespaces/default/statefulsets", {{"metadata", {{"name", "db/web"}}}}),
       "metadata.name: must be no path (found: \"db/web\")"},
      {call("PATCH", "/api/v1/namespaces/default/pods/web-0", json::object()),
       "a patch of a type that is not served (found: \"\")"},
      {patch("/api/v1/namespaces/default/pods/web-0", "application/apply-patch+cbor", json::object()),
       "not served (found: \"application/apply-patch+cbor\")"},
      {patch("/api/v1/namespaces/default/pods/web-0", "application/apply-patch+yaml", "kind: Pod"),
       "an apply in YAML, which is served as JSON alone"},
      {patch("/api/v1/namespaces/default/pods/web-0/status", "application/merge-patch+json", json::object()),
       "a subresource that is not served"},
      {{{"method", "DELETE"}, {"path", "/api/v1/namespaces/default/pods/web-0"}, {"query", "dryRun=All"}},
       "a dry run, which is not served"},
      {json::object(), "a path that is not served"},
      {{{"method", 5}, {"path", json::array()}}, "a path that is not served"},
  };
  for (const auto& c : cases) {
    const auto request = request_of(c.call, ns);
    ASSERT_FALSE(request.has_value()) << c.call;
    EXPECT_THAT(request.error(), HasSubstr(c.because));
  }
}

/// It is the API server that refuses it, and lifecycle.set-untouched that tells.
TEST(Http, AWriteOfAWholeSetIsAsked) {
  const std::string sets = "/apis/apps/v1/namespaces/default/statefulsets";
  const json web = {{"metadata", {{"name", "web"}}}};
  const struct {
    json asked;
    Verb verb;
    const char* name = "web";
  } cases[] = {
      {call("PUT", sets + "/web", web), Verb::update},
      {patch(sets + "/web", "application/merge-patch+json", {{"spec", {{"replicas", 1}}}}), Verb::update},
      {patch(sets + "/web", "application/json-patch+json", json::array()), Verb::update},
      {patch(sets + "/web", "application/apply-patch+yaml", web), Verb::update},
      {call("POST", sets, web), Verb::create},
      {call("POST", "/apis/apps/v1/namespaces/elsewhere/statefulsets", web), Verb::create, "elsewhere/web"},
  };
  for (const auto& [asked, verb, name] : cases) {
    const auto request = request_of(asked, ns);
    ASSERT_TRUE(request.has_value()) << request.error();
    EXPECT_EQ(request->kind, Kind::set);
    EXPECT_EQ(request->verb, verb);
    EXPECT_EQ(request->name, name);
    const json again = call_of(*request, ns);
    EXPECT_EQ(call_of(read(again), ns), again);
  }
}

TEST(RequestOf, ReadsPatchesAsClientsWriteThem) {
  json adopt = call("PATCH", "/api/v1/namespaces/default/pods/web-0",
                    json::parse(R"({"metadata": {"uid": "00000000-0000-4000-8000-000000000007",
    "ownerReferences": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web",
                         "uid": "00000000-0000-4000-8000-000000000001", "controller": true, "blockOwnerDeletion": true}]}})"));
  adopt["contentType"] = "application/strategic-merge-patch+json";
  const OwnerPatch adopted = read(adopt).owner_patch();
  EXPECT_EQ(adopted.object_uid, Uid{7});
  ASSERT_TRUE(adopted.add.has_value());
  EXPECT_EQ(adopted.add->uid, Uid{1});
  json release = adopt;
  release["body"]["metadata"]["ownerReferences"] =
      json::parse(R"([{"$patch": "delete", "uid": "00000000-0000-4000-8000-000000000001"}])");
  EXPECT_EQ(read(release).owner_patch().remove, Uid{1});
}

TEST(RequestOf, ReadsPatchesOfAnythingElseForTheServerToResolve) {
  const std::string pod = "/api/v1/namespaces/default/pods/web-0";
  const json two_owners =
      json::parse(R"({"metadata": {"labels": {"a": "b"}, "ownerReferences": [{"$patch": "delete", "uid": "1"}]}})");
  // Of an owner that is there what is not named stays: only what is stored tells what this comes to.
  const json part_of_an_owner = json::parse(
      R"({"metadata": {"ownerReferences": [{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "1"}]}})");
  const struct {
    json call;
    PatchType type;
  } cases[] = {
      {patch(pod, "application/merge-patch+json", {{"metadata", {{"labels", nullptr}}}}), PatchType::merge},
      {patch(pod, "application/merge-patch+json; charset=utf-8", json::object()), PatchType::merge},
      {patch(pod, "application/json-patch+json", json::array()), PatchType::operations},
      {patch(pod, "application/strategic-merge-patch+json", two_owners), PatchType::strategic},
      {patch(pod, "application/strategic-merge-patch+json", part_of_an_owner), PatchType::strategic},
  };
  for (const auto& c : cases) {
    const Request request = read(c.call);
    ASSERT_EQ(request.verb, Verb::patch) << c.call;
    EXPECT_EQ(request.patch().type, c.type) << c.call;
    EXPECT_EQ(json::parse(*request.patch().json), c.call["body"]);
    EXPECT_EQ(call_of(request, ns)["body"], c.call["body"]);
  }
  const Request status = read(patch("/apis/apps/v1/namespaces/default/statefulsets/web/status",
                                    "application/merge-patch+json", json::object()));
  EXPECT_EQ(status.kind, Kind::set);
  EXPECT_EQ(call_of(status, ns)["path"], "/apis/apps/v1/namespaces/default/statefulsets/web/status");
  const json release_of_a_set = {{"metadata", {{"ownerReferences", {{{"$patch", "delete"}, {"uid", "1"}}}}}}};
  EXPECT_EQ(read(patch("/apis/apps/v1/namespaces/default/statefulsets/web/status",
                       "application/strategic-merge-patch+json", release_of_a_set))
                .verb,
            Verb::patch);
}

json apply(std::string path, const char* query, json body) {
  json made = patch(std::move(path), "application/apply-patch+yaml", std::move(body));
  made["query"] = query;
  return made;
}

TEST(RequestOf, ReadsAppliesForTheServerToResolve) {
  const json asked = apply("/api/v1/namespaces/default/pods/web-0", "fieldManager=my%20own&force=true", pod_json);
  const Request request = read(asked);
  ASSERT_EQ(request.verb, Verb::patch);
  const Apply& read_apply = std::get<Apply>(request.body);
  EXPECT_EQ(read_apply.manager, "my own");
  EXPECT_TRUE(read_apply.forces);
  EXPECT_EQ(json::parse(*read_apply.json), pod_json);
  ASSERT_TRUE(read_apply.creation);
  EXPECT_EQ(read_apply.creation->verb, Verb::create);
  EXPECT_EQ(read_apply.creation->pod().meta.name, "web-0");
  for (const char* query : {"fieldManager=mine", "fieldManager=mine&force=false", "force=0&fieldManager=mine"}) {
    const Request gentle = read(apply("/api/v1/namespaces/default/pods/web-0", query, pod_json));
    EXPECT_EQ(std::get<Apply>(gentle.body).manager, "mine") << query;
    EXPECT_FALSE(std::get<Apply>(gentle.body).forces) << query;
    EXPECT_EQ(call_of(gentle, ns)["query"], "fieldManager=mine");
    EXPECT_EQ(call_of(gentle, ns)["contentType"], "application/apply-patch+yaml");
  }
}

TEST(RequestOf, ReadsAnApplyOfWhatCannotBeMade) {
  const json part = {{"metadata", {{"name", "web-0"}}}, {"spec", 5}};
  const Request request = read(apply("/api/v1/namespaces/default/pods/web-0", "fieldManager=mine", part));
  EXPECT_FALSE(std::get<Apply>(request.body).creation);
  EXPECT_THAT(std::get<Apply>(request.body).unreadable.str(), HasSubstr("spec: must be a map"));
}

// What the door can say comes back as it was.
TEST(CallOf, IsReadBackAsTheSameRequest) {
  Pod pod;
  FieldErrors errors;
  ASSERT_TRUE(from_json(pod_json, pod, errors));
  Request put{.verb = Verb::update,
              .kind = Kind::pod,
              .reason = Reason::repair_pod,
              .name = "web-0",
              .body = pod,
              .version = Version{3},
              .uid = Uid{9}};
  StatefulSetStatus counted;
  counted.observed_generation = 3;
  counted.replicas = 2;
  counted.current_replicas = -1;
  Request status{.verb = Verb::update_status,
                 .kind = Kind::set,
                 .reason = Reason::write_status,
                 .name = "web",
                 .body = counted,
                 .version = Version{3},
                 .uid = Uid{9}};
  Request remove{.verb = Verb::remove,
                 .kind = Kind::pod,
                 .reason = Reason::scale_down,
                 .name = "web-0",
                 .version = Version{4},
                 .uid = Uid{2},
                 .grace = 0,
                 .line = "control.go:612"};
  Request patch{.verb = Verb::patch_owners,
                .kind = Kind::revision,
                .reason = Reason::adopt_revision,
                .name = "web-1",
                .body = OwnerPatch{OwnerReference{"apps/v1", "StatefulSet", "web", Uid{1}, true, true}, {}, Uid{5}}};
  for (const Request& request : {put, status, remove, patch}) {
    const Request back = read(call_of(request, ns));
    EXPECT_EQ(call_of(back, ns), call_of(request, ns));
    EXPECT_EQ(back.reason, request.reason);
    EXPECT_EQ(back.line, request.line);
    EXPECT_EQ(back.version, request.version);
    EXPECT_EQ(back.uid, request.uid);
    EXPECT_EQ(back.grace, request.grace);
  }
}

TEST(RequestOf, TakesNoLineThatAReportCouldNotHold) {
  json asked = call("GET", "/api/v1/namespaces/default/pods/web-0", nullptr);
  for (const json& odd :
       {json("two words:1"), json("a\n:1"), json("\u001b[31m:1"), json(std::string(201, 'a')), json(12), json()}) {
    asked["line"] = odd;
    EXPECT_TRUE(read(asked).line.empty()) << odd;
  }
  asked["line"] = "pkg/controller.go:12";
  EXPECT_EQ(read(asked).line, "pkg/controller.go:12");
}

TEST(AnswerTo, AnObjectIsOfTheNamespaceThereIs) {
  StatefulSet set;
  set.meta.name = "web";
  const json answer = answer_to(Request{.verb = Verb::update_status, .name = "web"}, Reply{Code::ok, &set}, "");
  EXPECT_EQ(answer["body"]["metadata"]["namespace"], "default") << "what is stored names none, and a client goes by it";
}

TEST(AnswerTo, EveryCodeIsReadBack) {
  for (const Code code :
       {Code::conflict, Code::already_exists, Code::not_found, Code::forbidden, Code::invalid, Code::timeout,
        Code::internal, Code::unavailable, Code::too_many_requests, Code::bad_request}) {
    const json answer = answer_to(Request{.kind = Kind::pod, .name = "web-0"}, Reply{code, {}}, "");
    EXPECT_EQ(code_of_answer(answer["status"], answer["body"]["reason"].get<std::string>()), code);
    EXPECT_EQ(answer["body"]["kind"], "Status");
  }
  EXPECT_EQ(code_of_answer(201, ""), Code::ok);
  EXPECT_EQ(code_of_answer(418, ""), Code::internal);
}

TEST(AnswerTo, ARefusalSaysWhy) {
  const auto message = [](const Reply& reply) {
    const json answer = answer_to(Request{.kind = Kind::pod, .name = "web-0"}, reply, "");
    return answer["body"]["message"].get<std::string>();
  };
  EXPECT_EQ(message({.code = Code::invalid, .why = "spec: is required"}), "pods \"web-0\": spec: is required");
  EXPECT_EQ(message({.code = Code::invalid}), "pods \"web-0\": invalid");
  EXPECT_EQ(message({.code = Code::not_found}), "pods \"web-0\": is not there");
}

TEST(AnswerTo, AnApplyIsToldWhatItMadeAndWhoIsInItsWay) {
  const Request asked = read(apply("/api/v1/namespaces/default/pods/web-0", "fieldManager=mine", pod_json));
  const Pod pod;
  EXPECT_EQ(answer_to(asked, {.code = Code::ok, .object = &pod, .created = true}, "")["status"], 201);
  EXPECT_EQ(answer_to(asked, {.code = Code::ok, .object = &pod}, "")["status"], 200);
  const std::vector<FieldConflict> conflicts{{"other", ".metadata.labels.app"}};
  const json refused = answer_to(asked,
                                 {.code = Code::conflict,
                                  .why = "Apply failed",
                                  .managed_by = std::make_shared<const std::vector<FieldConflict>>(conflicts)},
                                 "");
  EXPECT_EQ(refused["status"], 409);
  EXPECT_EQ(refused["body"]["details"]["causes"],
            json::parse(R"([{"reason": "FieldManagerConflict", "message": "conflict with \"other\"",
                             "field": ".metadata.labels.app"}])"));
}

TEST(AnswerTo, AConflictSaysWhichOfItsPreconditionsMayHaveFailed) {
  const auto message = [](Version version, Uid uid) {
    const Request request{
        .verb = Verb::remove, .kind = Kind::pod, .reason = {}, .name = "web-0", .version = version, .uid = uid};
    return answer_to(request, {.code = Code::conflict}, "")["body"]["message"].get<std::string>();
  };
  EXPECT_EQ(message(Version::none, Uid{7}), "pods \"web-0\": is another one than its UID names");
  EXPECT_EQ(message(Version{5}, Uid::none), "pods \"web-0\": has changed since the version that the request names");
  EXPECT_THAT(message(Version{5}, Uid{7}),
              testing::AllOf(HasSubstr("has changed since"), HasSubstr("or is another one")));
}

}  // namespace
}  // namespace ordeal::fuzz
