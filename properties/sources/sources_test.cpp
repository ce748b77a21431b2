// Whatever the table names is there, and whatever names a document is in the table.
#include "properties/sources/sources.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "properties/invariants/catalogue.h"
#include "properties/mutants/decoys.h"

namespace ordeal::properties {
namespace {

bool exists(std::string_view id) {
  constexpr std::string_view decoy = "decoy:";
  if (id.starts_with(decoy)) return find_decoy(id.substr(decoy.size())) != nullptr;
  if (id.find('/') == std::string_view::npos) return find_invariant(id) != nullptr;
  const std::filesystem::path path = std::filesystem::path(ORDEAL_SOURCE_DIR) / "corpus" / id;
  return std::filesystem::exists(path) || std::filesystem::exists(path.string() + ".json");
}

TEST(Sources, WhatCoversASentenceExists) {
  for (const Document& document : documents())
    for (const Sentence& sentence : document.sentences)
      for (const std::string_view id : covered_by(sentence))
        EXPECT_TRUE(exists(id)) << document.name << ", " << sentence.section << ": " << id;
}

TEST(Sources, EverySentenceIsCoveredOrSaysWhyNot) {
  for (const Document& document : documents())
    for (const Sentence& sentence : document.sentences) {
      EXPECT_TRUE(!covered_by(sentence).empty() || !sentence.otherwise.empty())
          << document.name << ": " << sentence.says;
      EXPECT_TRUE(sentence.says.ends_with('.')) << document.name << ": " << sentence.says;
    }
}

TEST(Sources, NoSentenceIsToldTwice) {
  for (const Document& document : documents()) {
    std::set<std::pair<std::string_view, std::string_view>> told;
    for (const Sentence& sentence : document.sentences)
      EXPECT_TRUE(told.insert({sentence.section, sentence.says}).second) << document.name << ": " << sentence.says;
  }
}

/// The first part of "DOCUMENT, section SECTION; THREAD".
struct Source {
  std::string_view document, section;
};
Source source_of(const Invariant& invariant) {
  constexpr std::string_view between = ", section ";
  const std::string_view first = invariant.source.substr(0, invariant.source.find(';'));
  const std::size_t at = first.find(between);
  if (at == std::string_view::npos) return {first, {}};
  return {first.substr(0, at), first.substr(at + between.size())};
}
/// An issue, a pull request or an enhancement; documents besides the five.
bool is_elsewhere(std::string_view document) {
  return document.find('#') != std::string_view::npos || document.starts_with("KEP-") ||
         document.starts_with("Kubernetes Garbage Collection") || document.starts_with("Kubernetes Finalizers") ||
         document.starts_with("Writing Controllers guidelines") || document.starts_with("Kubernetes API conventions");
}

TEST(Sources, EveryInvariantsDocumentHasItsSentence) {
  for (const Invariant& invariant : catalogue) {
    const Source source = source_of(invariant);
    if (is_elsewhere(source.document)) continue;
    const auto document = std::ranges::find(documents(), source.document, &Document::name);
    ASSERT_NE(document, documents().end()) << invariant.id << ": " << source.document;
    const bool told = std::ranges::any_of(document->sentences, [&](const Sentence& sentence) {
      if (!source.section.empty() && sentence.section != source.section) return false;
      return std::ranges::count(covered_by(sentence), invariant.id) > 0;
    });
    EXPECT_TRUE(told) << invariant.id << " is said to come from " << invariant.source
                      << ", but no sentence of that section names it";
  }
}

// --- the guarantees ----------------------------------------------------------------------------------------------------

TEST(Sources, TheGuaranteesAreAllThere) {
  const std::map<std::string, int> families{{"ID", 9},   {"PVC", 12}, {"ORD", 7}, {"SCL", 7}, {"DEL", 6},
                                            {"UPD", 19}, {"REV", 13}, {"ST", 13}, {"OWN", 8}, {"LIF", 4},
                                            {"ERR", 5},  {"FIX", 4},  {"LIV", 12}};
  std::set<std::string> expected, told;
  for (const auto& [family, count] : families)
    for (int n = 1; n <= count; ++n) expected.insert(family + "-" + std::to_string(n));
  for (const Sentence& sentence : guarantees().sentences) told.insert(std::string(sentence.section));
  EXPECT_EQ(expected.size(), 119u);
  EXPECT_EQ(told, expected);
}

TEST(Sources, EveryInvariantNamesGuaranteesThatExist) {
  for (const Invariant& invariant : catalogue)
    for (const std::string_view id : split(invariant.property, ", "))
      EXPECT_TRUE(id == "beyond" || std::ranges::count(guarantees().sentences, id, &Sentence::section) == 1)
          << invariant.id << " names " << id;
}

/// What no invariant judges, each with its reason in the table; a shorter list is welcome, a longer one is a decision.
TEST(Sources, OnlyTheseGuaranteesAreJudgedByNoInvariant) {
  std::set<std::string_view> unjudged;
  for (const Sentence& sentence : guarantees().sentences) {
    const auto ids = covered_by(sentence);
    if (std::ranges::none_of(ids, [](std::string_view id) { return find_invariant(id) != nullptr; }))
      unjudged.insert(sentence.section);
  }
  EXPECT_EQ(unjudged, (std::set<std::string_view>{"SCL-3", "SCL-4", "ST-13", "OWN-8", "LIF-4"}));
}

}  // namespace
}  // namespace ordeal::properties
