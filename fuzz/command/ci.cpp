// ordeal ci: what is stored first, then a fresh search, within a budget; for machines that look at every change.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "fuzz/command/commands.h"
#include "fuzz/command/git.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/shelves.h"
#include "fuzz/command/signals.h"
#include "fuzz/command/watcher.h"
#include "fuzz/engine/files.h"
#include "fuzz/engine/listed.h"
#include "fuzz/report/check.h"
#include "fuzz/report/junit.h"
#include "fuzz/report/sarif.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using properties::counted;

/// Whether a killer is about a promise that the change can break. One that does not say what it is about always is.
bool is_picked(const Stored& story, const Touched& touched) {
  if (!story.origin) return true;
  const std::string& invariant = story.origin->invariant;
  return invariant.empty() || touched.has(invariant.substr(0, invariant.find('.')));
}

class CiRun {
 public:
  CiRun(const CiArguments& arguments, const Asked& asked, std::chrono::milliseconds budget, Check check)
      : arguments_(arguments), budget_(budget), check_(std::move(check)) {
    apply(asked, options_);
    options_.ends_with_first = arguments.fail_fast;
    options_.ends_without_turns = true;
    Report& report = check_.report = report_of(*asked.controller, asked.level, {});
    report.seed = asked.seed;
    report.except = asked.except;
    report.against = arguments.against;
    report.known_of = arguments.known_of;
    options_.original = original_of_fork(arguments.known_of);
    report.arguments = typed_again(arguments, arguments.manifests.empty() ? " --drawn-only" : "");
  }

  int run(const std::vector<Shelf>& stored, FirstSets sets) {
    for (const Shelf& shelf : stored) try_shelf(shelf);
    options_.sets = std::move(sets);
    search();
    check_.report.result.interrupted |= stop_.load();  // between two stages, too
    judge_if_nothing_was_tried();
    const bool is_kept = print_unkept(check_.report), is_written = write_all(),
               is_printed = print(check_text(check_, terminal_columns()));
    return is_kept && is_written && is_printed ? exit_of(check_.report) : exit_inconclusive;
  }

 private:
  std::chrono::milliseconds left() const {
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun_);
    return std::max(budget_ - spent, std::chrono::milliseconds(0));
  }

  /// Why a stage is not begun; empty: it is.
  std::string reason_to_stop() const {
    if (stop_.load()) return "interrupted";
    if (arguments_.fail_fast && !check_.report.findings.empty()) return "a stage before it broke a promise";
    return left().count() == 0 ? "the budget was over" : "";
  }

  void try_shelf(const Shelf& shelf) {
    StageReport stage{.name = std::string(shelf.stage), .there = shelf.stories.size()};
    std::vector<const Stored*> picked;
    const bool picks = shelf.stage == killers_stage && !check_.base.empty();
    for (const Stored& story : shelf.stories)
      if (!picks || is_picked(story, check_.touched)) picked.push_back(&story);
    stage.picked = picked.size();
    if (stage.picked < stage.there)
      stage.left_out = std::to_string(stage.there - stage.picked) + " about promises that the change cannot break";
    if (const std::string reason = reason_to_stop(); !reason.empty()) stage.left_out = "all: " + reason;
    else if (!picked.empty()) try_stories(picked, stage);
    if (left().count() == 0 && stage.result.trials < picked.size())
      note_untried(picked.size() - stage.result.trials, stage);
    check_.stages.push_back(std::move(stage));
  }

  /// What is stored is there to be tried: without it nothing can be said to hold.
  void note_untried(std::size_t scenarios, const StageReport& stage) {
    if (stop_.load()) return;
    RunResult untried;
    untried.inconclusive.push_back(
        {stage.name + ": not tried, since the budget was over: " + std::to_string(scenarios), 0, 1});
    add(check_.report.result, untried);
  }

  void try_stories(const std::vector<const Stored*>& picked, StageReport& stage) {
    std::vector<ListedStory> list;
    for (const Stored* story : picked) list.push_back(listed(*story));
    const Listed stories(std::move(list));
    RunOptions options = options_;
    options.source = &stories;
    options.trials = stories.size();
    if (!options.ends_with_first) options.shrinking = Shrinking::at_end;
    begin(options, stage, [&](Shown& shown) { shown.from = stories.file(shown.finding.trial); });
    if (!stage.was_run || left().count() > 0 || stage.result.trials == picked.size()) return;
    leave_out(stage, std::to_string(picked.size() - stage.result.trials) + ": the budget was over");
  }

  static void leave_out(StageReport& stage, std::string_view what) {
    stage.left_out += (stage.left_out.empty() ? "" : "; ") + std::string(what);
  }

  /// No verdict depends on what changed.
  bool is_idle() const { return !check_.base.empty() && check_.touched.nothing(); }

  /// What can break nothing has broken nothing; otherwise there is no verdict, and that has a reason.
  void judge_if_nothing_was_tried() {
    RunResult& result = check_.report.result;
    if (result.trials > 0 || !result.inconclusive.empty() || result.interrupted) return;
    if (is_idle()) result.verdict = properties::Verdict::held;
    else result.inconclusive.push_back({"nothing was tried: the budget was over", 0, 0});
  }

  void search() {
    StageReport stage{.name = std::string(fresh_search)};
    if (const std::string reason = reason_to_stop(); !reason.empty()) stage.left_out = "all: " + reason;
    else if (is_idle()) stage.left_out = "all: no verdict depends on what changed";
    else begin(options_, stage, [](Shown&) {});
    check_.stages.push_back(std::move(stage));
  }

  /// Runs a stage for as long as the budget lasts, and adds what it found.
  template <class Complete>
  void begin(RunOptions options, StageReport& stage, Complete complete) {
    options.time = left();
    if (!arguments_.quiet) complain(stage.name + (stage.picked ? ": " + counted(stage.picked, "scenario") : ""));
    Watcher watcher(options, (fs::path(arguments_.out) / stage.name).string(), arguments_.quiet);
    Report part = report_of(*options.controller, options.level, fuzz::run(options, watcher, stop_));
    part.known_of = arguments_.known_of;
    watcher.finish();
    if (part.result.trials == 0 && left().count() == 0) {  // the time went while the jobs began
      leave_out(stage, "all: the budget was over");
      return;
    }
    stage.was_run = true;
    show_findings(watcher.keeper(), *options.controller, part);
    stage.result = part.result;
    add(check_.report.result, part.result);
    for (Shown& shown : part.findings) {
      complete(shown);
      if (is_had(shown)) continue;
      ++stage.broken;
      check_.report.findings.push_back(std::move(shown));
    }
  }

  /// What was accepted elsewhere, since the original breaks it there, too, tells nothing of the fork.
  bool is_had(const Shown& shown) const {
    const std::string id = id_of(shown.finding);
    return std::ranges::any_of(check_.report.findings, [&](const Shown& had) {
      return (!had.accepted || shown.accepted) && id_of(had.finding) == id;
    });
  }

  /// The same for machines. What could not be written is complained of; then there is no verdict.
  bool write_all() const {
    const std::string markdown = check_markdown(check_);
    const fs::path out = arguments_.out;
    bool all_written = true;
    const auto note = [&](const Done& done) {
      if (!done) complain(done.error());
      all_written &= done.has_value();
    };
    note(write_file((out / "ordeal.sarif").string(), check_sarif(check_)));
    note(write_file((out / "junit.xml").string(), run_junit(check_.report)));
    note(write_file((out / "summary.md").string(), markdown));
    if (const char* summary = std::getenv("GITHUB_STEP_SUMMARY"); summary != nullptr && *summary != '\0')
      note(append(summary, markdown));
    return all_written;
  }

  static Done append(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::app | std::ios::binary);
    file << text << std::flush;
    if (!file) return std::unexpected("GITHUB_STEP_SUMMARY: " + path + " cannot be written");
    return {};
  }

  const CiArguments& arguments_;
  const std::chrono::milliseconds budget_;
  const std::atomic<bool>& stop_ = stop_on_signals();
  const Clock::time_point begun_ = Clock::now();
  RunOptions options_;
  Check check_;
};

