#include "properties/trial/judge.h"

#include <algorithm>

#include "properties/evidence/lookup.h"
#include "properties/evidence/turn.h"
#include "properties/evidence/waits.h"
#include "properties/world/neighbour.h"

namespace ordeal::properties {

namespace {

/// What the environment does to a set that it does not do in a calm rollout.
bool disturbs(StepKind kind) {
  switch (kind) {
    case StepKind::edit_template:
    case StepKind::roll_back:
    case StepKind::restart_rollout:
    case StepKind::add_condition:
    case StepKind::edit_metadata:
    case StepKind::apply_neighbour:
    case StepKind::delete_neighbour:
    case StepKind::start_pod:
    case StepKind::make_ready:
    case StepKind::stop_pod:
    case StepKind::recover_nodes:
    case StepKind::run_kubelets:
    case StepKind::deliver:
    case StepKind::deliver_all:
    case StepKind::relist:
    case StepKind::collect:
    case StepKind::sync:
    case StepKind::advance:
    case StepKind::settle: return false;
    default: return true;
  }
}

/// A user or another controller touches pods, claims or revisions of the set. A neighbour with its selector adopts
/// revisions that it leaves behind.
bool interferes(const Step& step) {
  if (step.kind == StepKind::apply_neighbour || step.kind == StepKind::delete_neighbour)
    return is_alike(neighbour_in(step));
  return touches_objects(step.kind);
}

/// Somebody but the controller makes a revision, deletes one or changes whose it is.
bool touches_revisions(const Step& step) {
  switch (step.kind) {
    case StepKind::delete_revision:
    case StepKind::orphan_revision:
    case StepKind::add_revision: return true;
    default: return step.kind == StepKind::apply_neighbour && interferes(step);
  }
}

/// Somebody but the controller makes a claim, deletes one or changes what is said of it.
bool touches_claims(const Step& step) {
  switch (step.kind) {
    case StepKind::delete_claim:
    case StepKind::drop_claim_owners:
    case StepKind::own_claim:
    case StepKind::add_claim_owner:
    case StepKind::add_claim:
    case StepKind::add_pod:  // some bring claims of their own
    case StepKind::edit_claim: return true;
    default: return step.kind == StepKind::apply_neighbour && interferes(step);
  }
}

/// What becomes of a neighbour's things is no promise about this set.
template <class T>
bool is_anothers(const Key& key, const Change<T>& change) {
  const ObjectMeta& meta = change.object().meta;
  if constexpr (std::is_same_v<T, StatefulSet>) return meta.name != key.name;
  const OwnerReference* owner = meta.controller();
  return owner != nullptr && refers_to_set(*owner) && owner->name != key.name;
}

/// It asks for a pod or a claim, or for a pod's end, of a set that by all it knows is going or gone.
bool acts_for_nobody(const Moment& m) {
  const bool is_gone = m.facts->set == nullptr || m.facts->deleting;
  return is_gone && m.call != nullptr &&
         (m.call->is(Verb::create, Kind::pod) || m.call->is(Verb::create, Kind::claim) ||
          m.call->is(Verb::remove, Kind::pod));
}

}  // namespace

void Judge::begin(const Scenario& scenario, const TrialOptions& options) {
  listeners_.choose(options);
  options_ = options;
  scenario_ = &scenario;
  environment_ = scenario.environment;
  null_times_ = false;
  result_ = TrialResult{};
  broken_.fill(false);
  applied_.fill(false);
  history_ = History{};
  memories_.begin();
  digest_ = Digest{};
  judged_ = Marks{};
  steps_ = 0;
  healing_ = has_neighbours_ = false;
  happening_.reset();
  facts_.only_canonical = informed_facts_.only_canonical = options.level == Level::strict;
  result_.situations.set(situation_of(scenario.set.spec->pod_management, scenario.set.spec->strategy));
}

void Judge::resume(const World& world, const History& history) {
  history_ = history;
  memories_.begin_anywhere();
  if (!result_.breaches.empty()) {
    result_.breaches.clear();
    broken_.fill(false);
  }
  judged_ = world.marks();
  steps_ = 0;
  healing_ = false;
  happening_.reset();
}

TrialResult Judge::take_result() {
  result_.digest = digest_.value();
  for (std::size_t place = 0; place < applied_.size(); ++place)
    if (applied_[place]) result_.situations.set(situation_of_invariant(place));
  return std::move(result_);
}

void Judge::ask(On trigger, const Moment& moment) {
  for (const auto& listener : listeners_.at(trigger))
    if ((listener.given & ~moment.given) == 0 && !broken_[listener.place]) ask(listener, moment);
}

void Judge::ask(const Listeners::Listener& listener, const Moment& moment) {
  const Judgement judgement = listener.check(moment);
  if (judgement.applied()) applied_[listener.place] = true;
  if (judgement.violation() == nullptr || is_kept_by_what_was_told(listener, moment)) return;
  broken_[listener.place] = true;
  record(catalogue[listener.place], *judgement.violation(), moment);
}

/// Nobody is blamed for acting upon what it was told, in this turn or before, whatever its caches had shown. That its
/// set goes is no such excuse for making pods or deleting them: there is nothing left to do so for.
bool Judge::is_kept_by_what_was_told(const Listeners::Listener& listener, const Moment& moment) {
  const Invariant& invariant = catalogue[listener.place];
  const bool by_view = invariant.judges == Judges::view && !invariant.by_answers;
  if (!by_view || moment.facts == nullptr || moment.sync == nullptr) return false;
  const Sync& sync = *moment.sync;
  bool remembers = false;
  const auto keeps = [&](const Sync& known) {
    informed_facts_.work_out(known, known.gates);
    Moment m = moment;
    m.sync = &known;
    m.facts = &informed_facts_;
    m.given = given_in(m);
    m.as_told = true;
    m.as_remembered = remembers;
    if (acts_for_nobody(m)) return false;
    return (invariant.given & ~m.given) != 0 || listener.check(m).violation() == nullptr;
  };
  if (informed_.ever(sync, moment.call, keeps)) return true;
  if (sync.fresh) return false;
  remembers = true;
  const auto keeps_with_memories = [&](std::optional<Kind> only) {
    const Sync* remembering = remembering_.remembering(sync, moment.truth, memories_.of(sync).learnt, only);
    return remembering != nullptr && (keeps(*remembering) || informed_.ever(*remembering, moment.call, keeps));
  };
  return keeps_with_memories({}) || std::ranges::any_of(every_kind, keeps_with_memories);
}

void Judge::record(const Invariant& invariant, const Violation& violation, const Moment& moment) {
  result_.verdict = Verdict::violated;
  result_.breaches.push_back({&invariant, violation, steps_, static_cast<int>(result_.syncs),
                              moment.call != nullptr ? moment.call->request.line : Text()});
}

Moment Judge::moment(const World& world) const {
  return Moment{.truth = world.cluster(), .environment = environment_, .history = history_};
}

Moment Judge::moment(const World& world, const Sync& sync) {
  environment_.gates = sync.gates;
  null_times_ = sync.null_times;
  const Sync* last = memories_.last_sync_of(sync.process);
  history_.last_sync = last != nullptr && last->gates == sync.gates ? last : nullptr;
  history_.told = memories_.of(sync).told;
  facts_.work_out(sync, sync.gates);
  Moment m = moment(world);
  m.sync = &sync;
  m.facts = &facts_;
  m.given = given_in(m);
  return m;
}

// --- what happened -----------------------------------------------------------------------------------------------------

void Judge::on_step(const World& world, const TakenStep* step, std::string_view) {
  happening_.reset();
  if (step == nullptr) {
    if (!ended()) history_.pods_at_end = static_cast<int>(world.cluster().pods().live().size());
    const int after_all = static_cast<int>(scenario_->steps.size()) + 1;
    healing_ = steps_ != after_all;  // the first thing of the epilogue
    steps_ = after_all;
    return;
  }
  steps_ = std::max(steps_, static_cast<int>(std::min(step->number, scenario_->steps.size())));
  result_.situations.set(situation_of(step->kind));
  note_disturbance(*step);
  // What a step between two calls comes to is seen only when the turn has ended.
  if (step->at_call > 0) note_interference(*step);
  else happening_ = *step;
}

void Judge::on_change(const World& world) {
  if (happening_) note_interference(*std::exchange(happening_, {}));
  if (healing_) history_.calm = false;  // users mend things as they please
  ask_about_changes(world);
}

void Judge::ask_about_changes(const World& world) {
  const Marks now = world.marks();
  Moment m = moment(world);
  const auto ask_each = [&](auto log, std::size_t from, auto member, On trigger) {
    if (listeners_.at(trigger).empty()) return;
    for (std::size_t i = from; i < log.size(); ++i) {
      if (has_neighbours_ && is_anothers(world.key(), log[i])) continue;
      m.*member = &log[i];
      ask(trigger, m);
    }
    m.*member = nullptr;
  };
  ask_each(world.cluster().sets().log(), judged_.sets, &Moment::set_change, on_change_set);
  ask_each(world.cluster().pods().log(), judged_.pods, &Moment::pod_change, on_change_pod);
  ask_each(world.cluster().claims().log(), judged_.claims, &Moment::claim_change, on_change_claim);
  ask_each(world.cluster().revisions().log(), judged_.revisions, &Moment::revision_change, on_change_revision);
  judged_ = now;
  digest_.add(now.sets << 48 ^ now.pods << 32 ^ now.claims << 16 ^ now.revisions);
}

/// Not on trial: what it does is only the past that the program finds.
void Judge::pass_over(const World& world, const Sync& sync) {
  digest_.add(sync);
  history_.calm = false;
  history_.interfered = history_.touched_revisions = history_.touched_claims = true;
  history_.was_stale = history_.had_faults = true;
  memories_.forget_last_sync(sync.process);
  pass_over_changes(world);
}

void Judge::pass_over_changes(const World& world) { judged_ = world.marks(); }

/// What it has written by now is its own, not that of the turn which comes in between; and one of the two views gets
/// old.
void Judge::on_interrupted(const World& world, const Sync& sync) {
  history_.was_stale = true;
  if (sync.by_other) pass_over_changes(world);
  else ask_about_changes(world);
}

/// What a neighbour does for itself is its own affair.
void Judge::on_sync_beside(const World& world, const Sync& sync) {
  note_sync(sync);
  Moment m = moment(world);
  m.sync = &sync;
  ask(on_beside, m);
  memories_.note_learnt(sync);
  pass_over_changes(world);
}

void Judge::on_sync(const World& world, const Sync& sync) {
  if (sync.by_other) return pass_over(world, sync);
  if (sync.for_neighbour) return on_sync_beside(world, sync);
  note_sync(sync);
  Moment m = moment(world, sync);
  ask_about_calls(sync, m);
  m.call = nullptr;
  ask(On::on_sync, m);
  if (sync.wrote()) ask(on_acted, m);
  ask_about_changes(world);
  note_calm(sync);
  note_turn(m);
}

void Judge::ask_about_calls(const Sync& sync, Moment& m) {
  if (options_.encounters != nullptr) options_.encounters->note(facts_, sync);
  for (const Call& call : sync.calls) {
    result_.situations.set(situation_of(call.request.reason));
    if (call.fault != Fault::none) result_.situations.set(situation_of(call.fault));
    m.call = &call;
    ask(trigger_of(call.request), m);
  }
}

void Judge::on_settled(const World& world, bool rested, int rounds, int bound) {
  history_.last_sync = memories_.last_sync();
  history_.came_to_rest = rested;
  history_.rounds = rounds;
  history_.bound = bound;
  facts_.work_out_truth(world.cluster(), world.key(), environment_.gates, null_times_);
  Moment m = moment(world);
  m.facts = &facts_;
  ask(On::on_settled, m);
}

void Judge::on_rest(const World& world, const Sync& sync) {
  note_sync(sync);
  Moment m = moment(world, sync);
  ask_about_calls(sync, m);
  m.call = nullptr;
  ask(On::on_rest, m);
  ask_about_changes(world);
  note_turn(m);
}

void Judge::on_twins(const World& world, const Invariant& invariant, const TwinOutcomes& twins) {
  Moment m = moment(world);
  m.twins = &twins;
  ask(Listeners::Listener{invariant.check, place_of(invariant), 0}, m);
}

// --- what is remembered ------------------------------------------------------------------------------------------------

void Judge::note_disturbance(const Step& step) {
  if (step.kind == StepKind::apply_neighbour) has_neighbours_ = true;
  if (disturbs(step.kind)) history_.calm = false;
}

/// Of a step that changed something.
void Judge::note_interference(const Step& step) {
  const StepKind kind = step.kind;
  history_.interfered |= interferes(step);
  history_.touched_revisions |= touches_revisions(step);
  history_.touched_claims |= touches_claims(step);
  history_.force_deleted |= kind == StepKind::force_delete_pod;
  history_.evicted |= kind == StepKind::evict_pod || kind == StepKind::declare_failed;
  history_.was_made_owner |= makes_ours_an_owner(step);
  history_.set_recreated |= kind == StepKind::create_set;
}

void Judge::note_sync(const Sync& sync) {
  digest_.add(sync);
  ++history_.syncs;
  ++result_.syncs;
  result_.calls += sync.calls.size();
  if (ended() && !sync.for_neighbour)
    for (const Call& call : sync.calls) history_.writes_since_end += call.writes() ? 1 : 0;
  if (!sync.fresh) {
    history_.calm = false;
    history_.was_stale = true;
  }
  if (sync.skewed) history_.calm = false;
  note_faults(sync);
}

void Judge::note_faults(const Sync& sync) {
  bool faulty = sync.died;
  for (const Call& call : sync.calls) {
    faulty = faulty || call.fault != Fault::none;
    if (!call.fresh) history_.was_stale = true;
    if (went_wrong(sync, call) || !call.fresh) history_.calm = false;
  }
  if (!faulty) return;
  history_.had_faults = true;
  history_.calm = false;
}

/// For the turns that come after it.
void Judge::note_turn(const Moment& m) {
  if (fails_first(m) && !history_.first_retry) history_.first_retry = m.sync->next;
  history_.came_for_a_place = comes_again_for_a_place(m);
  note_stopping(*m.sync);
  memories_.note(*m.sync, facts_.set);
}

/// A turn that failed stopped where it had to: the rest may wait until the pods are back.
void Judge::note_stopping(const Sync& sync) {
  if (facts_.set == nullptr || sync.result.failed || !goes_on(sync)) history_.leaves_stopping.reset();
  else if (stops_a_pod(sync)) history_.leaves_stopping = facts_.set->meta.generation;
}

/// A fresh sync that found nothing to do and a whole set: from here a rollout is calm until something disturbs it.
void Judge::note_calm(const Sync& sync) {
  if (history_.calm || !sync.fresh || sync.skewed || sync.died || sync.result.failed || sync.wrote() ||
      facts_.set == nullptr)
    return;
  if (facts_.deleting || !facts_.condemned.empty() || facts_.unavailable > 0) return;
  history_.calm =
      std::none_of(facts_.slots.begin(), facts_.slots.end(), [&](const Slot& slot) { return slot.pod == nullptr; });
}

}  // namespace ordeal::properties
