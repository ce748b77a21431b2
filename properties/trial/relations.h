// Metamorphic relations: two scenarios that must end alike, whatever the right end is.
//
// A relation makes two variants of a scenario, its twins, from that scenario alone: no choice is taken, so that a
// finding is replayed and shrunk like any other, by its scenario and the id of its invariant. Both are tried, and the
// invariant of the relation (../invariants/equivalence.h, asked on_twins) compares what they left behind (outcome.h).
// What twins may not differ in by right is left out of them: a step that touches objects behind the controller's back
// would hit other objects in the other one. Covered by relations_test.cpp.
#pragma once

#include <optional>
#include <span>

#include "properties/invariants/invariant.h"
#include "properties/scenario/scenario.h"
#include "properties/trial/outcome.h"

namespace ordeal::properties {

struct Relation {
  std::string_view invariant;  // its id in the catalogue, which has the words, the level and the source
  /// Two scenarios; nothing when this one gives no occasion.
  std::optional<std::pair<Scenario, Scenario>> (*twins)(const Scenario&);
};

/// All of them, in the order of the catalogue.
std::span<const Relation> relations();
/// Null when this invariant is no relation's.
const Relation* relation_of(const Invariant& invariant);

/// What both twins left; nothing when there are none. Throws as `simulate` does.
std::optional<TwinOutcomes> try_twins(const Relation& relation, World& world, const Scenario& scenario,
                                      Program& program);

}  // namespace ordeal::properties
