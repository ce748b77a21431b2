#include "properties/world/stepper.h"

#include <utility>

#include "properties/world/simulation.h"

namespace ordeal::properties {

Stepper::Stepper(World& world, const Scenario& scenario, Program& program, Witness& witness)
    : world_(world), simulation_(std::make_unique<Simulation>(world, scenario, program, witness)) {}
Stepper::~Stepper() = default;

void Stepper::begin() { simulation_->begin(); }
void Stepper::take(const Step& step) { simulation_->take(step); }
void Stepper::end(std::function<bool()> knows) {
  simulation_->ask_in_the_end(std::move(knows));
  simulation_->end();
  simulation_->ask_in_the_end(nullptr);
}
Cluster& Stepper::cluster() { return simulation_->cluster(); }
Caches& Stepper::caches() { return simulation_->leader().caches; }
const WorkQueue& Stepper::queue() const { return simulation_->leader().queue; }
const Sync& Stepper::last_sync() const { return simulation_->leader().own.last(); }

/// Looked up once per controller, since it is asked for at every step of a walk.
Remembering* Stepper::memory() {
  Controller* leading = simulation_->leader().controller;
  if (std::exchange(remembering_of_, leading) != leading) remembering_ = dynamic_cast<Remembering*>(leading);
  return remembering_;
}

void Stepper::mark(Mark& at) {
  cluster().mark(at.cluster);
  caches().mark(at.caches);
  at.own = memory()->remembered(world_.key());
}

void Stepper::rewind(const Mark& to) {
  cluster().rewind(to.cluster);
  caches().rewind(to.caches);
  memory()->remember(world_.key(), to.own);
  simulation_->rewound();
}

}  // namespace ordeal::properties
