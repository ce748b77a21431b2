#include "fuzz/compare/bisect.h"

#include <gmock/gmock.h>

namespace ordeal::fuzz {
namespace {

using properties::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> names(std::string_view from, std::string_view to) {
  std::vector<std::string> names;
  const auto line = releases_between(*find_controller(from), *find_controller(to));
  if (line)
    for (const ControllerKind* kind : *line) names.push_back(kind->name);
  return names;
}

TEST(Bisect, ReleasesOfOneLineAreInOrderWhicheverEndComesFirst) {
  EXPECT_THAT(
      names("kubernetes-1.34", "kubernetes-1.36"),
      ElementsAre("kubernetes-1.34", "kubernetes-1.34.2", "kubernetes-1.35.0", "kubernetes-1.35.4", "kubernetes-1.36"));
  EXPECT_EQ(names("kubernetes-1.36", "kubernetes-1.34"), names("kubernetes-1.34", "kubernetes-1.36"));
}

TEST(Bisect, WhatIsNoLineIsRefused) {
  const ControllerKind &strict = *find_controller("strict"), &release = *find_controller("kubernetes-1.36");
  EXPECT_THAT(releases_between(strict, release).error(),
              HasSubstr("strict and kubernetes-1.36 are not releases of one line"));
  EXPECT_THAT(releases_between(release, release).error(), HasSubstr("both are kubernetes-1.36"));
}

TEST(Bisect, TheFirstThatRulesOtherwiseThanTheLastWithAVerdict) {
  const auto rulings = [](std::initializer_list<Verdict> verdicts) {
    std::vector<Ruling> all;
    for (const Verdict verdict : verdicts) all.push_back({.verdict = verdict});
    return all;
  };
  constexpr auto held = Verdict::held, broken = Verdict::violated, unclear = Verdict::inconclusive;
  const auto bad = rulings({held, held, broken, held});
  EXPECT_EQ(first_change(bad).first, &bad[2]);
  EXPECT_EQ(first_change(bad).before, &bad[1]);
  const auto good = rulings({broken, held});
  EXPECT_EQ(first_change(good).first, &good[1]);
  const auto behind_unclear = rulings({held, unclear, broken});
  EXPECT_EQ(first_change(behind_unclear).first, &behind_unclear[2]);
  EXPECT_EQ(first_change(behind_unclear).before, &behind_unclear[0]);
  EXPECT_EQ(first_change(rulings({held, unclear, held})).first, nullptr);
  EXPECT_EQ(first_change({}).first, nullptr);
}

}  // namespace
}  // namespace ordeal::fuzz
