#include "fuzz/campaign/campaign.h"

#include <algorithm>

#include "fuzz/campaign/guide.h"
#include "fuzz/engine/baseline.h"
#include "fuzz/explore/explore.h"
#include "fuzz/explore/worlds.h"

namespace ordeal::fuzz {

using namespace properties;

namespace {

constexpr std::uint64_t turns_at_first = 2;  // of each engine, before any is preferred
constexpr std::uint64_t other_one_in = 5;
// Whatever a stint found in less is no better than if it had taken them all: it costs more than its syncs.
constexpr std::uint64_t syncs_at_least = 100'000;

std::uint64_t yield_of(const Stint& stint) {
  const std::uint64_t news = stint.encounters + finding_worth * stint.findings.size();
  return news * 1'000'000'000 / std::max(stint.result.syncs, syncs_at_least);
}

bool is_had(const CampaignState& state, const std::string& id) {
  return std::ranges::find(state.finding_ids, id) != state.finding_ids.end();
}

/// The promises of which there is a finding.
Promises broken_so_far(const CampaignState& state) {
  Promises broken;
  for (const std::string& id : state.finding_ids)
    if (const Invariant* invariant = invariant_in(id)) broken.set(place_of(*invariant));
  return broken;
}

}  // namespace

std::string_view name_of(Engine engine) {
  constexpr std::array<std::string_view, engine_count> names = {"random", "guided", "exhaustive"};
  return names[static_cast<std::size_t>(engine)];
}

Engine engine_of_next(const CampaignState& state, bool walkable) {
  const std::size_t engines = walkable ? engine_count : engine_count - 1;
  if (state.stints < turns_at_first * engines) return static_cast<Engine>(state.stints % engines);
  const auto first = state.engines.begin();
  const auto leader =
      std::ranges::max_element(first, first + static_cast<std::ptrdiff_t>(engines), {}, &EngineRecord::yield);
  const std::uint64_t round = state.stints / other_one_in;
  const bool other = state.stints % other_one_in == other_one_in - 1;
  const std::size_t further = other ? 1 + round % (engines - 1) : 0;
  return static_cast<Engine>((static_cast<std::size_t>(leader - first) + further) % engines);
}

std::uint64_t seed_of_stint(const CampaignOptions& options, std::uint64_t stint) {
  return seed_of_trial(options.seed, stint);
}

namespace {

/// What walks found is tried again as any finding is, and shrunk.
class Hearing {
 public:
  Hearing(const CampaignOptions& options, RunWatcher& watcher, const std::atomic<bool>& stop)
      : level_(options.level), watcher_(watcher), dock_(*options.controller), deadline_([&] { return stop.load(); }) {
    if (options.against != nullptr) against_.emplace(*options.against);
  }

  /// The promises broken that the other controller breaks as well; all else is in the result.
  Promises hear(const Certificate& walked, RunResult& result) {
    Promises excused;
    for (const std::string& reason : walked.unclear) result.inconclusive.push_back({reason, 0, 1});
    for (const Finding& finding : walked.findings) {
      const std::expected<bool, std::string> counts = is_its_own(finding);
      if (!counts) result.inconclusive.push_back({counts.error(), finding.trial, 1});
      else if (*counts) shrink(finding, result);
      else excused.set(place_of(*finding.invariant));
    }
    return excused;
  }

 private:
  std::expected<bool, std::string> is_its_own(const Finding& finding) {
    if (!against_) return true;
    return against_->keeps(finding.scenario, {.level = level_, .only = finding.invariant});
  }

  void shrink(Finding finding, RunResult& result) {
    watcher_.on_found(finding);
    shrink_finding(finding, court_, dock_, level_, deadline_, against_ ? &*against_ : nullptr);
    watcher_.on_shrunk(finding);
    if (finding.is_reproduced()) result.findings.push_back(std::move(finding));
    else result.inconclusive.push_back({why_unclear(finding), finding.trial, 1});
  }

