#include "properties/trial/simulate.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ordeal::properties {

namespace {

// A controller that asks this often in one sync will not stop by itself.
constexpr std::size_t calls_at_least = 2'000, calls_per_object = 64;
// Rounds of a settle in which nothing but the clock moves: long enough for a delayed requeue to be followed by another.
constexpr int idle_rounds_at_most = 8;
// Syncs in one round of a settle: own writes come back as events, so a few follow each other.
constexpr int syncs_per_round = 64;
// Kubelets are quick: a pod is scheduled, started and ready within a round. Slower ones are steps of scenarios.
constexpr int stages_at_most = 4;
constexpr int rounds_at_least = 60, rounds_per_pod = 16;

/// What an API server can answer to such a request. A fault that it cannot is an internal error instead.
Fault plausible(Fault fault, Verb verb) {
  const bool creates = verb == Verb::create;
  switch (fault) {
    case Fault::conflict: return creates || verb == Verb::get ? Fault::internal : fault;
    case Fault::already_exists: return creates ? fault : Fault::internal;
    case Fault::not_found: return creates ? Fault::internal : fault;
    case Fault::invalid: return verb == Verb::get ? Fault::internal : fault;
    default: return fault;
  }
}

Code code_of(Fault fault) {
  switch (fault) {
    case Fault::conflict: return Code::conflict;
    case Fault::already_exists: return Code::already_exists;
    case Fault::not_found: return Code::not_found;
    case Fault::forbidden: return Code::forbidden;
    case Fault::invalid: return Code::invalid;
    case Fault::timeout_before:
    case Fault::timeout_after: return Code::timeout;
    default: return Code::internal;
  }
}

bool concerns_caches(StepKind kind) {
  return kind == StepKind::deliver || kind == StepKind::deliver_all || kind == StepKind::relist ||
         kind == StepKind::restart;
}

}  // namespace

class Simulation final : private Api {
 public:
  Simulation(World& world, const Scenario& scenario, Controller& controller, Witness& witness)
      : w_(world), scenario_(scenario), controller_(controller), witness_(witness) {}

  void run() {
    begin();
    for (const Step& step : scenario_.steps) {
      if (witness_.enough()) return;
      if (step.at_call > 0 && info(step.kind).between_calls) w_.waiting_.push_back(step);
      else if (step.kind == StepKind::fault) w_.waiting_.push_back(with_call(step, 1));
      else happen(step);
    }
    if (!witness_.enough()) end();
  }

 private:
  static Step with_call(Step step, std::uint8_t call) {
    step.at_call = call;
    return step;
  }

  void begin() {
    const std::int32_t replicas = scenario_.set.spec->replicas.value_or(1);
    if (replicas > max_replicas)
      throw std::invalid_argument("spec.replicas: a simulated set has at most " + std::to_string(max_replicas) +
                                  " (found: " + std::to_string(replicas) + ")");
    w_.scenario_ = &scenario_;
    w_.key_ = Key{scenario_.set.meta.ns, scenario_.set.meta.name};
    w_.cluster_.reset(scenario_.environment.api);
    w_.caches_.clear();
    w_.queue_.clear();
    w_.waiting_.clear();
    controller_.restart();
    if (w_.actor_.begin(scenario_) != Code::ok)
      throw std::invalid_argument("metadata.name: the API server refuses the first set (found: " +
                                  scenario_.set.meta.name.str() + ")");
    witness_.on_change(w_);
  }

  // --- steps ---------------------------------------------------------------------------------------------------------

  void happen(const Step& step) {
    witness_.on_step(w_, &step, {});
    const Marks before = w_.marks();
    const auto processes = w_.cluster_.kubelets().running().size();
    switch (step.kind) {
      case StepKind::sync: return resync();
      case StepKind::settle: settle(); return;
      case StepKind::restart: return restart(step);
      case StepKind::deliver:
        w_.caches_.deliver(kind_of(step), static_cast<std::size_t>(std::max(step.b, 0)) + 1, w_.queue_);
        return;
      case StepKind::deliver_all: w_.caches_.deliver_all(w_.queue_); return;
      case StepKind::relist: w_.caches_.relist(kind_of(step), w_.queue_); return;
      case StepKind::fault: return;  // waits for a call; one that comes too late lapses
      default: w_.actor_.act(step);
    }
    tell_change(before, processes);
  }

