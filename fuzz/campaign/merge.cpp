#include "fuzz/campaign/merge.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/api/codec.h"
#include "fuzz/engine/corpus.h"
#include "fuzz/engine/files.h"
#include "fuzz/report/finding_file.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {

namespace {

namespace fs = std::filesystem;
using Texts = std::map<std::string, std::string>;  // by file name

/// Stored scenarios of a folder of a campaign; whatever else is there is noted.
Texts read_folder(const fs::path& folder, std::vector<std::string>& notes) {
  Texts texts;
  const auto files = files_in(folder.string());
  if (!files) notes.push_back(files.error());
  for (const fs::path path : files.value_or(std::vector<std::string>{})) {
    if (path.extension() != ".json") continue;
    auto text = read_file(path.string(), max_document_bytes);
    if (!text) notes.push_back(text.error());
    else if (const auto scenario = properties::read_scenario(*text); !scenario)
      notes.push_back(path.string() + ": " + scenario.error().front().text());
    else texts[path.filename().string()] = std::move(*text);
  }
  return texts;
}

bool is_better(const std::string& one, const std::string& other) {
  return std::pair(one.size(), std::string_view(one)) < std::pair(other.size(), std::string_view(other));
}

/// These and those of further folders.
Texts union_of(Texts all, const std::vector<fs::path>& folders, std::vector<std::string>& notes) {
  for (const fs::path& folder : folders)
    for (auto& [name, text] : read_folder(folder, notes)) {
      const auto [at, is_new] = all.try_emplace(name, text);
      if (!is_new && is_better(text, at->second)) at->second = std::move(text);
    }
  return all;
}

Done write_all(const fs::path& folder, const Texts& texts) {
  for (const auto& [name, text] : texts)
    if (const auto there = read_file((folder / name).string(), max_document_bytes); !there || *there != text)
      if (auto written = write_file((folder / name).string(), text); !written) return written;
  return {};
}

/// Of scenarios that were read there; whatever else is there is a user's, and was perhaps just reported as passed over.
Done remove_all_but(const fs::path& folder, const Texts& read, const Texts& kept) {
  std::error_code error;
  for (const auto& [name, text] : read)
    if (!kept.contains(name) && !fs::remove(folder / name, error) && error)
      return std::unexpected((folder / name).string() + ": " + error.message());
  return {};
}

/// The few that exercise as much, by name; `merged` is told how much that is, and of what nobody knows it.
Texts minimal(const Texts& texts, Dock& dock, Merged& merged) {
  std::vector<CorpusEntry> corpus;
  for (const auto& [name, text] : texts)
    corpus.push_back({.file = name, .bytes = text.size(), .scenario = *properties::read_scenario(text)});
  exercise(corpus, dock);
  merged.encounters = met_by(corpus).count();
  merged.unclear = unclear_text(corpus);
  Texts chosen;
  for (const std::size_t i : cover(corpus)) chosen.emplace(corpus[i].file, texts.at(corpus[i].file));
  return chosen;
}

/// What campaign.json, or else the findings, say of whom the campaign tries.
std::set<std::string> controllers_in(const fs::path& campaign) {
  std::set<std::string> names;
  if (const auto text = read_file((campaign / "campaign.json").string(), max_document_bytes)) {
    const auto stored = nlohmann::json::parse(*text, nullptr, false);
    const nlohmann::json::json_pointer where("/state/campaign/controller");
    if (stored.is_object() && stored.contains(where) && stored.at(where).is_string())
      names.insert(stored.at(where).get<std::string>());
  }
  std::vector<std::string> passed_over;
  for (const char* folder : {"findings", "findings/unfinished"})
    for (const auto& [name, text] : read_folder(campaign / folder, passed_over))
      if (const auto origin = read_origin(text); origin && !origin->controller.empty())
        names.insert(origin->controller);
  return names;
}

}  // namespace

std::expected<std::string, std::string> controller_of(std::span<const std::string> campaigns) {
  std::string controller, of;
  for (const std::string& campaign : campaigns)
    for (const std::string& name : controllers_in(campaign)) {
      if (controller.empty()) controller = name, of = campaign;
      if (name != controller)
        return std::unexpected(of + " is a campaign of " + controller + ", and " + campaign + " one of " + name);
    }
  if (controller.empty())
    return std::unexpected("none of these directories says whose campaign it is; --controller does");
  return controller;
}

std::expected<Merged, std::string> merge_campaigns(std::span<const std::string> campaigns, const std::string& out,
                                                   Dock& dock) {
  Merged merged;
  const fs::path own_findings = fs::path(out) / "findings", own_corpus = fs::path(out) / "corpus";
  std::vector<fs::path> findings, corpora;
  for (const std::string& campaign : campaigns) {
    findings.push_back(fs::path(campaign) / "findings");
    findings.push_back(fs::path(campaign) / "findings" / "unfinished");
    corpora.push_back(fs::path(campaign) / "corpus");
  }
  const Texts found = union_of(read_folder(own_findings, merged.notes), findings, merged.notes);
  const Texts held = read_folder(own_corpus, merged.notes), kept = union_of(held, corpora, merged.notes);
  const Texts few = minimal(kept, dock, merged);
  merged.findings = found.size();
  merged.corpus = few.size();
  merged.corpus_before = kept.size();
  if (auto written = write_all(own_findings, found); !written) return std::unexpected(written.error());
  if (auto written = write_all(own_corpus, few); !written) return std::unexpected(written.error());
  if (auto removed = remove_all_but(own_corpus, held, few); !removed) return std::unexpected(removed.error());
  return merged;
}

}  // namespace ordeal::fuzz
