// Users, operators and kubelets: carries out the steps of a scenario that are not the controller's.
//
// Arguments are resolved here: "pod 5" is the sixth pod by name, counted round. A step that makes no sense at the
// moment (no pods, a refused edit) changes nothing. In actor.cpp what happens to the set, in actor_objects.cpp what
// happens to pods, claims and revisions, in heal.cpp the end. Covered by actor_test.cpp.
#pragma once

#include <vector>

#include "core/cluster/cluster.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

class Actor {
 public:
  explicit Actor(Cluster& cluster) : cluster_(&cluster) {}

  /// Creates the scenario's set. The code says whether the API server took it.
  Code begin(const Scenario& scenario, bool null_times = false);  // Traits::null_times of the controller
  /// Any step but those of the control plane (deliver, restart, sync, fault, settle), which are the simulation's.
  void act(const Step& step);
  /// After this a fair environment can converge (fairness.h): neighbours are deleted, nodes and volumes are back and
  /// foreign finalizers gone, holders of names and claims that the set needs and cannot adopt are gone, and so are
  /// broken pods under a good revision's name, claims marked for deletion by hand can go, and nothing the set still has
  /// to run is broken for ever: a broken template is replaced by a good one, a partition is lifted where broken pods
  /// are below it or would be made, and pods that only a user may replace (OnDelete) are deleted.
  void heal();
  /// What has to be done again while the world settles: finalizers let go, and holders of names and claims taken away.
  void keep_healing();
  /// Whoever holds objects by a finalizer lets them go.
  void let_go();

 private:
  using Spec = StatefulSetSpec;
  const StatefulSet* set() const;  // live, or null
  const Pod* pod(std::int32_t a) const;
  const Claim* claim(std::int32_t a) const;
  const Revision* revision(std::int32_t a) const;
  const Revision* own_revision(std::int32_t a) const;  // one that the set controls

  template <class Edit>
  void edit_spec(Edit edit);
  void edit_template(Shared<PodTemplate> updated);
  void edit_set(const Step& step);
  void recreate(Recreation as);
  void add_condition(std::int32_t value);
  void apply_neighbour(Neighbour as, std::int32_t replicas);
  void edit_metadata(std::int32_t value, MetadataEdit edit);
  void edit_labels(const Pod& pod, LabelEdit edit);
  void add_pod(std::int32_t index, ForeignPod as);
  void add_claim(std::int32_t index, ForeignClaim as);
  void add_revision(std::int32_t variant, ForeignRevision as);
  void act_on_pod(const Step& step, const Pod& pod);
  void act_on_claim(const Step& step, const Claim& claim);
  void edit_claim(const Claim& held, ClaimEdit edit);
  void add_claim_owner(const Claim& held, ClaimOwner as);
  template <class T>
  void hold(const T& held);
  void act_on_revision(const Step& step, const Revision& revision);
  bool mounts_dying_claim(const Pod& pod, bool of_another_place) const;
  bool is_what_it_says(const Pod& pod) const;
  void restore_volumes();
  void remove_blockers(const StatefulSet& set);
  void mend_template(const StatefulSet& set);
  void delete_broken(const StatefulSet& set);
  bool has_broken_pod(const StatefulSet& set, std::int32_t below) const;
  Revision strange_revision(std::int32_t variant, ForeignRevision as);
  Revision equal_orphan(const Shared<PodTemplate>& content, std::int32_t variant) const;
  Revision under_next_name(const Shared<PodTemplate>& content) const;
  RevisionData written(const Shared<PodTemplate>& content) const;
  Revision colliding_revision(std::int32_t variant);
  Revision older_revision(const Shared<PodTemplate>& content, ForeignRevision as);

  Cluster* cluster_;
  StatefulSet first_;             // the scenario's set, defaulted
  StatefulSet made_;              // the set as it was created last
  std::vector<Text> neighbours_;  // names of the other sets that were made
  bool null_times_ = false;       // in what earlier controllers have recorded
  TemplateVariants variants_;
  TemplateMemo<RevisionData> older_;  // as older releases wrote them down
};

/// The image of a template ends in a suffix that keeps its pods from ever being ready (core/cluster/kubelet.h).
bool is_broken(const PodTemplate& pod_template);

}  // namespace ordeal::properties
