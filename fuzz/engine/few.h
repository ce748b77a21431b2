// The greedy set cover: few of many that together have all that the many have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ordeal::fuzz {

/// Indices below n, ascending: time and again the one that adds most, of equals the one that costs less, then the
/// first. At most about ln(n) times as many as needed, the most anybody can promise cheaply. `adds(i)` counts what i
/// has that none taken so far has; `take(i)` is told who was taken. Covered by corpus_test.cpp and killers_test.cpp.
template <class Adds, class Cost, class Take>
std::vector<std::size_t> few_of(std::size_t n, Adds adds, Cost cost, Take take) {
  const auto best_left = [&] {
    std::size_t best = n, most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t added = adds(i);
      const bool better = added > most || (added == most && best < n && cost(i) < cost(best));
      if (added > 0 && better) best = i, most = added;
    }
    return best;
  };
  std::vector<std::size_t> taken;
  for (std::size_t i = best_left(); i < n; i = best_left()) {
    take(i);
    taken.push_back(i);
  }
  std::ranges::sort(taken);
  return taken;
}

}  // namespace ordeal::fuzz
