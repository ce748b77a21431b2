// A turn in which the process dies at a call is the turn it has just taken from that very world, up to that call. So
// nothing is decided again: the calls are made again, and the last one ends it. Walks try such a death after every call
// of a turn.
//
// What it knows of the turn is for the walker to teach it anew in each state. Covered by walk_test.cpp, in which
// another walk asks the controller every time.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "properties/evidence/trace.h"
#include "properties/world/program.h"

namespace ordeal::properties {

/// A program whose processes can repeat a turn. Only what can be sent back to an earlier moment is: the rest passes as
/// it is.
class Repeater final : public Program {
 public:
  explicit Repeater(Program& inner);
  ~Repeater() override;
  Controller* process(std::size_t which, const Gates& gates) override;
  /// The turn that is repeated from now on.
  void learn(std::span<const Call> turn);
  /// Whether syncs repeat the turn, or are decided.
  void repeat(bool on) { repeats_ = on; }

 private:
  class Repeating;
  Program& inner_;
  std::vector<std::unique_ptr<Repeating>> processes_;
  std::vector<Request> turn_;
  bool repeats_ = false;
};

}  // namespace ordeal::properties
