// Watches that a controller leaves what it is shown alone: objects of a cache are shared, and const only by promise.
//
// Digests everything a view shows before and after each sync, which costs as much as the sync itself; so campaigns
// guard a fraction of their trials, replays all. A program behind a pipe has caches of its own, and says itself what
// becomes of them (PROTOCOL.md), or nothing. Of a turn in which the process dies nothing is known. Covered by
// input_guard_test.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "properties/world/program.h"

namespace ordeal::properties {

/// Of all that a view shows, down to the last label: the same for equal content, wherever it lies.
std::uint64_t digest_of(const View& seen);

/// The processes of another program, each watched.
class InputGuard final : public Program {
 public:
  explicit InputGuard(Program& inner) : inner_(inner) {}
  Controller* process(std::size_t which, const Gates& gates) override;

 private:
  class Watched;
  Program& inner_;
  std::vector<std::pair<const Controller*, std::unique_ptr<Controller>>> watched_;
};

}  // namespace ordeal::properties
