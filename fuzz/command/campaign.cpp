// ordeal campaign: stints of trials for as long as one likes, in a directory that outlives the process.
#include "fuzz/campaign/campaign.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "fuzz/campaign/files.h"
#include "fuzz/campaign/text.h"
#include "fuzz/command/commands.h"
#include "fuzz/command/outside.h"
#include "fuzz/command/shelves.h"
#include "fuzz/command/signals.h"
#include "fuzz/command/stored.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/counted.h"

namespace ordeal::fuzz {

namespace {

using Clock = std::chrono::steady_clock;
using properties::counted;

constexpr int tries_one_in = 4;  // of the time, for findings of earlier on

/// Stores findings as soon as they are shrunk, but those that did not break again; says nothing.
class Clerk final : public RunWatcher {
 public:
  Clerk(CampaignFiles& files, const CampaignState& state, std::uint64_t seed)
      : files_(files), state_(state), seed_(seed) {}
  void on_found(const Finding&) override {}
  void on_shrunk(const Finding& finding) override {
    if (finding.again == Again::held) return;
    const CampaignFinding found{id_of(finding), finding, seed_};
    if (std::ranges::find(state_.finding_ids, found.id) != state_.finding_ids.end()) return;
    if (auto done = files_.store_unfinished(found); !done) {
      complain("a finding could not be stored: " + done.error());
      ++lost_;
    } else if (finding.is_reproduced()) {
      ++stored_;
    }
  }
  std::size_t stored() const { return stored_; }  // that broke again
  std::size_t lost() const { return lost_; }
  void on_standing(std::span<const Finding* const>) override {}
  void on_progress(const Progress&) override {}
  std::chrono::milliseconds progress_every() const override { return std::chrono::milliseconds(1000); }

 private:
  CampaignFiles& files_;
  const CampaignState& state_;
  const std::uint64_t seed_;
  std::size_t stored_ = 0, lost_ = 0;
};

/// True once a signal has come, or the time is over: stints of a slow program take hours.
class Over {
 public:
  Over(const std::atomic<bool>& stop, std::optional<Clock::time_point> at)
      : watch_([this, &stop, at](const std::stop_token& done) {
          while (!done.stop_requested() && !stop.load() && (!at || Clock::now() < *at))
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
          over_ = true;
        }) {}
  const std::atomic<bool>& flag() const { return over_; }

 private:
  std::atomic<bool> over_ = false;
  std::jthread watch_;
};

class Campaign {
 public:
  Campaign(const CampaignOptions& options, const CampaignArguments& arguments)
      : options_(options), arguments_(arguments), files_(arguments.dir, options) {}

  int run(std::optional<std::chrono::milliseconds> time, std::optional<std::uint64_t> stints) {
    std::vector<std::string> notes;
    auto loaded = files_.load(notes);
    for (const std::string& note : notes) complain(note);
    if (!loaded) return refuse(loaded.error());
    state_ = std::move(*loaded);
    const std::atomic<bool>& stop = stop_on_signals();
    const Over tried_enough(stop, time ? std::optional(begun_ + *time / tries_one_in) : std::nullopt);
    if (!close_what_holds(tried_enough.flag(), stop)) return exit_inconclusive;
    const auto is_over = [&](std::uint64_t done) {
      return stop.load() || (time && Clock::now() - begun_ >= *time) || (stints && done >= *stints);
    };
    const Over over(stop, time ? std::optional(begun_ + 2 * *time) : std::nullopt);
    for (std::uint64_t done = 0; !is_over(done); ++done)
      if (!one_stint(over.flag())) return exit_inconclusive;
    return conclude(stop);
  }

 private:
  bool report_trouble(const Done& done) {
    if (!done) complain(done.error());
    return done.has_value();
  }

  /// Each open finding is tried again: whoever mended it, perhaps without knowing, gets the credit. Where the time is
  /// too short for all, others come first the next time.
  bool close_what_holds(const std::atomic<bool>& over, const std::atomic<bool>& stop) {
    std::vector<std::string> open = state_.finding_ids;
    if (!open.empty())
      std::ranges::rotate(open, open.begin() + static_cast<std::ptrdiff_t>(state_.stints % open.size()));
    std::size_t untried = open.size();
    for (const std::string& id : open) {
      const bool holds = holds_by_now(files_.path_of(id), over);
      if (over.load()) break;
      --untried;
      if (!holds) continue;
      if (!report_trouble(files_.close(id, arguments_.commit, state_))) return false;
      news_.closed.push_back(id);
    }
    if (untried > 0 && !stop.load())
      complain(counted(untried, "open finding") + " not tried again: a quarter of the time was over; " +
               (untried == 1 ? "it stays" : "they stay") + " open");
    return true;
  }

