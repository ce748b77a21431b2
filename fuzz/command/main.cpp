// ordeal: puts StatefulSet controllers on trial. What users type, as CLI11 reads it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <vector>

#include "core/api/nearest.h"
#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/shelves.h"
#include "fuzz/command/signals.h"

namespace ordeal::fuzz {

namespace {

/// What the chosen command will do.
using Action = std::function<int()>;

constexpr const char* about =
    "Ordeal puts StatefulSet controllers on trial: it surrounds a controller with a simulated cluster that "
    "misbehaves,\n"
    "checks every promise Kubernetes makes about StatefulSets after every step, and hands back the shortest story in\n"
    "which one is broken.";
constexpr const char* exit_codes =
    "Exit status: 0 held, 1 violated, 2 bad usage or bad input, 3 inconclusive, 130 interrupted with nothing violated.";

/// Who runs in process.
std::string who_is_walked() { return "Who is tried: " + controller_names(); }

std::string who(std::string_view otherwise) {
  return who_is_walked() +
         ", kubernetes@RELEASE and kruise@RELEASE (built by ci/upstream), exec:COMMAND (a program that speaks the adapter protocol)" +
         std::string(otherwise);
}

void add_level(CLI::App& command, std::string& level, const std::string& otherwise = "by controller") {
  command.add_option(
      "--level", level,
      "promised: what a document says; strict: also what a user would expect (default: " + otherwise + ")");
}

void add_seed(CLI::App& command, std::string& seed, const std::string& otherwise = "") {
  CLI::Option* option =
      command.add_option("--seed", seed, "A number or a commit; the same seed tries the same" + otherwise);
  if (otherwise.empty()) option->capture_default_str();
}

void add_except(CLI::App& command, std::vector<std::string>& except) {
  command
      .add_option("--except", except,
                  "Promises not to be asked, or whole families, between commas (ordeal list); may be given again")
      ->allow_extra_args(false);
}

/// What every search is told, but for its sets.
void add_search(CLI::App& command, SearchArguments& to, const std::string& seed_otherwise = "") {
  command.add_option("--controller", to.controller, who(""))->capture_default_str();
  command.add_option(
      "--against", to.against,
      "A controller, such as the original of a fork: what it breaks, too, in the same trial is not told");
  add_level(command, to.level);
  add_seed(command, to.seed, seed_otherwise);
  command.add_option("--jobs", to.jobs, "Trials at the same time")->capture_default_str();
  add_except(command, to.except);
}

/// Who is tried in a stored scenario (choose_tried).
template <class Arguments>
void add_tried(CLI::App& command, Arguments& to) {
  command.add_option("--controller", to.controller, who(" (default: the one in the file, or strict)"));
  add_level(command, to.level, "by file or controller");
}

void add_known_of(CLI::App& command, std::string& known_of) {
  command.add_option("--known-of", known_of,
                     "The release that the controller is a fork of: what is known of it is no violation of its own");
}

void add_run(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("run", "Try a controller many times; report every promise it breaks");
  auto to = std::make_shared<RunArguments>();
  command->add_option(
      "MANIFEST", to->manifests,
      "Sets to start from: files, directories or - (none: first the stories of the corpus, then its sets "
      "and sets drawn at random)");
  add_search(*command, *to);
  add_known_of(*command, to->known_of);
  command->add_option(
      "--time", to->time,
      "Begin no trial after so long, and shrink nothing after twice that: 60s, 5m, 1h (default: 60s without --trials)");
  command->add_option("--trials", to->trials, "Number of trials, stories included");
  command->add_option("--out", to->out, "Where findings are stored")->capture_default_str();
  command->add_option("--format", to->format, "text, json or junit")->capture_default_str();
  command->add_flag(
      "--twice", to->twice,
      "Run every trial twice more and compare the two call by call; one that goes differently has no verdict");
  command->add_flag("--as-found", to->as_found,
                    "Store scenarios as they were found, not shrunk: one for each promise, at once");
  command->add_flag("--drawn-only", to->drawn_only,
                    "Leave out the stories of the corpus: every trial is drawn at random");
  command->add_flag("--quiet", to->quiet, "No progress");
  command->callback([to, &chosen] { chosen = [to] { return run_command(*to); }; });
}

/// The corpus that is here; in somebody else's repository, whose folder of that name may hold anything, Ordeal's own,
/// of which ci/ordeal tells.
std::vector<std::string> corpora_at_first() {
  const char* own = std::getenv("ORDEAL_CORPUS");
  return {own != nullptr && !is_corpus("corpus") ? own : "corpus"};
}

void add_ci(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "ci", "Try what is stored, then search anew, within a budget; write JUnit, SARIF and a summary");
  auto to = std::make_shared<CiArguments>();
  to->corpora = corpora_at_first();
  command->add_option("MANIFEST", to->manifests,
                      "Sets the fresh search starts from (none: the corpus, and sets drawn at random)");
  command->add_option("--budget", to->budget, "Begin no trial after so long: 3m, 30s")->capture_default_str();
  command->add_option("--base", to->base,
                      "What the change is against, as git names it: try only what the change can break");
  add_known_of(*command, to->known_of);
  add_search(*command, *to, " (default: the commit that is checked out)");
  command
      ->add_option(
          "--corpus", to->corpora,
          "Where stored scenarios are, in folders regressions, findings, scenarios, releases, corpus, killers; may be given again")
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--out", to->out, "Where findings, ordeal.sarif, junit.xml and summary.md are written")
      ->capture_default_str();
  command->add_flag("--fail-fast", to->fail_fast,
                    "Begin no further trial and no further stage after the first finding");
  command->add_flag("--quiet", to->quiet, "No progress");
  command->callback([to, &chosen] { chosen = [to] { return ci_command(*to); }; });
}

void add_bisect(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "bisect", "Name the first release that breaks what a stored finding is about, or keeps it again");
  auto to = std::make_shared<BisectArguments>();
  command->add_option("FILE", to->file, "A scenario in which a promise is broken")->required();
  command
      ->add_option(
          "--good", to->good,
          "A release that keeps the promise in it: a table, such as kubernetes-1.35.0, or one that ci/upstream built, such as kubernetes@1.35.0")
      ->required();
  command
      ->add_option("--bad", to->bad,
                   "One of the same line that breaks it; when it is the older one, the first good release is sought")
      ->required();
  command->add_option("--invariant", to->invariant, "Which promise (default: the one in the file)");
  command->add_option("--format", to->format, "text or json")->capture_default_str();
  command->callback([to, &chosen] { chosen = [to] { return bisect_command(*to); }; });
}

