// The tables of Kubernetes, each written as what differs from the release after it, newest first. A row names the
// change that made it what it is in the newer one: kubernetes/kubernetes#N is k8s#N. What a release decides was read in
// its source.
#include "core/controller/releases.h"

#include <array>
#include <charconv>

#include "core/controller/decisions.h"
#include "core/controller/reference.h"

namespace ordeal {

namespace {

constexpr Rules kubernetes_1_38{
    .name = "kubernetes-1.38",
    .is_member = decide::canonical_names_are_members,
    .claiming = decide::claim_adopt_or_release,
    .confirms = decide::same_and_staying,
    .confirms_revisions = decide::same_and_staying,
    .confirms_once = false,
    .own_pods_first = true,
    .released = decide::gone_or_refused,
    .may_work = decide::unless_deleting,
    .place_of = decide::by_start_and_replicas,
    .build_pod = decide::build_pod,
    .repair_pod = decide::repair_pod,
    .build_claim = decide::build_claim,
    .build_revision = decide::build_revision,
    .identity_matches = decide::identity_matches,
    .storage_matches = decide::storage_matches,
    .revision_data = decide::encoded,
    .precedes = decide::by_number_age_and_name,
    .next_number = decide::last_number_plus_one,
    .same_revision = decide::same_bytes,
    .same_meaning = decide::same_patch_when_decoded,
    .choose_revision = decide::newest_then_earlier_then_meaning,
    .reuses = decide::reuse_whoevers,
    .current_revision = decide::named_by_status,
    .side_of_missing = decide::below_partition_or_count,
    .surplus_revisions = decide::beyond_limit_unless_negative,
    .pods_keep_revisions = true,
    .status_keeps_revisions = false,
    .records_while_deleting = true,
    .adopts_owned_revisions = false,
    .claim_target = decide::target_by_policy,
    .claims_pass_over_reserved = true,
    .claim_is_right = decide::owners_follow_policy,
    .dies_without_policy = false,
    .claim_owners = decide::owners_by_policy,
    .claim_is_stale = decide::names_an_earlier_pod,
    .claim_is_usable = decide::not_terminating,
    .restores_claims = decide::while_pending,
    .mends_claims_once = false,
    .repairs_again = true,
    .touches_pod_for_claims = true,
    .writes_into_cache = false,
    .shares_claim_labels = false,
    .available = decide::ready_for_at_least,
    .is_terminal = decide::failed_or_succeeded,
    .unhealthy = decide::terminating_or_not_available,
    .holds_back = decide::until_running_ready_available,
    .terminal_pods = TerminalPods::wait_until_gone,
    .stop_ends_parallel = false,
    .forced_rollback = decide::no_forced_rollback,
    .left_to_update = decide::nothing_is_left_to_update,
    .mends_claims_while_waiting = false,
    .condemned_before = decide::highest_ordinal_first,
    .condemned_choice = decide::highest_if_healthy_or_only_broken,
    .marks_claims_first = true,
    .marks_lowest_first = false,
    .scales_down_first = true,
    .partition = decide::partition_or_zero,
    .budget = decide::floor_of_those_to_update,
    .used_up = decide::unhealthy_from_the_partition_on,
    .may_update = decide::outdated_and_staying,
    .updates_one_by_one = decide::next_from_the_top,
    .updates_in_order = decide::as_many_as_the_budget,
    .updates_in_parallel = decide::broken_then_budget,
    .recreation = decide::all_old_ones_first,
    .recreate_needs_gate = true,
    .recreate_in_batches = true,
    .recreate_marks_claims = false,
    .recreate_lowers_current = false,
    .mends_claims_first = false,
    .precondition = Precondition::none,
    .missing_is_deleted = decide::missing_pods_are_deleted,
    .tally = decide::count_what_exists,
    .counts_displaced = false,
    .uncounts_the_going = false,
    .lowers_current = decide::always_lowers,
    .completes = decide::any_complete_by_counts,
    .tells = decide::progress_of_recreation,
    .status_differs = decide::newer_or_other_counts_or_conditions,
    .status_after_failure = true,
    .prunes_after_failure = true,
    .requeue = decide::soonest_available_or_all_of_it,
    .next_batch = decide::doubling_to_500,
    .update_attempts = 4,
    .bump_attempts = 1,
    .status_attempts = 5,
    .remembers = decide::pods_claims_and_sets_but_losses,
    .behind = decide::older_than_written,
    .live_caches = true,
    .remembers_until_seen = true,
    .telling = decide::told_of_pods_and_claims,
    .wake_margin = 0,
};

/// A table that differs from `newer` by what `change` does to it.
template <class Change>
constexpr Rules before(const Rules& newer, std::string_view name, Change change) {
  Rules rules = newer;
  rules.name = name;
  change(rules);
  return rules;
}

constexpr Rules kubernetes_1_37 = before(kubernetes_1_38, "kubernetes-1.37", [](Rules& rules) {
  rules.is_member = decide::any_digits_are_a_member;  // k8s#141094
  rules.scales_down_first = false;                    // k8s#141057
  rules.budget = decide::floor_at_least_one;          // KEP-961, section Proposal
  rules.used_up = decide::all_unhealthy;              // the same
});

constexpr Rules kubernetes_1_36 = before(kubernetes_1_37, "kubernetes-1.36", [](Rules& rules) {
  rules.updates_in_parallel = decide::as_many_as_the_budget;  // k8s#137666
  rules.completes = decide::complete_by_counts;               // k8s#136833
  rules.tells = decide::no_conditions;
  rules.status_differs = decide::newer_or_other_counts;
});

constexpr Rules kubernetes_1_35_4 = before(kubernetes_1_36, "kubernetes-1.35.4", [](Rules& rules) {
  rules.remembers = decide::nothing_is_remembered;                       // k8s#137254
  rules.missing_is_deleted = decide::missing_outdated_pods_are_deleted;  // k8s#136812
});

constexpr Rules kubernetes_1_35_0 = before(kubernetes_1_35_4, "kubernetes-1.35.0", [](Rules& rules) {
  rules.requeue = decide::all_of_it_again;  // k8s#135428, in 1.35.1 k8s#136097
  rules.wake_margin = 1;
});

/// Without maxUnavailable by default, which is the API server's affair.
constexpr Rules kubernetes_1_34_2 = before(kubernetes_1_35_0, "kubernetes-1.34.2", [](Rules&) {});

constexpr Rules kubernetes_1_34 = before(kubernetes_1_34_2, "kubernetes-1.34", [](Rules& rules) {
  rules.choose_revision = decide::newest_then_earlier;            // k8s#135017, in 1.34.2 k8s#135087
  rules.same_revision = decide::same_bytes_unless_hashes_differ;  // k8s#135017
});

constexpr Rules kubernetes_1_31 = before(kubernetes_1_34, "kubernetes-1.31", [](Rules& rules) {
  rules.own_pods_first = false;                           // k8s#130806
  rules.revision_data = decide::encoded_with_null_times;  // k8s#130989
  rules.available = decide::ready_for_longer;             // k8s#132121
  rules.unhealthy = decide::terminating_or_not_ready;     // k8s#130909
});

constexpr Rules kubernetes_1_30 = before(kubernetes_1_31, "kubernetes-1.30", [](Rules& rules) {
  rules.surplus_revisions = decide::beyond_limit;  // k8s#129301, in 1.31.5 k8s#129323
});

constexpr Rules kubernetes_1_29 = before(kubernetes_1_30, "kubernetes-1.29", [](Rules& rules) {
  rules.claim_is_right = decide::owners_by_uid_follow_policy;           // k8s#122499, in 1.28.13 k8s#126581
  rules.claim_owners = decide::plain_owners_by_policy;                  // k8s#122499
  rules.claim_is_stale = decide::names_anything_else_of_the_pods_name;  // k8s#122499
});

constexpr Rules kubernetes_1_28 = before(kubernetes_1_29, "kubernetes-1.28", [](Rules& rules) {
  rules.is_terminal = decide::failed_only;             // k8s#121389, in 1.28.5
  rules.terminal_pods = TerminalPods::create_at_once;  // k8s#123809, in 1.28.11
  rules.completes = decide::complete_by_own_counts;    // k8s#120731, in 1.28.4
  rules.shares_claim_labels = true;                    // k8s#121142, in 1.28.3
});

constexpr Rules kubernetes_1_27 = before(kubernetes_1_28, "kubernetes-1.27", [](Rules& rules) {
  rules.build_pod = decide::build_pod_without_index;    // k8s#119232
  rules.repair_pod = decide::repair_pod_without_index;  // k8s#119232
});

constexpr Rules kubernetes_1_24 = before(kubernetes_1_27, "kubernetes-1.24", [](Rules& rules) {
  rules.next_batch = decide::one_after_the_other;                                    // k8s#117865, in 1.27.4 k8s#119096
  rules.mends_claims_once = true;                                                    // k8s#117865
  rules.shares_claim_labels = false;                                                 // k8s#117865
  rules.stop_ends_parallel = true;                                                   // k8s#117865
  rules.condemned_before = decide::highest_ordinal_last_listed_first;                // k8s#117865
  rules.marks_lowest_first = true;                                                   // k8s#117865
  rules.tally = decide::count_with_own_work;                                         // k8s#117865
  rules.counts_displaced = true;                                                     // k8s#117865
  rules.uncounts_the_going = true;                                                   // k8s#117865
  rules.lowers_current = decide::lowers_before_it_asks;                              // k8s#113834
  rules.missing_is_deleted = decide::missing_outdated_pods_are_deleted_in_a_budget;  // k8s#113834
  rules.restores_claims = decide::never_restored;                                    // k8s#113270
  rules.writes_into_cache = true;                                                    // k8s#114870
  rules.dies_without_policy = true;                                                  // k8s#113319
  rules.budget = decide::floor_or_nothing;                                           // k8s#109251
});

constexpr Rules kubernetes_1_20 = before(kubernetes_1_24, "kubernetes-1.20", [](Rules& rules) {
  rules.updates_in_order = decide::next_from_the_top;             // k8s#82162: no gate, no maxUnavailable
  rules.updates_in_parallel = decide::next_from_the_top;          // k8s#82162
  rules.missing_is_deleted = decide::nothing_missing_is_deleted;  // k8s#82162
  rules.status_after_failure = false;                             // k8s#109694, in 1.24.10 k8s#112083
  rules.writes_into_cache = false;                                // k8s#99728
  rules.claim_is_right = decide::owners_are_left_alone;           // k8s#99728
  rules.dies_without_policy = false;                              // k8s#99728
  rules.claim_is_stale = decide::never_stale;                     // k8s#99728
});

// Older ones, each for what was wrong in it.

constexpr Rules kubernetes_1_19 = before(kubernetes_1_20, "kubernetes-1.19", [](Rules& rules) {
  rules.claim_is_usable = decide::even_if_terminating;  // k8s#93457
});

constexpr Rules kubernetes_1_17 = before(kubernetes_1_19, "kubernetes-1.17", [](Rules& rules) {
  rules.adopts_owned_revisions = true;          // k8s#86801
  rules.confirms_revisions = decide::same_uid;  // k8s#84984
  rules.prunes_after_failure = false;           // k8s#86097
});

constexpr Rules kubernetes_1_15 = before(kubernetes_1_17, "kubernetes-1.15", [](Rules& rules) {
  rules.build_pod = decide::build_pod_over_newest;  // k8s#78853
});

constexpr Rules kubernetes_1_11 = before(kubernetes_1_15, "kubernetes-1.11", [](Rules& rules) {
  rules.reuses = decide::reuse_nothing;                     // k8s#67039
  rules.tally = decide::count_with_own_work_current_first;  // k8s#67570
});

constexpr Rules kubernetes_1_6 = before(kubernetes_1_11, "kubernetes-1.6", [](Rules& rules) {
  rules.holds_back = decide::until_running_ready;  // k8s#45113
});

// What the API server of a release does not know.
constexpr KnownFields before_recreate{.recreate = false};
constexpr KnownFields before_volume_attributes{.recreate = false, .volume_attributes = false};
constexpr KnownFields before_ordinals{.recreate = false, .ordinals_start = false, .volume_attributes = false};
constexpr KnownFields before_min_ready{.recreate = false,
                                       .max_unavailable = false,
                                       .min_ready_seconds = false,
                                       .ordinals_start = false,
                                       .retention = false,
                                       .volume_attributes = false};
constexpr KnownFields before_updates{.rolling_update = false,
                                     .parallel = false,
                                     .recreate = false,
                                     .max_unavailable = false,
                                     .min_ready_seconds = false,
                                     .ordinals_start = false,
                                     .retention = false,
                                     .volume_attributes = false};

constexpr std::array kubernetes{
    Release{kubernetes_1_38, "Kubernetes 1.38.0-beta.0: maxUnavailable counts from the partition on", {}},
    Release{kubernetes_1_37, "the reference controller deciding exactly as Kubernetes 1.37 does", {}},
    Release{kubernetes_1_36, "Kubernetes 1.36.0, whatever its gates", before_recreate},
    Release{kubernetes_1_35_4, "Kubernetes 1.35.4, with maxUnavailable off by default", before_recreate},
    Release{kubernetes_1_35_0, "Kubernetes 1.35.0, with maxUnavailable on by default", before_recreate},
    Release{kubernetes_1_34_2, "Kubernetes 1.34.2", before_recreate},
    Release{kubernetes_1_34, "Kubernetes 1.34.0", before_recreate},
    Release{kubernetes_1_31, "Kubernetes 1.31.14", before_recreate},
    Release{kubernetes_1_30, "Kubernetes 1.30.4", before_recreate},
    Release{kubernetes_1_29, "Kubernetes 1.29.6", before_recreate},
    Release{kubernetes_1_28, "Kubernetes 1.28.2", before_volume_attributes},
    Release{kubernetes_1_27, "Kubernetes 1.27.5", before_volume_attributes},
    Release{kubernetes_1_24, "Kubernetes 1.24.17, its alpha gates on", before_ordinals},
    Release{kubernetes_1_20, "Kubernetes 1.20.15", before_min_ready},
    Release{kubernetes_1_19, "Kubernetes 1.19.0: pods are made although their claim is being deleted",
            before_min_ready},
    Release{kubernetes_1_17, "Kubernetes 1.17.0: an orphaned revision stops a set", before_min_ready},
    Release{kubernetes_1_15,
            "Kubernetes 1.15.0: what only the newest template has shows through in pods of an older one",
            before_min_ready},
    Release{kubernetes_1_11,
            "Kubernetes 1.11.0: a template is recorded twice, a finished update counts none as updated",
            before_min_ready},
    Release{kubernetes_1_6, "the order in which Kubernetes 1.6.0 makes pods, with the revisions of 1.11",
            before_updates},
};

}  // namespace

const Rules& kubernetes_1_37_rules() { return kubernetes_1_37; }
std::span<const Release> kubernetes_releases() { return kubernetes; }

namespace {

/// "1.35.0" -> 35; nothing for what is no release of Kubernetes 1.
std::optional<int> minor_of(std::string_view version) {
  constexpr std::string_view major = "1.";
  if (!version.starts_with(major)) return std::nullopt;
  const std::string_view rest = version.substr(major.size());
  int minor = 0;
  if (std::from_chars(rest.data(), rest.data() + rest.size(), minor).ec != std::errc{}) return std::nullopt;
  return minor;
}

constexpr std::string_view family_name = "kubernetes-";

/// "1.35.0" of "kubernetes-1.35.0".
std::string_view version_of(const Release& release) { return release.rules.name.substr(family_name.size()); }

/// The table 1.34 is that of 1.34.0, too.
bool is_first_or_only(const Release& release, std::string_view version) {
  const std::string_view own = version_of(release);
  return version.starts_with(own) && (version.size() == own.size() || version.substr(own.size()) == ".0");
}

const Release* newest_up_to(int minor) {
  for (const Release& release : kubernetes)
    if (minor_of(version_of(release)) <= minor) return &release;
  return nullptr;
}

}  // namespace

const Release* find_release(std::string_view name) {
  for (const std::span<const Release> family : release_families())
    for (const Release& release : family)
      if (release.rules.name == name) return &release;
  constexpr std::string_view real = "kubernetes@";
  if (!name.starts_with(real)) return nullptr;
  const std::string_view version = name.substr(real.size(), name.find_first_of("+-", real.size()) - real.size());
  for (const Release& release : kubernetes)
    if (is_first_or_only(release, version)) return &release;
  const auto minor = minor_of(version);
  return minor ? newest_up_to(*minor) : nullptr;
}

namespace {
constexpr std::string_view outside_kruise = "kruise@";
}  // namespace

KnownFields known_fields(std::string_view controller) {
  if (controller.starts_with(outside_kruise))
    return {.recreate = false, .reserve_ordinals = true, .max_unavailable_gated = false, .bare_rolling_update = false};
  const Release* release = find_release(controller);
  return release != nullptr ? release->known : KnownFields{};
}

/// OpenKruise is built with an encoder of before 1.34.
Traits outside_traits(std::string_view controller) {
  if (controller.starts_with(outside_kruise)) return {.wake_margin = {}, .null_times = true, .wakes_owners_only = true};
  const Release* release = find_release(controller);
  return release != nullptr ? traits_of(release->rules) : Traits{};
}

}  // namespace ordeal
