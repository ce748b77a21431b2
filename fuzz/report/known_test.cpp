#include "fuzz/report/known.h"

#include <gmock/gmock.h>

#include <set>

#include "fuzz/engine/controllers.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using ::testing::MatchesRegex;

TEST(Known, EveryRowNamesAControllerAnInvariantAndAThread) {
  std::set<std::pair<std::string_view, std::string_view>> rows;
  for (const Known& known : known_violations()) {
    EXPECT_NE(find_controller(known.controller), nullptr) << known.controller;
    EXPECT_NE(properties::find_invariant(known.invariant), nullptr) << known.invariant;
    EXPECT_THAT(std::string(known.thread),
                MatchesRegex("[a-z0-9-]+/[a-z0-9-]+#[0-9]+(, #[0-9]+)*|no public thread found"));
    EXPECT_FALSE(known.about.empty());
    EXPECT_TRUE(rows.emplace(known.controller, known.invariant).second) << known.invariant << " twice";
    EXPECT_EQ(find_known(known.controller, known.invariant), &known);
  }
}

TEST(Known, IsOfOneControllerOnly) {
  const Known& some = known_violations().front();
  EXPECT_EQ(find_known("strict", some.invariant), nullptr);
  EXPECT_EQ(find_known(some.controller, "update.no-such"), nullptr);
}

}  // namespace
}  // namespace ordeal::fuzz
