#include "properties/explore/walker.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ordeal::properties {

namespace {

/// In a story a cache catches up by so many events at once: more than there ever are.
constexpr std::int32_t all_of_them = 999;

Step step_of(StepKind kind, std::int32_t a = 0, std::int32_t b = 0, std::uint8_t at_call = 0) {
  return {.kind = kind, .at_call = at_call, .a = a, .b = b};
}
Step fault_of(Fault fault, std::uint8_t call) {
  return step_of(StepKind::fault, static_cast<std::int32_t>(fault), 0, call);
}

/// Calls of a turn, as the argument of a move. Throws std::length_error: a call that were cut to a byte would be
/// another call.
std::uint8_t argument_of_call(std::size_t call) {
  if (call > 0xFF)
    throw std::length_error("a move names one of the first 255 calls of a turn (found: a turn of " +
                            std::to_string(call) + " calls)");
  return static_cast<std::uint8_t>(call);
}

bool is_edit(MoveKind kind) { return kind <= MoveKind::set_max_unavailable; }
bool is_turn(MoveKind kind) { return kind >= MoveKind::turn && kind <= MoveKind::conflict; }

}  // namespace

Walker::Walker(const Scope& scope, Program& program, const TrialOptions& asked, Library& library, Ends& ends)
    : scope_(scope),
      ends_(ends),
      clerk_(judge_),
      repeater_(program),
      stepper_(world_, scope_.start, repeater_, clerk_),
      packer_(library, scope_) {
  judge_.begin(scope_.start, asked);
  stepper_.begin();
  if (stepper_.memory() == nullptr)
    throw std::invalid_argument(
        "it cannot be walked with, since it cannot be sent back to an earlier moment: only tables of rules can, and of "
        "these not those that write into their caches");
  rest_.edits = scope_.edits;
  rest_.mishaps = scope_.mishaps;
  rest_.history = judge_.history();
  const StatefulSet set = *world_.cluster().sets().live().all().front();
  here_ = packer_.pack_first(set, stepper_, world_.key(), rest_, first_);
}

Hash128 Walker::first(Words& words) {
  words = first_;
  return here_;
}

const StatefulSet* Walker::set() const { return world_.cluster().sets().find(world_.key().name); }

// --- to and fro --------------------------------------------------------------------------------------------------------

void Walker::go_to(std::span<const std::uint32_t> state) {
  rest_ = packer_.unpack(state, stepper_, world_.key());
  stepper_.mark(mark_);
  marks_ = world_.marks();
  rest_at_mark_ = rest_;
  go_back();
}

void Walker::go_back() {
  stepper_.rewind(mark_);
  rest_ = rest_at_mark_;
  judge_.resume(world_, rest_.history);
}

void Walker::survey(std::span<const std::uint32_t> state, const Hash128& hash, Surveyor& surveyor) {
  here_ = hash;
  go_to(state);
  try_end(surveyor);
  go_back();
  try_move({MoveKind::turn}, surveyor);
  go_back();
  moves_.clear();
  find_moves(moves_);
  for (const Move move : moves_) {
    try_move(move, surveyor);
    go_back();
  }
}

void Walker::try_move(Move move, Surveyor& surveyor) {
  repeater_.repeat(move.kind == MoveKind::die);
  make(move);
  repeater_.repeat(false);
  if (is_edit(move.kind) && world_.marks() == marks_) return;  // it is so already
  if (move.kind == MoveKind::turn) note_turn();
  const Hash128 hash =
      packer_.pack(world_.cluster(), stepper_.caches(), stepper_.memory()->remembered(world_.key()), rest_, words_);
  if (!judge_.breaches().empty()) report(std::span(&move, 1), surveyor);
  else if (hash != here_) surveyor.on_next(move, hash, words_);
  if (move.kind == MoveKind::turn) try_turn_again(move, surveyor);
}

/// It comes first: the deaths in it follow.
void Walker::note_turn() {
  calls_of_turn_ = stepper_.last_sync().calls.size();
  if (left(Mishap::crash)) repeater_.learn(stepper_.last_sync().calls);
}

/// What a turn may do depends on the one before only when both are shown the same; so that is asked at once.
void Walker::try_turn_again(Move move, Surveyor& surveyor) {
  if (!judge_.breaches().empty() || stepper_.last_sync().seen.reached != stepper_.caches().view().reached) return;
  make(move);
  const Move twice[] = {move, move};
  if (!judge_.breaches().empty()) report(twice, surveyor);
}

void Walker::report(std::span<const Move> moves, Surveyor& surveyor) {
  for (const Breach& breach : judge_.breaches()) surveyor.on_broken(moves, *breach.invariant);
}

