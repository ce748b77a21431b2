#include "fuzz/engine/corpus.h"

#include <algorithm>
#include <filesystem>

#include "core/api/codec.h"
#include "fuzz/engine/few.h"
#include "fuzz/engine/files.h"
#include "properties/scenario/counted.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {

namespace {

namespace fs = std::filesystem;
using namespace properties;

bool is_stored(std::string_view bytes) { return bytes.starts_with("{\n  \"format\""); }

std::span<const std::uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

bool is_readme(const std::string& file) { return fs::path(file).filename() == "README.md"; }

std::expected<CorpusEntry, std::string> read_entry(const std::string& file) {
  const auto bytes = read_file(file, max_document_bytes);
  if (!bytes) return std::unexpected(bytes.error());
  CorpusEntry entry{.file = file, .bytes = bytes->size(), .scenario = {}};
  if (!file.ends_with(".json")) {
    entry.scenario = scenario_of(*bytes);
    return entry;
  }
  auto stored = read_scenario(*bytes);
  if (!stored) return std::unexpected(file + ": " + stored.error().front().text());
  entry.scenario = std::move(*stored);
  return entry;
}

}  // namespace

Scenario scenario_of(std::string_view bytes) {
  if (is_stored(bytes))
    if (auto stored = read_scenario(bytes)) return std::move(*stored);
  return decode_scenario(as_bytes(bytes));
}

std::expected<std::vector<CorpusEntry>, std::string> read_corpus(std::span<const std::string> paths) {
  std::vector<CorpusEntry> corpus;
  std::string errors;
  for (const std::string& path : paths) {
    const auto files = files_below(path);
    if (!files) return std::unexpected(files.error());
    for (const std::string& file : *files) {
      if (file != path && is_readme(file)) continue;
      auto entry = read_entry(file);
      if (entry) corpus.push_back(std::move(*entry));
      else errors += (errors.empty() ? "" : "\n") + entry.error();
    }
  }
  if (!errors.empty()) return std::unexpected(errors);
  return corpus;
}

void exercise(std::span<CorpusEntry> corpus, Dock& dock) {
  Court court;
  Encounters encounters;
  for (CorpusEntry& entry : corpus) {
    encounters.clear();
    TrialResult result = try_in(dock, court, entry.scenario, {.encounters = &encounters});
    if (result.verdict == Verdict::inconclusive) entry.unclear = std::move(result.inconclusive);
    entry.met = encounters.bits();
  }
}

std::string unclear_text(std::span<const CorpusEntry> corpus) {
  const auto is_unclear = [](const CorpusEntry& entry) { return !entry.unclear.empty(); };
  const auto first = std::ranges::find_if(corpus, is_unclear);
  if (first == corpus.end()) return {};
  return std::to_string(std::ranges::count_if(corpus, is_unclear)) + " of " + counted(corpus.size(), "scenario") +
         " without a verdict; of " + first->file + ": " + first->unclear;
}

Encounters::Bits met_by(std::span<const CorpusEntry> corpus) {
  Encounters::Bits met;
  for (const CorpusEntry& entry : corpus) met |= entry.met;
  return met;
}

std::vector<std::size_t> cover(std::span<const CorpusEntry> corpus) {
  Encounters::Bits met;
  std::vector<std::size_t> few = few_of(
      corpus.size(), [&](std::size_t i) { return !corpus[i].unclear.empty() ? 0 : (corpus[i].met & ~met).count(); },
      [&](std::size_t i) { return corpus[i].bytes; }, [&](std::size_t i) { met |= corpus[i].met; });
  for (std::size_t i = 0; i < corpus.size(); ++i)
    if (!corpus[i].unclear.empty()) few.push_back(i);
  std::ranges::sort(few);
  return few;
}

}  // namespace ordeal::fuzz
