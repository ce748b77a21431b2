// The range, place by place: create what is missing, replace what has ended, repair what does not match, and in an
// OrderedReady set wait for each before the next. semantics.md 6.2 to 6.6 and 2.10.
#include <algorithm>

#include "core/controller/phases.h"

namespace ordeal {

namespace {

Request request_for(Verb verb, Reason reason, const Text& name) {
  Request request;
  request.verb = verb;
  request.kind = Kind::pod;
  request.reason = reason;
  request.name = name;
  return request;
}

}  // namespace

Next Phases::work_on_pods() {
  if (!rules_.may_work(*set_)) return Next::go_on;
  lay_out_places();
  if (recreates())
    if (const Next recreated = recreate(); recreated != Next::go_on) return recreated;
  if (const Next tended = each(places_, &Phases::tend); tended != Next::go_on) return tended;
  if (const Next scaled = scale_down(); scaled != Next::go_on) return scaled;
  return update();
}

/// OrderedReady: one after the other, until one says stop. Parallel: in batches that grow; a failure ends its batch, and
/// no further one is begun.
Next Phases::each(std::span<PodState> states, Next (Phases::*step)(PodState&)) {
  if (ordered_) {
    for (PodState& state : states)
      if (const Next next = (this->*step)(state); next != Next::go_on) return next;
    return Next::go_on;
  }
  std::size_t done = 0, batch = 0;
  while (done < states.size()) {
    batch = rules_.next_batch(batch, states.size() - done);
    Next outcome = Next::go_on;
    for (PodState& state : states.subspan(done, batch))
      if ((this->*step)(state) == Next::fail) outcome = Next::fail;
    if (outcome == Next::fail) return outcome;
    done += batch;
  }
  return Next::go_on;
}

// --- what is there -----------------------------------------------------------------------------------------------------

/// Of two pods of one ordinal (web-7, web-07) the later one of the list takes the place.
void Phases::lay_out_places() {
  const std::int64_t start = set_->spec->ordinals_start.value_or(0);
  places_.assign(places_wanted_, PodState{});
  for (const Claimed& claimed : claimed_) {
    if (claimed.state.ordinal == Ordinal::none) continue;
    const auto index = rules_.place_of(claimed.state.ordinal, start, places_wanted_);
    (index ? places_[*index] : condemned_.emplace_back()) = claimed.state;
  }
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i].pod == nullptr) places_[i] = state_of_missing(i);
  if (condemned_.size() > 1) std::sort(condemned_.begin(), condemned_.end(), rules_.condemned_before);
}

// --- one place ---------------------------------------------------------------------------------------------------------

Next Phases::tend(PodState& place) {
  if (place.created && rules_.is_terminal(place.pod->phase)) return replace_terminal(place);
  if (!place.created) return create(place);
  const bool waits = ordered_ && rules_.holds_back(place);
  if (waits && !place.running_ready && !place.terminating) {
    const auto broken = rules_.forced_rollback(rollout(), static_cast<std::size_t>(&place - places_.data()));
    if (broken) return remove_outdated(places_[*broken], Reason::replace_broken) == Next::fail ? Next::fail : Next::stop;
  }
  if (rules_.restores_claims(*place.pod)) {
    if (provide_claims(place, Reason::restore_claim) == Next::fail) return Next::fail;
    if (retain_claims(place, place.pod->meta.uid) == Next::fail) return Next::fail;
    place.retained |= rules_.retains_once;
  }
  return waits ? Next::stop : repair(place);
}

Next Phases::replace_terminal(PodState& place) {
  const bool waits = rules_.terminal_pods == TerminalPods::wait_until_gone;
  if ((!place.terminating || !waits) && remove(place, Reason::replace_terminal) == Next::fail) return Next::fail;
  if (waits) return Next::stop;
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
  Request request = request_for(Verb::create, Reason::create_pod, pod.meta.name);
  request.body = std::move(pod);
  const Reply reply = call(std::move(request));
  if (reply.code == Code::already_exists) return fail(reply.code, "the pod's name is taken");
  const Pod* made = reply.as<Pod>();
  if (retain_claims(place, made != nullptr ? made->meta.uid : Uid::none) == Next::fail) return Next::fail;
  if (!reply.ok()) return fail(reply.code, "a pod could not be created");
  place.made = true;
  return Next::stop;
}

/// Stored names, labels and volumes are the set's, or the pod is written; a change of template never is.
Next Phases::repair(PodState& place) {
  if (place.named && place.stored && place.retained) return Next::go_on;
  if (!place.stored && provide_claims(place, Reason::restore_claim) == Next::fail) return Next::fail;
  if (!place.retained && retain_claims(place, place.pod->meta.uid) == Next::fail) return Next::fail;
  if (place.named && place.stored && !rules_.touches_pod_for_claims) return Next::go_on;
  return write_repaired(place);
}

Next Phases::write_repaired(const PodState& place) {
  const Pod& pod = *place.pod;
  Reply reply;
  for (int attempt = 0; attempt < rules_.update_attempts; ++attempt) {
    Pod repaired = rules_.repair_pod(*set_, pod, place.ordinal);
    Request request = request_for(Verb::update, Reason::repair_pod, repaired.meta.name);
    request.body = std::move(repaired);
    request.version = pod.meta.version;
    request.uid = pod.meta.uid;
    reply = call(std::move(request));
    if (reply.code != Code::conflict) break;
  }
  return reply.ok() ? Next::go_on : fail(reply.code, "a pod could not be repaired");
}

}  // namespace ordeal
