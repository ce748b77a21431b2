// Another namespace, where a set, two pods, claims and a revision bear the names that the set on trial gives: what a
// controller meets that lists without a namespace, or keeps what it sees under a name alone. It has turns for that set,
// too, in which it may ask for whatever it likes; but no cache ever shows what comes of it.
#pragma once

#include <vector>

#include "core/cluster/cluster.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

class Namesakes final : public Api {
 public:
  /// Made anew for this scenario. Valid until the next call.
  const View& of(const Scenario& scenario);
  const Key& key() const { return key_; }
  /// Throws when one turn makes calls without end: of whoever is on trial there is no verdict then.
  Reply call(Request request) override;
  std::vector<const ObjectMeta*> stored(Kind kind) const override { return cluster_.stored(kind); }
  /// A turn begins.
  void begin() { calls_ = 0; }

 private:
  void add_objects(const StatefulSet& twin);

  template <class T>
  using Held = std::vector<const T*>;
  Cluster cluster_;
  EachKind<Held> held_;
  View view_;
  Key key_;
  std::size_t calls_ = 0;
};

}  // namespace ordeal::properties
