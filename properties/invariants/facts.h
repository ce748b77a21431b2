// What a view says about a set, worked out for the invariants alone: independent of the controller's code, on purpose.
//
// Built at most once per sync, and only for syncs somebody asks about. Reuses its memory. Covered by facts_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "properties/trial/trace.h"

namespace ordeal::properties {

/// One place in the range [start, start + replicas).
struct Slot {
  Ordinal ordinal = Ordinal::none;
  const Pod* pod = nullptr;  // the claimed pod there, or null
};

struct Facts {
  /// Works everything out for the set of the sync. With `set` null (absent from the view) all lists are empty.
  void work_out(const Sync& sync, const Gates& gates);

  const StatefulSet* set = nullptr;
  Time now{};
  std::int32_t replicas = 1, start = 0, partition = 0, min_ready_seconds = 0;
  std::int32_t budget = 1;             // effective maxUnavailable: at least 1; 1 when its gate is off
  bool counts_unavailable = false;     // the gate of maxUnavailable is on: the budget counts the whole range
  bool ordered = true;                 // OrderedReady
  bool has_rolling_update = false;     // the rollingUpdate block is there
  bool deleting = false;

  std::vector<const Pod*> claimed;     // controlled by the set, selector and name match; in the order of the view
  std::vector<const Pod*> orphans;     // no controller, selector and name match, not terminating: to be adopted
  std::vector<Slot> slots;             // by index; an orphan adopted by this sync counts as claimed
  std::vector<const Pod*> condemned;   // claimed, outside the range, canonical or not; highest ordinal first
  std::vector<const Revision*> history;  // listed revisions (owned or orphan, selector matches), oldest first

  /// The revision a sync found or made for the set's template, and the current one; null when it could not be known.
  const Revision* update = nullptr;
  const Revision* current = nullptr;
  Text update_name, current_name;      // empty when not known

  std::int32_t unavailable = 0;        // slots whose pod is missing, terminating or not available
  std::int32_t outdated_unavailable = 0;  // not terminating, not available, other revision than `update`; any index

  bool available(const Pod& pod) const;           // ready for longer than minReadySeconds
  static bool running_and_ready(const Pod& pod);
  static bool terminal(const Pod& pod) { return pod.phase == Phase::failed || pod.phase == Phase::succeeded; }
  bool healthy(const Pod& pod) const { return running_and_ready(pod) && available(pod) && !pod.meta.terminating(); }
  bool outdated(const Pod& pod) const;            // its revision label is not update_name
  std::optional<std::int32_t> index_of(const Pod& pod) const;  // of a claimed pod in range
  bool in_range(Ordinal ordinal) const {
    return number(ordinal) >= start && static_cast<std::int64_t>(number(ordinal)) < std::int64_t{start} + replicas;
  }
};

}  // namespace ordeal::properties
