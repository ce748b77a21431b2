#include "properties/invariants/deletion.h"

#include <algorithm>
#include <array>

#include "core/api/names.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/removal.h"
#include "properties/evidence/waits.h"
#include "properties/invariants/words.h"

namespace ordeal::properties::deletion {
namespace {

std::string deleted(const Moment& m, std::string_view what) {
  return words("pod ", m.call->request.name, " was deleted, but ", what);
}

Judgement judge_outdated(const Moment& m, const Removed& removed) {
  switch (m.facts->set->spec->strategy) {
    case Strategy::recreate:
      return Judgement::of(m.facts->recreates, [&] { return deleted(m, "the gate of Recreate is off"); });
    case Strategy::on_delete: return Judgement::broken(deleted(m, "with OnDelete only users update pods"));
    case Strategy::rolling_update: break;
  }
  return Judgement::of(removed.index >= m.facts->partition,
                       [&] { return deleted(m, words("it is below the partition, ", m.facts->partition)); });
}

/// What deletions a turn consists of, and the first of each.
struct Purposes {
  std::array<int, 3> count{};  // failed, surplus, outdated
  int different() const { return (count[0] > 0) + (count[1] > 0) + (count[2] > 0); }
};
Purposes purposes_of(const Moment& m) {
  Purposes found;
  each_removal(m, [&](const Removed& removed) {
    if (removed.why == Removal::terminal) ++found.count[0];
    if (removed.why == Removal::condemned) ++found.count[1];
    if (removed.why == Removal::outdated) ++found.count[2];
  });
  return found;
}

bool takes_turns(const Facts& facts) {
  return is_regular(facts) && facts.ordered && facts.set->spec->strategy != Strategy::recreate;
}

}  // namespace

Judgement justified(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::broken(deleted(m, "its set is not there"));
  const Removed& removed = removed_by(m, *m.call);
  switch (removed.why) {
    case Removal::unseen: return Judgement::broken(deleted(m, "the controller was shown no such pod"));
    case Removal::foreign:
    case Removal::nameless: return Judgement::not_applicable();  // deletion.only-own-pods
    case Removal::condemned:
    case Removal::terminal: return Judgement::held();
    case Removal::outdated: return judge_outdated(m, removed);
    case Removal::current: break;
  }
  return Judgement::broken(deleted(m, "it is in range, up to date, and has not ended"));
}

Judgement only_own_pods(const Moment& m) {
  if (m.facts->set == nullptr) return Judgement::not_applicable();
  const Removal why = removed_by(m, *m.call).why;
  if (why == Removal::unseen || made_before(m)) return Judgement::not_applicable();
  return Judgement::of(why != Removal::foreign && why != Removal::nameless,
                       [&] { return deleted(m, "it is not one of the set's members"); });
}

Judgement not_twice(const Moment& m) {
  const Pod* pod = m.sync->seen.pods.find(m.call->request.name);
  if (pod == nullptr) return Judgement::not_applicable();
  return Judgement::of(!pod->meta.terminating(), [&] { return deleted(m, "it was terminating already"); });
}

Judgement the_pod_it_saw(const Moment& m) {
  const Pod* seen = m.sync->seen.pods.find(m.call->request.name);
  if (seen == nullptr || m.call->pod_before == nullptr || !m.call->committed) return Judgement::not_applicable();
  return Judgement::of(m.call->pod_before->meta.uid == seen->meta.uid,
                       [&] { return deleted(m, "by then the name was held by a newer pod"); });
}

Judgement default_grace(const Moment& m) {
  const auto& grace = m.call->request.grace;
  const Pod* pod = removed_by(m, *m.call).pod;
  return Judgement::of(!grace || (pod != nullptr && *grace == pod->made_from->termination_grace), [&] {
    return deleted(m, words("with a grace period of ", *m.call->request.grace, " seconds instead of its own"));
  });
}

Judgement one_purpose_per_sync(const Moment& m) {
  if (!takes_turns(*m.facts)) return Judgement::not_applicable();
  const Purposes found = purposes_of(m);
  if (found.different() == 0) return Judgement::not_applicable();
  return Judgement::of(found.different() == 1, [&] {
    return words("in one turn ", found.count[0], " failed, ", found.count[1], " surplus and ", found.count[2],
                 " outdated pods were deleted");
  });
}

Judgement one_failed_pod_per_sync(const Moment& m) {
  if (!takes_turns(*m.facts)) return Judgement::not_applicable();
  const Purposes found = purposes_of(m);
  if (found.count[0] == 0) return Judgement::not_applicable();
  return Judgement::of(found.count[0] == 1,
                       [&] { return words("in one turn ", found.count[0], " failed pods were deleted"); });
}

/// One that has ended, too, is replaced first.
Judgement failed_pods_in_order(const Moment& m) {
  const Facts& facts = *m.facts;
  const Removed& removed = removed_by(m, *m.call);
  if (!takes_turns(facts) || removed.why != Removal::terminal || removed.index < 0) return Judgement::not_applicable();
  const auto below = std::span(facts.slots).first(static_cast<std::size_t>(removed.index));
  const auto holds_back = [&](const Slot& slot) { return slot.pod == nullptr || !facts.healthy(*slot.pod); };
  const auto first = std::ranges::find_if(below, holds_back);
  const bool update = facts.outdated(*removed.pod) && facts.may_update(removed.index);
  if (update) return Judgement::not_applicable();  // which goes from the top
  return Judgement::of(first == below.end(), [&] {
    return deleted(m, words("ordinal ", number(first->ordinal), " below it has no pod that is running and ready"));
  });
}

Judgement parallel_replaces_all_finished(const Moment& m) {
  const Facts& facts = *m.facts;
  if (!works_at_once(facts) || !meant_it(m)) return Judgement::not_applicable();
  const auto is_left = [](const Slot& slot) {
    return slot.pod != nullptr && Facts::terminal(*slot.pod) && !slot.pod->meta.terminating();
  };
  const auto finished = std::ranges::count_if(facts.slots, is_left);
  if (finished == 0) return Judgement::not_applicable();
  const std::int64_t replaced = purposes_of(m).count[0];
  return Judgement::of(replaced >= finished, [&] {
    return words("of ", finished, " pods that have ended only ", replaced, " were replaced, though nothing failed");
  });
}

}  // namespace ordeal::properties::deletion
