// What a controller remembers, as a value: for who goes back to an earlier moment and lets it go on from there
// (properties/explore). A controller that has memory and does not say so here cannot be sent back.
#pragma once

#include <array>

#include "core/controller/door.h"

namespace ordeal {

/// All that may be remembered of a set: the newest version of each kind that the process wrote itself.
using OwnVersions = std::array<Version, kind_count>;

class Remembering {
 public:
  virtual ~Remembering() = default;
  virtual OwnVersions remembered(const Key& key) const = 0;
  /// From now on it remembers this, and nothing else.
  virtual void remember(const Key& key, const OwnVersions& newest) = 0;
};

}  // namespace ordeal
