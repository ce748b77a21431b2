// A turn as whoever made it knew the world in the course of it: what it was told by answers, in place of what its
// caches had shown.
//
// A controller may make sure before it acts, and then act upon what it was told. Promises that judge by what was shown
// are asked again, of what was known after each piece of news, before anybody is blamed (judge.cpp).
//
// A controller counts as told of an object when it read it, adopted it (nobody else controls it then), was told that it
// is not there, patched it (what a patch does not mention stays as it is stored), or wrote its status; and, for the
// later calls of the turn, when it wrote it at all. A process also knows what it read and wrote in earlier turns,
// before any cache shows it. An answer that comes after a call excuses nothing about that call. Covered by
// informed_test.cpp.
#pragma once

#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "properties/evidence/trace.h"

namespace ordeal::properties {

/// A write or a read of a process that was answered, and what it was told was stored then.
struct Learnt {
  Kind kind = Kind::set;
  Text name;
  Version stored = Version::none;  // none: nothing, the object is gone
  Uid uid = Uid::none;             // of the object
};
/// The answer says how an object is stored now, or that one of a UID is not there.
bool teaches(const Call& call);
Learnt learnt_from(const Call& call);
/// The answer tells of what is not known. Of the call that is asked about, null for the whole turn, only what was so
/// already when it was made.
bool tells_news(const Call& call, const View& known, const Call* asked);

class Informed {
 public:
  /// Whether `keeps(turn)` for the turn as it was known after some piece of news, or by that piece alone: nobody has to
  /// draw all conclusions. Only of what is told before `asked` or by its answer, null for all of the turn. `turn` is
  /// valid within the call only.
  template <class Keeps>
  bool ever(const Sync& sync, const Call* asked, Keeps keeps) {
    return ever(sync, asked, keeps, /*alone=*/false) || (pieces_ > 1 && ever(sync, asked, keeps, /*alone=*/true));
  }

  /// The turn as if its caches had shown what its process learnt before it, in this order; null when they did. Valid
  /// until the next call.
  const Sync* remembering(const Sync& sync, const Cluster& truth, std::span<const Learnt> learnt);

 private:
  template <class T>
  struct Lists {
    std::vector<const T*> all, by_name;
  };
  template <class Keeps>
  bool ever(const Sync& sync, const Call* asked, Keeps& keeps, bool alone) {
    pieces_ = 0;
    for (const Call& call : sync.calls) {
      const bool begins = alone || pieces_ == 0;
      if (tells_news(call, begins ? sync.seen : sync_.seen, asked)) {
        ++pieces_;
        if (begins) sync_ = sync;
        learn(call, asked);
        if (keeps(std::as_const(sync_))) return true;
      }
      if (&call == asked) break;
    }
    return false;
  }
  void learn(const Call& call, const Call* asked);
  template <class T>
  void learn(const Call& call, const Call* asked, Listing<T>& listing);
  template <class T>
  void put_over(Listing<T>& listing, const T* shown, const T* live);
  template <class T>
  bool recall(const Learnt& write, const Store<T>& store, Version reached, Listing<T>& listing);

  Sync sync_;
  int pieces_ = 0;  // of news
  EachKind<Lists> lists_;
};

}  // namespace ordeal::properties
