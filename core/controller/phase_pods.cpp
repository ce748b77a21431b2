// The range, place by place: create what is missing, replace what has ended, repair what does not match, and in an
// OrderedReady set wait for each before the next. semantics.md 6.2 to 6.6 and 2.10.
#include <algorithm>
#include <ranges>

#include "core/controller/phases.h"

namespace ordeal {

Next Phases::work_on_pods() {
  if (!rules_.may_work(*set_)) return Next::go_on;
  lay_out_places();
  if (recreates())
    if (const Next recreated = recreate(); recreated != Next::go_on) return recreated;
  const auto tend_all = [&] {
    const Next tended = each(places_, &Phases::tend);
    return tended == Next::stop && rules_.mends_claims_while_waiting ? mend_claims() : tended;
  };
  const bool down_first = !ordered_ && rules_.scales_down_first;
  if (const Next first = down_first ? scale_down() : tend_all(); first != Next::go_on) return first;
  if (const Next second = down_first ? tend_all() : scale_down(); second != Next::go_on) return second;
  return update();
}

/// OrderedReady: one after the other, until one says stop. Parallel: in batches that grow.
Next Phases::each(std::span<PodState> states, Next (Phases::*step)(PodState&)) {
  if (ordered_) {
    for (PodState& state : states)
      if (const Next next = (this->*step)(state); next != Next::go_on) return next;
    return Next::go_on;
  }
  return in_batches(states.size(), [&](std::size_t i) { return (this->*step)(states[i]); });
}

// --- what is there -----------------------------------------------------------------------------------------------------

/// Of two pods of one ordinal (web-7, web-07) the later one of the list takes the place; of condemned ones the first
/// goes first. The list is walked from its end, since it is nearly in order then.
void Phases::lay_out_places() {
  places_.assign(places_wanted_, PodState{});
  for (Claimed& claimed : std::views::reverse(claimed_)) {
    if (claimed.state.ordinal == Ordinal::none) continue;
    const auto index = rules_.place_of(*set_->spec, claimed.state.ordinal, places_wanted_);
    claimed.displaced = index && places_[*index].pod != nullptr;
    if (claimed.displaced) continue;
    if (index) places_[*index] = claimed.state;
    else
      condemned_.insert(std::lower_bound(condemned_.begin(), condemned_.end(), claimed.state, rules_.condemned_before),
                        claimed.state);
  }
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i].pod == nullptr) places_[i] = state_of_missing(i);
}

// --- one place ---------------------------------------------------------------------------------------------------------

Next Phases::tend(PodState& place) {
  if (place.created && rules_.is_terminal(place.pod->phase)) return replace_terminal(place);
  if (!place.created) return create(place);
  const bool waits = ordered_ && rules_.holds_back(place);
  if (waits && !place.running_ready && !place.terminating) {
    const auto broken = rules_.forced_rollback(rollout(), static_cast<std::size_t>(&place - places_.data()));
    if (broken)
      return remove_outdated(places_[*broken], Reason::replace_broken) == Next::fail ? Next::fail : Next::stop;
  }
  if (rules_.restores_claims(*place.pod)) {
    if (provide_claims(place, Reason::restore_claim) == Next::fail) return Next::fail;
    if (retain_claims(place, place.pod->meta.uid) == Next::fail) return Next::fail;
    place.provided = rules_.mends_claims_once;
    place.retained |= rules_.mends_claims_once;
  }
  if (waits) return Next::stop;
  if (is_left_to_update(place)) return mark_claims(place);
  if (has_moved(Kind::claim)) place.retained = claims_are_right(place);
  const Next repaired = repair(place);
  place.retained |= repaired == Next::go_on;
  return repaired;
}

bool Phases::is_left_to_update(const PodState& place) const {
  return place.created && !place.stored &&
         rules_.left_to_update(rollout(), static_cast<std::size_t>(&place - places_.data()));
}

/// Of the pods that the turn does not come to.
Next Phases::mend_claims() {
  for (PodState& place : places_)
    if (place.pod != nullptr && !place.terminating && mark_claims(place) == Next::fail) return Next::fail;
  return Next::stop;
}

