// The table that keeps every promise, written as what differs from Kubernetes 1.37. README.md says why, row by row.
#include "core/controller/decisions.h"

namespace ordeal {

namespace {

Rules make_strict() {
  Rules rules = kubernetes_1_37_rules();
  rules.name = "strict";
  rules.is_member = decide::canonical_names_are_members;
  rules.claiming = decide::claim_adopt_or_release_strangers;
  rules.confirms_once = true;
  rules.own_pods_first = false;
  rules.choose_revision = decide::newest_in_meaning_then_earlier;
  rules.reuses = decide::reuse_what_will_be_listed;
  rules.status_keeps_revisions = true;
  rules.records_while_deleting = false;
  rules.build_claim = decide::build_claim_of_its_set;
  rules.claim_is_stale = decide::names_an_earlier_owner;
  rules.claim_is_usable = decide::not_terminating_or_held_by_its_pod;
  rules.claim_owners = decide::owners_by_policy_at_once;
  rules.mends_claims_once = true;
  rules.repairs_again = false;
  rules.touches_pod_for_claims = false;
  rules.unhealthy = decide::not_serving;
  rules.forced_rollback = decide::highest_broken_outdated;
  rules.left_to_update = decide::outdated_without_its_volumes;
  rules.mends_claims_while_waiting = true;
  rules.scales_down_first = true;
  rules.condemned_choice = decide::highest_in_any_case;
  rules.may_update = decide::outdated_seen_and_not_deleted;
  rules.updates_one_by_one = decide::next_that_costs_no_second;
  rules.updates_in_parallel = decide::broken_that_it_helps_then_budget;
  rules.recreate_in_batches = false;
  rules.recreate_marks_claims = true;
  rules.recreate_lowers_current = true;
  rules.mends_claims_first = true;
  rules.precondition = Precondition::uid;
  rules.missing_is_deleted = decide::all_missing_are_deleted;
  rules.lowers_current = decide::lowers_if_counted;
  rules.completes = decide::complete_by_places;
  rules.tells = decide::progress_since_pods_were_stopped;
  rules.status_differs = decide::any_field_differs;
  rules.requeue = decide::soonest_change;
  rules.remembers = decide::pods_claims_and_sets;
  rules.live_caches = false;
  rules.remembers_until_seen = false;
  rules.bump_attempts = 4;
  rules.wake_margin = 1;
  return rules;
}

}  // namespace

const Rules& strict_rules() {
  static const Rules strict = make_strict();
  return strict;
}

}  // namespace ordeal
