// The three forms of a patch, line by line: a document, a patch, and what comes of it (nothing: it cannot be applied).
#include "core/cluster/patch.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/api/codec.h"

namespace ordeal {
namespace {

using nlohmann::json;

struct Case {
  PatchType type;
  const char *before, *patch;
  std::optional<const char*> after;
};

const Case cases[] = {
    // RFC 7386: maps are merged, null removes, all else replaces.
    {PatchType::merge, R"({"a":1,"b":{"c":2}})", R"({"b":{"d":3},"a":null})", R"({"b":{"c":2,"d":3}})"},
    {PatchType::merge, R"({"list":[1,2]})", R"({"list":[3]})", R"({"list":[3]})"},
    {PatchType::merge, R"({"a":1})", "{}", R"({"a":1})"},
    // Strategic merge: owners by uid, conditions by type, finalizers as a set, other lists replaced.
    {PatchType::strategic, R"({"a":1,"b":{"c":2}})", R"({"b":{"d":3},"a":null})", R"({"b":{"c":2,"d":3}})"},
    {PatchType::strategic, R"({"ownerReferences":[{"uid":"1","name":"a"}]})",
     R"({"ownerReferences":[{"uid":"2","name":"b"},{"uid":"1","controller":true}]})",
     R"({"ownerReferences":[{"uid":"1","name":"a","controller":true},{"uid":"2","name":"b"}]})"},
    {PatchType::strategic, "{}", R"({"ownerReferences":[{"uid":"2"}]})", R"({"ownerReferences":[{"uid":"2"}]})"},
    {PatchType::strategic, R"({"ownerReferences":[{"uid":"1"},{"uid":"2"}]})",
     R"({"ownerReferences":[{"$patch":"delete","uid":"1"}]})", R"({"ownerReferences":[{"uid":"2"}]})"},
    {PatchType::strategic, R"({"ownerReferences":[{"uid":"1"},{"uid":"2"}]})",
     R"({"ownerReferences":[{"$patch":"replace"},{"uid":"3"}]})", R"({"ownerReferences":[{"uid":"3"}]})"},
    {PatchType::strategic, R"({"ownerReferences":[]})", R"({"ownerReferences":[{"name":"without its uid"}]})",
     std::nullopt},
    {PatchType::strategic, R"({"ownerReferences":[]})", R"({"ownerReferences":["a"]})", std::nullopt},
    {PatchType::strategic, R"({"conditions":[{"type":"A","status":"True"}]})",
     R"({"conditions":[{"type":"A","status":"False"},{"type":"B"}],"$setElementOrder/conditions":[{"type":"A"}]})",
     R"({"conditions":[{"type":"A","status":"False"},{"type":"B"}]})"},
    {PatchType::strategic, R"({"finalizers":["a"]})", R"({"finalizers":["b","a"]})", R"({"finalizers":["a","b"]})"},
    {PatchType::strategic, R"({"finalizers":["a","b"]})", R"({"$deleteFromPrimitiveList/finalizers":["a"]})",
     R"({"finalizers":["b"]})"},
    {PatchType::strategic, R"({"labels":{"a":"1"}})", R"({"labels":{"$patch":"replace","b":"2"}})",
     R"({"labels":{"b":"2"}})"},
    {PatchType::strategic, R"({"labels":{"a":"1"}})", R"({"labels":{"$patch":"delete"}})", R"({"labels":{}})"},
    {PatchType::strategic, R"({"list":[1,2]})", R"({"list":[3]})", R"({"list":[3]})"},
    {PatchType::strategic, R"({"a":1})", R"({"$retainKeys":["a"]})", std::nullopt},
    {PatchType::strategic, R"({"a":{"b":1}})", R"({"a":{"$patch":"mend"}})", std::nullopt},
    {PatchType::strategic, R"({"a":5})", R"({"a":{"b":{"c":null}}})", R"({"a":{"b":{}}})"},
    // RFC 6902.
    {PatchType::operations, R"({"a":1})", R"([{"op":"add","path":"/b","value":2},{"op":"remove","path":"/a"}])",
     R"({"b":2})"},
    {PatchType::operations, R"({"a":1})",
     R"([{"op":"test","path":"/a","value":1},{"op":"replace","path":"/a","value":3}])", R"({"a":3})"},
    {PatchType::operations, R"({"a":1})", R"([{"op":"test","path":"/a","value":2}])", std::nullopt},
    {PatchType::operations, R"({"a":1})", R"([{"op":"test","path":"/b","value":null}])", R"({"a":1})"},
    {PatchType::operations, R"({"a":1})", R"([{"op":"test","path":"/a","value":null}])", std::nullopt},
    {PatchType::operations, R"({"a":1})", R"([{"op":"test","path":"/a"}])", std::nullopt},
    {PatchType::operations, R"({"a":1})", R"([{"op":"add","path":"/b/c","value":2}])", std::nullopt},
    {PatchType::operations, R"({"a":1})", R"([{"op":"add","path":"/a/b","value":2}])", std::nullopt},
    {PatchType::operations, R"({"a":1})", R"([{"op":"remove","path":"/a/b"}])", std::nullopt},
    {PatchType::operations, R"({"a":{"c":1},"b":[1]})",
     R"([{"op":"move","from":"/a/c","path":"/b/0"},{"op":"copy","from":"/b","path":"/a/d"}])",
     R"({"a":{"d":[1,1]},"b":[1,1]})"},
    {PatchType::operations, R"({"a":[1,2]})", R"([{"op":"move","from":"/a/0","path":"/a/0/b"}])", std::nullopt},
    {PatchType::operations, R"({"a":1})", R"([{"op":"move","from":"/a","path":"/a/b"}])", std::nullopt},
    {PatchType::operations, R"({"a":1})", R"([{"op":"add","path":"","value":{"b":2}}])", R"({"b":2})"},
    {PatchType::operations, R"({"a":1})", R"([{"op":"remove","path":""}])", std::nullopt},
    {PatchType::operations, R"({"a":1})", R"([{"op":"wish","path":"/b"}])", std::nullopt},
    {PatchType::operations, R"({"a":1})", R"([{"path":"/b"}])", std::nullopt},
    {PatchType::operations, R"({"a":1})", R"([{"op":"add","path":"b","value":2}])", std::nullopt},
    {PatchType::operations, R"({"a":1})", R"([17])", std::nullopt},
    {PatchType::operations, R"({"a":1})", R"({"op":"remove","path":"/a"})", std::nullopt},
};

TEST(ApplyPatch, DoesWhatAnApiServerDoes) {
  for (const Case& c : cases) {
    json document = json::parse(c.before);
    const bool applied = apply_patch(document, c.type, json::parse(c.patch));
    EXPECT_EQ(applied, c.after.has_value()) << c.patch;
    if (applied && c.after) EXPECT_EQ(document, json::parse(*c.after)) << c.patch;
  }
}

// Thirty copies of the whole into itself would be a thousand million times as much.
TEST(ApplyPatch, BearsNoDocumentThatGrowsWithoutEnd) {
  const auto doublings = [](std::size_t count) {
    json operations = json::array();
    for (std::size_t i = 0; i < count; ++i)
      operations.push_back({{"op", "copy"}, {"from", ""}, {"path", "/" + std::to_string(i)}});
    return operations;
  };
  json document = {{"a", 1}};
  EXPECT_TRUE(apply_patch(document, PatchType::operations, doublings(max_copies)));
  EXPECT_FALSE(apply_patch(document, PatchType::operations, doublings(max_copies + 1)));
  const auto deep = [](int levels) {
    std::string way;
    for (int i = 0; i < levels; ++i) way += "/a";
    return json{{{"op", "add"}, {"path", way}, {"value", 1}}};
  };
  json nested = 1;
  for (int i = 0; i < 2 * max_depth; ++i) nested = {{"a", nested}};
  EXPECT_TRUE(apply_patch(nested, PatchType::operations, deep(max_depth)));
  EXPECT_FALSE(apply_patch(nested, PatchType::operations, deep(max_depth + 1)));
  const json one = {{"op", "add"}, {"path", "/b"}, {"value", 1}};
  EXPECT_TRUE(apply_patch(document, PatchType::operations, json(max_operations, one)));
  EXPECT_FALSE(apply_patch(document, PatchType::operations, json(max_operations + 1, one)));
}

TEST(MergePatchBetween, LeadsFromTheOneToTheOther) {
  for (const char* before : {"{}", R"({"a":1})", R"({"a":{"b":[1],"c":2},"d":3})"})
    for (const char* after : {"{}", R"({"a":2})", R"({"a":{"b":[2]},"e":{"f":{}}})"}) {
      json document = json::parse(before);
      document.merge_patch(merge_patch_between(document, json::parse(after)));
      EXPECT_EQ(document, json::parse(after)) << before;
    }
  EXPECT_EQ(merge_patch_between({{"a", 1}, {"b", 2}}, {{"a", 1}, {"b", 2}}), json::object());
}

}  // namespace
}  // namespace ordeal
