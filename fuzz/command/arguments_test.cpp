#include "fuzz/command/arguments.h"

#include <gmock/gmock.h>

#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {
namespace {

using ::testing::HasSubstr;

TEST(Arguments, Times) {
  using std::chrono::milliseconds;
  EXPECT_EQ(parse_time("90").value(), milliseconds(90'000));
  EXPECT_EQ(parse_time("60s").value(), milliseconds(60'000));
  EXPECT_EQ(parse_time("5m").value(), milliseconds(300'000));
  EXPECT_EQ(parse_time("1h").value(), milliseconds(3'600'000));
  EXPECT_EQ(parse_time("250ms").value(), milliseconds(250));
  EXPECT_EQ(parse_time("0").value(), milliseconds(0));
  for (const char* bad : {"", "s", "-1s", "1.5h", "60 s", "1d", "99999999999999999999s", "9999999h"}) {
    ASSERT_FALSE(parse_time(bad)) << bad;
    EXPECT_THAT(parse_time(bad).error(), HasSubstr("(found: " + std::string(bad) + ")"));
  }
}

TEST(Arguments, SeedsAreNumbersOrCommits) {
  EXPECT_EQ(parse_seed("0").value(), 0u);
  EXPECT_EQ(parse_seed("18446744073709551615").value(), ~std::uint64_t{0});
  EXPECT_EQ(parse_seed("eae6e987572c3897e1458ecc5df9ad83b47a28e5").value(), 0xeae6e987572c3u);
  EXPECT_EQ(parse_seed("EAE6E98").value(), 0xeae6e98u);
  EXPECT_EQ(parse_seed("1234567").value(), 1234567u) << "digits alone are a number";
  EXPECT_EQ(parse_seed("1234567890123456789012345678901234567890").value(), 0x1234567890123u);
  for (const char* bad : {"", "-1", "abc", "1.0", "commit1"}) EXPECT_FALSE(parse_seed(bad)) << bad;
}

TEST(Arguments, LevelsDefaultToTheControllers) {
  const ControllerKind& strict = *find_controller("strict");
  const ControllerKind& release = *find_controller("kubernetes-1.37");
  EXPECT_EQ(parse_level("", strict).value(), properties::Level::strict);
  EXPECT_EQ(parse_level("", release).value(), properties::Level::promised);
  EXPECT_EQ(parse_level("strict", release).value(), properties::Level::strict);
  EXPECT_FALSE(parse_level("lenient", strict));
}

TEST(Arguments, WhatIsUnknownIsAnsweredWithTheChoices) {
  EXPECT_THAT(parse_controller("nobody").error(), HasSubstr(controller_names()));
  EXPECT_THAT(parse_invariant("update.nothing").error(), HasSubstr(std::string(properties::catalogue.front().id)));
  EXPECT_THAT(parse_format("xml").error(), HasSubstr("text, json or junit"));
}

TEST(Arguments, PromisesAndFamiliesAreExcepted) {
  using properties::catalogue;
  const auto except = parse_except({"update,status.replicas", "deletion"}).value();
  for (const auto& invariant : catalogue) {
    const bool named = invariant.family() == "update" || invariant.family() == "deletion";
    EXPECT_EQ(except.test(properties::place_of(invariant)), named || invariant.id == "status.replicas") << invariant.id;
  }
  EXPECT_TRUE(parse_except({}).value().none());
  EXPECT_THAT(parse_except({"updates"}).error(), HasSubstr("no promise or family called updates"));
  EXPECT_THAT(parse_except({"status.replica"}).error(), HasSubstr("did you mean \"status.replicas\"?"));
  for (const char* bad : {"update,", ",update", "update,,status"}) EXPECT_FALSE(parse_except({bad})) << bad;
  std::string all;
  for (const auto& invariant : catalogue) (all += all.empty() ? "" : ",") += invariant.id;
  SearchArguments asked;
  asked.except = {all};
  EXPECT_THAT(parse_asked(asked).error(), HasSubstr("leaves no promise to ask"));
}

TEST(Arguments, WhatIsKnownIsFound) {
  EXPECT_EQ(parse_controller("strict").value()->name, "strict");
  EXPECT_EQ(parse_invariant(properties::catalogue.back().id).value(), &properties::catalogue.back());
  EXPECT_EQ(parse_format("junit").value(), Format::junit);
}

}  // namespace
}  // namespace ordeal::fuzz