  void tell_change(const Marks& before, std::size_t processes) {
    if (before != w_.marks() || processes != w_.cluster_.kubelets().running().size()) witness_.on_change(w_);
  }

  static Kind kind_of(const Step& step) { return every_kind[static_cast<std::uint32_t>(step.a) % kind_count]; }

  /// A new process: nothing remembered, a new queue, and caches listed from older points.
  void restart(const Step& step) {
    controller_.restart();
    w_.queue_.clear();
    const auto back = static_cast<std::size_t>(std::max(step.a, 0));
    const Kind fresh = every_kind[static_cast<std::uint32_t>(step.b) % kind_count];
    for (Kind kind : every_kind) w_.caches_.restart(kind, kind == fresh ? 0 : back, w_.queue_);
  }

  // --- a sync --------------------------------------------------------------------------------------------------------

  /// As a resync does: whether anything asked for it or not.
  void resync() {
    w_.queue_.add(w_.key_);
    take_and_sync();
  }

  bool take_and_sync() {
    const std::optional<Key> key = w_.queue_.take(w_.cluster_.now());
    if (!key) return false;
    sync(*key);
    return true;
  }

  void sync(const Key& key) {
    const Sync& done = run_controller(key);
    if (resting_) witness_.on_rest(w_, done);
    else witness_.on_sync(w_, done);
    if (done.died) {
      restart(Step{StepKind::restart, 0, 0, 0});
    } else {
      w_.queue_.done(key, done.result, done.now);
    }
    run_left_over();
  }

  const Sync& run_controller(const Key& key) {
    turn_ = 1 - turn_;
    auto& calls = w_.calls_[turn_];
    calls.clear();
    Sync& now = w_.syncs_[turn_];
    now = Sync{.key = key, .seen = w_.caches_.view(), .now = w_.cluster_.now(), .calls = {}, .result = {}};
    now.fresh = still_fresh_ = w_.caches_.fresh();
    calls_at_most_ = calls_at_least + calls_per_object * (now.seen.pods.all.size() + replicas_seen(now));
    try {
      now.result = controller_.sync(key, now.seen, *this, now.now);
    } catch (ControllerDied) {
      now.died = true;
    }
    now.calls = calls;
    now.guarded = now.result.failed && calls.empty();
    return now;
  }

  std::size_t replicas_seen(const Sync& sync) const {
    const StatefulSet* set = sync.seen.sets.find(sync.key.name);
    return set ? static_cast<std::size_t>(std::max(set->spec->replicas.value_or(1), 0)) : 0;
  }

  /// The door: what waits for this call happens first, then the call, with the fault that waits for it.
  Reply call(Request request) override {
    auto& calls = w_.calls_[turn_];
    if (calls.size() >= calls_at_most_)
      throw std::runtime_error("the controller made " + std::to_string(calls.size()) + " calls in one sync");
    const Fault fault = plausible(happen_before(calls.size() + 1), request.verb);
    Call& made = calls.emplace_back();
    made.request = std::move(request);
    made.fault = fault;
    made.fresh = still_fresh_;
    note_before(made);
    if (fault == Fault::none || fault == Fault::timeout_after || fault == Fault::crash_after) commit(made);
    if (fault == Fault::crash_before || fault == Fault::crash_after) throw ControllerDied{};
    if (fault != Fault::none) made.reply = Reply{code_of(fault), {}};
    return made.reply;
  }

  void commit(Call& made) {
    made.reply = w_.cluster_.handle(made.request);
    made.committed = made.reply.ok();
  }

  void note_before(Call& made) const {
    const Text& name = made.request.name;
    switch (made.request.kind) {
      case Kind::set: made.set_before = w_.cluster_.sets().find(name); break;
      case Kind::pod: made.pod_before = w_.cluster_.pods().find(name); break;
      case Kind::claim: made.claim_before = w_.cluster_.claims().find(name); break;
      case Kind::revision: made.revision_before = w_.cluster_.revisions().find(name); break;
    }
  }

