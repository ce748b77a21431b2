// Nodes and kubelets: what they report about pods, and what that makes of the objects.
#include "core/cluster/cluster.h"

#include <nlohmann/json.hpp>

#include "core/api/encode.h"
#include "core/api/names.h"

namespace ordeal {

namespace {

/// A claim's spec once it is bound; whoever asked for a volume by name has that one.
Shared<std::string> on_volume(const Shared<std::string>& claim_spec, const std::string& volume) {
  nlohmann::json spec = claim_spec ? nlohmann::json::parse(*claim_spec) : nlohmann::json::object();
  spec.emplace("volumeName", volume);
  return std::make_shared<const std::string>(go_encode(spec));
}

}  // namespace

void Cluster::reset(ApiGates gates, const Habits& habits) {
  sets_.clear();
  pods_.clear();
  claims_.clear();
  revisions_.clear();
  kubelets_.clear();
  gates_ = gates;
  habits_ = habits;
  ns_ = {};
  now_ = habits.starts;
  version_ = habits.versions_from;
  uid_ = 0;
}

void Cluster::resume(Text ns, Time now, Version newest, Uid youngest) {
  ns_ = std::move(ns);
  now_ = now;
  version_ = static_cast<std::uint64_t>(newest);
  uid_ = static_cast<std::uint64_t>(youngest);
}

void Cluster::mark(Mark& at) const {
  at.sets = sets_.mark();
  at.pods = pods_.mark();
  at.claims = claims_.mark();
  at.revisions = revisions_.mark();
  at.kubelets = kubelets_;
  at.now = now_;
  at.version = version_;
  at.uid = uid_;
}

void Cluster::rewind(const Mark& to) {
  sets_.rewind(to.sets);
  pods_.rewind(to.pods);
  claims_.rewind(to.claims);
  revisions_.rewind(to.revisions);
  kubelets_ = to.kubelets;
  now_ = to.now;
  version_ = to.version;
  uid_ = to.uid;
}

// --- by name -------------------------------------------------------------------------------------------------------

bool Cluster::start_pod(const Text& name) {
  const Pod* pod = pods_.find(name);
  return pod != nullptr && start(*pod);
}

bool Cluster::set_ready(const Text& name, bool ready) {
  const Pod* pod = pods_.find(name);
  return pod != nullptr && report_ready(*pod, ready);
}

bool Cluster::finish_pod(const Text& name, Phase phase, Readiness readiness) {
  const Pod* pod = pods_.find(name);
  return pod != nullptr && finish(*pod, phase, readiness);
}

bool Cluster::finish_termination(const Text& name) {
  const Pod* pod = pods_.find(name);
  return pod != nullptr && stop(*pod);
}

bool Cluster::lose_sight(const Text& name) {
  const Pod* pod = pods_.find(name);
  if (pod == nullptr || pod->phase != Phase::running) return false;
  pods_.commit(*pod, next_version(), [&](Pod& made) {
    made.phase = Phase::unknown;
    end_readiness(made);
  });
  return true;
}

void Cluster::lose_node(const Text& pod_name) {
  if (const Pod* pod = pods_.find(pod_name)) kubelets_.lose(pod_name, pod->meta.uid);
}

void Cluster::recover_nodes() {
  kubelets_.recover();
  kubelets_.stop_strays();
}

std::size_t Cluster::run_kubelets() {
  std::size_t moved = 0;
  for (std::size_t i = 0; i < pods_.live().size();) {
    const std::size_t pods = pods_.live().size();
    moved += go_on(*pods_.live().all()[i]) ? 1 : 0;
    if (pods_.live().size() == pods) ++i;  // else the next pod has moved up into this place
  }
  return moved + kubelets_.stop_strays();
}

// --- one pod -------------------------------------------------------------------------------------------------------

bool Cluster::run_kubelet(const Text& pod) {
  const Pod* held = pods_.find(pod);
  return held != nullptr && go_on(*held);
}

bool Cluster::go_on(const Pod& pod) {
  if (pod.meta.terminating()) return stop(pod);
  if (pod.phase == Phase::pending) return start(pod);
  if (pod.phase == Phase::unknown) return report_running(pod);
  if (pod.phase != Phase::running || pod.ready) return false;
  switch (behaviour_of(pod.made_from->image)) {
    case Behaviour::ready: return report_ready(pod, true);
    case Behaviour::unready:
    case Behaviour::unstarted:
    case Behaviour::unpulled: return false;
    case Behaviour::crashing: return finish(pod, Phase::failed);
    case Behaviour::completing: return finish(pod, Phase::succeeded);
  }
  return false;
}

bool Cluster::can_start(const Pod& pod) const {
  if (pod.phase != Phase::pending || !pod.node.empty() || pod.meta.terminating() ||
      behaviour_of(pod.made_from->image) == Behaviour::unstarted)
    return false;
  if (!pod.volumes) return true;
  return std::all_of(pod.volumes->begin(), pod.volumes->end(), [&](const Volume& volume) {
    if (volume.claim.empty() || pod.made_from->has(volume)) return true;  // a user's own claim is taken to exist
    const Claim* claim = claims_.find(volume.claim);
    return claim != nullptr && claim->phase != ClaimPhase::lost && !claim->meta.terminating();
  });
}

bool Cluster::reports(const Pod& pod) const {
  const Instance* instance = kubelets_.find(pod.meta.name, pod.meta.uid);
  return instance != nullptr && !instance->on_lost_node;
}

/// A volume of its own for each that has none yet.
void Cluster::bind_claims_of(const Pod& pod) {
  if (!habits_.binds_late || !pod.volumes) return;
  for (const Volume& volume : *pod.volumes) {
    const Claim* claim = claims_.find(volume.claim);
    if (claim == nullptr || claim->phase != ClaimPhase::pending) continue;
    claims_.commit(*claim, next_version(), [](Claim& made) {
      made.phase = ClaimPhase::bound;
      made.spec = on_volume(made.spec, "pv-" + decimal(static_cast<std::int64_t>(made.meta.uid)).str());
    });
  }
}

bool Cluster::start(const Pod& pod) {
  if (!can_start(pod)) return false;
  bind_claims_of(pod);
  kubelets_.start(pod.meta.name, pod.meta.uid);
  const bool has_image = behaviour_of(pod.made_from->image) != Behaviour::unpulled;
  pods_.commit(pod, next_version(), [&](Pod& made) {
    if (has_image) made.phase = Phase::running;
    made.node = "node-" + decimal(static_cast<std::int64_t>(made.meta.uid)).str();
  });
  return true;
}

bool Cluster::report_running(const Pod& pod) {
  if (!reports(pod)) return false;
  pods_.commit(pod, next_version(), [](Pod& made) { made.phase = Phase::running; });
  return true;
}

bool Cluster::report_ready(const Pod& pod, bool ready) {
  if (pod.ready == ready || !reports(pod)) return false;
  if (ready && behaviour_of(pod.made_from->image) != Behaviour::ready) return false;
  pods_.commit(pod, next_version(), [&](Pod& made) {
    made.phase = Phase::running;
    made.ready = ready;
    made.ready_changed = this_second();
  });
  return true;
}

void Cluster::end_readiness(Pod& pod) const {
  if (pod.ready) pod.ready_changed = this_second();
  pod.ready = false;
}

/// Its instance ends and its phase is final. The object stays, unless it was only waiting for this.
bool Cluster::finish(const Pod& pod, Phase phase, Readiness readiness) {
  const bool final = phase == Phase::succeeded || phase == Phase::failed;
  const bool never_ran = pod.phase == Phase::pending;
  if (!final || !reports(pod) || (never_ran && phase == Phase::succeeded)) return false;
  kubelets_.stop(pod.meta.name, pod.meta.uid);
  const Pod* ended = pods_.commit(pod, next_version(), [&](Pod& made) {
    made.phase = phase;
    if (readiness == Readiness::ended) end_readiness(made);
  });
  depart_if_free(*ended);
  return true;
}

/// A container that is told to stop, and stops, has succeeded; one that never started has failed. That shows only when
/// finalizers keep the object.
bool Cluster::stop(const Pod& pod) {
  if (!pod.meta.terminating() || !reports(pod)) return false;
  if (pod.meta.has_finalizers()) return finish(pod, pod.phase == Phase::pending ? Phase::failed : Phase::succeeded);
  kubelets_.stop(pod.meta.name, pod.meta.uid);
  depart_if_free(pod);
  return true;
}

}  // namespace ordeal
