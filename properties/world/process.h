// A process of the controller: what it runs, its caches and its queue, and its last two syncs of a set.
#pragma once

#include <array>
#include <vector>

#include "core/cluster/cache.h"
#include "core/controller/queue.h"
#include "properties/evidence/trace.h"

namespace ordeal::properties {

/// Longer than controllers remember what they wrote: Kubernetes' own expectations expire after five minutes.
inline constexpr Time longest_memory = Time::seconds(600);

struct Process {
  explicit Process(const Cluster& cluster) : caches(cluster) {}

  /// As if it had never been started.
  void clear() {
    caches.clear();
    queue.clear();
    waiting.clear();
    started = 0;
    controller = nullptr;
    traits = {};
    gates = {};
    by_other = false;
    for (Turns* turns : {&own, &beside}) turns->syncs = {};
    serving = &own;
    has_turned = still_fresh = true;
    forget_writes();
  }
  /// As a process does that is started anew.
  void forget_writes() {
    written = {};
    unshown.clear();
  }

  Controller* controller = nullptr;  // null: not started
  Traits traits;                     // of the controller
  Gates gates;
  bool by_other = false;    // another release stands in for the program on trial
  std::size_t started = 0;  // how often, whatever ran
  Caches caches;
  WorkQueue queue;
  std::vector<TakenStep> waiting;  // for a call of its next sync

  /// The present turn of a set, or its last one, and the one before it: of one set, so that another's do not take their
  /// place.
  struct Turns {
    std::array<std::vector<Call>, 2> calls;
    std::array<std::vector<Taken>, 2> taken;
    std::array<Sync, 2> syncs;
    std::size_t turn = 0;

    Sync& begin() {
      turn = 1 - turn;
      calls[turn].clear();
      taken[turn].clear();
      return syncs[turn];
    }
    std::vector<Call>& present_calls() { return calls[turn]; }
    std::vector<Taken>& present_taken() { return taken[turn]; }
    const Sync& last() const { return syncs[turn]; }
  };
  Turns own, beside;            // of the set on trial, and of its neighbours
  Turns* serving = &own;        // which of them the present turn, or the last one, belongs to
  View shown;                   // to the controller, in the present turn
  std::uint32_t list_seed = 0;  // of the order of its lists
  std::size_t calls_at_most = 0;
  std::size_t namesake_at = 0;  // the call of the present turn before which another worker serves the namesake
  bool has_turned = true;       // for the set on trial, since it was started anew
  bool still_fresh = true;      // its view equals the truth but for what this sync wrote
  std::array<Version, kind_count> written{};  // for the set on trial, since it was started: the newest of each kind
  struct Made {
    Uid pod;
    Time at;
  };
  std::vector<Made> unshown;  // pods it made since then that its caches have not shown it yet
};

}  // namespace ordeal::properties
