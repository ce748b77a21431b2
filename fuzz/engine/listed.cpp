#include "fuzz/engine/listed.h"

#include <algorithm>

namespace ordeal::fuzz {

using namespace properties;

TrialOptions Listed::asked(Level level, std::uint64_t seed, std::uint64_t trial) const {
  const auto all = relations();
  const auto own = std::ranges::find(all, list_.at(trial).about, &Relation::invariant);
  const std::size_t chosen = own != all.end() ? static_cast<std::size_t>(own - all.begin())
                                              : (seed % all.size() + trial % all.size()) % all.size();
  return {.level = level, .relations = all.subspan(chosen, 1), .guards_inputs = true};
}

}  // namespace ordeal::fuzz