  /// What this version of ordeal cannot try stays open, and is named.
  bool holds_by_now(const std::string& path, const std::atomic<bool>& over) const {
    const auto stored = read_stored(path);
    if (!stored) return complain(stored.error()), false;
    const std::string promise = stored->origin ? stored->origin->invariant : "";
    const properties::Invariant* invariant = properties::find_invariant(promise);
    if (invariant == nullptr) {
      complain(path + ": this version of ordeal knows no promise " + promise + "; it stays open");
      return false;
    }
    Dock dock(*options_.controller);
    properties::Court court;
    const std::function<bool()> is_over = [&] { return over.load(); };
    const properties::TrialOptions only{.level = options_.level, .only = invariant, .is_over = &is_over};
    const auto result = try_in(dock, court, stored->scenario, only);
    return result.verdict == properties::Verdict::held;
  }

  bool one_stint(const std::atomic<bool>& over) {
    Clerk clerk(files_, state_, seed_of_stint(options_, state_.stints));
    const Stint stint = run_stint(options_, state_, clerk, over);
    if (over.load()) {  // not whole: it is run again when the campaign goes on
      is_broken_off_ = true;
      unfinished_ = clerk.stored();
      lost_ = clerk.lost();
      return true;
    }
    for (const Unclear& unclear : stint.result.inconclusive)
      complain("stint " + std::to_string(stint.number) + ": " + counted(unclear.times, "trial") +
               " without a verdict: " + unclear.reason);
    unclear_ |= !stint.result.inconclusive.empty();
    ++whole_;
    add(state_, stint);
    if (!report_trouble(files_.store(stint, state_))) return false;
    news_.trials += stint.result.trials;
    news_.shared |= stint.result.broken_by_both;
    news_.found.insert(news_.found.end(), stint.findings.begin(), stint.findings.end());
    if (!arguments_.quiet) complain(line_of(stint));
    return true;
  }

  std::string line_of(const Stint& stint) const {
    return "stint " + std::to_string(stint.number) + " " + std::string(name_of(stint.engine)) + ": " +
           std::to_string(stint.encounters) + " new encounters of " + std::to_string(state_.tally.met.count()) + ", " +
           std::to_string(stint.findings.size()) + " new findings of " + std::to_string(state_.finding_ids.size());
  }

  int conclude(const std::atomic<bool>& stop) {
    news_.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    const auto file_of = [&](const std::string& id) { return files_.path_of(id); };
    if (!print(campaign_text(options_, state_, news_, file_of))) return exit_inconclusive;
    if (unfinished_ > 0)
      complain(counted(unfinished_, "finding") + " of the stint that was broken off: in " + arguments_.dir +
               "/findings/unfinished; it is run again when the campaign goes on");
    else if (is_broken_off_ && !stop.load())
      complain("a stint was broken off after twice the time; it is run again when the campaign goes on");
    if (is_broken_off_ && !stop.load() && whole_ == 0)
      complain("no stint was whole: this controller takes more --time, or fewer --stint-trials than " +
               std::to_string(options_.stint_trials));
    if (lost_ > 0) return exit_inconclusive;
    if (!state_.finding_ids.empty() || unfinished_ > 0) return exit_violated;
    if (unclear_ || whole_ == 0) return stop.load() ? exit_interrupted : exit_inconclusive;
    return stop.load() ? exit_interrupted : exit_held;
  }

  const CampaignOptions& options_;
  const CampaignArguments& arguments_;
  CampaignFiles files_;
  CampaignState state_;
  CampaignNews news_;
  bool unclear_ = false, is_broken_off_ = false;
  int whole_ = 0;  // stints of this invocation: those of earlier ones say nothing of today's controller
  const Clock::time_point begun_ = Clock::now();
  std::size_t unfinished_ = 0, lost_ = 0;  // findings of a stint that was broken off: stored, and not
};

}  // namespace

int campaign_command(const CampaignArguments& arguments) {
  CampaignOptions options;
  const auto asked = parse_asked(arguments);
  if (!asked) return refuse(asked.error());
  apply(*asked, options);
  options.stint_trials = arguments.stint_trials.value_or(options.controller->external ? 200 : options.stint_trials);
  auto sets = read_first_sets(arguments.manifests, options.controller->name, arguments.quiet);
  if (!sets) return exit_bad_input;
  options.sets = std::move(*sets);
  const Listed stories(arguments.manifests.empty() ? stories_of_corpus() : std::vector<ListedStory>{});
  options.stories = &stories;
  std::optional<std::chrono::milliseconds> time;
  if (!arguments.time.empty() || arguments.stints == 0) {
    const auto parsed = parse_time(arguments.time.empty() ? "60s" : arguments.time);
    if (!parsed) return refuse(parsed.error());
    time = *parsed;
  }
  return Campaign(options, arguments).run(time, arguments.stints == 0 ? std::nullopt : std::optional(arguments.stints));
}

}  // namespace ordeal::fuzz
