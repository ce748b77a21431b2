// The program on trial, which runs as one process or as two: a leader, and a rival that was or will be one.
#pragma once

#include <cstddef>

#include "core/controller/door.h"
#include "core/controller/rules.h"

namespace ordeal::properties {

inline constexpr std::size_t process_count = 2;

class Program {
 public:
  virtual ~Program() = default;
  /// What process `which` runs under these gates, the same object each time. Null when there can be no such process:
  /// then steps that need it change nothing.
  virtual Controller* process(std::size_t which, const Gates& gates) = 0;
};

/// A controller that exists once, with gates of its own.
class OneProcess final : public Program {
 public:
  explicit OneProcess(Controller& controller) : controller_(controller) {}
  Controller* process(std::size_t which, const Gates&) override { return which == 0 ? &controller_ : nullptr; }

 private:
  Controller& controller_;
};

}  // namespace ordeal::properties
