// What a sync knows of each pod of the set. All of it is worked out in one look, in the order of the view, so that a
// large set is read from memory once; only the revisions are related later, when they are chosen. Places that are
// empty: what their pod would be.
#include <algorithm>

#include "core/controller/phases.h"

namespace ordeal {

void Phases::look_at(const Pod& pod, Ordinal ordinal) {
  PodState state;
  state.pod = &pod;
  state.ordinal = ordinal;
  state.in_range = ordinal != Ordinal::none && rules_.place_of(*set_->spec, ordinal, places_wanted_).has_value();
  state.created = pod.phase != Phase::none;
  state.terminating = pod.meta.terminating();
  state.running_ready = pod.phase == Phase::running && pod.ready;
  state.available = rules_.available(pod, set_->spec->min_ready_seconds, now_);
  if (pod.ready && !state.available) note_when_available(pod);
  state.named = rules_.identity_matches(*set_, pod, ordinal);
  state.stored = rules_.storage_matches(*set_, pod, ordinal);
  state.retained = claims_are_right(state);
  claimed_.push_back({.state = state, .label = label_of(pod)});
}

/// When the time is up, or a millisecond after that.
void Phases::note_when_available(const Pod& pod) {
  if (!pod.ready_changed) return;
  const std::int32_t wanted = set_->spec->min_ready_seconds;
  const Time due = *pod.ready_changed + Time::seconds(wanted);
  const Time left = due - now_ + (rules_.available(pod, wanted, due) ? Time{} : Time{1});
  waiting_.soonest = std::min(waiting_.soonest.value_or(left), left);
}

/// Nearly all pods of a set share one or two revisions. Beyond a few the search is not worth it.
std::uint32_t Phases::label_of(const Pod& pod) {
  const Text* label = pod.meta.label(label_revision);
  if (label == nullptr) return 0;
  constexpr std::size_t worth_searching = 8;
  const std::size_t searched = std::min(labels_.size(), worth_searching);
  for (std::size_t i = 1; i < searched; ++i)
    if (*labels_[i] == *label) return static_cast<std::uint32_t>(i);
  labels_.push_back(label);
  return static_cast<std::uint32_t>(labels_.size() - 1);
}

bool Phases::claims_are_right(const PodState& state) {
  const auto& templates = set_->spec->claim_templates;
  if (templates.empty()) return true;
  const Text name = name_for_claims(state);
  const ClaimSide side = side_of(state, name, state.pod->meta.uid);
  for (std::size_t i = 0; i < templates.size(); ++i) {
    const Claim* held = find_claim(i, name_of_claim(templates[i], state));
    if (held != nullptr && (dies_of_claims() || !rules_.claim_is_right(claim_cache_.owners(*held), side, rules_)))
      return false;
  }
  return true;
}

/// Pods and claims are both in the order of their names, so the next claim mostly follows the last one.
const Claim* Phases::find_claim(std::size_t claim_template, const Text& name) {
  const auto claims = seen_->claims.by_name;
  std::size_t& next = hints_[claim_template];
  if (next >= claims.size() || !(claims[next]->meta.name == name)) {
    const auto at = std::lower_bound(claims.begin(), claims.end(), name,
                                     [](const Claim* held, const Text& n) { return held->meta.name < n; });
    next = static_cast<std::size_t>(at - claims.begin());
    if (at == claims.end() || !((*at)->meta.name == name)) return nullptr;
  }
  return claims[next++];
}

void Phases::relate_to_revisions() {
  relations_.clear();
  for (const Text* label : labels_)
    relations_.push_back({label != nullptr && *label == *current_name_, label != nullptr && *label == *update_name_});
  for (auto& [state, label, displaced] : claimed_) {
    state.at_current = relations_[label].to_current;
    state.at_update = relations_[label].to_update;
  }
}

PodState Phases::state_of_missing(std::size_t index) const {
  PodState state;
  state.in_range = true;
  state.ordinal = static_cast<Ordinal>(set_->spec->ordinal_at(static_cast<std::int64_t>(index)));
  const Side side = rules_.side_of_missing(*set_->spec, index, state.ordinal, set_->status.current_replicas);
  const bool same = *current_name_ == *update_name_;
  state.at_current = same || side == Side::current;
  state.at_update = same || side == Side::update;
  return state;
}

}  // namespace ordeal
