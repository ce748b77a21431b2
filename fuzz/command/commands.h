// The commands of `ordeal`: what each is told, and what it does. Each returns the exit status.
//
// Arguments, standard output, signals and exit statuses are dealt with in this room and nowhere else. How users type it
// is in main.cpp. Covered by command_test.cpp, which runs the real program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ordeal::fuzz {

/// What the exit status says. Ctrl-C: `violated` if something was, `interrupted` otherwise.
enum Exit : int { exit_held = 0, exit_violated = 1, exit_bad_input = 2, exit_inconclusive = 3, exit_interrupted = 130 };

/// What every search is told.
struct SearchArguments {
  std::vector<std::string> manifests, except;  // except: lists of promises and families
  std::string controller = "strict", level, seed = "1";
  std::string against;  // a controller
  unsigned jobs = 1;
  bool quiet = false;
};

struct RunArguments : SearchArguments {
  std::string time, trials, out = "ordeal-out", format = "text";
  std::string known_of;  // a release
  bool twice = false, as_found = false, drawn_only = false;
};
/// Many trials, a verdict.
int run_command(const RunArguments& arguments);

struct CiArguments : SearchArguments {
  CiArguments() { seed.clear(); }  // the commit
  std::vector<std::string> corpora;
  std::string budget = "3m", base, out = "ordeal-out";
  std::string known_of;  // a release
  bool fail_fast = false;
};
/// Stored scenarios, then a fresh search, within a budget; reports for machines.
int ci_command(const CiArguments& arguments);

struct MatrixArguments {
  std::vector<std::string> controllers;  // lists of names; none: every release there is
  std::string level, seed = "1", time, trials, out = "ordeal-matrix", format = "text";
  unsigned jobs = 1;
  bool all = false, quiet = false;
};
/// Every promise against every controller.
int matrix_command(const MatrixArguments& arguments);

struct ReplayArguments {
  std::vector<std::string> files;   // or directories of them
  std::vector<std::string> except;  // lists of promises and families
  std::string controller, level, format = "text";
  std::vector<std::string> controllers;  // lists of names: their verdicts instead of one story
  bool explain = false;
};
/// One stored scenario, step by step, or what several controllers make of it; a line each of several scenarios.
int replay_command(const ReplayArguments& arguments);

struct ExportArguments {
  std::string file, as, out, controller, level, invariant, release;
};
/// A stored finding as a script, a text or a test. `held`: it was written.
int export_command(const ExportArguments& arguments);

struct DiffArguments {
  std::vector<std::string> manifests;
  std::string a, b, seed = "1", out;
  std::uint64_t first = 0, trials = 1000;
};
/// Two controllers, the same scenarios, compared call by call.
int diff_command(const DiffArguments& arguments);

struct ShrinkArguments {
  std::string file, out, controller, level, invariant;
};
/// The smallest scenario that still breaks the same promise.
int shrink_command(const ShrinkArguments& arguments);

struct MutantsArguments {
  std::vector<std::string> ids;
  std::string time_each = "10s", seed = "1", engine = "random", keep;
  unsigned jobs = 1;
  bool json = false;
};
/// Seeded bugs, each hunted until it is found or the time is up; with `keep` the few stories that break them all, as
/// files in that directory. `held`: all were found; `violated`: one survived.
int mutants_command(const MutantsArguments& arguments);

struct ExploreArguments {
  std::string manifest, controller = "strict", level, partitions, max_unavailable, faults, memory = "8G",
                        format = "text", out = "ordeal-out";
  int replicas = 2, templates = 2, edits = 2, depth = -1;  // depth -1: no limit
  unsigned jobs = 1;
  bool quiet = false;
};
/// Every state of a small world; a certificate.
int explore_command(const ExploreArguments& arguments);

struct ListArguments {
  std::vector<std::string> about;  // ids or families; none: all promises, a line each
  bool sources = false, json = false;
};
/// The catalogue of promises, or where they come from.
int list_command(const ListArguments& arguments);

/// Would the API server take these manifests?
int validate_command(const std::vector<std::string>& files);

struct CampaignArguments : SearchArguments {
  std::string dir, time, commit;
  std::uint64_t stints = 0;
  std::optional<std::uint64_t> stint_trials;
};
/// Stints of trials, kept in a directory and gone on with there.
int campaign_command(const CampaignArguments& arguments);

struct BisectArguments {
  std::string file, good, bad, invariant, format = "text";
};
/// Which release was the first to break what a stored finding is about, or the first to keep it again. `held`: it was
/// named.
int bisect_command(const BisectArguments& arguments);

struct CorpusArguments {
  std::vector<std::string> paths;
  std::string controller = "strict", out;
  bool missing = false;
};
/// What a corpus exercises; with `out` the few that exercise as much, as stored scenarios.
int corpus_command(const CorpusArguments& arguments);

struct MergeArguments {
  std::vector<std::string> campaigns;
  std::string out, controller;  // controller: empty, the campaigns'
};
/// Several campaigns as one directory. `violated`: there are findings.
int merge_command(const MergeArguments& arguments);

struct BenchArguments {
  bool json = false;
  std::string filter = ".*", min_time = "0.3";
  unsigned repetitions = 3;
};
/// How fast it is.
int bench_command(const BenchArguments& arguments);

/// How to call this program again, as the user called it.
const std::string& program();
void set_program(std::string name);

}  // namespace ordeal::fuzz
