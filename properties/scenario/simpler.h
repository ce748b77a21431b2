// What is simpler than a step, a set or an environment, by one change. For shrink.cpp, simplifications, and whoever
// tells what is not plain.
//
// Each change moves one field towards its plainest value and none back, so a chain of them always ends. A simpler set
// than an acceptable one is acceptable too.
#pragma once

#include <vector>

#include "properties/scenario/scenario.h"

namespace ordeal::properties {

/// The same kind with every argument at its simplest, now and not before a call.
Step plainest(const Step& step);
std::vector<Step> simpler_steps(const Step& step);

/// Nothing but its name and its spec is asked for.
inline bool is_bare(const ClaimTemplate& claim) {
  return claim.ns.empty() && claim.labels.empty() && claim.annotations.empty() && !claim.owners && !claim.finalizers;
}

inline bool is_in_default_namespace(const ObjectMeta& meta) { return meta.ns.empty() || meta.ns == "default"; }

/// Everything at its default but the number of replicas.
StatefulSet plainest(const StatefulSet& set);
std::vector<StatefulSet> simpler_sets(const StatefulSet& set);

std::vector<Environment> simpler_environments(const Environment& environment);

}  // namespace ordeal::properties
