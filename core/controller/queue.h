// The controller's work queue and the event handlers that fill it: semantics.md section 4. One key is one set.
//
// The handlers read only what the caches delivered. Back-off and delays are virtual time. Covered by queue_test.cpp.
#pragma once

#include <optional>
#include <vector>

#include "core/controller/door.h"

namespace ordeal {

class WorkQueue {
 public:
  /// Forgets everything: a new process.
  void clear();
  void serve(const Traits& traits) { traits_ = traits; }  // of the controller whose event handlers these are
  void add(const Key& key);                               // ready at once; a key already waiting is not added twice
  void add_after(const Key& key, Time due);  // ready at `due`, unless it is ready earlier for another reason
  /// What a worker does after a sync: back-off on failure, forgotten back-off and timed requeue on success.
  void done(const Key& key, const SyncResult& result, Time now);

  /// The next ready key, or nothing. Moves due delayed keys first; order is first in, first out.
  std::optional<Key> take(Time now);
  bool ready(Time now) const;
  std::optional<Time> next_due() const;  // of the delayed keys
  std::optional<Time> next_due(const Key& key) const;

  // Events as the caches deliver them; null `before` is an addition, null `after` a deletion.
  void on_set(const StatefulSet* before, const StatefulSet* after);
  void on_pod(const Pod* before, const Pod* after, const View& seen, Time now);

 private:
  struct Waiting {
    Key key;
    Time due;
  };
  struct Failing {
    Key key;
    int times;
  };
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
};

}  // namespace ordeal
