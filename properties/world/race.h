// Random schedules with a guarantee: probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte,
// ASPLOS 2010).
//
// Contenders get random priorities, and at each move the first of them that can move does. At `change_points` random
// moves the one that was about to move falls behind all others instead. A bug that needs d = change_points + 1 ordering
// constraints among n contenders in k moves is hit with a probability of at least 1 / (n * k^(d-1)). Deterministic in
// its seed. Covered by race_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "properties/scenario/scenario.h"

namespace ordeal::properties {

class Race {
 public:
  static constexpr std::size_t change_points = 2;
  static constexpr std::size_t kubelets = 8;  // pods that move on their own, counted round
  /// Who can move: the deliveries of each kind, the controller, the garbage collector, the kubelets.
  static constexpr std::size_t deliveries = 4, controller = deliveries, collector = controller + 1,
                               first_kubelet = collector + 1, contenders = first_kubelet + kubelets;

  static constexpr std::int32_t moves_at_most = 200;
  static std::uint32_t moves_of(const Step& step) {
    return static_cast<std::uint32_t>(std::clamp(step.b, 0, moves_at_most));
  }

  using Order = std::array<std::uint8_t, contenders>;
  using Changes = std::array<std::uint32_t, change_points>;

  Race(std::uint32_t seed, std::uint32_t moves);
  /// The contenders, the one to be asked first in front; and the moves, from 0 on, before which one falls behind.
  Race(const Order& order, const Changes& changes) : order_(order), changes_(changes) {}
  std::span<const std::uint8_t> order() const { return order_; }

  /// Makes one move: the `move`th. `can_move(contender)` says whether it could, and leaves everything as it is;
  /// `moves(contender)` makes its move if it can, and says whether it did. False when nobody can.
  template <class CanMove, class Moves>
  bool make(std::uint32_t move, CanMove can_move, Moves moves) {
    for (auto left = std::ranges::count(changes_, move); left > 0; --left) {
      const auto next = std::ranges::find_if(order_, can_move);
      if (next != order_.end()) std::rotate(next, next + 1, order_.end());
    }
    return std::ranges::any_of(order_, moves);
  }

 private:
  Order order_{};
  Changes changes_{};
};

}  // namespace ordeal::properties
