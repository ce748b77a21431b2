// The only loop: a scenario happens to a world, and a witness is told about everything.
//
// Steps one after the other; then the epilogue: faults stop, the environment heals (Actor::heal) and is fair until
// nothing moves; then two more syncs that should do nothing. Deterministic: a function of scenario and controller. Not
// here: what is right (judge.cpp), where scenarios come from (properties/scenario). Covered by simulate_test.cpp.
#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "core/cluster/cluster.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/scenario.h"
#include "properties/world/actor.h"
#include "properties/world/namesakes.h"
#include "properties/world/process.h"
#include "properties/world/program.h"

namespace ordeal::properties {

/// A larger set is refused: one trial has to end.
inline constexpr std::int32_t max_replicas = 100'000;

/// Positions in the watch logs: between two of them lies all that changed.
struct Marks {
  std::size_t sets = 0, pods = 0, claims = 0, revisions = 0;
  friend bool operator==(const Marks&, const Marks&) = default;
};

class World;

/// Told about each thing that happened, right after it did. Times and positions are the world's.
class Witness {
 public:
  virtual ~Witness() = default;
  /// A step of the scenario, or of the epilogue (then `step` is null and `note` says what), before its consequences.
  /// Inside a sync for a step between calls.
  virtual void on_step(const World&, const TakenStep* step, std::string_view note) = 0;
  /// Something other than a sync changed the world.
  virtual void on_change(const World&) = 0;
  /// Another process's turn begins between two calls of this one, which goes on afterwards.
  virtual void on_interrupted(const World&, const Sync&) {}
  virtual void on_sync(const World&, const Sync&) = 0;
  /// The final settle ended; `rested` when nothing moved any more within the bound.
  virtual void on_settled(const World&, bool rested, int rounds, int bound) = 0;
  /// A sync after that.
  virtual void on_rest(const World&, const Sync&) = 0;
  /// True ends the trial here (a shrinker has seen enough).
  virtual bool enough() const { return false; }
};

/// The world of one trial at a time; reused, so that a trial allocates little.
class World {
 public:
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const Cluster& cluster() const { return cluster_; }
  const Scenario& scenario() const { return *scenario_; }
  const Key& key() const { return key_; }
  Marks marks() const {
    return {cluster_.sets().log().size(), cluster_.pods().log().size(), cluster_.claims().log().size(),
            cluster_.revisions().log().size()};
  }
  /// Asked before each turn: true ends the simulation with std::runtime_error. Null: nobody is in a hurry.
  void end_when(const std::function<bool()>* is_over) { is_over_ = is_over; }

 private:
  friend class Simulation;
  Cluster cluster_;
  Actor actor_{cluster_};
  Namesakes namesakes_;
  OtherReleases other_releases_;
  std::array<Process, process_count> processes_{Process(cluster_), Process(cluster_)};
  const Scenario* scenario_ = nullptr;
  const std::function<bool()>* is_over_ = nullptr;
  Key key_;
};

/// Throws std::invalid_argument when the scenario's set cannot be simulated (over max_replicas) or is refused by the
/// API server, and std::runtime_error when World::end_when says so, or when somebody who is not on trial (another
/// release, or whoever serves a neighbour) does not stop calling. When the controller on trial does not, its turn ends
/// the trial (Sync::endless).
void simulate(World& world, const Scenario& scenario, Program& program, Witness& witness);
void simulate(World& world, const Scenario& scenario, Controller& controller, Witness& witness);  // the only process

}  // namespace ordeal::properties
