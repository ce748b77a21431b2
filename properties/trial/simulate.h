// The only loop: a scenario happens to a world, and a witness is told about everything.
//
// Steps one after the other; then the epilogue: faults stop, the environment heals (nodes return, stuck terminations
// end, foreign holders of names are removed, a broken template is replaced by a good one) and is fair until nothing
// moves; then two more syncs that should do nothing. Deterministic: a function of scenario and controller.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/cluster/cache.h"
#include "core/cluster/cluster.h"
#include "core/controller/door.h"
#include "core/controller/queue.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/scenario.h"
#include "properties/trial/trace.h"

namespace ordeal::properties {

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
  virtual void on_step(const World&, const Step* step, std::string_view note) = 0;
  /// Something other than a sync changed the world.
  virtual void on_change(const World&) = 0;
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
  World();
  World(const World&) = delete;

  const Cluster& cluster() const { return cluster_; }
  const Caches& caches() const { return caches_; }
  const Scenario& scenario() const { return *scenario_; }
  const Key& key() const { return key_; }
  Marks marks() const;
  bool interfered_now() const { return interfered_; }   // the present step touched what belongs to the set

 private:
  friend class Simulation;
  Cluster cluster_;
  Caches caches_{cluster_};
  WorkQueue queue_;
  TemplateVariants variants_;
  std::vector<Call> calls_;
  const Scenario* scenario_ = nullptr;
  Key key_;
  bool interfered_ = false;
};

void simulate(World& world, const Scenario& scenario, Controller& controller, Witness& witness);

}  // namespace ordeal::properties