constexpr const char* several =
    "Names between commas, as --controller takes them; exec:COMMAND takes all that follows, so it comes last; may be given again";

void add_matrix(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("matrix", "Try many controllers, release by release; show which promises each keeps");
  auto to = std::make_shared<MatrixArguments>();
  command
      ->add_option("--controllers", to->controllers,
                   std::string(several) + " (none: all tables of releases, and the releases that ci/upstream built)")
      ->allow_extra_args(false);
  add_level(*command, to->level);
  add_seed(*command, to->seed);
  command->add_option("--time", to->time,
                      "For each controller, begin no trial after so long (default: 10s without --trials)");
  command->add_option("--trials", to->trials, "Number of trials of each, stories included");
  command->add_option("--jobs", to->jobs, "Trials at the same time")->capture_default_str();
  command->add_option("--out", to->out, "Where findings are stored, a directory for each controller")
      ->capture_default_str();
  command->add_option("--format", to->format, "text, json or markdown")->capture_default_str();
  command->add_flag("--all", to->all, "Also show the promises that nobody broke");
  command->add_flag("--quiet", to->quiet, "No progress");
  command->callback([to, &chosen] { chosen = [to] { return matrix_command(*to); }; });
}

void add_replay(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "replay", "Try a stored scenario and show what happens, step by step; of several, what becomes of each");
  auto to = std::make_shared<ReplayArguments>();
  command->add_option("FILE", to->files, "A scenario, such as a finding of `ordeal run`; or a directory of them")
      ->required();
  add_tried(*command, *to);
  add_except(*command, to->except);
  command
      ->add_option("--controllers", to->controllers,
                   "Show what each of these makes of it, as a table (--format text or json). " + std::string(several))
      ->allow_extra_args(false);
  command->add_option("--format", to->format, "text, json or junit")->capture_default_str();
  command->add_flag("--explain", to->explain,
                    "Say for each broken promise what the scenario cannot do without, from which step on nothing "
                    "helps, and the smallest change after which the promise holds");
  command->callback([to, &chosen] { chosen = [to] { return replay_command(*to); }; });
}

