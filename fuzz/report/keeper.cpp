#include "fuzz/report/keeper.h"

#include <algorithm>
#include <filesystem>

#include "core/api/codec.h"
#include "fuzz/engine/files.h"

namespace ordeal::fuzz {

namespace {

namespace fs = std::filesystem;

/// "<invariant>.<n>.json"; any other name is somebody's own.
bool is_numbered(std::string_view name, std::string_view invariant) {
  if (!name.starts_with(invariant) || !name.ends_with(".json")) return false;
  name.remove_prefix(invariant.size());
  name.remove_suffix(5);
  return name.size() > 1 && name.front() == '.' && name[1] != '0' &&
         name.find_first_not_of("0123456789", 1) == name.npos;
}

Done removed(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) return std::unexpected(path + ": " + error.message());
  return {};
}

}  // namespace

std::string Keeper::numbered(const properties::Invariant& invariant, std::size_t n) const {
  return (fs::path(directory_) / (std::string(invariant.id) + "." + std::to_string(n) + ".json")).string();
}

std::string Keeper::path_of(const Finding& finding) const {
  const auto held = held_.find(finding.invariant->id);
  if (held == held_.end()) return {};
  const auto at = std::ranges::find(held->second, finding.trial, &Held::trial);
  if (at == held->second.end() || at->text.empty()) return {};
  return numbered(*finding.invariant, static_cast<std::size_t>(at - held->second.begin()) + 1);
}

void Keeper::note_older(const properties::Invariant& invariant) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory_, error)) {
    const std::string path = entry.path().string();
    if (!is_numbered(entry.path().filename().string(), invariant.id)) continue;
    if (auto text = read_file(path, max_document_bytes)) older_.push_back({path, *std::move(text)});
  }
}

/// Numbers up to `taken` are for findings of this run.
Done Keeper::make_room(const properties::Invariant& invariant, std::size_t n, std::size_t taken, const Origin& origin) {
  const std::string path = numbered(invariant, n);
  std::error_code error;
  if (!fs::exists(path, error)) return {};
  const auto there = read_file(path, max_document_bytes);
  std::erase_if(older_, [&](const Older& older) { return older.path == path; });
  if (there && read_origin(*there) == origin) return {};
  std::size_t free = taken + 1;
  while (fs::exists(numbered(invariant, free), error)) ++free;
  fs::rename(path, numbered(invariant, free), error);
  if (error) return std::unexpected(path + ": " + error.message());
  if (there) older_.push_back({numbered(invariant, free), *there});
  return {};
}

Done Keeper::store(const Finding& finding, std::size_t n, std::size_t taken, Held& held) {
  const Origin origin = origin_of(finding, run_);
  std::string text = finding_file(finding, origin);
  if (held.text == text) return {};
  held.trial = finding.trial;
  held.text.clear();
  if (!held.is_ours)
    if (auto room = make_room(*finding.invariant, n, taken, origin); !room) return room;
  if (auto written = write_file(numbered(*finding.invariant, n), text); !written) return written;
  held.text = std::move(text);
  held.is_ours = true;
  return {};
}

Done Keeper::drop_last(const properties::Invariant& invariant, std::vector<Held>& held) {
  const std::string path = numbered(invariant, held.size());
  const bool is_ours = held.back().is_ours;
  held.pop_back();
  return is_ours ? removed(path) : Done{};
}

Done Keeper::drop_copies(const std::string& text) {
  Done done;
  std::erase_if(older_, [&](const Older& older) {
    if (older.text != text) return false;
    if (auto gone = removed(older.path); !gone && done) done = gone;
    return true;
  });
  return done;
}

Done Keeper::keep(std::span<const Finding* const> findings) {
  const properties::Invariant& invariant = *findings.front()->invariant;
  const auto [at, is_first] = held_.try_emplace(invariant.id);
  std::vector<Held>& held = at->second;
  if (is_first) note_older(invariant);
  Done done;
  const auto note = [&](Done step) {
    if (done && !step) done = std::move(step);
  };
  while (held.size() > findings.size()) note(drop_last(invariant, held));
  held.resize(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) note(store(*findings[i], i + 1, findings.size(), held[i]));
  for (const Held& kept : held)
    if (!kept.text.empty()) note(drop_copies(kept.text));
  return done;
}

}  // namespace ordeal::fuzz
