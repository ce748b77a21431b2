// The kubelets: which instances really run, so that "at most one" is judged by processes and not only by objects; and
// what becomes of a running pod, which depends on its image alone.
//
// An instance ends only when its kubelet ends it. It goes on when its object was removed by force and when its node is
// lost. Each instance runs on a node of its own, so that losing a node loses one pod.
// Not here: when instances start and end (cluster.h). Covered by kubelet_test.cpp.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/api/objects.h"

namespace ordeal {

/// What a pod does once it runs, if nobody interferes.
enum class Behaviour : std::uint8_t {
  ready,       // becomes ready and stays so
  unready,     // runs, never ready: an image that ends in "-unready"
  crashing,    // fails: "-crashing"
  completing,  // succeeds: "-completing"
  unstarted,   // never gets as far as that, as without a node that could take it: "-unstarted"
  unpulled,    // is given a node, which never gets its image: "-unpulled"
};
Behaviour behaviour_of(std::string_view image);

/// One instance of a pod on some node. It outlives its object when that was force-deleted or its node is unreachable.
struct Instance {
  Text pod;
  Uid uid = Uid::none;
  bool on_lost_node = false;
  bool object_gone = false;
};

class Kubelets {
 public:
  std::span<const Instance> running() const { return running_; }  // by name, then UID
  bool runs(Uid uid) const;
  int instances(const Text& pod) const;  // of this name, whatever their objects
  const Instance* find(const Text& pod, Uid uid) const;

  void start(const Text& pod, Uid uid);
  void place(const Instance& instance);  // in whatever state it is
  void stop(const Text& pod, Uid uid);   // nothing when it does not run
  void lose(const Text& pod, Uid uid);
  void note_object_gone(const Text& pod, Uid uid);
  void recover();  // nodes come back
  /// Kubelets that are in touch end what has no object any more. Returns how many instances ended.
  std::size_t stop_strays();
  void clear() { running_.clear(); }

 private:
  Instance* found(const Text& pod, Uid uid);
  std::vector<Instance> running_;
};

}  // namespace ordeal