void add_shrink(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("shrink", "Make a stored scenario as small as it gets, breaking the same promise");
  auto to = std::make_shared<ShrinkArguments>();
  command->add_option("FILE", to->file, "A scenario")->required();
  command->add_option("-o,--out", to->out, "Where to write the smaller one; -: standard output")->required();
  command->add_option("--invariant", to->invariant, "Which broken promise to keep (default: the one in the file)");
  add_tried(*command, *to);
  command->callback([to, &chosen] { chosen = [to] { return shrink_command(*to); }; });
}

void add_export(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("export", "Write a stored finding as a script, a text or a test, for those who mend it");
  auto to = std::make_shared<ExportArguments>();
  command->add_option("FILE", to->file, "A scenario in which a promise is broken")->required();
  command
      ->add_option(
          "--as", to->as,
          "kubectl: a script for a live cluster; prose: an issue report; gtest: a test against this library; go-test: a "
          "test for the controller's own package (of kubernetes@RELEASE)")
      ->required();
  command->add_option("--for", to->release,
                      "go-test: the release to compile it in, such as 1.37.1 (default: the one that is accused)");
  command->add_option("-o,--out", to->out, "Where to write it (default: standard output)");
  command->add_option("--invariant", to->invariant, "Which broken promise (default: the one in the file)");
  add_tried(*command, *to);
  command->callback([to, &chosen] { chosen = [to] { return export_command(*to); }; });
}

void add_mutants(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "mutants", "Try seeded bugs of the reference; show which promise catches each, and how soon. 1: one survived");
  auto to = std::make_shared<MutantsArguments>();
  command->add_option("ID", to->ids, "Which (default: all)");
  command->add_option("--time-each", to->time_each, "Begin no trial of one after so long: 10s, 1m")
      ->capture_default_str();
  add_seed(*command, to->seed);
  command->add_option("--jobs", to->jobs, "Mutants at the same time")->capture_default_str();
  command
      ->add_option(
          "--engine", to->engine,
          "random: each trial drawn anew; guided: around those that met something new; exhaustive: all of small worlds")
      ->capture_default_str()
      ->check(CLI::IsMember({"random", "guided", "exhaustive"}));
  command->add_option("--keep", to->keep,
                      "Replace what is in this directory by the few shortest stories that break all mutants found");
  command->add_flag("--json", to->json, "An array of {id, about, expected, found, invariant, trials, seconds, steps}");
  command->callback([to, &chosen] { chosen = [to] { return mutants_command(*to); }; });
}

void add_diff(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("diff", "Try two controllers in the same scenarios; show where their calls differ");
  auto to = std::make_shared<DiffArguments>();
  command->add_option("MANIFEST", to->manifests,
                      "Sets to start from (none: those of the corpus, and sets drawn at random)");
  command->add_option("-a,--a", to->a, who(""))->required();
  command->add_option("-b,--b", to->b, "And this one")->required();
  add_seed(*command, to->seed);
  command->add_option("--trials", to->trials, "How many scenarios to compare")
      ->capture_default_str()
      ->check(CLI::Range(1ull, 1000000000ull));
  command->add_option("--first", to->first, "Number of the first trial to compare")->capture_default_str();
  command->add_option("--out", to->out,
                      "A directory to store a scenario of each difference in, the first, shrunk, for `ordeal replay`");
  command->callback([to, &chosen] { chosen = [to] { return diff_command(*to); }; });
}

