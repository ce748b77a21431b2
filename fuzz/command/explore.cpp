// ordeal explore: every state of a small world.
#include "fuzz/explore/explore.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <set>
#include <stdexcept>

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/signals.h"
#include "fuzz/report/certificate.h"
#include "fuzz/report/keeper.h"
#include "properties/scenario/counted.h"
#include "properties/scenario/known_fields.h"

namespace ordeal::fuzz {

namespace {

using properties::grouped;
using properties::Scope;

template <class T>
using Parsed = std::expected<T, std::string>;

/// "8G", "512M", "1000000".
Parsed<std::uint64_t> parse_memory(const std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string unit = text.substr(digits);
  const auto number = whole<std::int64_t>(std::string_view(text).substr(0, digits));
  const int shift = unit.empty() ? 0 : unit == "K" ? 10 : unit == "M" ? 20 : unit == "G" ? 30 : -1;
  constexpr std::int64_t most = std::int64_t{1} << 20;  // of gigabytes: nobody has more
  if (shift < 0 || !number || *number <= 0 || *number > (most << 30 >> shift))
    return refused("--memory", "a size such as 512M or 8G", text);
  return static_cast<std::uint64_t>(*number) << shift;
}

/// "crash:1,stale:1"
Parsed<void> parse_faults(const std::string& text, Scope& scope) {
  const std::string names = properties::joined(properties::mishap_names());
  std::set<std::string_view> given;
  for (const auto item : text | std::views::split(',')) {
    const std::string part(item.begin(), item.end());
    const std::size_t colon = std::min(part.find(':'), part.size());
    const auto at = std::ranges::find(properties::mishap_names(), std::string_view(part).substr(0, colon));
    const auto times = colon < part.size() ? whole<std::int64_t>(std::string_view(part).substr(colon + 1))
                                           : std::optional<std::int64_t>(1);
    if (at == properties::mishap_names().end() || !times || *times < 0 || *times > 9)
      return refused("--faults", "KIND:TIMES[,..] with up to 9 times, and one of " + names, part);
    if (!given.insert(*at).second) return refused("--faults", "each kind once", text);
    scope.mishaps[static_cast<std::size_t>(at - properties::mishap_names().begin())] =
        static_cast<std::uint8_t>(*times);
  }
  return {};
}

Parsed<std::vector<std::int32_t>> parse_choices(std::string_view option, const std::string& text) {
  std::vector<std::int32_t> numbers;
  for (const auto item : text | std::views::split(',')) {
    const std::string part(item.begin(), item.end());
    const auto number = whole<std::int64_t>(part);
    if (!number || *number < -1 || *number > 100 || numbers.size() == properties::choices_walked_at_most)
      return refused(option, "up to 16 whole numbers from -1 (none) to 100, with commas between", text);
    numbers.push_back(static_cast<std::int32_t>(*number));
  }
  return numbers;
}

Parsed<std::uint8_t> parse_count(std::string_view option, int from, int to, int found) {
  if (found < from || found > to)
    return refused(option, "from " + std::to_string(from) + " to " + std::to_string(to), std::to_string(found));
  return static_cast<std::uint8_t>(found);
}

/// The manifest's one set, or the corpus' plainest. That one is chosen by its file: several sets of the corpus are
/// named web.
Parsed<StatefulSet> first_set(const std::string& manifest) {
  if (manifest.empty()) return corpus_set("corpus/manifests/web.yaml");
  ReadSets read = read_set_files({manifest});
  for (const std::string& error : read.errors) complain(error);
  if (!read.errors.empty()) return std::unexpected("MANIFEST: cannot be used (found: " + manifest + ")");
  if (read.sets.size() != 1)
    return refused("MANIFEST", "one with a single StatefulSet", std::to_string(read.sets.size()) + " in " + manifest);
  return std::move(read.sets.front());
}

Parsed<Scope> scope_of(const ExploreArguments& arguments) {
  Scope scope;
  const auto replicas = parse_count("--replicas", 0, properties::replicas_walked_at_most, arguments.replicas);
  if (!replicas) return std::unexpected(replicas.error());
  const auto templates = parse_count("--templates", 1, properties::templates_walked_at_most, arguments.templates);
  if (!templates) return std::unexpected(templates.error());
  const auto edits = parse_count("--edits", 0, 9, arguments.edits);
  if (!edits) return std::unexpected(edits.error());
  auto set = first_set(arguments.manifest);
  if (!set) return std::unexpected(set.error());
  auto spec = *set->spec;
  spec.replicas = *replicas;
  set->spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  scope.start.set = std::move(*set);
  scope.replicas = *replicas;
  scope.templates = *templates;
  scope.edits = *edits;
  auto partitions = parse_choices("--partition", arguments.partitions);
  if (!partitions) return std::unexpected(partitions.error());
  scope.partitions = std::move(*partitions);
  auto most = parse_choices("--max-unavailable", arguments.max_unavailable);
  if (!most) return std::unexpected(most.error());
  if (std::ranges::find(*most, 0) != most->end())
    return refused("--max-unavailable", "at least 1, or -1 (none): the API server takes no 0",
                   arguments.max_unavailable);
  scope.max_unavailable = std::move(*most);
  if (const auto faults = parse_faults(arguments.faults, scope); !faults) return std::unexpected(faults.error());
  if (const std::string why = why_not_walked(scope); !why.empty()) return std::unexpected(why);
  return scope;
}

/// As `run` does: the API server of a release drops what it does not know. An edit of that would be none.
Parsed<void> leave_out_unknown_to(const ControllerKind& controller, Scope& scope) {
  const KnownFields known = known_fields(controller.name);
  Scope fitting = scope;
  leave_out_unknown(fitting, known);
  if (fitting.max_unavailable != scope.max_unavailable || fitting.partitions != scope.partitions)
    return std::unexpected(controller.name + " knows no " +
                           (known.rolling_update ? "maxUnavailable" : "rolling update") + ": there is nothing to edit");
  complain_of_unknown("the world", scope.start, controller.name, known);
  scope = std::move(fitting);
  return {};
}

Parsed<ExploreOptions> options_of(const ExploreArguments& arguments) {
  ExploreOptions options;
  const auto controller = parse_controller(arguments.controller);
  if (!controller) return std::unexpected(controller.error());
  options.controller = *controller;
  const auto level = parse_level(arguments.level, **controller);
  if (!level) return std::unexpected(level.error());
  options.level = *level;
  auto scope = scope_of(arguments);
  if (!scope) return std::unexpected(scope.error());
  options.scope = std::move(*scope);
  if (const auto fits = leave_out_unknown_to(**controller, options.scope); !fits) return std::unexpected(fits.error());
  const auto memory = parse_memory(arguments.memory);
  if (!memory) return std::unexpected(memory.error());
  options.memory = *memory;
  if (arguments.depth >= 0) options.depth = static_cast<std::uint32_t>(arguments.depth);
  const auto jobs = parse_jobs(arguments.jobs);
  if (!jobs) return std::unexpected(jobs.error());
  options.jobs = *jobs;
  return options;
}

class Levels final : public ExploreWatcher {
 public:
  explicit Levels(bool quiet) : quiet_(quiet) {}
  void on_level(std::uint32_t level, std::uint64_t fresh, std::uint64_t states, double seconds) override {
    constexpr double every = 5;
    if (quiet_ || seconds < told_ + every) return;
    told_ = seconds;
    complain(std::to_string(static_cast<int>(seconds)) + " s: " + std::to_string(level) + " moves, " + grouped(states) +
             " states, " + grouped(fresh) + " of them new");
  }

