// The caches of one controller process: per kind, a position in the watch log and what it amounts to.
//
// Lag is a position behind the end; missed intermediate states are a jump (relist); a restart reads from any earlier
// position, each kind at its own. Handlers run after the cache took the event, as informers do; those of Kubernetes
// hear of sets and pods, a controller's own of every kind. After Cluster::reset, call clear. Covered by cache_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/cluster/store.h"
#include "core/controller/queue.h"

namespace ordeal {

class Cluster;

class Caches {
 public:
  explicit Caches(const Cluster& cluster) : cluster_(&cluster) {}

  View view() const;
  /// The same with all lists in an order drawn from `seed`, since no cache promises one. Valid until the next call.
  View shuffled_view(std::uint64_t seed);
  /// The same view, which stays as it is whatever the caches take, until the next call.
  View kept(const View& view);
  /// Lets up to `n` more events of a kind through, each handed to the queue's handlers. Returns how many there were.
  std::size_t deliver(Kind kind, std::size_t n, WorkQueue& queue);
  /// All events of every kind, kinds in the order of Kind.
  std::size_t deliver_all(WorkQueue& queue);
  /// Jumps to the end of the log: objects that came and went unseen cause no event, changed ones just one, also when
  /// another object has the name now.
  void relist(Kind kind, WorkQueue& queue);
  /// A new process whose list of `kind` was answered from `back` events before the end (0: fresh). Adds every object.
  void restart(Kind kind, std::size_t back, WorkQueue& queue);
  /// A new process whose list of `kind` has not been answered yet. Whatever is let through next is that list.
  void await_list(Kind kind, WorkQueue& queue);
  /// A cache that awaits its first list; nothing: none does.
  std::optional<Kind> unlisted() const;
  std::size_t behind(Kind kind) const;  // events not yet delivered
  bool fresh() const;                   // behind in nothing
  /// In the watch log of each kind: how many of its changes each cache has taken, or knows by a list.
  using Positions = std::array<std::size_t, kind_count>;
  Positions positions() const;
  void clear();
  /// Jumps to the end of the log and tells nobody.
  void follow(Kind kind);

 private:
  template <class T>
  struct Point {
    std::vector<const T*> held;
    std::size_t position = 0;
    Version reached = Version::none;
    bool awaits_list = false;
  };

 public:
  using Mark = EachKind<Point>;
  void mark(Mark& at) const;
  void rewind(const Mark& to);

 private:
  template <class T>
  struct Cursor {
    Index<T> held;
    Index<T> replaced;  // what a relist replaced; kept for its memory
    std::vector<const T*> shuffled;
    std::vector<const T*> kept, kept_by_name;
    std::size_t position = 0, listed = 0;  // in the log: how far it was told, and how far of that by a list
    Version reached = Version::none;
    bool awaits_list = false;
  };
  template <class T>
  std::size_t deliver_kind(std::size_t n, WorkQueue& queue);
  template <class T>
  void relist_kind(WorkQueue& queue);
  template <class T>
  void restart_kind(std::size_t back, WorkQueue& queue);
  template <class T>
  Listing<T> listing(const Cursor<T>& cursor) const;
  template <class T>
  Listing<T> shuffled(std::uint64_t seed);
  template <class T>
  Listing<T> keep(const Listing<T>& listing);
  template <class T>
  static void mark_kind(const Cursor<T>& cursor, Point<T>& at);
  template <class T>
  static void rewind_kind(Cursor<T>& cursor, const Point<T>& to);
  template <class T>
  void move_to(Cursor<T>& cursor, std::size_t position);
  template <class T>
  void list_to(Cursor<T>& cursor, std::size_t position);
  template <class T>
  void tell(const Change<T>& event, WorkQueue& queue);

  const Cluster* cluster_;
  EachKind<Cursor> cursors_;
};

}  // namespace ordeal
