#include "properties/trial/situations.h"

#include <vector>

#include "properties/invariants/catalogue.h"

namespace ordeal::properties {

namespace {

constexpr std::size_t strategies = 3, policies = 2;
constexpr std::size_t first_step = 0;
constexpr std::size_t first_reason = first_step + step_kind_count;
constexpr std::size_t first_fault = first_reason + reason_count;
constexpr std::size_t first_pair = first_fault + fault_count;
constexpr std::size_t first_invariant = first_pair + policies * strategies;
static_assert(first_invariant + catalogue.size() <= max_situations);

std::vector<std::string> make_names() {
  std::vector<std::string> names;
  for (const StepInfo& row : step_table()) names.push_back("step " + std::string(row.name));
  for (std::size_t r = 0; r < reason_count; ++r)
    names.push_back("call " + std::string(name_of(static_cast<Reason>(r))));
  for (std::size_t f = 0; f < fault_count; ++f) names.push_back("fault " + std::string(name_of(static_cast<Fault>(f))));
  for (const char* policy : {"OrderedReady", "Parallel"})
    for (const char* strategy : {"RollingUpdate", "OnDelete", "Recreate"})
      names.push_back(std::string("set ") + policy + " " + strategy);
  for (const Invariant& invariant : catalogue) names.push_back("judged " + std::string(invariant.id));
  return names;
}

}  // namespace

std::span<const std::string> situation_names() {
  static const std::vector<std::string> names = make_names();
  return names;
}

std::size_t situation_of(StepKind kind) { return first_step + static_cast<std::size_t>(kind); }
std::size_t situation_of(Reason reason) { return first_reason + static_cast<std::size_t>(reason); }
std::size_t situation_of(Fault fault) { return first_fault + static_cast<std::size_t>(fault); }
std::size_t situation_of(PodManagement policy, Strategy strategy) {
  return first_pair + static_cast<std::size_t>(policy) * strategies + static_cast<std::size_t>(strategy);
}
std::size_t situation_of_invariant(std::size_t place_in_catalogue) { return first_invariant + place_in_catalogue; }

void forget_judged(Situations& situations) {
  for (std::size_t place = 0; place < catalogue.size(); ++place) situations.reset(situation_of_invariant(place));
}

Situations expected_situations() {
  Situations expected;
  for (std::size_t i = 0; i < situation_names().size(); ++i) expected.set(i);
  expected.reset(situation_of(Reason::unstated));
  expected.reset(situation_of(Fault::none));
  return expected;
}

}  // namespace ordeal::properties
