// ordeal list: the catalogue of promises, or the sentences they come from.
#include <algorithm>

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/report/json.h"
#include "properties/invariants/catalogue.h"
#include "properties/sources/sources.h"

namespace ordeal::fuzz {

namespace {

using properties::catalogue;
using properties::Invariant;

std::string text_table() {
  std::size_t width = 0;
  for (const Invariant& invariant : catalogue) width = std::max(width, invariant.id.size());
  std::string text;
  std::string_view family;
  for (const Invariant& invariant : catalogue) {
    if (invariant.family() != family) {
      family = invariant.family();
      text += (text.empty() ? "" : "\n") + std::string(family) + "\n";
    }
    std::string id(invariant.id);
    id.append(width - id.size(), ' ');
    text += "  " + id + "  " + (invariant.level == properties::Level::strict ? "strict    " : "promised  ") +
            std::string(invariant.promise) + "\n";
  }
  return text + "\n" + std::to_string(catalogue.size()) + " promises\n";
}

/// A document, its sections, and under each sentence what covers it and what is said besides.
std::string text_of(const properties::Document& document) {
  std::string text = std::string(document.name) + ": " + std::string(document.what) + "\n";
  std::string_view section;
  for (const properties::Sentence& sentence : document.sentences) {
    if (sentence.section != section) text += "\n  " + std::string(section = sentence.section) + "\n";
    text += "    " + std::string(sentence.says) + "\n";
    for (const std::string_view id : covered_by(sentence)) text += "      " + std::string(id) + "\n";
    if (!sentence.otherwise.empty()) text += "      (" + std::string(sentence.otherwise) + ")\n";
  }
  return text + "\n";
}

std::string sources_text() {
  std::string text;
  std::size_t sentences = 0, uncovered = 0;
  for (const properties::Document& document : properties::documents()) {
    text += text_of(document);
    sentences += document.sentences.size();
    uncovered += static_cast<std::size_t>(std::ranges::count_if(
        document.sentences, [](const properties::Sentence& sentence) { return covered_by(sentence).empty(); }));
  }
  return text + std::to_string(sentences) + " sentences, " + std::to_string(uncovered) + " of them covered by nothing, with the reason\n";
}

}  // namespace

int list_command(const ListArguments& arguments) {
  const std::string text = arguments.sources ? (arguments.json ? sources_json() : sources_text())
                                             : (arguments.json ? list_json() : text_table());
  return print(text) ? exit_held : exit_inconclusive;
}

}  // namespace ordeal::fuzz
