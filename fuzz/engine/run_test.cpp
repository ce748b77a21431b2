#include "fuzz/engine/run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <thread>

#include "core/controller/reference.h"
#include "core/controller/releases.h"
#include "properties/invariants/catalogue.h"
#include "properties/scenario/known_fields.h"
#include "properties/scenario/scenario_json.h"

namespace ordeal::fuzz {
namespace {

using properties::Verdict;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// Writes down what it was told.
class Notes : public RunWatcher {
 public:
  void on_found(const Finding& finding) override { lines.push_back("found " + std::string(finding.invariant->id)); }
  void on_shrunk(const Finding& finding) override { lines.push_back("shrunk " + std::string(finding.invariant->id)); }
  void on_standing(std::span<const Finding* const> findings) override {
    standing[std::string(findings.front()->invariant->id)] = findings.size();
  }
  void on_progress(const Progress& progress) override { last = progress; }
  std::chrono::milliseconds progress_every() const override { return std::chrono::milliseconds(5); }
  std::vector<std::string> lines;
  std::map<std::string, std::size_t> standing;  // how many findings of an invariant
  Progress last;
};

class Idle final : public Controller {
 public:
  SyncResult sync(const Key&, const View&, Api&, Time) override { return {}; }
  std::string_view name() const override { return "idle"; }
};

/// The reference, but it throws when it sees a set with two replicas.
class Fragile final : public Controller {
 public:
  explicit Fragile(const Gates& gates) : inner_(make_reference(strict_rules(), gates)) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const StatefulSet* set = seen.sets.find(key.name);
    if (set != nullptr && set->spec->replicas == 2) throw std::runtime_error("two is too many");
    return inner_->sync(key, seen, api, now);
  }
  void restart() override { inner_->restart(); }
  std::string_view name() const override { return "fragile"; }

