// The tables. strict is written as what differs from the newest release; README.md says why, row by row.
#include "core/controller/decisions.h"

namespace ordeal {

namespace {

constexpr Rules kubernetes_1_37{
    .name = "kubernetes-1.37",
    .is_member = decide::any_digits_are_a_member,
    .claiming = decide::claim_adopt_or_release,
    .confirms = decide::same_and_staying,
    .released = decide::gone_or_refused,
    .may_work = decide::unless_deleting,
    .place_of = decide::by_start_and_replicas,
    .build_pod = decide::build_pod,
    .repair_pod = decide::repair_pod,
    .build_claim = decide::build_claim,
    .build_revision = decide::build_revision,
    .identity_matches = decide::identity_matches,
    .storage_matches = decide::storage_matches,
    .precedes = decide::by_number_age_and_name,
    .next_number = decide::last_number_plus_one,
    .same_revision = decide::same_bytes_unless_hashes_differ,
    .same_meaning = decide::same_patch_when_decoded,
    .choose_revision = decide::newest_then_earlier_then_meaning,
    .reuses = decide::reuse_whoevers,
    .current_revision = decide::named_by_status,
    .side_of_missing = decide::below_partition_or_count,
    .surplus_revisions = decide::beyond_limit_unless_negative,
    .pods_keep_revisions = true,
    .status_keeps_revisions = false,
    .records_while_deleting = true,
    .claim_target = decide::target_by_policy,
    .claim_is_right = decide::owners_follow_policy,
    .claim_owners = decide::owners_by_policy,
    .claim_is_stale = decide::names_an_earlier_pod,
    .claim_is_usable = decide::not_terminating,
    .restores_claims = decide::while_pending,
    .touches_pod_for_claims = true,
    .available = decide::ready_for_longer,
    .is_terminal = decide::failed_or_succeeded,
    .unhealthy = decide::terminating_or_not_available,
    .holds_back = decide::until_running_ready_available,
    .terminal_pods = TerminalPods::wait_until_gone,
    .forced_rollback = decide::no_forced_rollback,
    .condemned_before = decide::highest_ordinal_first,
    .condemned_choice = decide::highest_if_healthy_or_only_broken,
    .marks_claims_first = true,
    .partition = decide::partition_or_zero,
    .budget = decide::floor_at_least_one,
    .may_update = decide::outdated_and_staying,
    .updates_one_by_one = decide::next_from_the_top,
    .updates_in_order = decide::as_many_as_the_budget,
    .updates_in_parallel = decide::broken_then_budget,
    .recreation = decide::all_old_ones_first,
    .precondition = Precondition::none,
    .missing_is_deleted = decide::missing_pods_are_deleted,
    .tally = decide::count_what_exists,
    .lowers_current = decide::always_lowers,
    .completes = decide::complete_by_counts,
    .status_differs = decide::newer_or_other_counts,
    .status_after_failure = true,
    .requeue = decide::soonest_available_or_all_of_it,
    .next_batch = decide::doubling_to_500,
    .update_attempts = 4,
    .status_attempts = 5,
    .remembers = decide::pods_claims_and_sets_but_deletions,
    .behind = decide::older_than_written,
};

constexpr Rules make_strict() {
  Rules rules = kubernetes_1_37;
  rules.name = "strict";
  rules.is_member = decide::canonical_names_are_members;
  rules.claiming = decide::claim_adopt_or_release_strangers;
  rules.same_revision = decide::same_bytes;
  rules.choose_revision = decide::newest_in_meaning_then_earlier;
  rules.reuses = decide::reuse_what_will_be_listed;
  rules.status_keeps_revisions = true;
  rules.records_while_deleting = false;
  rules.claim_is_stale = decide::names_an_earlier_owner;
  rules.touches_pod_for_claims = false;
  rules.unhealthy = decide::not_serving;
  rules.forced_rollback = decide::highest_broken_outdated;
  rules.condemned_choice = decide::highest_in_any_case;
  rules.may_update = decide::outdated_seen_and_not_deleted;
  rules.updates_one_by_one = decide::next_that_costs_no_second;
  rules.updates_in_parallel = decide::broken_that_it_helps_then_budget;
  rules.precondition = Precondition::uid;
  rules.missing_is_deleted = decide::all_missing_are_deleted;
  rules.lowers_current = decide::lowers_if_counted;
  rules.completes = decide::complete_by_places;
  rules.status_differs = decide::any_field_differs;
  rules.requeue = decide::soonest_change;
  rules.remembers = decide::pods_claims_and_sets;
  return rules;
}
constexpr Rules strict = make_strict();

}  // namespace

const Rules& strict_rules() { return strict; }
const Rules& kubernetes_1_37_rules() { return kubernetes_1_37; }

}  // namespace ordeal
