// One moment of a trial, as a promise is asked about it. Covered by judge_test.cpp of properties/trial.
#pragma once

#include <cstdint>

#include "core/cluster/cluster.h"
#include "properties/evidence/trace.h"

namespace ordeal::properties {

struct Facts;
struct History;
struct TwinOutcomes;

/// What has to be so of a turn before a promise says anything about it; a mask (given.h).
enum Given : std::uint32_t {
  set_is_regular = 1u << 0,  // it is there to stay, and it is clear who holds which place
  set_is_going = 1u << 1,
  set_is_gone = 1u << 2,
  set_is_rolling = 1u << 3,  // its strategy is RollingUpdate
  in_order = 1u << 4,
  in_parallel = 1u << 5,  // OrderedReady, Parallel
  wants_claims = 1u << 6,
  some_outdated = 1u << 7,
  some_surplus = 1u << 8,      // of its pods
  awaits_available = 1u << 9,  // a pod of it is ready, but not for long enough yet
  turn_is_clean = 1u << 10,    // it ran to its end, and nothing failed
  turn_failed = 1u << 11,
  call_failed = 1u << 12,
  turn_is_quiet = 1u << 13,      // nothing was to be written
  turn_removes = 1u << 14,       // pods were to be deleted
  turn_unasked = 1u << 15,       // no event, retry or timer made it
  shown_nothing_new = 1u << 16,  // since the process's last turn
  with_stale_guard = 1u << 17,   // the gate is on
};

/// What an invariant is shown.
struct Moment {
  const Cluster& truth;  // as it is now, after what happened
  const Environment& environment;
  const History& history;      // what is remembered of the trial so far
  const Sync* sync = nullptr;  // set for calls, on_sync, on_acted, on_rest, on_beside
  // of sync->seen, where sync is set, but not on_beside; on_settled: Facts::work_out_truth
  const Facts* facts = nullptr;
  const Call* call = nullptr;  // set for calls; sync->calls.front() .. call are what led to it
  const Change<StatefulSet>* set_change = nullptr;
  const Change<Pod>* pod_change = nullptr;
  const Change<Claim>* claim_change = nullptr;
  const Change<Revision>* revision_change = nullptr;
  std::uint32_t given = 0;              // mask of Given, where facts are of sync
  bool as_told = false;                 // sync and facts are as answers told them, not as the caches showed them
  bool as_remembered = false;           // and answers of earlier turns are among them
  const TwinOutcomes* twins = nullptr;  // set on_twins; then truth is the second twin's, and history says nothing
};

}  // namespace ordeal::properties
