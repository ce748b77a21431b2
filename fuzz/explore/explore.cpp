#include "fuzz/explore/explore.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

#include "core/controller/remembering.h"
#include "fuzz/engine/parallel.h"
#include "fuzz/explore/frontier.h"
#include "properties/explore/walker.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/split_mix.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;
using Clock = std::chrono::steady_clock;

constexpr std::size_t states_at_once = 64;  // that a job takes

/// A sum over states and transitions, in whatever order they come.
struct Sum {
  Hash128 digest;
  void add(const Hash128& hash) {
    digest.high += split_mix(hash.high ^ split_mix_step);
    digest.low += split_mix(hash.low);
  }
  void add(const Hash128& from, Move move, const Hash128& to) {
    Hasher hasher;
    hasher.add(from);
    hasher.add(static_cast<std::uint64_t>(move.kind) << 8 | move.argument);
    hasher.add(to);
    add(hasher.value());
  }
  void add(const Sum& other) {
    digest.high += other.digest.high;
    digest.low += other.digest.low;
  }
};

/// A way to a broken promise: from a state by these moves.
struct Broken {
  Remembered::Place from = 0;
  std::vector<Move> moves;
};
using BrokenBy = std::map<const Invariant*, Broken>;

void keep_better(BrokenBy& held, const Invariant& invariant, Broken found) {
  const auto rank = [](const Broken& b) { return std::tuple(b.moves.size(), b.from, b.moves); };
  const auto [at, is_new] = held.try_emplace(&invariant, found);
  if (!is_new && rank(found) < rank(at->second)) at->second = std::move(found);
}

/// One thread's share.
class Job final : public Surveyor {
 public:
  Job(const ExploreOptions& options, Library& library, Ends& ends, const Remembered& remembered)
      : remembered_(remembered),
        dock_(*options.controller),
        walker_(options.scope, dock_, {.level = options.level, .except = options.except}, library, ends) {}

  void survey(Remembered::Place place, std::span<const std::uint32_t> words) {
    here_ = place;
    hash_ = remembered_.at(place).hash;
    walker_.survey(words, hash_, *this);
  }
  void on_next(Move move, const Hash128& hash, std::span<const std::uint32_t> words) override {
    ++transitions;
    sum.add(hash_, move, hash);
    if (!remembered_.has(hash)) met.add({hash, here_, move}, words);
  }
  void on_broken(std::span<const Move> moves, const Invariant& invariant) override {
    keep_better(broken, invariant, {here_, {moves.begin(), moves.end()}});
  }
  Walker& walker() { return walker_; }

  Met met;
  BrokenBy broken;
  std::uint64_t transitions = 0;
  Sum sum;

 private:
  const Remembered& remembered_;
  Dock dock_;
  Walker walker_;
  Remembered::Place here_ = 0;
  Hash128 hash_;
};

class Exploration {
 public:
  Exploration(const ExploreOptions& options, ExploreWatcher& watcher, const std::atomic<bool>& stop)
      : options_(options), watcher_(watcher), stop_(stop) {
    for (unsigned i = 0; i < std::max(options.jobs, 1u); ++i)
      jobs_.push_back(std::make_unique<Job>(options_, library_, ends_, remembered_));
  }

  Certificate run() {
    begin();
    try {
      return certificate(walk());
    } catch (const std::length_error& error) {
      too_big_ = error.what();
      gather_broken();
      return certificate(Reach::too_big);
    }
  }

 private:
  Reach walk() {
    while (frontier_size() > 0) {
      if (options_.depth && levels_ > *options_.depth) return Reach::depth;
      if (options_.states && remembered_.size() >= *options_.states) return Reach::states;
      if (!walk_level()) return stop_.load() ? Reach::interrupted : Reach::memory;
      if (!broken_.empty()) return Reach::violation;
      merge_level();
      watcher_.on_level(levels_, frontier_size(), remembered_.size(), seconds());
    }
    return Reach::all;
  }

  // --- levels --------------------------------------------------------------------------------------------------------

