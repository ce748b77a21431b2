#include "fuzz/report/about.h"

#include <gmock/gmock.h>

#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(About, SaysWhatIsPromisedWhereAndWhoBreaksIt) {
  const std::string text = about_text(*properties::find_invariant("update.respects-partition"));
  EXPECT_THAT(text, HasSubstr("update.respects-partition\n  promise     "));
  EXPECT_THAT(
      text, HasSubstr("\n  level       promised\n  judged      after every step, by what the controller was shown\n"));
  EXPECT_THAT(text, HasSubstr("\n  says        "));
  EXPECT_THAT(text, HasSubstr("\n  catches     mutant:update-"));
  EXPECT_THAT(about_text(*properties::find_invariant("update.replaces-broken-revision-in-order")),
              HasSubstr("\n  known       kubernetes-1.38..kubernetes-1.11: "));
}

TEST(About, FitsATerminal) {
  for (const properties::Invariant& invariant : properties::catalogue) {
    const std::string text = about_text(invariant);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      EXPECT_TRUE(line.size() <= 80 || line.find(' ', 14) == line.npos) << line;
      at = end + 1;
    }
  }
}

}  // namespace
}  // namespace ordeal::fuzz
