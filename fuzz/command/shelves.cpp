#include "fuzz/command/shelves.h"

#include <filesystem>
#include <stdexcept>

#include "fuzz/engine/corpus_files.h"
#include "fuzz/engine/files.h"

namespace ordeal::fuzz {

namespace {

namespace fs = std::filesystem;

std::vector<Shelf> empty_shelves() {
  return {{"regressions", {"regressions", "findings"}},
          {"corpus", {"scenarios", "releases", "corpus"}},
          {killers_stage, {"killers"}}};
}

Done read_folder(const fs::path& folder, Shelf& shelf) {
  const auto files = scenario_files_below(folder.string());
  if (!files) return std::unexpected(files.error());
  for (const std::string& file : *files) {
    auto stored = read_stored(file);
    if (!stored) return std::unexpected(stored.error());
    shelf.stories.push_back(std::move(*stored));
  }
  return {};
}

Done read_corpus(const std::string& corpus, std::vector<Shelf>& to) {
  std::error_code unreadable;
  if (!fs::is_directory(corpus, unreadable))
    return std::unexpected("--corpus: there is no directory " + corpus +
                           " of stored scenarios (Ordeal's own are in the folder corpus of its sources)");
  if (!is_corpus(corpus))
    return std::unexpected("--corpus: " + corpus +
                           " holds none of regressions, findings, scenarios, releases, corpus, killers");
  for (Shelf& shelf : to)
    for (const std::string_view folder : shelf.folders) {
      const fs::path path = fs::path(corpus) / folder;
      if (!fs::is_directory(path, unreadable)) continue;
      if (auto read = read_folder(path, shelf); !read) return read;
    }
  return {};
}

}  // namespace

bool is_corpus(const std::string& directory) {
  std::error_code unreadable;
  for (const Shelf& shelf : empty_shelves())
    for (const std::string_view folder : shelf.folders)
      if (fs::is_directory(fs::path(directory) / folder, unreadable)) return true;
  return false;
}

std::expected<std::vector<Shelf>, std::string> read_shelves(std::span<const std::string> corpora) {
  std::vector<Shelf> shelves = empty_shelves();
  for (const std::string& corpus : corpora)
    if (auto read = read_corpus(corpus, shelves); !read) return std::unexpected(read.error());
  return shelves;
}

ListedStory listed(const Stored& story) {
  return {story.scenario, story.origin ? story.origin->invariant : "", story.file};
}

std::vector<ListedStory> stories_of_corpus() {
  std::vector<ListedStory> stories;
  for (const EmbeddedFile& file : corpus_stories()) {
    const auto stored = stored_in(std::string(file.name), file.bytes);
    if (!stored) throw std::logic_error(stored.error());
    stories.push_back(listed(*stored));
  }
  return stories;
}

}  // namespace ordeal::fuzz
