// The table of rules: one row for each decision that differs between releases, or that somebody could get wrong.
//
// A row is a pure function, or a plain value where the decision is just a choice. It is given values and answers with a
// value; it makes no call and keeps nothing. To make a release or a mutant, copy a table and replace rows: each row can
// be replaced alone. The decisions themselves are declared in decisions.h; the tables are in releases.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/api/names.h"
#include "core/controller/rules.h"

namespace ordeal {

// --- what decisions look at --------------------------------------------------------------------------------------------

/// How a pod fits a set.
struct Fit {
  bool selected = false;  // the selector matches its labels
  bool named = false;     // its name says "<set>-<digits>"
  bool member = false;    // the row `is_member`
};
enum class Claiming : std::uint8_t {
  ignore,
  claim,
  adopt,
  release,
  keep
};  // keep: no member, but the set's; so is its revision

/// A place in the range or a condemned pod, as seen and as this sync has left it.
struct PodState {
  const Pod* pod = nullptr;  // as cached; null when there is none
  Ordinal ordinal = Ordinal::none;
  bool in_range = false;  // else condemned
  bool created = false;   // it exists and has a phase
  bool terminating = false;
  bool running_ready = false;  // phase Running and condition Ready
  bool available = false;      // the row `available`
  bool at_current = false;     // its revision, or for a missing pod the one it would get
  bool at_update = false;
  bool made = false;      // this sync has created it
  bool deleted = false;   // this sync has asked for its deletion
  bool named = false;     // the row `identity_matches`
  bool stored = false;    // the row `storage_matches`
  bool retained = false;  // each of its claims that is there has the right owners
  bool provided = false;  // this sync has made those of its claims that were missing
};

struct Rules;

/// The set in the middle of an update.
struct Rollout {
  const Rules& rules;
  const StatefulSet& set;
  std::span<const PodState> places;  // by index
  std::span<const PodState> condemned;
  std::int32_t partition = 0;  // an index
  std::int32_t budget = 1;     // effective maxUnavailable
  bool ordered = true;
};
/// A pod an update deletes, by index, and why.
struct Replacement {
  std::size_t index = 0;
  Reason reason = Reason::update_pod;
};

/// How far a set with the strategy Recreate has come: outdated pods to stop, to wait for, or none left.
enum class RecreateStage : std::uint8_t { stop_all, wait, done };

/// Which of the two revisions a sync works with.
enum class Side : std::uint8_t { current, update };

/// The revision a template would be recorded as.
struct Candidate {
  const PodTemplate& pod_template;
  Shared<std::string> data;  // as the release encodes it
  std::int32_t collisions = 0;
};
/// What to do about the update revision: `keep` and `bump` speak of `listed[index]`.
struct RevisionChoice {
  enum class Action : std::uint8_t { keep, bump, create };
  Action action = Action::create;
  std::size_t index = 0;
};

/// A claim's set and pod, for telling their references from everybody else's.
struct ClaimSide {
  const Text& set_name;
  Uid set;
  const Text& pod_name;
  Uid pod;  // none while there is no such pod
  RetentionPolicy policy;
  bool in_range;
};
/// Whose a claim should be, as far as this set and its pod are concerned.
struct ClaimTarget {
  bool set = false, pod = false;
  friend bool operator==(const ClaimTarget&, const ClaimTarget&) = default;
};

enum class Precondition : std::uint8_t { none, uid };
enum class Telling : std::uint8_t { nothing, success, failure };
enum class TerminalPods : std::uint8_t { wait_until_gone, create_at_once };

/// How far an update has come, for the conditions of a set.
struct Progress {
  const std::vector<StatefulSetCondition>& told;  // as they were
  std::optional<RecreateStage> recreation;        // none: another strategy, or pods could not be deleted
  bool recreates = false;                         // the strategy is Recreate
  bool complete = false;                          // by the row `completes`
  bool changes = false;                           // the two revisions differ
  Time now{};
};

/// What a sync that did its work may still be waiting for.
struct Waiting {
  std::int32_t min_ready_seconds = 0, replicas = 0, ready = 0, available = 0;
  std::optional<Time> soonest;  // until some claimed pod, ready but young, becomes available
  bool for_collector = false;   // a pod could not be created before the collector has taken its stale claim
};

// --- the table ---------------------------------------------------------------------------------------------------------

struct Rules {
  std::string_view name;

