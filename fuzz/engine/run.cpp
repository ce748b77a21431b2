#include "fuzz/engine/run.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>

#include "core/controller/releases.h"
#include "fuzz/engine/baseline.h"
#include "fuzz/engine/candidates.h"
#include "fuzz/engine/news.h"
#include "fuzz/engine/parallel.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/known_fields.h"
#include "properties/scenario/split_mix.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;
using Clock = std::chrono::steady_clock;

/// What one job adds up; merged into the whole now and then, so that jobs rarely meet.
struct Sums {
  std::uint64_t trials = 0, syncs = 0, calls = 0, digest = 0;
  Situations situations;
  Promises broken_by_both;
  std::array<std::uint64_t, catalogue.size()> occasions{};

  void add(const TrialResult& result, std::uint64_t trial) {
    ++trials;
    for (std::size_t i = 0; i < occasions.size(); ++i)
      occasions[i] += result.situations.test(situation_of_invariant(i)) ? 1u : 0u;
    syncs += result.syncs;
    calls += result.calls;
    digest += split_mix(result.digest, trial);  // added up in whatever order jobs finish; so each depends on its trial
    situations |= result.situations;
  }
  void add(const Sums& other) {
    trials += other.trials;
    syncs += other.syncs;
    calls += other.calls;
    digest += other.digest;
    situations |= other.situations;
    broken_by_both |= other.broken_by_both;
    for (std::size_t i = 0; i < occasions.size(); ++i) occasions[i] += other.occasions[i];
  }
};

class Search {
 public:
  Search(const RunOptions& options, RunWatcher& watcher, const std::atomic<bool>& stop)
      : options_(options),
        watcher_(watcher),
        stop_(stop),
        expected_(situations_expected(promises_at(options.level, options.except))) {
    for (auto& bar : bars_) bar.store(Candidates().bar(), std::memory_order_relaxed);
  }

  RunResult run() {
    working_ = std::max(options_.jobs, 1u);
    run_in_parallel(working_ + 1, [this](unsigned job) { job == 0 ? report_progress() : work(); });
    return result();
  }

 private:
  static constexpr auto merge_every = std::chrono::milliseconds(50);
  static constexpr std::uint64_t without_turns_at_most = 1000;

  /// Where the candidates of a promise are kept: what is inherited apart, behind all places of the catalogue.
  static constexpr std::size_t room_of(std::size_t place, bool is_inherited) {
    return place + (is_inherited ? catalogue.size() : 0);
  }

  // --- a job ---------------------------------------------------------------------------------------------------------

  void work() {
    try {
      take_trials();
    } catch (...) {  // a mistake of ours, such as a watcher that threw: no verdict can be trusted
      ended_ = true;
      leave();
      throw;
    }
    leave();
  }

  void leave() {
    const std::scoped_lock lock(mutex_);
    --working_;
    done_.notify_all();
  }

  /// What a job tries scenarios with.
  struct Bench {
    explicit Bench(const RunOptions& options) : dock(*options.controller) {
      if (options.against != nullptr) against.emplace(*options.against);
      if (options.original != nullptr) original.emplace(*options.original);
    }
    Court court;
    Dock dock;
    std::optional<Baseline> against, original;

    /// Null: there is none, or it cannot be asked of what it does not know.
    Baseline* original_of(const Scenario& scenario) {
      return original && !has_unknown(scenario, original->known_fields()) ? &*original : nullptr;
    }
  };

  void take_trials() {
    Bench bench(options_);
    Dock& dock = bench.dock;
    dock.known_fields();  // a program that does not answer takes its time, and somebody may give it up meanwhile
    Sums sums;
    std::uint64_t without_turns = 0;
    bool came_to_a_turn = options_.trials.has_value() || !options_.ends_without_turns;
    Clock::time_point merged = Clock::now();
    while (!is_over()) {
      const std::uint64_t trial = next_.fetch_add(1, std::memory_order_relaxed);
      if (options_.trials && trial >= *options_.trials) break;
      try_one(trial, bench, sums);
      came_to_a_turn |= sums.syncs > 0;
      if (!came_to_a_turn && ++without_turns >= without_turns_at_most) ended_ = never_came_to_a_turn_ = true;
      if (options_.shrinking == Shrinking::alongside) shrink_while_due(bench);
      if (const auto now = Clock::now(); now - merged > merge_every) {
        merge(sums);
        merged = now;
      }
    }
    merge(sums);
    if (options_.shrinking != Shrinking::never) shrink_kept(bench);
  }

  bool is_over() const {
    if (stop_.load(std::memory_order_relaxed) || ended_.load(std::memory_order_relaxed)) return true;
    return options_.time && Clock::now() - begun_ >= *options_.time;
  }

