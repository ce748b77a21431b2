#include "properties/mutants/mutants.h"

#include <algorithm>
#include <vector>

#include "properties/mutants/wrong.h"

namespace ordeal::properties {

namespace {

Mutant mutant_of(const Wrong& wrong) {
  Rules rules = strict_rules();
  rules.name = wrong.id;
  wrong.change(rules);
  return {wrong.id, wrong.about, wrong.invariant, rules};
}

std::vector<Mutant> make_mutants() {
  std::vector<Mutant> list;
  for (const auto part : {wrong_ownership, wrong_pods, wrong_revisions, wrong_claims, wrong_order, wrong_updates,
                          wrong_status, wrong_calls})
    std::ranges::transform(part(), std::back_inserter(list), mutant_of);
  return list;
}

}  // namespace

std::span<const Mutant> mutants() {
  static const std::vector<Mutant> list = make_mutants();
  return list;
}

const Mutant* find_mutant(std::string_view id) {
  const auto all = mutants();
  const auto at = std::ranges::find(all, id, &Mutant::id);
  return at == all.end() ? nullptr : &*at;
}

}  // namespace ordeal::properties
