// A turn as whoever made it knew the world in the course of it: what it was told by answers, or by caches that it looks
// into anew, in place of what these had shown when it began.
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

#include <algorithm>
#include <optional>
#include <span>
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

class Informed {
 public:
  /// Whether `keeps(turn)` for the turn as it was known after some piece of news, or by that piece alone, or by those
  /// of one kind: nobody has to draw all conclusions. Only of what is told before `asked` or by its answer, null for
  /// all of the turn. `turn` is valid within the call only.
  template <class Keeps>
  bool ever(const Sync& sync, const Call* asked, Keeps keeps) {
    gather(sync, asked);
    const auto any = [](const News&) { return true; };
    if (ever(sync, keeps, any, /*alone=*/false)) return true;
    if (pieces_ > 1 && ever(sync, keeps, any, /*alone=*/true)) return true;
    return !sync.taken.empty() && std::ranges::any_of(every_kind, [&](Kind kind) {
      return ever(sync, keeps, [&](const News& piece) { return is_of(kind, piece); }, /*alone=*/false);
    });
  }

  /// The turn as if its caches had shown what its process learnt before it, in this order, of all kinds or of one; null
  /// when they did. Valid until the next call.
  const Sync* remembering(const Sync& sync, const Cluster& truth, std::span<const Learnt> learnt,
                          std::optional<Kind> only = {});

 private:
  template <class T>
  struct Lists {
    std::vector<const T*> all, by_name;
  };
  template <class Keeps, class Counts>
  bool ever(const Sync& sync, Keeps& keeps, Counts counts, bool alone) {
    pieces_ = 0;
    for (const News& piece : news_) {
      if (!counts(piece)) continue;
      if (alone || pieces_ == 0) sync_ = sync;
      if (!learn(piece)) continue;
      ++pieces_;
      if (keeps(std::as_const(sync_))) return true;
    }
    return false;
  }
  void gather(const Sync& sync, const Call* asked);
  static bool is_of(Kind kind, const News& piece);
  bool learn(const News& piece);
  template <class T>
  void put_over(Listing<T>& listing, const T* shown, const T* live);
  template <class T>
  bool recall(const Learnt& write, const Store<T>& store, Version reached, Listing<T>& listing);

  Sync sync_;
  std::vector<News> news_;
  int pieces_ = 0;  // of them that were not known
  EachKind<Lists> lists_;
};

}  // namespace ordeal::properties