  void begin() {
    Words words;
    const Hash128 hash = jobs_.front()->walker().first(words);
    const Remembered::Place place = remembered_.add({hash, 0, {}});
    first_ = place;
    sum_.add(hash);
    Frontier& part = frontier_[Remembered::part_of(hash)];
    part.words = words;
    part.states.push_back({place, static_cast<std::uint32_t>(words.size()), 0});
  }

  std::size_t frontier_size() const {
    std::size_t all = 0;
    for (const Frontier& part : frontier_) all += part.states.size();
    return all;
  }

  /// False when it had to stop on the way: then it counts for nothing but what it found broken.
  bool walk_level() {
    struct Share {
      std::size_t part, from, to;
    };
    std::vector<Share> shares;
    for (std::size_t p = 0; p < frontier_.size(); ++p)
      for (std::size_t i = 0; i < frontier_[p].states.size(); i += states_at_once)
        shares.push_back({p, i, std::min(i + states_at_once, frontier_[p].states.size())});
    const std::size_t held = remembered_.bytes() + bytes_of_frontier() + ends_.bytes() + library_.bytes();
    std::atomic<std::size_t> next = 0, met = 0;
    std::atomic<bool> ended = remembered_.is_full();
    in_parallel([&](Job& job) {
      std::size_t counted = 0;
      for (std::size_t i = next++; i < shares.size() && !ended && !stop_; i = next++) {
        const Frontier& part = frontier_[shares[i].part];
        for (std::size_t s = shares[i].from; s < shares[i].to; ++s)
          job.survey(part.states[s].place, part.words_of(part.states[s]));
        met += job.met.bytes() - counted;
        counted = job.met.bytes();
        if (held + met > options_.memory) ended = true;
      }
    });
    bytes_at_most_ = std::max(bytes_at_most_, held + met.load());
    gather_broken();
    if (ended || stop_) return false;
    ++levels_;
    for (const auto& job : jobs_) {
      transitions_ += std::exchange(job->transitions, 0);
      sum_.add(std::exchange(job->sum, {}));
    }
    return true;
  }

  void gather_broken() {
    for (const auto& job : jobs_)
      for (const auto& [invariant, found] : job->broken) keep_better(broken_, *invariant, found);
  }

  /// What the jobs met becomes the next level.
  void merge_level() {
    std::atomic<std::size_t> next = 0;
    std::array<Sum, Remembered::parts> sums;
    in_parallel([&](Job&) {
      for (std::size_t p = next++; p < Remembered::parts; p = next++) merge_part(p, sums[p]);
    });
    for (const Sum& sum : sums) sum_.add(sum);
    for (const auto& job : jobs_) job->met.clear();
  }