  // Whose pod is it
  bool (*is_member)(std::string_view set, std::string_view pod, const Member& parsed);
  Claiming (*claiming)(const ObjectMeta& set, const ObjectMeta& pod, Fit fit);
  bool (*confirms)(const StatefulSet& seen, const StatefulSet& live);            // may go on adopting pods
  bool (*confirms_revisions)(const StatefulSet& seen, const StatefulSet& live);  // and revisions
  bool confirms_once;                        // one live read serves revisions and pods
  bool own_pods_first;                       // orphans are looked at after all that are the set's
  bool (*released)(Code reply);              // this answer to a release means it is done
  bool (*may_work)(const StatefulSet& set);  // on pods and claims
  // Of so many; none: condemned
  std::optional<std::size_t> (*place_of)(const StatefulSetSpec& spec, Ordinal ordinal, std::size_t places);

  // What is made
  Pod (*build_pod)(const StatefulSet& set, const Shared<PodTemplate>& from, const Text& revision, Ordinal ordinal);
  Pod (*repair_pod)(const StatefulSet& set, const Pod& pod, Ordinal ordinal);
  Claim (*build_claim)(const StatefulSet& set, const ClaimTemplate& from, const Text& name);
  Revision (*build_revision)(const StatefulSet& set, const Candidate& candidate, const Text& suffix,
                             std::int64_t number);
  bool (*identity_matches)(const StatefulSet& set, const Pod& pod, Ordinal ordinal);
  bool (*storage_matches)(const StatefulSet& set, const Pod& pod, Ordinal ordinal);

  // Revisions
  Shared<std::string> (*revision_data)(const PodTemplate& pod_template);
  bool (*precedes)(const Revision* a, const Revision* b);
  std::int64_t (*next_number)(std::span<const Revision* const> listed);
  bool (*same_revision)(const Revision& held, const Candidate& candidate);
  bool (*same_meaning)(const Revision& held, const Candidate& candidate);
  RevisionChoice (*choose_revision)(std::span<const Revision* const> listed, const Candidate& candidate,
                                    const Rules& rules, const Gates& gates);
  bool (*reuses)(const Revision& held, const StatefulSet& set);  // found under the name of a new one, with its data
  const Revision* (*current_revision)(std::span<const Revision* const> listed, const Text& name);
  Side (*side_of_missing)(const StatefulSetSpec& spec, std::size_t index, Ordinal ordinal,
                          std::int32_t current_replicas);
  std::size_t (*surplus_revisions)(std::size_t unused, std::optional<std::int32_t> limit);  // more than unused: it dies
  bool pods_keep_revisions;     // the history keeps what some pod was made from
  bool status_keeps_revisions;  // and what the status names, even when the revisions could not be chosen
  bool records_while_deleting;  // revisions are adopted, recorded and pruned for a set that is going away
  bool adopts_owned_revisions;  // with one orphan among them all are to be adopted, which fails for owned ones

  // Claims
  ClaimTarget (*claim_target)(RetentionPolicy policy, bool in_range);
  bool claims_pass_over_reserved;  // else the range of claims is start and replicas alone
  bool (*claim_is_right)(const Owners* owners, const ClaimSide& side, const Rules& rules);
  bool dies_without_policy;  // when a claim is compared with the policy of a set that has none
  Owners (*claim_owners)(const Owners* owners, const ClaimSide& side, const Rules& rules);  // of one that is not right
  bool (*claim_is_stale)(const Owners* owners, const ClaimSide& side);  // its pod may not be created yet
  bool (*claim_is_usable)(const Claim& claim, const Pod* pod);          // by this pod; null: one that is to be made
  bool (*restores_claims)(const Pod& pod);                              // of a pod that exists
  bool mends_claims_once;       // claims this sync has made or written are not compared with the cache again
  bool repairs_again;           // a conflict on a claim's owners repeats the whole repair of its pod
  bool touches_pod_for_claims;  // owners of claims were wrong: the pod is written, too, unchanged
  bool writes_into_cache;       // owners about to be written are put into the cached claim, whatever the answer
  bool shares_claim_labels;  // the labels of a claim are written into its template, which all places of a batch share

