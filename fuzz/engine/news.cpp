#include "fuzz/engine/news.h"

#include <algorithm>

namespace ordeal::fuzz {

/// A candidate stays one whatever comes later with a lower number; few scenarios meet anything that is not known.
void News::note(std::uint64_t trial, const properties::Scenario& scenario, const properties::Encounters::Bits& met) {
  const bool fresh = (met & ~known_).any();
  const std::scoped_lock lock(mutex_);
  tally_.add(met);
  if (fresh) candidates_.push_back({trial, scenario, met});
}

std::vector<News::Fresh> News::fresh() const {
  std::vector<Fresh> sorted = candidates_;
  std::ranges::sort(sorted, {}, &Fresh::trial);
  std::vector<Fresh> chosen;
  properties::Encounters::Bits met = known_;
  for (Fresh& candidate : sorted) {
    if ((candidate.met & ~met).none()) continue;
    met |= candidate.met;
    chosen.push_back(std::move(candidate));
  }
  return chosen;
}

}  // namespace ordeal::fuzz
