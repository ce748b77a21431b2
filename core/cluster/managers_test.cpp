// What an apply makes of an object, and of who manages its fields. Each row was held against Kubernetes' own merger
// (structured-merge-diff v6.3.0, with the schemas of client-go v0.37.2).
#include "core/cluster/managers.h"

#include <gmock/gmock.h>

namespace ordeal {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ManagersTest : public testing::Test {
 protected:
  std::vector<std::string> conflicts(const std::string& manager, const char* config, bool forces = false) {
    Applied applied = apply(live_, managers_, json::parse(config), manager, forces);
    std::vector<std::string> told;
    for (const FieldConflict& conflict : applied.conflicts)
      told.push_back(conflict.manager.str() + " " + conflict.field.str());
    if (!told.empty()) return told;
    live_ = without_nulls(applied.document);
    managers_ = applied.managers;
    return told;
  }
  json after(const std::string& manager, const char* config, bool forces = false) {
    EXPECT_THAT(conflicts(manager, config, forces), IsEmpty());
    return live_;
  }
  void update(const char* merge_patch) {
    json next = live_;
    next.merge_patch(json::parse(merge_patch));
    note_update(managers_, live_, next);
    live_ = next;
  }

  json live_ = json::object();
  Managers managers_;
};

TEST_F(ManagersTest, WhatAManagerLeavesOutGoes) {
  after("a", R"({"metadata":{"labels":{"x":"1","y":"1"}}})");
  EXPECT_EQ(after("a", R"({"metadata":{"labels":{"x":"1"}}})"), json::parse(R"({"metadata":{"labels":{"x":"1"}}})"));
  EXPECT_EQ(after("a", "{}"), json::object());
}

TEST_F(ManagersTest, WhatAnotherOneOwnsStays) {
  after("a", R"({"metadata":{"labels":{"x":"1","y":"1"}}})");
  after("b", R"({"metadata":{"labels":{"x":"1"}}})");
  EXPECT_EQ(after("a", "{}"), json::parse(R"({"metadata":{"labels":{"x":"1"}}})"));
  EXPECT_EQ(after("b", "{}"), json::object());
}

TEST_F(ManagersTest, WhatWasWrittenOtherwiseStaysToo) {
  update(R"({"metadata":{"labels":{"x":"1"}}})");
  after("a", R"({"metadata":{"labels":{"x":"1","y":"1"}}})");
  EXPECT_EQ(after("a", "{}"), json::parse(R"({"metadata":{"labels":{"x":"1"}}})"));
}

TEST_F(ManagersTest, AnotherValueThanAnOwnersIsAConflict) {
  after("a", R"({"metadata":{"labels":{"x":"1"}}})");
  update(R"({"revision":3})");
  EXPECT_THAT(conflicts("b", R"({"metadata":{"labels":{"x":"2"}},"revision":4})"),
              ElementsAre("a .metadata.labels.x", "update .revision"));
  EXPECT_EQ(live_["revision"], 3) << "nothing was done";
  after("b", R"({"metadata":{"labels":{"x":"2"}},"revision":4})", true);
  EXPECT_THAT(conflicts("a", R"({"metadata":{"labels":{"x":"1"}}})"), ElementsAre("b .metadata.labels.x"));
  EXPECT_THAT(conflicts("b", R"({"metadata":{"labels":{"x":"3"}}})"), IsEmpty()) << "its own";
}

TEST_F(ManagersTest, AnUpdateTakesWhatItChanges) {
  after("a", R"({"metadata":{"labels":{"x":"1"}}})");
  update(R"({"metadata":{"labels":{"x":"2"}}})");
  EXPECT_THAT(conflicts("a", R"({"metadata":{"labels":{"x":"1"}}})"), ElementsAre("update .metadata.labels.x"));
  update(R"({"metadata":{"labels":null}})");
  EXPECT_THAT(conflicts("b", R"({"metadata":{"labels":{"x":"3"}}})"), IsEmpty()) << "nobody's any more";
}

TEST_F(ManagersTest, ListsAreMergedByTheirKeys) {
  const struct {
    const char *first, *second, *both;
  } cases[] = {
      {R"({"containers":[{"name":"c","image":"1"},{"name":"d"}]})", R"({"containers":[{"name":"c","args":["x"]}]})",
       R"({"containers":[{"name":"c","image":"1","args":["x"]},{"name":"d"}]})"},
      {R"({"ports":[{"containerPort":80,"protocol":"TCP"}]})", R"({"ports":[{"containerPort":80,"name":"http"}]})",
       R"({"ports":[{"containerPort":80,"protocol":"TCP","name":"http"}]})"},
      {R"({"ports":[{"containerPort":80}]})", R"({"ports":[{"containerPort":80,"protocol":"UDP"}]})",
       R"({"ports":[{"containerPort":80},{"containerPort":80,"protocol":"UDP"}]})"},
      {R"({"env":[{"name":"A"},{"name":"B"}]})", R"({"env":[{"name":"B"},{"name":"C"},{"name":"A"}]})",
       R"({"env":[{"name":"B"},{"name":"C"},{"name":"A"}]})"},
      {R"({"finalizers":["a","b"]})", R"({"finalizers":["c","b"]})", R"({"finalizers":["a","c","b"]})"},
      {R"({"conditions":[{"type":"P","status":"True"}]})", R"({"conditions":[{"type":"Q"}]})",
       R"({"conditions":[{"type":"P","status":"True"},{"type":"Q"}]})"},
      {R"({"ownerReferences":[{"uid":"1","name":"x"}]})", R"({"ownerReferences":[{"uid":"2"}]})",
       R"({"ownerReferences":[{"uid":"1","name":"x"},{"uid":"2"}]})"},
      {R"({"volumes":[{"name":"v","emptyDir":{}}]})", R"({"volumes":[{"name":"w"}]})",
       R"({"volumes":[{"name":"v","emptyDir":{}},{"name":"w"}]})"},
  };
  for (const auto& c : cases) {
    live_ = json::object();
    managers_ = {};
    after("a", c.first);
    EXPECT_EQ(after("b", c.second), json::parse(c.both)) << c.second;
    EXPECT_EQ(fields_of(after("b", "{}")), fields_of(json::parse(c.first))) << "taken back: " << c.second;
  }
}

TEST_F(ManagersTest, WhatIsTakenAsOneIsReplaced) {
  const struct {
    const char *first, *second, *field;
  } cases[] = {
      {R"({"tolerations":[{"key":"a"}]})", R"({"tolerations":[{"key":"b"}]})", ".tolerations"},
      {R"({"data":{"spec":{"a":1}}})", R"({"data":{"spec":{"b":1}}})", ".data"},
      {R"({"nodeSelector":{"a":"1"}})", R"({"nodeSelector":{"b":"1"}})", ".nodeSelector"},
      {R"({"ownerReferences":[{"uid":"1","name":"x"}]})", R"({"ownerReferences":[{"uid":"1","name":"y"}]})",
       R"(.ownerReferences[uid="1"])"},
      {R"({"containers":[{"name":"c","image":"1"}]})", R"({"containers":[{"name":"c","image":"2"}]})",
       R"(.containers[name="c"].image)"},
  };
  for (const auto& c : cases) {
    live_ = json::object();
    managers_ = {};
    after("a", c.first);
    EXPECT_THAT(conflicts("b", c.second), ElementsAre("a " + std::string(c.field)));
    EXPECT_EQ(after("b", c.second, true), json::parse(c.second));
  }
}

TEST_F(ManagersTest, EntriesThatLackTheirKeyOrShareItAreFaults) {
  EXPECT_THAT(fault_in_lists({{"env", {{{"value", "1"}}}}}), HasSubstr(".env: element 0: lacks its key"));
  EXPECT_THAT(fault_in_lists({{"env", {{{"name", "A"}}, {{"name", "A"}}}}}),
              HasSubstr(R"(.env: duplicate entries for key [name="A"])"));
  EXPECT_EQ(fault_in_lists({{"tolerations", {{{"key", "a"}}, {{"key", "a"}}}}}), "");
}

}  // namespace
}  // namespace ordeal
