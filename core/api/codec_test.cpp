// Reading and writing: what comes back, what is refused and where, and that no bytes can do harm.
#include "core/api/codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "core/api/names.h"
#include "core/api/text_reader.h"
#include "core/api/validation.h"

namespace ordeal {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string repeat(std::string_view part, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += part;
  return text;
}

/// A good manifest with `line` put in place of "replicas: 3" and `rest` at its end.
std::string manifest(const std::string& line = "replicas: 3", const std::string& rest = "") {
  return "apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: web\nspec:\n  " + line +
         "\n  serviceName: web\n  selector:\n    matchLabels: {app: web}\n  template:\n    metadata:\n"
         "      labels: {app: web}\n    spec:\n      containers:\n      - {name: web, image: web:1}\n" +
         rest;
}

std::vector<std::string> texts_of(const FieldErrors& errors) {
  std::vector<std::string> texts;
  for (const FieldError& error : errors) texts.push_back(error.text());
  return texts;
}

const StatefulSet& set_in(const Documents& documents, std::size_t n = 0) {
  return std::get<StatefulSet>(documents.read.at(n).object);
}

TEST(Manifest, ReadsAGoodOne) {
  const Documents documents = read_manifest(manifest());
  ASSERT_THAT(texts_of(documents.errors), IsEmpty());
  ASSERT_EQ(documents.read.size(), 1u);
  const StatefulSet& set = set_in(documents);
  EXPECT_EQ(set.meta.name, "web");
  EXPECT_EQ(set.spec->replicas, 3);
  EXPECT_EQ(set.spec->pod_template->image, "web:1");
  EXPECT_THAT(validate_create(set), IsEmpty());
  EXPECT_EQ(documents.read[0].lines.of("spec.replicas"), 6);
  EXPECT_EQ(documents.read[0].lines.of("spec.template.spec.containers[0].image"), 15);
  EXPECT_EQ(documents.read[0].lines.of("spec.updateStrategy.rollingUpdate.partition"), 5);  // the nearest parent's
}

struct Bad {
  std::string line;      // instead of "replicas: 3", on line 6
  std::string expected;  // the only error
};

TEST(Manifest, NamesPathValueAndLine) {
  const Bad table[] = {
      {"replica: 3", "line 6: spec.replica: is an unknown field; did you mean \"replicas\"? (found: 3)"},
      {"minreadyseconds: 3",
       "line 6: spec.minreadyseconds: is an unknown field; did you mean \"minReadySeconds\"? (found: 3)"},
      {"entirelyUnheardOf: 3", "line 6: spec.entirelyUnheardOf: is an unknown field (found: 3)"},
      {"replicas: three", "line 6: spec.replicas: must be a whole number, not text (found: \"three\")"},
      {"replicas: \"3\"", "line 6: spec.replicas: must be a whole number, not text (found: \"3\")"},
      {"replicas: 2.5", "line 6: spec.replicas: must be a whole number (found: 2.5)"},
      {"replicas: 2147483648",
       "line 6: spec.replicas: must be a whole number between -2147483648 and 2147483647 (found: 2147483648)"},
      {"replicas: 99999999999999999999999",
       "line 6: spec.replicas: must be a whole number between -2147483648 and 2147483647 (found: 1e+23)"},
      {"replicas: -9223372036854775808",
       "line 6: spec.replicas: must be a whole number between -2147483648 and 2147483647 (found: "
       "-9223372036854776000)"},
      {"replicas: 18446744073709551615",
       "line 6: spec.replicas: must be a whole number between -2147483648 and 2147483647 (found: "
       "18446744073709552000)"},
      {"replicas: .nan", "line 6: spec.replicas: must be a finite number (found: .nan)"},
      {"replicas: -.inf", "line 6: spec.replicas: must be a finite number (found: -.inf)"},
      {"replicas: 1e999", "line 6: spec.replicas: must be a finite number (found: 1e999)"},
      {"replicas: [3]", "line 6: spec.replicas: must be a whole number, not a list (found: a list)"},
      {"replicas: yes", "line 6: spec.replicas: must be a whole number, not true or false (found: true)"},
      {"replicas: 3\n  replicas: 4", "line 7: spec.replicas: is given twice"},
      {"podManagementPolicy: parallel",
       "line 6: spec.podManagementPolicy: must be one of OrderedReady, Parallel (found: \"parallel\")"},
      {"updateStrategy: RollingUpdate",
       "line 6: spec.updateStrategy: must be a map, not text (found: \"RollingUpdate\")"},
      {"updateStrategy: [{type: OnDelete}]", "line 6: spec.updateStrategy: must be a map, not a list (found: a list)"},
      {"updateStrategy: {type: Rolling}",
       "line 6: spec.updateStrategy.type: must be one of RollingUpdate, OnDelete, Recreate (found: \"Rolling\")"},
      {"updateStrategy:\n    rollingUpdate:\n      maxUnavailable: 25", ""},
      {"updateStrategy:\n    rollingUpdate:\n      maxUnavailable: a quarter",
       "line 8: spec.updateStrategy.rollingUpdate.maxUnavailable: must be a whole number or a percentage such as 25% "
       "(found: \"a quarter\")"},
      {"updateStrategy: {rollingUpdate: {maxUnavailable: 25 %}}",
       "line 6: spec.updateStrategy.rollingUpdate.maxUnavailable: must be a whole number or a percentage such as 25% "
       "(found: \"25 %\")"},
      {"updateStrategy: {rollingUpdate: {maxUnavailable: 99999999999%}}",
       "line 6: spec.updateStrategy.rollingUpdate.maxUnavailable: must be a whole number or a percentage such as 25% "
       "(found: \"99999999999%\")"},
      {"persistentVolumeClaimRetentionPolicy: {whenDeleted: Keep}",
       "line 6: spec.persistentVolumeClaimRetentionPolicy.whenDeleted: must be one of Retain, Delete (found: "
       "\"Keep\")"},
      {"ordinals: 3", "line 6: spec.ordinals: must be a map, not a number (found: 3)"},
      {"ordinals: {begin: 3}", "line 6: spec.ordinals.begin: is an unknown field (found: 3)"},
      {"reserveOrdinals: 3", "line 6: spec.reserveOrdinals: must be a list, not a number (found: 3)"},
      {"reserveOrdinals: [1, 5-3]",
       "line 6: spec.reserveOrdinals[1]: must be a whole number or a range such as 3-5, of at most 1000 (found: "
       "\"5-3\")"},
      {"reserveOrdinals: [0-1000]",
       "line 6: spec.reserveOrdinals[0]: must be a whole number or a range such as 3-5, of at most 1000 (found: "
       "\"0-1000\")"},
      {"reserveOrdinals: [0-999, 2000]",
       "line 6: spec.reserveOrdinals: must not reserve more than 1000 ordinals (found: a list)"},
      {"volumeClaimTemplates: {}", "line 6: spec.volumeClaimTemplates: must be a list, not a map (found: {})"},
      {"volumeClaimTemplates: [{metadata: {name: a}, spec: {accessModes: [RWO], resources: {requests: {storage: 1}}}}]",
       "line 6: spec.volumeClaimTemplates[0].spec.accessModes[0]: must be one of ReadWriteOnce, ReadOnlyMany, "
       "ReadWriteMany, ReadWriteOncePod (found: \"RWO\")"},
      {"volumeClaimTemplates: [{metadata: {name: a}, spec: {accessModes: [ReadWriteOnce]}}]",
       "line 6: spec.volumeClaimTemplates[0].spec.resources.requests.storage: is required"},
      {"volumeClaimTemplates: [{metadata: {name: a}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: -5Gi}}}}]",
       "line 6: spec.volumeClaimTemplates[0].spec.resources.requests.storage: must be greater than 0 (found: \"-5Gi\")"},
      {"volumeClaimTemplates: [{metadata: {name: a}, spec: {accessModes: [ReadWriteOnce, ReadWriteOncePod], resources: {requests: {storage: 1}}}}]",
       "line 6: spec.volumeClaimTemplates[0].spec.accessModes: must have no other mode beside ReadWriteOncePod (found: a list)"},
      {"volumeClaimTemplates: [{metadata: {name: a}, specs: {}}]",
       "line 6: spec.volumeClaimTemplates[0].specs: is an unknown field; did you mean \"spec\"? (found: {})"},
      {"selector: {matchLabels: {app: web}}", "line 8: spec.selector: is given twice"},
  };
  for (const Bad& row : table) {
    const auto texts = texts_of(read_manifest(manifest(row.line)).errors);
    if (row.expected.empty()) EXPECT_THAT(texts, IsEmpty()) << row.line;
    else EXPECT_THAT(texts, Contains(row.expected)) << row.line;
    EXPECT_LE(texts.size(), row.line.find("specs") == std::string::npos ? 1u : 2u) << row.line;
  }
}

TEST(Manifest, GivesEveryErrorAtOnce) {
  const Documents documents = read_manifest(
      manifest("replica: 3\n  replicas: nine\n  minReadySeconds: -1\n  serviceNames: web", "---\nkind: StatefulSet\n"));
  EXPECT_THAT(
      texts_of(documents.errors),
      ElementsAre("line 6: spec.replica: is an unknown field; did you mean \"replicas\"? (found: 3)",
                  "line 9: spec.serviceNames: is an unknown field; did you mean \"serviceName\"? (found: \"web\")",
                  "line 7: spec.replicas: must be a whole number, not text (found: \"nine\")",
                  "line 8: spec.minReadySeconds: must be greater than or equal to 0 (found: -1)",
                  "line 20: apiVersion: is required"));
}

TEST(Manifest, AMisspeltFieldDoesNotHideTheOneBesideIt) {
  const Documents documents = read_manifest(manifest("replica: 3\n  replicas: -2", ""));
  EXPECT_THAT(texts_of(documents.errors),
              Contains("line 7: spec.replicas: must be greater than or equal to 0 (found: -2)"));
}

TEST(Manifest, SeveralDocumentsAndOtherKinds) {
  const Documents documents =
      read_manifest("# first\n---\n" + manifest() +
                    "---\n# nothing\n---\napiVersion: v1\nkind: ConfigMap\n"
                    "metadata: {name: settings}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\n...\n");
  EXPECT_THAT(texts_of(documents.errors), IsEmpty());
  ASSERT_EQ(documents.read.size(), 2u);
  EXPECT_EQ(std::get<Service>(documents.read[1].object).meta.name, "web");
  EXPECT_THAT(documents.skipped, ElementsAre("ConfigMap settings"));
  EXPECT_EQ(documents.read[0].lines.of("spec.replicas"), 8);
}

TEST(Manifest, Lists) {
  const std::string item = "- apiVersion: apps/v1\n  kind: StatefulSet\n  metadata: {name: a}\n  spec: {replicas: x}\n";
  const Documents list = read_manifest("apiVersion: v1\nkind: List\nitems:\n" + item);
  EXPECT_THAT(texts_of(list.errors),
              Contains("line 7: items[0].spec.replicas: must be a whole number, not text (found: \"x\")"));
  const Documents typed = read_manifest(
      "apiVersion: apps/v1\nkind: StatefulSetList\nitems:\n- metadata: {name: a}\n"
      "- metadata: {name: b}\n  spec: {replicas: 2}\n");
  EXPECT_THAT(texts_of(typed.errors), IsEmpty());
  ASSERT_EQ(typed.read.size(), 2u);
  EXPECT_EQ(set_in(typed, 1).spec->replicas, 2);
  EXPECT_EQ(typed.read[1].lines.of("spec.replicas"), 6);
  EXPECT_THAT(texts_of(read_manifest("apiVersion: v1\nkind: List\nitems: {}\n").errors),
              ElementsAre("line 3: items: must be a list, not a map (found: {})"));
  EXPECT_THAT(
      texts_of(read_manifest("apiVersion: v1\nkind: List\nitems: [7, null]\n").errors),
      ElementsAre("line 3: items[0]: must be a map, not a number (found: 7)", "line 3: items[1]: must be a map"));
}

TEST(Manifest, OfOlderApiVersions) {
  std::string text = manifest();
  text.replace(text.find("apps/v1"), 7, "apps/v1beta1");
  text.replace(text.find("  selector:\n    matchLabels: {app: web}\n"), 40, "");
  const Documents v1beta1 = read_manifest(text);
  ASSERT_THAT(texts_of(v1beta1.errors), IsEmpty());
  EXPECT_EQ(set_in(v1beta1).spec->selector.match_labels, (StringMap{{"app", "web"}}));
  EXPECT_EQ(set_in(v1beta1).spec->strategy, Strategy::on_delete);
  EXPECT_FALSE(set_in(v1beta1).spec->rolling_update);
  text.replace(text.find("apps/v1beta1"), 12, "apps/v1beta2");
  EXPECT_EQ(set_in(read_manifest(text)).spec->strategy, Strategy::rolling_update);
  text.replace(text.find("apps/v1beta2"), 12, "apps/v2");
  EXPECT_THAT(texts_of(read_manifest(text).errors),
              Contains("line 1: apiVersion: must be one of apps/v1, apps/v1beta2, apps/v1beta1 (found: \"apps/v2\")"));
  text.replace(text.find("apps/v2"), 7, "apps.example.com/v1");
  EXPECT_THAT(read_manifest(text).skipped, ElementsAre("StatefulSet web"));
}

TEST(Manifest, OfOpenKruise) {
  std::string text = manifest(
      "scaleStrategy: {maxUnavailable: 1}\n  reserveOrdinals: [1, 3-5]\n  updateStrategy:\n"
      "    rollingUpdate: {minReadySeconds: 9, partition: 1, podUpdatePolicy: InPlaceOnly, paused: false}");
  EXPECT_THAT(texts_of(read_manifest(text).errors), Contains(HasSubstr("minReadySeconds: is an unknown field")));
  text.replace(text.find("apps/v1"), 7, "apps.kruise.io/v1beta1");
  const Documents read = read_manifest(text);
  ASSERT_THAT(texts_of(read.errors), IsEmpty());
  EXPECT_EQ(set_in(read).spec->min_ready_seconds, 9);
  EXPECT_EQ(set_in(read).spec->rolling_update->partition, 1);
  EXPECT_THAT(set_in(read).spec->reserve_ordinals, ElementsAre(1, 3, 4, 5));
  EXPECT_THAT(read.left_out, ElementsAre("spec.scaleStrategy of StatefulSet web",
                                         "spec.updateStrategy.rollingUpdate.podUpdatePolicy of StatefulSet web"));
  text.replace(text.find("reserveOrdinals"), 15, "minReadySeconds");
  EXPECT_THAT(texts_of(read_manifest(text).errors), Contains(HasSubstr("spec.minReadySeconds: is an unknown field")));
}

TEST(Manifest, UpdateStrategyWithoutATypeBringsAnEmptyBlock) {
  EXPECT_TRUE(set_in(read_manifest(manifest())).spec->rolling_update);
  EXPECT_TRUE(set_in(read_manifest(manifest("updateStrategy: {type: \"\"}"))).spec->rolling_update);
  EXPECT_FALSE(set_in(read_manifest(manifest("updateStrategy: {type: RollingUpdate}"))).spec->rolling_update);
  EXPECT_FALSE(set_in(read_manifest(manifest("updateStrategy: {type: OnDelete}"))).spec->rolling_update);
}

TEST(Yaml, AnchorsAliasesAndMerges) {
  std::vector<std::string> texts;
  FieldErrors errors;
  const auto documents = read_yaml_text(
      "base: &base {a: 1, b: {c: 2}}\nsame: *base\nmerged: {<<: *base, a: 9}\nboth: {a: 0, <<: [{x: 1}, {x: 2, a: "
      "3}]}\n",
      errors);
  ASSERT_THAT(texts_of(errors), IsEmpty());
  EXPECT_EQ(documents.at(0).value, json::parse(R"({"base":{"a":1,"b":{"c":2}},"same":{"a":1,"b":{"c":2}},
      "merged":{"a":9,"b":{"c":2}},"both":{"a":0,"x":1}})"));
}

TEST(Yaml, ScalarsAsKubectlReadsThem) {
  const std::pair<const char*, json> table[] = {
      {"", nullptr},
      {"~", nullptr},
      {"null", nullptr},
      {"nil", "nil"},
      {"true", true},
      {"yes", true},
      {"off", false},
      {"n", false},
      {"tRue", "tRue"},
      {"0", 0},
      {"-7", -7},
      {"+7", 7},
      {"1_000", 1000},
      {"0x1F", 31},
      {"0b101", 5},
      {"0o17", 15},
      {"017", 15},
      {"089", 89.0},
      {"1.5", 1.5},
      {"1e3", 1000.0},
      {".5", 0.5},
      {"1.2.3", "1.2.3"},
      {"1Gi", "1Gi"},
      {"-", "-"},
      {"2001-01-01", "2001-01-01"},
      {"9223372036854775807", 9223372036854775807},
      {"9223372036854775808", 9223372036854775808u},
      {"-9223372036854775808", std::numeric_limits<std::int64_t>::min()},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(plain_scalar(text), expected) << text;
  FieldErrors errors;
  const auto read =
      read_yaml_text("a: 'yes'\nb: \"1\"\nc: !!str 5\nd: !!int \"5\"\ne: |\n  x\n80: z\nf: # nothing\n", errors);
  EXPECT_EQ(read.at(0).value, json::parse(R"({"a":"yes","b":"1","c":"5","d":5,"e":"x\n","80":"z","f":null})"));
  EXPECT_THAT(texts_of(errors), IsEmpty());
}

struct Hostile {
  const char* what;
  std::string bytes;
  std::string expected;  // part of an error
};

std::string alias_bomb() {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string n = std::to_string(i), before = "*a" + std::to_string(i - 1);
    text +=
        "a" + n + ": &a" + n + " [" + before + ", " + before + ", " + before + ", " + before + ", " + before + "]\n";
  }
  return text;
}

std::vector<Hostile> hostiles() {
  const std::string deep_map = [] {
    std::string text;
    for (int i = 0; i < 10000; ++i) text += "{\"a\":";
    return text;
  }();
  std::string stairs;
  for (std::size_t i = 0; i < 1000; ++i) stairs += std::string(i, ' ') + "a:\n";
  std::string nested_anchors;
  for (int i = 0; i < 60; ++i) nested_anchors += "&a" + std::to_string(i) + " [";
  nested_anchors += repeat("x,", 300000) + std::string(60, ']');
  return {
      {"nothing", "", "the file is empty"},
      {"white space", " \n\t\n", "the file is empty"},
      {"comments", "# one\n--- # two\n", "the file is empty"},
      {"separators", repeat("---\n", 4000000), "the file is empty"},
      {"too large", std::string(100u << 20, 'a'), "larger than 4194304 bytes"},
      {"one large document", repeat("- a\n", 2u << 20), "a document larger than 1048576 bytes"},
      {"not UTF-8", "kind: \xff\n", "line 1: is not valid UTF-8"},
      {"not UTF-8 in JSON", "{\n\"a\": \"\xc0\xaf\"}", "line 2: is not valid UTF-8"},
      {"surrogates", "a: \xed\xa0\x80", "not valid UTF-8"},
      {"UTF-16",
       std::string("\xff\xfe"
                   "a\0",
                   4),
       "not valid UTF-8"},
      {"NUL", std::string("a: \0b", 5), "line 1: holds a control character"},
      {"end of transmission", "a: b\nc\x04: d\n", "line 2: holds a control character"},
      {"text", "hello", "must be a map, not text"},
      {"a number", "7", "must be a map, not a number"},
      {"a list", "- a\n", "must be a map, not a list"},
      {"a JSON list", "[1,2]", "must be a map, not a list"},
      {"no kind", "a: b\n", "kind: is required"},
      {"kind of another type", "kind: [a]\napiVersion: 7\n", "kind: must be text"},
      {"deep JSON maps", deep_map, "nested deeper than 64 levels"},
      {"deep JSON lists", repeat("[", 10000), "nested deeper than 64 levels"},
      {"endless JSON lists", repeat("[", 4000000), "nested deeper than 64 levels"},
      {"deep YAML lists", "a: " + repeat("[", 10000) + repeat("]", 10000), "nested deeper than 64 levels"},
      {"endless YAML lists", "a: " + repeat("[", 1000000), ""},
      {"endless YAML maps", "a: " + repeat("{", 1000000), ""},
      {"compact lists", repeat("- ", 20000), "nested deeper than 64 levels"},
      {"complex keys", repeat("? ", 20000), "key that is not text"},
      {"keys without text", repeat(": ", 20000), "key that is not text"},
      {"a chart's template", "spec:\n  replicas: {{ .Values.replicas }}\n",
       "line 2: spec.replicas: is a template that was not filled in"},
      {"a chart's template at once", "{{- if .Values.on }}\nkind: StatefulSet\n", "line 1: is a template that"},
      {"a kind in other letters", "apiVersion: apps/v1\nkind: Statefulset\n", "did you mean \"StatefulSet\"?"},
      {"stairs", stairs, "nested deeper than 64 levels"},
      {"alias bomb", alias_bomb(), "aliases expand to too much"},
      {"anchors within anchors", nested_anchors, "aliases expand to too much"},
      {"alias for itself", "a: &a [*a]\n", "alias for the value it is part of"},
      {"alias for nothing", "a: *b\n", "the referenced anchor is not defined"},
      {"merge of text", "<<: a\nb: c\n", "must be a map or a list of maps"},
      {"duplicate keys", "- {a: 1, a: 2}\n", "[0].a: is given twice"},
      {"duplicate keys in YAML", "b:\n  a: 1\n  a: 2\n", "line 3: b.a: is given twice"},
      {"duplicate keys in JSON", "{\"b\": {\"a\": 1,\n \"a\": 2}}", "line 2: b.a: is given twice"},
      {"NaN in JSON", "{\"a\": NaN}", "is not valid JSON"},
      {"infinity in JSON", "{\"a\": 1e999}", "is not valid JSON"},
      {"an open JSON text", "{\"a\": \"b", "is not valid JSON"},
      {"an open JSON map", "{\"a\": 1", "is not valid JSON"},
      {"JSON and more", "{} x", "is not valid JSON"},
      {"an open quote", "a: \"b\n", "a quoted string is never closed"},
      {"an open single quote", "a: 'b\nc: d\n", "a quoted string is never closed"},
      {"an open YAML list", "a: [1, 2\n", "is not valid YAML"},
      {"an open YAML map", "a: {b: c\n", "is not valid YAML"},
      {"a tab", "spec:\n\treplicas: 3\n", "line 2: is not valid YAML: the line is indented by a tab"},
      {"a tab after spaces", "a:\n  b: 1\n\tc: 2\n", "line 3: is not valid YAML: the line is indented by a tab"},
      {"two maps in a line", "a: b: c\n", "line 1: is not valid YAML"},
      {"bad indentation", "a: 1\n b: 2\n", "line 2: is not valid YAML"},
      {"a stray bracket", "a: 1\n}\n", "is not valid YAML"},
      {"more after the end", "--- [], []\n", "line 1: is not valid YAML: something follows the end"},
      {"an unknown tag", "a: !secret b\n", "a tag nobody here knows (found: !secret)"},
      {"reserved characters", "a: @b\n", "is not valid YAML"},
      {"directives only", "%YAML 1.2\n", ""},
      {"many errors", repeat("7\n---\n", 3000), "there are more errors"},
      {"many documents", repeat("7\n---\n", 3000000), "holds more than 10000 documents"},
      {"many JSON documents", "[]" + repeat("[]", 3000000), "holds more than 10000 documents"},
      {"many documents ended by dots", repeat("a\n...\n", 1000000), "holds more than 10000 documents"},
      {"many unknown fields",
       "apiVersion: apps/v1\nkind: StatefulSet\nspec: {" +
           [] {
             std::string keys;
             for (int i = 0; i < 50000; ++i) keys += "replica" + std::to_string(i) + ": 1, ";
             return keys;
           }() +
           "}\n",
       "there are more errors"},
      {"a key of a megabyte",
       "{\"" + repeat("k", 1000000) + "\": {\"a\": [1, 2, " + repeat("{\"b\": 3}, ", 2000000) + "4]}}",
       "kind: is required"},
      {"many labels",
       "apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  labels: {" +
           [] {
             std::string keys;
             for (int i = 0; i < 50000; ++i) keys += "l" + std::to_string(i) + ": x, ";
             return keys;
           }() +
           "}\n",
       "must not have more than 1000 entries"},
      {"many claims",
       "{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\",\"spec\":{\"volumeClaimTemplates\":[" +
           repeat("{},", 3000000) + "{}]}}",
       "must not have more than 1000 entries"},
      {"many owners",
       "{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\",\"metadata\":{\"ownerReferences\":[" +
           repeat("{},", 1000000) + "{}]}}",
       "must not have more than 1000 entries"},
      {"many finalizers",
       "{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\",\"metadata\":{\"finalizers\":[" +
           repeat("\"a/b\",", 1000000) + "\"a/b\"]}}",
       "must not have more than 1000 entries"},
      {"many open quotes", repeat("\"", 999999), ""},
      {"many anchors", repeat("&a ", 900000), "is not valid YAML"},
  };
}

TEST(Hostile, BytesGiveAClearErrorInTime) {
  for (const Hostile& row : hostiles()) {
    SCOPED_TRACE(row.what);
    const std::clock_t started = std::clock();  // of this process: other work on the machine does not count
    const auto texts = texts_of(read_manifest(row.bytes).errors);
    EXPECT_LT(std::clock() - started, 10 * CLOCKS_PER_SEC);
    ASSERT_FALSE(texts.empty());
    EXPECT_LE(texts.size(), max_errors + 1);
    EXPECT_THAT(texts, Contains(HasSubstr(row.expected)));
    for (const std::string& text : texts) EXPECT_LT(text.size(), 1000u);
  }
}

TEST(Hostile, OneBadDocumentDoesNotHideTheNext) {
  const Documents documents = read_manifest("a: [\n---\n" + manifest("replica: 1") + "---\nb: 'c\n");
  const auto texts = texts_of(documents.errors);
  EXPECT_THAT(texts, Contains(HasSubstr("line 8: spec.replica: is an unknown field")));
  EXPECT_THAT(texts, Contains(HasSubstr("never closed")));
  EXPECT_EQ(texts.size(), 3u);
}

TEST(Json, ParseRefusesWhatItMust) {
  json out;
  FieldErrors errors;
  EXPECT_TRUE(parse_json(" {\"a\": [1, -2, 3.5, \"x\", null, true]} ", out, errors));
  EXPECT_EQ(out, json::parse(R"({"a":[1,-2,3.5,"x",null,true]})"));
  for (const char* bad : {"", "{", "{} {}", "{\"a\":1,\"a\":2}", "nul", "'a'", "\"\xff\"", "01", "[1,]"}) {
    errors.clear();
    EXPECT_FALSE(parse_json(bad, out, errors)) << bad;
    EXPECT_EQ(errors.size(), 1u) << bad;
  }
  errors.clear();
  EXPECT_TRUE(parse_json(std::string(64, '[') + std::string(64, ']'), out, errors));
  EXPECT_FALSE(parse_json(std::string(65, '[') + std::string(65, ']'), out, errors));
}

TEST(Json, HasLinesToo) {
  const Documents documents = read_manifest(
      "{\n\"apiVersion\": \"apps/v1\",\n\"kind\": \"StatefulSet\",\n\"metadata\": {\"name\": \"a\"},\n\"spec\": {\n"
      "\"replicas\": 3\n,\n\"minReadySeconds\": \"x\"}}");
  ASSERT_FALSE(documents.errors.empty());
  EXPECT_EQ(documents.errors[0].text(),
            "line 8: spec.minReadySeconds: must be a whole number, not text (found: \"x\")");
  EXPECT_EQ(documents.read.at(0).lines.of("spec.replicas"), 6);
}

TEST(Json, ANumberAtTheEndOfALineStandsOnThatLine) {
  const Documents documents = read_manifest(
      "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"spec\": {}, \"metadata\": {\"name\": \"a\",\n"
      "\"finalizers\": [\n\"a/b\",\n7\n,\"c/d\"]}}");
  EXPECT_THAT(texts_of(documents.errors),
              ElementsAre("line 4: metadata.finalizers[1]: must be text; put it in quotes (found: 7)"));
}

TEST(Json, SeveralObjectsInARow) {
  const std::string one = R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"a"}})";
  const Documents documents = read_manifest(one + "\n" + one + "\n---\n" + one + "\n");
  EXPECT_THAT(texts_of(documents.errors), IsEmpty());
  EXPECT_EQ(documents.read.size(), 3u);
}

