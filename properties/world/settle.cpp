// Fairness: kubelets, collector, deliveries and due keys in turn, as long as anything moves; and the epilogue.
#include <algorithm>
#include <utility>

#include "properties/world/simulation.h"

namespace ordeal::properties {

namespace {

// Rounds of a settle in which nothing but the clock moves: long enough for a delayed requeue to be followed by another.
constexpr int idle_rounds_at_most = 8;
// After so many of them a controller is not waiting for a timer of its own. Only time can still make a pod available,
// so the clock goes to that moment.
constexpr int own_waits_at_most = 2;
// Syncs in one round of a settle: own writes come back as events, so a few follow each other.
constexpr int syncs_per_round = 64;
// Rounds in a row, and one more per pod, in which that many syncs were not enough: nothing that gets anywhere needs
// them all.
constexpr int busy_rounds_at_least = 4;
// Kubelets are quick: a pod is scheduled, started and ready within a round. Slower ones are steps of scenarios.
constexpr int stages_at_most = 4;
constexpr int rounds_at_least = 60, rounds_per_pod = 16;
// Pods made in one settle of a scenario: for scaling, rollouts and repairs each place's a few times over. More are made
// only of a template that crashes each time, round after round, and what follows is more of the same.
constexpr int pods_made_at_least = 8, pods_made_per_place = 3;
// How late a timer fires where the clock shows it.
constexpr Time lateness = Time{3};

/// How many pods were made between two positions in the log.
int pods_made(std::span<const Change<Pod>> log, std::size_t from) {
  return static_cast<int>(
      std::ranges::count_if(log.subspan(from), [](const Change<Pod>& c) { return c.before == nullptr; }));
}

}  // namespace

/// What a settle has had patience with so far.
struct Simulation::Patience {
  int idle = 0;  // rounds in a row in which nothing but the clock moved
  int busy = 0;  // rounds in a row that left something in the queue
  int made = 0;  // pods
  bool waited_long = false;
};

/// Fair: kubelets, collector, deliveries and due keys in turn, until nothing moves or the bound is reached.
Simulation::Settled Simulation::settle(bool looks_again) {
  Settled result;
  Patience patience;
  do {
    const int pods = pods_wanted_or_there();
    result.bound =
        std::max(result.bound, rounds_at_least + rounds_per_pod * pods);  // of those that are gone by now, too
    const Marks before = w_.marks();
    progress();
    if (knows_the_end_ && std::exchange(knows_the_end_, nullptr)()) return result;
    ++result.rounds;
    if (std::exchange(looks_again, false)) {
      resync(leader());
      leader().caches.deliver_all(leader().queue);
    }
    patience.busy = exhausts_the_queue() ? 0 : patience.busy + 1;
    if (patience.busy >= busy_rounds_at_least + pods) break;
    patience.made += pods_made(w_.cluster_.pods().log(), before.pods);
    if (!healed_ && patience.made > pods_made_at_least + pods_made_per_place * pods) break;
    if (before != w_.marks()) {
      patience.idle = 0;
    } else if (const std::optional<bool> rested = wait(patience)) {
      result.rested = *rested;
      break;
    }
  } while (result.rounds < result.bound && !is_over());
  return result;
}

/// Nothing moved: the clock goes to the next moment that anybody waits for. When nobody does, or it was waited long
/// enough: whether the controller rests.
std::optional<bool> Simulation::wait(Patience& patience) {
  const Time now = w_.cluster_.now();
  const std::optional<Time> due = leader().queue.next_due();
  if (!due && !leader().queue.ready(now)) return true;
  const std::optional<Time> available =
      ++patience.idle > own_waits_at_most && is_content() ? next_availability() : std::nullopt;
  if (available) {  // whoever looks again and again need not be watched all the time that a pod takes
    wait_until(*available);
    patience.idle = 0;
  } else if (patience.idle > idle_rounds_at_most) {
    if (!healed_ || patience.waited_long) return is_content();
    w_.cluster_.advance(longest_memory);  // what it remembers for a while may expire
    patience.waited_long = true;
    patience.idle = 0;
  } else if (due && *due > now) {
    wait_until(*due);
  }
  return std::nullopt;
}

/// No timer fires at the very moment, at which a pod that becomes available then may be taken for one or the other.
void Simulation::wait_until(Time moment) {
  const bool is_seen = scenario_.environment.between_seconds;
  w_.cluster_.advance(moment - w_.cluster_.now() + (is_seen ? lateness : Time{}));
}

void Simulation::progress() {
  const Standing before = standing();
  for (int stage = 0; stage < stages_at_most && w_.cluster_.run_kubelets() > 0; ++stage) {
  }
  w_.cluster_.collect();
  if (healed_) w_.actor_.keep_healing();
  tell_change(before);
  leader().caches.deliver_all(leader().queue);
}

bool Simulation::exhausts_the_queue() {
  int quiet = 0;
  for (int n = 0; n < syncs_per_round && quiet < quiet_turns_at_most && !is_over(); ++n) {
    if (!take_and_sync(leader())) return true;
    const bool has_news = leader().caches.deliver_all(leader().queue) > 0;
    quiet = has_news || !leader().serving->last().calls.empty() ? 0 : quiet + 1;
  }
  return false;
}

/// The last turn was content with what it saw, and read: whoever wants to be asked again all the same may be, for ever.
bool Simulation::is_content() {
  const Sync& last = leader().own.last();
  return !last.died && !last.result.failed &&
         std::ranges::none_of(last.calls, [](const Call& call) { return call.writes() || call.failed(); });
}

/// The moment, yet to come, at which the next pod of the set has been ready for minReadySeconds.
std::optional<Time> Simulation::next_availability() const {
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

int Simulation::pods_wanted_or_there() const {
  const StatefulSet* set = w_.cluster_.sets().find(w_.key_.name);
  const int wanted = set ? std::max(set->spec->replicas.value_or(1), 0) : 0;
  return wanted + static_cast<int>(w_.cluster_.pods().live().size());
}

void Simulation::end() {
  run_release(Step{.kind = StepKind::run_release});  // the program itself
  run_left_over(leader());
  outage_.end();
  skew_clock({});
  witness_.on_step(w_, nullptr, "faults stop, the environment heals");
  const Standing before = standing();
  w_.actor_.heal();
  healed_ = true;
  tell_change(before);
  witness_.on_step(w_, nullptr, "settle");
  const Settled settled = settle(true);  // events of claims and revisions enqueue nothing
  if (is_over() || settled.rounds == 0) return;
  witness_.on_settled(w_, settled.rested, settled.rounds, settled.bound);
  witness_.on_step(w_, nullptr, "two more syncs");
  resting_ = true;
  for (int n = 0; n < 2 && !is_over(); ++n) {
    resync(leader());
    leader().caches.deliver_all(leader().queue);
  }
}

void Simulation::rewound() {
  leader().queue.clear();
  leader().waiting.clear();
  leader().has_turned = true;  // whether it had is not known here
  leader().forget_writes();
  resting_ = false;
}

}  // namespace ordeal::properties
