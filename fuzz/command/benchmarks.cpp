#include "fuzz/command/benchmarks.h"

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <chrono>
#include <deque>
#include <optional>

#include "core/controller/forwarding.h"
#include "fuzz/engine/run.h"
#include "properties/scenario/generate.h"
#include "properties/trial/judge.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;
using Clock = std::chrono::steady_clock;

constexpr std::int64_t scenario_count = 64;
constexpr std::size_t steps_of_a_trial = 32;
constexpr std::uint64_t bench_seed = 32;

/// Sees everything, thinks nothing.
class Nobody final : public Witness {
 public:
  void on_step(const World&, const TakenStep*, std::string_view) override {}
  void on_change(const World&) override {}
  void on_sync(const World&, const Sync&) override { ++syncs; }
  void on_settled(const World&, bool, int, int) override {}
  void on_rest(const World&, const Sync&) override { ++syncs; }
  std::uint64_t syncs = 0;
};

/// Passes everything on, and notes when the n-th step began and when the epilogue did.
class Timekeeper final : public Witness {
 public:
  Timekeeper(Witness& inner, int from_step) : inner_(inner), from_step_(from_step) {}
  void on_step(const World& world, const TakenStep* step, std::string_view note) override {
    if (step != nullptr && ++steps_ == from_step_) begun = Clock::now();
    if (step == nullptr && !ended) ended = Clock::now();
    inner_.on_step(world, step, note);
  }
  void on_change(const World& world) override { inner_.on_change(world); }
  void on_interrupted(const World& world, const Sync& sync) override { inner_.on_interrupted(world, sync); }
  void on_sync(const World& world, const Sync& sync) override { inner_.on_sync(world, sync); }
  void on_settled(const World& world, bool rested, int rounds, int bound) override {
    inner_.on_settled(world, rested, rounds, bound);
  }
  void on_rest(const World& world, const Sync& sync) override { inner_.on_rest(world, sync); }
  bool enough() const override { return ended.has_value(); }
  Clock::time_point begun{};
  std::optional<Clock::time_point> ended;

 private:
  Witness& inner_;
  int from_step_, steps_ = 0;
};

/// How long syncs take, and how much of that is the door's.
struct Times {
  Clock::duration syncs{}, calls{};
  std::uint64_t readings = 0;  // of the clock
};

class Watch {
 public:
  Watch(Times& times, Clock::duration& of) : times_(times), of_(of) {}
  ~Watch() {
    of_ += Clock::now() - begun_;
    ++times_.readings;
  }

 private:
  Times& times_;
  Clock::duration& of_;
  const Clock::time_point begun_ = Clock::now();
};

class TimedApi final : public Api {
 public:
  TimedApi(Api& inner, Times& times) : inner_(inner), times_(times) {}
  Reply call(Request request) override {
    const Watch watch(times_, times_.calls);
    return inner_.call(std::move(request));
  }

 private:
  Api& inner_;
  Times& times_;
};

class TimedController final : public Forwarding {
 public:
  TimedController(Controller& inner, Times& times) : Forwarding(inner), times_(times) {}
  SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {
    const Watch watch(times_, times_.syncs);
    TimedApi timed(api, times_);
    return inner_.sync(key, seen, timed, now);
  }

 private:
  Times& times_;
};

/// The program with a watch.
class Timed final : public Program {
 public:
  Timed(Program& inner, Times& times) : inner_(inner), times_(times) {}
  Controller* process(std::size_t which, const Gates& gates) override {
    return &timed_.emplace_back(*inner_.process(which, gates), times_);
  }

 private:
  Program& inner_;
  Times& times_;
  std::deque<TimedController> timed_;
};

const ControllerKind& strict() { return *find_controller("strict"); }

