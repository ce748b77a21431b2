#include "fuzz/targets/scenario_input.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "properties/scenario/generate.h"
#include "properties/scenario/scenario_json.h"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t*, std::size_t, std::size_t, unsigned int);
extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t*, std::size_t, const std::uint8_t*, std::size_t,
                                                 std::uint8_t*, std::size_t, unsigned int);

namespace ordeal::fuzz {
namespace {

using namespace properties;

constexpr std::size_t room = 1 << 16;

Scenario drawn(std::uint64_t seed) {
  Seeded choices(seed);
  return generate_scenario(choices, nullptr, 24);
}

std::span<const std::uint8_t> bytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string mutated(const std::string& input, unsigned seed, std::size_t at_most = room) {
  std::vector<std::uint8_t> buffer(input.begin(), input.end());
  buffer.resize(std::max(at_most, input.size()));
  const std::size_t size = LLVMFuzzerCustomMutator(buffer.data(), input.size(), at_most, seed);
  EXPECT_LE(size, at_most);
  return {buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(size)};
}

TEST(ScenarioInput, ALimitCostsTheLastSteps) {
  Scenario whole = drawn(2);
  whole.steps.assign(24, {StepKind::settle});
  const std::string text = write_scenario(whole);
  const std::string shorter = bytes_of(whole, text.size() - 200);
  ASSERT_FALSE(shorter.empty());
  const Scenario cut = scenario_of(bytes(shorter));
  ASSERT_LT(cut.steps.size(), whole.steps.size());
  EXPECT_TRUE(std::equal(cut.steps.begin(), cut.steps.end(), whole.steps.begin()));
  EXPECT_TRUE(bytes_of(whole, 100).empty());
}

TEST(Mutator, MakesAnotherStoredScenario) {
  const std::string text = write_scenario(drawn(3));
  int others = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const std::string made = mutated(text, seed);
    ASSERT_TRUE(read_scenario(made)) << made;
    ASSERT_EQ(made, mutated(text, seed));
    others += made != text ? 1 : 0;
  }
  EXPECT_GT(others, 150);
}

TEST(Mutator, TakesBytesThatAreNoStoredScenario) { EXPECT_TRUE(read_scenario(mutated("any bytes at all", 1))); }

TEST(Mutator, LeavesTheInputWhereNothingFits) { EXPECT_EQ(mutated("short", 1, 10), "short"); }

TEST(Mutator, CrossesTwo) {
  const std::string one = write_scenario(drawn(4)), other = write_scenario(drawn(5));
  std::vector<std::uint8_t> out(room);
  const std::size_t size =
      LLVMFuzzerCustomCrossOver(bytes(one).data(), one.size(), bytes(other).data(), other.size(), out.data(), room, 7);
  EXPECT_TRUE(read_scenario(std::string(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(size))));
}

}  // namespace
}  // namespace ordeal::fuzz