 private:
  std::unique_ptr<Controller> inner_;
};

const ControllerKind idle{"idle", "does nothing", properties::Level::strict,
                          [](const Gates&) { return std::make_unique<Idle>(); }};
const ControllerKind fragile{"fragile", "throws now and then", properties::Level::strict,
                             [](const Gates& gates) { return std::make_unique<Fragile>(gates); }};

/// Breaks down as soon as it is told of progress.
struct Moody final : Notes {
  void on_progress(const Progress&) override { throw std::runtime_error("out of cheese"); }
};

RunResult run_trials(const ControllerKind& kind, std::uint64_t trials, unsigned jobs, std::uint64_t seed = 7) {
  Notes notes;
  const std::atomic<bool> never = false;
  return run({.controller = &kind, .sets = {}, .seed = seed, .trials = trials, .time = {}, .jobs = jobs}, notes, never);
}

/// All of a result that may not depend on jobs or machine.
std::string essence(const RunResult& result) {
  std::string text = std::to_string(static_cast<int>(result.verdict)) + " " + std::to_string(result.trials) + " " +
                     std::to_string(result.syncs) + " " + std::to_string(result.calls) + " " +
                     std::to_string(result.digest) + "\n" + result.situations.to_string() + "\n";
  for (const Finding& f : result.findings)
    text += std::string(f.invariant->id) + " " + std::to_string(f.trial) + " " + f.breach.violation.claim + "\n" +
            (f.cause ? f.cause->text() : "") + "\n" + properties::write_scenario(f.scenario);
  for (const Unclear& u : result.inconclusive)
    text += u.reason + " " + std::to_string(u.trial) + " " + std::to_string(u.times) + "\n";
  return text;
}

TEST(Run, TheResultDoesNotDependOnJobs) {
  for (const ControllerKind* kind : {&*find_controller("kubernetes-1.37"), &idle, &fragile}) {
    const std::string one = essence(run_trials(*kind, 300, 1));
    EXPECT_EQ(one, essence(run_trials(*kind, 300, 2))) << kind->name;
    EXPECT_EQ(one, essence(run_trials(*kind, 300, 5))) << kind->name;
    EXPECT_NE(one, essence(run_trials(*kind, 300, 1, 8))) << "the seed must matter to " << kind->name;
  }
}

TEST(Run, TheStrictReferenceHolds) {
  const RunResult result = run_trials(*find_controller("strict"), 2000, 1);
  EXPECT_EQ(result.verdict, Verdict::held) << essence(result);
  EXPECT_EQ(result.trials, 2000u);
  EXPECT_GT(result.syncs, result.trials);
}

TEST(Run, AFindingIsATrialShrunkToAMinimumAndItsCause) {
  const RunResult result = run_trials(idle, 50, 2);
  EXPECT_EQ(result.verdict, Verdict::violated);
  ASSERT_THAT(result.findings, Not(IsEmpty()));
  for (const Finding& finding : result.findings) {
    EXPECT_TRUE(finding.minimal) << finding.invariant->id;
    EXPECT_TRUE(finding.is_reproduced()) << finding.invariant->id;
    EXPECT_EQ(finding.cause, properties::cause_of(finding.scenario)) << finding.invariant->id;
    EXPECT_LE(finding.scenario.steps.size(), finding.steps_found);
    EXPECT_EQ(scenario_of_trial({}, 7, finding.trial).steps.size(), finding.steps_found);
  }
}

TEST(Run, WhatIsKeptAsFoundIsTheScenarioOfItsTrial) {
  Notes notes;
  const std::atomic<bool> never = false;
  const RunResult result =
      run({.controller = &idle, .sets = {}, .seed = 7, .trials = 50, .time = {}, .shrinking = Shrinking::never}, notes,
          never);
  std::set<std::string_view> promises;
  for (const Finding& finding : result.findings) {
    EXPECT_TRUE(promises.insert(finding.invariant->id).second) << finding.invariant->id << " is told twice";
    properties::Scenario drawn = scenario_of_trial({}, 7, finding.trial);
    leave_out_unknown(drawn, known_fields(idle.name));
    EXPECT_EQ(properties::write_scenario(finding.scenario), properties::write_scenario(drawn));
    EXPECT_TRUE(finding.is_reproduced());
  }
  for (const Finding& finding : run_trials(idle, 50, 2).findings)
    EXPECT_TRUE(promises.contains(finding.invariant->id)) << finding.invariant->id << " is found either way";
}

TEST(Run, ShrinkingAtTheEndComesToTheSame) {
  for (const unsigned jobs : {1u, 3u}) {
    Notes notes;
    const std::atomic<bool> never = false;
    const RunResult result = run({.controller = &idle,
                                  .sets = {},
                                  .seed = 7,
                                  .trials = 50,
                                  .time = {},
                                  .jobs = jobs,
                                  .shrinking = Shrinking::at_end},
                                 notes, never);
    EXPECT_EQ(essence(result), essence(run_trials(idle, 50, 1)));
    if (jobs > 1) continue;  // another may still be at its last trial when one begins to shrink
    EXPECT_TRUE(
        std::ranges::is_partitioned(notes.lines, [](const std::string& line) { return line.starts_with("found "); }));
  }
}

/// Draws as a run does, and takes its time over one trial.
class Dawdling final : public ScenarioSource {
 public:
  Dawdling(std::uint64_t trial, std::chrono::milliseconds time) : trial_(trial), time_(time) {}
  properties::Scenario scenario(std::uint64_t trial) const override {
    if (trial == trial_) std::this_thread::sleep_for(time_);
    return scenario_of_trial({}, 7, trial);
  }

 private:
  const std::uint64_t trial_;
  const std::chrono::milliseconds time_;
};

TEST(Run, WithoutTimeLeftToShrinkFindingsStandAsTheyWereFound) {
  Notes notes;
  const std::atomic<bool> never = false;
  const auto limit = std::chrono::milliseconds(400);
  const Dawdling source(19, limit);
  const RunResult result = run({.controller = &idle,
                                .sets = {},
                                .seed = 7,
                                .trials = 20,
                                .time = limit,
                                .source = &source,
                                .shrinking = Shrinking::at_end},
                               notes, never);
  ASSERT_THAT(result.findings, Not(IsEmpty()));
  std::set<std::string_view> promises;
  for (const Finding& finding : result.findings) {
    EXPECT_TRUE(promises.insert(finding.invariant->id).second) << finding.invariant->id << " is told twice";
    EXPECT_EQ(finding.scenario.steps.size(), finding.steps_found);
    EXPECT_TRUE(finding.is_reproduced() && !finding.minimal && !finding.cause) << finding.invariant->id;
  }
}

/// Does nothing, and takes its time over it.
class Sleepy final : public Controller {
 public:
  SyncResult sync(const Key&, const View&, Api&, Time) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return {};
  }
  std::string_view name() const override { return "sleepy"; }
};

