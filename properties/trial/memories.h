// What the judge remembers of each process of the controller: its last sync, what it was told. Covered by
// judge_test.cpp.
#pragma once

#include <array>
#include <vector>

#include "properties/evidence/history.h"
#include "properties/evidence/informed.h"
#include "properties/world/program.h"

namespace ordeal::properties {

struct Memory {
  std::size_t started = 0;  // of the process that was told
  Told told{};
  Uid awaited_for = Uid::none;  // the set of told.awaited
  std::vector<Learnt> learnt{};
};

class Memories {
 public:
  /// A trial begins: no process is known.
  void begin() { forget(Version::none); }
  /// In the midst of a trial whose turns were not seen: processes may have been told anything up to now.
  void begin_anywhere();

  /// Of the process that makes this sync, as it was told before.
  Memory& of(const Sync& sync);
  const Sync* last_sync_of(std::size_t process) const { return last_syncs_[process]; }
  /// Of any process; null when the last one is not to be gone by.
  const Sync* last_sync() const { return latest_; }
  void forget_last_sync(std::size_t process) { last_syncs_[process] = latest_ = nullptr; }

  /// A sync of the set on trial has ended, which `set` is as it saw it; null: it found none.
  void note(const Sync& sync, const StatefulSet* set);
  /// A sync of whichever set has ended: what its process learnt.
  void note_learnt(const Sync& sync);

 private:
  void forget(Version past);

  std::array<const Sync*, process_count> last_syncs_{};  // of each process
  const Sync* latest_ = nullptr;                         // of them
  std::array<Memory, process_count> memories_{};
  Told::Versions past_{};  // what a process that is new here may have been told
};

}  // namespace ordeal::properties
