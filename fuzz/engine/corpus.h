// A corpus: scenarios in files, stored or as a fuzzer's bytes, what they exercise, and the few that exercise as much.
// Covered by corpus_test.cpp.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/engine/controllers.h"
#include "properties/scenario/scenario.h"
#include "properties/trial/encounters.h"

namespace ordeal::fuzz {

/// Total: a stored scenario is that scenario, whatever else there is is decoded as bytes.
properties::Scenario scenario_of(std::string_view bytes);

struct CorpusEntry {
  std::string file;
  std::size_t bytes = 0;
  properties::Scenario scenario;
  properties::Encounters::Bits met{};
  std::string unclear{};  // why trying it gave no verdict, so that nobody knows what it meets; empty when it gave one
};

/// The scenarios of files, and of all files in directories but READMEs, by name. A .json file must hold a stored
/// scenario. The error names every file that cannot be read.
std::expected<std::vector<CorpusEntry>, std::string> read_corpus(std::span<const std::string> paths);

/// Tries each, and notes what met what; a program that breaks down in one is given a second try, as in any trial.
void exercise(std::span<CorpusEntry> corpus, Dock& dock);

/// Of how many trying gave no verdict, and why of the first of them; empty when there is none.
std::string unclear_text(std::span<const CorpusEntry> corpus);

properties::Encounters::Bits met_by(std::span<const CorpusEntry> corpus);

/// Indices, ascending, of few entries that together meet all that the corpus meets (few.h); of equals the smaller file.
/// Of what is unclear nothing goes.
std::vector<std::size_t> cover(std::span<const CorpusEntry> corpus);

}  // namespace ordeal::fuzz
