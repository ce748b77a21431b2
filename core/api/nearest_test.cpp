#include "core/api/nearest.h"

#include <gtest/gtest.h>

#include <array>

namespace ordeal {
namespace {

constexpr std::array<std::string_view, 4> known = {"replicas", "spec", "minReadySeconds", "replica-set"};

TEST(Nearest, IsWhatWasProbablyMeant) {
  const std::array<std::array<std::string_view, 2>, 9> rows = {{
      {"replcas", "replicas"},                 // removed
      {"replicaas", "replicas"},               // inserted
      {"rpelicas", "replicas"},                // two replaced
      {"minreadyseconds", "minReadySeconds"},  // capitals
      {"specs", "spec"},
      {"spc", "spec"},
      {"sc", ""},  // two of two
      {"image", ""},
      {"", ""},
  }};
  for (const auto& [wrong, meant] : rows) EXPECT_EQ(nearest(wrong, known), meant) << wrong;
  EXPECT_EQ(nearest("replicas", {}), "");
}
TEST(Nearest, OfSeveralIsTheFirst) {
  constexpr std::array<std::string_view, 2> alike = {"gate-a", "gate-b"};
  EXPECT_EQ(nearest("gate-c", alike), "gate-a");
}
TEST(Nearest, NobodyMistypesAVeryLongName) {
  const std::string most(40, 'x'), name = most + "y";
  const std::array<std::string_view, 1> one = {name};
  EXPECT_EQ(nearest(most, one), name);
  EXPECT_EQ(nearest(most + "z", one), "");
}
TEST(Nearest, TheEndOfAnError) {
  EXPECT_EQ(did_you_mean("replcas", known), "; did you mean \"replicas\"?");
  EXPECT_EQ(did_you_mean("image", known), "");
}

}  // namespace
}  // namespace ordeal