  void merge_part(std::size_t number, Sum& sum) {
    struct Way {
      const Met::State* state;
      const Met::Part* part;
    };
    std::vector<Way> ways;
    for (const auto& job : jobs_) {
      const Met::Part& part = job->met.part(number);
      for (const Met::State& state : part.states) ways.push_back({&state, &part});
    }
    std::ranges::sort(ways, [](const Way& a, const Way& b) {
      if (a.state->entry.hash != b.state->entry.hash) return a.state->entry.hash < b.state->entry.hash;
      return Met::is_better(a.state->entry, b.state->entry);
    });
    Frontier& level = frontier_[number];
    level = Frontier();
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Remembered::Entry& entry = ways[i].state->entry;
      if (i > 0 && entry.hash == ways[i - 1].state->entry.hash) continue;
      const Remembered::Place place = remembered_.add(entry);
      level.states.push_back({place, ways[i].state->words, level.words.size()});
      const auto words = std::span(ways[i].part->words).subspan(ways[i].state->first, ways[i].state->words);
      level.words.insert(level.words.end(), words.begin(), words.end());
      sum.add(entry.hash);
    }
    for (const auto& job : jobs_) job->met.part(number) = {};  // nobody else's; both at once would be too much
  }

  std::size_t bytes_of_frontier() const {
    std::size_t all = 0;
    for (const Frontier& part : frontier_) all += part.bytes();
    return all;
  }

  template <class Work>
  void in_parallel(Work work) {
    run_in_parallel(static_cast<unsigned>(jobs_.size()), [&](unsigned job) { work(*jobs_[job]); });
  }

  // --- what came out -------------------------------------------------------------------------------------------------

  std::vector<Move> path_to(Remembered::Place place) const {
    std::vector<Move> path;
    for (; place != first_; place = remembered_.at(place).before) path.push_back(remembered_.at(place).move);
    std::ranges::reverse(path);
    return path;
  }

  /// The story of a broken promise, tried as any scenario is.
  void tell(const Invariant& invariant, const Broken& found, Certificate& out) {
    std::vector<Move> path = path_to(found.from);
    path.insert(path.end(), found.moves.begin(), found.moves.end());
    const Scenario story = jobs_.front()->walker().story(path);
    Court court;
    Dock dock(*options_.controller);
    const TrialResult tried = try_in(dock, court, story, {.level = options_.level, .only = &invariant});
    if (tried.breaches.empty()) {
      out.unclear.push_back(std::string(invariant.id) + " is broken on the walk after " + std::to_string(path.size()) +
                            " moves, but not when their story is tried from the beginning");
      return;
    }
    out.moves.push_back(path.size());
    out.findings.push_back(finding_in(story, tried.breaches.front()));
  }

  Certificate certificate(Reach reach) {
    Certificate out;
    out.seconds = seconds();
    out.reach = reach;
    out.states = remembered_.size();
    out.transitions = transitions_;
    out.levels = levels_;
    out.digest = sum_.digest;
    out.ends = ends_.size();
    out.object_versions = library_.size();
    out.bytes_remembered = remembered_.bytes();
    out.bytes_at_most = std::max<std::uint64_t>(bytes_at_most_, out.bytes_remembered);
    for (const auto& job : jobs_) {
      const TrialResult part = job->walker().take_summary();
      out.syncs += part.syncs;
      out.situations |= part.situations;
    }
    if (!too_big_.empty()) out.unclear.push_back(too_big_);
    tell_all(out);
    const bool whole = reach == Reach::all || reach == Reach::depth || reach == Reach::states;
    out.verdict = !out.findings.empty()          ? Verdict::violated
                  : whole && out.unclear.empty() ? Verdict::held
                                                 : Verdict::inconclusive;
    return out;
  }

  /// In the order of the catalogue; only what the fewest moves break, since longer paths may have shorter ones
  /// elsewhere.
  void tell_all(Certificate& out) {
    std::size_t fewest = ~std::size_t{0};
    for (const auto& [invariant, found] : broken_) fewest = std::min(fewest, found.moves.size());
    for (const auto& [invariant, found] : broken_)
      if (found.moves.size() == fewest) tell(*invariant, found, out);
    // A turn that is made twice is two moves, and what the next level breaks with one was not looked at.
    out.shortest = out.reach == Reach::violation && fewest < 2;
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }

  const ExploreOptions& options_;
  ExploreWatcher& watcher_;
  const std::atomic<bool>& stop_;
  const Clock::time_point begun_ = Clock::now();
  Library library_;
  Ends ends_;
  Remembered remembered_;
  std::vector<std::unique_ptr<Job>> jobs_;
  std::array<Frontier, Remembered::parts> frontier_;
  Remembered::Place first_ = 0;
  std::uint32_t levels_ = 0;
  std::uint64_t transitions_ = 0;
  Sum sum_;
  BrokenBy broken_;
  std::size_t bytes_at_most_ = 0;
  std::string too_big_;  // why a state could not be written down
};

}  // namespace

bool can_be_walked(const ControllerKind& controller) {
  if (controller.external) return false;
  Dock dock(controller);
  return dynamic_cast<const Remembering*>(dock.process(0, Gates{})) != nullptr;
}

Certificate explore(const ExploreOptions& options, ExploreWatcher& watcher, const std::atomic<bool>& stop) {
  return Exploration(options, watcher, stop).run();
}

}  // namespace ordeal::fuzz
