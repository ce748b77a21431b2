// ordeal corpus: what a corpus exercises, and the few of its scenarios that exercise as much.
#include "fuzz/engine/corpus.h"

#include <filesystem>
#include <set>

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/engine/files.h"
#include "fuzz/report/coverage.h"
#include "properties/scenario/counted.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {

namespace {

using properties::counted;

std::string size_text(std::span<const CorpusEntry> corpus, std::size_t met) {
  std::size_t bytes = 0, steps = 0;
  for (const CorpusEntry& entry : corpus) bytes += entry.bytes, steps += entry.scenario.steps.size();
  return counted(corpus.size(), "scenario") + ", " + counted(steps, "step") + ", " + std::to_string(bytes) +
         " bytes; " + std::to_string(met) + " of " + std::to_string(properties::Encounters::size) + " encounters\n";
}

std::vector<CorpusEntry> chosen_from(const std::vector<CorpusEntry>& corpus) {
  std::vector<CorpusEntry> chosen;
  for (const std::size_t i : cover(corpus)) chosen.push_back(corpus[i]);
  return chosen;
}

/// As stored scenarios, under their own names; a second one of a name gets a number.
Done keep(std::span<const CorpusEntry> chosen, const std::string& out) {
  std::set<std::string> taken;
  for (const CorpusEntry& entry : chosen) {
    const std::string stem = std::filesystem::path(entry.file).stem().string();
    std::string name = stem;
    for (int n = 2; !taken.insert(name).second; ++n) name = stem + "-" + std::to_string(n);
    if (auto written = write_file(out + "/" + name + ".json", properties::write_scenario(entry.scenario)); !written)
      return std::unexpected(written.error());
  }
  return {};
}

}  // namespace

int corpus_command(const CorpusArguments& arguments) {
  const auto controller = parse_controller(arguments.controller);
  if (!controller) return refuse(controller.error());
  auto corpus = read_corpus(arguments.paths);
  if (!corpus) return refuse(corpus.error());
  if (corpus->empty()) return refuse("there is no scenario in " + arguments.paths.front());
  Dock dock(**controller);
  exercise(*corpus, dock);
  const auto met = met_by(*corpus);
  std::string text = size_text(*corpus, met.count());
  if (!arguments.out.empty()) {
    const std::vector<CorpusEntry> chosen = chosen_from(*corpus);
    if (const auto kept = keep(chosen, arguments.out); !kept) {
      complain(kept.error());
      return exit_inconclusive;
    }
    text += "kept in " + arguments.out + ": " + size_text(chosen, met_by(chosen).count());
  }
  text += "\n" + (arguments.missing ? missing_text(met) : coverage_text(met));
  if (!print(text)) return exit_inconclusive;
  const std::string unclear = unclear_text(*corpus);
  if (!unclear.empty()) complain(unclear);
  return unclear.empty() ? exit_held : exit_inconclusive;
}

}  // namespace ordeal::fuzz
