// Another namespace, where a set, two pods, claims and a revision bear the names that the set on trial gives: what a
// controller meets that lists without a namespace, or keeps what it sees under a name alone. Nothing ever happens
// there.
#pragma once

#include "core/cluster/cluster.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

class Namesakes {
 public:
  /// Made anew for this scenario. Valid until the next call.
  const View& of(const Scenario& scenario);

 private:
  void add_objects(const StatefulSet& twin);

  Cluster cluster_;
  View view_;
};

}  // namespace ordeal::properties
