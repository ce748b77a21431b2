// The stored scenarios of corpora, by the stage of `ordeal ci` that tries them. Covered by command_test.cpp.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/command/stored.h"
#include "fuzz/engine/listed.h"

namespace ordeal::fuzz {

/// A stage, and the folders of a corpus that hold its scenarios.
struct Shelf {
  std::string_view stage;
  std::vector<std::string_view> folders;
  std::vector<Stored> stories{};
};
inline constexpr std::string_view killers_stage = "killers";

/// Whether it is a directory with any of these folders.
bool is_corpus(const std::string& directory);
/// Stages in the order in which they are tried, with the scenarios of all these corpora. The error names a directory
/// that is none, or the file that cannot be read, and why.
std::expected<std::vector<Shelf>, std::string> read_shelves(std::span<const std::string> corpora);

/// As a trial of a run.
ListedStory listed(const Stored& story);

/// Stories of Ordeal's own corpus, as they were when it was built (corpus_files.h).
std::vector<ListedStory> stories_of_corpus();

}  // namespace ordeal::fuzz
