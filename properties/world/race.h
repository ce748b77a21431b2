// Random schedules with a guarantee: probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte,
// ASPLOS 2010).
//
// Contenders get random priorities, and at each move the first of them that can move does. At `change_points` random
// moves the one that moved falls behind all others. A bug that needs d = change_points + 1 ordering constraints among n
// contenders in k moves is hit with a probability of at least 1 / (n * k^(d-1)). Deterministic in its seed.
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

  Race(std::uint32_t seed, std::uint32_t moves);
  /// The contenders, the one to be asked first in front.
  std::span<const std::uint8_t> order() const { return order_; }
  /// The contender at `place` of the order has made this move.
  void moved(std::uint32_t move, std::size_t place);

 private:
  std::array<std::uint8_t, contenders> order_{};
  std::array<std::uint32_t, change_points> changes_{};
};

}  // namespace ordeal::properties