/// Seeds whose scenarios have exactly 32 steps.
const std::vector<std::uint64_t>& seeds_of_trials() {
  static const std::vector<std::uint64_t> seeds = [] {
    std::vector<std::uint64_t> found;
    for (std::uint64_t i = 0; std::ssize(found) < scenario_count; ++i) {
      Seeded choices(seed_of_trial(bench_seed, i));
      if (generate_scenario(choices, nullptr, steps_of_a_trial).steps.size() == steps_of_a_trial)
        found.push_back(seed_of_trial(bench_seed, i));
    }
    return found;
  }();
  return seeds;
}

Scenario scenario_of(std::uint64_t seed) {
  Seeded choices(seed);
  return generate_scenario(choices, nullptr, steps_of_a_trial);
}

/// What only users, kubelets and a healthy control plane do.
bool is_calm(const Step& step) {
  using enum StepKind;
  return step.at_call == 0 && step.kind != fault && step.kind != outage && step.kind != deliver &&
         step.kind != relist && step.kind != restart && step.kind != turn_gate && step.kind != hand_over &&
         step.kind != rival_sync && step.kind != skew_clock && step.kind != race;
}

/// The same without the adversary.
Scenario calm_scenario_of(std::uint64_t seed) {
  Scenario scenario = scenario_of(seed);
  std::erase_if(scenario.steps, [](const Step& step) { return !is_calm(step); });
  scenario.environment = {};
  return scenario;
}

void trial(benchmark::State& state, Scenario (*draw)(std::uint64_t seed)) {
  Court court;
  Dock dock(strict());
  std::uint64_t syncs = 0;
  for (auto _ : state) {
    for (const std::uint64_t seed : seeds_of_trials()) {
      const Scenario scenario = draw(seed);
      syncs += court.try_scenario(scenario, dock).syncs;
    }
  }
  state.SetItemsProcessed(state.iterations() * scenario_count);
  state.counters["syncs"] = benchmark::Counter(static_cast<double>(syncs), benchmark::Counter::kIsRate);
}

/// What a reading of the clock costs, so that it can be taken off.
double seconds_per_reading() {
  constexpr int readings = 100'000;
  const auto begun = Clock::now();
  for (int i = 0; i < readings; ++i) benchmark::DoNotOptimize(Clock::now());
  return std::chrono::duration<double>(Clock::now() - begun).count() / readings;
}

void trial_unjudged(benchmark::State& state) {
  World world;
  Dock dock(strict());
  Nobody nobody;
  for (auto _ : state) {
    for (const std::uint64_t seed : seeds_of_trials()) {
      const Scenario scenario = scenario_of(seed);
      simulate(world, scenario, dock, nobody);
    }
  }
  state.SetItemsProcessed(state.iterations() * scenario_count);
}

/// The time inside the controller in those trials, its calls included (`syncs`) or taken out (`decisions`), as manual
/// time.
void controller_alone(benchmark::State& state, bool with_calls) {
  World world;
  Dock dock(strict());
  Nobody nobody;
  const double reading = seconds_per_reading();
  for (auto _ : state) {
    double seconds = 0;
    for (const std::uint64_t seed : seeds_of_trials()) {
      const Scenario scenario = scenario_of(seed);
      Times times;
      Timed timed(dock, times);
      simulate(world, scenario, timed, nobody);
      const auto inside = with_calls ? times.syncs : times.syncs - times.calls;
      seconds += std::chrono::duration<double>(inside).count() - static_cast<double>(times.readings) * reading;
    }
    state.SetIterationTime(seconds);
  }
  state.SetItemsProcessed(state.iterations() * scenario_count);
}

StatefulSet plain_set(std::int32_t replicas, PodManagement policy) {
  const ReadSets read = read_sets("bench", R"(
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, namespace: default}
spec:
  serviceName: web
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
)");
  StatefulSet set = read.sets.at(0);
  auto spec = std::make_shared<StatefulSetSpec>(*set.spec);
  spec->replicas = replicas;
  spec->pod_management = policy;
  set.spec = std::move(spec);
  return set;
}

