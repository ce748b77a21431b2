#include "core/api/names.h"

#include <gtest/gtest.h>

namespace ordeal {
namespace {

struct Parsing {
  std::string_view name, parent;
  std::int32_t ordinal;
};

TEST(ParseMember, SplitsAtTheLastDashBeforeDigits) {
  const Parsing table[] = {
      {"web-0", "web", 0},
      {"web-10", "web", 10},
      {"web-1-2", "web-1", 2},
      {"web--3", "web-", 3},
      {"-3", "", 3},
      {"web-007", "web", 7},
      {"web-2147483647", "web", 2147483647},
      {"web-2147483648", "web", -1},
      {"web-99999999999999999999999", "web", -1},
      {"web-00000000000000000000001", "web", 1},
      {"web-abc", "", -1},
      {"web-1a", "", -1},
      {"web1", "", -1},
      {"web-", "", -1},
      {"7", "", -1},
      {"-", "", -1},
      {"", "", -1},
  };
  for (const Parsing& row : table) {
    const Member member = parse_member(row.name);
    EXPECT_EQ(member.parent, row.parent) << row.name;
    EXPECT_EQ(number(member.ordinal), row.ordinal) << row.name;
  }
}

TEST(Names, OfPodsAndClaims) {
  EXPECT_EQ(pod_name("web", Ordinal{0}), "web-0");
  EXPECT_EQ(pod_name("web", Ordinal{2147483647}), "web-2147483647");
  EXPECT_EQ(claim_name("www", "web", Ordinal{12}), "www-web-12");
  const std::string long_name(400, 'a');
  EXPECT_EQ(pod_name(long_name, Ordinal{3}), long_name + "-3");
  EXPECT_EQ(claim_name(long_name, "b", Ordinal{3}), long_name + "-b-3");
}

TEST(Names, Decimal) {
  EXPECT_EQ(decimal(0), "0");
  EXPECT_EQ(decimal(-1), "-1");
  EXPECT_EQ(decimal(INT64_MIN), "-9223372036854775808");
}

TEST(Hash, IsFnv1NotFnv1a) {
  EXPECT_EQ(fnv1_32(""), 2166136261u);
  EXPECT_EQ(fnv1_32("a"), 0x050c5d7eu);
  EXPECT_EQ(fnv1_32("foobar"), 0x31f0b262u);
  EXPECT_EQ(fnv1_32("bar", fnv1_32("foo")), fnv1_32("foobar"));
}

TEST(Hash, SafeEncodeSpellsNoWords) {
  EXPECT_EQ(safe_encode(1234567890), "56789bcdf4");
  EXPECT_EQ(safe_encode(3325552446), "776999688b");
  EXPECT_EQ(safe_encode(0), "4");
}

TEST(Revision, NamesFromHashes) {
  EXPECT_EQ(revision_suffix(fnv1_32(""), 0), "d8bfb7bc");  // vector V3: the hash of no bytes
  EXPECT_EQ(revision_name("web", "d8bfb7bc"), "web-d8bfb7bc");
  EXPECT_EQ(revision_name(std::string(250, 'x'), "4"), std::string(223, 'x') + "-4");
}

}  // namespace
}  // namespace ordeal
