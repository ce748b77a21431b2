#include "properties/invariants/identity.h"

#include <nlohmann/json.hpp>

#include "core/api/codec.h"
#include "properties/evidence/history.h"
#include "properties/invariants/moment_test.h"
#include "properties/invariants/promise_test.h"

namespace ordeal::properties::testing {
namespace {

Scenario deployed(std::vector<Step> more = {}) {
  std::vector<Step> steps{settle};
  steps.insert(steps.end(), more.begin(), more.end());
  return hand_made("replicas: 3", std::move(steps));
}

Scenario of_a_set_with_annotations() {
  Scenario scenario = deployed();
  scenario.set.meta.annotations = std::make_shared<const StringMap>(StringMap{{"example.org/last-applied", "{}"}});
  return scenario;
}

Scenario with_claims() { return hand_made(std::string("replicas: 2") + one_claim, {settle}); }

/// Its pods stay until somebody lets them go.
Scenario held() {
  Scenario scenario = deployed();
  auto spec = std::make_shared<StatefulSetSpec>(*scenario.set.spec);
  auto document = nlohmann::json::parse(spec->pod_template->document);
  document["metadata"]["finalizers"] = {"example.org/in-use"};
  spec->pod_template = make_template(document);
  scenario.set.spec = std::move(spec);
  return scenario;
}

/// Nobody governs its pods' names; the template may say a subdomain of its own.
Scenario without_service(std::string_view of_template) {
  Scenario scenario = deployed();
  auto spec = std::make_shared<StatefulSetSpec>(*scenario.set.spec);
  auto document = nlohmann::json::parse(spec->pod_template->document);
  if (!of_template.empty()) document["spec"]["subdomain"] = of_template;
  spec->pod_template = make_template(document);
  spec->service_name = {};
  scenario.set.spec = std::move(spec);
  return scenario;
}

Shared<std::vector<Text>> one_finalizer() {
  return std::make_shared<const std::vector<Text>>(1, "example.org/controller");
}

Edit forcing_deletes() {
  return changing(Verb::remove, Kind::pod, [](Request& request, const View&) { request.grace = 0; });
}

Edit renaming(std::string from, std::string to) {
  return changing(Verb::create, Kind::pod, [=](Request& request, const View&) {
    if (request.name == from) rename(request, to);
  });
}

Edit updating_others() {
  return adding(Verb::update, Kind::pod, [](const Request& request, const View& seen, Api& api) {
    Request other = renamed(request, "web-9");
    other.body = *pod_in(seen, "web-9");
    api.call(std::move(other));
  });
}

void add_volume(Pod& pod, const Volume& volume) {
  std::vector<Volume> volumes = pod.volumes ? *pod.volumes : std::vector<Volume>{};
  volumes.push_back(volume);
  pod.volumes = std::make_shared<const std::vector<Volume>>(std::move(volumes));
}

void own_twice(Pod& pod) {
  Owners owners = *pod.meta.owners;
  owners.push_back(owners.front());
  owners.back().uid = Uid{4711};
  pod.meta.owners = std::make_shared<const Owners>(std::move(owners));
}

std::vector<Case> cases() {
  const Step edit = step(StepKind::edit_template, 1);
  const Step other = step(StepKind::add_pod, 9, static_cast<int>(ForeignPod::owned_by_other));
  const Step unlabel = step(StepKind::edit_labels, 1, static_cast<int>(LabelEdit::drop_pod_name));
  return {
      {"identity.one-process", deployed({step(StepKind::lose_node, 2), edit, settle}), forcing_deletes()},
      {"identity.one-process",  // an eviction leaves no process behind
       deployed({step(StepKind::evict_pod, 0), settle, step(StepKind::lose_node, 2), edit, settle}), forcing_deletes()},
      {"identity.canonical-name", deployed(), renaming("web-1", "web-01")},
      {"identity.only-in-range", deployed(), renaming("web-1", "web-7")},
      {"identity.no-second-pod", deployed(),
       adding(Verb::create, Kind::pod,
              [](const Request& request, const View& seen, Api& api) {
                if (pod_in(seen, "web-0")) api.call(renamed(request, "web-0"));
              })},
      {"identity.old-gone-before-new",  // an orphan that is to be adopted is found to be gone
       deployed(
           {step(StepKind::drop_owner, 0), deliver, at_call(2, StepKind::force_delete_pod, 0), sync, edit, settle}),
       [](Request request, const View& seen, Api& api) {  // in the turn that deletes it
         const Text name = request.name;
         const bool removes = request.verb == Verb::remove && request.kind == Kind::pod;
         Reply reply = api.call(std::move(request));
         if (removes) api.call(create_like(*seen.pods.find(name), name.view()));
         return reply;
       }},
      {"identity.pod-name-label", deployed(),
       changing_new_pods([](Pod& pod, const View&) { drop_label(pod, label_pod_name); })},
      {"identity.pod-index-label", deployed(),
       changing_new_pods([](Pod& pod, const View&) { set_label(pod, label_pod_index, "8"); })},
      {"identity.revision-label", deployed(),
       changing_new_pods([](Pod& pod, const View&) { set_label(pod, label_revision, "web-nonsense"); })},
      {"identity.made-from-its-revision", deployed({edit, settle}), changing_new_pods([](Pod& pod, const View& seen) {
         if (const Pod* first = pod_in(seen, "web-0")) pod.made_from = first->made_from;
       })},
      {"identity.made-from-its-revision", deployed(),
       changing_new_pods([](Pod& pod, const View&) { pod.node = "node-of-before"; })},
      {"identity.template-labels", deployed(),
       changing_new_pods([](Pod& pod, const View&) { drop_label(pod, "app"); })},
      {"identity.template-labels", deployed(),
       changing_new_pods([](Pod& pod, const View&) { set_label(pod, "chart", "web-1.0"); })},
      {"identity.template-labels", deployed(), changing_new_pods([](Pod& pod, const View&) {
         pod.meta.annotations = std::make_shared<const StringMap>(StringMap{{"note", "of the set"}});
       })},
      {"identity.template-labels", of_a_set_with_annotations(),
       changing_new_pods([](Pod& pod, const View& seen) { pod.meta.annotations = set_in(seen).meta.annotations; })},
      {"identity.own-namespace", deployed(),
       changing_new_pods([](Pod& pod, const View&) { pod.meta.ns = "elsewhere"; })},
      {"identity.template-finalizers", held(),
       changing_new_pods([](Pod& pod, const View&) { pod.meta.finalizers.reset(); })},
      {"identity.no-finalizer-of-its-own", held(),
       changing_new_pods([](Pod& pod, const View&) { pod.meta.finalizers = one_finalizer(); })},
      {"identity.no-finalizer-of-its-own", with_claims(),
       changing(
           Verb::create, Kind::claim,
           [](Request& request, const View&) { std::get<Claim>(request.body).meta.finalizers = one_finalizer(); })},
      {"identity.no-finalizer-of-its-own", deployed(),
       changing_new_revisions([](Revision& made) { made.meta.finalizers = one_finalizer(); })},
      {"identity.hostname", deployed(), changing_new_pods([](Pod& pod, const View&) { pod.hostname = "me"; })},
      {"identity.subdomain", deployed(), changing_new_pods([](Pod& pod, const View&) { pod.subdomain = Text(); })},
      {"identity.one-owner", deployed(), changing_new_pods([](Pod& pod, const View&) { own_twice(pod); })},
      {"identity.claim-volumes", with_claims(),
       changing_new_pods([](Pod& pod, const View&) { add_volume(pod, {"data", "data-web-7", {}}); })},
      {"identity.template-volumes", deployed(),
       changing_new_pods([](Pod& pod, const View&) { add_volume(pod, {"scratch", {}, "{}"}); })},
      {"identity.update-changes-identity-only", deployed({unlabel, settle}),
       changing(
           Verb::update, Kind::pod,
           [](Request& request, const View&) { set_label(std::get<Pod>(request.body), label_revision, "other"); })},
      {"identity.update-changes-identity-only", deployed({unlabel, settle}),
       changing(Verb::update, Kind::pod,
                [](Request& request, const View&) { set_label(std::get<Pod>(request.body), label_pod_index, "7"); })},
      {"identity.update-changes-identity-only", deployed({unlabel, settle}),
       changing(Verb::update, Kind::pod,
                [](Request& request, const View&) { drop_label(std::get<Pod>(request.body), label_pod_index); })},
      {"identity.update-keeps-volumes", deployed({unlabel, settle}),
       changing(Verb::update, Kind::pod,
                [](Request& request, const View&) { add_volume(std::get<Pod>(request.body), {"scratch", {}, "{}"}); })},
      {"identity.update-only-own-pods", deployed({other, unlabel, settle}), updating_others()},
      {"identity.repaired-at-once", deployed({unlabel, step(StepKind::make_unready, 2), deliver, sync}),
       swallowing(Verb::update, Kind::pod, "web-1")},
      {"identity.repaired-at-once", hand_made("replicas: 3\npodManagementPolicy: Parallel", {settle, unlabel, settle}),
       swallowing(Verb::update, Kind::pod, "web-1")},
      {"identity.repaired-with-its-index",
       deployed({step(StepKind::edit_labels, 1, static_cast<int>(LabelEdit::other_pod_name)), settle}),
       changing(Verb::update, Kind::pod,
                [](Request& request, const View&) { set_label(std::get<Pod>(request.body), label_pod_index, "999"); })},
      {"identity.whole-range-at-rest", deployed(), swallowing(Verb::create, Kind::pod, "web-2")},
  };
}

TEST(Identity, WithoutAServiceASubdomainIsTheTemplates) {
  const Edit saying = changing_new_pods([](Pod& pod, const View&) { pod.subdomain = "web"; });
  for (const std::string_view of_template : {"", "web", "other"}) {
    Tampered own(saying), none(changing_new_pods([](Pod&, const View&) {}));
    const Scenario scenario = without_service(of_template);
    EXPECT_EQ(try_by_hand(scenario, own).broke("identity.subdomain"), of_template != "web") << of_template;
    EXPECT_FALSE(try_by_hand(scenario, none).broke("identity.subdomain")) << of_template;
  }
}

TEST(Identity, EveryPromiseIsKeptAndCanBeBroken) {
  for (const Case& c : cases()) expect_kept_and_breakable(c);
}

TEST(Identity, NobodyNeedAskForVolumesThatCannotBeHad) {
  const Scenario scenario = with_claims();
  StatefulSet set = scenario.set;
  Pod stored;
  stored.meta.name = "web-0";
  Pod sent = stored;
  set_label(sent, label_pod_name, "web-0");
  const std::vector<const StatefulSet*> sets{&set};
  const std::vector<const Pod*> pods{&stored};
  ByHand repair;
  repair.sync.key = Key{Text("default"), Text("web")};
  repair.sync.seen.sets = {sets, sets};
  repair.sync.seen.pods = {pods, pods};
  Call& call = repair.calls.emplace_back();
  call.request = {.verb = Verb::update, .kind = Kind::pod, .name = Text("web-0"), .body = sent};
  call.pod_before = &stored;
  EXPECT_TRUE(repair.holds("identity.update-keeps-volumes"));
  add_volume(sent, {"scratch", {}, "{}"});
  call.request.body = sent;
  EXPECT_TRUE(repair.breaks("identity.update-keeps-volumes")) << "it changes them, and not to the right ones";
}

TEST(Identity, EveryPromiseIsTested) { expect_all_covered(identity::invariants, cases()); }

}  // namespace
}  // namespace ordeal::properties::testing
