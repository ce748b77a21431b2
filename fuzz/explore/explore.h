// The exhaustive walk: every state of a small world, breadth first, and what came out.
//
// Level by level: all states that so many moves lead to, then those one move further. States are remembered by a
// 128-bit hash alone, with the state and the move that first led there; of several ways of the same length, the one by
// the state of lower place and then by the lower move. Within a level places are in the order of hashes. So numbers,
// digest and counterexamples are the same with any number of jobs and on any machine. What is broken is broken by a
// path of the fewest moves.
//
// Memory: 24 bytes per remembered state and 4 to 8 of its table; states of the present level and the next are kept
// whole; beside them every object version, and the worlds from which the end was played. When the limit is reached the
// walk ends, and says so. Covered by explore_test.cpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "fuzz/engine/run.h"
#include "properties/explore/hash.h"
#include "properties/explore/scope.h"

namespace ordeal::fuzz {

struct ExploreOptions {
  const ControllerKind* controller = nullptr;
  properties::Level level = properties::Level::strict;
  properties::Promises except{};  // not asked
  properties::Scope scope;
  std::optional<std::uint32_t> depth;   // moves at most
  std::optional<std::uint64_t> states;  // ends with the level that reaches so many
  std::uint64_t memory = 8ull << 30;    // bytes, for states
  unsigned jobs = 1;
};

/// How far the walk got.
enum class Reach : std::uint8_t { all, depth, states, memory, violation, interrupted, too_big };

struct Certificate {
  properties::Verdict verdict = properties::Verdict::inconclusive;
  Reach reach = Reach::all;
  std::uint64_t states = 0, transitions = 0;  // a transition leads to another state
  std::uint32_t levels = 0;                   // that were walked to their end; the first state is the first
  properties::Hash128 digest;                 // of states and transitions
  std::uint64_t ends = 0;                     // different worlds from which the end was played out
  std::uint64_t object_versions = 0;
  std::uint64_t syncs = 0;
  properties::Situations situations;
  std::vector<Finding> findings;     // one per invariant broken by paths of the fewest moves; not shrunk
  std::vector<std::size_t> moves;    // of each finding
  bool shortest = false;             // and no path of fewer moves breaks any promise
  std::vector<std::string> unclear;  // broken on the walk, but not by its story: why there is no verdict
  double seconds = 0;
  std::uint64_t bytes_remembered = 0;  // for hashes and ways back
  std::uint64_t bytes_at_most = 0;     // with the states of two levels, the ends and the object versions
};

/// Told after each level, from the caller's thread; this one does not listen.
class ExploreWatcher {
 public:
  virtual ~ExploreWatcher() = default;
  virtual void on_level([[maybe_unused]] std::uint32_t level, [[maybe_unused]] std::uint64_t new_states,
                        [[maybe_unused]] std::uint64_t states, [[maybe_unused]] double seconds) {}
};

/// Whether this controller can be sent back to an earlier moment, as a walk does all the time.
bool can_be_walked(const ControllerKind& controller);

/// Throws std::invalid_argument when the controller or the first set cannot be walked with.
Certificate explore(const ExploreOptions& options, ExploreWatcher& watcher, const std::atomic<bool>& stop);

}  // namespace ordeal::fuzz
