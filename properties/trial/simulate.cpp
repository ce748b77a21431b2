#include "properties/trial/simulate.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "properties/scenario/choices.h"
#include "properties/scenario/gate_names.h"
#include "properties/scenario/wrapped.h"
#include "properties/trial/faults.h"
#include "properties/trial/race.h"
#include "properties/trial/stepper.h"

namespace ordeal::properties {

namespace {

// A controller that asks this often in one sync will not stop by itself.
constexpr std::size_t calls_at_least = 2'000, calls_per_object = 64;
// Rounds of a settle in which nothing but the clock moves: long enough for a delayed requeue to be followed by another.
constexpr int idle_rounds_at_most = 8;
// Such rounds after which what a controller waits for is not its own: then it is time that makes a pod available.
constexpr int own_waits_at_most = 2;
// Syncs in one round of a settle: own writes come back as events, so a few follow each other.
constexpr int syncs_per_round = 64;
// Turns in a row that ask for nothing, without news between them: more of the same instant will not ask for anything either.
constexpr int quiet_turns_at_most = 8;
// Rounds in a row, and one more per pod, in which that many syncs were not enough: nothing that gets anywhere needs them all.
constexpr int busy_rounds_at_least = 4;
// Kubelets are quick: a pod is scheduled, started and ready within a round. Slower ones are steps of scenarios.
constexpr int stages_at_most = 4;
constexpr int rounds_at_least = 60, rounds_per_pod = 16;

bool concerns_caches(StepKind kind) {
  return kind == StepKind::deliver || kind == StepKind::deliver_all || kind == StepKind::relist;
}

std::size_t not_negative(std::int32_t number) { return static_cast<std::size_t>(std::max(number, 0)); }

}  // namespace

class Simulation final : private Api {
 public:
  Simulation(World& world, const Scenario& scenario, Program& program, Witness& witness)
      : w_(world), scenario_(scenario), program_(program), witness_(witness) {}

  void run() {
    begin();
    for (const Step& step : scenario_.steps) {
      if (witness_.enough()) return;
      take(step);
    }
    if (!witness_.enough()) end();
  }

  void take(const Step& step) {
    if (step.at_call > 0 && info(step.kind).between_calls) leader().waiting.push_back(step);
    else if (step.kind == StepKind::fault) leader().waiting.push_back(with_call(step, 1));
    else happen(step);
  }

