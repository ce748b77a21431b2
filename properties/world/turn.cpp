// A turn of the controller: its view, its calls with what happens between them, and what the queue makes of its end.
#include "properties/evidence/turn.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "properties/evidence/before.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/scenario/wrapped.h"
#include "properties/world/simulation.h"

namespace ordeal::properties {

namespace {

// A controller that asks this often in one sync will not stop by itself.
constexpr std::size_t calls_at_least = 2'000, calls_per_object = 64;

bool concerns_caches(StepKind kind) {
  return kind == StepKind::deliver || kind == StepKind::deliver_all || kind == StepKind::relist;
}

/// Of those that wake their controller.
bool shows_own_writes(const Sync& sync, const Process& p) {
  return !is_behind(sync, p.written, Kind::set) && !is_behind(sync, p.written, Kind::pod);
}

void note_written(Process& p, std::span<const Call> calls, Time now) {
  for (const Call& call : calls) {
    if (!call.writes() || call.failed()) continue;
    Told::raise(p.written, call);
    const Pod* made = call.is(Verb::create, Kind::pod) ? call.reply.as<Pod>() : nullptr;
    if (made != nullptr) p.unshown.push_back({made->meta.uid, now});  // who died at the call was told nothing
  }
}

/// A list may come after what was made has gone again: then nobody waits longer than it remembers.
void note_shown(Process& p, const Listing<Pod>& pods, Time now) {
  std::erase_if(p.unshown, [&](const Process::Made& made) {
    const auto is_it = [&](const Pod& pod) { return pod.meta.uid == made.pod; };
    return now - made.at >= longest_memory ||
           std::ranges::any_of(pods.all, [&](const Pod* pod) { return is_it(*pod); }) ||
           std::ranges::any_of(pods.events, [&](const Change<Pod>& c) { return is_it(c.object()); });
  });
}

std::size_t replicas_seen(const Sync& sync) {
  const StatefulSet* set = sync.seen.sets.find(sync.key.name);
  return set ? not_negative(set->spec->replicas.value_or(1)) : 0;
}

}  // namespace

/// As a resync does: whether anything asked for it or not.
void Simulation::resync(Process& p) {
  for (int turn = 0; turn < quiet_turns_at_most; ++turn) {  // a neighbour may be wanted again at once, for ever
    const std::optional<Key> key = p.queue.take(w_.cluster_.now());
    if (!key) break;
    sync(p, *key, true);
    if (*key == w_.key_) return;
    if (p.beside.last().died) break;  // a neighbour would kill each new process, one after the other
  }
  sync(p, w_.key_, p.queue.take_ready(w_.key_));  // whatever the queue makes of it
}

bool Simulation::take_and_sync(Process& p) {
  const std::optional<Key> key = p.queue.take(w_.cluster_.now());
  if (!key) return false;
  sync(p, *key, true);
  return true;
}

void Simulation::sync(Process& p, const Key& key, bool queued) {
  if (w_.is_over_ != nullptr && (*w_.is_over_)()) throw std::runtime_error("the time was over before the trial was");
  Process* const interrupted = std::exchange(syncing_, &p);
  if (interrupted != nullptr) witness_.on_interrupted(w_, interrupted->serving->last());
  const Time begun = w_.cluster_.now();
  const std::optional<Time> due = p.queue.put_off(key);
  Sync& done = run_controller(p, key);
  syncing_ = interrupted;
  done.queued = queued;
  if (due) done.put_off = *due - begun;
  // Where the queue stands on this side, it is ours to say.
  if (!p.traits.keeps_queue && !done.result.alone) done.result.alone = interrupted != &p;
  if (!done.died) put_off(p, done);
  if (resting_ && !done.for_neighbour) witness_.on_rest(w_, done);
  else witness_.on_sync(w_, done);
  done.seen = View{.reached = done.seen.reached};  // what caches held is theirs to forget
  if (done.died) restart(p, 0, Kind::set);
  if (!done.for_neighbour) run_left_over(p);
}

/// The queue hears how the turn ended, and says when it makes the next one.
void Simulation::put_off(Process& p, Sync& done) {
  const Time now = done.ended = w_.cluster_.now();
  p.queue.hear(now);  // of what went on meanwhile
  const auto next_due = [&]() -> std::optional<Time> {
    const std::optional<Time> due = p.queue.next_due(done.key);
    return due ? std::optional(*due - now) : std::nullopt;
  };
  done.timer = next_due();
  p.queue.done(done.key, done.result, now);
  done.next = next_due();
}

/// Before which call of the turn the namesake is served; 0: before the turn itself. In a shuffled list there is one
/// order, that of the turn.
std::size_t Simulation::place_of_namesake(const Process& p) const {
  constexpr std::uint32_t places = 4;
  return p.traits.several_workers && scenario_.environment.list_order == 0 ? views_ % places : 0;
}

/// A worker that serves the set on trial serves others in between, and so do others while it waits for an answer. What
/// is asked for this one changes nothing here.
void Simulation::serve_namesake(Process& p) {
  if (elsewhere_ == nullptr || p.serving != &p.own || !p.traits.watches_every_namespace) return;
  View view = p.namesake_at == 0 ? p.caches.view() : p.shown;  // by name: an order of lists is one of the names here
  view.elsewhere = elsewhere_;
  if (p.namesake_at != 0)  // in the midst of a turn, which was told of all of them when it began
    for_each_type([&]<class T>(std::type_identity<T>) { view.of<T>().events = {}; });
  w_.namesakes_.begin();
  p.controller->sync(w_.namesakes_.key(), view, w_.namesakes_, w_.cluster_.now() + skew_);
}

Sync& Simulation::run_controller(Process& p, const Key& key) {
  Sync& now = begin_turn(p, key);
  try {
    if (p.namesake_at == 0) serve_namesake(p);
    now.result = p.controller->sync(key, p.shown, *this, now.now);
  } catch (const ControllerDied& end) {
    now.died = true;
    now.endless = endless_;
    now.result.what = end.what;
  }
  end_turn(p, now);
  return now;
}

/// What it is shown, and by whom it is made.
Sync& Simulation::begin_turn(Process& p, const Key& key) {
  p.serving = key == w_.key_ ? &p.own : &p.beside;
  Sync& now = p.serving->begin();
  p.list_seed = scenario_.environment.list_order + ++views_;
  p.shown = caches_move(p) ? p.caches.kept(view_of(p)) : view_of(p);
  now = Sync{.key = key, .seen = p.shown, .now = w_.cluster_.now() + skew_, .gates = p.gates};
  now.for_neighbour = p.serving == &p.beside;
  now.skewed = skew_ != Time{};
  now.process = number_of(p);
  now.started = p.started;
  if (!now.for_neighbour) now.after_restart = !std::exchange(p.has_turned, true);
  now.says_what_it_waits_for = p.traits.starts_without.has_value();
  now.unlisted = p.caches.unlisted();
  now.by_other = p.by_other;
  now.null_times = p.traits.null_times;
  now.waits_for_writes = p.traits.waits_for_writes;
  now.rest_by_events = p.traits.rest_by_events;
  now.fresh = p.still_fresh = p.caches.fresh();
  if (!now.for_neighbour) note_shown(p, now.seen.pods, w_.cluster_.now());
  p.calls_at_most = calls_at_least + calls_per_object * (now.seen.pods.all.size() + replicas_seen(now));
  p.namesake_at = place_of_namesake(p);
  return now;
}

/// What it came to.
void Simulation::end_turn(Process& p, Sync& now) {
  now.calls = p.serving->present_calls();
  now.taken = p.serving->present_taken();
  const bool only_looked = std::ranges::all_of(
      now.calls, [&](const Call& call) { return !went_wrong(now, call) && (!call.writes() || call.writes_status()); });
  now.read_news = now.has_read_news();
  const bool misses_some = !now.fresh || !p.unshown.empty();
  const bool will_see_more = now.read_news || !shows_own_writes(now, p) || (misses_some && now.result.requeue_after);
  now.waits = only_looked && (now.result.failed || will_see_more);
  if (!now.for_neighbour) note_written(p, now.calls, w_.cluster_.now());
  now.clean = ran_cleanly(now);
}

View Simulation::view_of(Process& p) const {
  View view = scenario_.environment.list_order == 0 ? p.caches.view() : p.caches.shuffled_view(p.list_seed);
  view.elsewhere = elsewhere_;
  return view;
}

/// In the course of its next turn.
bool Simulation::caches_move(const Process& p) const {
  return std::ranges::any_of(p.waiting, [](const Step& step) { return concerns_caches(step.kind); });
}

/// A turn that makes call after call is judged by what it made, and is the last of the trial. Of whoever is not on
/// trial there is no verdict.
void Simulation::break_off(const Process& p) {
  if (p.by_other || p.serving == &p.beside)
    throw std::runtime_error("the controller made " + std::to_string(p.calls_at_most) + " calls in one sync");
  endless_ = true;
  throw ControllerDied{};
}

/// The door: what waits for this call happens first, then the call, with the fault that waits for it.
Reply Simulation::call(Request request) {
  Process& p = *syncing_;
  auto& calls = p.serving->present_calls();
  if (calls.size() >= p.calls_at_most) break_off(p);
  if (calls.size() + 1 == p.namesake_at && request.of_list != OfList::further) serve_namesake(p);
  const bool is_waited_for =
      p.serving == &p.own && request.of_list != OfList::further;  // by steps: nobody aims at a neighbour's turn
  const Fault waiting = is_waited_for ? happen_before(p, calls.size() + 1) : Fault::none;
  w_.cluster_.resolve(request);  // against what is stored by now
  Fault fault = plausible(waiting, request.verb);
  if (fault == Fault::none && request.of_list != OfList::further) fault = outage_.strikes(request);
  Call& made = calls.emplace_back();
  made.request = std::move(request);
  made.fault = fault;
  made.fresh = p.still_fresh;
  note_before(made);
  made.lets_go = lets_go(w_.cluster_, p.shown, made.request);
  if (fault == Fault::none || fault == Fault::timeout_after || fault == Fault::crash_after) commit(made);
  if (fault == Fault::crash_before || fault == Fault::crash_after) throw ControllerDied{};
  if (fault != Fault::none) made.reply = Reply{code_of(fault), {}};
  if (!p.serving->present_taken().empty()) p.shown = view_of(p);
  return made.reply;
}

void Simulation::commit(Call& made) {
  made.reply = w_.cluster_.handle(made.request);
  made.committed = made.reply.ok();
}

void Simulation::note_before(Call& made) const {
  const Text& name = made.request.name;
  switch (made.request.kind) {
    case Kind::set: made.set_before = w_.cluster_.sets().find(name); break;
    case Kind::pod: made.pod_before = w_.cluster_.pods().find(name); break;
    case Kind::claim: made.claim_before = w_.cluster_.claims().find(name); break;
    case Kind::revision: made.revision_before = w_.cluster_.revisions().find(name); break;
  }
}

/// Lets the environment's steps for this call happen; returns the fault for it.
Fault Simulation::happen_before(Process& p, std::size_t call) {
  if (p.waiting.empty()) return Fault::none;
  Fault fault = Fault::none;
  for (std::size_t i = 0; i < p.waiting.size();) {
    const TakenStep step = p.waiting[i];
    if (step.at_call != call) {
      ++i;
      continue;
    }
    p.waiting.erase(p.waiting.begin() + static_cast<std::ptrdiff_t>(i));
    witness_.on_step(w_, &step, {});
    if (step.kind == StepKind::fault) {
      fault = static_cast<Fault>(wrapped(step.a, fault_count));
    } else if (concerns_caches(step.kind)) {
      take_in_turn(p, step);
    } else {
      p.still_fresh = false;
      act(step);
    }
  }
  return fault;
}

/// What caches take during a turn is news to the queue. The turn itself goes on with what it was shown, unless its
/// controller looks into them anew: then it finds it once the call that is about to be made has been answered.
void Simulation::take_in_turn(Process& p, const Step& step) {
  const Caches::Positions before = p.caches.positions();
  let_through(p, step);
  if (!p.traits.live_caches) return;
  const Caches::Positions after = p.caches.positions();
  const std::size_t made = p.serving->present_calls().size();
  for_each_type([&]<class T>(std::type_identity<T>) {
    const auto at = static_cast<std::size_t>(kind_v<T>);
    const auto changes = w_.cluster_.store<T>().log().subspan(before[at], after[at] - before[at]);
    for (auto change = changes.begin(); change != changes.end(); ++change) {
      const Text& name = change->object().meta.name;
      const auto is_of_it = [&](const Change<T>& later) { return later.object().meta.name == name; };
      const bool is_found = std::none_of(change + 1, changes.end(), is_of_it);  // what came in between is not
      if (is_found) p.serving->present_taken().push_back({made, {name, change->after}});
    }
  });
}

void Simulation::run_left_over(Process& p) {
  if (p.waiting.empty()) return;
  const std::vector<TakenStep> left = std::move(p.waiting);
  p.waiting.clear();
  for (const TakenStep& step : left)
    if (step.kind != StepKind::fault) happen(with_call(step, 0));
}

}  // namespace ordeal::properties
