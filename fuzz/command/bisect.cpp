// ordeal bisect: which release was the first to break a promise, or to keep it again.
#include "fuzz/compare/bisect.h"

#include <nlohmann/json.hpp>

#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/stored.h"
#include "fuzz/report/columns.h"
#include "fuzz/report/json_text.h"

namespace ordeal::fuzz {

namespace {

using properties::Invariant;
using properties::Verdict;

std::expected<const Invariant*, std::string> promise_of(const Stored& stored, const BisectArguments& arguments) {
  if (!arguments.invariant.empty()) return parse_invariant(arguments.invariant);
  if (stored.origin && !stored.origin->invariant.empty()) return parse_invariant(stored.origin->invariant);
  return std::unexpected(arguments.file + ": says of no promise that it breaks it; --invariant names one");
}

/// The ends must be as the user says, or there is nothing to look for.
Done check_end(const Ruling& end, Verdict wanted, const char* option, const Invariant& promise) {
  if (end.verdict == wanted) return {};
  if (end.verdict == Verdict::inconclusive)
    return std::unexpected(std::string(option) + " " + end.controller->name + ": no verdict: " + end.claim);
  return std::unexpected(std::string(option) + " " + end.controller->name + ": it " +
                         (wanted == Verdict::held ? "breaks " : "keeps ") + std::string(promise.id) +
                         " in this scenario");
}

std::string remark(const Ruling& ruling) {
  std::string text = ruling.claim;
  const auto note = [&](bool is_so, const char* words) {
    if (is_so) text += (text.empty() ? "" : "; ") + std::string(words);
  };
  note(ruling.verdict == Verdict::held && !ruling.had_occasion, "it did not come into question");
  note(ruling.left_out, "without fields its API server does not know");
  return text;
}

std::string rulings_text(const std::vector<Ruling>& rulings, const Change& change, const Invariant& promise) {
  std::string text = std::string(promise.id) + "\n  " + std::string(promise.promise) + "\n\n";
  std::string said;  // of the one before: the same is not said again
  for (const Ruling& ruling : rulings) {
    std::string line = "  " + ruling.controller->name;
    line.resize(std::max(line.size(), std::size_t{20}), ' ');
    line += "  " + std::string(name_of(ruling.verdict));
    text += line + "\n";
    const std::string words = remark(ruling);
    if (!words.empty() && words != said) text += wrapped("      ", words);
    said = words;
  }
  const bool is_bad = change.first->verdict == Verdict::violated;
  text += "\nfirst " + std::string(is_bad ? "bad" : "good") + ": " + change.first->controller->name + " (" +
          change.before->controller->name + (is_bad ? " keeps it" : " breaks it") + ")\n";
  if (change.first - change.before > 1) text += "Of what is between the two nothing can be said.\n";
  const std::span<const Ruling> later(change.first, static_cast<std::size_t>(&rulings.back() - change.first) + 1);
  if (first_change(later).first != nullptr) text += "It changes again after that: see above.\n";
  return text;
}

std::string rulings_json(const std::vector<Ruling>& rulings, const Change& change, const Invariant& promise) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const Ruling& ruling : rulings)
    all.push_back(Json{{"controller", ruling.controller->name},
                       {"verdict", name_of(ruling.verdict)},
                       {"claim", ruling.claim},
                       {"occasion", ruling.had_occasion},
                       {"fields_left_out", ruling.left_out}});
  const Json found{
      {"invariant", promise.id},
      {change.first->verdict == Verdict::violated ? "first_bad" : "first_good", change.first->controller->name},
      {"before", change.before->controller->name},
      {"releases", all}};
  return json_text(found);
}

}  // namespace

int bisect_command(const BisectArguments& arguments) {
  const auto format = parse_format(arguments.format, false);
  if (!format) return refuse(format.error());
  const auto stored = read_stored(arguments.file);
  if (!stored) return refuse(stored.error());
  const auto promise = promise_of(*stored, arguments);
  if (!promise) return refuse(promise.error());
  const auto good = parse_controller(arguments.good, "--good"), bad = parse_controller(arguments.bad, "--bad");
  if (!good) return refuse(good.error());
  if (!bad) return refuse(bad.error());
  const auto line = releases_between(**good, **bad);
  if (!line) return refuse("--good, --bad: " + line.error());
  std::vector<Ruling> rulings;
  for (const ControllerKind* kind : *line) rulings.push_back(rule_on(*kind, stored->scenario, **promise));
  const bool good_is_older = rulings.front().controller->name == (*good)->name;
  for (const auto& [end, wanted, option] :
       {std::tuple(good_is_older, Verdict::held, "--good"), std::tuple(!good_is_older, Verdict::violated, "--bad")}) {
    const Ruling& ruling = end ? rulings.front() : rulings.back();
    if (const auto fits = check_end(ruling, wanted, option, **promise); !fits) {
      complain(fits.error());
      return ruling.verdict == Verdict::inconclusive ? exit_inconclusive : exit_bad_input;
    }
  }
  const Change change = first_change(rulings);  // there is one: the ends differ
  return print(*format == Format::json ? rulings_json(rulings, change, **promise)
                                       : rulings_text(rulings, change, **promise))
             ? exit_held
             : exit_inconclusive;
}

}  // namespace ordeal::fuzz
