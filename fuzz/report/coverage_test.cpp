#include "fuzz/report/coverage.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace ordeal::fuzz {
namespace {

using namespace properties;
using ::testing::HasSubstr;
using ::testing::Not;

Encounters::Bits bits(std::initializer_list<std::size_t> set) {
  Encounters::Bits met;
  for (const std::size_t bit : set) met.set(bit);
  return met;
}

TEST(CoverageText, CountsSortsOfFaultsAndTellsNeverFromPlain) {
  const std::string text = coverage_text(bits({Encounters::of(Plight::missing, Reason::create_pod, Fault::none),
                                               Encounters::of(Plight::missing, Reason::create_pod, Fault::conflict),
                                               Encounters::of(Plight::missing, Reason::create_pod, Fault::internal),
                                               Encounters::of(Plight::surplus, Reason::scale_down, Fault::none),
                                               Encounters::of(0, 6, Reason::scale_down)}));
  EXPECT_THAT(text, HasSubstr("create-pod             .     .    2    .     .      .     .   .    .     0\n"));
  EXPECT_THAT(text, HasSubstr("scale-down             .     .    .    .     0      .     .   .    .     1\n"));
}

TEST(CoverageText, FitsIntoEightyColumns) {
  const std::string text = coverage_text(Encounters::Bits().set());
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    EXPECT_LE(end - at, 80u);
}

TEST(MissingText, NamesWhatNeverMet) {
  const std::size_t met = Encounters::of(Plight::outdated, Reason::update_pod, Fault::none);
  const std::string text = missing_text(bits({met}));
  EXPECT_THAT(text, HasSubstr("outdated, update-pod, conflict\n"));
  EXPECT_THAT(text, Not(HasSubstr(Encounters::name_of(met) + "\n")));
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')), Encounters::size - 1);
}

}  // namespace
}  // namespace ordeal::fuzz