TEST(Run, ASlowProgramThatBreaksManyPromisesAtOnceIsTriedOnAllTheSame) {
  ControllerKind sleepy{"sleepy", "a slow program", properties::Level::strict,
                        [](const Gates&) { return std::make_unique<Sleepy>(); }};
  sleepy.external = true;
  Notes notes;
  const std::atomic<bool> never = false;
  const auto time = std::chrono::milliseconds(2000);
  const RunResult result =
      run({.controller = &sleepy, .sets = {}, .seed = 7, .trials = {}, .time = time}, notes, never);
  EXPECT_EQ(result.verdict, Verdict::violated);
  EXPECT_GT(result.trials, 3u) << "and not shrunk from its first trial on until the time is up";
  EXPECT_LT(result.seconds, 6);
}

TEST(Run, TwoCausesOfOneInvariantAreTwoFindings) {
  const RunResult result = run_trials(*find_controller("kubernetes-1.37"), 1500, 2);
  std::set<std::string> stories;
  std::map<std::string_view, std::size_t> findings_of;
  for (const Finding& finding : result.findings) {
    ASSERT_TRUE(finding.cause.has_value()) << finding.invariant->id;
    EXPECT_TRUE(stories.insert(std::string(finding.invariant->id) + finding.cause->text()).second)
        << finding.invariant->id << " is told twice: " << finding.cause->text();
    ++findings_of[finding.invariant->id];
  }
  EXPECT_TRUE(std::ranges::any_of(findings_of, [](const auto& entry) { return entry.second > 1; }));
  for (const Finding& a : result.findings)
    for (const Finding& b : result.findings)
      EXPECT_FALSE(a.invariant == b.invariant && is_noisier(*a.cause, *b.cause)) << a.cause->text();
}

TEST(Run, TheWatcherHearsOfAFindingBeforeAndAfterShrinking) {
  Notes notes;
  const std::atomic<bool> never = false;
  const RunResult result = run({.controller = &idle, .sets = {}, .trials = 20, .time = {}}, notes, never);
  ASSERT_THAT(result.findings, Not(IsEmpty()));
  EXPECT_EQ(notes.lines[0].substr(0, 6), "found ");
  EXPECT_THAT(notes.lines, Contains("shrunk " + notes.lines[0].substr(6)));
  std::map<std::string, std::size_t> in_result;
  for (const Finding& finding : result.findings) {
    const std::string id(finding.invariant->id);
    ++in_result[id];
    const auto found = std::ranges::find(notes.lines, "found " + id);
    const auto shrunk = std::ranges::find(notes.lines, "shrunk " + id);
    EXPECT_LT(found, shrunk) << id;
    EXPECT_NE(shrunk, notes.lines.end()) << id;
  }
  EXPECT_EQ(notes.standing, in_result) << "what the watcher was told last is what the result says";
}

TEST(Run, ATrialThatThrowsIsInconclusiveWithItsReason) {
  const RunResult result = run_trials(fragile, 200, 2);
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  ASSERT_THAT(result.inconclusive, SizeIs(1));
  EXPECT_EQ(result.inconclusive[0].reason, "two is too many");
  EXPECT_GT(result.inconclusive[0].times, 1u);
  EXPECT_EQ(result.trials, 200u) << "the others go on";
}

TEST(Run, WithoutATrialThereIsNoVerdict) {
  const RunResult result = run_trials(*find_controller("strict"), 0, 2);
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  EXPECT_EQ(result.trials, 0u);
}

TEST(Run, StopEndsItWithTheVerdictSoFar) {
  Notes notes;
  const std::atomic<bool> stopped = true;
  const RunResult result =
      run({.controller = find_controller("strict"), .sets = {}, .trials = {}, .time = {}}, notes, stopped);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.trials, 0u);
}