// --- round trips ------------------------------------------------------------------------------------------------------

template <class T>
json read_and_write(const json& given) {
  T object;
  FieldErrors errors;
  EXPECT_TRUE(from_json(given, object, errors)) << (errors.empty() ? "" : errors[0].text());
  return to_json(object);
}

TEST(StatefulSet, ReservesAnOrdinalOnceHoweverOftenItIsSaid) {
  const json set = json::parse(R"({"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"},
    "spec": {"reserveOrdinals": [4, 1, 4]}})");
  EXPECT_EQ(read_and_write<StatefulSet>(set)["spec"]["reserveOrdinals"], json({1, 4}));
}

TEST(RoundTrip, StatefulSetWithEverything) {
  const json set = json::parse(R"({
    "apiVersion": "apps/v1", "kind": "StatefulSet",
    "metadata": {"name": "web", "namespace": "n", "uid": "00000000-0000-4000-8000-000000000007", "resourceVersion": "12",
      "generation": 3, "creationTimestamp": "2026-01-01T00:00:05Z", "deletionTimestamp": "2026-02-03T04:05:06Z",
      "labels": {"a": "b"}, "annotations": {"c": "d"}, "finalizers": ["x/y"],
      "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "00000000-0000-4000-8000-000000000001",
                           "controller": true, "blockOwnerDeletion": true}]},
    "spec": {"replicas": 0, "serviceName": "s", "podManagementPolicy": "Parallel", "minReadySeconds": 4,
      "revisionHistoryLimit": -1, "ordinals": {"start": 9}, "reserveOrdinals": [3, 11],
      "persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Delete", "whenScaled": "Retain"},
      "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 1, "maxUnavailable": "30%"}},
      "selector": {"matchLabels": {"app": "web"},
                   "matchExpressions": [{"key": "k", "operator": "NotIn", "values": ["v"]}, {"key": "e", "operator": "Exists"}]},
      "volumeClaimTemplates": [{"apiVersion": "v1", "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data", "namespace": "elsewhere", "labels": {"l": "m"}, "annotations": {"n": "o"}, "finalizers": ["p/q"],
          "ownerReferences": [{"apiVersion": "v1", "kind": "Store", "name": "s", "uid": "00000000-0000-4000-8000-000000000002"}]},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "volumeMode": "Filesystem",
                 "unheardOf": {"kept": [1, 2]}}}]},
    "status": {"replicas": 3, "availableReplicas": 1, "readyReplicas": 2, "currentReplicas": 1, "updatedReplicas": 2,
      "observedGeneration": 2, "currentRevision": "web-a", "updateRevision": "web-b", "collisionCount": 0,
      "conditions": [{"type": "Progressing", "status": "True", "reason": "R", "message": "m",
                      "lastTransitionTime": "2026-01-01T00:01:00Z"}, {"type": "Bare", "status": "Unknown"}]}
  })");
  EXPECT_EQ(read_and_write<StatefulSet>(set), set);
}

