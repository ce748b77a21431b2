#include "fuzz/report/known.h"

#include <gmock/gmock.h>

#include "core/controller/releases.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using ::testing::MatchesRegex;

TEST(Known, EveryRowNamesReleasesAnInvariantAndAThread) {
  for (const Known& known : known_violations()) {
    const std::size_t dots = known.controller.find("..");
    const std::string_view newest = known.controller.substr(0, dots);
    const std::string_view oldest = dots == std::string_view::npos ? newest : known.controller.substr(dots + 2);
    for (const std::string_view end : {newest, oldest}) {
      EXPECT_NE(find_release(end), nullptr) << known.controller;
      EXPECT_EQ(find_known(end, known.invariant), &known) << known.controller << " has two rows of " << known.invariant;
    }
    EXPECT_NE(properties::find_invariant(known.invariant), nullptr) << known.invariant;
    EXPECT_THAT(std::string(known.thread),
                MatchesRegex("[a-z0-9-]+/[a-z0-9-]+#[0-9]+(, #[0-9]+)*|no public thread found"));
    EXPECT_FALSE(known.about.empty());
  }
}

TEST(Known, GoesBackFromTheNewestReleaseToTheOldestAndToWhatIsBasedOnThem) {
  constexpr std::string_view id = "update.replaces-broken-revision";  // 1.36 to 1.24, and nothing else
  for (const std::string_view in : {"kubernetes-1.36", "kubernetes-1.35.0", "kubernetes-1.31", "kubernetes-1.24"})
    EXPECT_NE(find_known(in, id), nullptr) << in;
  for (const std::string_view out : {"kubernetes-1.37", "kubernetes-1.20", "kubernetes-1.6", "kruise-1.7.0", "strict", ""})
    EXPECT_EQ(find_known(out, id), nullptr) << out;
  const Known& some = known_violations().front();
  EXPECT_EQ(find_known("kruise-1.5.1", some.invariant), find_known("kubernetes-1.37", some.invariant));
  EXPECT_EQ(find_known("strict", some.invariant), nullptr);
  EXPECT_EQ(find_known("kubernetes-1.37", "update.no-such"), nullptr);
}

}  // namespace
}  // namespace ordeal::fuzz