  /// Lets the environment's steps for this call happen; returns the fault for it. Caches keep still during a sync.
  Fault happen_before(std::size_t call) {
    if (w_.waiting_.empty()) return Fault::none;
    Fault fault = Fault::none;
    for (std::size_t i = 0; i < w_.waiting_.size();) {
      const Step step = w_.waiting_[i];
      if (step.at_call != call || concerns_caches(step.kind)) {
        ++i;
        continue;
      }
      w_.waiting_.erase(w_.waiting_.begin() + static_cast<std::ptrdiff_t>(i));
      if (step.kind == StepKind::fault) {
        fault = static_cast<Fault>(static_cast<std::uint32_t>(step.a) % fault_count);
      } else {
        still_fresh_ = false;
      }
      witness_.on_step(w_, &step, {});
      if (step.kind != StepKind::fault) w_.actor_.act(step);
    }
    return fault;
  }

  void run_left_over() {
    if (w_.waiting_.empty()) return;
    const std::vector<Step> left = std::move(w_.waiting_);
    w_.waiting_.clear();
    for (const Step& step : left)
      if (step.kind != StepKind::fault) happen(with_call(step, 0));
  }

  // --- settle and the epilogue ---------------------------------------------------------------------------------------

  struct Settled {
    bool rested = false;
    int rounds = 0, bound = 0;
  };

  /// Fair: kubelets, collector, deliveries and due keys in turn, until nothing moves or the bound is reached.
  Settled settle() {
    Settled result;
    int idle = 0;
    do {
      result.bound = bound();
      const Marks before = w_.marks();
      progress();
      for (int n = 0; n < syncs_per_round && take_and_sync(); ++n) w_.caches_.deliver_all(w_.queue_);
      ++result.rounds;
      if (before != w_.marks()) {
        idle = 0;
        continue;
      }
      const std::optional<Time> due = w_.queue_.next_due();
      if (!due && !w_.queue_.ready(w_.cluster_.now())) {
        result.rested = true;
        break;
      }
      if (++idle > idle_rounds_at_most) break;
      if (due && *due > w_.cluster_.now()) w_.cluster_.advance(*due - w_.cluster_.now());
    } while (result.rounds < result.bound && !witness_.enough());
    return result;
  }

  void progress() {
    const Marks before = w_.marks();
    const auto processes = w_.cluster_.kubelets().running().size();
    for (int stage = 0; stage < stages_at_most && w_.cluster_.run_kubelets() > 0; ++stage) {
    }
    w_.cluster_.collect();
    tell_change(before, processes);
    w_.caches_.deliver_all(w_.queue_);
  }

  int bound() const {
    const StatefulSet* set = w_.cluster_.sets().find(w_.key_.name);
    const int wanted = set ? std::max(set->spec->replicas.value_or(1), 0) : 0;
    return rounds_at_least + rounds_per_pod * (wanted + static_cast<int>(w_.cluster_.pods().live().size()));
  }

  void end() {
    w_.waiting_.clear();
    witness_.on_step(w_, nullptr, "faults stop, the environment heals");
    const Marks before = w_.marks();
    const auto processes = w_.cluster_.kubelets().running().size();
    w_.actor_.heal();
    tell_change(before, processes);
    w_.queue_.add(w_.key_);  // a resync: events of claims and revisions enqueue nothing
    witness_.on_step(w_, nullptr, "settle");
    const Settled settled = settle();
    if (witness_.enough()) return;
    witness_.on_settled(w_, settled.rested, settled.rounds, settled.bound);
    witness_.on_step(w_, nullptr, "two more syncs");
    resting_ = true;
    for (int n = 0; n < 2 && !witness_.enough(); ++n) {
      resync();
      w_.caches_.deliver_all(w_.queue_);
    }
  }

  World& w_;
  const Scenario& scenario_;
  Controller& controller_;
  Witness& witness_;
  std::size_t turn_ = 0;
  std::size_t calls_at_most_ = calls_at_least;
  bool still_fresh_ = true;
  bool resting_ = false;
};

void simulate(World& world, const Scenario& scenario, Controller& controller, Witness& witness) {
  Simulation(world, scenario, controller, witness).run();
}

}  // namespace ordeal::properties