/// Of what kubelets report only Ready counts: a pod that has been up for long, and whose containers are ready, need
/// not be.
TEST(Encode, APodSaysMoreOfItselfThanWhetherItIsReady) {
  Pod pod;
  pod.meta.name = "web-0";
  pod.meta.created = Time::seconds(60);
  pod.node = "n1";
  pod.phase = Phase::running;
  pod.ready_changed = Time::seconds(90);
  const auto status_with = [&](std::uint64_t uid) {
    pod.meta.uid = Uid{uid};
    return to_json(pod).at("status");
  };
  EXPECT_EQ(status_with(3).at("startTime"), "2026-01-01T00:01:00Z");
  EXPECT_EQ(status_with(3).at("conditions").at(1).at("status"), "False");
  EXPECT_EQ(status_with(3).at("conditions").at(2), (json{{"type", "ContainersReady"}, {"status", "True"}}));
  EXPECT_EQ(status_with(4).at("conditions").at(2), (json{{"type", "ContainersReady"}, {"status", "False"}}));
  EXPECT_EQ(status_with(3).at("conditions").at(4), (json{{"type", "example.org/Gated"}, {"status", "False"}}));
  EXPECT_EQ(status_with(4).at("conditions").at(4), (json{{"type", "DisruptionTarget"}, {"status", "True"}}));
  EXPECT_EQ(status_with(6).at("conditions").at(4), (json{{"type", "DisruptionTarget"}, {"status", "False"}}));
}