/// Updates, scaling and resyncs that find nothing to do.
Scenario rolling_life() {
  Scenario scenario{.set = plain_set(3, PodManagement::ordered_ready), .environment = {}, .steps = {}};
  const auto then = [&](StepKind kind, std::int32_t a = 0) { scenario.steps.push_back({.kind = kind, .a = a}); };
  const auto settled = [&] {
    then(StepKind::settle);
    for (int i = 0; i < 8; ++i) then(StepKind::sync);
  };
  settled();
  for (std::int32_t image = 1; image <= 6; ++image) {
    then(StepKind::edit_template, image);
    settled();
    then(StepKind::scale, image % 2 ? 4 : 2);
    settled();
    then(StepKind::scale, 3);
    settled();
  }
  return scenario;
}

void syncs(benchmark::State& state, bool checked) {
  const Scenario scenario = rolling_life();
  Court court;
  World world;
  Dock dock(strict());
  Nobody nobody;
  std::uint64_t count = 0;
  for (auto _ : state) {
    if (checked) count += court.try_scenario(scenario, dock).syncs;
    else simulate(world, scenario, dock, nobody);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(checked ? count : nobody.syncs));
}

std::size_t bytes_in_use() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

/// Quiet syncs of a settled set.
void sync_of_large_set(benchmark::State& state, bool checked) {
  const auto replicas = static_cast<std::int32_t>(state.range(0));
  const int syncs_each = std::max(10, 20'000 / replicas);
  Scenario scenario{.set = plain_set(replicas, PodManagement::parallel), .environment = {}, .steps = {}};
  scenario.steps.push_back({.kind = StepKind::settle});
  scenario.steps.insert(scenario.steps.end(), static_cast<std::size_t>(syncs_each), Step{.kind = StepKind::sync});
  Dock dock(strict());
  Nobody nobody;
  World first;  // takes what the allocator holds back and counts as in use; so the second world shows what one costs
  simulate(first, scenario, dock, nobody);
  double bytes = 0;
  for (auto _ : state) {
    const std::size_t before = bytes_in_use();
    World world;
    Judge judge;
    judge.begin(scenario, {});
    Timekeeper timekeeper(checked ? static_cast<Witness&>(judge) : nobody, 2);
    simulate(world, scenario, dock, timekeeper);
    if (bytes == 0) bytes = static_cast<double>(bytes_in_use()) - static_cast<double>(before);
    if (world.cluster().pods().live().size() != static_cast<std::size_t>(replicas))
      state.SkipWithError("the set did not settle");
    state.SetIterationTime(std::chrono::duration<double>(*timekeeper.ended - timekeeper.begun).count() / syncs_each);
  }
  state.counters["bytes_per_replica"] = bytes / replicas;
}

void generate(benchmark::State& state) {
  for (auto _ : state)
    for (const std::uint64_t seed : seeds_of_trials()) benchmark::DoNotOptimize(scenario_of(seed));
  state.SetItemsProcessed(state.iterations() * scenario_count);
}

/// Findings of the first trials of Kubernetes 1.37 at strict level, each as it was found.
std::vector<Finding> findings_to_shrink(const ControllerKind& kind) {
  constexpr std::uint64_t trials = 2000;
  constexpr std::size_t enough = 12;
  std::vector<Finding> found;
  Court court;
  Dock dock(kind);
  for (std::uint64_t i = 0; i < trials && found.size() < enough; ++i) {
    const Scenario scenario = scenario_of_trial({}, bench_seed, i);
    const TrialResult result = court.try_scenario(scenario, dock);
    if (!result.breaches.empty()) found.push_back(finding_in(scenario, result.breaches.front(), i));
  }
  return found;
}

void shrink_findings(benchmark::State& state) {
  const ControllerKind& kind = *find_controller("kubernetes-1.37");
  static const std::vector<Finding> found = findings_to_shrink(kind);
  Court court;
  Dock dock(kind);
  std::uint64_t shrunk = 0;
  if (found.empty()) state.SkipWithError("nothing was found that could be shrunk");
  for (auto _ : state) {
    Finding finding = found[shrunk++ % found.size()];
    shrink_finding(finding, court, dock, Level::strict, Deadline([] { return false; }));
    benchmark::DoNotOptimize(finding.scenario.steps.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(shrunk));
}

double seconds_of(const MeasuredByName& measured, const std::string& name) {
  const auto at = measured.find(name);
  return at == measured.end() ? 0 : at->second.seconds;
}

double counter_of(const MeasuredByName& measured, const std::string& name, const std::string& counter) {
  const auto at = measured.find(name);
  if (at == measured.end() || !at->second.counters.contains(counter)) return 0;
  return at->second.counters.at(counter);
}

double bytes_of(const MeasuredByName& measured, const std::string& name) {
  return counter_of(measured, name, "bytes_per_replica");
}

}  // namespace

void register_benchmarks() {
  using benchmark::RegisterBenchmark;
  RegisterBenchmark("trial/32_steps", [](auto& s) { trial(s, scenario_of); })->Unit(benchmark::kMillisecond);
  RegisterBenchmark("trial/calm", [](auto& s) { trial(s, calm_scenario_of); })->Unit(benchmark::kMillisecond);
  RegisterBenchmark("trial/32_steps/unjudged", trial_unjudged)->Unit(benchmark::kMillisecond);
  RegisterBenchmark("trial/32_steps/in_syncs", [](auto& s) { controller_alone(s, true); })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime();
  RegisterBenchmark("trial/32_steps/in_decisions", [](auto& s) { controller_alone(s, false); })
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime();
  RegisterBenchmark("syncs/checked", [](auto& s) { syncs(s, true); })->Unit(benchmark::kMicrosecond);
  RegisterBenchmark("syncs/bare", [](auto& s) { syncs(s, false); })->Unit(benchmark::kMicrosecond);
  for (const bool checked : {true, false})
    for (const int replicas : {3, 10, 100, 1000, 10000})
      RegisterBenchmark(checked ? "sync/checked" : "sync/bare", [checked](auto& s) { sync_of_large_set(s, checked); })
          ->Arg(replicas)
          ->Iterations(std::max(1, 1000 / replicas))
          ->Unit(benchmark::kMicrosecond)
          ->UseManualTime();
  RegisterBenchmark("generate", generate)->Unit(benchmark::kMicrosecond);
  RegisterBenchmark("shrink", shrink_findings)->Unit(benchmark::kMillisecond);
}

std::vector<Ratio> ratios_of(const MeasuredByName& measured) {
  std::vector<Ratio> ratios;
  const auto add = [&](std::string name, double above, double below, std::string about) {
    if (above > 0 && below > 0) ratios.push_back({std::move(name), above / below, std::move(about)});
  };
  const auto seconds = [&](const char* name) { return seconds_of(measured, name); };
  add("trial_to_syncs", seconds("trial/32_steps"), seconds("trial/32_steps/in_syncs"),
      "a whole trial to the time inside the controller, the API server's answers included");
  add("trial_to_decisions", seconds("trial/32_steps"), seconds("trial/32_steps/in_decisions"),
      "a whole trial to the time inside the controller, its calls taken out");
  add("judged_to_unjudged", seconds("trial/32_steps"), seconds("trial/32_steps/unjudged"),
      "a trial with and without a judge");
  add("calm_to_adversary", counter_of(measured, "trial/calm", "syncs"), counter_of(measured, "trial/32_steps", "syncs"),
      "syncs per second without and with the adversary");
  add("checked_to_bare", seconds("syncs/checked"), seconds("syncs/bare"),
      "a sync at 3 replicas with and without a judge");
  add("sync_growth", seconds("sync/checked/10000") / 10000, seconds("sync/checked/10") / 10,
      "checked sync time per replica, 10000 to 10 replicas; at most 1 when linear");
  add("memory_growth", bytes_of(measured, "sync/checked/10000"), bytes_of(measured, "sync/checked/10"),
      "bytes per replica, 10000 to 10 replicas; at most 1 when linear");
  return ratios;
}

}  // namespace ordeal::fuzz