/// After the environment's first turn most worlds are alike. What the end still depends on beside the state: how many
/// pods there were when it began, and when the queue wakes up.
Hash128 Walker::hash_of_end() {
  Rest rest;
  rest.history = judge_.history();
  Hasher hasher;
  hasher.add(
      packer_.pack(world_.cluster(), stepper_.caches(), stepper_.memory()->remembered(world_.key()), rest, words_));
  hasher.add(static_cast<std::uint64_t>(rest.history.pods_at_end));
  const std::optional<Time> due = stepper_.queue().next_due();
  hasher.add(due ? static_cast<std::uint64_t>((*due - world_.cluster().now()).ms) : ~0ull);
  return hasher.value();
}

TrialResult Walker::take_summary() {
  TrialResult summary = judge_.take_result();
  summary.syncs -= syncs_played_again_;
  return summary;
}

void Walker::try_end(Surveyor& surveyor) {
  Hash128 end;
  bool known = false;
  int syncs_before = 0;
  stepper_.end([&] {
    end = hash_of_end();
    syncs_before = judge_.history().syncs;
    known = judge_.breaches().empty() && ends_.end_well(end);
    return known;
  });
  if (!judge_.breaches().empty()) report({}, surveyor);
  else if (!known && !ends_.note(end))
    syncs_played_again_ += static_cast<std::uint64_t>(judge_.history().syncs - syncs_before);
}

// --- moves -------------------------------------------------------------------------------------------------------------

void Walker::make(Move move) {
  steps_.clear();
  steps_of(move, steps_);
  pay(move);
  for (const Step& step : steps_) stepper_.take(step);
  rest_.history = judge_.history();
  catch_up(move);
}

void Walker::pay(Move move) {
  switch (move.kind) {
    case MoveKind::scale:
    case MoveKind::edit_template:
    case MoveKind::set_partition:
    case MoveKind::set_max_unavailable: --rest_.edits; return;
    case MoveKind::restart:
    case MoveKind::die: return spend(Mishap::crash);
    case MoveKind::lose_reply: return spend(Mishap::timeout);
    case MoveKind::conflict: return spend(Mishap::conflict);
    case MoveKind::fail: return spend(Mishap::fail);
    case MoveKind::unready: return spend(Mishap::unready);
    case MoveKind::remove: return spend(Mishap::remove);
    case MoveKind::fall_behind: return spend(Mishap::stale);
    default: return;
  }
}

/// Caches that are not behind show everything. The one that is, is so until it has caught up or its process died.
void Walker::catch_up(Move move) {
  Caches& caches = stepper_.caches();
  if (move.kind == MoveKind::fall_behind) rest_.behind = every_kind[move.argument];
  if (move.kind == MoveKind::die || move.kind == MoveKind::restart) rest_.behind.reset();
  if (move.kind == MoveKind::receive && caches.behind(*rest_.behind) == 0) rest_.behind.reset();
  for (const Kind kind : every_kind)
    if (rest_.behind != kind) caches.follow(kind);
}

void Walker::steps_of(Move move, std::vector<Step>& steps) const {
  using enum StepKind;
  const std::uint8_t a = move.argument;
  switch (move.kind) {
    case MoveKind::scale: steps.push_back(step_of(StepKind::scale, a)); return;
    case MoveKind::edit_template: steps.push_back(step_of(StepKind::edit_template, a)); return;
    case MoveKind::set_partition: steps.push_back(step_of(StepKind::set_partition, scope_.partitions[a])); return;
    case MoveKind::set_max_unavailable:
      steps.push_back(step_of(StepKind::set_max_unavailable, scope_.max_unavailable[a]));
      return;
    case MoveKind::turn: break;
    case MoveKind::die: steps.push_back(fault_of(Fault::crash_after, a)); break;
    case MoveKind::lose_reply: steps.push_back(fault_of(Fault::timeout_after, a)); break;
    case MoveKind::conflict: steps.push_back(fault_of(Fault::conflict, a)); break;
    case MoveKind::kubelet: steps.push_back(kubelet_step(a)); return;
    case MoveKind::restart: steps.push_back(step_of(StepKind::restart)); return;
    case MoveKind::sweep: steps.push_back(step_of(recover_nodes)); return;
    case MoveKind::collect: steps.push_back(step_of(StepKind::collect)); return;
    case MoveKind::wait: steps.push_back(step_of(advance, seconds_to_wait())); return;
    case MoveKind::fail: steps.push_back(step_of(fail_pod, a)); return;
    case MoveKind::unready: steps.push_back(step_of(make_unready, a)); return;
    case MoveKind::remove: steps.push_back(step_of(delete_pod, a)); return;
    case MoveKind::fall_behind: return;
    case MoveKind::receive: steps.push_back(step_of(deliver, static_cast<std::int32_t>(*rest_.behind))); return;
  }
  steps.push_back(step_of(sync));
}

Step Walker::kubelet_step(std::uint8_t index) const {
  const Pod& pod = *world_.cluster().pods().live().all()[index];
  if (pod.meta.terminating()) return step_of(StepKind::stop_pod, index);
  return step_of(pod.phase == Phase::pending ? StepKind::start_pod : StepKind::make_ready, index);
}

