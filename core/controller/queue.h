// The controller's work queue and the event handlers that fill it, unless the controller has its own: semantics.md
// section 4. One key is one set.
//
// The handlers read only what the caches delivered. Back-off and delays are virtual time. Covered by queue_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "core/controller/door.h"

namespace ordeal {

/// After how long what has failed so often in a row, and now once more, is tried again.
Time back_off(int failures_before);

class WorkQueue {
 public:
  /// Forgets everything: a new process.
  void clear();
  /// Of the controller whose queue this is: its traits, and its own event handlers, which outlive it, or null.
  void serve(const Traits& traits, Handlers* own = nullptr) { traits_ = traits, own_ = own; }
  void add(const Key& key);                  // ready at once; a key already waiting is not added twice
  void add_after(const Key& key, Time due);  // ready at `due`, unless it is ready earlier for another reason
  /// Adds what its own handlers ask for by now.
  void hear(Time now);
  /// The clock that its own handlers read is so much ahead.
  void skew(Time by) { skew_ = by; }
  /// When that key is due, if its own handlers have put it off.
  std::optional<Time> put_off(const Key& key) const;
  /// What a worker does after a sync: back-off on failure, forgotten back-off and timed requeue on success. A
  /// controller that keeps its own queue has seen to that, and says when its next turn is due.
  void done(const Key& key, const SyncResult& result, Time now);

  /// The next ready key, or nothing. Moves due delayed keys first; order is first in, first out.
  std::optional<Key> take(Time now);
  /// Takes this one out of turn; false when it is not ready.
  bool take_ready(const Key& key);
  bool ready(Time now) const;
  std::optional<Time> next_due() const;  // of the delayed keys
  std::optional<Time> next_due(const Key& key) const;

  /// To be told of events instead of the following; null when there are none.
  Handlers* handlers() const { return own_; }
  // Events as the caches deliver them; null `before` is an addition, null `after` a deletion.
  void on_set(const StatefulSet* before, const StatefulSet* after);
  void on_pod(const Pod* before, const Pod* after, const View& seen, Time now);

 private:
  struct Waiting {
    Key key;
    Time due;
    bool by_handler;
  };
  struct Failing {
    Key key;
    int times;
  };
  void delay(Waiting entry);
  void move_due(Time now);
  void pod_gone(const Pod& pod, const View& seen);
  void pod_found(const Pod& pod, const View& seen);
  void pod_changed(const Pod& before, const Pod& after, const View& seen, Time now);
  const StatefulSet* resolve(const OwnerReference& owner, const View& seen) const;
  const StatefulSet* add_owner(const OwnerReference& owner, const View& seen);  // null when it means no set of the view
  void add_all_that_match(const Pod& pod, const View& seen);
  std::vector<Key> ready_;
  std::vector<Waiting> delayed_;  // the earliest first; of equals, the one that was added first
  std::vector<Failing> failing_;
  Traits traits_;
  Handlers* own_ = nullptr;
  Time skew_{};
};

}  // namespace ordeal
