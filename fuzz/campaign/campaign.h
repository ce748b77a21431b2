// A campaign: stints of trials, one after the other, of whichever engine has found most for its work.
//
// A stint is a pure function of the options, its number and what the campaign knew when it began; what it found is
// added to what is known when it has ended. So a campaign that was killed and goes on from its last whole stint ends as
// one that was left alone. Files are campaign/files.h. Covered by campaign_test.cpp.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "fuzz/engine/listed.h"
#include "fuzz/engine/news.h"
#include "fuzz/engine/run.h"

namespace ordeal::fuzz {

/// random: each trial is drawn anew; guided: around those in which something met for the first time (guide.h);
/// exhaustive: every state of a small world (worlds.h), which makes no trials and meets nothing for the tally.
enum class Engine : std::uint8_t { random, guided, exhaustive };
inline constexpr std::size_t engine_count = 3;
std::string_view name_of(Engine engine);

/// What an engine has done. Work is counted in syncs, which are the same on every machine.
struct EngineRecord {
  std::uint64_t stints = 0, trials = 0, syncs = 0, encounters = 0, findings = 0;
  std::uint64_t yield = 0;  // of late: news per thousand million syncs, a finding as much as `finding_worth` encounters
  friend bool operator==(const EngineRecord&, const EngineRecord&) = default;
};
inline constexpr std::uint64_t finding_worth = 100;

/// A scenario that was worth keeping.
struct Kept {
  std::uint64_t stint = 0, trial = 0;
  properties::Scenario scenario;
};

/// One broken promise for one minimal cause, however often it is found.
struct CampaignFinding {
  std::string id;  // id_of the finding
  Finding finding;
  std::uint64_t seed = 0;  // of the stint it was found in
};

struct CampaignState {
  std::uint64_t stints = 0;
  std::array<EngineRecord, engine_count> engines;
  Encountered tally;
  std::uint64_t counted = 0;             // trials of which it tells
  std::vector<Kept> corpus;              // in the order they were found
  std::vector<std::string> finding_ids;  // in the order they were found
};

struct CampaignOptions {
  const ControllerKind* controller = nullptr;
  properties::Level level = properties::Level::strict;
  properties::Promises except{};            // not asked
  const ControllerKind* against = nullptr;  // what this one breaks, too, in the same scenario, is no finding
  FirstSets sets;
  const Listed* stories = nullptr;  // what the first stint begins with, all of them; null for none
  std::uint64_t seed = 1;
  std::uint64_t stint_trials = 4000;
  unsigned jobs = 1;
};

struct Stint {
  std::uint64_t number = 0, seed = 0;
  Engine engine = Engine::random;
  RunResult result;
  std::vector<Kept> kept;  // for the corpus
  Encountered tally;
  std::vector<CampaignFinding> findings;  // that the campaign did not have
  std::size_t encounters = 0;             // new ones
};

/// Each in turn at first; then whoever has yielded most of late, and every fifth stint another one. Not all controllers
/// can be walked exhaustively.
Engine engine_of_next(const CampaignState& state, bool walkable);
std::uint64_t seed_of_stint(const CampaignOptions& options, std::uint64_t stint);
/// Runs the next stint. Ended by `stop` it is not whole, and must not be added.
Stint run_stint(const CampaignOptions& options, const CampaignState& state, RunWatcher& watcher,
                const std::atomic<bool>& stop);
void add(CampaignState& state, const Stint& stint);

/// Good and Turing's estimate of the chance that the next trial meets what none met: those met in one trial only, by
/// trials.
double chance_of_news(const CampaignState& state);

}  // namespace ordeal::fuzz