  /// For a trial that has begun: sets of 100,000 pods take their time.
  bool is_long_over() const {
    if (stop_.load(std::memory_order_relaxed)) return true;
    return options_.time && Clock::now() - begun_ >= shrinking_at_most * *options_.time;
  }

  void try_one(std::uint64_t trial, Bench& bench, Sums& sums) {
    Dock& dock = bench.dock;
    Scenario scenario = options_.source != nullptr ? options_.source->scenario(trial)
                                                   : scenario_of_trial(options_.sets, options_.seed, trial);
    leave_out_unknown(scenario, dock.known_fields());
    if (bench.against) leave_out_unknown(scenario, bench.against->known_fields());
    TrialOptions asked = options_.source != nullptr ? options_.source->asked(options_.level, options_.seed, trial)
                                                    : options_of_trial(options_.level, options_.seed, trial);
    asked.except = options_.except;
    Encounters encounters;
    if (options_.news != nullptr) asked.encounters = &encounters;
    asked.is_over = &is_long_over_;
    TrialResult result = try_in(dock, bench.court, scenario, asked);
    if (result.verdict == Verdict::inconclusive && result.breaches.empty() && stop_.load()) return;
    if (options_.second_look && result.verdict != Verdict::inconclusive) look_again(scenario, dock, result);
    if (bench.against) hold_against(*bench.against, scenario, asked, result, sums);
    sums.add(result, trial);
    if (options_.news != nullptr) options_.news->note(trial, scenario, encounters.bits());
    if (result.verdict == Verdict::inconclusive) note_unclear(result.inconclusive, trial);
    const Promises inherited = result.breaches.empty() ? Promises{} : inherited_in(scenario, asked, bench);
    for (const Breach& breach : result.breaches) {
      const std::size_t place = place_of(*breach.invariant);
      if (trial < bars_[room_of(place, inherited.test(place))].load(std::memory_order_relaxed))
        note_breach(breach, scenario, trial, inherited.test(place), bench);
    }
  }

  /// What the original breaks, too. What it has no verdict about is the fork's own.
  static Promises inherited_in(const Scenario& scenario, const TrialOptions& asked, Bench& bench) {
    Baseline* original = bench.original_of(scenario);
    return original != nullptr ? original->answer(scenario, asked).breaks : Promises{};
  }

  /// What the other controller breaks as well is left out; and where that one has no verdict there is none.
  static void hold_against(Baseline& other, const Scenario& scenario, const TrialOptions& asked, TrialResult& result,
                           Sums& sums) {
    if (result.breaches.empty()) return;
    const Baseline::Answer answer = other.answer(scenario, asked);
    if (!answer.unclear.empty()) return take_back(result, answer.unclear);
    std::erase_if(result.breaches, [&](const Breach& breach) {
      const std::size_t place = place_of(*breach.invariant);
      if (answer.breaks.test(place)) sums.broken_by_both.set(place);
      return answer.breaks.test(place);
    });
  }

  /// What does not go the same way twice proves nothing.
  void look_again(const Scenario& scenario, Dock& dock, TrialResult& result) {
    const auto difference = options_.second_look(scenario, dock);
    if (difference) take_back(result, *difference);
  }

  static void take_back(TrialResult& result, const std::string& reason) {
    result.verdict = Verdict::inconclusive;
    result.inconclusive = reason;
    result.breaches.clear();
    forget_judged(result.situations);
  }

  void merge(Sums& sums) {
    const std::scoped_lock lock(mutex_);
    sums_.add(sums);
    sums = Sums{};
  }

  /// Reasons are told apart by their first lines; what a program said on its way out is shown for the lowest trial.
  void note_unclear(const std::string& reason, std::uint64_t trial) {
    const std::scoped_lock lock(mutex_);
    Unclear& held = unclear_.try_emplace(reason.substr(0, reason.find('\n')), Unclear{reason, trial, 0}).first->second;
    if (trial < held.trial) held.reason = reason;
    held.trial = std::min(held.trial, trial);
    ++held.times;
  }

  void note_breach(const Breach& breach, const Scenario& scenario, std::uint64_t trial, bool is_inherited,
                   Bench& bench) {
    Finding finding = finding_in(scenario, breach, trial);
    finding.is_inherited = is_inherited;
    const auto tell_found = [&](const Candidates& all) {
      if (all.lowest() == trial) watcher_.on_found(finding);
    };
    const bool is_kept = keep(finding, tell_found);
    if (is_kept && options_.shrinking == Shrinking::never) finish(finding, bench);
    if (is_kept) some_wait_ = true;
  }

