// A move: the smallest thing that happens in a walk, carried out by steps of the usual vocabulary.
//
// The caches of a walked world are up to date after every move, but for one kind that may have fallen behind; so a turn
// of the controller is a delivery and a sync, and a death in it is a third step.
#pragma once

#include <cstdint>

#include "properties/explore/scope.h"

namespace ordeal::properties {

enum class MoveKind : std::uint8_t {
  scale,
  edit_template,
  set_partition,
  set_max_unavailable,  // argument: number, edition, place in the scope's choices
  turn,
  die,         // after call `argument`
  lose_reply,  // of call `argument`
  conflict,    // call `argument`
  kubelet,     // pod `argument`, by name, goes one stage on
  restart,     // the controller dies between two turns, which is also what dying before the first call is
  sweep,       // what runs without an object ends
  collect,
  wait,  // until the next pod has been ready for long enough
  fail,
  unready,
  remove,       // pod `argument`
  fall_behind,  // the cache of kind `argument`
  receive,      // the cache that is behind gets one event
};

struct Move {
  MoveKind kind = MoveKind::turn;
  std::uint8_t argument = 0;
  friend bool operator==(const Move&, const Move&) = default;
  friend auto operator<=>(const Move&, const Move&) = default;
};

}  // namespace ordeal::properties