TEST(Run, TimeEndsIt) {
  Notes notes;
  const std::atomic<bool> never = false;
  const auto limit = std::chrono::milliseconds(100);
  const RunResult result =
      run({.controller = find_controller("strict"), .sets = {}, .trials = {}, .time = limit}, notes, never);
  EXPECT_GT(result.trials, 0u);
  EXPECT_GE(result.seconds, 0.1);
  EXPECT_GT(notes.last.seconds, 0) << "progress was shown";
}

TEST(Run, GivenSetsAreWhereScenariosStart) {
  const ReadSets read =
      read_sets("one.yaml", R"({"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "solo"},
    "spec": {"serviceName": "solo", "selector": {"matchLabels": {"a": "b"}},
             "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}})");
  const FirstSets sets{.given = read.sets, .drawn_too = true};
  EXPECT_EQ(scenario_of_trial(sets, 1, 0).set.meta.name, "solo");
  EXPECT_EQ(scenario_of_trial(sets, 1, 2).set.meta.name, "solo");
  EXPECT_FALSE(scenario_of_trial(sets, 1, 1).set.meta.name == "solo");
}

TEST(Run, WhatDoesNotBreakAgainIsNotClaimed) {
  // A program that is idle where it was first started, and well wherever it is started again.
  auto starts = std::make_shared<std::atomic<int>>(0);
  ControllerKind moody{.name = "moody", .about = "is idle at first", .level = properties::Level::strict, .make = {}};
  moody.open = [starts] { return (*starts)++ == 0 ? idle.make : find_controller("strict")->make; };
  const RunResult result = run_trials(moody, 40, 1);
  EXPECT_GT(*starts, 1) << "a finding is tried again where nothing was before";
  EXPECT_THAT(result.findings, IsEmpty());
  EXPECT_EQ(result.verdict, Verdict::inconclusive);
  ASSERT_THAT(result.inconclusive, Not(IsEmpty()));
  EXPECT_TRUE(result.inconclusive[0].reason.contains("was broken, but not when the same scenario was tried"))
      << result.inconclusive[0].reason;
}

TEST(Run, WhatGoesDifferentlyWhenLookedAtAgainHasNoVerdict) {
  Notes notes;
  const std::atomic<bool> never = false;
  RunOptions options{.controller = &idle, .sets = {}, .seed = 7, .trials = 40, .time = {}};
  std::uint64_t looks = 0;
  options.second_look = [&](const properties::Scenario&, Dock&) -> std::optional<std::string> {
    if (++looks % 2 == 0) return std::nullopt;
    return "it was not the same\nin sync 3";
  };
  const RunResult result = run(options, notes, never);
  EXPECT_EQ(looks, 40u);
  ASSERT_THAT(result.inconclusive, SizeIs(1));
  EXPECT_EQ(result.inconclusive[0].reason, "it was not the same\nin sync 3");
  EXPECT_EQ(result.inconclusive[0].times, 20u);
  for (const Finding& finding : result.findings) EXPECT_EQ(finding.trial % 2, 1u) << "the others are not claimed";
  for (const std::uint64_t trials : result.occasions) EXPECT_LE(trials, 20u) << "and have held nothing";
}

TEST(Run, OccasionsAreTrialsInWhichAPromiseWasJudged) {
  const RunResult result = run_trials(*find_controller("strict"), 60, 2);
  ASSERT_EQ(result.occasions.size(), properties::catalogue.size());
  for (std::size_t i = 0; i < result.occasions.size(); ++i) {
    EXPECT_LE(result.occasions[i], 60u);
    EXPECT_EQ(result.occasions[i] > 0, result.situations.test(properties::situation_of_invariant(i)))
        << properties::catalogue[i].id;
  }
  EXPECT_EQ(run_trials(*find_controller("strict"), 60, 1).occasions, result.occasions);
}

TEST(Run, AWatcherThatBreaksDownEndsIt) {
  Moody moody;
  const std::atomic<bool> stop = false;
  const RunOptions endless{.controller = &idle, .sets = {}, .seed = 7, .trials = {}, .time = {}, .jobs = 2};
  EXPECT_THROW(run(endless, moody, stop), std::runtime_error);
}

}  // namespace
}  // namespace ordeal::fuzz
