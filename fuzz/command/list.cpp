// ordeal list: the catalogue of promises, or the sentences they come from.
#include <algorithm>
#include <expected>
#include <vector>

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/report/about.h"
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
  return text + std::to_string(sentences) + " sentences, " + std::to_string(uncovered) +
         " of them covered by nothing, with the reason\n";
}

/// Of the catalogue what has one of these ids, or is of one of these families.
std::expected<std::vector<const Invariant*>, std::string> chosen(const std::vector<std::string>& names) {
  properties::Promises all;
  for (const std::string& name : names) {
    const auto named = parse_promises("PROMISE", name);
    if (!named) return std::unexpected(named.error());
    all |= *named;
  }
  std::vector<const Invariant*> invariants;
  for (const Invariant& invariant : catalogue)
    if (all.test(place_of(invariant))) invariants.push_back(&invariant);
  return invariants;
}

std::string about_all(const std::vector<const Invariant*>& invariants) {
  std::string text;
  for (const Invariant* invariant : invariants) text += (text.empty() ? "" : "\n") + about_text(*invariant);
  return text;
}

}  // namespace

int list_command(const ListArguments& arguments) {
  const auto about = chosen(arguments.about);
  if (!about) return refuse(about.error());
  if (arguments.sources && !about->empty())
    return refuse("PROMISE: --sources lists the sentences of all (found: " + arguments.about.front() + ")");
  const std::string text = arguments.sources ? (arguments.json ? sources_json() : sources_text())
                           : arguments.json  ? list_json(*about)
                           : about->empty()  ? text_table()
                                             : about_all(*about);
  return print(text) ? exit_held : exit_inconclusive;
}

}  // namespace ordeal::fuzz
