// Seeded bugs: the strict reference with a row of its table replaced, or two. They prove that the invariants can fail
// and that the generators find what they should. README.md says how to add one. Covered by mutants_test.cpp.
#pragma once

#include <span>
#include <string_view>

#include "core/controller/rules_table.h"

namespace ordeal::properties {

struct Mutant {
  std::string_view id;         // "ordering-waits-for-nobody", for `--controller mutant:ID`
  std::string_view about;      // what is wrong, in a sentence
  std::string_view invariant;  // the promise that must be found broken
  Rules rules;
};

/// At least one per family of invariants, in the order of families.
std::span<const Mutant> mutants();
/// Null when there is none of this id.
const Mutant* find_mutant(std::string_view id);

}  // namespace ordeal::properties
