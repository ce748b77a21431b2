#include <gtest/gtest.h>

#include <set>
#include <string>

#include "properties/scenario/scenario.h"

namespace ordeal::properties {
namespace {

TEST(StepTable, NamesAreUniqueAndSentencesAreSentences) {
  std::set<std::string_view> names;
  for (const StepInfo& row : step_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz.-"), std::string_view::npos) << row.name;
    EXPECT_TRUE(row.about.ends_with('.')) << row.name;
  }
  EXPECT_EQ(names.size(), step_kind_count);
}

TEST(StepTable, ArgumentsHaveRangesThatMakeSense) {
  for (const StepInfo& row : step_table()) {
    EXPECT_TRUE(!row.a.name.empty() || row.b.name.empty()) << row.name << ": a comes before b";
    EXPECT_TRUE(row.a.name.empty() || row.a.name != row.b.name) << row.name;
    for (const Argument* argument : {&row.a, &row.b}) {
      if (argument->name.empty()) continue;
      EXPECT_NE(argument->name, "do") << row.name;
      EXPECT_NE(argument->name, "at_call") << row.name;
      EXPECT_LT(argument->low, argument->high) << row.name;
      if (!argument->words.empty()) {
        EXPECT_EQ(argument->high + 1, static_cast<int>(argument->words.size())) << row.name;
      }
      for (const std::int32_t value : argument->likely) {
        EXPECT_GE(value, argument->low) << row.name;
        EXPECT_LE(value, argument->high) << row.name;
      }
    }
  }
}

TEST(StepTable, SimplerKindsLeadToAnEnd) {
  for (const StepInfo& row : step_table()) {
    const StepInfo* at = &row;
    for (std::size_t hops = 0; at->simpler != at->kind; ++hops) {
      ASSERT_LT(hops, step_kind_count) << row.name << " goes round in a circle";
      at = &info(at->simpler);
    }
  }
}

TEST(StepTable, WhatTheSimulationDoesItselfCannotStandBetweenCalls) {
  for (const StepKind kind : {StepKind::sync, StepKind::settle, StepKind::restart})
    EXPECT_FALSE(info(kind).between_calls) << info(kind).name;
  EXPECT_TRUE(info(StepKind::fault).between_calls);
  EXPECT_TRUE(info(StepKind::delete_pod).between_calls);
}

TEST(StepTable, FaultsHaveTheWordsOfTheTable) {
  const auto words = info(StepKind::fault).a.words;
  ASSERT_EQ(words.size(), fault_count);
  for (std::size_t i = 0; i < fault_count; ++i) EXPECT_EQ(name_of(static_cast<Fault>(i)), words[i]);
  EXPECT_EQ(name_of(Fault::timeout_after), "timeout-after");
}

}  // namespace
}  // namespace ordeal::properties
