#include "fuzz/command/git.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <ranges>
#include <string_view>

#include "fuzz/engine/shell.h"

namespace ordeal::fuzz {

namespace {

using Words = std::vector<std::string>;

const std::string without_a_word = "git failed without a word";

Words split(std::string_view text, char end) {
  Words words;
  for (const auto word : std::views::split(text, end))
    if (!word.empty()) words.emplace_back(word.begin(), word.end());
  return words;
}

/// What a line of shell prints, or nothing when it fails.
std::optional<std::string> output_of(const std::string& line) {
  std::FILE* pipe = ::popen(line.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::string text;
  std::array<char, 4096> block{};
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), pipe)) text.append(block.data(), n);
  return ::pclose(pipe) == 0 ? std::optional(text) : std::nullopt;
}

/// Git's sentence about what failed; warnings and traces may stand around it.
std::string error_of(const std::string& command) {
  const Words said = split(output_of("{ " + command + "; } 2>&1 > /dev/null || true").value_or(""), '\n');
  const auto fatal = std::ranges::find_if(
      said, [](const std::string& line) { return line.starts_with("fatal: ") || line.starts_with("error: "); });
  if (fatal != said.end()) return *fatal;
  return said.empty() ? without_a_word : said.front();
}

/// What a git command prints. Nothing it says on the side is taken for that; a command that failed is asked again, why.
std::expected<Words, std::string> git(const std::string& arguments, char end) {
  const std::string command = "git " + arguments;
  const auto printed = output_of(command + " 2> /dev/null");
  if (!printed) return std::unexpected(error_of(command));
  return split(*printed, end);
}

std::expected<std::string, std::string> first_line(const std::string& arguments) {
  const auto lines = git(arguments, '\n');
  if (!lines) return std::unexpected(lines.error());
  return lines->empty() ? std::string() : lines->front();
}

}  // namespace

std::expected<std::string, std::string> current_commit() { return first_line("rev-parse --verify HEAD"); }

std::expected<std::string, std::string> root_of_repository() { return first_line("rev-parse --show-toplevel"); }

std::expected<std::vector<std::string>, std::string> files_changed_since(const std::string& base) {
  if (const auto known = git("rev-parse --quiet --verify --end-of-options " + shell_quoted(base + "^{commit}"), '\n');
      !known)
    return std::unexpected(known.error() == without_a_word ? "git knows no such commit" : known.error());
  auto files =
      git("diff --name-only --no-renames --no-relative -z --end-of-options " + shell_quoted(base) + " --", '\0');
  if (!files) return files;
  const auto untracked = git("ls-files --others --exclude-standard --full-name -z :/", '\0');
  if (!untracked) return untracked;
  files->insert(files->end(), untracked->begin(), untracked->end());
  return files;
}

}  // namespace ordeal::fuzz
