// Delta debugging over steps, then over what is left of each step and of the set, until nothing more can go.
//
// Asking is the expensive part, so big changes are tried before small ones and no scenario is asked about twice.
#include "properties/scenario/shrink.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "properties/scenario/gate_names.h"
#include "properties/scenario/simpler.h"

namespace ordeal::properties {

namespace {

/// Longer stories have too many pairs to ask about.
constexpr std::size_t pairs_up_to = 20;
constexpr std::size_t neighbours_up_to = 8;
constexpr std::int32_t behind_at_most = 256;  // further behind than any story is long

class Key {
 public:
  void number(std::int64_t value) { text_ += std::to_string(value) += ','; }
  void flag(bool value) { text_ += value ? '1' : '0'; }
  void word(std::string_view value) {
    number(static_cast<std::int64_t>(value.size()));
    text_ += value;
  }
  template <class T>
  void maybe(const std::optional<T>& value) {
    flag(value.has_value());
    if (value) number(static_cast<std::int64_t>(*value));
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_environment(Key& key, const Environment& e) {
  each_gate(e.api, [&](const Gate&, bool on) { key.flag(on); });
  each_gate(e.gates, [&](const Gate&, bool on) { key.flag(on); });
  key.number(e.list_order);
  key.flag(e.injects);
  key.flag(e.namesakes);
  key.flag(e.binds_late);
  key.number(e.versions_from);
  key.flag(e.between_seconds);
}

void add_selector(Key& key, const LabelSelector& selector) {
  for (const auto& [label, value] : selector.match_labels) {
    key.word(label);
    key.word(value);
  }
  for (const SelectorRequirement& r : selector.match_expressions) {
    key.word(r.key);
    key.number(static_cast<int>(r.op));
    for (const Text& value : r.values) key.word(value);
  }
}

void add_spec(Key& key, const StatefulSetSpec& spec) {
  key.maybe(spec.replicas);
  key.number(spec.min_ready_seconds);
  key.maybe(spec.revision_history_limit);
  key.maybe(spec.ordinals_start);
  key.number(std::ssize(spec.reserve_ordinals));
  for (const std::int32_t reserved : spec.reserve_ordinals) key.number(reserved);
  key.number(static_cast<int>(spec.pod_management) * 4 + static_cast<int>(spec.strategy));
  key.flag(spec.rolling_update.has_value());
  if (spec.rolling_update) {
    key.maybe(spec.rolling_update->partition);
    const auto& unavailable = spec.rolling_update->max_unavailable;
    key.number(unavailable ? unavailable->value * 2LL + (unavailable->percent ? 1 : 0) : -1);
  }
  key.number(spec.retention
                 ? static_cast<int>(spec.retention->when_deleted) * 2 + static_cast<int>(spec.retention->when_scaled)
                 : -1);
  for (const ClaimTemplate& claim : spec.claim_templates) {
    key.word(claim.name);
    key.flag(is_bare(claim));
  }
  add_selector(key, spec.selector);
  key.word(spec.pod_template->document);
}

/// Every field that simplifications may change; the same for two scenarios only when they are the same.
std::string key_of(const Scenario& scenario) {
  Key key;
  for (const Step& s : scenario.steps)
    for (const std::int32_t v : {std::int32_t{static_cast<std::uint8_t>(s.kind)}, std::int32_t{s.at_call}, s.a, s.b})
      key.number(v);
  add_environment(key, scenario.environment);
  const ObjectMeta& meta = scenario.set.meta;
  key.word(meta.name);
  key.word(meta.ns);
  for (const bool has :
       {meta.labels != nullptr, meta.annotations != nullptr, meta.owners != nullptr, meta.finalizers != nullptr})
    key.flag(has);
  add_spec(key, *scenario.set.spec);
  return key.take();
}

/// All that have a step less, then all that have a simpler set.
std::vector<Scenario> with_less(const Scenario& scenario) {
  std::vector<Scenario> made;
  for (std::size_t i = scenario.steps.size(); i-- > 0;) {
    made.push_back(scenario);
    made.back().steps.erase(made.back().steps.begin() + static_cast<std::ptrdiff_t>(i));
  }
  for (StatefulSet& set : simpler_sets(scenario.set)) {
    made.push_back(scenario);
    made.back().set = std::move(set);
  }
  return made;
}

StatefulSet with_history(StatefulSet set, std::int32_t limit) {
  StatefulSetSpec spec = *set.spec;
  spec.revision_history_limit = limit;
  set.spec = std::make_shared<const StatefulSetSpec>(std::move(spec));
  return set;
}

class Shrinker {
 public:
  Shrinker(Scenario scenario, const std::function<bool(const Scenario&)>& fails, ShrinkLimits limits)
      : best_(std::move(scenario)), fails_(fails), limits_(limits) {
    asked_.insert(key_of(best_));
  }

  Shrunk run() {
    truncate();
    keep_less_history();
    remove_chunks();
    do {
      while (simplify()) remove_chunks();
    } while (remove_pairs() || join_neighbours() || catch_up() || !is_minimal());
    return {.scenario = std::move(best_), .trials = trials_, .minimal = !spent_};
  }

 private:
  /// Takes the candidate if it fails too.
  bool take(Scenario candidate) {
    if (spent_ || !asked_.insert(key_of(candidate)).second) return false;
    if (trials_ == limits_.trials) {
      spent_ = true;
      return false;
    }
    ++trials_;
    if (!fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  /// Some bugs need a full revision history, which costs one step for each revision. So limits of 0 and 1 are tried
  /// first; where the limit does not matter, later simplifications take the earlier one back, or leave it out.
  void keep_less_history() {
    const std::string before = key_of(best_);
    if (take_set(with_history(best_.set, 0)) || take_set(with_history(best_.set, 1))) asked_.erase(before);
  }

  bool take_steps(std::vector<Step> steps) {
    return take({.set = best_.set, .environment = best_.environment, .steps = std::move(steps)});
  }
  bool take_set(StatefulSet set) {
    return take({.set = std::move(set), .environment = best_.environment, .steps = best_.steps});
  }

  static std::ptrdiff_t place(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

  bool remove(std::size_t from, std::size_t to) {
    std::vector<Step> steps = best_.steps;
    steps.erase(steps.begin() + place(from), steps.begin() + place(to));
    return take_steps(std::move(steps));
  }

  /// Keeps a shorter beginning that fails, by bisection: the shortest one, when every longer beginning fails as well.
  void truncate() {
    std::size_t low = 0;
    while (low < best_.steps.size()) {
      const std::size_t middle = low + (best_.steps.size() - low) / 2;
      if (!remove(middle, best_.steps.size())) low = middle + 1;
    }
  }

  /// Ever smaller pieces, from the end, and single steps until none can go.
  void remove_chunks() {
    for (std::size_t size = best_.steps.size() / 2; size > 1; size /= 2) remove_each(size);
    while (remove_each(1)) {
    }
  }
  bool remove_each(std::size_t size) {
    bool removed = false;
    for (std::size_t end = best_.steps.size(); end > 0;) {
      const std::size_t from = end > size ? end - size : 0;
      if (remove(from, end)) removed = true;
      end = from;
    }
    return removed;
  }

  bool remove_pairs() {
    if (best_.steps.size() > pairs_up_to) return false;
    for (std::size_t second = best_.steps.size(); second-- > 1;)
      for (std::size_t first = second; first-- > 0;) {
        std::vector<Step> steps = best_.steps;
        steps.erase(steps.begin() + place(second));
        steps.erase(steps.begin() + place(first));
        if (take_steps(std::move(steps))) return true;
      }
    return false;
  }

  /// One plain step of whatever kind in place of two. A race is many moves in one step, and makes nothing simpler.
  bool join_neighbours() {
    if (best_.steps.size() > neighbours_up_to) return false;
    for (std::size_t first = 0; first + 1 < best_.steps.size(); ++first)
      for (const StepInfo& row : step_table()) {
        if (row.kind == StepKind::race) continue;
        std::vector<Step> steps = best_.steps;
        steps.erase(steps.begin() + place(first));
        steps[first] = plainest(Step{.kind = row.kind});
        if (take_steps(std::move(steps))) return true;
      }
    return false;
  }

  /// How far a cache is behind is counted in events, of which a simpler story has fewer: so one step less, or a simpler
  /// set, and a cache that is less behind.
  bool catch_up() {
    return !spent_ &&
           std::ranges::any_of(with_less(best_), [&](const Scenario& less) { return take_less_behind(less); });
  }
  bool take_less_behind(const Scenario& scenario) {
    for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
      const Step& lagging = scenario.steps[i];
      if (info(lagging.kind).a.name != "behind") continue;
      for (std::int32_t behind = std::min(lagging.a, behind_at_most); behind-- > 0 && !spent_;) {
        Scenario candidate = scenario;
        candidate.steps[i].a = behind;
        if (take(std::move(candidate))) return true;
      }
    }
    return false;
  }

  bool simplify() {
    const bool shorter = settle_runs();
    const bool plainer_set = simplify_set();
    const bool plainer_steps = simplify_steps();
    return shorter || plainer_set || plainer_steps;
  }

  bool settle_runs() {
    bool shorter = false;
    for (std::size_t end = best_.steps.size(); end > 0;) {
      std::size_t from = end;
      while (from > 0 && is_progress(best_.steps[from - 1].kind)) --from;
      if (end - from > 1) {
        std::vector<Step> steps = best_.steps;
        steps.erase(steps.begin() + place(from) + 1, steps.begin() + place(end));
        steps[from] = Step{.kind = StepKind::settle};
        shorter |= take_steps(std::move(steps));
      }
      end = from > 0 ? from - 1 : 0;
    }
    return shorter;
  }

  bool simplify_steps() {
    bool simpler = false;
    std::vector<Step> plain = best_.steps;
    for (Step& step : plain) step = plainest(step);
    simpler |= take_steps(std::move(plain));
    for (std::size_t i = 0; i < best_.steps.size(); ++i)
      while (simplify_step(i)) simpler = true;
    return simpler;
  }
  bool simplify_step(std::size_t i) {
    for (const Step& step : simpler_steps(best_.steps[i])) {
      std::vector<Step> steps = best_.steps;
      steps[i] = step;
      if (take_steps(std::move(steps))) return true;
    }
    return false;
  }

  bool simplify_set() {
    bool simpler = take_set(plainest(best_.set));
    simpler |= take({.set = best_.set, .environment = {}, .steps = best_.steps});
    while (simplify_set_once()) simpler = true;
    return simpler;
  }
  bool simplify_set_once() {
    for (StatefulSet& set : simpler_sets(best_.set))
      if (take_set(std::move(set))) return true;
    return false;
  }

  /// Asks about every single simplification that was not asked about yet.
  bool is_minimal() {
    for (Scenario& candidate : simplifications(best_))
      if (take(std::move(candidate))) return false;
    return true;
  }

  Scenario best_;
  const std::function<bool(const Scenario&)>& fails_;
  ShrinkLimits limits_;
  std::unordered_set<std::string> asked_;  // only ever looked up
  std::size_t trials_ = 0;
  bool spent_ = false;
};

}  // namespace

bool is_progress(StepKind kind) {
  switch (kind) {
    case StepKind::sync:
    case StepKind::settle:
    case StepKind::deliver:
    case StepKind::deliver_all:
    case StepKind::relist:
    case StepKind::run_kubelets:
    case StepKind::start_pod:
    case StepKind::make_ready:
    case StepKind::stop_pod:
    case StepKind::collect:
    case StepKind::advance: return true;
    default: return false;
  }
}

Shrunk shrink(Scenario scenario, const std::function<bool(const Scenario&)>& fails, ShrinkLimits limits) {
  return Shrinker(std::move(scenario), fails, limits).run();
}

std::vector<Scenario> simplifications(const Scenario& scenario) {
  std::vector<Scenario> made = with_less(scenario);
  for (const Environment& environment : simpler_environments(scenario.environment)) {
    made.push_back(scenario);
    made.back().environment = environment;
  }
  for (std::size_t i = 0; i < scenario.steps.size(); ++i)
    for (const Step& step : simpler_steps(scenario.steps[i])) {
      made.push_back(scenario);
      made.back().steps[i] = step;
    }
  return made;
}

}  // namespace ordeal::properties
