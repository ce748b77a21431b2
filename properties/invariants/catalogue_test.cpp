#include "properties/invariants/catalogue.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "properties/invariants/words.h"

namespace ordeal::properties {
namespace {

TEST(Catalogue, IsFoundById) {
  for (const Invariant& i : catalogue) EXPECT_EQ(find_invariant(i.id), &i);
  EXPECT_EQ(find_invariant("identity.no-such-promise"), nullptr);
  EXPECT_EQ(find_invariant("identity"), nullptr);
  EXPECT_EQ(find_invariant(""), nullptr);
}

TEST(Catalogue, FamiliesAreTogetherAndNamedByTheirIds) {
  std::vector<std::string_view> families;
  for (const Invariant& i : catalogue)
    if (families.empty() || families.back() != i.family()) families.push_back(i.family());
  EXPECT_EQ(families,
            (std::vector<std::string_view>{"identity", "ordering", "scaling", "deletion", "update", "revisions",
                                           "status", "storage", "ownership", "lifecycle", "errors", "events", "economy",
                                           "waking", "convergence", "equivalence"}));
}

TEST(Catalogue, PromisesAreSentences) {
  for (const Invariant& i : catalogue) {
    EXPECT_TRUE(i.promise.ends_with('.')) << i.id;
    EXPECT_LT(i.promise.size(), 160u) << i.id;
    EXPECT_EQ(i.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-."), std::string_view::npos) << i.id;
  }
}

// --- the table in README.md, made from the catalogue ----------------------------------------------------------------

constexpr std::string_view table_begins = "<!-- table -->\n", table_ends = "<!-- end of table -->\n";

std::string row(const Invariant& i) {
  return words("| `", i.id, "` | ", i.promise, " | ", i.level == Level::promised ? "promised" : "strict", " | ",
               i.judges == Judges::view ? "view" : "truth", " | ", i.property, " | ", i.source, " |\n");
}

std::string table() {
  std::string text = "| id | promise | level | judges | property | source |\n| --- | --- | --- | --- | --- | --- |\n";
  for (const Invariant& i : catalogue) text += row(i);
  return text;
}

std::filesystem::path readme() { return std::filesystem::path(ORDEAL_SOURCE_DIR) / "properties/invariants/README.md"; }

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Catalogue, ReadmeListsEveryPromise) {
  std::string text = read(readme());
  const std::size_t begin = text.find(table_begins), end = text.find(table_ends);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  const std::size_t first = begin + table_begins.size();
  if (std::getenv("ORDEAL_REWRITE_README") != nullptr) {
    text.replace(first, end - first, table());
    std::ofstream(readme()) << text;
    return;
  }
  EXPECT_TRUE(text.substr(first, end - first) == table())
      << "the table is stale; run this test once with ORDEAL_REWRITE_README=1";
}

}  // namespace
}  // namespace ordeal::properties
