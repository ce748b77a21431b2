// Where promises come from: every sentence of the documents that says what must be so, and what here sees to it.
//
// One row per sentence, in the order of the document, told in our own words: what is needed to find the sentence and no
// more. A row names what covers it (invariants by id, hand-written scenarios as "scenarios/NAME", decoys as
// "decoy:NAME"), or says why nothing does. `ordeal list --sources` prints the table. Covered by sources_test.cpp:
// whatever a row names is there, and every invariant that names a document as its source is named by a row of that
// section.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace ordeal::properties {

struct Invariant;

struct Sentence {
  std::string_view section;
  std::string_view says;
  std::string_view covered_by{};  // separated by spaces
  std::string_view otherwise{};   // why nothing covers it, or what is said besides
};

struct Document {
  std::string_view name;  // as invariants name it in `source`
  std::string_view what;  // a line about it
  std::span<const Sentence> sentences;
};

/// The five documents, then the guarantees: the list of properties that invariants name in `property`.
std::span<const Document> documents();
/// Of the guarantees, sections are ids, and the invariants that name an id cover it.
const Document& guarantees();

/// What covers a sentence: what its row names, and for a guarantee also the invariants that name it.
std::vector<std::string_view> covered_by(const Sentence& sentence);

bool is_covered(const Sentence& sentence, const Invariant& by);
/// Calls `see(document, sentence)` for each sentence of the five documents that the promise is made in.
template <class See>
void each_sentence_of(const Invariant& promise, See see) {
  for (const Document& document : documents())
    for (const Sentence& sentence : document.sentences)
      if (&document != &guarantees() && is_covered(sentence, promise)) see(document, sentence);
}

/// The parts of "ORD-2, ORD-5" between separators, none of them empty.
std::vector<std::string_view> split(std::string_view list, std::string_view separator);

extern const std::span<const Sentence> update_proposal, stateful_apps, walk_through, documentation, article, guaranteed;

}  // namespace ordeal::properties
