// What users type, as values; and how each is refused. Covered by arguments_test.cpp.
#pragma once

#include <charconv>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/command/commands.h"
#include "fuzz/engine/files.h"
#include "fuzz/engine/run.h"
#include "properties/mutants/mutants.h"

namespace ordeal::fuzz {

/// "--jobs: must be from 1 to 1024 (found: 0)".
std::unexpected<std::string> refused(std::string_view what, std::string_view wanted, std::string_view found);

/// What the whole text says in digits, if it does, and if that fits.
template <std::integral Number>
std::optional<Number> whole(std::string_view text, int base = 10) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "90", "60s", "5m", "1h", "500ms". `option` is what the error calls it.
std::expected<std::chrono::milliseconds, std::string> parse_time(std::string_view text,
                                                                 std::string_view option = "--time");
/// A number, or a commit: its first 13 hexadecimal digits.
std::expected<std::uint64_t, std::string> parse_seed(std::string_view text);
/// "promised" or "strict"; empty: what the controller is tried at by default.
std::expected<properties::Level, std::string> parse_level(std::string_view text, const ControllerKind& controller);
/// The error lists the choices; `option` is what it calls it.
std::expected<const ControllerKind*, std::string> parse_controller(std::string_view name,
                                                                   std::string_view option = "--controller");
/// A controller that a file names. Files come from anywhere: one that names a command is refused, in a sentence that
/// says how the user runs it all the same.
std::expected<const ControllerKind*, std::string> controller_in_file(const std::string& name, const std::string& file);
/// Names between commas, each once; what begins with exec: is one name, commas and all.
std::expected<std::vector<const ControllerKind*>, std::string> parse_controllers(const std::vector<std::string>& lists);
std::expected<const properties::Invariant*, std::string> parse_invariant(std::string_view id);
/// The promise of this id, or those of this family; `option` is what complaints begin with.
std::expected<properties::Promises, std::string> parse_promises(std::string_view option, std::string_view name);
/// Ids of promises and names of families between commas: "update,storage.claim-name".
std::expected<properties::Promises, std::string> parse_except(const std::vector<std::string>& lists);
std::expected<const properties::Mutant*, std::string> parse_mutant(std::string_view id);

std::expected<unsigned, std::string> parse_jobs(unsigned jobs);

/// Who is tried, at which level, but for which promises, held against whom (null: nobody), by which seed, on how many
/// threads: what every search is told, but for its sets.
struct Asked {
  const ControllerKind* controller = nullptr;
  properties::Level level = properties::Level::strict;
  properties::Promises except{};
  const ControllerKind* against = nullptr;
  std::uint64_t seed = 1;
  unsigned jobs = 1;
};
/// Into the options of a run or a campaign: all that both have.
template <class Options>
void apply(const Asked& asked, Options& options) {
  options.controller = asked.controller;
  options.level = asked.level;
  options.except = asked.except;
  options.against = asked.against;
  options.seed = asked.seed;
  options.jobs = asked.jobs;
}
std::expected<Asked, std::string> parse_asked(const SearchArguments& arguments);

/// Either limit, both, or `otherwise` of time.
Done set_limits(const std::string& trials, const std::string& time, const std::string& otherwise, RunOptions& options);

enum class Format : std::uint8_t { text, json, junit };
std::expected<Format, std::string> parse_format(std::string_view text, bool knows_junit = true);

}  // namespace ordeal::fuzz
