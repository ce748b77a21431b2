// libFuzzer target: any bytes are a scenario, and two neighbouring tables of rules must ask for the same in it, or rows
// in which they differ must say why not (fuzz/compare/tables.h). Which two is drawn from the scenario.
//
// A row that explains a difference is told to libFuzzer as coverage, each of each pair by itself, so that it looks for
// scenarios in which further ones matter. What no row explains prints the two tables, the calls and the scenario, and
// aborts.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "core/controller/rows.h"
#include "fuzz/compare/tables.h"
#include "fuzz/targets/scenario_input.h"
#include "properties/scenario/scenario_json.h"
#include "properties/trial/digest.h"

namespace {

constexpr std::size_t pairs_at_most = 64;
#if defined(__clang__) && defined(__linux__)
__attribute__((section("__libfuzzer_extra_counters")))
#endif
std::uint8_t row_counters[pairs_at_most * ordeal::rule_rows.size()];

}  // namespace

namespace ordeal::fuzz {

namespace {

using namespace properties;

std::size_t pair_for(const Scenario& scenario) {
  Digest digest;
  digest.add(write_scenario(scenario));
  return digest.value() % neighbours().size();
}

void tell_libfuzzer(std::size_t pair, const TablesApart& apart) {
  for (std::size_t row = 0; row < rule_rows.size(); ++row)
    for (const std::string_view name : apart.rows)
      if (rule_rows[row].name == name) row_counters[pair % pairs_at_most * rule_rows.size() + row] = 1;
}

[[noreturn]] void fail(const Scenario& scenario, const Neighbours& pair, const std::string& what) {
  std::fprintf(stderr, "%s and %s: %s\n%s", std::string(pair.older->name).c_str(),
               std::string(pair.newer->name).c_str(), what.c_str(), write_scenario(scenario).c_str());
  std::abort();
}

}  // namespace

}  // namespace ordeal::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ordeal::fuzz;
  const Scenario scenario = scenario_of({data, size});
  const std::size_t which = pair_for(scenario);
  const Neighbours& pair = neighbours()[which];
  try {
    const auto apart = tell_apart(scenario, *pair.older, *pair.newer);
    if (!apart) return 0;
    tell_libfuzzer(which, *apart);
    if (!apart->unexplained) return 0;
    fail(scenario, pair,
         "no row explains " + apart->difference.kind + "\n" + apart->difference.a + "\n" + apart->difference.b);
  } catch (const std::exception& error) {
    if (is_refused(scenario))
      return -1;  // a stored scenario may hold a set that the API server refuses: nobody asks for anything
    fail(scenario, pair, error.what());
  }
}