  /// Shrinks a finding, if it is to be shrunk, and makes sure of it.
  void finish(Finding& finding, Bench& bench) {
    const auto begun = Clock::now();
    if (options_.shrinking != Shrinking::never)
      shrink_finding(finding, bench.court, bench.dock, options_.level, deadline_, kept_by(finding, bench));
    else confirm(finding, bench.dock, options_.level, deadline_);
    keep(finding, [&](const Candidates& all) {
      if (all.is_finding(finding.trial)) watcher_.on_shrunk(finding);
    });
    shrunk_for_ += (Clock::now() - begun).count();
    if (options_.ends_with_first && finding.is_reproduced()) ended_ = true;
  }

  /// Who has to keep the promise in whatever a finding is shrunk to. What is a fork's own stays so.
  static Baseline* kept_by(const Finding& finding, Bench& bench) {
    if (bench.against) return &*bench.against;
    return finding.is_inherited ? nullptr : bench.original_of(finding.scenario);
  }

  // --- shrinking -----------------------------------------------------------------------------------------------------

  /// A slow program that breaks many promises at once has other bugs, too: a search is not to end with its first trial.
  void shrink_while_due(Bench& bench) {
    while (some_wait_.load(std::memory_order_relaxed) && is_time_to_shrink()) {
      some_wait_ = false;
      const std::optional<Finding> next = next_to_finish();
      if (!next) return;
      some_wait_ = true;
      Finding finding = *next;
      finish(finding, bench);
    }
  }

  /// Half of the time is for trials; and nobody can say how long a program will take, so that it has some to begin
  /// with.
  bool is_time_to_shrink() const {
    if (options_.ends_with_first) return true;
    constexpr std::chrono::milliseconds head_start_at_most = std::chrono::seconds(10);
    const auto gone = Clock::now() - begun_;
    if (options_.controller->external && options_.time && gone < std::min(*options_.time / 4, head_start_at_most))
      return false;
    return Clock::duration(shrunk_for_.load()) * 2 <= gone * std::max(options_.jobs, 1u);
  }

  void shrink_kept(Bench& bench) {
    while (std::optional<Finding> finding = next_to_finish()) finish(*finding, bench);
  }

  /// The lowest trials of all promises, then their second lowest; once it is late, what stands as it is.
  std::optional<Finding> next_to_finish() {
    const std::scoped_lock lock(mutex_);
    if (options_.time && !shrinks_until_) shrinks_until_ = Clock::now() + (begun_ + *options_.time - Clock::now()) / 4;
    const bool is_late = is_late_to_shrink();
    for (std::size_t rank = 0; rank < candidates_at_most; ++rank) {
      for (const auto& [room, candidates] : candidates_) {
        if (rank >= candidates.all().size()) continue;
        const Finding& finding = candidates.all()[rank];
        if (is_late && !candidates.is_finding(finding.trial)) continue;
        if (taken_to_finish_.emplace(room, finding.trial).second) return finding;
      }
    }
    return std::nullopt;
  }

  bool is_late_to_shrink() const {
    if (options_.shrinking != Shrinking::at_end) return is_long_over();
    return stop_.load(std::memory_order_relaxed) || (shrinks_until_ && Clock::now() >= *shrinks_until_);
  }

  /// Keeps a finding unless enough lower trials broke the same invariant; says whether it was kept.
  template <class Tell>
  bool keep(const Finding& finding, Tell tell) {
    const std::scoped_lock lock(mutex_);
    const std::size_t place = place_of(*finding.invariant), room = room_of(place, finding.is_inherited);
    Candidates& candidates = candidates_[room];
    if (!candidates.put(finding)) return false;
    bars_[room].store(candidates.bar(), std::memory_order_relaxed);
    watcher_.on_standing(standing(place));
    tell(candidates);
    return true;
  }

  /// What stands of a promise, by trial: of a fork its own and what it has inherited, unless that has the same cause.
  std::vector<const Finding*> standing(std::size_t place) const {
    std::vector<const Finding*> findings;
    for (const bool is_inherited : {false, true}) {
      const auto room = candidates_.find(room_of(place, is_inherited));
      if (room == candidates_.end()) continue;
      for (const Finding* finding : room->second.findings())
        if (std::ranges::find(findings, id_of(*finding), [](const Finding* f) { return id_of(*f); }) == findings.end())
          findings.push_back(finding);
    }
    std::ranges::sort(findings, {}, &Finding::trial);
    return findings;
  }

  // --- the run -------------------------------------------------------------------------------------------------------

  void report_progress() {
    try {
      tell_until_done();
    } catch (...) {
      ended_ = true;
      throw;
    }
  }

  void tell_until_done() {
    std::unique_lock lock(mutex_);
    while (!done_.wait_for(lock, watcher_.progress_every(), [this] { return working_ == 0; })) {
      watcher_.on_progress({.trials = sums_.trials,
                            .syncs = sums_.syncs,
                            .situations = (sums_.situations & expected_).count(),
                            .violations = broken(),
                            .seconds = seconds()});
    }
  }