TEST(RoundTrip, PodClaimRevisionService) {
  const json pod = json::parse(R"({
    "apiVersion": "v1", "kind": "Pod",
    "metadata": {"name": "web-0", "generateName": "web-",
      "labels": {"app": "web", "statefulset.kubernetes.io/pod-name": "web-0", "apps.kubernetes.io/pod-index": "0"}},
    "spec": {"hostname": "web-0", "subdomain": "s", "nodeName": "n1", "dnsPolicy": "ClusterFirst", "restartPolicy": "Always",
      "schedulerName": "default-scheduler", "securityContext": {}, "terminationGracePeriodSeconds": 30,
      "containers": [{"name": "c", "image": "i:1", "imagePullPolicy": "IfNotPresent", "resources": {},
        "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File", "unheardOf": [1, {"a": null}]}],
      "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data-web-0"}}, {"name": "tmp", "emptyDir": {}},
                  {"name": "ro", "persistentVolumeClaim": {"claimName": "x", "readOnly": true}}]},
    "status": {"phase": "Running",
      "conditions": [{"type": "Initialized", "status": "True"},
                     {"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-01T00:01:00Z"},
                     {"type": "ContainersReady", "status": "True"}, {"type": "PodScheduled", "status": "True"}]}
  })");
  EXPECT_EQ(read_and_write<Pod>(pod), pod);
  json unseen = pod;  // nobody hears of it
  unseen["status"]["phase"] = "Unknown";
  unseen["status"]["conditions"][1]["status"] = "Unknown";
  unseen["status"]["conditions"][2]["status"] = "False";
  EXPECT_EQ(read_and_write<Pod>(unseen), unseen);
  const json claim = json::parse(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"data-web-0"},
                                     "spec":{"accessModes":["ReadWriteOnce"],"volumeName":"pv"}})");
  EXPECT_EQ(read_and_write<Claim>(claim), claim);
  const json revision = json::parse(R"({"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"web-1"},
                                        "revision":4,"data":{"spec":{"template":{"$patch":"replace","spec":{}}}}})");
  EXPECT_EQ(read_and_write<Revision>(revision), revision);
  const json odd = json::parse(R"({"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"web-1"},
                                   "revision":4,"data":"{ \"not\": as today's encoder writes"})");
  EXPECT_EQ(read_and_write<Revision>(odd), odd);
  const json service =
      json::parse(R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},"spec":{"clusterIP":"None"}})");
  EXPECT_EQ(read_and_write<Service>(service), service);
}

