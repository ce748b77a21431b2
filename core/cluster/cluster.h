// The simulated cluster: API server, kubelets, garbage collector, clock. semantics.md section 12.
//
// The truth. Every write, whoever makes it, is admitted here by the same rules and ends in a watch log (store.h).
// Deterministic: no clock but its own, no randomness, no order but that of names and commits.
// One namespace is simulated: every object is in the namespace of the first object created.
// Not here: what a controller sees (cache.h), which calls fail (properties/world), what is right
// (properties/invariants).
// Covered by server_test.cpp, deletion_test.cpp and kubelet_test.cpp.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/api/validation.h"
#include "core/cluster/kubelet.h"
#include "core/cluster/store.h"

namespace ordeal {

/// Of an object that waits for the collector (Propagation).
inline const Text finalizer_foreground = Text::lasting("foregroundDeletion");
inline const Text finalizer_orphan = "orphan";
/// Condition Ready when a pod ends: its kubelet tells, others leave it as it was.
enum class Readiness : std::uint8_t { ended, left };

/// Whether claims this pod mounts are protected from deletion: it was given a node, and is still there, ended or not
/// (pvc_protection_controller.go, podUsesPVC). One that has not started protects nothing, since it could not start on a
/// claim that is on its way out.
inline bool protects_claims(const Pod& pod) { return pod.volumes && !pod.node.empty(); }

/// What differs from one cluster to the next, and changes no promise.
struct Habits {
  bool injects = false;     // webhooks add a label, a volume and a container to each new pod and set what it asks for
  bool binds_late = false;  // claims are Pending until a pod that mounts them starts (WaitForFirstConsumer)
  std::uint64_t versions_from = 0;  // what was written before, so that resourceVersions may be large
  Time starts{};                    // what the clock shows at first
};

class Cluster {
 public:
  /// Empties the cluster; memory is kept.
  void reset(ApiGates gates = {}, const Habits& habits = {});

  // --- the truth -----------------------------------------------------------------------------------------------------
  template <class T>
  const Store<T>& store() const {
    return store_in<T>(*this);
  }
  const Store<StatefulSet>& sets() const { return sets_; }
  const Store<Pod>& pods() const { return pods_; }
  const Store<Claim>& claims() const { return claims_; }
  const Store<Revision>& revisions() const { return revisions_; }
  const Kubelets& kubelets() const { return kubelets_; }
  Time now() const { return now_; }

  // --- the API server (server.cpp, resolve.cpp, apply.cpp, deletion.cpp) ----------------------------------------------
  /// One request of a controller, admitted or refused; commits at once when admitted. A request that makes no sense
  /// (a body of another kind, a verb its kind does not have) is invalid. A removal answers with the last version.
  Reply handle(const Request& request);
  /// Of all objects of a kind, in the order of their names. Valid until the next write.
  std::vector<const ObjectMeta*> stored(Kind kind) const;
  /// Rewrites a request into the form in which `handle` treats it. A patch becomes an update of the version it names,
  /// or of the stored one if it names none. An update of a pod or a revision that only adds or removes one owner
  /// becomes a patch of owners, even if it comes too late. A patch that cannot be applied (the object never existed,
  /// the document does not fit, the spec would change) stays a patch and is refused; if it was about owners it becomes
  /// a patch of owners that says so (OwnerPatch::applies). An apply becomes a creation where there is no object, else
  /// what an update comes to. One that is refused has the answer with it (Request::refused), and stays what it is where
  /// nobody can tell what it would have come to.
  void resolve(Request& request) const;

