// Defaulting and admission: one change to a good set, and the paths it must be refused for.
#include "core/api/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "core/api/syntax.h"

namespace ordeal {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;
using Paths = std::vector<std::string>;

Shared<PodTemplate> good_template() {
  return make_template(json::parse(R"({"metadata":{"labels":{"app":"web","tier":"front"}},
                                       "spec":{"containers":[{"name":"web","image":"web:1"}]}})"));
}

StatefulSetSpec good_spec() {
  StatefulSetSpec spec;
  spec.selector.match_labels = {{"app", "web"}};
  spec.pod_template = good_template();
  spec.service_name = "web";
  spec.claim_templates = {{"data", {}, {}, std::make_shared<const std::string>("{}"), {}, {}}};
  spec.rolling_update.emplace();
  return spec;
}

StatefulSet set_of(StatefulSetSpec spec) {
  StatefulSet set;
  set.meta.name = "web";
  set.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  return set;
}

Paths paths_of(const FieldErrors& errors) {
  Paths paths;
  for (const FieldError& error : errors) paths.push_back(error.path);
  return paths;
}

struct Change {
  const char* what;
  std::function<void(StatefulSetSpec&)> change;
  Paths refused_for;
};

const std::vector<Change>& creations() {
  static const std::vector<Change> table = {
      {"nothing", [](StatefulSetSpec&) {}, {}},
      {"replicas 0", [](auto& s) { s.replicas = 0; }, {}},
      {"replicas -1", [](auto& s) { s.replicas = -1; }, {"spec.replicas"}},
      {"minReadySeconds -1", [](auto& s) { s.min_ready_seconds = -1; }, {"spec.minReadySeconds"}},
      {"ordinals.start -1", [](auto& s) { s.ordinals_start = -1; }, {"spec.ordinals.start"}},
      {"reserveOrdinals -1", [](auto& s) { s.reserve_ordinals = {-1, 2}; }, {"spec.reserveOrdinals"}},
      {"reserveOrdinals below the start is legal",
       [](auto& s) {
         s.reserve_ordinals = {0, 7};
         s.ordinals_start = 3;
       },
       {}},
      {"history limit -1 is legal", [](auto& s) { s.revision_history_limit = -1; }, {}},
      {"partition above replicas is legal", [](auto& s) { s.rolling_update->partition = 99; }, {}},
      {"partition -1",
       [](auto& s) { s.rolling_update->partition = -1; },
       {"spec.updateStrategy.rollingUpdate.partition"}},
      {"maxUnavailable above replicas is legal",
       [](auto& s) { s.rolling_update->max_unavailable = {{200, false}}; },
       {}},
      {"maxUnavailable 100% is legal", [](auto& s) { s.rolling_update->max_unavailable = {{100, true}}; }, {}},
      {"maxUnavailable 0",
       [](auto& s) { s.rolling_update->max_unavailable = {{0, false}}; },
       {"spec.updateStrategy.rollingUpdate.maxUnavailable"}},
      {"maxUnavailable 0%",
       [](auto& s) { s.rolling_update->max_unavailable = {{0, true}}; },
       {"spec.updateStrategy.rollingUpdate.maxUnavailable"}},
      {"maxUnavailable -1",
       [](auto& s) { s.rolling_update->max_unavailable = {{-1, false}}; },
       {"spec.updateStrategy.rollingUpdate.maxUnavailable"}},
      {"maxUnavailable 101%",
       [](auto& s) { s.rolling_update->max_unavailable = {{101, true}}; },
       {"spec.updateStrategy.rollingUpdate.maxUnavailable"}},
      {"OnDelete with rollingUpdate",
       [](auto& s) { s.strategy = Strategy::on_delete; },
       {"spec.updateStrategy.rollingUpdate"}},
      {"Recreate with rollingUpdate",
       [](auto& s) { s.strategy = Strategy::recreate; },
       {"spec.updateStrategy.rollingUpdate"}},
      {"OnDelete alone", [](auto& s) { s.strategy = Strategy::on_delete, s.rolling_update.reset(); }, {}},
      {"Recreate alone", [](auto& s) { s.strategy = Strategy::recreate, s.rolling_update.reset(); }, {}},
      {"no selector", [](auto& s) { s.selector = {}; }, {"spec.selector"}},
      {"selector that misses the template",
       [](auto& s) { s.selector.match_labels = {{"app", "db"}}; },
       {"spec.template.metadata.labels"}},
      {"selector key",
       [](auto& s) { s.selector.match_labels.set("a b", "x"); },
       {"spec.selector.matchLabels", "spec.template.metadata.labels"}},
      {"In without values",
       [](auto& s) { s.selector.match_expressions = {{"app", SelectorRequirement::Operator::in, {}}}; },
       {"spec.selector.matchExpressions[0].values", "spec.template.metadata.labels"}},
      {"Exists with values",
       [](auto& s) { s.selector.match_expressions = {{"app", SelectorRequirement::Operator::exists, {"web"}}}; },
       {"spec.selector.matchExpressions[0].values"}},
      {"good expressions",
       [](auto& s) {
         s.selector.match_expressions = {{"app", SelectorRequirement::Operator::in, {"db", "web"}},
                                         {"tier", SelectorRequirement::Operator::not_in, {"back"}},
                                         {"zone", SelectorRequirement::Operator::does_not_exist, {}}};
       },
       {}},
      {"no template", [](auto& s) { s.pod_template = nullptr; }, {"spec.template"}},
      {"faulty template",
       [](auto& s) {
         s.pod_template = make_template(json::parse(
             R"({"metadata":{"labels":{"app":"web"}},"spec":{"restartPolicy":"Never","containers":[{"name":"x"}]}})"));
       },
       {"spec.template.spec.containers[0].image", "spec.template.spec.restartPolicy"}},
      {"claim without a name",
       [](auto& s) { s.claim_templates[0].name = {}; },
       {"spec.volumeClaimTemplates[0].metadata.name"}},
      {"claim with a bad name",
       [](auto& s) { s.claim_templates[0].name = "Data"; },
       {"spec.volumeClaimTemplates[0].metadata.name"}},
      {"claims of one name",
       [](auto& s) { s.claim_templates.push_back(s.claim_templates[0]); },
       {"spec.volumeClaimTemplates[1].metadata.name"}},
      {"three claims of one name, each told once",
       [](auto& s) { s.claim_templates.insert(s.claim_templates.end(), 2, ClaimTemplate(s.claim_templates[0])); },
       {"spec.volumeClaimTemplates[1].metadata.name", "spec.volumeClaimTemplates[2].metadata.name"}},
      {"labels of claims are the claims' matter", [](auto& s) { s.claim_templates[0].labels.set("a", "-"); }, {}},
      {"service name", [](auto& s) { s.service_name = "web.local"; }, {"spec.serviceName"}},
      {"no service name is legal", [](auto& s) { s.service_name = {}; }, {}},
      {"everything at once",
       [](auto& s) {
         s.replicas = -1, s.min_ready_seconds = -2, s.rolling_update->partition = -3, s.service_name = "-";
       },
       {"spec.replicas", "spec.minReadySeconds", "spec.updateStrategy.rollingUpdate.partition", "spec.serviceName"}},
  };
  return table;
}

TEST(ValidateCreate, RefusesForThesePaths) {
  for (const Change& row : creations()) {
    StatefulSetSpec spec = good_spec();
    row.change(spec);
    EXPECT_EQ(paths_of(validate_create(set_of(spec))), row.refused_for) << row.what;
  }
}

TEST(ValidateCreate, ShowsTheOffendingValue) {
  StatefulSetSpec spec = good_spec();
  spec.replicas = -1;
  spec.rolling_update->max_unavailable = {{101, true}};
  const FieldErrors errors = validate_create(set_of(spec));
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].text(), "spec.replicas: must be greater than or equal to 0 (found: -1)");
  EXPECT_EQ(errors[1].text(),
            "spec.updateStrategy.rollingUpdate.maxUnavailable: must not be more than 100% (found: 101%)");
}

