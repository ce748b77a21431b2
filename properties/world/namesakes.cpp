#include "properties/world/namesakes.h"

#include <stdexcept>
#include <string>

#include "core/api/names.h"
#include "core/api/validation.h"
#include "properties/scenario/generate.h"
#include "properties/world/strangers.h"

namespace ordeal::properties {

namespace {

// UIDs are of the whole cluster: no object of the other namespace has one of these.
constexpr Uid uids_after{1'000'001'000};
constexpr std::size_t calls_at_most = 10'000;  // of a turn

Text another_than(const Text& ns) { return ns == "elsewhere" ? Text("nowhere") : Text("elsewhere"); }

/// Its pods bear one more label, which it selects by: they fit the set on trial, whose pods do not fit it. Nobody
/// limits its history: whoever dies of a limit is to die of that of the set on trial.
void set_apart(StatefulSet& twin) {
  StatefulSetSpec spec = *twin.spec;
  StringMap labels = spec.pod_template->labels;
  labels.set("home", twin.meta.ns);
  spec.selector.match_labels.set("home", twin.meta.ns);
  spec.pod_template = relabelled(*spec.pod_template, labels);
  spec.revision_history_limit.reset();
  twin.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
}

}  // namespace

const View& Namesakes::of(const Scenario& scenario) {
  cluster_.reset(scenario.environment.api);
  StatefulSet twin = scenario.set;
  twin.meta.ns = another_than(scenario.set.meta.ns);
  apply_defaults(twin, scenario.environment.api);
  set_apart(twin);
  cluster_.resume(twin.meta.ns, cluster_.now(), Version::none, uids_after);
  cluster_.create_set(twin);
  if (const StatefulSet* made = cluster_.sets().find(twin.meta.name)) add_objects(*made);
  key_ = {twin.meta.ns, twin.meta.name};
  for_each_type([&]<class T>(std::type_identity<T>) {
    const auto live = cluster_.store<T>().live().all();
    held_.of<T>().assign(live.begin(), live.end());
    view_.of<T>() = {held_.of<T>(), held_.of<T>()};
  });
  return view_;
}

Reply Namesakes::call(Request request) {
  if (++calls_ > calls_at_most)
    throw std::runtime_error("the controller made " + std::to_string(calls_at_most) +
                             " calls in one sync of a set in another namespace");
  cluster_.resolve(request);
  return cluster_.handle(request);
}

/// The first pod and the revision are nobody's; the second pod is the twin's own. Both pods run.
void Namesakes::add_objects(const StatefulSet& twin) {
  for (const std::int32_t index : {0, 1}) {
    Pod pod = strange_pod(twin, &twin, index, ForeignPod::orphan);
    if (index == 1) pod.meta.owners = owned_by(group_version_apps, kind_stateful_set, twin.meta.name, twin.meta.uid);
    for (const Claim& claim : claims_of(pod, twin)) cluster_.create_claim(claim);
    cluster_.create_pod(pod);
  }
  cluster_.create_revision(recorded(twin.meta, revision_of(twin.spec->pod_template), 0));
  for (int stage = 0; stage < 3; ++stage) cluster_.run_kubelets();
}

}  // namespace ordeal::properties
