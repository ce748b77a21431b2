#include "fuzz/targets/scenario_input.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/api/validation.h"
#include "fuzz/engine/corpus.h"
#include "properties/scenario/scenario_json.h"
#include "properties/scenario/vary.h"
#include "properties/world/simulate.h"

namespace {

// libFuzzer reads and clears this section after each input: a counter that is not zero is a feature of the input.
#if defined(__clang__) && defined(__linux__)
__attribute__((section("__libfuzzer_extra_counters")))
#endif
std::uint8_t encounter_counters[ordeal::properties::Encounters::size];

}  // namespace

namespace ordeal::fuzz {

using namespace properties;

Scenario scenario_of(std::span<const std::uint8_t> bytes) {
  return scenario_of(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

std::string bytes_of(Scenario scenario, std::size_t at_most) {
  std::string text = write_scenario(scenario);
  while (text.size() > at_most && !scenario.steps.empty()) {
    scenario.steps.resize(scenario.steps.size() - std::min<std::size_t>(scenario.steps.size(), 4));
    text = write_scenario(scenario);
  }
  return text.size() <= at_most ? text : std::string();
}

bool is_refused(const Scenario& scenario) {
  StatefulSet set = scenario.set;
  apply_defaults(set, scenario.environment.api);
  return !validate_create(set, scenario.environment.api).empty() || set.spec->replicas.value_or(1) > max_replicas;
}

void tell_libfuzzer(const Encounters& encounters) {
  for (std::size_t bit = 0; bit < Encounters::size; ++bit) encounter_counters[bit] = encounters.bits()[bit] ? 1 : 0;
}

namespace {

std::size_t give(const std::string& text, std::uint8_t* data, std::size_t size, std::size_t at_most) {
  if (text.empty()) return std::min(size, at_most);  // too large for the limit: the input stays what it was
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace

}  // namespace ordeal::fuzz

// libFuzzer's own mutators would break the JSON; these vary the scenario that the bytes are.

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  using namespace ordeal::fuzz;
  ordeal::properties::Seeded choices(seed);
  return give(bytes_of(vary(choices, scenario_of({data, size})), max_size), data, size, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size, std::uint8_t* out,
                                                 std::size_t max_size, unsigned int seed) {
  using namespace ordeal::fuzz;
  ordeal::properties::Seeded choices(seed);
  return give(bytes_of(splice(choices, scenario_of({one, one_size}), scenario_of({other, other_size})), max_size), out,
              0, max_size);
}
