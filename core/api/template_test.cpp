// Pod templates: the published hash vectors, defaulting, faults, revision data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/api/encode.h"
#include "core/api/names.h"
#include "core/api/older_encoder.h"

namespace ordeal {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Shared<std::string> shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

/// What a user would write to get vector V1 of semantics.md 0.4.
json vector_template() {
  return json::parse(R"({
    "metadata": {"labels": {"app": "foo"}, "annotations": {"test": "value"}},
    "spec": {"containers": [{"name": "test", "image": "test"}]}
  })");
}

constexpr const char* vector_v1 =
    R"({"spec":{"template":{"$patch":"replace","metadata":{"annotations":{"test":"value"},"labels":{"app":"foo"}},)"
    R"("spec":{"containers":[{"image":"test","imagePullPolicy":"Always","name":"test","resources":{},)"
    R"("terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],"dnsPolicy":"ClusterFirst",)"
    R"("restartPolicy":"Always","schedulerName":"default-scheduler","securityContext":{},)"
    R"("terminationGracePeriodSeconds":30}}}})";

std::string vector_v2() {  // as releases up to 1.33 write it
  std::string bytes = vector_v1;
  return bytes.insert(bytes.find(R"("labels")"), R"("creationTimestamp":null,)");
}

TEST(Vectors, V1ByteForByteFromAUsersTemplate) {
  const auto made = make_template(vector_template());
  EXPECT_EQ(*made->patch, vector_v1);
  EXPECT_EQ(with_null_times(*made->patch), vector_v2());
  EXPECT_EQ(fnv1_32("0", made->patch_hash), 3325552446u);
  EXPECT_EQ(revision_suffix(made->patch_hash, 0), "776999688b");
  EXPECT_EQ(revision_suffix(made->patch_hash, 1), "776999688c");
}

TEST(Vectors, V2AndV3) {
  EXPECT_EQ(fnv1_32("0", fnv1_32(vector_v2())), 733928534u);
  EXPECT_EQ(revision_suffix(fnv1_32(vector_v2()), 0), "c77f6d978");
  EXPECT_EQ(fnv1_32("0", fnv1_32("")), 84696367u);
}

TEST(RevisionData, OfAnOlderEncoderHasANullWhereverThereIsMetadata) {
  const auto made = make_template(json::parse(R"({"spec": {"volumes": [
      {"name": "scratch", "ephemeral": {"volumeClaimTemplate": {"spec": {"accessModes": ["ReadWriteOnce"]}}}}, {"name": "tmp"}]}})"));
  EXPECT_THAT(*made->patch, HasSubstr(R"("metadata":{},"spec":{"dnsPolicy")"));
  EXPECT_THAT(*made->patch, HasSubstr(R"("volumeClaimTemplate":{"metadata":{},"spec")"));
  const std::string older = with_null_times(*made->patch);
  EXPECT_THAT(older, HasSubstr(R"("metadata":{"creationTimestamp":null},"spec":{"dnsPolicy")"));
  EXPECT_THAT(older, HasSubstr(R"("volumeClaimTemplate":{"metadata":{"creationTimestamp":null},"spec")"));
  EXPECT_EQ(decode_revision(shared(older)).decoded->document, made->document);
}

TEST(RevisionData, OfAnOlderEncoderMeansTheSame) {
  const auto now = make_template(vector_template());
  const RevisionData old = decode_revision(shared(vector_v2()));
  ASSERT_TRUE(old.decoded);
  EXPECT_EQ(*old.bytes, vector_v2());
  EXPECT_EQ(old.decoded->document, now->document);
  EXPECT_EQ(*old.decoded->patch, *now->patch);
  EXPECT_NE(*old.bytes, *now->patch);
}

TEST(RevisionData, RoundTrip) {
  const auto made = make_template(vector_template());
  const RevisionData data = revision_of(made);
  EXPECT_EQ(data.bytes, made->patch);
  EXPECT_EQ(data.decoded, made);
  EXPECT_TRUE(*decode_revision(data.bytes).decoded == *made);
}

TEST(RevisionData, WithoutATemplateDecodesToNothing) {
  for (const char* bytes : {"", "{}", "null", "[]", "7", "{\"spec\":{}}", "{\"spec\":{\"template\":[]}}",
                            "{\"spec\":", "\xff", R"({"spec":{"template":{}},"spec":{"template":{}}})"})
    EXPECT_FALSE(decode_revision(shared(bytes)).decoded) << bytes;
  EXPECT_FALSE(decode_revision(nullptr).decoded);
}

