// ordeal mutants: are the seeded bugs found?
#include "fuzz/campaign/mutants.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "fuzz/campaign/killers.h"
#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/signals.h"
#include "fuzz/engine/files.h"
#include "fuzz/report/finding_file.h"

namespace ordeal::fuzz {

namespace {

std::expected<HuntOptions, std::string> options_of(const MutantsArguments& arguments) {
  HuntOptions options;
  options.sets = {.given = corpus_sets(), .drawn_too = true};
  for (const std::string& id : arguments.ids) {
    const auto mutant = parse_mutant(id);
    if (!mutant) return std::unexpected(mutant.error());
    options.mutants.push_back(*mutant);
  }
  if (arguments.ids.empty())
    for (const properties::Mutant& mutant : properties::mutants()) options.mutants.push_back(&mutant);
  const auto seed = parse_seed(arguments.seed);
  if (!seed) return std::unexpected(seed.error());
  options.seed = *seed;
  const auto time = parse_time(arguments.time_each, "--time-each");
  if (!time) return std::unexpected(time.error());
  options.time_each = *time;
  const auto jobs = parse_jobs(arguments.jobs);
  if (!jobs) return std::unexpected(jobs.error());
  options.jobs = *jobs;
  for (const Engine engine : {Engine::random, Engine::guided, Engine::exhaustive})
    if (arguments.engine == name_of(engine)) options.engine = engine;
  return options;
}

/// What this command has written before, into this very directory: a file that is called as the mutant in which it was
/// found.
bool is_killer(const std::filesystem::path& file) {
  const auto bytes =
      file.extension() == ".json" ? read_file(file.string(), max_document_bytes) : std::unexpected(std::string());
  const auto origin = bytes ? read_origin(*bytes) : std::nullopt;
  return origin && origin->controller == "mutant:" + file.stem().string();
}

Done drop_other_killers(const std::string& directory, const std::set<std::string>& written) {
  const auto files = files_in(directory);
  if (!files) return std::unexpected(files.error());
  std::error_code error;
  for (const std::string& file : *files)
    if (!written.contains(file) && is_killer(file) && !std::filesystem::remove(file, error))
      return std::unexpected(file + ": " + error.message());
  return {};
}

Done keep_killers(const std::vector<Hunted>& hunted, const HuntOptions& options, const std::string& directory,
                  const std::atomic<bool>& stop) {
  const std::vector<std::size_t> killers = killers_of(hunted, options.jobs, stop);
  if (stop.load()) return std::unexpected(directory + ": interrupted; what is there stays");
  if (killers.empty()) return std::unexpected(directory + ": no mutant was found; what is there stays");
  std::set<std::string> written;
  for (const std::size_t i : killers) {
    const Finding& finding = hunted[i].finding;
    const std::string id(hunted[i].mutant->id);
    const Origin origin = origin_of(finding, {"mutant:" + id, properties::Level::strict, options.seed});
    const std::string& file = *written.insert((std::filesystem::path(directory) / (id + ".json")).string()).first;
    if (auto done = write_file(file, finding_file(finding, origin)); !done) return done;
  }
  if (auto dropped = drop_other_killers(directory, written); !dropped) return dropped;
  complain(directory + ": " + std::to_string(killers.size()) + " stories break all mutants found");
  return {};
}

int exit_of(const std::vector<Hunted>& hunted, const HuntOptions& options) {
  if (std::ranges::any_of(hunted, [](const Hunted& one) { return one.broken == nullptr; })) return exit_violated;
  return hunted.size() < options.mutants.size() ? exit_interrupted : exit_held;
}

}  // namespace

int mutants_command(const MutantsArguments& arguments) {
  const auto options = options_of(arguments);
  if (!options) return refuse(options.error());
  const std::atomic<bool>& stop = stop_on_signals();
  const std::vector<Hunted> hunted = hunt(*options, stop);
  const Done kept = arguments.keep.empty() ? Done{} : keep_killers(hunted, *options, arguments.keep, stop);
  const bool printed = print(arguments.json ? mutants_json(hunted) : mutants_text(hunted, options->mutants.size()));
  if (!kept) complain(kept.error());
  if (!printed || (!kept && !stop.load())) return exit_inconclusive;
  const int status = exit_of(hunted, *options);
  return status == exit_held && !kept ? exit_interrupted : status;
}

}  // namespace ordeal::fuzz