void add_explore(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "explore",
      "Walk through every state of a small world, breadth first; end with a certificate or the shortest story");
  auto to = std::make_shared<ExploreArguments>();
  command->add_option("MANIFEST", to->manifest, "The set it begins with (default: corpus/manifests/web.yaml)");
  command->add_option("--controller", to->controller, who_is_walked())->capture_default_str();
  add_level(*command, to->level);
  command->add_option("--replicas", to->replicas, "The set begins with so many, and users scale to any number up to it")
      ->capture_default_str();
  command->add_option("--templates", to->templates, "Editions of the pod template that users choose from")
      ->capture_default_str();
  command->add_option("--partition", to->partitions, "Partitions users choose from, such as 0,1; -1: none");
  command->add_option("--max-unavailable", to->max_unavailable,
                      "Values of maxUnavailable users choose from, such as 1,2");
  command->add_option("--edits", to->edits, "How often users edit the set")->capture_default_str();
  command->add_option(
      "--faults", to->faults,
      "What else happens, and how often: crash, timeout, conflict, fail, unready, delete, stale, such as crash:1,stale:1");
  command->add_option("--depth", to->depth, "Moves at most (default: no limit)")->check(CLI::Range(0, 1000000));
  command->add_option("--memory", to->memory, "Stop when states take so much")->capture_default_str();
  command->add_option("--jobs", to->jobs, "Threads; numbers and digest are the same with any")->capture_default_str();
  command->add_option("--out", to->out, "Where a story is stored")->capture_default_str();
  command->add_option("--format", to->format, "text or json")->capture_default_str();
  command->add_flag("--quiet", to->quiet, "No progress");
  command->callback([to, &chosen] { chosen = [to] { return explore_command(*to); }; });
}

void add_list(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("list", "List every promise that is checked, or tell all about some");
  auto to = std::make_shared<ListArguments>();
  command->add_option(
      "PROMISE", to->about,
      "Ids or families (update.respects-partition, storage): where it is promised, who is known to break it");
  command->add_flag("--sources", to->sources, "List instead every sentence that makes a promise, and what covers it");
  command->add_flag(
      "--json", to->json,
      "An array of {id, family, promise, source, level, when, judges}; with --sources of {document, section, "
      "sentence, covered_by, otherwise}");
  command->callback([to, &chosen] { chosen = [to] { return list_command(*to); }; });
}

void add_validate(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("validate", "Check manifests as the API server would; name every error with its line");
  auto files = std::make_shared<std::vector<std::string>>();
  command->add_option("FILE", *files, "Manifests: files, directories or -")->required();
  command->callback([files, &chosen] { chosen = [files] { return validate_command(*files); }; });
}

void add_campaign(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "campaign", "Search for hours or days; kept in a directory, and gone on with when started again");
  auto to = std::make_shared<CampaignArguments>();
  command->add_option(
      "MANIFEST", to->manifests,
      "Sets to start from (none: first the stories of the corpus, then its sets and sets drawn at random)");
  command->add_option("--dir", to->dir, "Where the campaign is kept")->required();
  add_search(*command, *to);
  command->add_option("--time", to->time, "Begin no stint after so long: 60s, 8h (default: 60s without --stints)");
  command->add_option("--stints", to->stints, "Run this many further stints, then stop")
      ->check(CLI::Range(1ull, 1000000000ull));
  command
      ->add_option("--stint-trials", to->stint_trials,
                   "Trials of a stint (default: 4000, of a program of somebody else's 200)")
      ->check(CLI::Range(1ull, 1000000000ull));
  command->add_option("--commit", to->commit, "Commit under test; recorded when a finding no longer breaks");
  command->add_flag("--quiet", to->quiet, "No line per stint");
  command->callback([to, &chosen] { chosen = [to] { return campaign_command(*to); }; });
}

void add_corpus(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("corpus", "Tell what a corpus of scenarios exercises; keep the few that exercise as much");
  auto to = std::make_shared<CorpusArguments>();
  command->add_option("PATH", to->paths, "Stored scenarios, a fuzzer's inputs (any bytes), or directories of them")
      ->required();
  command->add_option("--controller", to->controller, "Who is tried in them (as for run)")->capture_default_str();
  command->add_option("--out", to->out,
                      "Write a minimal corpus that exercises as much into this directory, as stored scenarios");
  command->add_flag("--missing", to->missing, "Name everything that never met, instead of the matrix");
  command->callback([to, &chosen] { chosen = [to] { return corpus_command(*to); }; });
}

void add_merge(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "merge", "Merge campaigns of one controller: all their findings, and the few scenarios that exercise as much");
  auto to = std::make_shared<MergeArguments>();
  command->add_option("DIR", to->campaigns, "Directories of campaigns, ended or not")->required();
  command->add_option("--out", to->out, "Where findings/ and corpus/ go; what is there is merged, too")->required();
  command->add_option("--controller", to->controller, "Who is tried (default: whose campaigns they are)");
  command->callback([to, &chosen] { chosen = [to] { return merge_command(*to); }; });
}

