// A process of the controller: what it runs, its caches and its queue, and its last two syncs.
#pragma once

#include <array>
#include <vector>

#include "core/cluster/cache.h"
#include "core/controller/queue.h"
#include "properties/trial/trace.h"

namespace ordeal::properties {

struct Process {
  explicit Process(const Cluster& cluster) : caches(cluster) {}

  /// As if it had never been started.
  void clear() {
    caches.clear();
    queue.clear();
    waiting.clear();
    started = 0;
    controller = nullptr;
    by_other = false;
  }
  std::vector<Call>& present_calls() { return calls[turn]; }

  Controller* controller = nullptr;  // null: not started
  Traits traits;                     // of the controller
  Gates gates;
  bool by_other = false;             // another release stands in for the program on trial
  std::size_t started = 0;           // how often, whatever ran
  Caches caches;
  WorkQueue queue;
  std::vector<Step> waiting;         // for a call of its next sync

  std::array<std::vector<Call>, 2> calls;  // of the present sync and the one before it
  std::array<Sync, 2> syncs;
  std::size_t turn = 0;
  std::size_t calls_at_most = 0;
  bool still_fresh = true;  // its view equals the truth but for what this sync wrote
};

}  // namespace ordeal::properties
