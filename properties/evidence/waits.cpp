#include "properties/evidence/waits.h"

#include <algorithm>

#include "properties/evidence/at_rest.h"
#include "properties/evidence/claims.h"
#include "properties/evidence/history.h"
#include "properties/evidence/lookup.h"
#include "properties/evidence/turn.h"

namespace ordeal::properties {
namespace {

bool is_going(const Claim& claim) { return claim.meta.terminating(); }

template <class Holds>
bool any_claim_at(const Moment& m, Ordinal ordinal, Holds holds) {
  bool found = false;
  each_claim(*m.facts->set, ordinal, [&](const Text& name) {
    const Claim* claim = m.sync->seen.claims.find(name);
    found = found || (claim != nullptr && holds(*claim));
  });
  return found;
}

/// It is one of the two that a turn works with, or the newest, which the template is compared with.
bool is_to_be_read(const Facts& facts, const Revision& held) {
  const StatefulSetStatus& status = facts.set->status;
  return &held == facts.history.back() || &held == facts.update || &held == facts.current ||
         held.meta.name == status.current_revision || held.meta.name == status.update_revision;
}

bool claim_is_in_the_way(const Moment& m, Ordinal ordinal) {
  return claim_leaves(m, ordinal) || claim_is_left_behind(m, ordinal);
}

}  // namespace

bool may_stop_for_all(const Moment& m) {
  const auto is_unreadable = [&](const Revision* revision) {
    return revision->data.decoded == nullptr && is_to_be_read(*m.facts, *revision);
  };
  const auto is_unseen = [&](Kind kind) { return is_behind(*m.sync, m.history.told.touched, kind); };
  return m.facts->is_ruled_out() || m.as_remembered || m.sync->has_read_news() || was_told_its_set_goes(*m.sync) ||
         std::ranges::any_of(m.facts->history, is_unreadable) || std::ranges::any_of(every_kind, is_unseen);
}

bool claim_leaves(const Moment& m, Ordinal ordinal) { return any_claim_at(m, ordinal, is_going); }

bool holds_a_leaving_claim(const Slot& slot, const Listing<Claim>& claims) {
  const Pod* pod = slot.pod;
  if (pod == nullptr || pod->phase != Phase::pending || !protects_claims(*pod)) return false;
  return std::ranges::any_of(*pod->volumes, [&](const Volume& volume) {
    const Claim* claim = volume.claim.empty() ? nullptr : claims.find(volume.claim);
    return claim != nullptr && is_going(*claim);
  });
}

bool comes_again_for_a_place(const Moment& m) {
  constexpr Time before_long = Time::seconds(60);
  const std::optional<Time>& next = m.sync->result.requeue_after;
  if (!next || *next > before_long) return false;
  return std::ranges::any_of(m.facts->slots, [&](const Slot& slot) {
    const bool runs = slot.pod != nullptr && slot.pod->phase == Phase::running;
    return !runs && (claim_leaves(m, slot.ordinal) || is_name_taken(m, slot));
  });
}

bool claim_is_left_behind(const Moment& m, Ordinal ordinal) {
  const auto owners = owners_wanted(*m.facts, ordinal);
  return owners && any_claim_at(m, ordinal, [&](const Claim& claim) { return owners->names_earlier(claim); });
}

bool may_wait_at(const Moment& m, Ordinal ordinal) {
  return is_name_taken(m, {ordinal, pod_at(*m.facts, ordinal)}) || claim_is_in_the_way(m, ordinal);
}

bool may_wait_somewhere(const Moment& m) {
  return std::ranges::any_of(
      m.facts->slots, [&](const Slot& slot) { return is_name_taken(m, slot) || claim_is_in_the_way(m, slot.ordinal); });
}

bool fails_for_a_place(const Moment& m) {
  const Sync& sync = *m.sync;
  const bool by_itself = sync.result.failed && !sync.died && sync.fresh && !something_went_wrong(sync);
  return by_itself && m.facts->set != nullptr && !may_stop_for_all(m) && !blocked_by_unrepairable_pod(*m.facts) &&
         may_wait_somewhere(m);
}

bool fails_first(const Moment& m) {
  const Sync* last = last_turn(m);
  const Sync& sync = *m.sync;
  return !sync.died && sync.result.failed && (last == nullptr || !may_have_failed(*last)) && !sync.timer;
}

}  // namespace ordeal::properties
