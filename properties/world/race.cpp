#include "properties/world/race.h"

#include <algorithm>
#include <numeric>

#include "properties/scenario/choices.h"

namespace ordeal::properties {

Race::Race(std::uint32_t seed, std::uint32_t moves) {
  Seeded choices(seed);
  std::iota(order_.begin(), order_.end(), std::uint8_t{0});
  for (std::size_t left = order_.size(); left > 1; --left)
    std::swap(order_[left - 1], order_[choices.up_to(static_cast<std::uint32_t>(left - 1))]);
  for (std::uint32_t& change : changes_) change = choices.up_to(std::max(moves, 1u) - 1);
}

}  // namespace ordeal::properties