 private:
  friend class Stepper;

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
    w_.cluster_.reset(scenario_.environment.api, scenario_.environment.injects);
    for (Process& p : w_.processes_) p.clear();
    load(leader(), scenario_.environment.gates);
    const bool can_tell = scenario_.environment.namesakes && leader().traits.watches_every_namespace;
    elsewhere_ = can_tell ? &w_.namesakes_.of(scenario_) : nullptr;
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
      case StepKind::sync: return resync(leader());
      case StepKind::settle: settle(); return;
      case StepKind::race: return race(step);
      case StepKind::restart: return restart(leader(), not_negative(step.a), kind_of(step.b));
      case StepKind::turn_gate: return turn_gate(step);
      case StepKind::run_release: return run_release(step);
      case StepKind::hand_over: return hand_over(step);
      case StepKind::deliver: leader().caches.deliver(kind_of(step.a), not_negative(step.b) + 1, leader().queue); return;
      case StepKind::deliver_all: leader().caches.deliver_all(leader().queue); return;
      case StepKind::relist: leader().caches.relist(kind_of(step.a), leader().queue); return;
      case StepKind::fault: return;  // waits for a call; one that comes too late lapses
      default: act(step);
    }
    tell_change(before, processes);
  }

  /// What may happen between two calls as well as between two syncs.
  void act(const Step& step) {
    switch (step.kind) {
      case StepKind::outage:
        return outage_.begin(static_cast<OutageOf>(wrapped(step.a, outage_of_count)),
                             static_cast<OutageReply>(wrapped(step.b, outage_reply_count)));
      case StepKind::end_outage: return outage_.end();
      case StepKind::skew_clock: skew_ = Time::seconds(step.a); return;
      case StepKind::rival_sync: return rival_sync(step);
      default: w_.actor_.act(step);
    }
  }

  void tell_change(const Marks& before, std::size_t processes) {
    if (before != w_.marks() || processes != w_.cluster_.kubelets().running().size()) witness_.on_change(w_);
  }

  static Kind kind_of(std::int32_t number) { return every_kind[wrapped(number, kind_count)]; }

  // --- processes -----------------------------------------------------------------------------------------------------

  Cluster& cluster() { return w_.cluster_; }
  Process& leader() { return w_.processes_[leading_]; }
  /// Looked up once per controller, since it is asked for at every step of a walk.
  Remembering* memory() {
    if (std::exchange(remembering_of_, leader().controller) != leader().controller)
      remembering_ = dynamic_cast<Remembering*>(leader().controller);
    return remembering_;
  }
  Process& rival() { return w_.processes_[1 - leading_]; }

  std::size_t number_of(const Process& p) const { return static_cast<std::size_t>(&p - w_.processes_.data()); }

  /// The program under these gates in a process that remembers nothing. False when there can be no such process.
  bool load(Process& p, const Gates& wanted) {
    Controller* controller = program_.process(number_of(p), wanted);
    if (controller == nullptr) return false;
    controller->restart();
    ++p.started;
    give(p, *controller);
    p.gates = controller->acting(wanted);
    p.by_other = false;
    return true;
  }

  void give(Process& p, Controller& controller) {
    p.controller = &controller;
    p.traits = controller.traits();
    p.queue.serve(p.traits);
  }

  /// A new process: nothing remembered, a new queue, and caches listed from `back` events ago, one kind fresh.
  void restart(Process& p, std::size_t back, Kind fresh) {
    p.controller->restart();
    ++p.started;
    p.queue.clear();
    for (Kind kind : every_kind) p.caches.restart(kind, kind == fresh ? 0 : back, p.queue);
  }

  /// The gates of a program are its arguments: turning one restarts it.
  void turn_gate(const Step& step) {
    Gates turned = leader().gates;
    const auto names = info(step.kind).a.words;
    turned.*row_of(names[wrapped(step.a, names.size())]).controller = step.b != 0;
    if (load(leader(), turned)) restart(leader(), 0, Kind::set);
  }

  /// An upgrade or a downgrade: a release stands in for the program, or the program takes over from one.
  void run_release(const Step& step) {
    Process& p = leader();
    const auto names = info(step.kind).a.words;
    if (const std::uint32_t chosen = wrapped(step.a, names.size()); chosen != 0) {
      give(p, w_.other_releases_.process(names[chosen], number_of(p), p.gates));
      p.by_other = true;
    } else if (!p.by_other || !load(p, p.gates)) {
      return;
    }
    restart(p, 0, Kind::set);
  }

  bool rival_is_there(const Step& step) {
    Process& p = rival();
    if (p.controller != nullptr) return true;
    if (!load(p, leader().gates)) return false;
    restart(p, not_negative(step.a), Kind::set);
    return true;
  }

  /// The other process leads now, with whatever its caches hold; the one that led keeps its own, should it come back.
  void hand_over(const Step& step) {
    if (!rival_is_there(step)) return;
    std::swap(leader().waiting, rival().waiting);
    leading_ = 1 - leading_;
  }

  /// For once both believe that they lead: the other one syncs, its caches so many events of each kind behind.
  void rival_sync(const Step& step) {
    if (!rival_is_there(step)) return;
    Process& p = rival();
    for (const Kind kind : every_kind) {
      const std::size_t behind = p.caches.behind(kind), wanted = not_negative(step.a);
      if (behind > wanted) p.caches.deliver(kind, behind - wanted, p.queue);
    }
    resync(p);
  }

  // --- a sync --------------------------------------------------------------------------------------------------------

  /// As a resync does: whether anything asked for it or not.
  void resync(Process& p) {
    for (int turn = 0; turn < quiet_turns_at_most; ++turn) {  // a neighbour may be wanted again at once, for ever
      const std::optional<Key> key = p.queue.take(w_.cluster_.now());
      if (!key) break;
      sync(p, *key, true);
      if (*key == w_.key_) return;
      if (p.beside.last().died) return sync(p, w_.key_, true);  // a neighbour would kill each new process, one after the other
    }
    p.queue.add(w_.key_);
    p.queue.take(w_.cluster_.now());
    sync(p, w_.key_, false);  // whatever the queue makes of it
  }

  bool take_and_sync(Process& p) {
    const std::optional<Key> key = p.queue.take(w_.cluster_.now());
    if (!key) return false;
    sync(p, *key, true);
    return true;
  }

  void sync(Process& p, const Key& key, bool queued) {
    Process* const interrupted = std::exchange(syncing_, &p);
    if (interrupted != nullptr) witness_.on_interrupted(w_, interrupted->serving->last());
    Sync& done = run_controller(p, key);
    syncing_ = interrupted;
    done.queued = queued;
    if (!done.died) put_off(p, done);
    if (resting_ && !done.beside) witness_.on_rest(w_, done);
    else witness_.on_sync(w_, done);
    if (done.died) restart(p, 0, Kind::set);
    run_left_over(p);
  }

  /// The queue hears how the turn ended, and says when it makes the next one.
  void put_off(Process& p, Sync& done) {
    const Time now = done.ended = w_.cluster_.now();
    done.timed = p.queue.next_due(done.key).has_value();
    p.queue.done(done.key, done.result, now);
    if (const std::optional<Time> due = p.queue.next_due(done.key)) done.next = *due - now;
  }

  Sync& run_controller(Process& p, const Key& key) {
    p.serving = key == w_.key_ ? &p.own : &p.beside;
    Sync& now = p.serving->begin();
    now = Sync{.key = key, .seen = view_of(p), .now = w_.cluster_.now() + skew_, .gates = p.gates};
    now.beside = p.serving == &p.beside;
    now.skewed = skew_ != Time{};
    now.process = number_of(p);
    now.started = p.started;
    now.by_other = p.by_other;
    now.null_times = p.traits.null_times;
    now.waits_for_writes = p.traits.waits_for_writes;
    now.fresh = p.still_fresh = p.caches.fresh();
    p.calls_at_most = calls_at_least + calls_per_object * (now.seen.pods.all.size() + replicas_seen(now));
    try {
      now.result = p.controller->sync(key, now.seen, *this, now.now);
    } catch (ControllerDied) {
      now.died = true;
    }
    now.calls = p.serving->present_calls();
    now.guarded = now.result.failed && now.calls.empty();
    return now;
  }

  View view_of(Process& p) {
    const std::uint32_t order = scenario_.environment.list_order;
    View view = order == 0 ? p.caches.view() : p.caches.shuffled_view(order + ++views_);
    view.elsewhere = elsewhere_;
    return view;
  }

  std::size_t replicas_seen(const Sync& sync) const {
    const StatefulSet* set = sync.seen.sets.find(sync.key.name);
    return set ? static_cast<std::size_t>(std::max(set->spec->replicas.value_or(1), 0)) : 0;
  }

  /// The door: what waits for this call happens first, then the call, with the fault that waits for it.
  Reply call(Request request) override {
    Process& p = *syncing_;
    auto& calls = p.serving->present_calls();
    if (calls.size() >= p.calls_at_most)
      throw std::runtime_error("the controller made " + std::to_string(calls.size()) + " calls in one sync");
    const Fault waiting = happen_before(p, calls.size() + 1);
    w_.cluster_.resolve(request);  // against what is stored by now
    Fault fault = plausible(waiting, request.verb);
    if (fault == Fault::none) fault = outage_.strikes(request);
    Call& made = calls.emplace_back();
    made.request = std::move(request);
    made.fault = fault;
    made.fresh = p.still_fresh;
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
  Fault happen_before(Process& p, std::size_t call) {
    if (p.waiting.empty()) return Fault::none;
    Fault fault = Fault::none;
    for (std::size_t i = 0; i < p.waiting.size();) {
      const Step step = p.waiting[i];
      if (step.at_call != call || concerns_caches(step.kind)) {
        ++i;
        continue;
      }
      p.waiting.erase(p.waiting.begin() + static_cast<std::ptrdiff_t>(i));
      witness_.on_step(w_, &step, {});
      if (step.kind == StepKind::fault) {
        fault = static_cast<Fault>(wrapped(step.a, fault_count));
      } else {
        p.still_fresh = false;
        act(step);
      }
    }
    return fault;
  }

  void run_left_over(Process& p) {
    if (p.waiting.empty()) return;
    const std::vector<Step> left = std::move(p.waiting);
    p.waiting.clear();
    for (const Step& step : left)
      if (step.kind != StepKind::fault) happen(with_call(step, 0));
  }

  // --- a race --------------------------------------------------------------------------------------------------------

  /// Nobody is fair: moves are made in the order of a random schedule (race.h), until nobody can make one.
  void race(const Step& step) {
    const std::uint32_t moves = Race::moves_of(step);
    Race schedule(static_cast<std::uint32_t>(step.a), moves);
    for (std::uint32_t move = 0; move < moves && !witness_.enough(); ++move) {
      const auto order = schedule.order();
      const auto mover = std::ranges::find_if(order, [&](std::uint8_t contender) { return makes_move(contender); });
      if (mover == order.end()) return;
      schedule.moved(move, static_cast<std::size_t>(mover - order.begin()));
    }
  }

  bool makes_move(std::size_t contender) {
    if (contender < Race::deliveries) return leader().caches.deliver(every_kind[contender], 1, leader().queue) > 0;
    if (contender == Race::controller) return take_and_sync(leader());
    const Marks before = w_.marks();
    const auto processes = w_.cluster_.kubelets().running().size();
    const bool moved = contender == Race::collector ? w_.cluster_.collect() > 0
                                                    : kubelet_moves(contender - Race::first_kubelet);
    tell_change(before, processes);
    return moved;
  }

  /// One stage of the first pod that can move, of those that count as this one.
  bool kubelet_moves(std::size_t pod) {
    const auto pods = w_.cluster_.pods().live().all();
    for (std::size_t i = pod; i < pods.size(); i += Race::kubelets)
      if (w_.cluster_.run_kubelet(pods[i]->meta.name)) return true;
    return false;
  }

  // --- settle and the epilogue ---------------------------------------------------------------------------------------

  struct Settled {
    bool rested = false;
    int rounds = 0, bound = 0;
  };

  /// Fair: kubelets, collector, deliveries and due keys in turn, until nothing moves or the bound is reached.
  Settled settle() {
    Settled result;
    int idle = 0, busy = 0;
    do {
      const int pods = pods_wanted_or_there();
      result.bound = std::max(result.bound, rounds_at_least + rounds_per_pod * pods);  // of those that are gone by now, too
      const Marks before = w_.marks();
      progress();
      if (knows_the_end_ && std::exchange(knows_the_end_, nullptr)()) return result;
      ++result.rounds;
      busy = exhausts_the_queue() ? 0 : busy + 1;
      if (busy >= busy_rounds_at_least + pods) break;
      if (before != w_.marks()) {
        idle = 0;
        continue;
      }
      const std::optional<Time> due = leader().queue.next_due();
      if (!due && !leader().queue.ready(w_.cluster_.now())) {
        result.rested = true;
        break;
      }
      const std::optional<Time> available = ++idle > own_waits_at_most && is_content() ? next_availability() : std::nullopt;
      if (available) {  // whoever looks again and again need not be watched all the time that a pod takes
        w_.cluster_.advance(*available - w_.cluster_.now());
        idle = 0;
        continue;
      }
      result.rested = idle > idle_rounds_at_most && is_content();
      if (idle > idle_rounds_at_most) break;
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
    if (healed_) w_.actor_.let_go();  // finalizers of the template are on every new pod
    tell_change(before, processes);
    leader().caches.deliver_all(leader().queue);
  }

  bool exhausts_the_queue() {
    int quiet = 0;
    for (int n = 0; n < syncs_per_round && quiet < quiet_turns_at_most; ++n) {
      if (!take_and_sync(leader())) return true;
      const bool has_news = leader().caches.deliver_all(leader().queue) > 0;
      quiet = has_news || !leader().serving->last().calls.empty() ? 0 : quiet + 1;
    }
    return false;
  }

  /// The last turn was content with what it saw: whoever wants to be asked again all the same may be, for ever.
  bool is_content() {
    const Sync& last = leader().own.last();
    return !last.died && !last.result.failed && last.calls.empty();
  }

  /// The moment, yet to come, at which the next pod of the set has been ready for minReadySeconds.
  std::optional<Time> next_availability() const {
    const StatefulSet* set = w_.cluster_.sets().find(w_.key_.name);
    if (set == nullptr) return std::nullopt;
    std::optional<Time> next;
    for (const Pod* pod : w_.cluster_.pods().live().all()) {
      if (!pod->ready || !pod->ready_changed || pod->meta.terminating()) continue;
      const Time at = *pod->ready_changed + Time::seconds(set->spec->min_ready_seconds);
      if (at > w_.cluster_.now()) next = std::min(next.value_or(at), at);
    }
    return next;
  }

  int pods_wanted_or_there() const {
    const StatefulSet* set = w_.cluster_.sets().find(w_.key_.name);
    const int wanted = set ? std::max(set->spec->replicas.value_or(1), 0) : 0;
    return wanted + static_cast<int>(w_.cluster_.pods().live().size());
  }

  void end() {
    run_release(Step{.kind = StepKind::run_release});  // the program itself
    leader().waiting.clear();
    outage_.end();
    skew_ = {};
    witness_.on_step(w_, nullptr, "faults stop, the environment heals");
    const Marks before = w_.marks();
    const auto processes = w_.cluster_.kubelets().running().size();
    w_.actor_.heal();
    healed_ = true;
    tell_change(before, processes);
    leader().queue.add(w_.key_);  // a resync: events of claims and revisions enqueue nothing
    witness_.on_step(w_, nullptr, "settle");
    const Settled settled = settle();
    if (witness_.enough() || settled.rounds == 0) return;
    witness_.on_settled(w_, settled.rested, settled.rounds, settled.bound);
    witness_.on_step(w_, nullptr, "two more syncs");
    resting_ = true;
    for (int n = 0; n < 2 && !witness_.enough(); ++n) {
      resync(leader());
      leader().caches.deliver_all(leader().queue);
    }
  }

  World& w_;
  const Scenario& scenario_;
  Program& program_;
  Witness& witness_;
  std::size_t leading_ = 0;
  Process* syncing_ = nullptr;
  Outage outage_;
  Time skew_{};               // of the controller's clock against the API server's
  std::uint32_t views_ = 0;   // shown so far, when lists are shuffled
  const View* elsewhere_ = nullptr;  // what caches hold of another namespace
  bool healed_ = false;   // the epilogue has begun
  bool resting_ = false;
  std::function<bool()> knows_the_end_;  // asked once, in the final settle (stepper.h)
  Controller* remembering_of_ = nullptr;
  Remembering* remembering_ = nullptr;
};

Stepper::Stepper(World& world, const Scenario& scenario, Program& program, Witness& witness)
    : world_(world), simulation_(std::make_unique<Simulation>(world, scenario, program, witness)) {}
Stepper::~Stepper() = default;

void Stepper::begin() { simulation_->begin(); }
void Stepper::take(const Step& step) { simulation_->take(step); }
void Stepper::end(std::function<bool()> knows) {
  simulation_->knows_the_end_ = std::move(knows);
  simulation_->end();
  simulation_->knows_the_end_ = nullptr;
}
Cluster& Stepper::cluster() { return simulation_->cluster(); }
Caches& Stepper::caches() { return simulation_->leader().caches; }
const WorkQueue& Stepper::queue() const { return simulation_->leader().queue; }
const Sync& Stepper::last_sync() const { return simulation_->leader().own.last(); }
Remembering* Stepper::memory() { return simulation_->memory(); }

void Stepper::mark(Mark& at) {
  cluster().mark(at.cluster);
  caches().mark(at.caches);
  at.own = memory()->remembered(world_.key());
}

void Stepper::rewind(const Mark& to) {
  cluster().rewind(to.cluster);
  caches().rewind(to.caches);
  memory()->remember(world_.key(), to.own);
  simulation_->leader().queue.clear();
  simulation_->leader().waiting.clear();
  simulation_->resting_ = false;
}

void simulate(World& world, const Scenario& scenario, Program& program, Witness& witness) {
  Simulation(world, scenario, program, witness).run();
}

void simulate(World& world, const Scenario& scenario, Controller& controller, Witness& witness) {
  OneProcess program(controller);
  simulate(world, scenario, program, witness);
}

}  // namespace ordeal::properties
