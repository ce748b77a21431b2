#include "fuzz/engine/explain.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "properties/scenario/generate.h"
#include "properties/scenario/scenario_json.h"
#include "properties/scenario/shrink.h"

namespace ordeal::fuzz {

namespace {

using namespace properties;
using Json = nlohmann::json;

constexpr std::size_t random_continuations = 32, steps_of_a_continuation = 8;
constexpr std::uint64_t continuation_seed = 1;

std::string step_name(const Scenario& scenario, std::size_t i) {
  return "step " + std::to_string(i + 1) + ", " + describe(scenario.steps[i]);
}

/// Arguments of the second that the first has otherwise: "partition=0", or the whole step when its kind changed.
std::string difference(const Step& from, const Step& to) {
  if (from.kind != to.kind) return describe(to);
  const std::string before = describe(from), after = describe(to);
  std::string text;
  std::size_t at = 0;
  while (at < after.size()) {
    const std::size_t end = std::min(after.find(' ', at), after.size());
    const std::string word = after.substr(at, end - at);
    if ((" " + before + " ").find(" " + word + " ") == std::string::npos) text += (text.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return text.empty() ? "before no call" : text;
}

/// "/set/spec/updateStrategy/type" -> "spec.updateStrategy.type"
std::string path_text(std::string pointer) {
  constexpr std::string_view root = "/set";
  pointer.erase(0, pointer.starts_with(root) ? root.size() + 1 : 1);
  std::ranges::replace(pointer, '/', '.');
  return pointer;
}

Remedy field_remedy(const Scenario& from, const Scenario& to) {
  const Json before = Json::parse(write_scenario(from)), after = Json::parse(write_scenario(to));
  Remedy remedy;
  const auto add = [](std::string& list, const std::string& text) { list += (list.empty() ? "" : ", ") + text; };
  for (const Json& change : Json::diff(before, after)) {
    const std::string path = change["path"];
    const Json::json_pointer pointer(path);
    add(remedy.of, path_text(path) + (before.contains(pointer) ? " = " + before.at(pointer).dump() : " absent"));
    if (change["op"] != "remove") add(remedy.change, change["value"].dump());
  }
  return remedy;
}

/// What one change of a scenario was.
Remedy remedy_of(const Scenario& from, const Scenario& to) {
  if (from.steps == to.steps) return field_remedy(from, to);
  const auto [mine, other] = std::ranges::mismatch(from.steps, to.steps);
  const auto i = static_cast<std::size_t>(mine - from.steps.begin());
  if (to.steps.size() < from.steps.size()) return {step_name(from, i), ""};
  return {step_name(from, i), difference(*mine, *other)};
}

/// Numbers of steps and of the set, one more and one less.
std::vector<Scenario> neighbours(const Scenario& scenario) {
  std::vector<Scenario> made;
  for (std::size_t i = 0; i < scenario.steps.size(); ++i)
    for (const auto member : {&Step::a, &Step::b})
      for (const std::int32_t by : {-1, 1}) {
        const StepInfo& row = info(scenario.steps[i].kind);
        const Argument& argument = member == &Step::a ? row.a : row.b;
        const std::int64_t value = std::int64_t{scenario.steps[i].*member} + by;
        if (argument.name.empty() || !argument.words.empty() || value < argument.low || value > argument.high) continue;
        made.push_back(scenario);
        made.back().steps[i].*member = static_cast<std::int32_t>(value);
      }
  for (const std::int32_t by : {-1, 1}) {
    const std::int64_t replicas = std::int64_t{scenario.set.spec->replicas.value_or(1)} + by;
    if (replicas < 0 || replicas > properties::max_replicas) continue;
    auto spec = std::make_shared<StatefulSetSpec>(*scenario.set.spec);
    spec->replicas = static_cast<std::int32_t>(replicas);
    made.push_back(scenario);
    made.back().set.spec = std::move(spec);
  }
  return made;
}

class Explainer {
 public:
  Explainer(const Scenario& scenario, const Invariant& invariant, Dock& dock, Level level)
      : scenario_(scenario), dock_(dock), options_{.level = level, .only = &invariant} {}

  Explanation run() {
    find_needed();
    find_turning_point();
    find_nearest();
    return std::move(out_);
  }

 private:
  Verdict verdict_on(const Scenario& scenario) {
    ++out_.trials;
    return try_in(dock_, court_, scenario, options_).verdict;
  }
  bool breaks(const Scenario& scenario) { return verdict_on(scenario) == Verdict::violated; }
  bool holds(const Scenario& scenario) { return verdict_on(scenario) == Verdict::held; }
  Scenario beginning(std::size_t steps) const {
    Scenario cut = scenario_;
    cut.steps.resize(steps);
    return cut;
  }

  void find_needed() {
    for (std::size_t i = 0; i < scenario_.steps.size(); ++i) {
      Scenario without = scenario_;
      without.steps.erase(without.steps.begin() + static_cast<std::ptrdiff_t>(i));
      const Verdict verdict = verdict_on(without);
      if (verdict == Verdict::violated) out_.idle.push_back(step_name(scenario_, i));
      if (verdict == Verdict::held) out_.needed.push_back({step_name(scenario_, i), ""});
    }
    for (const Scenario& simpler : simplifications(scenario_)) {
      if (simpler.steps.size() < scenario_.steps.size() || !holds(simpler)) continue;
      Remedy remedy = remedy_of(scenario_, simpler);
      const bool told =
          std::ranges::any_of(out_.needed, [&](const Remedy& r) { return r.of == remedy.of && !r.change.empty(); });
      if (!told) out_.needed.push_back(std::move(remedy));
    }
  }

  void find_turning_point() {
    for (std::size_t steps = 0; steps <= scenario_.steps.size(); ++steps) {
      const Scenario cut = beginning(steps);
      if (!breaks(cut) || !all_continuations_break(cut)) continue;
      out_.unavoidable_after = steps;
      out_.continuations = random_continuations + 1;
      return;
    }
    out_.unavoidable_after = scenario_.steps.size();
    out_.continuations = 1;
  }
  bool all_continuations_break(const Scenario& cut) {
    for (std::size_t i = 0; i < random_continuations; ++i) {
      Scenario longer = cut;
      Seeded choices(seed_of_trial(continuation_seed, i));
      continue_scenario(choices, longer, cut.steps.size() + steps_of_a_continuation);
      if (!breaks(longer)) return false;
    }
    return true;
  }

  void find_nearest() {
    for (const Scenario& near : neighbours(scenario_))
      if (holds(near)) {
        out_.nearest = remedy_of(scenario_, near);
        return;
      }
    if (out_.needed.empty()) return;
    const auto changed = std::ranges::find_if(out_.needed, [](const Remedy& r) { return !r.change.empty(); });
    out_.nearest = changed != out_.needed.end() ? *changed : out_.needed.back();
  }

  const Scenario& scenario_;
  Dock& dock_;
  const TrialOptions options_;
  Court court_;
  Explanation out_;
};

}  // namespace

Explanation explain(const Scenario& scenario, const Invariant& invariant, Dock& dock, Level level) {
  return Explainer(scenario, invariant, dock, level).run();
}

}  // namespace ordeal::fuzz