  /// So many promises.
  std::size_t broken() const {
    Promises places;
    for (const auto& [room, candidates] : candidates_) places.set(room % catalogue.size());
    return places.count();
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

  void note_irreproducible(const Finding& finding) {
    const std::string reason = why_unclear(finding);
    unclear_.try_emplace(reason, Unclear{reason, finding.trial, 1});
  }

  RunResult result() {
    RunResult out;
    out.seconds = seconds();
    out.trials = sums_.trials;
    out.syncs = sums_.syncs;
    out.calls = sums_.calls;
    out.digest = sums_.digest;
    out.situations = sums_.situations;
    out.broken_by_both = sums_.broken_by_both;
    out.occasions.assign(sums_.occasions.begin(), sums_.occasions.end());
    for (const auto& [room, candidates] : candidates_) {
      for (const Finding& finding : candidates.refuted()) note_irreproducible(finding);
      for (const Finding& finding : candidates.all())
        if (!finding.is_reproduced()) note_irreproducible(finding);
    }
    for (std::size_t place = 0; place < catalogue.size(); ++place)
      for (const Finding* finding : standing(place))
        if (finding->is_reproduced()) out.findings.push_back(*finding);
    for (auto& [reason, unclear] : unclear_) out.inconclusive.push_back(std::move(unclear));
    std::ranges::sort(out.inconclusive, {}, [](const Unclear& u) { return std::pair(u.trial, u.reason); });
    out.interrupted = stop_.load();
    if (never_came_to_a_turn_) out.inconclusive.push_back({"no trial came to a turn: no further one was begun", 0, 0});
    if (out.trials == 0 && out.inconclusive.empty()) out.inconclusive.push_back({"no trial was run", 0, 0});
    out.verdict = !out.findings.empty()       ? Verdict::violated
                  : !out.inconclusive.empty() ? Verdict::inconclusive
                                              : Verdict::held;
    return out;
  }

  const RunOptions& options_;
  RunWatcher& watcher_;
  const std::atomic<bool>& stop_;
  const Situations expected_;
  // Shrinking ends after so many times RunOptions::time; what was found then stays as small as it has become.
  static constexpr int shrinking_at_most = 2;
  const Clock::time_point begun_ = Clock::now();
  const std::function<bool()> is_long_over_ = [this] { return is_long_over(); };
  const Deadline deadline_{[this] { return is_late_to_shrink(); }};
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<bool> ended_ = false, never_came_to_a_turn_ = false;
  std::atomic<bool> some_wait_ = false;  // to be shrunk
  std::atomic<Clock::rep> shrunk_for_ = 0;
  std::array<std::atomic<std::uint64_t>, 2 * catalogue.size()>
      bars_;  // per room: from this trial on, breaches are no news

  std::mutex mutex_;  // guards what follows
  std::condition_variable done_;
  unsigned working_ = 0;
  Sums sums_;
  std::map<std::size_t, Candidates> candidates_;  // by room
  std::map<std::string, Unclear> unclear_;
  std::set<std::pair<std::size_t, std::uint64_t>> taken_to_finish_;  // rooms and trials
  std::optional<Clock::time_point> shrinks_until_;                   // at the end; set before anything is shrunk there
};

}  // namespace

Scenario scenario_of_trial(const FirstSets& sets, std::uint64_t seed, std::uint64_t trial) {
  Seeded choices(seed_of_trial(seed, trial));
  return generate_scenario(choices, sets.of_trial(trial));
}

TrialOptions options_of_trial(Level level, std::uint64_t seed, std::uint64_t trial) {
  constexpr std::uint32_t guarded_one_in = 64, related_one_in = 32;
  Seeded choices(seed_of_trial(~seed, trial));  // not those the scenario is drawn by
  TrialOptions options{.level = level};
  options.guards_inputs = choices.one_in(guarded_one_in);
  if (choices.one_in(related_one_in))
    options.relations = relations().subspan(choices.up_to(static_cast<std::uint32_t>(relations().size() - 1)), 1);
  return options;
}

TrialOptions ScenarioSource::asked(Level level, std::uint64_t seed, std::uint64_t trial) const {
  return options_of_trial(level, seed, trial);
}

RunResult run(const RunOptions& options, RunWatcher& watcher, const std::atomic<bool>& stop) {
  return Search(options, watcher, stop).run();
}

Situations situations_expected(const Promises& asked) {
  Situations expected = expected_situations();
  for (std::size_t i = 0; i < catalogue.size(); ++i)
    if (!asked.test(i)) expected.reset(situation_of_invariant(i));
  return expected;
}

}  // namespace ordeal::fuzz
