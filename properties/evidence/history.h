// What is remembered of a trial so far, kept by the judge, for invariants that speak of more than one moment.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "properties/evidence/trace.h"

namespace ordeal::properties {

/// The newest version of each kind that replies told a process since it was started, or last found no set.
struct Told {
  using Versions = std::array<Version, kind_count>;
  Versions written{};  // in reply to writes but removals
  Versions removed{};  // to those; one of an object that is going already brings no new version
  Versions touched{};  // the newest of either, and of answers to reads, also for a set that is gone
  /// Of `written`, what was written for the present set, without revisions and releases, and since the caches last
  /// showed it all.
  Versions awaited{};

  /// By what the reply to `call` says.
  static void raise(Versions& versions, const Call& call) {
    Version& newest = versions[static_cast<std::size_t>(call.request.kind)];
    newest = std::max(newest, call.reply.version());
  }
};

struct History {
  int syncs = 0;
  /// Since the set last converged: nobody but the controller and well-behaved kubelets touched pods, claims or
  /// revisions, every view was fresh, clocks agreed, no call failed, and of the spec only the template was edited. An
  /// available pod that fails or becomes unready, without anybody having deleted it, ends it.
  bool calm = false;
  /// Since the trial began: somebody else touched this set's pods, claims or revisions (H3, H5 of semantics.md 10.0).
  bool interfered = false;
  bool touched_revisions = false;  // of these, revisions
  bool touched_claims = false;     // of these, claims
  /// Since the trial began: some sync acted on a view behind the truth (H1), or another one did, which is not on trial;
  /// a call was given a wrong reply, or the controller died.
  bool was_stale = false;
  bool had_faults = false;
  bool force_deleted = false;   // somebody but the controller removed a pod without waiting for its process
  bool evicted = false;         // a node ended a pod, and somebody but the controller deleted it
  bool was_made_owner = false;  // the set or its pod, by somebody but the controller, of a claim
  bool set_recreated = false;   // a second set of the same name was created
  /// Nobody touched anything, and nothing was stale, since the trial began; undisturbed: nothing failed, either.
  bool left_alone() const { return !interfered && !was_stale; }
  bool undisturbed() const { return left_alone() && !had_faults; }
  /// Of the final settle: whether it came to rest before its bound, how many rounds it took and what it was allowed.
  bool came_to_rest = false;
  int rounds = 0, bound = 0;
  /// From the end of the scenario's steps on: how many pods there were then, and how many writes there have been since.
  int pods_at_end = 0, writes_since_end = 0;
  Told told;
  /// How long after the first turn that failed, in a process that had not failed before or succeeded since, the next
  /// one came of itself: the first time it was known in this trial.
  std::optional<Time> first_retry;
  /// The last turn of whatever process comes_again_for_a_place.
  bool came_for_a_place = false;
  /// The last turns: one stopped pods of the set of this generation, and it and all after it left the rest to the next.
  std::optional<std::int64_t> leaves_stopping;
  /// The sync before the present one of the same process, null at first and when its gates were others; on_settled: the
  /// last one of whoever made it. Its calls may be read; its view may have moved on since.
  const Sync* last_sync = nullptr;
};

}  // namespace ordeal::properties
