#include "fuzz/engine/first_sets.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "core/api/codec.h"
#include "core/api/validation.h"
#include "fuzz/engine/corpus_files.h"
#include "fuzz/engine/files.h"
#include "fuzz/engine/legible.h"
#include "properties/world/simulate.h"

namespace ordeal::fuzz {

namespace {

namespace fs = std::filesystem;

std::string at_line(std::string_view file, const FieldError& error, int line) {
  std::string text(file);
  if (line > 0) text += ":" + std::to_string(line);
  if (!error.path.empty()) text += ": " + error.path;
  text += ": " + error.message;
  if (!error.value.empty()) text += " (found: " + error.value + ")";
  return legible(text);
}

void refuse_too_large(const StatefulSet& set, FieldErrors& errors) {
  const std::int32_t replicas = set.spec->replicas.value_or(1);
  if (replicas <= properties::max_replicas) return;
  FieldError error;
  error.path = "spec.replicas";
  error.message = "at most " + std::to_string(properties::max_replicas) + " replicas can be simulated";
  error.value = std::to_string(replicas);
  errors.push_back(std::move(error));
}

void admit(std::string_view name, const Document& document, ReadSets& out) {
  const auto* set = std::get_if<StatefulSet>(&document.object);
  if (set == nullptr) return;
  StatefulSet defaulted = *set;
  apply_defaults(defaulted);
  FieldErrors errors = validate_create(defaulted);
  if (errors.empty()) refuse_too_large(defaulted, errors);
  for (const FieldError& error : errors)
    out.errors.push_back(at_line(name, error, error.line > 0 ? error.line : document.lines.of(error.path)));
  if (errors.empty()) out.sets.push_back(*set);
}

void append(ReadSets& all, ReadSets one) {
  std::ranges::move(one.sets, std::back_inserter(all.sets));
  std::ranges::move(one.errors, std::back_inserter(all.errors));
  std::ranges::move(one.notes, std::back_inserter(all.notes));
}

bool is_manifest(const fs::path& path) {
  const std::string suffix = path.extension().string();
  return suffix == ".yaml" || suffix == ".yml" || suffix == ".json";
}

std::expected<std::vector<std::string>, std::string> files_of(const std::string& path) {
  std::error_code error;
  if (path == "-" || !fs::is_directory(path, error)) return std::vector{path};
  auto files = files_in(path);
  if (!files) return files;
  std::erase_if(*files, [](const std::string& file) { return !is_manifest(file); });
  if (files->empty()) return std::unexpected(path + ": there is no .yaml, .yml or .json file in this directory");
  return files;
}

}  // namespace

ReadSets read_sets(std::string_view name, std::string_view bytes) {
  ReadSets out;
  const Documents documents = read_manifest(bytes);
  for (const FieldError& error : documents.errors) out.errors.push_back(at_line(name, error, error.line));
  if (!out.errors.empty()) return out;
  for (const std::string& skipped : documents.skipped)
    out.notes.push_back(std::string(name) + ": " + skipped + " is not needed and was skipped");
  for (const std::string& field : documents.left_out)
    out.notes.push_back(std::string(name) + ": " + field + " is OpenKruise's own, and is not simulated");
  for (const Document& document : documents.read) admit(name, document, out);
  if (out.errors.empty() && out.sets.empty())
    out.errors.push_back(std::string(name) + ": there is no StatefulSet of apps/v1 in it, and none of OpenKruise's");
  return out;
}

ReadSets read_set_files(const std::vector<std::string>& paths) {
  ReadSets all;
  for (const std::string& path : paths) {
    const auto files = files_of(path);
    if (!files) all.errors.push_back(files.error());
    for (const std::string& file : files.value_or(std::vector<std::string>{})) {
      const auto bytes = read_file(file, max_document_bytes);
      if (bytes) append(all, read_sets(file, *bytes));
      else all.errors.push_back(bytes.error());
    }
  }
  return all;
}

std::vector<StatefulSet> corpus_sets() {
  ReadSets all;
  for (const EmbeddedFile& file : corpus_manifests()) append(all, read_sets(file.name, file.bytes));
  if (!all.errors.empty()) throw std::logic_error("corpus/manifests: " + all.errors.front());
  return std::move(all.sets);
}

StatefulSet corpus_set(std::string_view file) {
  const auto found = std::ranges::find(corpus_manifests(), file, &EmbeddedFile::name);
  if (found == corpus_manifests().end()) throw std::logic_error(std::string(file) + ": is not in the program");
  ReadSets read = read_sets(found->name, found->bytes);
  if (!read.errors.empty()) throw std::logic_error("corpus/manifests: " + read.errors.front());
  if (read.sets.size() != 1)
    throw std::logic_error(std::string(file) + ": must have one set (found: " + std::to_string(read.sets.size()) + ")");
  return std::move(read.sets.front());
}

}  // namespace ordeal::fuzz
