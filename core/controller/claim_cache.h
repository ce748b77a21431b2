// What a controller has written into its own cache of claims: owners as it was about to send them. From then on it
// takes them for those that the claim has, whatever became of the call, until the cache gets another version of the
// claim. No row but `writes_into_cache` asks for that, and no document does. Covered by releases_test.cpp.
#pragma once

#include <vector>

#include "core/controller/door.h"

namespace ordeal {

class ClaimCache {
 public:
  /// Of this version of a claim, as the cache has it by now; null for none.
  const Owners* owners(const Claim& cached) const {
    for (const Written& written : written_)
      if (written.claim == &cached) return written.owners.get();
    return cached.meta.owners.get();
  }
  void write(const Claim& cached, Shared<Owners> owners) {
    for (Written& written : written_)
      if (written.claim == &cached) return void(written.owners = std::move(owners));
    written_.push_back({&cached, std::move(owners)});
  }
  /// A version that has left the cache takes along what was written into it.
  void keep_only(const Listing<Claim>& cached) {
    std::erase_if(written_,
                  [&](const Written& written) { return cached.find(written.claim->meta.name) != written.claim; });
  }
  void clear() { written_.clear(); }

 private:
  struct Written {
    const Claim* claim;
    Shared<Owners> owners;
  };
  std::vector<Written> written_;
};

}  // namespace ordeal