TEST(ValidateCreate, SplitsTemplateFaults) {
  StatefulSetSpec spec = good_spec();
  spec.pod_template = make_template(json::parse(
      R"({"metadata":{"labels":{"app":"web"}},"spec":{"restartPolicy":"Never","containers":[{"name":"x","image":"y"}]}})"));
  const FieldErrors errors = validate_create(set_of(spec));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].message, "must be Always");
  EXPECT_EQ(errors[0].value, "\"Never\"");
  spec.pod_template = make_template(json::array());
  EXPECT_EQ(paths_of(validate_create(set_of(spec))), (Paths{"spec.template.metadata.labels", "spec.template"}));
}

TEST(ValidateCreate, ChecksMetadata) {
  const std::pair<std::function<void(ObjectMeta&)>, Paths> table[] = {
      {[](ObjectMeta& m) { m.name = {}; }, {"metadata.name"}},
      {[](ObjectMeta& m) { m.name = "Web"; }, {"metadata.name"}},
      {[](ObjectMeta& m) { m.name = "web.local"; }, {"metadata.name"}},
      {[](ObjectMeta& m) { m.name = std::string(63, 'a'); }, {}},
      {[](ObjectMeta& m) { m.name = std::string(64, 'a'); }, {"metadata.name"}},
      {[](ObjectMeta& m) { m.ns = "a_b"; }, {"metadata.namespace"}},
      {[](ObjectMeta& m) { m.labels = std::make_shared<const StringMap>(StringMap{{"a", "b/c"}}); },
       {"metadata.labels[a]"}},
      {[](ObjectMeta& m) { m.labels = std::make_shared<const StringMap>(StringMap{{"", "b"}}); }, {"metadata.labels"}},
  };
  for (const auto& [change, paths] : table) {
    StatefulSet set = set_of(good_spec());
    change(set.meta);
    EXPECT_EQ(paths_of(validate_create(set)), paths) << set.meta.name;
  }
  EXPECT_EQ(paths_of(validate_create(StatefulSet{})), (Paths{"metadata.name", "spec"}));
}

