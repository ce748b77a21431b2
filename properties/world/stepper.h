// The loop of simulate.h, one step at a time: for who goes back to an earlier moment and tries another step
// (properties/explore).
//
// It knows one process, the leader, whose controller must be Remembering. Covered by properties/explore/walk_test.cpp.
#pragma once

#include <functional>
#include <memory>

#include "core/controller/remembering.h"
#include "properties/world/simulate.h"

namespace ordeal::properties {

class Stepper {
 public:
  /// World, scenario (whose steps are not read), program and witness must outlive it.
  Stepper(World& world, const Scenario& scenario, Program& program, Witness& witness);
  ~Stepper();
  void begin();                 // the first set is created
  void take(const Step& step);  // as if it came next in the scenario
  /// The epilogue. `knows` is asked once, when the environment has had its first turn and the controller is next; true
  /// ends it there, since it is known how it goes on from such a world.
  void end(std::function<bool()> knows);

  Cluster& cluster();
  Caches& caches();
  const WorkQueue& queue() const;
  const Sync& last_sync() const;
  /// Null when the controller is none that can be sent back.
  Remembering* memory();

  /// All that a step can change. The work queue is not in it: a rewound queue is empty.
  struct Mark {
    Cluster::Mark cluster;
    Caches::Mark caches;
    OwnVersions own{};
  };
  void mark(Mark& at);
  void rewind(const Mark& to);

 private:
  World& world_;
  std::unique_ptr<class Simulation> simulation_;
  const Controller* remembering_of_ = nullptr;
  Remembering* remembering_ = nullptr;
};

}  // namespace ordeal::properties