TEST(RoundTrip, APodGetsItsTemplateBack) {
  const auto made = make_template(json::parse(R"({
    "metadata": {"labels": {"app": "web"}, "annotations": {"a": "b"}},
    "spec": {"containers": [{"name": "c", "image": "i:1"}], "volumes": [{"name": "tmp", "emptyDir": {}}]}})"));
  Pod pod;
  pod.meta.name = "web-0";
  StringMap labels = made->labels;
  labels.set(label_pod_name, "web-0");
  labels.set(label_pod_index, "0");
  labels.set(label_revision, "web-abc");
  pod.meta.labels = std::make_shared<const StringMap>(labels);
  pod.meta.annotations = std::make_shared<const StringMap>(made->annotations);
  pod.hostname = "web-0", pod.subdomain = "web";
  pod.made_from = made;
  std::vector<Volume> volumes = {{"data", "data-web-0", {}}};
  volumes.insert(volumes.end(), made->volumes.begin(), made->volumes.end());
  pod.volumes = std::make_shared<const std::vector<Volume>>(volumes);
  Pod again;
  FieldErrors errors;
  ASSERT_TRUE(from_json(to_json(pod), again, errors));
  EXPECT_EQ(again.made_from->document, made->document);
  EXPECT_EQ(*again.volumes, volumes);
  EXPECT_EQ(*again.meta.labels, labels);
}

