// Worlds from which it is known that, left in peace, everything ends well: the end of a trial is long, and from most
// states it comes through the same few worlds. Shared by all jobs.
#pragma once

#include <array>
#include <mutex>
#include <unordered_set>

#include "properties/explore/hash.h"

namespace ordeal::properties {

class Ends {
 public:
  bool end_well(const Hash128& world) const {
    const Part& part = part_of(world);
    const std::scoped_lock lock(part.mutex);
    return part.good.contains(world);
  }
  /// False when another job has noted it by now.
  bool note(const Hash128& world) {
    Part& part = part_of(world);
    const std::scoped_lock lock(part.mutex);
    return part.good.insert(world).second;
  }
  std::size_t size() const {
    std::size_t all = 0;
    for (const Part& part : parts_) {
      const std::scoped_lock lock(part.mutex);
      all += part.good.size();
    }
    return all;
  }
  /// About; what std::unordered_set takes for an entry.
  std::size_t bytes() const { return size() * (sizeof(Hash128) + 4 * sizeof(void*)); }

 private:
  struct Part {
    mutable std::mutex mutex;
    std::unordered_set<Hash128, HashOfHash> good;
  };
  Part& part_of(const Hash128& world) { return parts_[world.high % parts_.size()]; }
  const Part& part_of(const Hash128& world) const { return parts_[world.high % parts_.size()]; }
  std::array<Part, 64> parts_;
};

}  // namespace ordeal::properties
