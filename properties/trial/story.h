// For tests: what became of the pods, as lines one can read and compare: "create web-2 web:v1", "ready web-2",
// "delete web-2", "gone web-2".
#pragma once

#include <string>
#include <vector>

#include "properties/world/simulate.h"

namespace ordeal::properties {

class Story final : public Witness {
 public:
  /// Everything that happened in the scenario's own steps; the epilogue is left out.
  static std::vector<std::string> of(const Scenario& scenario, Controller& controller) {
    World world;
    Story story;
    simulate(world, scenario, controller, story);
    return story.lines_;
  }

  void on_step(const World&, const TakenStep* step, std::string_view) override { ended_ = step == nullptr; }
  void on_change(const World& world) override { read(world); }
  void on_sync(const World& world, const Sync&) override { read(world); }
  void on_settled(const World&, bool, int, int) override {}
  void on_rest(const World&, const Sync&) override {}
  bool enough() const override { return ended_; }

 private:
  void read(const World& world) {
    if (ended_) return;
    const auto log = world.cluster().pods().log();
    for (; read_ < log.size(); ++read_)
      if (const std::string line = told(log[read_]); !line.empty()) lines_.push_back(line);
  }
  static std::string told(const Change<Pod>& change) {
    const std::string name = change.object().meta.name.str();
    if (!change.before) return "create " + name + " " + change.after->made_from->image.str();
    if (!change.after) return "gone " + name;
    if (!change.before->meta.terminating() && change.after->meta.terminating()) return "delete " + name;
    if (change.before->ready != change.after->ready) return (change.after->ready ? "ready " : "unready ") + name;
    return {};
  }
  std::vector<std::string> lines_;
  std::size_t read_ = 0;
  bool ended_ = false;
};

}  // namespace ordeal::properties
