#include "properties/evidence/facts.h"

#include <algorithm>

#include "core/api/names.h"
#include "properties/evidence/before.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/turn.h"

namespace ordeal::properties {
namespace {

bool older(const Revision* a, const Revision* b) {
  if (a->number != b->number) return a->number < b->number;
  if (a->meta.created != b->meta.created) return a->meta.created < b->meta.created;
  return a->meta.name < b->meta.name;
}

bool is_removed(const Pod& pod, const Sync& sync) {
  return std::ranges::any_of(sync.calls, [&](const Call& call) {
    return call.is(Verb::remove, Kind::pod) && call.request.name == pod.meta.name;
  });
}

/// Its name was taken when the turn was to record a revision under it.
bool is_in_its_way(const Revision& read, const Sync& sync, const Call& reading) {
  return std::ranges::any_of(calls_until(sync, reading), [&](const Call& before) {
    return before.is(Verb::create, Kind::revision) && before.failed() && before.request.name == read.meta.name;
  });
}

/// The choice of revisions comes first in a sync; the first claim or pod that is really worked on ends it. A revision
/// that somebody else controls is read for any reason, as is one that is shown, and all are in lists; but it is used,
/// whosever it is, where it was in the way and none was recorded instead.
const Revision* recorded_by(const Sync& sync, const StatefulSet& set, const PodTemplate& pod_template) {
  const Revision *own = nullptr, *in_the_way = nullptr;
  for (const Call& call : sync.calls) {
    if (is_work(sync, call)) break;
    if (call.request.kind != Kind::revision || call.request.verb == Verb::patch_owners || call.failed()) continue;
    if (call.request.verb == Verb::remove || call.request.of_list != OfList::no) continue;
    const Revision* stored = call.reply.as<Revision>();
    if (stored == nullptr || !stored->data.holds(pod_template)) continue;
    const bool is_read = call.request.verb == Verb::get, is_met = is_read && is_in_its_way(*stored, sync, call);
    if (is_read && !is_met && is_as_shown(sync.seen, call)) continue;
    if (!is_read || stored->meta.controlled_by(set.meta.uid)) own = stored;
    else if (is_met) in_the_way = stored;
  }
  return own != nullptr ? own : in_the_way;
}

}  // namespace

void Facts::work_out(const Sync& sync, const Gates& gates) {
  forget();
  now = sync.now;
  clean = ran_cleanly(sync);
  set = sync.seen.sets.find(sync.key.name);
  if (set != nullptr) {
    read_spec(gates);
    template_bytes = sync.null_times ? set->spec->pod_template->older_patch : set->spec->pod_template->patch;
    read_history(sync.seen);
    resolve_revisions(sync, gates);
    read_pods(sync);
    count_unavailable();
    count_pods();
  }
  read_removals(sync);
}

void Facts::work_out_truth(const Cluster& truth, const Key& key, const Gates& gates, bool null_times) {
  Sync idle;
  idle.key = key;
  idle.null_times = null_times;
  idle.now = truth.now();
  idle.seen.sets = truth.sets().live().listing();
  idle.seen.pods = truth.pods().live().listing();
  idle.seen.claims = truth.claims().live().listing();
  idle.seen.revisions = truth.revisions().live().listing();
  work_out(idle, gates);
  irregular = irregular || !lookalikes.empty();
}

bool Facts::is_live(const Revision& revision) const {
  const Text& name = revision.meta.name;
  if (name == update_name || name == current_name) return true;
  const auto is_at_it = [&](const Pod* pod) { return is_at(*pod, name); };
  return std::ranges::any_of(claimed, is_at_it) || std::ranges::any_of(lookalikes, is_at_it);
}

const Pod* Facts::an_outdated_one() const {
  for (const Slot& slot : slots)
    if (slot.pod != nullptr && outdated(*slot.pod)) return slot.pod;
  const auto surplus = std::ranges::find_if(condemned, [&](const Pod* pod) { return outdated(*pod); });
  return surplus == condemned.end() ? nullptr : *surplus;
}

bool Facts::recreating() const {
  if (set->spec->strategy != Strategy::recreate) return false;
  return update_name.empty() || std::ranges::any_of(claimed, [&](const Pod* pod) { return outdated(*pod); });
}

void Facts::forget() {
  set = nullptr;
  irregular = deleting = false;
  claimed.clear();
  lookalikes.clear();
  orphans.clear();
  adopted.clear();
  slots.clear();
  condemned.clear();
  history.clear();
  removals.clear();
  update = current = nullptr;
  update_name = current_name = Text();
  unavailable = unavailable_in_update = 0;
  recount = {};
  next_available.reset();
}

std::optional<std::int32_t> Facts::place_of(Ordinal ordinal) const {
  const auto index = set == nullptr ? std::nullopt : set->spec->index_of(ordinal);
  if (!index || *index >= replicas) return std::nullopt;
  return static_cast<std::int32_t>(*index);
}

std::string Facts::range_text() const {
  std::string text = std::to_string(replicas) + " replicas from " + std::to_string(start);
  for (const std::int32_t reserved : set->spec->reserve_ordinals) text += ", without " + std::to_string(reserved);
  return text;
}

void Facts::read_spec(const Gates& gates) {
  const StatefulSetSpec& spec = *set->spec;
  start = spec.ordinals_start.value_or(0);
  replicas = spec.places();
  has_rolling_update = spec.rolling_update.has_value();
  partition = has_rolling_update ? spec.rolling_update->partition.value_or(0) : 0;
  min_ready_seconds = spec.min_ready_seconds;
  counts_unavailable = gates.max_unavailable;
  budget = counts_unavailable ? budget_of(spec) : Budget{};
  const std::int64_t to_update = std::max<std::int64_t>(0, std::int64_t{replicas} - partition);
  budget_of_update = counts_unavailable ? budget_of(spec, to_update) : Budget{};
  ordered = spec.pod_management == PodManagement::ordered_ready;
  recreates = spec.strategy == Strategy::recreate && gates.recreate;
  deleting = set->meta.terminating();
}

void Facts::read_history(const View& seen) {
  for (const Revision* revision : seen.revisions.all) {
    const bool reachable = revision->meta.controller() == nullptr || revision->meta.controlled_by(set->meta.uid);
    if (reachable && set->spec->selector.matches(revision->meta.labels.get())) history.push_back(revision);
  }
  std::ranges::sort(history, older);
}

void Facts::resolve_revisions(const Sync& sync, const Gates& gates) {
  const PodTemplate& wanted = *set->spec->pod_template;
  update = recorded_by(sync, *set, wanted);
  // With the gate on, a newest revision that only means the same as the template may be kept. If the controller went
  // back to an older one of the same bytes instead, it renumbered that one, and recorded_by() has found it.
  const bool meant = gates.semantic_revisions && !history.empty() && history.back()->data.holds(wanted);
  if (update == nullptr && meant) update = history.back();
  for (auto at = history.rbegin(); update == nullptr && at != history.rend(); ++at)
    if (same((*at)->data.bytes, template_bytes)) update = *at;
  if (update != nullptr) update_name = update->meta.name;
  const auto named = std::ranges::find_if(
      history, [&](const Revision* revision) { return revision->meta.name == set->status.current_revision; });
  current = named != history.end() ? *named : update;
  if (current != nullptr) current_name = current->meta.name;
}

void Facts::lay_out_slots() {
  slots.resize(static_cast<std::size_t>(replicas));
  for (std::int32_t i = 0; i < replicas; ++i)
    slots[static_cast<std::size_t>(i)] = {static_cast<Ordinal>(set->spec->ordinal_at(i)), nullptr};
}

void Facts::read_pods(const Sync& sync) {
  lay_out_slots();
  for (const Pod* pod : sync.seen.pods.all) {
    const OwnerReference* controller = pod->meta.controller();
    if (controller != nullptr && controller->uid != set->meta.uid) continue;
    const Member member = parse_member(pod->meta.name);
    if (member.parent != set->meta.name.view() || !set->spec->selector.matches(pod->meta.labels.get())) continue;
    if (is_nobodys(*pod, member)) {
      if (controller != nullptr) lookalikes.push_back(pod);
      continue;
    }
    if (controller == nullptr && !adopts(*pod, sync)) continue;
    claimed.push_back(pod);
    if (member.ordinal == Ordinal::none) continue;
    place(*pod, member);
    note_next_available(*pod, sync);
  }
  std::ranges::sort(condemned, [](const Pod* a, const Pod* b) {
    const std::int32_t left = number(parse_member(a->meta.name).ordinal);
    const std::int32_t right = number(parse_member(b->meta.name).ordinal);
    return left != right ? left > right : a->meta.name > b->meta.name;
  });
}

bool Facts::is_nobodys(const Pod& pod, const Member& member) const {
  return only_canonical && member.ordinal != Ordinal::none && !is_given_name(pod.meta.name);
}

bool Facts::adopts(const Pod& orphan, const Sync& sync) {
  if (deleting || orphan.meta.terminating()) return false;
  orphans.push_back(&orphan);
  if (!was_adopted(sync.calls, Kind::pod, orphan.meta.name, set->meta.uid)) return false;
  adopted.push_back(&orphan);
  return true;
}

void Facts::place(const Pod& pod, const Member& member) {
  const bool canonical = is_given_name(pod.meta.name);
  irregular = irregular || !canonical;
  const auto index = place_of(member.ordinal);
  if (!index) condemned.push_back(&pod);
  else if (canonical) slots[static_cast<std::size_t>(*index)].pod = &pod;
}

void Facts::count_unavailable() {
  std::int32_t index = 0;
  for (const Slot& slot : slots) {
    const bool is_unavailable = slot.pod == nullptr || slot.pod->meta.terminating() || !available(*slot.pod);
    unavailable += is_unavailable ? 1 : 0;
    unavailable_in_update += is_unavailable && index >= partition ? 1 : 0;
    ++index;
  }
}

void Facts::note_next_available(const Pod& pod, const Sync& sync) {
  if (!running_and_ready(pod) || pod.meta.terminating() || available(pod) || !pod.ready_changed ||
      is_removed(pod, sync))
    return;
  const Time due = *pod.ready_changed + Time::seconds(min_ready_seconds);
  next_available = std::min(next_available.value_or(due), due);
}

void Facts::count_pods() {
  if (deleting) {
    for (const Pod* pod : claimed) count(*pod);
    return;
  }
  for (const Slot& slot : slots)
    if (slot.pod != nullptr) count(*slot.pod);
  for (const Pod* pod : condemned) count(*pod);
}

void Facts::count(const Pod& pod) {
  if (pod.phase == Phase::none) return;
  ++recount.existing;
  if (running_and_ready(pod)) {
    ++recount.ready;
    recount.available += available(pod) ? 1 : 0;
    recount.surely_available += surely_available(pod) ? 1 : 0;
  }
  const Text* label = pod.meta.terminating() ? nullptr : pod.meta.label(label_revision);
  if (label == nullptr) return;
  recount.updated += *label == update_name ? 1 : 0;
  recount.current += *label == current_name ? 1 : 0;
}

void Facts::read_removals(const Sync& sync) {
  std::vector<Text> refused;
  for (const Call& call : sync.calls) {
    if (!call.is(Verb::remove, Kind::pod)) continue;
    Removed& removed = removals.emplace_back();
    removed.call = &call;
    removed.again = std::ranges::find(refused, call.request.name) != refused.end();
    if (call.reply.code == Code::conflict || may_pass(call.reply.code)) refused.push_back(call.request.name);
    removed.pod = sync.seen.pods.find(call.request.name);
    if (removed.pod != nullptr) explain(removed);
  }
}

void Facts::explain(Removed& removed) const {
  const Pod& pod = *removed.pod;
  const Ordinal ordinal = parse_member(pod.meta.name).ordinal;
  if (!claims(pod)) {
    removed.why = Removal::foreign;
  } else if (ordinal == Ordinal::none) {
    removed.why = Removal::nameless;
  } else if (const auto index = place_of(ordinal); !index) {
    removed.why = Removal::condemned;
  } else {
    removed.index = *index;
    removed.why = terminal(pod) ? Removal::terminal : outdated(pod) ? Removal::outdated : Removal::current;
  }
}

const Revision* Facts::revision_named(std::string_view name) const {
  if (update != nullptr && update_name == name) return update;
  return current != nullptr && current_name == name ? current : nullptr;
}

bool Facts::claims(const Pod& pod) const {
  const Member member = parse_member(pod.meta.name);
  if (set == nullptr || member.parent != set->meta.name.view() || is_nobodys(pod, member)) return false;
  if (pod.meta.controller() == nullptr) return std::ranges::find(adopted, &pod) != adopted.end();
  return pod.meta.controlled_by(set->meta.uid) && set->spec->selector.matches(pod.meta.labels.get());
}

bool Facts::ready_for_at_least(const Pod& pod, std::int32_t seconds, Time now) {
  if (!pod.ready || seconds == 0) return pod.ready;
  return pod.ready_changed && *pod.ready_changed + Time::seconds(seconds) <= now;
}

bool Facts::ready_for_longer(const Pod& pod, std::int32_t seconds, Time now) {
  if (!pod.ready || seconds == 0) return pod.ready;
  return pod.ready_changed && *pod.ready_changed + Time::seconds(seconds) < now;
}

Budget Facts::budget_of(const StatefulSetSpec& spec, std::int64_t pods_in_all) {
  if (!spec.rolling_update || !spec.rolling_update->max_unavailable) return {};
  const IntOrPercent most = *spec.rolling_update->max_unavailable;
  const auto at_least_one = [](std::int64_t pods) {
    return static_cast<std::int32_t>(std::max<std::int64_t>(1, pods));
  };
  if (!most.percent) return {at_least_one(most.value), at_least_one(most.value)};
  const std::int64_t hundredths = pods_in_all * most.value;
  return {at_least_one(hundredths / 100), at_least_one((hundredths + 99) / 100)};
}

bool Facts::running_and_ready(const Pod& pod) { return pod.phase == Phase::running && pod.ready; }

bool Facts::outdated(const Pod& pod) const { return !is_at(pod, update_name); }

}  // namespace ordeal::properties
