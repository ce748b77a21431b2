// A turn as whoever made it knew the world in the end: what it read itself, in place of what its caches had shown.
//
// A controller may make sure before it acts, and then act upon what it was told. Promises that judge by what was shown are
// asked once more, of that view, before anybody is blamed (judge.cpp). Not here: answers to writes, which every invariant
// sees beside the call. Covered by informed_test.cpp.
#pragma once

#include <tuple>
#include <vector>

#include "properties/trial/trace.h"

namespace ordeal::properties {

class Informed {
 public:
  /// The turn with that view; null when it read nothing but what it was shown. Valid until the next call, and while `sync` lives.
  const Sync* of(const Sync& sync);

 private:
  template <class T>
  struct Lists {
    std::vector<const T*> all, by_name;
  };
  template <class T>
  bool learn(const Call& read, Listing<T>& listing);

  Sync sync_;
  std::tuple<Lists<StatefulSet>, Lists<Pod>, Lists<Claim>, Lists<Revision>> lists_;
};

}  // namespace ordeal::properties