  // Requests of everybody else. Each returns the reply's code; a refused request changes nothing, and neither does one
  // that asks for what is so already.
  Code create_set(StatefulSet set);                         // defaulted and validated
  Code update_set(const Text& name, StatefulSetSpec spec);  // a user's edit, unconditional
  Code edit_set(const StatefulSet& set);  // its labels, annotations, finalizers and conditions: no new generation
  Code delete_set(const Text& name, Propagation propagation);  // again: the newer propagation holds
  Code create_pod(const Pod& pod);
  Code create_claim(const Claim& claim);
  Code create_revision(const Revision& revision);
  Code delete_pod(const Text& name, std::optional<std::int64_t> grace = {});  // grace 0: force
  Code delete_claim(const Text& name);
  Code delete_revision(const Text& name);
  Code edit_pod(const Pod& pod);                 // labels, annotations, owners, finalizers: what a user may change
  Code edit_claim(const Claim& claim);           // the same
  Code edit_revision(const Revision& revision);  // the same, and the number
  void resize_claim(const Text& name,
                    Shared<std::string> spec);               // as a user may where the storage class lets volumes grow
  void set_claim_phase(const Text& name, ClaimPhase phase);  // as whoever binds volumes finds them

  // --- nodes, collector, clock (cluster.cpp, collector.cpp) ----------------------------------------------------------
  /// Reports of kubelets; each is ignored, with false, when the pod is in no state for it.
  bool start_pod(const Text& name);  // scheduled, volumes bound (a claim missing, lost or terminating holds it)
  bool set_ready(const Text& name, bool ready);  // ready only if its image can be (Behaviour)
  bool finish_pod(const Text& name, Phase phase, Readiness = Readiness::ended);  // succeeded or failed
  bool finish_termination(const Text& name);  // instance ended, object removed unless finalizers hold it
  bool lose_sight(const Text& name);     // of a running one: phase Unknown, and not Ready, until its kubelet reports
  void lose_node(const Text& pod_name);  // its kubelet stops reporting; what runs there goes on
  void recover_nodes();                  // and end what has no object any more
  /// Every pod goes one stage on, in the order of names: a terminating one ends, a pending one starts, a running one
  /// does what its image does. Last, kubelets end what has no object. Returns how many pods and strays moved.
  std::size_t run_kubelets();
  /// One pod goes one stage on; whether it did.
  bool run_kubelet(const Text& pod);
  /// One round of garbage collection: deletes what has lost all its owners, drops references to lost owners, lets
  /// claims go that nothing protects any more, completes deletions of pods and sets. Or only the first so many objects
  /// of it. Returns how many objects it touched.
  std::size_t collect(std::size_t at_most = std::numeric_limits<std::size_t>::max());
  void advance(Time by) { now_ = now_ + by; }

  // --- to and fro in time (properties/explore) -----------------------------------------------------------------------
  /// Puts a version in place that the caller keeps alive, as if it had been committed then; nothing is admitted.
  template <class T>
  void place(const T* object, Version at) {
    writable<T>().place(object, at);
  }
  template <class T>
  void take_away(const Text& name, Version at) {
    writable<T>().remove(name, at);
  }
  void place(const Instance& instance) { kubelets_.place(instance); }
  /// It is then, in that namespace, and what is committed from now on gets higher versions and UIDs than these.
  void resume(Text ns, Time now, Version newest, Uid youngest);
  struct Mark {
    Store<StatefulSet>::Mark sets;
    Store<Pod>::Mark pods;
    Store<Claim>::Mark claims;
    Store<Revision>::Mark revisions;
    Kubelets kubelets;
    Time now;
    std::uint64_t version = 0, uid = 0;
  };
  void mark(Mark& at) const;
  void rewind(const Mark& to);  // marks taken after `to` are invalid from then on

 private:
  template <class T, class Self>
  static auto& store_in(Self& self) {
    if constexpr (std::is_same_v<T, StatefulSet>) return self.sets_;
    else if constexpr (std::is_same_v<T, Pod>) return self.pods_;
    else if constexpr (std::is_same_v<T, Claim>) return self.claims_;
    else return self.revisions_;
  }
  template <class T>
  Store<T>& writable() {
    return store_in<T>(*this);
  }
  Version next_version() { return static_cast<Version>(++version_); }
  Uid next_uid() { return static_cast<Uid>(++uid_); }
  Time this_second() const { return Time::seconds(now_.whole_seconds()); }  // API times have no fractions
  bool in_namespace(const ObjectMeta& meta) const { return meta.ns.empty() || meta.ns == ns_ || ns_.empty(); }
  void set_identity(ObjectMeta& meta);