TEST(PodTemplate, FieldsPeopleDecideOn) {
  const auto made = make_template(json::parse(R"({
    "metadata": {"labels": {"b": "2", "a": "1"}, "annotations": {"x": "y"}, "finalizers": ["example.com/hold"]},
    "spec": {
      "terminationGracePeriodSeconds": 7,
      "containers": [{"name": "one", "image": "first:1"}, {"name": "two", "image": "second:2"}],
      "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "shared"}}, {"name": "tmp", "emptyDir": {}}]
    }})"));
  EXPECT_THAT(made->faults, IsEmpty());
  EXPECT_EQ(made->labels, (StringMap{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(made->annotations, (StringMap{{"x", "y"}}));
  EXPECT_THAT(made->finalizers, ElementsAre(Text("example.com/hold")));
  EXPECT_EQ(made->image, "first:1");
  EXPECT_EQ(made->termination_grace, 7);
  ASSERT_EQ(made->volumes.size(), 2u);
  EXPECT_EQ(made->volumes[0], (Volume{"data", "shared", {}}));
  EXPECT_EQ(made->volumes[1], (Volume{"tmp", {}, R"({"emptyDir":{},"name":"tmp"})"}));
}

TEST(PodTemplate, DefaultingTwiceChangesNothing) {
  const json full = json::parse(R"({
    "metadata": {"labels": {"a": "b"}},
    "spec": {
      "serviceAccountName": "broker", "hostNetwork": true, "overhead": {"cpu": "1000m"},
      "containers": [{"name": "a", "image": "x:1", "ports": [{"containerPort": 80}], "env": [{"name": "A", "value": ""}],
        "readinessProbe": {"httpGet": {"port": 80}}, "livenessProbe": {"grpc": {"port": 9}},
        "resources": {"limits": {"cpu": 0.5, "memory": "2048Mi"}}}],
      "volumes": [{"name": "v"}, {"name": "s", "secret": {"secretName": "s"}}, {"name": "h", "hostPath": {"path": "/"}}]
    }})");
  const auto once = make_template(full);
  EXPECT_EQ(make_template(json::parse(once->document))->document, once->document);
}

struct Defaulted {
  const char* given;     // inside spec, besides the container
  const char* expected;  // somewhere in the document
};

TEST(PodTemplate, Defaults) {
  const Defaulted table[] = {
      {R"("containers":[{"name":"a","image":"x:1.2"}])", R"("imagePullPolicy":"IfNotPresent")"},
      {R"("containers":[{"name":"a","image":"x:latest"}])", R"("imagePullPolicy":"Always")"},
      {R"("containers":[{"name":"a","image":"host:5000/x"}])", R"("imagePullPolicy":"Always")"},
      {R"("containers":[{"name":"a","image":"x@sha256:00"}])", R"("imagePullPolicy":"IfNotPresent")"},
      {R"("containers":[{"name":"a","image":"x","imagePullPolicy":"Never"}])", R"("imagePullPolicy":"Never")"},
      {R"("containers":[{"ports":[{"containerPort":80}]}])", R"("ports":[{"containerPort":80,"protocol":"TCP"}])"},
      {R"("hostNetwork":true,"containers":[{"ports":[{"containerPort":80}]}])",
       R"("ports":[{"containerPort":80,"protocol":"TCP"}])"},
      {R"("containers":[{"name":"a","image":"x:latest@sha256:00"}])", R"("imagePullPolicy":"Always")"},
      {R"("containers":[{"env":[],"args":null,"tty":false}])", R"([{"imagePullPolicy":"Always","resources":{},)"},
      {R"("containers":[{"env":[{"name":"N","valueFrom":{"fieldRef":{"fieldPath":"p"}}}]}])", R"("apiVersion":"v1")"},
      {R"("containers":[{"readinessProbe":{"exec":{"command":["a"]}}}])",
       R"({"exec":{"command":["a"]},"failureThreshold":3,"periodSeconds":10,"successThreshold":1,"timeoutSeconds":1})"},
      {R"("containers":[{"startupProbe":{"httpGet":{"port":80}}}])",
       R"("httpGet":{"path":"/","port":80,"scheme":"HTTP"})"},
      {R"("containers":[{"resources":{"requests":{"cpu":"1000m"},"limits":{}}}])",
       R"("resources":{"requests":{"cpu":"1"}})"},
      {R"("volumes":[{"name":"v"}])", R"([{"emptyDir":{},"name":"v"}])"},
      {R"("volumes":[{"name":"v","configMap":{"name":"c"}}])", R"({"defaultMode":420,"name":"c"})"},
      {R"("serviceAccount":"me")", R"("serviceAccount":"me","serviceAccountName":"me")"},
      {R"("restartPolicy":"Never")", R"("restartPolicy":"Never")"},
      {R"("affinity":{"nodeAffinity":null,"podAffinity":{}})", R"("affinity":{"podAffinity":{}})"},
      {R"("affinity":{"podAffinity":{"a":[{"namespaces":[],"labelSelector":{"matchLabels":{}}}]}})",
       R"({"a":[{"labelSelector":{}}]})"},
      {R"("securityContext":{"runAsUser":null,"sysctls":[]})", R"("securityContext":{})"},
      {R"("containers":[{"securityContext":{"capabilities":{"add":[],"drop":["ALL"]}}}])",
       R"("capabilities":{"drop":["ALL"]})"},
      {R"("containers":[{"lifecycle":{"preStop":null}}])", R"("lifecycle":{})"},
      {R"("tolerations":[{"key":"k","effect":"","value":""}])", R"("tolerations":[{"key":"k"}])"},
      {R"("dnsConfig":{"options":[{"name":"n","value":null}],"searches":[]})",
       R"("dnsConfig":{"options":[{"name":"n"}]})"},
      {R"("overhead":{},"restartPolicy":"Never")", R"({"dnsPolicy":"ClusterFirst","restartPolicy")"},
      {R"("futureField":{"kept":[1,null,{"as":""}]})", R"("futureField":{"kept":[1,null,{"as":""}]})"},
      {R"("containers":[{"futureField":{"b":null,"a":[]}}])", R"("futureField":{"a":[],"b":null})"},
  };
  for (const Defaulted& row : table) {
    const auto made = make_template(json::parse(std::string("{\"spec\":{") + row.given + "}}"));
    EXPECT_THAT(made->document, HasSubstr(row.expected)) << row.given;
  }
}

struct Faulty {
  const char* path;      // JSON pointer of the change
  const char* value;     // JSON; "" removes
  const char* expected;  // the whole fault
};

TEST(PodTemplate, FaultsNamePathAndValue) {
  const json good = json::parse(R"({
    "metadata": {"labels": {"app": "web"}},
    "spec": {"containers": [{"name": "web", "image": "web:1", "ports": [{"containerPort": 80, "name": "http"}],
                             "env": [{"name": "A", "value": "b"}], "resources": {"limits": {"cpu": "1"}},
                             "readinessProbe": {"tcpSocket": {"port": 80}}}],
             "volumes": [{"name": "tmp", "emptyDir": {}}]}})");
  EXPECT_THAT(make_template(good)->faults, IsEmpty());
  const Faulty table[] = {
      {"/spec", "", "spec: is required"},
      {"/spec", "[]", "spec: must be a map, not a list (found: [])"},
      {"/spec/containers", "", "spec.containers: is required"},
      {"/spec/containers", "[]", "spec.containers: is required (found: [])"},
      {"/spec/containers", "{}", "spec.containers: must be a list, not a map (found: {})"},
      {"/spec/containers/0", "null", "spec.containers[0]: must be a map"},
      {"/spec/containers/0/name", "", "spec.containers[0].name: is required"},
      {"/spec/containers/0/image", "\"\"", "spec.containers[0].image: is required (found: \"\")"},
      {"/spec/containers/0/image", "7", "spec.containers[0].image: must be text; put it in quotes (found: 7)"},
      {"/spec/containers/1", R"({"name":"web","image":"x"})",
       "spec.containers[1].name: must be unique (found: \"web\")"},
      {"/spec/initContainers", R"([{"name":"web","image":"x"}])",
       "spec.initContainers[0].name: must be unique (found: \"web\")"},
      {"/spec/containers/0/imagePullPolicy", "\"Sometimes\"",
       "spec.containers[0].imagePullPolicy: must be one of Always, IfNotPresent, Never (found: \"Sometimes\")"},
      {"/spec/containers/0/ports/0/containerPort", "0",
       "spec.containers[0].ports[0].containerPort: must be a whole number between 1 and 65535 (found: 0)"},
      {"/spec/containers/0/ports/1", R"({"containerPort":81,"name":"http"})",
       "spec.containers[0].ports[1].name: must be unique (found: \"http\")"},
      {"/spec/containers/0/ports/0/protocol", "\"tcp\"",
       "spec.containers[0].ports[0].protocol: must be one of TCP, UDP, SCTP (found: \"tcp\")"},
      {"/spec/containers/0/env/0/value", "8080",
       "spec.containers[0].env[0].value: must be text; put it in quotes (found: 8080)"},
      {"/spec/containers/0/env/0/valueFrom", R"({"fieldRef":{"fieldPath":"a"}})",
       "spec.containers[0].env[0].valueFrom: must be absent when there is a value (found: a map)"},
      {"/spec/containers/0/resources/limits/cpu", "\"lots\"",
       "spec.containers[0].resources.limits.cpu: must be a quantity such as 500m, 2 or 1Gi (found: \"lots\")"},
      {"/spec/containers/0/resources/limits/cpu", "-1",
       "spec.containers[0].resources.limits.cpu: must not be negative (found: -1)"},
      {"/spec/containers/0/resources/requests", R"({"cpu":1.001})",
       "spec.containers[0].resources.requests.cpu: must not be more than its limit, 1 (found: 1.001)"},
      {"/spec/containers/0/readinessProbe/exec", R"({"command":["a"]})",
       "spec.containers[0].readinessProbe: must have exactly one of exec, httpGet, tcpSocket, grpc (found: a map)"},
      {"/spec/containers/0/readinessProbe/periodSeconds", "-1",
       "spec.containers[0].readinessProbe.periodSeconds: must be a whole number between 0 and 2147483647 (found: -1)"},
      {"/spec/restartPolicy", "\"Never\"", "spec.restartPolicy: must be Always (found: \"Never\")"},
      {"/spec/activeDeadlineSeconds", "5", "spec.activeDeadlineSeconds: must be absent (found: 5)"},
      {"/spec/terminationGracePeriodSeconds", "-1",
       "spec.terminationGracePeriodSeconds: must be a whole number between 0 and 9007199254740992 (found: -1)"},
      {"/spec/dnsPolicy", "\"Mine\"",
       "spec.dnsPolicy: must be one of ClusterFirst, ClusterFirstWithHostNet, Default, None (found: \"Mine\")"},
      {"/spec/volumes/1", R"({"name":"tmp","emptyDir":{}})", "spec.volumes[1].name: must be unique (found: \"tmp\")"},
      {"/spec/volumes/0/secret", "{}", "spec.volumes[0]: must have exactly one source (found: a map)"},
      {"/spec/volumes/0", R"({"name":"c","persistentVolumeClaim":{}})",
       "spec.volumes[0].persistentVolumeClaim.claimName: is required"},
      {"/spec/nodeSelector", R"({"disk":1})", "spec.nodeSelector.disk: must be text; put it in quotes (found: 1)"},
      {"/metadata/labels", "[]", "metadata.labels: must be a map, not a list (found: [])"},
      {"/metadata/labels/version", "1.5", "metadata.labels.version: must be text; put it in quotes (found: 1.5)"},
  };
  for (const Faulty& row : table) {
    json bad = good;
    const json::json_pointer at(row.path);
    if (*row.value == '\0') bad.at(at.parent_pointer()).erase(at.back());
    else bad[at] = json::parse(row.value);
    EXPECT_THAT(make_template(bad)->faults, ElementsAre(row.expected)) << row.path << " = " << row.value;
  }
}

TEST(PodTemplate, SyntaxFaults) {
  const auto fault_of = [](const char* part, const json& value) {
    json bad = vector_template();
    bad[json::json_pointer(part)] = value;
    const auto faults = make_template(bad)->faults;
    return faults.size() == 1 ? faults[0] : std::to_string(faults.size()) + " faults";
  };
  EXPECT_THAT(fault_of("/spec/containers/0/name", "Web"), HasSubstr("spec.containers[0].name: must be a DNS label"));
  EXPECT_THAT(fault_of("/spec/containers/0/name", std::string(64, 'a')), HasSubstr("DNS label"));
  EXPECT_THAT(fault_of("/spec/containers/0/image", " x"), HasSubstr("must not begin or end with a space"));
  EXPECT_THAT(fault_of("/metadata/labels/app", "-x"), HasSubstr("metadata.labels.app: must be a label value"));
  EXPECT_THAT(fault_of("/metadata/labels/a b", "x"), HasSubstr("metadata.labels[a b]: must be a key"));
  EXPECT_THAT(fault_of("/metadata/labels/a~1b~1c", "x"), HasSubstr("metadata.labels[a/b/c]: must be a key"));
  EXPECT_THAT(fault_of("/metadata/annotations/-", "x"), HasSubstr("metadata.annotations.-: must be a key"));
  EXPECT_THAT(fault_of("/spec/containers/0/ports", json::parse(R"([{"containerPort":1,"name":"too-long-a-name-x"}])")),
              HasSubstr("must be at most 15"));
}

TEST(PodTemplate, OfAnyJsonIsATemplateWithFaults) {
  for (const char* text :
       {"null", "7", "\"x\"", "[]", "[1]", "{}", "{\"metadata\":7,\"spec\":7}",
        R"({"spec":{"containers":[[],7,null,{"ports":7,"env":[7],"resources":[],"readinessProbe":7}]}})",
        R"({"spec":{"volumes":[7,{"name":7,"secret":7,"projected":{"sources":7}}],"overhead":7}})",
        R"({"metadata":{"labels":[1],"annotations":{"a":1},"finalizers":{}},"spec":{}})"}) {
    const auto made = make_template(json::parse(text));
    ASSERT_TRUE(made) << text;
    EXPECT_FALSE(made->faults.empty()) << text;
    EXPECT_FALSE(json::parse(*made->patch, nullptr, false).is_discarded()) << text;
  }
}

struct Encoded {
  json value;
  const char* expected;
};

TEST(GoEncode, WritesWhatGoWrites) {
  const Encoded table[] = {
      {json::parse(R"({"b":1,"a":{"d":null,"C":true}})"), R"({"a":{"C":true,"d":null},"b":1})"},
      {"<a&b>", R"("\u003ca\u0026b\u003e")"},
      {"line\u2028 par\u2029 \u00e9", "\"line\\u2028 par\\u2029 \u00e9\""},
      {"\"\\\n\r\t\b\f\x01\x7f", "\"\\\"\\\\\\n\\r\\t\\b\\f\\u0001\x7f\""},
      {"a\xff"
       "b\xe2\x82",
       R"("a\ufffdb\ufffd\ufffd")"},
      {0, "0"},
      {-7, "-7"},
      {0.5, "0.5"},
      {100.0, "100"},
      {1.5e300, "1.5e+300"},
      {1e20, "100000000000000000000"},
      {1e21, "1e+21"},
      {1e-6, "0.000001"},
      {1e-7, "1e-7"},
      {1.25e-7, "1.25e-7"},
      {123.456, "123.456"},
      {-0.0, "-0"},
      {9007199254740993, "9007199254740992"},
      {1152921504606846976, "1152921504606847000"},
      {std::numeric_limits<std::uint64_t>::max(), "18446744073709552000"},
  };
  for (const Encoded& row : table) EXPECT_EQ(go_encode(row.value), row.expected);
}

TEST(Quantity, HasOneForm) {
  const std::pair<json, const char*> table[] = {
      {"1", "1"},
      {1, "1"},
      {0.5, "500m"},
      {"1000m", "1"},
      {"1500m", "1500m"},
      {"0.1", "100m"},
      {"100k", "100k"},
      {"1000k", "1M"},
      {"1024", "1024"},
      {"1Ki", "1Ki"},
      {"1024Mi", "1Gi"},
      {"1.5Gi", "1536Mi"},
      {"0.5Ki", "512"},
      {"0.9765625Ki", "1k"},
      {"0.1Ki", "102400m"},
      {"0", "0"},
      {"0Gi", "0"},
      {"-1500m", "-1500m"},
      {"1e3", "1e3"},
      {"12e4", "120e3"},
      {"1E", "1E"},
      {"+5", "5"},
      {"1.", "1"},
      {".5", "500m"},
      {"123456789012345678901234567890", "123456789012345678901234567890"},
  };
  for (const auto& [given, expected] : table) {
    json value = given;
    EXPECT_TRUE(canonical_quantity(value)) << given;
    EXPECT_EQ(value, expected) << given;
  }
  for (const auto& [less, more] : std::vector<std::pair<json, json>>{{"500m", "1"},
                                                                     {"1", "1001m"},
                                                                     {"0", "1n"},
                                                                     {"1G", "1Gi"},
                                                                     {"1023Mi", "1Gi"},
                                                                     {"999", "1e3"},
                                                                     {"9E", "8Ei"}}) {
    EXPECT_TRUE(is_more_than(more, less)) << more << less;
    EXPECT_FALSE(is_more_than(less, more)) << less << more;
  }
  for (const auto& [one, same] : std::vector<std::pair<json, json>>{{"1Ki", "1024"}, {"1e3", "1k"}, {"100m", "0.1"}}) {
    EXPECT_FALSE(is_more_than(one, same)) << one << same;
    EXPECT_FALSE(is_more_than(same, one)) << same << one;
  }
  for (const json& bad : {json(""), json("x"), json("1 Gi"), json("1gi"), json("1Kii"), json("."), json("1e"),
                          json("1e+-5"), json("--1"), json(nullptr), json(true), json::array()}) {
    json value = bad;
    EXPECT_FALSE(canonical_quantity(value)) << bad;
    EXPECT_EQ(value, bad);
  }
}

}  // namespace
}  // namespace ordeal
