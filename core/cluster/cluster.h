// The simulated cluster: API server, kubelets, garbage collector, clock. semantics.md section 12.
//
// The truth. Every write, whoever makes it, is admitted here by the same rules and ends in a watch log (store.h).
// Deterministic: no clock but its own, no randomness, no order but that of names and commits.
// One namespace is simulated: every object is in the namespace of the first set.
// Not here: what a controller sees (cache.h), which calls fail (properties/trial), what is right (properties/invariants).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/api/validation.h"
#include "core/cluster/kubelet.h"
#include "core/cluster/store.h"

namespace ordeal {

enum class Propagation : std::uint8_t { background, foreground, orphan };

class Cluster {
 public:
  /// Empties the cluster; memory is kept.
  void reset(ApiGates gates = {});

  // --- the truth -----------------------------------------------------------------------------------------------------
  const Store<StatefulSet>& sets() const { return sets_; }
  const Store<Pod>& pods() const { return pods_; }
  const Store<Claim>& claims() const { return claims_; }
  const Store<Revision>& revisions() const { return revisions_; }
  const Kubelets& kubelets() const { return kubelets_; }
  Time now() const { return now_; }
  ApiGates gates() const { return gates_; }

  // --- the API server ------------------------------------------------------------------------------------------------
  /// One request of a controller, admitted or refused; commits at once when admitted.
  Reply handle(const Request& request);

  // Requests of everybody else. Each returns the reply's code; a refused request changes nothing.
  Code create_set(StatefulSet set);                                 // defaulted and validated
  Code update_set(const Text& name, StatefulSetSpec spec);          // a user's edit, unconditional
  Code delete_set(const Text& name, Propagation propagation);
  Code create_pod(Pod pod);
  Code create_claim(Claim claim);
  Code create_revision(Revision revision);
  Code delete_pod(const Text& name, std::optional<std::int64_t> grace = {});  // grace 0: force
  Code delete_claim(const Text& name);
  Code delete_revision(const Text& name);
  Code edit_pod(Pod pod);            // labels, owners, finalizers: what a user may change
  Code edit_claim(Claim claim);      // owners, labels, finalizers
  Code edit_revision(Revision revision);  // owners, labels, number

  // --- nodes, collector, clock ---------------------------------------------------------------------------------------
  /// Reports of kubelets; each is ignored, with false, when the pod is in no state for it.
  bool start_pod(const Text& name);                    // scheduled, volumes bound (a missing claim holds it), running
  bool set_ready(const Text& name, bool ready);
  bool finish_pod(const Text& name, Phase phase);      // succeeded or failed
  bool finish_termination(const Text& name);           // processes ended, object removed unless finalizers hold it
  void lose_node(const Text& pod_name);                // its kubelet stops reporting; its process goes on
  void recover_nodes();
  /// One round of garbage collection: removes what has lost all its owners. Returns how many objects it touched.
  std::size_t collect();
  void advance(Time by) { now_ = now_ + by; }

 private:
  friend class Server;   // server.cpp: admission and writes
  Version next_version() { return static_cast<Version>(++version_); }
  Uid next_uid() { return static_cast<Uid>(++uid_); }

  Store<StatefulSet> sets_;
  Store<Pod> pods_;
  Store<Claim> claims_;
  Store<Revision> revisions_;
  Kubelets kubelets_;
  ApiGates gates_;
  Time now_{};
  std::uint64_t version_ = 0, uid_ = 0;
};

}  // namespace ordeal