/// The seed is the commit's unless it is given; outside of any repository it is 1, which is said.
std::string seed_text(const CiArguments& arguments, Check& check) {
  if (!arguments.seed.empty()) return arguments.seed;
  const auto commit = current_commit();
  if (commit) return check.commit = *commit;
  complain("no commit to take the seed from, so it is 1: " + commit.error());
  return "1";
}

/// Whether what is on trial stands in the repository that the change is of, so that its files tell what it can break.
bool is_own(const ControllerKind& controller) {
  const auto root = root_of_repository();
  std::error_code unreadable;
  return !controller.external && root && fs::exists(fs::path(*root) / "properties/invariants/catalogue.h", unreadable);
}

Done look_at_change(const std::string& base, const ControllerKind& controller, Check& check) {
  if (base.empty()) return {};
  const auto files = files_changed_since(base);
  if (!files) return std::unexpected("--base " + base + ": " + files.error());
  check.base = base;
  check.touched = is_own(controller) ? touched_by(*files) : touched_elsewhere(*files);
  return {};
}

}  // namespace

int ci_command(const CiArguments& arguments) {
  Check check;
  SearchArguments searched = arguments;
  searched.seed = seed_text(arguments, check);
  const auto asked = parse_asked(searched);
  if (!asked) return refuse(asked.error());
  if (const auto looked = look_at_change(arguments.base, *asked->controller, check); !looked)
    return refuse(looked.error());
  if (const auto known = check_known_of(arguments.known_of); !known) return refuse(known.error());
  if (!arguments.known_of.empty() && arguments.fail_fast)
    return refuse("--fail-fast: ends the check with what --known-of accepts; give one of the two");
  const auto budget = parse_time(arguments.budget, "--budget");
  if (!budget) return refuse(budget.error());
  if (const auto out = check_out(arguments.out); !out) return refuse(out.error());
  const auto stored = read_shelves(arguments.corpora);
  if (!stored) return refuse(stored.error());
  auto sets = read_first_sets(arguments.manifests, asked->controller->name, arguments.quiet);
  if (!sets) return exit_bad_input;
  return CiRun(arguments, *asked, *budget, std::move(check)).run(*stored, std::move(*sets));
}

}  // namespace ordeal::fuzz
