#include "fuzz/engine/optimum.h"

#include <algorithm>

namespace ordeal::fuzz {

namespace {

using namespace properties;
using Alphabet = std::vector<Step>;

void add(Alphabet& alphabet, const Step& step) {
  if (std::ranges::find(alphabet, step) == alphabet.end()) alphabet.push_back(step);
}

/// A fault of "none" is no fault, and a race is many moves in one step.
Alphabet every_kind_plain() {
  Alphabet alphabet;
  for (const StepInfo& row : step_table()) {
    if (row.kind == StepKind::race) continue;
    Step step{.kind = row.kind, .a = std::clamp(0, row.a.low, row.a.high)};
    if (row.kind == StepKind::fault) step.a = static_cast<std::int32_t>(Fault::conflict);
    add(alphabet, step);
  }
  return alphabet;
}

/// What makes a world go on.
Alphabet progress() {
  Alphabet alphabet;
  for (const StepKind kind :
       {StepKind::settle, StepKind::sync, StepKind::deliver_all, StepKind::run_kubelets, StepKind::collect})
    alphabet.push_back({.kind = kind});
  return alphabet;
}

/// How many scenarios are shorter than `steps`; more than `at_most` is `at_most + 1`.
std::size_t shorter_ones(std::size_t alphabet, std::size_t steps, std::size_t at_most) {
  std::size_t all = 0, of_length = 1;
  for (std::size_t length = 0; length < steps; ++length, of_length *= alphabet) {
    all += of_length;
    if (all > at_most || of_length > at_most) return at_most + 1;
  }
  return all;
}

class Search {
 public:
  Search(const Scenario& scenario, const Invariant& invariant, Program& program, Level level)
      : tried_(scenario), program_(program), options_{.level = level, .only = &invariant} {}

  /// The next list of steps of this length in the order of the alphabet, from the first on, that breaks the promise.
  bool any_breaks(const Alphabet& alphabet, std::size_t length) {
    tried_.steps.assign(length, {});
    std::vector<std::size_t> letters(length, 0);
    for (bool more = true; more; more = advance(letters, alphabet.size())) {
      for (std::size_t i = 0; i < length; ++i) tried_.steps[i] = alphabet[letters[i]];
      ++trials_;
      if (court_.try_scenario(tried_, program_, options_).verdict == Verdict::violated) return true;
    }
    return false;
  }
  const Scenario& tried() const { return tried_; }
  std::size_t trials() const { return trials_; }

 private:
  static bool advance(std::vector<std::size_t>& letters, std::size_t alphabet) {
    for (std::size_t& letter : letters) {
      if (++letter < alphabet) return true;
      letter = 0;
    }
    return false;
  }
  Scenario tried_;
  Program& program_;
  TrialOptions options_;
  Court court_;
  std::size_t trials_ = 0;
};

}  // namespace

Optimum find_optimum(const Scenario& scenario, const Invariant& invariant, Program& program, Level level,
                     std::size_t trials_at_most) {
  Optimum found;
  Alphabet alphabet;
  for (Alphabet letters : {every_kind_plain(), progress()}) {
    for (const Step& step : scenario.steps) add(letters, step);
    if (shorter_ones(letters.size(), scenario.steps.size(), trials_at_most) > trials_at_most) continue;
    alphabet = std::move(letters);
    break;
  }
  if (alphabet.empty()) return found;
  found.alphabet = alphabet.size();
  Search search(scenario, invariant, program, level);
  for (std::size_t length = 0; length < scenario.steps.size() && !found.shorter; ++length)
    if (search.any_breaks(alphabet, length)) found.shorter = search.tried();
  found.trials = search.trials();
  found.proved = true;
  return found;
}

}  // namespace ordeal::fuzz
