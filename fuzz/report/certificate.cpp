#include "fuzz/report/certificate.h"

#include <nlohmann/json.hpp>

#include "fuzz/report/columns.h"
#include "fuzz/report/json.h"
#include "fuzz/report/json_text.h"
#include "fuzz/report/text.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/counted.h"
#include "properties/trial/digest.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;
using Json = nlohmann::ordered_json;

std::string line(std::string_view name, const std::string& value) {
  std::string text = "  " + std::string(name);
  text.resize(14, ' ');
  return text + value + "\n";
}

std::string hex(const Hash128& hash) { return properties::hex_text(hash.high) + properties::hex_text(hash.low); }

std::uint64_t per(double number, double seconds) {
  return seconds > 0 ? static_cast<std::uint64_t>(number / seconds) : 0;
}

double bytes_per_state(const Certificate& c) {
  return c.states > 0 ? static_cast<double>(c.bytes_remembered) / static_cast<double>(c.states) : 0;
}

std::string megabytes(std::uint64_t bytes) { return grouped((bytes + 999'999) / 1'000'000) + " MB"; }

std::string headline(const Certificate& c) {
  if (c.verdict == Verdict::violated) return c.shortest ? "VIOLATED  the shortest story" : "VIOLATED  a story";
  if (c.verdict == Verdict::held && c.reach == Reach::all)
    return "HELD      every promise, in every state of this world";
  if (c.verdict == Verdict::held) return "HELD      every promise, in every state up to this depth";
  return c.reach == Reach::violation ? "INCONCLUSIVE  a promise was broken on the walk, and not by its story"
                                     : "INCONCLUSIVE  not every state was walked";
}

std::string reach_text(const Certificate& c) {
  switch (c.reach) {
    case Reach::all: return "every state: no move leads to another";
    case Reach::depth:
    case Reach::states: return "every state up to " + std::to_string(c.levels - 1) + " moves; there are more";
    case Reach::memory: return "every state up to " + std::to_string(c.levels) + " moves, then the memory was full";
    case Reach::violation:
      return "every state up to " + std::to_string(c.levels - 1) + " moves, then a promise was broken";
    case Reach::interrupted: return "every state up to " + std::to_string(c.levels) + " moves, then it was interrupted";
    case Reach::too_big:
      return "every state up to " + std::to_string(c.levels) + " moves, then one was too big to be written down";
  }
  return {};
}
std::string_view reach_word(Reach reach) {
  constexpr std::string_view words[] = {"all", "depth", "states", "memory", "violation", "interrupted", "too-big"};
  return words[static_cast<std::size_t>(reach)];
}

std::size_t promises_judged(const Certificate& c) {
  std::size_t count = 0;
  for (std::size_t place = 0; place < catalogue.size(); ++place)
    count += c.situations[situation_of_invariant(place)] ? 1 : 0;
  return count;
}

std::string moves_text(const Certificate& c) {
  if (c.moves.empty()) return {};
  return counted(c.moves.front(), "move") + " from the first state" + (c.shortest ? "; no story is shorter" : "");
}

}  // namespace

std::string certificate_text(const Certificate& c, const ExploreOptions& options, const Report& report,
                             std::size_t columns) {
  std::string text = stories_text(report, columns);
  text += headline(c) + "\n";
  text += line("world", set_text(options.scope.start.set));
  text += line("scope", text_of(options.scope));
  text += line("controller", report.controller + ", level " + std::string(name_of(report.level)));
  text += line("states", grouped(c.states) + " and " + grouped(c.transitions) + " transitions, in " +
                             std::to_string(c.levels) + " levels");
  text += line("reach", reach_text(c));
  if (const std::string moves = moves_text(c); !moves.empty()) text += line("length", moves);
  text += line("digest", hex(c.digest));
  text += line("promises",
               std::to_string(promises_judged(c)) + " of " + std::to_string(catalogue.size()) + " came into question");
  text += line("ends", grouped(c.ends) + " different ones played out");
  for (const std::string& reason : c.unclear) text += line("unclear", reason);
  text += line("memory", std::to_string(static_cast<int>(bytes_per_state(c) + 0.5)) + " bytes per state remembered, " +
                             megabytes(c.bytes_at_most) + " at most");
  return text + line("time", with_decimals(c.seconds, 1) + " s (" +
                                 grouped(per(static_cast<double>(c.states), c.seconds)) + " new states/s, " +
                                 grouped(per(static_cast<double>(c.transitions), c.seconds)) + " transitions/s)");
}

std::string certificate_json(const Certificate& c, const ExploreOptions& options, const Report& report) {
  const Json json{{"verdict", name_of(c.verdict)},
                  {"controller", report.controller},
                  {"level", name_of(report.level)},
                  {"world", set_text(options.scope.start.set)},
                  {"scope", text_of(options.scope)},
                  {"reach", reach_word(c.reach)},
                  {"states", c.states},
                  {"transitions", c.transitions},
                  {"levels", c.levels},
                  {"digest", hex(c.digest)},
                  {"promises_judged", promises_judged(c)},
                  {"ends", c.ends},
                  {"object_versions", c.object_versions},
                  {"moves", c.moves},
                  {"findings", Json::parse(run_json(report)).at("findings")},
                  {"inconclusive", c.unclear},
                  {"timing",
                   {{"seconds", c.seconds},
                    {"states_per_second", per(static_cast<double>(c.states), c.seconds)},
                    {"bytes_per_state", bytes_per_state(c)},
                    {"bytes_at_most", c.bytes_at_most}}}};
  return json_text(json);
}

}  // namespace ordeal::fuzz
