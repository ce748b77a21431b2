// The program on trial, which runs as one process or as two: a leader, and a rival that was or will be one.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

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

/// A controller that exists once, with the gates it is first asked for: nobody turns them.
class OneProcess final : public Program {
 public:
  explicit OneProcess(Controller& controller) : controller_(controller) {}
  Controller* process(std::size_t which, const Gates& gates) override {
    if (!gates_) gates_ = gates;
    return which == 0 && gates == *gates_ ? &controller_ : nullptr;
  }

 private:
  Controller& controller_;
  std::optional<Gates> gates_;
};

/// Releases that stand in for the program: what a set has been through before, or goes through in a downgrade.
class OtherReleases {
 public:
  /// The same object each time; `release` is a name of core/controller/releases.h.
  Controller& process(std::string_view release, std::size_t which, const Gates& gates);

 private:
  struct Made {
    std::string_view release;
    std::size_t which;
    Gates gates;
    std::unique_ptr<Controller> controller;
  };
  std::vector<Made> made_;
};

}  // namespace ordeal::properties
