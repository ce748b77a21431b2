// The decisions that rows of the table are made of: small, pure, one question each. A name says what is decided, and
// where there is more than one answer, which one it is. semantics.md has the questions; README.md says why strict
// differs.
#pragma once

#include "core/controller/rules_table.h"

namespace ordeal::decide {

// Whose pod is it (decide_ownership.cpp)
bool any_digits_are_a_member(std::string_view set, std::string_view pod, const Member& parsed);
bool canonical_names_are_members(std::string_view set, std::string_view pod, const Member& parsed);
Claiming claim_adopt_or_release(const ObjectMeta& set, const ObjectMeta& pod, Fit fit);
Claiming claim_adopt_or_release_strangers(const ObjectMeta& set, const ObjectMeta& pod, Fit fit);
bool same_and_staying(const StatefulSet& seen, const StatefulSet& live);
bool same_uid(const StatefulSet& seen, const StatefulSet& live);
bool gone_or_refused(Code reply);
bool unless_deleting(const StatefulSet& set);
std::optional<std::size_t> by_start_and_replicas(const StatefulSetSpec& spec, Ordinal ordinal, std::size_t places);

// What is made (build.cpp, build_older.cpp)
Pod build_pod(const StatefulSet& set, const Shared<PodTemplate>& from, const Text& revision, Ordinal ordinal);
Pod repair_pod(const StatefulSet& set, const Pod& pod, Ordinal ordinal);
Pod build_pod_without_index(const StatefulSet& set, const Shared<PodTemplate>& from, const Text& revision,
                            Ordinal ordinal);
Pod build_pod_over_newest(const StatefulSet& set, const Shared<PodTemplate>& from, const Text& revision,
                          Ordinal ordinal);
Pod repair_pod_without_index(const StatefulSet& set, const Pod& pod, Ordinal ordinal);
Claim build_claim(const StatefulSet& set, const ClaimTemplate& from, const Text& name);
Claim build_claim_of_its_set(const StatefulSet& set, const ClaimTemplate& from, const Text& name);
Revision build_revision(const StatefulSet& set, const Candidate& candidate, const Text& suffix, std::int64_t number);
bool identity_matches(const StatefulSet& set, const Pod& pod, Ordinal ordinal);
bool storage_matches(const StatefulSet& set, const Pod& pod, Ordinal ordinal);
OwnerReference controlled_by(const ObjectMeta& set);
/// Whether `claim` is the name of the claim of this template for the pod "<set>-<ordinal>". Builds no string.
bool is_claim_name(std::string_view claim, std::string_view claim_template, std::string_view set, Ordinal ordinal);

// Revisions (decide_revisions.cpp)
bool by_number_age_and_name(const Revision* a, const Revision* b);
std::int64_t last_number_plus_one(std::span<const Revision* const> listed);
Shared<std::string> encoded(const PodTemplate& pod_template);
Shared<std::string> encoded_with_null_times(const PodTemplate& pod_template);
bool same_bytes(const Revision& held, const Candidate& candidate);
bool same_bytes_unless_hashes_differ(const Revision& held, const Candidate& candidate);
bool same_patch_when_decoded(const Revision& held, const Candidate& candidate);
/// As below, but pods at a newest revision that only means the same are not restarted for an older one of the same
/// bytes.
RevisionChoice newest_in_meaning_then_earlier(std::span<const Revision* const> listed, const Candidate& candidate,
                                              const Rules& rules, const Gates& gates);
RevisionChoice newest_then_earlier_then_meaning(std::span<const Revision* const> listed, const Candidate& candidate,
                                                const Rules& rules, const Gates& gates);
RevisionChoice newest_then_earlier(std::span<const Revision* const> listed, const Candidate& candidate,
                                   const Rules& rules, const Gates& gates);
bool reuse_whoevers(const Revision& held, const StatefulSet& set);
bool reuse_nothing(const Revision& held, const StatefulSet& set);
bool reuse_what_will_be_listed(const Revision& held, const StatefulSet& set);
const Revision* named_by_status(std::span<const Revision* const> listed, const Text& name);
Side below_partition_or_count(const StatefulSetSpec& spec, std::size_t index, Ordinal ordinal,
                              std::int32_t current_replicas);
Side below_partition_by_ordinal(const StatefulSetSpec& spec, std::size_t index, Ordinal ordinal,
                                std::int32_t current_replicas);
std::size_t beyond_limit_unless_negative(std::size_t unused, std::optional<std::int32_t> limit);
/// More than there are when the limit is negative.
std::size_t beyond_limit(std::size_t unused, std::optional<std::int32_t> limit);

// Claims (decide_claims.cpp)
ClaimTarget target_by_policy(RetentionPolicy policy, bool in_range);
bool owners_follow_policy(const Owners* owners, const ClaimSide& side, const Rules& rules);
Owners owners_by_policy(const Owners* owners, const ClaimSide& side, const Rules& rules);
Owners owners_by_policy_at_once(const Owners* owners, const ClaimSide& side, const Rules& rules);
bool names_an_earlier_pod(const Owners* owners, const ClaimSide& side);
/// The collector takes a claim of an earlier pod or set of the name, whatever the policy is by now: a pod made now
/// would lose it.
bool names_an_earlier_owner(const Owners* owners, const ClaimSide& side);
bool not_terminating(const Claim& claim, const Pod* pod);
bool even_if_terminating(const Claim& claim, const Pod* pod);
bool not_terminating_or_held_by_its_pod(const Claim& claim, const Pod* pod);
bool while_pending(const Pod& pod);
bool never_restored(const Pod& pod);
bool owners_by_uid_follow_policy(const Owners* owners, const ClaimSide& side, const Rules& rules);
/// No owner becomes a controller, and others that control the claim are not looked for.
Owners plain_owners_by_policy(const Owners* owners, const ClaimSide& side, const Rules& rules);
bool names_anything_else_of_the_pods_name(const Owners* owners, const ClaimSide& side);
bool owners_are_left_alone(const Owners* owners, const ClaimSide& side, const Rules& rules);
bool never_stale(const Owners* owners, const ClaimSide& side);

// Pods (decide_pods.cpp)
bool ready_for_at_least(const Pod& pod, std::int32_t min_ready_seconds, Time now);
/// At the very moment at which minReadySeconds are over a pod is not available yet.
bool ready_for_longer(const Pod& pod, std::int32_t min_ready_seconds, Time now);
bool failed_or_succeeded(Phase phase);
bool failed_only(Phase phase);
bool terminating_or_not_available(const PodState& state);
bool terminating_or_not_ready(const PodState& state);
bool not_serving(const PodState& state);
bool until_running_ready_available(const PodState& state);
/// Also when it is being deleted.
bool until_running_ready(const PodState& state);
bool highest_ordinal_first(const PodState& a, const PodState& b);
/// Of one ordinal the one that is listed last.
bool highest_ordinal_last_listed_first(const PodState& a, const PodState& b);
std::optional<std::size_t> highest_if_healthy_or_only_broken(std::span<const PodState> condemned, const Rules& rules);
std::optional<std::size_t> highest_if_ready_or_only_broken(std::span<const PodState> condemned, const Rules& rules);
std::optional<std::size_t> highest_in_any_case(std::span<const PodState> condemned, const Rules& rules);

// Updates (decide_updates.cpp)
std::int32_t partition_or_zero(const StatefulSetSpec& spec);
std::int32_t floor_at_least_one(const StatefulSetSpec& spec);
std::int32_t floor_or_nothing(const StatefulSetSpec& spec);
std::int32_t floor_of_those_to_update(const StatefulSetSpec& spec);
std::int32_t all_unhealthy(const Rollout& rollout);
std::int32_t unhealthy_from_the_partition_on(const Rollout& rollout);
bool outdated_and_staying(const PodState& state);
bool outdated_seen_and_not_deleted(const PodState& state);
void next_from_the_top(const Rollout& rollout, std::vector<Replacement>& chosen);
void next_that_costs_no_second(const Rollout& rollout, std::vector<Replacement>& chosen);
void as_many_as_the_budget(const Rollout& rollout, std::vector<Replacement>& chosen);
void until_the_budget_is_met(const Rollout& rollout, std::vector<Replacement>& chosen);
void broken_then_budget(const Rollout& rollout, std::vector<Replacement>& chosen);
void broken_that_it_helps_then_budget(const Rollout& rollout, std::vector<Replacement>& chosen);
RecreateStage all_old_ones_first(const Rollout& rollout);
bool nothing_is_left_to_update(const Rollout& rollout, std::size_t index);
bool outdated_without_its_volumes(const Rollout& rollout, std::size_t index);
std::optional<std::size_t> no_forced_rollback(const Rollout& rollout, std::size_t stopped_at);
std::optional<std::size_t> highest_broken_outdated(const Rollout& rollout, std::size_t stopped_at);

// Deleting and calls (decide_calls.cpp)
bool missing_pods_are_deleted(Reason reason, const Gates& gates);
bool all_missing_are_deleted(Reason reason, const Gates& gates);
bool missing_outdated_pods_are_deleted(Reason reason, const Gates& gates);
bool missing_outdated_pods_are_deleted_in_a_budget(Reason reason, const Gates& gates);
bool nothing_missing_is_deleted(Reason reason, const Gates& gates);
std::size_t doubling_to_500(std::size_t previous, std::size_t remaining);
std::size_t one_after_the_other(std::size_t previous, std::size_t remaining);
bool pods_claims_and_sets(const Request& request);
/// A pod that is released is nobody's any more.
bool pods_claims_and_sets_but_losses(const Request& request);
bool nothing_is_remembered(const Request& request);
bool older_than_written(Version reached, Version written);
/// Neither of what another turn will have to look at (a conflict, a taken name), nor of claims that change owners.
Telling told_of_pods_and_claims(Verb verb, Kind kind, Code answer);

// Status (decide_status.cpp)
void count_what_exists(const PodState& state, StatefulSetStatus& status);
void count_with_own_work(const PodState& state, StatefulSetStatus& status);
void count_with_own_work_current_first(const PodState& state, StatefulSetStatus& status);
bool always_lowers(const PodState& outdated, bool deleted, const Gates& gates);
/// One at a time, and without asking how its deletion went; several only as many as are deleted.
bool lowers_before_it_asks(const PodState& outdated, bool deleted, const Gates& gates);
bool lowers_if_counted(const PodState& outdated, bool deleted, const Gates& gates);
bool any_complete_by_counts(const Rollout& rollout, const StatefulSetStatus& counted);
bool complete_by_counts(const Rollout& rollout, const StatefulSetStatus& counted);
bool complete_by_own_counts(const Rollout& rollout, const StatefulSetStatus& counted);
bool complete_by_places(const Rollout& rollout, const StatefulSetStatus& counted);
std::vector<StatefulSetCondition> no_conditions(const Progress& progress);
std::vector<StatefulSetCondition> progress_of_recreation(const Progress& progress);
std::vector<StatefulSetCondition> progress_since_pods_were_stopped(const Progress& progress);
bool newer_or_other_counts(const StatefulSetStatus& told, const StatefulSetStatus& counted);
bool newer_or_other_counts_but_available(const StatefulSetStatus& told, const StatefulSetStatus& counted);
bool newer_or_other_counts_or_conditions(const StatefulSetStatus& told, const StatefulSetStatus& counted);
bool any_field_differs(const StatefulSetStatus& told, const StatefulSetStatus& counted);
std::optional<Time> soonest_available_or_all_of_it(const Waiting& waiting);
std::optional<Time> all_of_it_again(const Waiting& waiting);
std::optional<Time> soonest_change(const Waiting& waiting);

}  // namespace ordeal::decide
