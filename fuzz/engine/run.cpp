#include "fuzz/engine/run.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "properties/invariants/catalogue.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/shrink.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;
using Clock = std::chrono::steady_clock;

std::size_t place_of(const Invariant& invariant) { return static_cast<std::size_t>(&invariant - catalogue.data()); }

/// Digests of trials are added up in whatever order jobs finish them; this makes each depend on its trial.
std::uint64_t mixed(std::uint64_t digest, std::uint64_t trial) {
  std::uint64_t x = digest + (trial + 1) * 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

const Breach* breach_of(const TrialResult& result, const Invariant& invariant) {
  for (const Breach& breach : result.breaches)
    if (breach.invariant == &invariant) return &breach;
  return nullptr;
}

/// What one job adds up; merged into the whole now and then, so that jobs rarely meet.
struct Sums {
  std::uint64_t trials = 0, syncs = 0, calls = 0, digest = 0;
  Situations situations;

  void add(const TrialResult& result, std::uint64_t trial) {
    ++trials;
    syncs += result.syncs;
    calls += result.calls;
    digest += mixed(result.digest, trial);
    situations |= result.situations;
  }
  void add(const Sums& other) {
    trials += other.trials;
    syncs += other.syncs;
    calls += other.calls;
    digest += other.digest;
    situations |= other.situations;
  }
};

/// Tries the finding's scenario once more where nothing was tried before, so that what it says is true of the scenario
/// alone, and takes the breach from there.
bool confirm(Finding& finding, const TrialOptions& only, const Dock& dock) {
  Court court;
  Dock fresh = dock.another();
  const TrialResult result = try_in(fresh, court, finding.scenario, only);
  const Breach* breach = breach_of(result, *finding.invariant);
  if (breach != nullptr) finding.breach = *breach;
  return breach != nullptr;
}

class Search {
 public:
  Search(const RunOptions& options, RunWatcher& watcher, const std::atomic<bool>& stop)
      : options_(options), watcher_(watcher), stop_(stop), expected_(situations_expected(options.level)) {
    for (auto& lowest : lowest_) lowest.store(none, std::memory_order_relaxed);
  }

  RunResult run() {
    std::vector<std::thread> jobs;
    working_ = std::max(options_.jobs, 1u);
    for (unsigned i = 0; i < std::max(options_.jobs, 1u); ++i) jobs.emplace_back([this] { work(); });
    report_progress();
    for (std::thread& job : jobs) job.join();
    if (broke_down_) std::rethrow_exception(broke_down_);
    return result();
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  static constexpr auto merge_every = std::chrono::milliseconds(50);

  // --- a job ---------------------------------------------------------------------------------------------------------

  void work() {
    try {
      take_trials();
    } catch (...) {  // a mistake of ours, such as a watcher that threw: no verdict can be trusted
      const std::scoped_lock lock(mutex_);
      broke_down_ = std::current_exception();
      ended_ = true;
    }
    const std::scoped_lock lock(mutex_);
    --working_;
    done_.notify_all();
  }

  void take_trials() {
    Court court;
    Dock dock(*options_.controller);
    Sums sums;
    Clock::time_point merged = Clock::now();
    while (!is_over()) {
      const std::uint64_t trial = next_.fetch_add(1, std::memory_order_relaxed);
      if (options_.trials && trial >= *options_.trials) break;
      try_one(trial, court, dock, sums);
      if (const auto now = Clock::now(); now - merged > merge_every) {
        merge(sums);
        merged = now;
      }
    }
    merge(sums);
  }

  bool is_over() const {
    if (stop_.load(std::memory_order_relaxed) || ended_.load(std::memory_order_relaxed)) return true;
    return options_.time && Clock::now() - begun_ >= *options_.time;
  }

  void try_one(std::uint64_t trial, Court& court, Dock& dock, Sums& sums) {
    const Scenario scenario = scenario_of_trial(options_.sets, options_.seed, trial);
    const TrialResult result = try_in(dock, court, scenario, {.level = options_.level});
    sums.add(result, trial);
    if (result.verdict == Verdict::inconclusive) note_unclear(result.inconclusive, trial);
    for (const Breach& breach : result.breaches)
      if (trial < lowest_[place_of(*breach.invariant)].load(std::memory_order_relaxed))
        note_breach(breach, scenario, trial, court, dock);
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

  void note_breach(const Breach& breach, const Scenario& scenario, std::uint64_t trial, Court& court, Dock& dock) {
    Finding finding{.invariant = breach.invariant,
                    .trial = trial,
                    .scenario = scenario,
                    .breach = breach,
                    .steps_found = scenario.steps.size()};
    if (!keep(finding, [&] { watcher_.on_found(finding); })) return;
    shrink_finding(finding, court, dock, options_.level, stop_);
    keep(finding, [&] { watcher_.on_shrunk(finding); });
  }

  /// Keeps a finding unless a lower trial broke the same invariant; says whether it was kept.
  template <class Tell>
  bool keep(const Finding& finding, Tell tell) {
    const std::scoped_lock lock(mutex_);
    auto& lowest = lowest_[place_of(*finding.invariant)];
    if (finding.trial > lowest.load(std::memory_order_relaxed)) return false;
    lowest.store(finding.trial, std::memory_order_relaxed);
    findings_.insert_or_assign(place_of(*finding.invariant), finding);
    tell();
    return true;
  }

  // --- the run -------------------------------------------------------------------------------------------------------

  void report_progress() {
    std::unique_lock lock(mutex_);
    while (!done_.wait_for(lock, watcher_.progress_every(), [this] { return working_ == 0; })) {
      watcher_.on_progress({.trials = sums_.trials,
                            .syncs = sums_.syncs,
                            .situations = (sums_.situations & expected_).count(),
                            .violations = findings_.size(),
                            .seconds = seconds()});
    }
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

  void note_irreproducible(const Finding& finding) {
    const std::string reason = std::string(finding.invariant->id) +
                               " was broken, but not when the same scenario was tried where nothing was before";
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
    for (auto& [place, finding] : findings_) {
      if (!finding.reproduced) note_irreproducible(finding);
      out.findings.push_back(std::move(finding));
    }
    for (auto& [reason, unclear] : unclear_) out.inconclusive.push_back(std::move(unclear));
    std::ranges::sort(out.inconclusive, {}, [](const Unclear& u) { return std::pair(u.trial, u.reason); });
    out.interrupted = stop_.load();
    if (out.trials == 0 && out.inconclusive.empty()) out.inconclusive.push_back({"no trial was run", 0, 1});
    out.verdict = !out.findings.empty()       ? Verdict::violated
                  : !out.inconclusive.empty() ? Verdict::inconclusive
                                              : Verdict::held;
    return out;
  }

  const RunOptions& options_;
  RunWatcher& watcher_;
  const std::atomic<bool>& stop_;
  const Situations expected_;
  const Clock::time_point begun_ = Clock::now();
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<bool> ended_ = false;
  std::array<std::atomic<std::uint64_t>, catalogue.size()> lowest_;  // per invariant, the lowest trial that broke it

  std::mutex mutex_;  // guards what follows
  std::condition_variable done_;
  unsigned working_ = 0;
  std::exception_ptr broke_down_;
  Sums sums_;
  std::map<std::size_t, Finding> findings_;  // by place in the catalogue
  std::map<std::string, Unclear> unclear_;
};

}  // namespace

Scenario scenario_of_trial(const FirstSets& sets, std::uint64_t seed, std::uint64_t trial) {
  Seeded choices(seed_of_trial(seed, trial));
  return generate_scenario(choices, sets.of_trial(trial));
}

RunResult run(const RunOptions& options, RunWatcher& watcher, const std::atomic<bool>& stop) {
  return Search(options, watcher, stop).run();
}

void shrink_finding(Finding& finding, Court& court, Dock& dock, Level level, const std::atomic<bool>& stop) {
  const TrialOptions only{.level = level, .only = finding.invariant};
  const auto breaks = [&](const Scenario& scenario) {
    return !stop.load(std::memory_order_relaxed) &&
           try_in(dock, court, scenario, only).verdict == Verdict::violated;
  };
  finding.reproduced = confirm(finding, only, dock);
  if (!finding.reproduced) return;
  Shrunk shrunk = shrink(finding.scenario, breaks);
  finding.trials_to_shrink = shrunk.trials;
  finding.minimal = shrunk.minimal && !stop.load();
  finding.scenario = std::move(shrunk.scenario);
  finding.reproduced = confirm(finding, only, dock);
}

Situations situations_expected(Level level) {
  Situations expected = expected_situations();
  for (std::size_t i = 0; i < catalogue.size(); ++i)
    if (catalogue[i].level > level) expected.reset(situation_of_invariant(i));
  return expected;
}

}  // namespace ordeal::fuzz
