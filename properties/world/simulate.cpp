#include "properties/world/simulate.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "properties/scenario/gate_names.h"
#include "properties/scenario/wrapped.h"
#include "properties/world/race.h"
#include "properties/world/simulation.h"

namespace ordeal::properties {

namespace {

Kind kind_of(std::int32_t number) { return every_kind[wrapped(number, kind_count)]; }

/// So that the next full second is neither very near nor one away.
constexpr Time between_two_seconds = Time{600};

std::string why_refused(const Scenario& scenario) {
  StatefulSet set = scenario.set;
  apply_defaults(set, scenario.environment.api);
  const FieldErrors errors = validate_create(set, scenario.environment.api);
  return "the API server refuses the first set: " +
         (errors.empty() ? "metadata.namespace is none that is served" : errors.front().text());
}

}  // namespace

void Simulation::run() {
  begin();
  for (const Step& step : scenario_.steps) {
    if (is_over()) return;
    take(step);
  }
  if (!is_over()) end();
}

void Simulation::begin() {
  const std::int32_t replicas = scenario_.set.spec->replicas.value_or(1);
  if (replicas > max_replicas)
    throw std::invalid_argument("spec.replicas: a simulated set has at most " + std::to_string(max_replicas) +
                                " (found: " + std::to_string(replicas) + ")");
  w_.scenario_ = &scenario_;
  w_.key_ = Key{scenario_.set.meta.ns, scenario_.set.meta.name};
  const Environment& environment = scenario_.environment;
  w_.cluster_.reset(environment.api, {environment.injects, environment.binds_late, environment.versions_from,
                                      environment.between_seconds ? between_two_seconds : Time{}});
  for (Process& p : w_.processes_) p.clear();
  load(leader(), environment.gates);
  const bool can_tell = environment.namesakes && leader().traits.watches_every_namespace;
  elsewhere_ = can_tell ? &w_.namesakes_.of(scenario_) : nullptr;
  if (w_.actor_.begin(scenario_, leader().traits.null_times) != Code::ok)
    throw std::invalid_argument(why_refused(scenario_));
  witness_.on_change(w_);
}

void Simulation::take(const Step& step) {
  const TakenStep taken{step, ++taken_};
  if (step.at_call > 0 && info(step.kind).between_calls) leader().waiting.push_back(taken);
  else if (step.kind == StepKind::fault) leader().waiting.push_back(with_call(taken, 1));
  else happen(taken);
}

// --- steps ---------------------------------------------------------------------------------------------------------

void Simulation::happen(const TakenStep& step) {
  witness_.on_step(w_, &step, {});
  const Standing before = standing();
  switch (step.kind) {
    case StepKind::sync: return resync(leader());
    case StepKind::settle: settle(); return;
    case StepKind::race: return race(step);
    case StepKind::restart: return restart(leader(), not_negative(step.a), kind_of(step.b));
    case StepKind::turn_gate: return turn_gate(step);
    case StepKind::run_release: return run_release(step);
    case StepKind::hand_over: return hand_over(step);
    case StepKind::deliver:
    case StepKind::deliver_all:
    case StepKind::relist: return let_through(leader(), step);
    case StepKind::fault: return;  // waits for a call; one that comes too late lapses
    default: act(step);
  }
  tell_change(before);
}

/// What the caches of a process take, and its queue hears of.
void Simulation::let_through(Process& p, const Step& step) {
  if (step.kind == StepKind::deliver_all) p.caches.deliver_all(p.queue);
  else if (step.kind == StepKind::relist) p.caches.relist(kind_of(step.a), p.queue);
  else p.caches.deliver(kind_of(step.a), not_negative(step.b) + 1, p.queue);
}

/// What may happen between two calls as well as between two syncs.
void Simulation::act(const Step& step) {
  switch (step.kind) {
    case StepKind::outage:
      return outage_.begin(static_cast<OutageOf>(wrapped(step.a, outage_of_count)),
                           static_cast<OutageReply>(wrapped(step.b, outage_reply_count)));
    case StepKind::end_outage: return outage_.end();
    case StepKind::skew_clock: return skew_clock(Time::seconds(step.a));
    case StepKind::rival_sync: return rival_sync(step);
    default: w_.actor_.act(step);
  }
}

/// Of whoever is on trial, against the API server's.
void Simulation::skew_clock(Time ahead) {
  skew_ = ahead;
  for (Process* p : {&leader(), &rival()}) p->queue.skew(ahead);
}

void Simulation::tell_change(const Standing& before) {
  if (before != standing()) witness_.on_change(w_);
}

/// Nobody is fair: moves are made in the order of a random schedule (race.h), until nobody can make one.
void Simulation::race(const Step& step) {
  const std::uint32_t moves = Race::moves_of(step);
  Race schedule(static_cast<std::uint32_t>(step.a), moves);
  for (std::uint32_t move = 0; move < moves && !is_over(); ++move)
    if (!schedule.make(
            move, [&](std::uint8_t contender) { return can_move(contender); },
            [&](std::uint8_t contender) { return makes_move(contender); }))
      return;
}

/// Of kubelets and the collector it is tried, and taken back: they have no other way to tell.
bool Simulation::can_move(std::size_t contender) {
  if (contender < Race::deliveries) return leader().caches.behind(every_kind[contender]) > 0;
  if (contender == Race::controller) return leader().queue.ready(w_.cluster_.now());
  Cluster::Mark before;
  w_.cluster_.mark(before);
  const bool moved = moves_world(contender);
  w_.cluster_.rewind(before);
  return moved;
}

bool Simulation::makes_move(std::size_t contender) {
  if (contender < Race::deliveries) return leader().caches.deliver(every_kind[contender], 1, leader().queue) > 0;
  if (contender == Race::controller) return take_and_sync(leader());
  const Standing before = standing();
  const bool moved = moves_world(contender);
  tell_change(before);
  return moved;
}

bool Simulation::moves_world(std::size_t contender) {
  return contender == Race::collector ? w_.cluster_.collect() > 0 : kubelet_moves(contender - Race::first_kubelet);
}

/// One stage of the first pod that can move, of those that count as this one.
bool Simulation::kubelet_moves(std::size_t pod) {
  const auto pods = w_.cluster_.pods().live().all();
  for (std::size_t i = pod; i < pods.size(); i += Race::kubelets)
    if (w_.cluster_.run_kubelet(pods[i]->meta.name)) return true;
  return false;
}

// --- processes -----------------------------------------------------------------------------------------------------

/// The program under these gates in a process that remembers nothing. False when there can be no such process.
bool Simulation::load(Process& p, const Gates& wanted) {
  Controller* controller = program_.process(number_of(p), wanted);
  if (controller == nullptr) return false;
  controller->restart();
  p.forget_writes();
  ++p.started;
  give(p, *controller);
  p.gates = controller->acting(wanted);
  p.by_other = false;
  return true;
}

void Simulation::give(Process& p, Controller& controller) {
  p.controller = &controller;
  p.traits = controller.traits();
  p.queue.serve(p.traits, controller.handlers());
  p.queue.skew(skew_);
}

/// A new process: nothing remembered, a new queue, and caches listed from `back` events ago, one kind fresh; those that
/// it does not wait for have not been listed at all yet.
void Simulation::restart(Process& p, std::size_t back, Kind fresh) {
  p.controller->restart();
  p.forget_writes();
  ++p.started;
  p.has_turned = false;
  p.queue.clear();
  for (const Kind kind : every_kind) {
    if (p.traits.starts_without && (*p.traits.starts_without)[static_cast<std::size_t>(kind)])
      p.caches.await_list(kind, p.queue);
    else p.caches.restart(kind, kind == fresh ? 0 : back, p.queue);
  }
}

/// The gates of a program are its arguments: turning one restarts it, if it can be started with them. While a release
/// stands in for it they are what it will be started with.
void Simulation::turn_gate(const Step& step) {
  Gates turned = leader().gates;
  const auto names = info(step.kind).a.words;
  turned.*row_of(names[wrapped(step.a, names.size())]).controller = step.b != 0;
  if (!leader().by_other) {
    if (load(leader(), turned)) restart(leader(), 0, Kind::set);
  } else if (program_.process(number_of(leader()), turned) != nullptr) {
    leader().gates = turned;
  }
}

/// An upgrade or a downgrade: a release stands in for the program, or the program takes over from one.
void Simulation::run_release(const Step& step) {
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

bool Simulation::rival_is_there(const Step& step) {
  Process& p = rival();
  if (p.controller != nullptr) return true;
  if (!load(p, leader().gates)) return false;
  restart(p, not_negative(step.a), Kind::set);
  return true;
}

/// The other process leads now, with whatever its caches hold; the one that led keeps its own, should it come back.
void Simulation::hand_over(const Step& step) {
  if (!rival_is_there(step)) return;
  std::swap(leader().waiting, rival().waiting);
  leading_ = 1 - leading_;
}

/// For once both believe that they lead: the other one syncs, its caches so many events of each kind behind.
void Simulation::rival_sync(const Step& step) {
  if (!rival_is_there(step)) return;
  Process& p = rival();
  for (const Kind kind : every_kind) {
    const std::size_t behind = p.caches.behind(kind), wanted = not_negative(step.a);
    if (behind > wanted) p.caches.deliver(kind, behind - wanted, p.queue);
  }
  resync(p);
}

void simulate(World& world, const Scenario& scenario, Program& program, Witness& witness) {
  Simulation(world, scenario, program, witness).run();
}

void simulate(World& world, const Scenario& scenario, Controller& controller, Witness& witness) {
  OneProcess program(controller);
  simulate(world, scenario, program, witness);
}

}  // namespace ordeal::properties
