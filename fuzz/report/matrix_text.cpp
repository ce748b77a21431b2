// The conformance matrix for people: as text for a terminal, and as Markdown.
#include <algorithm>

#include "fuzz/report/columns.h"
#include "fuzz/report/matrix.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

using namespace properties;

namespace {

constexpr std::size_t columns = 80, id_column = 46, controllers_a_table = columns - id_column - 2;

bool is_broken(const Invariant& invariant, std::span<const Report> runs) {
  return std::ranges::any_of(
      runs, [&](const Report& run) { return cell_of(invariant, run).verdict == CellVerdict::violated; });
}

bool is_known(const Cell& cell) {
  return std::ranges::all_of(cell.findings, [](const Shown* shown) { return shown->known != nullptr; });
}

char mark_of(const Cell& cell) {
  switch (cell.verdict) {
    case CellVerdict::held: return '.';
    case CellVerdict::violated: return is_known(cell) ? 'x' : 'X';
    case CellVerdict::no_occasion: return '?';
    case CellVerdict::not_applicable: return '-';
  }
  return '?';
}

/// A, B, ..., Z, a, ..., z; a table has no more than that.
char letter_of(std::size_t controller) {
  constexpr std::size_t letters = 26;
  const std::size_t n = controller % (2 * letters);
  return static_cast<char>(n < letters ? 'A' + n : 'a' + (n - letters));
}

std::size_t broken_by(const Report& run) {
  return static_cast<std::size_t>(std::ranges::count_if(
      catalogue, [&](const Invariant& invariant) { return cell_of(invariant, run).verdict == CellVerdict::violated; }));
}

std::uint64_t unclear_trials(const Report& run) {
  std::uint64_t times = 0;
  for (const Unclear& unclear : run.result.inconclusive) times += unclear.times;
  return times;
}

std::string controllers_text(std::span<const Report> runs) {
  std::string text = "  controller                  level        trials   broken   unclear\n";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    text += letter_of(i) + (" " + padded(runs[i].controller, 27)) + " " + padded(name_of(runs[i].level), 8) + " " +
            right(grouped(runs[i].result.trials), 10) + " " + right(std::to_string(broken_by(runs[i])), 8) + " " +
            right(grouped(unclear_trials(runs[i])), 9) + "\n";
    if (!runs[i].result.inconclusive.empty()) {
      const std::string& reason = runs[i].result.inconclusive.front().reason;
      text += "    " + reason.substr(0, std::min(reason.find('\n'), columns - 4)) + "\n";
    }
  }
  return text;
}

/// "kubernetes-1.11", "no public thread found": what is to be said below a broken promise.
std::string remarks_text(const Invariant& invariant, std::span<const Report> runs) {
  std::vector<std::string> threads;
  for (const Report& run : runs)
    for (const Shown* shown : cell_of(invariant, run).findings)
      if (const std::string thread(shown->known != nullptr ? shown->known->thread : "without a known thread");
          std::ranges::find(threads, thread) == threads.end())
        threads.push_back(thread);
  std::string words;
  for (const std::string& bad : first_bad(invariant, runs)) words += (words.empty() ? "first bad: " : ", ") + bad;
  for (const std::string& thread : threads) words += (words.empty() ? "" : ", ") + thread;
  return words.empty() ? "" : wrapped("    ", words);
}

std::string rows_text(std::span<const Report> runs, std::size_t from, bool all) {
  const auto shown = runs.subspan(from, std::min(controllers_a_table, runs.size() - from));
  std::string text = padded("promise", id_column);
  for (std::size_t i = 0; i < shown.size(); ++i) text += letter_of(from + i);
  text += "\n";
  for (const Invariant& invariant : catalogue) {
    const bool broken = is_broken(invariant, shown);
    if (!broken && !all) continue;
    text += padded(invariant.id, id_column);
    for (const Report& run : shown) text += mark_of(cell_of(invariant, run));
    text += "\n" + (broken ? remarks_text(invariant, shown) : std::string());
  }
  return text;
}

std::string summary(std::span<const Report> runs) {
  std::size_t broken = 0;
  for (const Invariant& invariant : catalogue) broken += is_broken(invariant, runs) ? 1u : 0u;
  return std::to_string(catalogue.size()) + " promises, " + std::to_string(broken) +
         " of them broken by at least one of " + counted(runs.size(), "controller") + "\n";
}

std::string cell_markdown(const Cell& cell) {
  if (cell.verdict == CellVerdict::held) return "held (" + grouped(cell.occasions) + ")";
  if (cell.verdict != CellVerdict::violated) return cell.verdict == CellVerdict::not_applicable ? "n/a" : "no occasion";
  std::string text = "**violated**";
  for (const Shown* shown : cell.findings) {
    const std::string steps = counted(shown->finding.scenario.steps.size(), "step");
    text += ", " + (shown->file.empty() ? steps : "[" + steps + "](" + shown->file + ")");
    if (shown->known != nullptr) text += " " + std::string(shown->known->thread);
  }
  return text;
}

}  // namespace

std::string matrix_text(std::span<const Report> runs, bool all) {
  std::string text =
      controllers_text(runs) + "\n. held   X violated   x violated, as known here   ? no occasion   - not asked\n";
  if (!all) text += "Promises that nobody broke are left out (--all).\n";
  for (std::size_t from = 0; from < runs.size(); from += controllers_a_table) text += "\n" + rows_text(runs, from, all);
  return text + "\n" + summary(runs);
}

std::string matrix_markdown(std::span<const Report> runs, bool all) {
  std::string text = "| promise | first bad |", rule = "| --- | --- |";
  for (const Report& run : runs) {
    text += " " + markdown_cell(run.controller) + " |";
    rule += " --- |";
  }
  text += "\n" + rule + "\n";
  for (const Invariant& invariant : catalogue) {
    if (!all && !is_broken(invariant, runs)) continue;
    text += "| " + std::string(invariant.id) + " |";
    for (const std::string& bad : first_bad(invariant, runs)) text += " " + bad;
    text += " |";
    for (const Report& run : runs) text += " " + cell_markdown(cell_of(invariant, run)) + " |";
    text += "\n";
  }
  text += "\n";
  for (const Report& run : runs)
    text += "- " + markdown_cell(run.controller) + ": " + counted(run.result.trials, "trial") + " at level " +
            std::string(name_of(run.level)) + ", seed " + std::to_string(run.seed.value_or(0)) + ", " +
            grouped(unclear_trials(run)) + " without a verdict\n";
  return text + "\n" + summary(runs);
}

}  // namespace ordeal::fuzz
