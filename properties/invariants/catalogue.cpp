#include "properties/invariants/catalogue.h"

namespace ordeal::properties {

const Invariant* find_invariant(std::string_view id) {
  const auto at = std::ranges::find(catalogue, id, &Invariant::id);
  return at == catalogue.end() ? nullptr : &*at;
}

Promises promises_at(Level level, const Promises& except) {
  Promises asked;
  for (std::size_t place = 0; place < catalogue.size(); ++place) asked.set(place, catalogue[place].level <= level);
  return asked & ~except;
}

std::vector<std::string_view> ids_of(const Promises& promises) {
  std::vector<std::string_view> ids;
  for (const Invariant& invariant : catalogue)
    if (promises.test(place_of(invariant))) ids.push_back(invariant.id);
  return ids;
}

}  // namespace ordeal::properties