void add_bench(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("bench", "Measure how fast trials, syncs, generators and shrinking are");
  auto to = std::make_shared<BenchArguments>();
  command->add_flag("--json", to->json, "Google Benchmark's format, with an object `ratios`");
  command->add_option("--filter", to->filter, "Only benchmarks whose names match")->capture_default_str();
  command->add_option("--repetitions", to->repetitions, "Medians are taken of so many")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_option("--min-time", to->min_time, "Seconds per repetition, at least")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->callback([to, &chosen] { chosen = [to] { return bench_command(*to); }; });
}

/// ci/ordeal and other wrappers say how they were called; otherwise the program's own name is typed again.
std::string how_called(const char* argv0) {
  const char* wrapper = std::getenv("ORDEAL_COMMAND");
  if (wrapper != nullptr && *wrapper != '\0') return wrapper;
  return argv0 != nullptr && *argv0 != '\0' ? argv0 : "ordeal";
}

/// An option without a value, such as of a variable that is not set, is a mistake and no wish for the default.
void refuse_empty_values(CLI::App& command) {
  const CLI::Validator is_said([](const std::string& value) { return value.empty() ? "is given no value" : ""; }, "");
  for (CLI::Option* option : command.get_options())
    if (option->get_items_expected_max() > 0) option->check(is_said);
}

/// "; did you mean ..?", or where what there is can be read.
std::string hint(const std::string& name, const std::vector<std::string>& names, const std::string& command) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::string meant = did_you_mean(name, known);
  return meant.empty() ? "; " + command + " --help lists them" : meant;
}

/// Empty when there is a command of this name.
std::string unknown_command(const CLI::App& app, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::ranges::find(names, name) != names.end()) return {};
  return "there is no command of that name (found: " + name + ")" + hint(name, names, "ordeal");
}

/// What is wrong with the words, in a sentence.
std::string objection_to_words(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<const CLI::App*> commands = app.get_subcommands([](const CLI::App* c) { return c->parsed(); });
  if (commands.empty()) return "a command is needed; ordeal --help lists them";
  const CLI::App& command = *commands.front();
  const std::string called = "ordeal " + command.get_name();
  const std::vector<std::string> left = command.remaining();
  if (left.empty()) return std::string(error.what()) + "; see " + called + " --help";
  if (!left.front().starts_with('-')) return called + " takes no more than it was given (found: " + left.front() + ")";
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_positional()) names.push_back(option->get_name());
  return called + " has no such option (found: " + left.front() + ")" + hint(left.front(), names, called);
}

int main_of(int argc, char** argv) {
  set_program(how_called(argc > 0 ? argv[0] : nullptr));
  CLI::App app(about, "ordeal");
  app.footer(exit_codes);
  app.set_version_flag("--version", "ordeal " + std::string(version));
  app.require_subcommand(1);
  Action chosen;
  for (const auto add :
       {add_run, add_ci, add_matrix, add_replay, add_bisect, add_diff, add_explore, add_shrink, add_export, add_mutants,
        add_list, add_validate, add_campaign, add_merge, add_corpus, add_bench})
    add(app, chosen);
  for (CLI::App* command : app.get_subcommands({})) {
    command->footer(exit_codes);
    refuse_empty_values(*command);
  }
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words.front() == "help") std::ranges::rotate(words, words.begin() + 1), words.back() = "--help";
  if (!words.empty() && !words.front().starts_with('-'))
    if (const std::string unknown = unknown_command(app, words.front()); !unknown.empty()) return refuse(unknown);
  std::ranges::reverse(words);  // as the library wants them
  try {
    app.parse(words);
  } catch (const CLI::Success& asked) {  // --help, --version
    const int end = app.exit(asked);
    return std::cout.flush() ? end : exit_inconclusive;
  } catch (const CLI::ParseError& error) {
    return refuse(objection_to_words(app, error));
  }
  return chosen();
}

}  // namespace

}  // namespace ordeal::fuzz

int main(int argc, char** argv) {
  ordeal::fuzz::prepare_process();
  try {
    return ordeal::fuzz::main_of(argc, argv);
  } catch (const std::exception& error) {  // a mistake of ours: no verdict
    ordeal::fuzz::complain(error.what());
    return ordeal::fuzz::exit_inconclusive;
  }
}