TEST(RoundTrip, UnlessSomethingIsWrong) {
  const std::pair<const char*, const char*> table[] = {
      {R"({"metadata":{}})", "metadata.name: is required"},
      {R"({"metadata":{"name":"a"}})", "spec: is required"},
      {R"({"metadata":{"name":"a"},"spec":{},"status":{"phase":"Sleeping"}})",
       "status.phase: must be one of Pending, Running, Succeeded, Failed, Unknown (found: \"Sleeping\")"},
      {R"({"metadata":{"name":"a","resourceVersion":"x"},"spec":{}})",
       "metadata.resourceVersion: must be a whole number in quotes (found: \"x\")"},
      {R"({"metadata":{"name":"a","deletionTimestamp":"now"},"spec":{}})",
       "metadata.deletionTimestamp: must be a time such as 2026-01-01T00:00:00Z (found: \"now\")"},
      {R"({"metadata":{"name":"a","ownerReferences":[{"kind":"Pod"}]},"spec":{}})",
       "metadata.ownerReferences[0].uid: is required"},
      {R"([])", "must be a map, not a list (found: [])"},
  };
  for (const auto& [text, expected] : table) {
    Pod pod;
    FieldErrors errors;
    EXPECT_FALSE(from_json(json::parse(text), pod, errors)) << text;
    EXPECT_THAT(texts_of(errors), Contains(expected)) << text;
  }
}

