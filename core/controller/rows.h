// The rows of the table of rules, one by one, so that two tables can be compared, and made of one another, row by row.
// Covered by properties/mutants/mutants_test.cpp, which wants every row of Rules here.
#pragma once

#include <array>
#include <string_view>

#include "core/controller/rules_table.h"

namespace ordeal {

struct RuleRow {
  std::string_view name;
  bool (*differs)(const Rules& a, const Rules& b);
  void (*take)(Rules& to, const Rules& from);
};

#define ORDEAL_ROW(member)                                                        \
  RuleRow {                                                                       \
    #member, [](const Rules& a, const Rules& b) { return a.member != b.member; }, \
        [](Rules& to, const Rules& from) { to.member = from.member; }             \
  }

/// All but the name. That none is missing is a test: it compares with the number of members.
inline constexpr auto rule_rows = std::to_array<RuleRow>({
    // Whose pod is it
    ORDEAL_ROW(is_member),
    ORDEAL_ROW(claiming),
    ORDEAL_ROW(confirms),
    ORDEAL_ROW(confirms_revisions),
    ORDEAL_ROW(confirms_once),
    ORDEAL_ROW(own_pods_first),
    ORDEAL_ROW(released),
    ORDEAL_ROW(may_work),
    ORDEAL_ROW(place_of),
    // What is made
    ORDEAL_ROW(build_pod),
    ORDEAL_ROW(repair_pod),
    ORDEAL_ROW(build_claim),
    ORDEAL_ROW(build_revision),
    ORDEAL_ROW(identity_matches),
    ORDEAL_ROW(storage_matches),
    // Revisions
    ORDEAL_ROW(revision_data),
    ORDEAL_ROW(precedes),
    ORDEAL_ROW(next_number),
    ORDEAL_ROW(same_revision),
    ORDEAL_ROW(same_meaning),
    ORDEAL_ROW(choose_revision),
    ORDEAL_ROW(reuses),
    ORDEAL_ROW(current_revision),
    ORDEAL_ROW(side_of_missing),
    ORDEAL_ROW(surplus_revisions),
    ORDEAL_ROW(pods_keep_revisions),
    ORDEAL_ROW(status_keeps_revisions),
    ORDEAL_ROW(records_while_deleting),
    ORDEAL_ROW(adopts_owned_revisions),
    // Claims
    ORDEAL_ROW(claim_target),
    ORDEAL_ROW(claims_pass_over_reserved),
    ORDEAL_ROW(claim_is_right),
    ORDEAL_ROW(dies_without_policy),
    ORDEAL_ROW(claim_owners),
    ORDEAL_ROW(claim_is_stale),
    ORDEAL_ROW(claim_is_usable),
    ORDEAL_ROW(restores_claims),
    ORDEAL_ROW(mends_claims_once),
    ORDEAL_ROW(repairs_again),
    ORDEAL_ROW(touches_pod_for_claims),
    ORDEAL_ROW(writes_into_cache),
    ORDEAL_ROW(shares_claim_labels),
    // Pods
    ORDEAL_ROW(available),
    ORDEAL_ROW(is_terminal),
    ORDEAL_ROW(unhealthy),
    ORDEAL_ROW(holds_back),
    ORDEAL_ROW(terminal_pods),
    ORDEAL_ROW(stop_ends_parallel),
    ORDEAL_ROW(forced_rollback),
    ORDEAL_ROW(left_to_update),
    ORDEAL_ROW(mends_claims_while_waiting),
    // Scaling down
    ORDEAL_ROW(condemned_before),
    ORDEAL_ROW(condemned_choice),
    ORDEAL_ROW(marks_claims_first),
    ORDEAL_ROW(marks_lowest_first),
    ORDEAL_ROW(scales_down_first),
    // Updates
    ORDEAL_ROW(partition),
    ORDEAL_ROW(budget),
    ORDEAL_ROW(used_up),
    ORDEAL_ROW(may_update),
    ORDEAL_ROW(updates_one_by_one),
    ORDEAL_ROW(updates_in_order),
    ORDEAL_ROW(updates_in_parallel),
    ORDEAL_ROW(recreation),
    ORDEAL_ROW(recreate_needs_gate),
    ORDEAL_ROW(recreate_in_batches),
    ORDEAL_ROW(recreate_marks_claims),
    ORDEAL_ROW(recreate_lowers_current),
    // Deleting
    ORDEAL_ROW(mends_claims_first),
    ORDEAL_ROW(precondition),
    ORDEAL_ROW(propagation),
    ORDEAL_ROW(missing_is_deleted),
    // Status
    ORDEAL_ROW(tally),
    ORDEAL_ROW(counts_displaced),
    ORDEAL_ROW(uncounts_the_going),
    ORDEAL_ROW(lowers_current),
    ORDEAL_ROW(completes),
    ORDEAL_ROW(tells),
    ORDEAL_ROW(status_differs),
    ORDEAL_ROW(status_after_failure),
    ORDEAL_ROW(prunes_after_failure),
    ORDEAL_ROW(requeue),
    // Calls
    ORDEAL_ROW(next_batch),
    ORDEAL_ROW(update_attempts),
    ORDEAL_ROW(bump_attempts),
    ORDEAL_ROW(status_attempts),
    ORDEAL_ROW(remembers),
    ORDEAL_ROW(behind),
    ORDEAL_ROW(live_caches),
    ORDEAL_ROW(remembers_until_seen),
    // Events
    ORDEAL_ROW(telling),
    ORDEAL_ROW(wake_margin),
});

#undef ORDEAL_ROW

/// Converts to the type of any member.
struct Anything {
  template <class T>
  constexpr operator T() const;
};
/// How many members an aggregate has.
template <class Aggregate, class... Members>
consteval std::size_t member_count() {
  if constexpr (requires { Aggregate{Members{}..., Anything{}}; }) {
    return member_count<Aggregate, Members..., Anything>();
  } else {
    return sizeof...(Members);
  }
}

}  // namespace ordeal