  // server.cpp
  Reply handle_set(const Request& request);
  template <class T>
  Reply handle_kind(const Request& request);
  template <class T>
  Reply create(const T& wanted, Version version = Version::none, const Shared<Managers>& managers = {});
  template <class T>
  Reply update(const T& wanted, Version version, Uid uid, const Shared<Managers>& managers = {});
  template <class T>
  Reply patch_owners(const T& stored, const OwnerPatch& patch, const Shared<Managers>& managers);
  Reply update_status(const StatefulSet& stored, const StatefulSetStatus& status, const Shared<Managers>& managers);

  // resolve.cpp
  template <class T>
  void resolve_update(Request& request) const;
  template <class T>
  void resolve_patch(Request& request) const;
  void resolve_status(Request& request) const;

  // apply.cpp
  struct Wish;
  void resolve_apply(Request& request) const;
  template <class T>
  void resolve_apply_to_none(Request& request, const Wish& wish) const;
  template <class T>
  void resolve_apply_to(Request& request, const T& base, const Wish& wish) const;
  template <class T>
  void resolve_as_update(Request& request, const T& base, const Wish& wish,
                         const std::optional<OwnerReference>& adoption) const;
  template <class T>
  Managers managers_of(const T& object) const;

  // deletion.cpp: `end` is a DELETE of an object that exists, `depart` removes one that nothing holds any more.
  Reply end(const StatefulSet& set, Propagation propagation);
  Reply end(const Pod& pod, std::optional<std::int64_t> grace, Propagation = Propagation::background);
  Reply end(const Claim& claim);
  Reply end(const Revision& revision);
  template <class T>
  Reply mark_terminating(const T& stored, Time at);
  template <class T>
  Reply mark_terminating(const T& stored, Time at, std::vector<Text> finalizers);
  template <class T>
  Reply depart(const T& stored);
  void depart_if_free(const StatefulSet& set);
  void depart_if_free(const Pod& pod);
  void depart_if_free(const Revision& revision);

  // cluster.cpp
  bool can_start(const Pod& pod) const;
  bool reports(const Pod& pod) const;  // it runs and its kubelet is in touch
  bool start(const Pod& pod);
  void bind_claims_of(const Pod& pod);
  void end_readiness(Pod& pod) const;
  bool report_running(const Pod& pod);
  bool report_ready(const Pod& pod, bool ready);
  bool finish(const Pod& pod, Phase phase, Readiness = Readiness::ended);
  bool stop(const Pod& pod);
  bool go_on(const Pod& pod);

  // collector.cpp
  bool lets_go(const OwnerReference& owner) const;
  bool all_let_go(const Owners& owners) const;
  template <class T>
  std::vector<const T*> losing_owners() const;
  template <class T, class End>
  std::size_t collect_each(std::vector<const T*> losing, std::size_t at_most, End end);
  std::size_t collect_declared_failed(std::size_t at_most);
  std::size_t collect_claims(std::size_t at_most);
  std::vector<const Claim*> leaving_claims() const;
  template <class T>
  std::size_t drop_owner(Uid owner, std::size_t at_most);
  template <class T, class Gone>
  void drop_owners(const T& stored, Gone gone);
  template <class T>
  bool any_blocks(Uid owner) const;
  template <class T>
  std::size_t complete_deletions(std::size_t at_most);
  template <class T>
  std::size_t complete_deletion(const T& owner, std::size_t at_most);
  template <class T>
  std::size_t drop_finalizer(const T& owner, const Text& name);

  Store<StatefulSet> sets_;
  Store<Pod> pods_;
  Store<Claim> claims_;
  Store<Revision> revisions_;
  Kubelets kubelets_;
  ApiGates gates_;
  Habits habits_;
  Text ns_;
  Time now_{};
  std::uint64_t version_ = 0, uid_ = 0;
};

}  // namespace ordeal
