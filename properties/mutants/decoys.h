// Decoys: controllers that are odd and not wrong. Each makes use of a liberty that the documents leave; whoever calls
// it a violation has found something that nobody promised. They are the mutants' counterpart: mutants prove that
// promises can be found broken, decoys that nothing else is. README.md says how to add one. Covered by decoys_test.cpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "core/controller/door.h"
#include "core/controller/rules.h"
#include "properties/invariants/invariant.h"

namespace ordeal::properties {

struct Decoy {
  std::string_view id;       // "deletes-by-name", for `--controller decoy:ID`
  std::string_view about;    // what it does differently from the strict reference, in a sentence
  std::string_view liberty;  // why it may: what is not promised, or which guarantee leaves it open
  Level level;               // the highest level at which it must pass
  std::unique_ptr<Controller> (*make)(const Gates& gates);
};

std::span<const Decoy> decoys();
/// Null when there is none of this id.
const Decoy* find_decoy(std::string_view id);

}  // namespace ordeal::properties
