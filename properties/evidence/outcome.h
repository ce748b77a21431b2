// What a trial left behind, as a value that outlives the world: what two ways to the same spec must agree in.
//
// Names, revisions, templates and claims of the set's places; not UIDs, versions, times, nodes or instances, in which
// two ways may differ. Revisions and templates of places that only a user or a lifted partition may update are left
// out, since what they were before decides them. Covered by ../trial/relations_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "properties/evidence/facts.h"

namespace ordeal::properties {

struct Outcome {
  /// Whose a claim is, as far as set and pod are concerned.
  struct ClaimLeft {
    Text name;
    bool there = false, of_set = false, of_pod = false;
    friend bool operator==(const ClaimLeft&, const ClaimLeft&) = default;
  };
  /// A revision that a pod or the status names.
  struct Named {
    Text name;
    RevisionData data{};  // nothing when none of the name is stored
    /// The same one; or one of the same template, which a release may have recorded first one way, in other bytes or by
    /// another hash.
    bool is_like(const Named& other) const {
      return name == other.name || (data.decoded && other.data.decoded && *data.decoded == *other.data.decoded);
    }
  };
  struct Place {
    Text pod;
    bool settled_by_spec = true;  // false: what it was made from depends on what was before
    Named revision{};             // by its label
    Shared<PodTemplate> made_from{};
    std::vector<ClaimLeft> claims{};
  };

  /// It came to rest, the set is there to stay, every place holds a healthy pod and nothing is outside the range.
  bool whole = false;
  Shared<StatefulSetSpec> spec;  // null when there is no set
  StatefulSetStatus status;
  Named update_revision;      // of the status
  std::vector<Place> places;  // in the order of ordinals

  std::uint64_t requests = 0;  // all requests up to rest, with their answers, added up: the same in any order
  int writes = 0;              // requests up to rest that wrote
};

/// What both twins of a relation left (../trial/relations.h).
struct TwinOutcomes {
  Outcome one, other;
};

}  // namespace ordeal::properties
