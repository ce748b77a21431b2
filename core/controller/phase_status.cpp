// What the set says about itself: a recount of what was seen. semantics.md 7.
#include "core/controller/phases.h"

namespace ordeal {

/// Pods in their places and condemned ones, and others if the table counts them; all there are when the set is going
/// away and nothing was laid out.
StatefulSetStatus Phases::count() const {
  StatefulSetStatus counted;
  counted.observed_generation = set_->meta.generation;
  counted.current_revision = *current_name_;
  counted.update_revision = *update_name_;
  counted.collision_count = collisions_;
  if (rules_.may_work(*set_)) {
    for (const PodState& place : places_) rules_.tally(place, counted);
    for (const PodState& state : condemned_) rules_.tally(state, counted);
  }
  if (!rules_.may_work(*set_) || rules_.counts_displaced)
    for (const Claimed& claimed : claimed_)
      if (claimed.displaced) rules_.tally(claimed.state, counted);
  counted.current_replicas -= lowered_;
  counted.updated_replicas -= updated_lowered_;
  return counted;
}

Next Phases::write_status() {
  StatefulSetStatus counted = count();
  waiting_.ready = counted.ready_replicas;
  waiting_.available = counted.available_replicas;
  const bool complete = rules_.completes(rollout(), counted);
  if (complete) {
    counted.current_replicas = counted.updated_replicas;
    counted.current_revision = *update_name_;
  }
  counted.conditions = rules_.tells({.told = set_->status.conditions,
                                     .recreation = recreation_,
                                     .recreates = recreates(),
                                     .complete = complete,
                                     .changes = *current_name_ != *update_name_,
                                     .now = now_});
  if (!rules_.status_differs(set_->status, counted)) return Next::go_on;
  return tell(counted);
}

/// A conflict is tried again, upon the set as it is cached by then, whatever has become of it.
Next Phases::tell(const StatefulSetStatus& counted) {
  const StatefulSet* told = set_;
  Reply reply;
  for (int attempt = 0; attempt < rules_.status_attempts; ++attempt) {
    Request request = request_for(Verb::update_status, Kind::set, Reason::write_status, told->meta.name);
    request.body = counted;
    request.version = told->meta.version;
    request.uid = told->meta.uid;
    reply = call(std::move(request));
    if (reply.code != Code::conflict) break;
    if (const StatefulSet* cached = seen_->sets.find(set_->meta.name)) told = cached;
  }
  return reply.ok() ? Next::go_on : fail(reply.code, "the status could not be written");
}

}  // namespace ordeal