TEST(ValidateUpdate, RefusesForThesePaths) {
  const Change table[] = {
      {"nothing", [](auto&) {}, {}},
      {"replicas", [](auto& s) { s.replicas = 7; }, {}},
      {"template", [](auto& s) { s.pod_template = make_template(json::parse(s.pod_template->document)); }, {}},
      {"strategy", [](auto& s) { s.strategy = Strategy::on_delete, s.rolling_update.reset(); }, {}},
      {"retention", [](auto& s) { s.retention = {Retention::remove, Retention::remove}; }, {}},
      {"minReadySeconds", [](auto& s) { s.min_ready_seconds = 3; }, {}},
      {"ordinals", [](auto& s) { s.ordinals_start = 3; }, {}},
      {"history limit", [](auto& s) { s.revision_history_limit = 3; }, {}},
      {"replicas -1", [](auto& s) { s.replicas = -1; }, {"spec.replicas"}},
      {"selector", [](auto& s) { s.selector.match_labels = {{"tier", "front"}}; }, {"spec.selector"}},
      {"service", [](auto& s) { s.service_name = "other"; }, {"spec.serviceName"}},
      {"claims", [](auto& s) { s.claim_templates.clear(); }, {"spec.volumeClaimTemplates"}},
      {"claim spec",
       [](auto& s) { s.claim_templates[0].spec = std::make_shared<const std::string>("[]"); },
       {"spec.volumeClaimTemplates"}},
      {"management", [](auto& s) { s.pod_management = PodManagement::parallel; }, {"spec.podManagementPolicy"}},
      {"all of them",
       [](auto& s) {
         s.selector.match_labels = {{"tier", "front"}}, s.service_name = "other", s.claim_templates.clear(),
         s.pod_management = PodManagement::parallel;
       },
       {"spec.selector", "spec.serviceName", "spec.volumeClaimTemplates", "spec.podManagementPolicy"}},
  };
  const StatefulSet stored = set_of(good_spec());
  for (const Change& row : table) {
    StatefulSetSpec spec = good_spec();
    spec.pod_template = stored.spec->pod_template;
    row.change(spec);
    EXPECT_EQ(paths_of(validate_update(set_of(spec), stored)), row.refused_for) << row.what;
  }
}

