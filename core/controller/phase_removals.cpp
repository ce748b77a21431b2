// What goes: everything outdated (Recreate), what is outside the range, and what an update replaces. semantics.md 6.7
// to 6.9.
#include <algorithm>
#include <ranges>

#include "core/controller/phases.h"

namespace ordeal {

Rollout Phases::rollout() const {
  const StatefulSetSpec& spec = *set_->spec;
  return {rules_, *set_, places_, condemned_, rules_.partition(spec), rules_.budget(spec), ordered_};
}

Next Phases::recreate() {
  const RecreateStage stage = rules_.recreation(rollout());
  if (stage == RecreateStage::stop_all && stop_all_outdated() == Next::fail) return Next::fail;
  recreation_ = stage;
  return stage == RecreateStage::done ? Next::go_on : Next::stop;
}

Next Phases::stop_all_outdated() {
  if (rules_.recreate_marks_claims && mark_all_claims() == Next::fail) return Next::fail;
  const auto state_at = [&](std::size_t i) -> PodState& {
    return i < places_.size() ? places_[i] : condemned_[i - places_.size()];
  };
  const std::size_t all = places_.size() + condemned_.size();
  if (rules_.recreate_in_batches) return in_batches(all, [&](std::size_t i) { return stop_outdated(state_at(i)); });
  for (std::size_t i = 0; i < all; ++i)
    if (stop_outdated(state_at(i)) == Next::fail) return Next::fail;
  return Next::go_on;
}

Next Phases::stop_outdated(PodState& state) {
  if (!state.created || state.at_update || state.terminating) return Next::go_on;
  return rules_.recreate_lowers_current ? remove_outdated(state, Reason::recreate_pod)
                                        : remove(state, Reason::recreate_pod);
}

// --- scaling down ------------------------------------------------------------------------------------------------------

/// A claim has to know its pod before the pod goes, or nobody would collect it.
Next Phases::scale_down() {
  if (condemned_.empty()) return Next::go_on;
  if (rules_.marks_claims_first && mark_all_claims() == Next::fail) return Next::fail;
  return ordered_ ? remove_condemned_in_order() : each(condemned_, &Phases::remove_condemned);
}

Next Phases::mark_all_claims() {
  if (!rules_.marks_lowest_first) return each(condemned_, &Phases::mark_claims);
  for (PodState& condemned : std::views::reverse(condemned_))
    if (mark_claims(condemned) == Next::fail) return Next::fail;
  return Next::go_on;
}

Next Phases::mark_claims(PodState& state) {
  if (has_moved(Kind::claim)) state.retained = claims_are_right(state);
  if (state.retained) return Next::go_on;
  if (retain_claims(state, state.pod->meta.uid) == Next::fail) return Next::fail;
  state.retained = true;
  return Next::go_on;
}

Next Phases::remove_condemned(PodState& condemned) {
  if (condemned.terminating) return Next::go_on;
  if (!rules_.marks_claims_first && mark_claims(condemned) == Next::fail) return Next::fail;
  return remove(condemned, Reason::scale_down);
}

/// One at a time: while any is left, nothing else is done.
Next Phases::remove_condemned_in_order() {
  const auto chosen = rules_.condemned_choice(condemned_, rules_);
  if (!chosen) return Next::stop;
  return remove_condemned(condemned_[*chosen]) == Next::fail ? Next::fail : Next::stop;
}

// --- updates -----------------------------------------------------------------------------------------------------------

/// Deletes only: the replacements come in later syncs, when the places are empty.
Next Phases::update() {
  if (set_->spec->strategy == Strategy::on_delete || recreates()) return Next::go_on;
  const auto choose = !gates_.max_unavailable ? rules_.updates_one_by_one
                      : ordered_              ? rules_.updates_in_order
                                              : rules_.updates_in_parallel;
  chosen_.clear();
  choose(rollout(), chosen_);
  for (const Replacement& replaced : chosen_)
    if (remove_outdated(places_[replaced.index], replaced.reason) == Next::fail) return Next::fail;
  const auto waits = [&](const PodState& place) { return is_left_to_update(place); };
  if (chosen_.empty() && std::ranges::any_of(places_, waits))
    return fail(Code::ok, "a pod without its volumes waits for its turn to be replaced");
  return Next::go_on;
}

Next Phases::remove_outdated(PodState& state, Reason reason) {
  const Next removed = remove(state, reason);
  if (rules_.lowers_current(state, removed != Next::fail, gates_)) ++lowered_;
  return removed;
}

Next Phases::remove(PodState& state, Reason reason) {
  if (rules_.mends_claims_first && state.pod != nullptr && mark_claims(state) == Next::fail) return Next::fail;
  Request request;
  request.verb = Verb::remove;
  request.kind = Kind::pod;
  request.reason = reason;
  request.name = state.pod != nullptr ? state.pod->meta.name : pod_name(set_->meta.name, state.ordinal);
  if (rules_.precondition == Precondition::uid && state.pod != nullptr) request.uid = state.pod->meta.uid;
  request.propagation = rules_.propagation;
  const Code reply = call(std::move(request)).code;
  const bool gone = reply == Code::ok || (reply == Code::not_found && rules_.missing_is_deleted(reason, gates_));
  if (!gone) return fail(reply, "a pod could not be deleted");
  state.deleted = true;
  return Next::go_on;
}

}  // namespace ordeal