Next Phases::replace_terminal(PodState& place) {
  const bool waits = rules_.terminal_pods == TerminalPods::wait_until_gone;
  if ((!place.terminating || !waits) && remove(place, Reason::replace_terminal) == Next::fail) return Next::fail;
  if (waits) return Next::stop;
  if (place.terminating && rules_.uncounts_the_going) {
    lowered_ += place.at_current ? 1 : 0;
    updated_lowered_ += place.at_update ? 1 : 0;
  }
  place = state_of_missing(static_cast<std::size_t>(&place - places_.data()));
  return create(place);
}

/// Claims first. Whatever became of the pod, claims that are there get the owners that the policy wants.
Next Phases::create(PodState& place) {
  if (waits_for_collector(place)) {
    waiting_.for_collector = true;
    return Next::stop;
  }
  if (provide_claims(place, Reason::provide_claim) == Next::fail) return Next::fail;
  const bool at_update = place.at_update;
  Pod pod = rules_.build_pod(*set_, at_update ? update_template_ : current_template_,
                             at_update ? *update_name_ : *current_name_, place.ordinal);
  Request request = request_for(Verb::create, Kind::pod, Reason::create_pod, pod.meta.name);
  request.body = pod;
  const Reply reply = call(std::move(request));
  if (reply.code == Code::already_exists) return fail(reply.code, "the pod's name is taken");
  const Pod* made = reply.as<Pod>();
  if (retain_claims(place, made != nullptr ? made->meta.uid : Uid::none) == Next::fail) return Next::fail;
  if (!reply.ok()) return fail(reply.code, "a pod could not be created");
  place.made = true;
  if (ordered_) return Next::stop;
  return rules_.mends_claims_once ? Next::go_on : look_again(place, pod);
}

/// By the cache the owners of its claims are still what they were before.
Next Phases::look_again(const PodState& place, const Pod& made) {
  PodState again = place;
  again.pod = &made;
  again.named = again.stored = true;
  again.retained = claims_are_right(again);
  return repair(again);
}

/// Stored names, labels and volumes are the set's, or the pod is written; a change of template never is. A conflict is
/// tried again: the write of the pod alone, or, from the pod as cached, all of it.
Next Phases::repair(PodState place) {
  bool claims_are_done = false;
  for (int left = rules_.update_attempts;; --left) {
    if (place.named && place.stored && place.retained) return Next::go_on;
    if (!place.retained && dies_of_claims()) throw ControllerDied{};
    if (!claims_are_done) {
      if (!place.stored && !place.provided && provide_claims(place, Reason::restore_claim) == Next::fail)
        return Next::fail;
      if (has_moved(Kind::claim)) place.retained = claims_are_right(place);
      const Code owned = place.retained ? Code::ok : write_claim_owners(place, place.pod->meta.uid);
      if (owned == Code::conflict && rules_.repairs_again && left > 1) {
        place.named = place.stored =
            true;  // its missing claims are provided, and what is to be written has the right names
        place.retained = claims_are_right(place);
        continue;
      }
      if (owned != Code::ok) return fail(owned, "the owners of a claim could not be written");
      if (place.named && place.stored && !rules_.touches_pod_for_claims) return Next::go_on;
    }
    const Code written = write_repaired(place);
    if (written == Code::ok) return Next::go_on;
    if (written != Code::conflict || left == 1) return fail(written, "a pod could not be repaired");
    claims_are_done = !rules_.repairs_again;
    if (rules_.repairs_again) place = as_cached(place);
  }
}

Code Phases::write_repaired(const PodState& place) {
  Pod repaired = rules_.repair_pod(*set_, *place.pod, place.ordinal);
  Request request = request_for(Verb::update, Kind::pod, Reason::repair_pod, repaired.meta.name);
  request.body = std::move(repaired);
  request.version = place.pod->meta.version;
  request.uid = place.pod->meta.uid;
  return call(std::move(request)).code;
}

/// The pod that bears the name of the place: another one where web-07 has taken the place of web-7. One that the cache
/// does not show is taken for repaired.
PodState Phases::as_cached(const PodState& place) {
  PodState cached = place;
  cached.named = cached.stored = true;
  const Pod* pod = seen_->pods.find(pod_name(set_->meta.name, place.ordinal));
  if (pod == nullptr) return cached;
  cached.pod = pod;
  cached.named = rules_.identity_matches(*set_, *pod, place.ordinal);
  cached.stored = rules_.storage_matches(*set_, *pod, place.ordinal);
  cached.retained = claims_are_right(cached);
  return cached;
}

}  // namespace ordeal