TEST(ValidateUpdate, LeavesAnInvalidStoredTemplateEditable) {
  StatefulSetSpec broken = good_spec();
  broken.pod_template = make_template(json::parse(R"({"metadata":{"labels":{"app":"web"}},"spec":{"containers":[]}})"));
  StatefulSetSpec edited = broken;
  edited.replicas = 5;
  EXPECT_THAT(paths_of(validate_create(set_of(edited))), ElementsAre("spec.template.spec.containers"));
  EXPECT_THAT(validate_update(set_of(edited), set_of(broken)), IsEmpty());
  EXPECT_THAT(paths_of(validate_update(set_of(edited), set_of(good_spec()))),
              ElementsAre("spec.template.spec.containers"));
}

TEST(Validate, MountsNameAVolumeOrAClaimTemplate) {
  StatefulSetSpec spec = good_spec();
  spec.claim_templates = {
      {.name = "data", .labels = {}, .annotations = {}, .spec = {}, .owners = {}, .finalizers = {}}};
  spec.pod_template = make_template(json::parse(R"({"metadata":{"labels":{"app":"web"}},"spec":{
      "initContainers":[{"name":"first","image":"a","volumeMounts":[{"name":"date","mountPath":"/data"}]}],
      "containers":[{"name":"c","image":"a","volumeMounts":[{"name":"data","mountPath":"/data"},
                                                            {"name":"conf","mountPath":"/conf"}]}],
      "volumes":[{"name":"conf","emptyDir":{}}]}})"));
  EXPECT_THAT(paths_of(validate_create(set_of(spec))),
              ElementsAre("spec.template.spec.initContainers[0].volumeMounts[0].name"));
  StatefulSetSpec edited = spec;
  edited.replicas = 5;
  EXPECT_THAT(validate_update(set_of(edited), set_of(spec)), IsEmpty()) << "it is stored so";
  spec.claim_templates.front().name = "date";
  EXPECT_THAT(paths_of(validate_create(set_of(spec))),
              ElementsAre("spec.template.spec.containers[0].volumeMounts[0].name"));
}

TEST(Gates, RecreateIsOnlyRefusedWhenNew) {
  StatefulSetSpec spec = good_spec();
  spec.rolling_update.reset();
  const StatefulSet rolling = set_of(spec);
  spec.strategy = Strategy::recreate;
  spec.replicas = 2;
  const StatefulSet recreate = set_of(spec);
  spec.replicas = 3;
  const ApiGates off{.recreate = false};
  EXPECT_THAT(paths_of(validate_create(recreate, off)), ElementsAre("spec.updateStrategy.type"));
  EXPECT_THAT(paths_of(validate_update(recreate, rolling, off)), ElementsAre("spec.updateStrategy.type"));
  EXPECT_THAT(validate_update(set_of(spec), recreate, off), IsEmpty());
  EXPECT_THAT(validate_update(rolling, recreate, off), IsEmpty());
  EXPECT_THAT(validate_create(recreate), IsEmpty());
}

TEST(Defaults, FillInWhatIsAbsent) {
  StatefulSet set = set_of(good_spec());
  apply_defaults(set);
  EXPECT_EQ(set.spec->replicas, 1);
  EXPECT_EQ(set.spec->revision_history_limit, 10);
  EXPECT_EQ(set.spec->retention, RetentionPolicy{});
  EXPECT_EQ(set.spec->rolling_update->partition, 0);
  EXPECT_EQ(set.spec->rolling_update->max_unavailable, IntOrPercent{});
  EXPECT_FALSE(set.spec->ordinals_start);
  const auto once = set.spec;
  apply_defaults(set);
  EXPECT_EQ(set.spec, once);  // the same object: nothing was copied
}

TEST(Defaults, LeaveAnAbsentRollingUpdateAbsent) {
  StatefulSetSpec spec = good_spec();
  spec.rolling_update.reset();
  StatefulSet set = set_of(spec);
  apply_defaults(set);
  EXPECT_FALSE(set.spec->rolling_update);
}

