#include "fuzz/compare/tables.h"

#include <gmock/gmock.h>

#include <set>

#include "core/controller/decisions.h"
#include "core/controller/releases.h"
#include "fuzz/engine/files.h"
#include "fuzz/engine/run.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {
namespace {

using namespace properties;
using ::testing::Contains;
using ::testing::ElementsAre;

Scenario stuck() {
  return read_scenario(
             read_file(std::string(ORDEAL_SOURCE) + "/corpus/releases/parallel-rollout-behind-a-broken-pod.json",
                       1 << 20)
                 .value())
      .value();
}
const Rules& table(std::string_view name) { return find_release(name)->rules; }

TEST(Tables, ATableDoesNotDifferFromItself) {
  EXPECT_FALSE(tell_apart(stuck(), strict_rules(), strict_rules()));
  Rules renamed = strict_rules();
  renamed.name = "another";
  EXPECT_FALSE(tell_apart(stuck(), strict_rules(), renamed)) << "a name decides nothing";
}

TEST(Tables, OneRowExplainsWhatItAloneChanges) {
  Rules wrong = strict_rules();
  wrong.next_number = [](std::span<const Revision* const>) { return std::int64_t{7}; };
  const auto apart = tell_apart(stuck(), strict_rules(), wrong);
  ASSERT_TRUE(apart);
  EXPECT_THAT(apart->rows, ElementsAre("next_number"));
  EXPECT_FALSE(apart->unexplained);
  EXPECT_THAT(apart->difference.kind, ::testing::HasSubstr("controllerrevisions"));
}

TEST(Tables, AKnownDefectIsExplainedByItsRow) {
  const auto apart = tell_apart(stuck(), table("kubernetes-1.36"), table("kubernetes-1.37"));
  ASSERT_TRUE(apart);
  EXPECT_THAT(apart->rows, Contains("updates_in_parallel"));
}

TEST(Tables, WhatARowDoesNotSayIsUnexplained) {
  // A row with a memory of its own answers otherwise each time it is asked, which no table may do.
  static std::int64_t asked = 1000;
  Rules moody = strict_rules();
  moody.next_number = [](std::span<const Revision* const>) { return ++asked; };
  const auto apart = tell_apart(stuck(), strict_rules(), moody);
  ASSERT_TRUE(apart);
  EXPECT_TRUE(apart->unexplained);
}

TEST(Tables, NeighboursDifferAndTheirRowsSayWhy) {
  const FirstSets sets{.given = corpus_sets(), .drawn_too = true};
  std::set<std::string_view> rows;
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const Neighbours& pair = neighbours()[trial % neighbours().size()];
    const auto apart = tell_apart(scenario_of_trial(sets, 1, trial), *pair.older, *pair.newer);
    if (!apart) continue;
    EXPECT_FALSE(apart->unexplained) << pair.older->name << " and " << pair.newer->name << " in trial " << trial;
    rows.insert(apart->rows.begin(), apart->rows.end());
  }
  EXPECT_GT(rows.size(), 5u) << "few rows were seen to matter";
}

}  // namespace
}  // namespace ordeal::fuzz
