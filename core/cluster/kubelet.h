// The kubelets: which instances really run, so that "at most one" is judged by processes and not only by objects.
#pragma once

#include <span>
#include <vector>

#include "core/api/objects.h"

namespace ordeal {

/// One instance of a pod on some node. It outlives its object when that was force-deleted or its node is unreachable.
struct Process {
  Text pod;
  Uid uid = Uid::none;
  bool on_lost_node = false;
};

class Kubelets {
 public:
  std::span<const Process> running() const { return running_; }
  bool runs(Uid uid) const;
  bool lost(Uid uid) const;                       // its node is lost
  int instances(const Text& pod) const;           // of this name, whatever their objects
  void start(const Text& pod, Uid uid) { running_.push_back({pod, uid, false}); }
  void stop(Uid uid);
  void lose(Uid uid);
  void recover();                                 // nodes come back; what has no object any more is then stopped
  void clear() { running_.clear(); }

 private:
  std::vector<Process> running_;
};

}  // namespace ordeal