 private:
  bool quiet_;
  double told_ = 0;
};

/// Shrinks what was found, stores it, and makes a report of it. What could not be stored is printed; false, then.
bool keep_findings(const ExploreOptions& options, const Certificate& certificate, const std::string& directory,
                   const std::atomic<bool>& stop, Report& report) {
  Keeper keeper(directory, {options.controller->name, options.level, 0});
  const Deadline deadline([&stop] { return stop.load(); });
  for (Finding finding : certificate.findings) {
    properties::Court court;
    Dock dock(*options.controller);
    shrink_finding(finding, court, dock, options.level, deadline);
    const Finding* const only[] = {&finding};
    if (const auto kept = keeper.keep(only); !kept) complain("a finding could not be stored: " + kept.error());
    std::string file = keeper.path_of(finding);
    report.findings.push_back(shown_of(std::move(finding), std::move(file), dock, options.level));
  }
  return print_unkept(report);
}

}  // namespace

int explore_command(const ExploreArguments& arguments) {
  const auto options = options_of(arguments);
  if (!options) return refuse(options.error());
  const auto format = parse_format(arguments.format, false);
  if (!format) return refuse(format.error());
  if (const auto out = check_out(arguments.out); !out) return refuse(out.error());
  const std::atomic<bool>& stop = stop_on_signals();
  Certificate certificate;
  try {
    Levels levels(arguments.quiet);
    certificate = explore(*options, levels, stop);
  } catch (const std::invalid_argument& error) {
    return refuse("--controller: " + options->controller->name + ": " + error.what());
  }
  Report report = report_of(*options->controller, options->level, {});
  report.result.verdict = certificate.verdict;
  report.expects_coverage = false;
  const bool kept = keep_findings(*options, certificate, arguments.out, stop, report);
  const bool printed =
      print(*format == Format::json ? certificate_json(certificate, *options, report)
                                    : certificate_text(certificate, *options, report, terminal_columns()));
  const int end = exit_of(certificate.verdict, certificate.reach == Reach::interrupted);
  return printed && kept ? end : exit_inconclusive;
}

}  // namespace ordeal::fuzz