TEST(Defaults, KeepWhatIsThere) {
  StatefulSetSpec spec = good_spec();
  spec.replicas = 0, spec.revision_history_limit = -5, spec.retention = {Retention::remove, Retention::retain};
  spec.rolling_update = RollingUpdate{3, IntOrPercent{50, true}};
  StatefulSet set = set_of(spec);
  const auto before = set.spec;
  apply_defaults(set);
  EXPECT_EQ(set.spec, before);
}

TEST(Defaults, LeaveARollingUpdateThatDoesNotBelongHereForAdmissionToRefuse) {
  StatefulSetSpec spec = good_spec();
  spec.strategy = Strategy::on_delete;
  StatefulSet set = set_of(spec);
  apply_defaults(set);
  EXPECT_EQ(set.spec->rolling_update, RollingUpdate{});
  EXPECT_THAT(paths_of(validate_create(set)), ElementsAre("spec.updateStrategy.rollingUpdate"));
}

TEST(Defaults, MaxUnavailableFollowsItsGate) {
  const ApiGates off{.max_unavailable = false};
  StatefulSet plain = set_of(good_spec());
  apply_defaults(plain, off);
  EXPECT_FALSE(plain.spec->rolling_update->max_unavailable);

  StatefulSetSpec spec = good_spec();
  spec.rolling_update->max_unavailable = {{2, false}};
  const StatefulSet with = set_of(spec);
  StatefulSet created = with, introduced = with, kept = with;
  apply_defaults(created, off);
  EXPECT_FALSE(created.spec->rolling_update->max_unavailable);
  apply_defaults(introduced, off, &plain);
  EXPECT_FALSE(introduced.spec->rolling_update->max_unavailable);
  apply_defaults(kept, off, &with);
  EXPECT_EQ(kept.spec->rolling_update->max_unavailable, (IntOrPercent{2, false}));
}

TEST(ValidateStatus, RefusesForThesePaths) {
  const std::pair<std::function<void(StatefulSetStatus&)>, Paths> table[] = {
      {[](auto&) {}, {}},
      {[](auto& s) { s.observed_generation = -1; }, {"status.observedGeneration"}},
      {[](auto& s) { s.current_replicas = -1; }, {"status.currentReplicas"}},
      {[](auto& s) { s.ready_replicas = 4; }, {"status.readyReplicas"}},
      {[](auto& s) { s.current_replicas = 4; }, {"status.currentReplicas"}},
      {[](auto& s) { s.updated_replicas = 4; }, {"status.updatedReplicas"}},
      {[](auto& s) { s.ready_replicas = 1, s.available_replicas = 2; }, {"status.availableReplicas"}},
      {[](auto& s) { s.replicas = -1; },
       {"status.replicas", "status.readyReplicas", "status.currentReplicas", "status.updatedReplicas",
        "status.availableReplicas"}},
      {[](auto& s) { s.collision_count = 1; }, {"status.collisionCount"}},
      {[](auto& s) { s.collision_count.reset(); }, {"status.collisionCount"}},
      {[](auto& s) { s.collision_count = 3; }, {}},
  };
  const StatefulSetStatus good{.observed_generation = 1,
                               .replicas = 3,
                               .ready_replicas = 3,
                               .current_replicas = 3,
                               .updated_replicas = 3,
                               .available_replicas = 3,
                               .current_revision = {},
                               .update_revision = {},
                               .collision_count = 2};
  for (const auto& [change, paths] : table) {
    StatefulSetStatus status = good;
    change(status);
    EXPECT_EQ(paths_of(validate_status(status, good)), paths);
  }
  const StatefulSetStatus never_collided{.current_revision = {}, .update_revision = {}, .collision_count = 0};
  EXPECT_THAT(paths_of(validate_status({}, never_collided)), ElementsAre("status.collisionCount"));
}

