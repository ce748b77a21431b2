#include "properties/invariants/catalogue.h"

namespace ordeal::properties {

const Invariant* find_invariant(std::string_view id) {
  const auto at = std::ranges::find(catalogue, id, &Invariant::id);
  return at == catalogue.end() ? nullptr : &*at;
}

}  // namespace ordeal::properties