TEST(Texts, OfUids) {
  EXPECT_EQ(uid_text(Uid::none), "");
  EXPECT_EQ(uid_text(Uid{7}), "00000000-0000-4000-8000-000000000007");
  for (const std::uint64_t value : {std::uint64_t{1}, std::uint64_t{0x123456789abcdef0}, ~std::uint64_t{0}})
    EXPECT_EQ(read_uid(uid_text(Uid{value})), Uid{value});
  EXPECT_EQ(read_uid(""), Uid::none);
  const Uid foreign = read_uid("9f4b7f4c-1b7e-4a53-8d55-0b8f4a9b2c11");
  EXPECT_NE(foreign, Uid::none);
  EXPECT_NE(foreign, read_uid("9f4b7f4c-1b7e-4a53-8d55-0b8f4a9b2c12"));
  EXPECT_EQ(foreign, read_uid("9f4b7f4c-1b7e-4a53-8d55-0b8f4a9b2c11"));
}

TEST(Texts, OfTimes) {
  const std::pair<std::int64_t, const char*> table[] = {
      {0, "2026-01-01T00:00:00Z"},
      {1000, "2026-01-01T00:00:01Z"},
      {250, "2026-01-01T00:00:00.250Z"},
      {-1000, "2025-12-31T23:59:59Z"},
      {-1, "2025-12-31T23:59:59.999Z"},
      {86400000ll * 59, "2026-03-01T00:00:00Z"},
      {86400000ll * (365 + 365 + 31 + 28), "2028-02-29T00:00:00Z"},
  };
  for (const auto& [ms, text] : table) {
    EXPECT_EQ(time_text({ms}), text);
    EXPECT_EQ(read_time(text), Time{ms}) << text;
  }
  EXPECT_EQ(read_time("2026-01-01T01:30:00.250+01:30"), Time{250});
  EXPECT_EQ(read_time("2025-12-31T23:00:00-01:00"), Time{});
  for (const char* odd :
       {"2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00+25:00", "2026-01-01T00:00:00Z+01:00", "+01:00", "2026-01-01"})
    EXPECT_EQ(read_time(odd), std::nullopt) << odd;
  EXPECT_EQ(time_text({INT64_MAX}), "9999-12-31T23:59:59Z");
  EXPECT_EQ(time_text({INT64_MIN}), "0000-01-01T00:00:00Z");
  for (const char* bad : {"", "now", "2026-01-01", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z",
                          "2026-01-01T24:00:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z",
                          "2026-01-01T00:00:0xZ", "2026-1-01T00:00:00Z", "2026-01-01T00:00:00ZZ"})
    EXPECT_FALSE(read_time(bad)) << bad;
}

