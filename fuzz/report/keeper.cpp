#include "fuzz/report/keeper.h"

#include <algorithm>
#include <filesystem>

#include "core/api/codec.h"
#include "fuzz/engine/files.h"

namespace ordeal::fuzz {

namespace {

namespace fs = std::filesystem;

/// The same finding, whatever became of it by shrinking.
bool same_finding(const Origin& a, const Origin& b) {
  return a.invariant == b.invariant && a.controller == b.controller && a.level == b.level && a.seed == b.seed &&
         a.trial == b.trial && a.steps_before == b.steps_before;
}

}  // namespace

std::string Keeper::numbered(const properties::Invariant& invariant, int n) const {
  return (fs::path(directory_) / (std::string(invariant.id) + "." + std::to_string(n) + ".json")).string();
}

std::string Keeper::path_of(const properties::Invariant& invariant) const { return numbered(invariant, 1); }

std::expected<void, std::string> Keeper::make_room(const properties::Invariant& invariant, const Origin& origin) const {
  const std::string path = path_of(invariant);
  std::error_code error;
  if (!fs::exists(path, error)) return {};
  const auto held = read_file(path, max_document_bytes);
  const auto held_origin = held ? read_origin(*held) : std::nullopt;
  if (held_origin && same_finding(*held_origin, origin)) return {};
  int n = 2;
  while (fs::exists(numbered(invariant, n), error)) ++n;
  fs::rename(path, numbered(invariant, n), error);
  if (error) return std::unexpected(path + ": " + error.message());
  return {};
}

std::expected<void, std::string> Keeper::keep(const Finding& finding, const Origin& origin) {
  const bool is_ours = std::ranges::find(written_, finding.invariant) != written_.end();
  if (!is_ours)
    if (auto room = make_room(*finding.invariant, origin); !room) return room;
  auto written = write_file(path_of(*finding.invariant), finding_file(finding, origin));
  if (written && !is_ours) written_.push_back(finding.invariant);
  return written;
}

}  // namespace ordeal::fuzz