TEST(Selector, Matches) {
  using Operator = SelectorRequirement::Operator;
  const StringMap labels{{"app", "web"}, {"tier", "front"}};
  const auto matches = [&](LabelSelector selector) { return selector.matches(&labels); };
  EXPECT_TRUE(matches({{{"app", "web"}}, {}}));
  EXPECT_FALSE(matches({{{"app", "db"}}, {}}));
  EXPECT_FALSE(matches({{{"app", "web"}, {"zone", "a"}}, {}}));
  EXPECT_TRUE(matches({{}, {{"app", Operator::in, {"db", "web"}}}}));
  EXPECT_FALSE(matches({{}, {{"zone", Operator::in, {"a"}}}}));
  EXPECT_TRUE(matches({{}, {{"zone", Operator::not_in, {"a"}}}}));
  EXPECT_FALSE(matches({{}, {{"app", Operator::not_in, {"web"}}}}));
  EXPECT_TRUE(matches({{}, {{"app", Operator::exists, {}}}}));
  EXPECT_FALSE(matches({{}, {{"app", Operator::does_not_exist, {}}}}));
  EXPECT_FALSE((LabelSelector{{{"app", "web"}}, {}}).matches(nullptr));
  EXPECT_TRUE((LabelSelector{{}, {{"app", Operator::does_not_exist, {}}}}).matches(nullptr));
}

TEST(Spec, EqualityIsDeep) {
  const StatefulSetSpec a = good_spec();
  StatefulSetSpec b = good_spec();
  ASSERT_NE(a.pod_template, b.pod_template);
  EXPECT_TRUE(a == b);
  const std::function<void(StatefulSetSpec&)> changes[] = {
      [](auto& s) { s.replicas = 2; },
      [](auto& s) { s.selector.match_labels.set("x", "y"); },
      [](auto& s) { s.pod_template = make_template(json::object()); },
      [](auto& s) { s.pod_template = nullptr; },
      [](auto& s) { s.claim_templates[0].spec = std::make_shared<const std::string>("[]"); },
      [](auto& s) { s.service_name = "x"; },
      [](auto& s) { s.pod_management = PodManagement::parallel; },
      [](auto& s) { s.strategy = Strategy::recreate; },
      [](auto& s) { s.rolling_update.reset(); },
      [](auto& s) { s.revision_history_limit = 1; },
      [](auto& s) { s.min_ready_seconds = 1; },
      [](auto& s) { s.retention.emplace(); },
      [](auto& s) { s.ordinals_start = 0; },
  };
  for (const auto& change : changes) {
    b = good_spec();
    change(b);
    EXPECT_FALSE(a == b) << (&change - changes);
  }
}

TEST(Syntax, OfNamesAndLabels) {
  for (const char* good : {"a", "0", "a-b", "a1"}) EXPECT_TRUE(is_dns_label(good)) << good;
  for (const char* bad : {"", "-a", "a-", "A", "a.b", "a_b", "\xc3\xa9"}) EXPECT_FALSE(is_dns_label(bad)) << bad;
  for (const char* good : {"a", "a.b", "a-1.b2"}) EXPECT_TRUE(is_dns_subdomain(good)) << good;
  for (const char* bad : {"", ".", "a.", ".a", "a..b", "a.-b"}) EXPECT_FALSE(is_dns_subdomain(bad)) << bad;
  for (const char* good : {"", "A", "a_b.c-d"}) EXPECT_TRUE(is_label_value(good)) << good;
  for (const char* bad : {"_a", "a_", "a/b", " "}) EXPECT_FALSE(is_label_value(bad)) << bad;
  for (const char* good : {"a", "example.com/A_b"}) EXPECT_TRUE(is_qualified_name(good)) << good;
  for (const char* bad : {"", "/a", "a/", "a/b/c", "A.com/b"}) EXPECT_FALSE(is_qualified_name(bad)) << bad;
  for (const char* good : {"http", "h2-c", "1a"}) EXPECT_TRUE(is_port_name(good)) << good;
  for (const char* bad : {"", "80", "a--b", "-a", "Http", "sixteen-letters-"}) EXPECT_FALSE(is_port_name(bad)) << bad;
}

}  // namespace
}  // namespace ordeal