TEST(Lines, OfAPathOrItsNearestParent) {
  const Lines lines{{{"", 1}, {"a", 2}, {"a.b", 3}, {"a.b[0]", 4}, {"a.b[0].c", 5}}};
  EXPECT_EQ(lines.of("a.b[0].c"), 5);
  EXPECT_EQ(lines.of("a.b[0].d"), 4);
  EXPECT_EQ(lines.of("a.b[1].c"), 3);
  EXPECT_EQ(lines.of("x"), 1);
  EXPECT_EQ(Lines{}.of("a"), 0);
}

TEST(Codec, WhyAPodFailedIsSaidInSomeWordOrNotAtAll) {
  Pod pod;
  pod.phase = Phase::failed;
  std::set<std::string> reasons;
  for (std::uint64_t uid = 0; uid < 4; ++uid) {
    pod.meta.uid = Uid{uid};
    reasons.insert(to_json(pod)["status"].value("reason", ""));
  }
  EXPECT_EQ(reasons, (std::set<std::string>{"", "Evicted", "OutOfcpu", "Terminated"}));
  pod.phase = Phase::succeeded;
  pod.meta.uid = Uid{0};
  EXPECT_FALSE(to_json(pod)["status"].contains("reason"));
}

}  // namespace
}  // namespace ordeal
