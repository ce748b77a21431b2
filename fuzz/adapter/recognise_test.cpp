#include "fuzz/adapter/recognise.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "core/api/names.h"

namespace ordeal::fuzz {
namespace {

using nlohmann::json;

json template_json(const char* image, const char* volumes) {
  return {{"metadata", {{"labels", {{"app", "web"}}}}},
          {"spec", {{"containers", {{{"name", "web"}, {"image", image}}}}, {"volumes", json::parse(volumes)}}}};
}

struct Shown {
  StatefulSet set;
  const StatefulSet* sets[1] = {&set};
  Revision revision;
  const Revision* revisions[1] = {&revision};
  View view{{{sets, sets}, {}, {}, {revisions, revisions}}};

  Shown(const json& now, const json& before) {
    StatefulSetSpec spec;
    spec.pod_template = make_template(now);
    spec.claim_templates.push_back({"data", {}, {}, {}, {}, {}});
    set.meta.name = "web";
    set.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
    revision.data = revision_of(make_template(before));
  }
};

Pod pod_of(const json& pod_template) {
  Pod pod;
  pod.meta.name = "web-0";
  pod.made_from = make_template(pod_template);
  return pod;
}

constexpr const char* with_data = R"([{"name": "data", "emptyDir": {}}, {"name": "tmp", "emptyDir": {}}])";
constexpr const char* without = R"([{"name": "tmp", "emptyDir": {}}])";

TEST(RecogniseTemplate, FindsTheOneWhoseVolumeGaveWayToAClaim) {
  const Shown shown(template_json("web:2", with_data), template_json("web:1", with_data));
  Pod now = pod_of(template_json("web:2", without)), before = pod_of(template_json("web:1", without));
  recognise_template(now, {"default", "web"}, shown.view);
  recognise_template(before, {"default", "web"}, shown.view);
  EXPECT_EQ(now.made_from, shown.set.spec->pod_template);
  EXPECT_EQ(before.made_from, shown.revision.data.decoded);
}

TEST(RecogniseTemplate, FindsTheOneOfAPodThatBearsMoreOfItsControllersOwn) {
  json before = template_json("web:1", without), made = before;
  before["metadata"]["labels"]["tier"] = "store";
  const Shown shown(template_json("web:1", without), before);
  made["metadata"]["labels"]["ctl.example.com/shard"] = "3";
  made["metadata"]["annotations"]["ctl.example.com/made-at"] = "0";
  made["metadata"]["finalizers"] = {"ctl.example.com/tracking"};
  Pod pod = pod_of(made);
  recognise_template(pod, {"default", "web"}, shown.view);
  EXPECT_EQ(pod.made_from, shown.set.spec->pod_template);
  made["metadata"]["labels"]["tier"] = "cache";
  Pod other = pod_of(made);
  recognise_template(other, {"default", "web"}, shown.view);
  EXPECT_NE(other.made_from, shown.set.spec->pod_template) << "another edition has such a label: it is no one's own";
  EXPECT_NE(other.made_from, shown.revision.data.decoded);
}

TEST(RecogniseTemplate, FindsTheOneThatNamesAHostAndANodeOfItsOwn) {
  json with_names = template_json("web:2", without);
  for (const char* member : {"hostname", "subdomain", "nodeName"}) with_names["spec"][member] = "own";
  const Shown shown(with_names, template_json("web:1", without));
  Pod pod = pod_of(template_json("web:2", without));  // as it is read: what is the pod's own is no more in it
  recognise_template(pod, {"default", "web"}, shown.view);
  EXPECT_EQ(pod.made_from, shown.set.spec->pod_template);

  Shown twins(with_names, template_json("web:2", without));
  twins.revision.meta.name = "web-1";
  Pod earlier = pod_of(template_json("web:2", without));
  earlier.meta.labels = std::make_shared<const StringMap>(StringMap{{label_revision, "web-1"}});
  recognise_template(earlier, {"default", "web"}, twins.view);
  EXPECT_EQ(earlier.made_from, twins.revision.data.decoded) << "nothing but its label tells which it was";
}

TEST(RecogniseTemplate, FindsTheOneWhoseLabelsGaveWayToThePodsOwn) {
  json labelled = template_json("web:2", without);
  labelled["metadata"]["labels"]["app"] = "web";
  const json plain = labelled;
  labelled["metadata"]["labels"]["controller-revision-hash"] = "web-0";
  const Shown shown(labelled, template_json("web:1", without));
  Pod pod = pod_of(plain);
  recognise_template(pod, {"default", "web"}, shown.view);
  EXPECT_EQ(pod.made_from, shown.set.spec->pod_template);
}

TEST(RecogniseTemplate, PassesOverStoredTemplatesOfOddShapes) {
  json covered = template_json("web:1", with_data);
  covered["metadata"]["labels"]["controller-revision-hash"] = "web-0";
  const struct {
    const char* place;
    json value;
  } odd[] = {
      {"/spec/volumes", "x"},
      {"/spec/volumes", {{"name", "data"}}},
      {"/spec/volumes/1", 5},
      {"/spec/volumes/1", nullptr},
      {"/spec/volumes/1/name", 5},
      {"/metadata/labels", "x"},
      {"/metadata", 5},
      {"/spec", 5},
      {"/spec", json::array()},
  };
  for (const auto& [place, value] : odd) {
    json before = covered;
    before[json::json_pointer(place)] = value;
    const Shown shown(template_json("web:2", with_data), before);
    Pod pod = pod_of(template_json("web:3", without));
    const auto read = pod.made_from;
    EXPECT_NO_THROW(recognise_template(pod, {"default", "web"}, shown.view)) << before;
    EXPECT_EQ(pod.made_from, read) << before;
  }
}

TEST(RecogniseTemplate, TakesAPodOfAnOddShapeForNoneThatIsHeld) {
  Shown shown(template_json("web:2", with_data), template_json("web:1", with_data));
  json whole = template_json("web:0", without);
  for (const json& spec : {json(5), json("x"), json::array()}) {
    whole["spec"] = spec;
    Pod held = pod_of(template_json("web:0", without)), written = pod_of(whole);
    held.meta.uid = written.meta.uid = Uid{7};
    const Pod* pods[1] = {&held};
    shown.view.pods = {pods, pods};
    EXPECT_NO_THROW(recognise_template(written, {"default", "web"}, shown.view)) << spec;
    EXPECT_NE(written.made_from, held.made_from) << spec;
  }
}

TEST(RecogniseTemplate, LeavesWhatNoTemplateGives) {
  const Shown shown(template_json("web:2", with_data), template_json("web:1", with_data));
  for (const json& other :
       {template_json("web:3", without), template_json("web:2", "[]"), template_json("web:2", with_data)}) {
    Pod pod = pod_of(other);
    const auto read = pod.made_from;
    recognise_template(pod, {"default", "web"}, shown.view);
    EXPECT_EQ(pod.made_from, read) << other;
  }
}

TEST(RecogniseTemplate, OfAPodThatAnApplyMayMake) {
  const Shown shown(template_json("web:2", without), template_json("web:1", without));
  Request creation{.verb = Verb::create, .kind = Kind::pod, .name = "web-0"};
  creation.body = pod_of(template_json("web:2", without));
  Request request{.verb = Verb::patch, .kind = Kind::pod, .name = "web-0"};
  request.body = Apply{.creation = std::make_shared<const Request>(creation)};
  recognise_template(request, {"default", "web"}, shown.view);
  EXPECT_EQ(std::get<Apply>(request.body).creation->pod().made_from, shown.set.spec->pod_template);
}

TEST(RecogniseTemplate, SharesATemplateThatIsWhole) {
  const Shown shown(template_json("web:2", without), template_json("web:1", without));
  Pod pod = pod_of(template_json("web:2", without));
  recognise_template(pod, {"default", "web"}, shown.view);
  EXPECT_EQ(pod.made_from, shown.set.spec->pod_template);
}

}  // namespace
}  // namespace ordeal::fuzz
