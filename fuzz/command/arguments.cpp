#include "fuzz/command/arguments.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <vector>

#include "core/api/nearest.h"
#include "fuzz/adapter/kinds.h"
#include "fuzz/engine/shell.h"
#include "properties/invariants/catalogue.h"

namespace ordeal::fuzz {

namespace {

using properties::Invariant;
using properties::Level;

bool is_of(std::string_view text, std::string_view alphabet) {
  return !text.empty() && text.find_first_not_of(alphabet) == text.npos;
}

}  // namespace

std::unexpected<std::string> refused(std::string_view what, std::string_view wanted, std::string_view found) {
  return std::unexpected(std::string(what) + ": must be " + std::string(wanted) + " (found: " + std::string(found) +
                         ")");
}

std::expected<std::chrono::milliseconds, std::string> parse_time(std::string_view text, std::string_view option) {
  constexpr std::int64_t longest = std::int64_t{365} * 24 * 3600 * 1000;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view unit = text.substr(digits);
  const auto number = whole<std::int64_t>(text.substr(0, digits));
  const std::int64_t unit_ms = unit.empty() || unit == "s" ? 1000
                               : unit == "ms"              ? 1
                               : unit == "m"               ? 60'000
                               : unit == "h"               ? 3'600'000
                                                           : 0;
  if (!number || unit_ms == 0 || *number > longest / unit_ms)
    return refused(option, "a time such as 60s, 5m or 1h, at most a year", text);
  return std::chrono::milliseconds(*number * unit_ms);
}

std::expected<std::uint64_t, std::string> parse_seed(std::string_view text) {
  constexpr std::size_t shortest_commit = 7, digits_taken = 13;  // 52 bits: every JSON reader keeps such a number exact
  if (is_of(text, "0123456789"))
    if (const auto number = whole<std::uint64_t>(text)) return *number;
  if (text.size() >= shortest_commit && is_of(text, "0123456789abcdefABCDEF"))
    return *whole<std::uint64_t>(text.substr(0, digits_taken), 16);
  return refused("--seed", "a whole number or a commit of at least 7 hexadecimal digits", text);
}

std::expected<Level, std::string> parse_level(std::string_view text, const ControllerKind& controller) {
  if (text.empty()) return controller.level;
  if (text == "promised") return Level::promised;
  if (text == "strict") return Level::strict;
  return refused("--level", "promised or strict", text);
}

std::expected<const ControllerKind*, std::string> parse_controller(std::string_view name, std::string_view option) {
  if (is_external(name)) return external_controller(name, option);
  if (const ControllerKind* kind = find_controller(name)) return kind;
  return refused(option, "one of " + controller_names(name) + ", kubernetes@RELEASE, kruise@RELEASE or exec:COMMAND",
                 name);
}

std::expected<const ControllerKind*, std::string> controller_in_file(const std::string& name, const std::string& file) {
  if (!runs_a_command(name)) return parse_controller(name, file + ": its controller");
  return std::unexpected(file + ": names a command, which is not run unless you say so, too: --controller " +
                         shell_quoted(name));
}

std::expected<std::vector<const ControllerKind*>, std::string> parse_controllers(
    const std::vector<std::string>& lists) {
  std::vector<const ControllerKind*> kinds;
  for (std::string_view list : lists)
    for (bool goes_on = !list.empty(); goes_on;) {
      const std::size_t end = list.starts_with("exec:") ? list.size() : std::min(list.find(','), list.size());
      const auto kind = parse_controller(list.substr(0, end));
      if (!kind) return std::unexpected(kind.error());
      if (std::ranges::find(kinds, *kind) != kinds.end())
        return refused("--controllers", "names of different controllers", (*kind)->name);
      kinds.push_back(*kind);
      goes_on = end < list.size();
      list.remove_prefix(std::min(end + 1, list.size()));
    }
  if (kinds.empty() && !lists.empty()) return refused("--controllers", "names between commas", "nothing");
  return kinds;
}

namespace {

/// Who mistyped one does not want to read two hundred others.
template <class Named>
std::string none_called(const std::string& what, std::string_view id, std::span<const Named> all) {
  std::vector<std::string_view> ids;
  for (const Named& one : all) ids.push_back(one.id);
  if (const std::string meant = did_you_mean(id, ids); !meant.empty()) return what + std::string(id) + meant;
  std::string text = what + std::string(id) + "; these there are:";
  for (const std::string_view known : ids) text.append("\n  ").append(known);
  return text;
}

}  // namespace

std::expected<const Invariant*, std::string> parse_invariant(std::string_view id) {
  if (const Invariant* invariant = properties::find_invariant(id)) return invariant;
  return std::unexpected(none_called<Invariant>("--invariant: there is none called ", id, properties::catalogue));
}

std::expected<properties::Promises, std::string> parse_promises(std::string_view option, std::string_view name) {
  properties::Promises named;
  for (const Invariant& invariant : properties::catalogue)
    if (invariant.id == name || invariant.family() == name) named.set(properties::place_of(invariant));
  if (named.any()) return named;
  return std::unexpected(none_called<Invariant>(std::string(option) + ": there is no promise or family called ", name,
                                                properties::catalogue));
}

std::expected<properties::Promises, std::string> parse_except(const std::vector<std::string>& lists) {
  properties::Promises except;
  for (const std::string_view list : lists)
    for (const auto part : list | std::views::split(',')) {
      const auto named = parse_promises("--except", std::string_view(part));
      if (!named) return named;
      except |= *named;
    }
  return except;
}

std::expected<const properties::Mutant*, std::string> parse_mutant(std::string_view id) {
  if (const properties::Mutant* mutant = properties::find_mutant(id)) return mutant;
  return std::unexpected(none_called("ID: there is no mutant called ", id, properties::mutants()));
}

std::expected<unsigned, std::string> parse_jobs(unsigned jobs) {
  if (jobs >= 1 && jobs <= 1024) return jobs;
  return refused("--jobs", "from 1 to 1024", std::to_string(jobs));
}

namespace {

/// Null when it names nobody.
std::expected<const ControllerKind*, std::string> parse_against(const std::string& name) {
  if (name.empty()) return nullptr;
  return parse_controller(name, "--against");
}

}  // namespace

std::expected<Asked, std::string> parse_asked(const SearchArguments& arguments) {
  const auto controller = parse_controller(arguments.controller);
  if (!controller) return std::unexpected(controller.error());
  const auto level = parse_level(arguments.level, **controller);
  if (!level) return std::unexpected(level.error());
  const auto seed = parse_seed(arguments.seed);
  if (!seed) return std::unexpected(seed.error());
  const auto jobs = parse_jobs(arguments.jobs);
  if (!jobs) return std::unexpected(jobs.error());
  const auto except = parse_except(arguments.except);
  if (!except) return std::unexpected(except.error());
  if (properties::promises_at(*level, *except).none())
    return std::unexpected<std::string>("--except: leaves no promise to ask");
  const auto against = parse_against(arguments.against);
  if (!against) return std::unexpected(against.error());
  return Asked{*controller, *level, *except, *against, *seed, *jobs};
}

Done set_limits(const std::string& trials, const std::string& time, const std::string& otherwise, RunOptions& options) {
  if (!trials.empty()) {
    constexpr std::size_t digits_at_most = 18;
    if (!is_of(trials, "0123456789") || trials.size() > digits_at_most)
      return refused("--trials", "a whole number", trials);
    options.trials = whole<std::uint64_t>(trials);
  }
  if (time.empty() && options.trials) return {};
  const auto limit = parse_time(time.empty() ? otherwise : time);
  if (!limit) return std::unexpected(limit.error());
  options.time = *limit;
  options.ends_without_turns = true;
  return {};
}

std::expected<Format, std::string> parse_format(std::string_view text, bool knows_junit) {
  if (text == "text") return Format::text;
  if (text == "json") return Format::json;
  if (text == "junit" && knows_junit) return Format::junit;
  return refused("--format", knows_junit ? "text, json or junit" : "text or json", text);
}

}  // namespace ordeal::fuzz