  // Pods
  bool (*available)(const Pod& pod, std::int32_t min_ready_seconds, Time now);
  bool (*is_terminal)(Phase phase);
  bool (*unhealthy)(const PodState& state);   // as updates and scaling down count
  bool (*holds_back)(const PodState& state);  // OrderedReady: nothing above it is worked on
  TerminalPods terminal_pods;
  bool stop_ends_parallel;  // a place that has to wait ends the turn of a Parallel set, too
  /// OrderedReady stops at a pod that is not running and ready: the index of a broken one to delete instead of waiting.
  std::optional<std::size_t> (*forced_rollback)(const Rollout& rollout, std::size_t stopped_at);

  /// By index: a pod of other volumes than its claims', which no write can give it, is for the update to replace.
  bool (*left_to_update)(const Rollout& rollout, std::size_t index);

  /// A turn that stops at a place puts right whose claims the other pods' are.
  bool mends_claims_while_waiting;

  // Scaling down
  bool (*condemned_before)(const PodState& a, const PodState& b);
  /// OrderedReady: the one condemned pod to delete now, of a list that is not empty; none: wait.
  std::optional<std::size_t> (*condemned_choice)(std::span<const PodState> condemned, const Rules& rules);
  bool marks_claims_first;  // claims of all condemned pods, before the first of these is deleted
  bool marks_lowest_first;  // else in the order in which they are deleted
  bool scales_down_first;   // a Parallel set, before any pod is made: one that is refused keeps no surplus pod

  // Updates
  std::int32_t (*partition)(const StatefulSetSpec& spec);
  std::int32_t (*budget)(const StatefulSetSpec& spec);
  std::int32_t (*used_up)(const Rollout& rollout);  // of the budget, by pods that are unavailable already
  bool (*may_update)(const PodState& state);        // any index
  void (*updates_one_by_one)(const Rollout& rollout, std::vector<Replacement>& chosen);   // gate off
  void (*updates_in_order)(const Rollout& rollout, std::vector<Replacement>& chosen);     // gate on, OrderedReady
  void (*updates_in_parallel)(const Rollout& rollout, std::vector<Replacement>& chosen);  // gate on, Parallel
  RecreateStage (*recreation)(const Rollout& rollout);
  bool recreate_needs_gate;      // every sync of such a set fails without it; else it is a rolling update then
  bool recreate_in_batches;      // also in an OrderedReady set
  bool recreate_marks_claims;    // those of condemned pods, before the first pod is deleted
  bool recreate_lowers_current;  // its deletions are an update's

  // Deleting
  bool mends_claims_first;  // of any pod, so that no claim goes with a pod that is replaced
  Precondition precondition;
  Propagation propagation = Propagation::background;              // of the deletions of pods
  bool (*missing_is_deleted)(Reason reason, const Gates& gates);  // not found is as good as deleted

  // Status
  void (*tally)(const PodState& state, StatefulSetStatus& status);
  bool counts_displaced;    // pods without a place in the range or beyond it, too
  bool uncounts_the_going;  // a terminal pod that is replaced is taken from the counts, though on its way out it is not
                            // in them
  bool (*lowers_current)(const PodState& outdated, bool deleted, const Gates& gates);  // what an update asked to delete
  bool (*completes)(const Rollout& rollout, const StatefulSetStatus& counted);
  std::vector<StatefulSetCondition> (*tells)(const Progress& progress);
  bool (*status_differs)(const StatefulSetStatus& told, const StatefulSetStatus& counted);
  bool status_after_failure;  // the status is written though work on pods failed
  bool prunes_after_failure;  // the history is truncated though the turn failed
  std::optional<Time> (*requeue)(const Waiting& waiting);

  // Calls
  std::size_t (*next_batch)(std::size_t previous, std::size_t remaining);  // Parallel; previous 0: the first
  int update_attempts, bump_attempts,
      status_attempts;                        // in all, while the reply is a conflict; of pods, revisions, the set
  bool (*remembers)(const Request& request);  // a write the caches have to show first
  bool (*behind)(Version reached, Version written);
  bool live_caches;           // caches are looked into anew in the course of a turn
  bool remembers_until_seen;  // what the caches have shown once is forgotten, whatever they show later

  // Events
  Telling (*telling)(Verb verb, Kind kind, Code answer);  // whether people are told of a request by an Event
  std::int32_t wake_margin;  // seconds past minReadySeconds after which a pod that became ready is looked at again
};

}  // namespace ordeal
