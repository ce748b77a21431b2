#include "properties/evidence/given.h"

#include <algorithm>

#include "properties/evidence/facts.h"
#include "properties/evidence/history.h"

namespace ordeal::properties {
namespace {

std::uint32_t if_so(bool so, Given given) { return so ? given : 0u; }

std::uint32_t given_by_set(const Facts& facts) {
  if (facts.set == nullptr) return set_is_gone;
  const bool has_outdated = std::ranges::any_of(facts.claimed, [&](const Pod* pod) { return facts.outdated(*pod); });
  return if_so(is_regular(facts), set_is_regular) | if_so(facts.deleting, set_is_going) |
         if_so(facts.rolling(), set_is_rolling) | (facts.ordered ? in_order : in_parallel) |
         if_so(!facts.set->spec->claim_templates.empty(), wants_claims) | if_so(has_outdated, some_outdated) |
         if_so(!facts.condemned.empty(), some_surplus);
}

std::uint32_t given_by_turn(const Sync& sync, const Facts& facts) {
  return if_so(facts.clean, turn_is_clean) | if_so(sync.result.failed, turn_failed) |
         if_so(sync.met_a_failure(), call_failed) | if_so(!sync.wrote(), turn_is_quiet) |
         if_so(!facts.removals.empty(), turn_removes) | if_so(!sync.queued, turn_unasked) |
         if_so(sync.gates.stale_guard, with_stale_guard);
}

}  // namespace

std::uint32_t given_in(const Moment& moment) {
  const Sync& sync = *moment.sync;
  const Facts& facts = *moment.facts;
  const Sync* last = moment.history.last_sync;
  return given_by_set(facts) | given_by_turn(sync, facts) | if_so(facts.next_available.has_value(), awaits_available) |
         if_so(last != nullptr && last->seen.reached == sync.seen.reached, shown_nothing_new);
}

}  // namespace ordeal::properties
