// A program for trials: one controller per process and set of gates, made by a function.
#pragma once

#include <deque>
#include <functional>
#include <memory>

#include "core/controller/reference.h"
#include "properties/world/program.h"

namespace ordeal::properties {

class Processes final : public Program {
 public:
  using Make = std::function<std::unique_ptr<Controller>(const Gates&)>;
  explicit Processes(Make make) : make_(std::move(make)) {}
  Controller* process(std::size_t which, const Gates& gates) override {
    for (const Made& made : made_)
      if (made.which == which && made.gates == gates) return made.controller.get();
    return made_.emplace_back(Made{which, gates, make_(gates)}).controller.get();
  }

 private:
  struct Made {
    std::size_t which;
    Gates gates;
    std::unique_ptr<Controller> controller;
  };
  Make make_;
  std::deque<Made> made_;
};

}  // namespace ordeal::properties
