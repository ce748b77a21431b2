#include "fuzz/command/git.h"

#include <array>
#include <cstdio>
#include <ranges>

#include "fuzz/report/shell.h"

namespace ordeal::fuzz {

namespace {

/// The lines a git command prints; its errors are among them when it fails.
std::expected<std::vector<std::string>, std::string> git(const std::string& arguments) {
  std::FILE* pipe = ::popen(("git " + arguments + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return std::unexpected("git cannot be started");
  std::string text;
  std::array<char, 4096> block{};
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), pipe)) text.append(block.data(), n);
  const bool done = ::pclose(pipe) == 0;
  std::vector<std::string> lines;
  for (const auto line : std::views::split(text, '\n'))
    if (!line.empty()) lines.emplace_back(line.begin(), line.end());
  if (!done) return std::unexpected(lines.empty() ? "git failed without a word" : lines.front());
  return lines;
}

}  // namespace

std::expected<std::string, std::string> current_commit() {
  const auto lines = git("rev-parse --verify HEAD");
  if (!lines) return std::unexpected(lines.error());
  return lines->empty() ? std::string() : lines->front();
}

std::expected<std::vector<std::string>, std::string> files_changed_since(const std::string& base) {
  if (const auto known = git("rev-parse --quiet --verify --end-of-options " + shell_quoted(base + "^{commit}")); !known)
    return std::unexpected(known.error().starts_with("fatal: not a git") ? known.error() : "git knows no such commit");
  auto files = git("diff --name-only --no-renames --end-of-options " + shell_quoted(base) + " --");
  if (!files) return files;
  const auto untracked = git("ls-files --others --exclude-standard --full-name :/");
  if (!untracked) return untracked;
  files->insert(files->end(), untracked->begin(), untracked->end());
  return files;
}

}  // namespace ordeal::fuzz
