#include "core/controller/queue.h"

#include <algorithm>

#include "core/api/names.h"

namespace ordeal {

namespace {

constexpr std::int64_t first_delay_ms = 5, longest_delay_ms = 1'000'000;  // client-go's back-off per key
constexpr int doublings_at_most = 18;                                     // 5 ms x 2^18 is past the longest delay

template <class Entries>
auto entry_of(Entries& held, const Key& key) {
  return std::find_if(held.begin(), held.end(), [&](const auto& h) { return h.key == key; });
}

Key key_of(const StatefulSet& set) { return {set.meta.ns, set.meta.name}; }

bool same_controller(const Pod& before, const Pod& after) {
  const OwnerReference *a = before.meta.controller(), *b = after.meta.controller();
  return a != nullptr && b != nullptr ? *a == *b : a == b;
}

}  // namespace

Time back_off(int failures_before) {
  const std::int64_t delay = first_delay_ms << std::min(failures_before, doublings_at_most);
  return {std::min(delay, longest_delay_ms)};
}

void WorkQueue::clear() {
  ready_.clear();
  delayed_.clear();
  failing_.clear();
}

void WorkQueue::add(const Key& key) {
  if (std::find(ready_.begin(), ready_.end(), key) == ready_.end()) ready_.push_back(key);
}

void WorkQueue::add_after(const Key& key, Time due) { delay({key, due, false}); }

void WorkQueue::delay(Waiting entry) {
  if (const auto held = entry_of(delayed_, entry.key); held != delayed_.end()) {
    entry.due = std::min(entry.due, held->due);
    entry.by_handler |= held->by_handler;
    delayed_.erase(held);
  }
  const auto place = std::ranges::upper_bound(delayed_, entry.due, {}, &Waiting::due);
  delayed_.insert(place, std::move(entry));
}

std::optional<Time> WorkQueue::put_off(const Key& key) const {
  const auto held = entry_of(delayed_, key);
  return held != delayed_.end() && held->by_handler ? std::optional(held->due) : std::nullopt;
}

void WorkQueue::done(const Key& key, const SyncResult& result, Time now) {
  if (traits_.keeps_queue) {
    const std::optional<Time>& due = result.failed ? result.retry_after : result.requeue_after;
    if (due) add_after(key, now + *due);
    return;
  }
  const auto held = entry_of(failing_, key);
  if (result.failed) {
    const int before = held == failing_.end() ? 0 : held->times;
    if (held == failing_.end()) failing_.push_back({key, 1});
    else ++held->times;
    return add_after(key, now + back_off(before));
  }
  if (held != failing_.end()) failing_.erase(held);
  if (result.requeue_after) add_after(key, now + *result.requeue_after);
}

std::optional<Key> WorkQueue::take(Time now) {
  move_due(now);
  if (ready_.empty()) return std::nullopt;
  Key key = std::move(ready_.front());
  ready_.erase(ready_.begin());
  return key;
}

bool WorkQueue::take_ready(const Key& key) {
  const auto at = std::find(ready_.begin(), ready_.end(), key);
  if (at == ready_.end()) return false;
  ready_.erase(at);
  return true;
}

void WorkQueue::move_due(Time now) {
  const auto late = std::ranges::upper_bound(delayed_, now, {}, &Waiting::due);
  for (auto due = delayed_.begin(); due != late; ++due) add(due->key);
  delayed_.erase(delayed_.begin(), late);
}

bool WorkQueue::ready(Time now) const { return !ready_.empty() || (!delayed_.empty() && delayed_.front().due <= now); }

std::optional<Time> WorkQueue::next_due(const Key& key) const {
  const auto held = entry_of(delayed_, key);
  return held == delayed_.end() ? std::nullopt : std::optional(held->due);
}

std::optional<Time> WorkQueue::next_due() const {
  return delayed_.empty() ? std::nullopt : std::optional(delayed_.front().due);
}

void WorkQueue::hear(Time now) {
  if (own_ == nullptr) return;
  for (const Wake& wake : own_->asked(now + skew_)) {
    if (wake.after == Time{}) add(wake.key);
    else delay({wake.key, now + wake.after, true});
  }
}

// --- events ------------------------------------------------------------------------------------------------------------

void WorkQueue::on_set(const StatefulSet* before, const StatefulSet* after) {
  if (const StatefulSet* set = after != nullptr ? after : before) add(key_of(*set));
}

void WorkQueue::on_pod(const Pod* before, const Pod* after, const View& seen, Time now) {
  if (before == nullptr && after == nullptr) return;
  if (after == nullptr) return pod_gone(*before, seen);
  if (before == nullptr) return after->meta.terminating() ? pod_gone(*after, seen) : pod_found(*after, seen);
  pod_changed(*before, *after, seen, now);
}

/// Nobody waits for an orphan to go.
void WorkQueue::pod_gone(const Pod& pod, const View& seen) {
  if (const OwnerReference* owner = pod.meta.controller()) add_owner(*owner, seen);
}

void WorkQueue::pod_found(const Pod& pod, const View& seen) {
  if (const OwnerReference* owner = pod.meta.controller()) add_owner(*owner, seen);
  else add_all_that_match(pod, seen);
}

void WorkQueue::pod_changed(const Pod& before, const Pod& after, const View& seen, Time now) {
  if (before.meta.version == after.meta.version) return;  // a resync, not a change
  const bool passed_on = !same_controller(before, after);
  if (const OwnerReference* old = before.meta.controller(); old != nullptr && passed_on) add_owner(*old, seen);
  if (const OwnerReference* owner = after.meta.controller()) {
    const StatefulSet* set = add_owner(*owner, seen);
    const bool became_ready = !before.ready && after.ready;
    if (set != nullptr && became_ready && traits_.wake_margin && set->spec->min_ready_seconds > 0)
      add_after(key_of(*set), now + Time::seconds(set->spec->min_ready_seconds) + *traits_.wake_margin);
  } else if (passed_on || !same(before.meta.labels, after.meta.labels)) {
    add_all_that_match(after, seen);
  }
}

/// The set a controller reference means: the name alone could be a later set's.
const StatefulSet* WorkQueue::resolve(const OwnerReference& owner, const View& seen) const {
  if (owner.kind != kind_stateful_set) return nullptr;
  // Handlers for owners compare groups, in whatever version.
  if (traits_.wakes_owners_only)
    return owner.api_version.view().starts_with("apps/") ? seen.sets.find(owner.name) : nullptr;
  const StatefulSet* set = seen.sets.find(owner.name);
  return set != nullptr && set->meta.uid == owner.uid ? set : nullptr;
}

const StatefulSet* WorkQueue::add_owner(const OwnerReference& owner, const View& seen) {
  const StatefulSet* set = resolve(owner, seen);
  if (set != nullptr) add(key_of(*set));
  return set;
}

/// client-go's lister looks for no set of a pod without labels, though a selector may ask for none.
void WorkQueue::add_all_that_match(const Pod& pod, const View& seen) {
  if (traits_.wakes_owners_only) return;
  if (pod.meta.labels == nullptr || pod.meta.labels->empty()) return;
  for (const StatefulSet* set : seen.sets.all)
    if (set->spec->selector.matches(pod.meta.labels.get())) add(key_of(*set));
}

}  // namespace ordeal