  Level level_;
  RunWatcher& watcher_;
  Court court_;
  Dock dock_;
  Deadline deadline_;
  std::optional<Baseline> against_;
};

/// Every state of the world that bears the stint's number. A walk goes no further than to the moves that first break a
/// promise: so it is not asked about those that the campaign has a finding of, and begins anew without those that the
/// other controller breaks as well, as long as it finds nothing else.
RunResult walk(const CampaignOptions& options, const CampaignState& state, const Stint& stint, RunWatcher& watcher,
               const std::atomic<bool>& stop) {
  ExploreOptions asked = walk_of(*options.controller, options.sets, stint.seed, stint.number);
  asked.level = options.level;
  asked.except = options.except | broken_so_far(state);
  asked.jobs = options.jobs;
  RunResult result;
  Hearing hearing(options, watcher, stop);
  Promises excused;
  do {
    asked.except |= excused;
    ExploreWatcher nobody;
    const Certificate walked = explore(asked, nobody, stop);
    result.verdict = walked.verdict;
    result.syncs += walked.syncs;
    result.situations |= walked.situations;
    result.seconds += walked.seconds;
    excused = hearing.hear(walked, result);
  } while (excused.any() && result.findings.empty() && result.inconclusive.empty());
  return result;
}

/// Trials of the random or the guided engine.
void try_many(const CampaignOptions& options, const CampaignState& state, Stint& stint, RunWatcher& watcher,
              const std::atomic<bool>& stop) {
  News news(state.tally.met);
  RunOptions asked{.controller = options.controller,
                   .level = options.level,
                   .except = options.except,
                   .sets = options.sets,
                   .seed = stint.seed,
                   .trials = options.stint_trials,
                   .time = {},
                   .jobs = options.jobs,
                   .against = options.against};
  std::optional<Guide> guide;
  if (stint.engine == Engine::guided) {
    asked.source = &guide.emplace(options.sets, stint.seed);
    for (const Kept& kept : state.corpus) guide->keep(kept.scenario);
  }
  std::optional<StoriesFirst> stories;
  if (stint.number == 0 && options.stories != nullptr) {
    asked.source = &stories.emplace(*options.stories, options.sets, stint.seed);
    asked.trials = std::max<std::uint64_t>(options.stint_trials, options.stories->size());
  }
  asked.news = &news;
  stint.result = run(asked, watcher, stop);
  stint.tally = news.tally();
  stint.encounters = (stint.tally.met & ~state.tally.met).count();
  for (News::Fresh& fresh : news.fresh()) stint.kept.push_back({stint.number, fresh.trial, std::move(fresh.scenario)});
}

}  // namespace

Stint run_stint(const CampaignOptions& options, const CampaignState& state, RunWatcher& watcher,
                const std::atomic<bool>& stop) {
  Stint stint;
  stint.number = state.stints;
  stint.seed = seed_of_stint(options, state.stints);
  stint.engine = engine_of_next(state, can_be_walked(*options.controller));
  if (stint.engine == Engine::exhaustive) stint.result = walk(options, state, stint, watcher, stop);
  else try_many(options, state, stint, watcher, stop);
  for (const Finding& finding : stint.result.findings) {
    CampaignFinding found{id_of(finding), finding, stint.seed};
    if (!is_had(state, found.id)) stint.findings.push_back(std::move(found));
  }
  return stint;
}

void add(CampaignState& state, const Stint& stint) {
  EngineRecord& record = state.engines[static_cast<std::size_t>(stint.engine)];
  record.yield = record.stints == 0 ? yield_of(stint) : (3 * record.yield + yield_of(stint)) / 4;
  ++record.stints;
  record.trials += stint.result.trials;
  record.syncs += stint.result.syncs;
  record.encounters += stint.encounters;
  record.findings += stint.findings.size();
  state.tally.add(stint.tally);
  state.counted += stint.result.trials;
  state.corpus.insert(state.corpus.end(), stint.kept.begin(), stint.kept.end());
  for (const CampaignFinding& found : stint.findings) state.finding_ids.push_back(found.id);
  ++state.stints;
}

double chance_of_news(const CampaignState& state) {
  return state.counted == 0 ? 1 : static_cast<double>(state.tally.once()) / static_cast<double>(state.counted);
}

}  // namespace ordeal::fuzz
