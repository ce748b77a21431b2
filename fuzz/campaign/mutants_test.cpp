#include "fuzz/campaign/mutants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/controller/rules_table.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using properties::find_invariant;
using properties::Mutant;

const Mutant nameless{"identity-nameless", "Pods have no names.", "identity.canonical-name", strict_rules()};
const Mutant headless{"identity-headless", "Pods have no heads.", "identity.hostname", strict_rules()};
const Mutant ageless{"status-ageless", "Pods do not age.", "status.replicas", strict_rules()};

std::vector<Hunted> three() {
  return {
      {.mutant = &ageless, .trials = 1234567, .seconds = 10.004},
      {.mutant = &headless, .broken = find_invariant("identity.hostname"), .trials = 12, .seconds = 0.25, .steps = 3},
      {.mutant = &nameless, .broken = find_invariant("deletion.justified"), .trials = 7, .seconds = 0.5, .steps = 1}};
}

TEST(MutantsReport, IsGroupedByPromiseAndTellsSurvivors) {
  EXPECT_EQ(mutants_text(three(), 3), R"(  mutant                                            trials  seconds  steps

identity.canonical-name
  identity-nameless                                      7     0.50      1
    found by deletion.justified

identity.hostname
  identity-headless                                     12     0.25      3

status.replicas
  status-ageless                                 1,234,567    10.00      -
    SURVIVED

2 of 3 mutants found, 1 of them by another promise first
median 0.50 s, slowest 0.50 s
)");
}

TEST(MutantsReport, FitsATerminal) {
  std::vector<Hunted> all;
  for (const Mutant& mutant : properties::mutants())
    all.push_back({.mutant = &mutant,
                   .broken = find_invariant(mutant.invariant),
                   .trials = 99'999'999,
                   .seconds = 9999,
                   .steps = 256});
  std::istringstream lines(mutants_text(all, all.size()));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(MutantsReport, NobodyHuntedIsNoMedian) { EXPECT_TRUE(mutants_text({}, 0).ends_with("\n0 of 0 mutants found\n")); }

TEST(MutantsReport, WhatWasNotTriedIsCounted) {
  EXPECT_THAT(mutants_text(three(), 5), ::testing::EndsWith(" s\ninterrupted: 2 mutants not tried\n"));
}

TEST(MutantsReport, JsonHasNullForWhatIsNotKnown) {
  const auto array = nlohmann::json::parse(mutants_json(three()));
  ASSERT_EQ(array.size(), 3u);
  EXPECT_EQ(array[0], nlohmann::json::parse(
                          R"({"id": "status-ageless", "about": "Pods do not age.", "expected": "status.replicas",
    "found": false, "invariant": null, "trials": 1234567, "seconds": 10.004, "steps": null})"));
  EXPECT_EQ(array[1]["found"], true);
  EXPECT_EQ(array[1]["invariant"], "identity.hostname");
  EXPECT_EQ(array[1]["steps"], 3);
  EXPECT_EQ(array[2]["expected"], "identity.canonical-name");
  EXPECT_EQ(array[2]["invariant"], "deletion.justified");
}

}  // namespace
}  // namespace ordeal::fuzz