std::int32_t Walker::seconds_to_wait() const {
  const std::int64_t needed = std::int64_t{scope_.start.set.spec->min_ready_seconds} + 1;
  std::int64_t least = 0;
  for (const Pod* pod : world_.cluster().pods().live().all()) {
    if (!pod->ready || !pod->ready_changed) continue;
    const std::int64_t left = needed - (world_.cluster().now() - *pod->ready_changed).whole_seconds();
    if (left > 0 && (least == 0 || left < least)) least = left;
  }
  return static_cast<std::int32_t>(least);
}

void Walker::find_moves(std::vector<Move>& moves) {
  find_edits(moves);
  const auto pods = world_.cluster().pods().live().all();
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const Pod& pod = *pods[i];
    const bool moves_on =
        pod.meta.terminating() || pod.phase == Phase::pending || (pod.phase == Phase::running && !pod.ready);
    if (moves_on) moves.push_back({MoveKind::kubelet, static_cast<std::uint8_t>(i)});
  }
  const auto running = world_.cluster().kubelets().running();
  if (std::ranges::any_of(running, &Instance::object_gone)) moves.push_back({MoveKind::sweep});
  const StatefulSet* live = set();
  if (live == nullptr || live->meta.terminating() || world_.cluster().claims().live().size() > 0)
    moves.push_back({MoveKind::collect});
  if (scope_.start.set.spec->min_ready_seconds > 0 && seconds_to_wait() > 0) moves.push_back({MoveKind::wait});
  if (rest_.behind && stepper_.caches().behind(*rest_.behind) > 0) moves.push_back({MoveKind::receive});
  find_mishaps(moves);
}

void Walker::find_edits(std::vector<Move>& moves) {
  const StatefulSet* live = set();
  if (rest_.edits == 0 || live == nullptr) return;
  const auto choose = [&](MoveKind kind, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) moves.push_back({kind, static_cast<std::uint8_t>(i)});
  };
  choose(MoveKind::scale, std::size_t{scope_.replicas} + 1);
  if (scope_.templates > 1) choose(MoveKind::edit_template, scope_.templates);
  choose(MoveKind::set_partition, scope_.partitions.size());
  choose(MoveKind::set_max_unavailable, scope_.max_unavailable.size());
}

void Walker::find_mishaps(std::vector<Move>& moves) {
  const auto at_calls = [&](Mishap mishap, MoveKind kind) {
    if (!left(mishap)) return;
    const std::uint8_t last = argument_of_call(calls_of_turn_);
    for (unsigned call = 1; call <= last; ++call) moves.push_back({kind, static_cast<std::uint8_t>(call)});
  };
  if (left(Mishap::crash)) moves.push_back({MoveKind::restart});
  at_calls(Mishap::crash, MoveKind::die);
  at_calls(Mishap::timeout, MoveKind::lose_reply);
  at_calls(Mishap::conflict, MoveKind::conflict);
  const auto pods = world_.cluster().pods().live().all();
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const auto at = static_cast<std::uint8_t>(i);
    if (left(Mishap::fail) && pods[i]->phase == Phase::running) moves.push_back({MoveKind::fail, at});
    if (left(Mishap::unready) && pods[i]->ready) moves.push_back({MoveKind::unready, at});
    if (left(Mishap::remove) && !pods[i]->meta.terminating()) moves.push_back({MoveKind::remove, at});
  }
  if (!left(Mishap::stale) || rest_.behind) return;
  for (const Kind kind : every_kind)
    if (kind != Kind::claim || !scope_.start.set.spec->claim_templates.empty())
      moves.push_back({MoveKind::fall_behind, static_cast<std::uint8_t>(kind)});
}

// --- the story of a path -----------------------------------------------------------------------------------------------

/// In a story caches are behind until something is delivered to them. So a turn begins with deliveries, and the cache
/// that falls behind is up to date when it begins to.
Scenario Walker::story(std::span<const Move> path) {
  Scenario scenario = scope_.start;
  scenario.steps.clear();
  const auto deliver = [&](Kind kind) {
    scenario.steps.push_back(step_of(StepKind::deliver, static_cast<std::int32_t>(kind), all_of_them));
  };
  Words state = first_;
  for (const Move move : path) {
    go_to(state);
    if (move.kind == MoveKind::fall_behind) deliver(every_kind[move.argument]);
    if (is_turn(move.kind) && !rest_.behind) scenario.steps.push_back(step_of(StepKind::deliver_all));
    if (is_turn(move.kind) && rest_.behind)
      for (const Kind kind : every_kind)
        if (rest_.behind != kind) deliver(kind);
    steps_of(move, scenario.steps);
    make(move);
    packer_.pack(world_.cluster(), stepper_.caches(), stepper_.memory()->remembered(world_.key()), rest_, state);
  }
  return scenario;
}

}  // namespace ordeal::properties
