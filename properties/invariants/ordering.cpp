#include "properties/invariants/ordering.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/api/names.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/one_view.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::ordering {
namespace {

/// The place a new pod of an OrderedReady set is for; nothing when order does not matter or the place is not its own.
std::optional<std::size_t> ordered_place(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!is_regular(facts) || !facts.ordered) return std::nullopt;
  const auto index = facts.place_of(parse_member(m.call->request.name).ordinal);
  return index ? std::optional(static_cast<std::size_t>(*index)) : std::nullopt;
}

/// Holds when `fine(pod)` for every pod that is there below the new one; applies when there is one.
template <class Fine>
Judgement of_predecessors(const Moment& m, Fine fine, std::string_view what) {
  const auto place = ordered_place(m);
  if (!place || *place == 0) return Judgement::not_applicable();
  for (std::size_t i = 0; i < *place && i < m.facts->slots.size(); ++i) {
    const Pod* pod = m.facts->slots[i].pod;
    if (pod != nullptr && !fine(*pod))
      return Judgement::broken(words("pod ", m.call->request.name, " was created while ", pod->meta.name, what));
  }
  return Judgement::held();
}

/// The answer says for certain that nothing was made, since it is there, or deleted, since it is gone.
bool came_to_nothing(const Call& call) {
  return call.reply.code == Code::already_exists || call.reply.code == Code::not_found;
}

bool is_missing(const Slot& slot) { return slot.pod == nullptr; }

}  // namespace

Judgement one_create_per_sync(const Moment& m) {
  if (m.facts->set == nullptr || !m.facts->ordered) return Judgement::not_applicable();
  const Call* first = nullptr;
  for (const Call& call : m.sync->calls) {
    const bool made = call.reply.ok() || call.reply.code == Code::timeout;  // perhaps
    if (!call.is(Verb::create, Kind::pod) || !made) continue;
    if (first != nullptr && first->request.name != call.request.name)
      return Judgement::broken(
          words("pods ", first->request.name, " and ", call.request.name, " were created in the same turn"));
    first = &call;
  }
  return first == nullptr ? Judgement::not_applicable() : Judgement::held();
}

Judgement lowest_first(const Moment& m) {
  const auto place = ordered_place(m);
  if (!place) return Judgement::not_applicable();
  const auto before = std::span(m.facts->slots).first(std::min(*place, m.facts->slots.size()));
  const auto missing = std::ranges::find_if(before, is_missing);
  return Judgement::of(missing == before.end(), [&] {
    return words("pod ", m.call->request.name, " was created while ordinal ", number(missing->ordinal), " was missing",
                 is_name_taken(m, *missing) ? ": the pod of that name is not the set's" : "");
  });
}

Judgement predecessors_ready(const Moment& m) {
  const auto fine = [](const Pod& pod) { return Facts::running_and_ready(pod) && !pod.meta.terminating(); };
  return of_predecessors(m, fine, " was not Running and Ready");
}

Judgement predecessors_available(const Moment& m) {
  if (m.facts->min_ready_seconds == 0) return Judgement::not_applicable();
  const auto fine = [&](const Pod& pod) { return !pod.ready || m.facts->available(pod); };
  return of_predecessors(m, fine, " had not been ready for minReadySeconds");
}

Judgement created_by_one_view(const Moment& m) {
  return by_one_view(m, lowest_first, {predecessors_ready, predecessors_available});
}

Judgement create_or_delete(const Moment& m) {
  if (m.facts->set == nullptr || !m.facts->ordered) return Judgement::not_applicable();
  const Call *created = nullptr, *deleted = nullptr;
  for (const Call& call : m.sync->calls) {
    if (came_to_nothing(call)) continue;
    if (call.is(Verb::create, Kind::pod)) created = &call;
    if (call.is(Verb::remove, Kind::pod)) deleted = &call;
  }
  if (created == nullptr && deleted == nullptr) return Judgement::not_applicable();
  return Judgement::of(created == nullptr || deleted == nullptr, [&] {
    return words("pod ", created->request.name, " was created and pod ", deleted->request.name,
                 " deleted in the same turn");
  });
}

Judgement parallel_creates_all(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!works_at_once(facts)) return Judgement::not_applicable();
  if (std::ranges::none_of(facts.slots, is_missing) || !meant_it(m)) return Judgement::not_applicable();
  std::vector<Text> made;
  for (const Call& call : m.sync->calls)
    if (call.is(Verb::create, Kind::pod)) made.push_back(call.request.name);
  std::ranges::sort(made);
  bool applied = false;
  for (const Slot& slot : facts.slots) {
    if (!is_missing(slot) || is_name_taken(m, slot) || claim_is_left_behind(m, slot.ordinal)) continue;
    applied = true;
    const Text name = pod_name(facts.set->meta.name, slot.ordinal);
    if (!std::ranges::binary_search(made, name))
      return Judgement::broken(words("pod ", name, " is missing and was not created, though nothing failed"));
  }
  return applied ? Judgement::held() : Judgement::not_applicable();
}

Judgement none_while_deleting(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  return Judgement::of(!m.facts->deleting, [&] {
    return words("pod ", m.call->request.name, " was created while its set is being deleted");
  });
}

}  // namespace ordeal::properties::ordering
