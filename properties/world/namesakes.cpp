#include "properties/world/namesakes.h"

#include "core/api/names.h"
#include "core/api/validation.h"
#include "properties/world/strangers.h"

namespace ordeal::properties {

namespace {

// UIDs are of the whole cluster: no object of the other namespace has one of these.
constexpr Uid uids_after{1'000'001'000};

Text another_than(const Text& ns) { return ns == "elsewhere" ? Text("nowhere") : Text("elsewhere"); }

}  // namespace

const View& Namesakes::of(const Scenario& scenario) {
  cluster_.reset(scenario.environment.api);
  StatefulSet twin = scenario.set;
  twin.meta.ns = another_than(scenario.set.meta.ns);
  apply_defaults(twin, scenario.environment.api);
  cluster_.resume(twin.meta.ns, cluster_.now(), Version::none, uids_after);
  cluster_.create_set(twin);
  if (const StatefulSet* made = cluster_.sets().find(twin.meta.name)) add_objects(*made);
  for_each_type([&]<class T>(std::type_identity<T>) { view_.of<T>() = cluster_.store<T>().live().listing(); });
  return view_;
}

/// The first pod and the revision are nobody's; the second pod is the twin's own. Both pods run.
void Namesakes::add_objects(const StatefulSet& twin) {
  for (const std::int32_t index : {0, 1}) {
    Pod pod = strange_pod(twin, &twin, index, ForeignPod::orphan);
    if (index == 1) pod.meta.owners = owned_by(group_version_apps, kind_stateful_set, twin.meta.name, twin.meta.uid);
    for (const Claim& claim : claims_of(pod, twin)) cluster_.create_claim(claim);
    cluster_.create_pod(pod);
  }
  cluster_.create_revision(recorded(twin.meta, twin.spec->pod_template, 0));
  for (int stage = 0; stage < 3; ++stage) cluster_.run_kubelets();
}

}  // namespace ordeal::properties
