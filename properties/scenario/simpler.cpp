#include "properties/scenario/simpler.h"

#include <algorithm>
#include <ranges>

#include "properties/scenario/gate_names.h"
#include "properties/scenario/generate.h"

namespace ordeal::properties {

namespace {

/// Nearer to `target`: there at once, half way, one step.
std::vector<std::int32_t> nearer(std::int64_t value, std::int64_t target) {
  std::vector<std::int32_t> values;
  if (value == target) return values;
  const std::int64_t half = target + (value - target) / 2;
  const std::int64_t one = value + (value > target ? -1 : 1);
  for (const std::int64_t candidate : {target, half, one})
    if (const auto v = static_cast<std::int32_t>(candidate);
        candidate != value && std::find(values.begin(), values.end(), v) == values.end())
      values.push_back(v);
  return values;
}

std::int32_t simplest(const Argument& argument) {
  return argument.name.empty() ? 0 : std::clamp(0, argument.low, argument.high);
}

/// Words have an order only in that earlier ones are plainer, so each earlier one is a candidate.
std::vector<std::int32_t> simpler_values(const Argument& argument, std::int32_t value) {
  if (argument.words.empty()) return nearer(value, simplest(argument));
  std::vector<std::int32_t> values;
  for (std::int32_t v = argument.low; v < value && v <= argument.high; ++v) values.push_back(v);
  return values;
}

/// The same thing done in a plainer way, with the arguments both kinds have.
Step as_kind(const Step& step, StepKind kind) {
  const StepInfo& row = info(kind);
  Step made = plainest(Step{.kind = kind});
  if (row.between_calls) made.at_call = step.at_call;
  if (!row.a.name.empty() && row.a.name == info(step.kind).a.name) made.a = step.a;
  return made;
}

/// Collects copies of a set with one change each.
class Changes {
 public:
  explicit Changes(const StatefulSet& set) : set_(set) {}
  template <class Edit>
  void add(Edit edit) {
    StatefulSet changed = set_;
    auto spec = std::make_shared<StatefulSetSpec>(*set_.spec);
    edit(changed.meta, *spec);
    changed.spec = std::move(spec);
    made_.push_back(std::move(changed));
  }
  template <class Edit>
  void spec(Edit edit) {
    add([&](ObjectMeta&, StatefulSetSpec& s) { edit(s); });
  }
  std::vector<StatefulSet> take() { return std::move(made_); }

 private:
  const StatefulSet& set_;
  std::vector<StatefulSet> made_;
};

bool is_plain_rolling(const StatefulSetSpec& spec) {
  return spec.strategy == Strategy::rolling_update && spec.rolling_update.has_value();
}

void simplify_strategy(const StatefulSetSpec& spec, Changes& changes) {
  if (!is_plain_rolling(spec)) {
    changes.spec([](StatefulSetSpec& s) {
      s.strategy = Strategy::rolling_update;
      s.rolling_update.emplace();
    });
    return;
  }
  if (const auto& partition = spec.rolling_update->partition) {
    changes.spec([](StatefulSetSpec& s) { s.rolling_update->partition.reset(); });
    for (const std::int32_t v : nearer(*partition, 0))
      changes.spec([&](StatefulSetSpec& s) { s.rolling_update->partition = v; });
  }
  if (const auto& unavailable = spec.rolling_update->max_unavailable) {
    changes.spec([](StatefulSetSpec& s) { s.rolling_update->max_unavailable.reset(); });
    if (unavailable->percent)
      changes.spec([](StatefulSetSpec& s) { s.rolling_update->max_unavailable = IntOrPercent{1, false}; });
    for (const std::int32_t v : nearer(unavailable->value, 1))
      changes.spec([&](StatefulSetSpec& s) { s.rolling_update->max_unavailable->value = v; });
  }
}

void simplify_numbers(const StatefulSetSpec& spec, Changes& changes) {
  if (spec.replicas)
    for (const std::int32_t v : nearer(*spec.replicas, 0)) changes.spec([&](StatefulSetSpec& s) { s.replicas = v; });
  for (const std::int32_t v : nearer(spec.min_ready_seconds, 0))
    changes.spec([&](StatefulSetSpec& s) { s.min_ready_seconds = v; });
  if (const auto& limit = spec.revision_history_limit) {
    changes.spec([](StatefulSetSpec& s) { s.revision_history_limit.reset(); });
    for (const std::int32_t v : nearer(*limit, *limit < 0 ? -1 : 0))
      changes.spec([&](StatefulSetSpec& s) { s.revision_history_limit = v; });
  }
  if (spec.ordinals_start) {
    changes.spec([](StatefulSetSpec& s) { s.ordinals_start.reset(); });
    for (const std::int32_t v : nearer(*spec.ordinals_start, 0))
      changes.spec([&](StatefulSetSpec& s) { s.ordinals_start = v; });
  }
  if (spec.reserve_ordinals.size() > 1) changes.spec([](StatefulSetSpec& s) { s.reserve_ordinals.clear(); });
  for (std::size_t i = 0; i < spec.reserve_ordinals.size(); ++i)
    changes.spec([&](StatefulSetSpec& s) { s.reserve_ordinals.erase(s.reserve_ordinals.begin() + std::ptrdiff_t(i)); });
}

void simplify_claims(const StatefulSetSpec& spec, Changes& changes) {
  if (spec.claim_templates.size() > 1) changes.spec([](StatefulSetSpec& s) { s.claim_templates.clear(); });
  for (std::size_t i = spec.claim_templates.size(); i-- > 0;)
    changes.spec([&](StatefulSetSpec& s) {
      s.claim_templates.erase(s.claim_templates.begin() + static_cast<std::ptrdiff_t>(i));
    });
  for (std::size_t i = 0; i < spec.claim_templates.size(); ++i)
    if (!is_bare(spec.claim_templates[i]))
      changes.spec([&](StatefulSetSpec& s) {
        ClaimTemplate& claim = s.claim_templates[i];
        ClaimTemplate bare;
        bare.name = claim.name;
        bare.spec = claim.spec;
        claim = std::move(bare);
      });
}

void simplify_retention(const StatefulSetSpec& spec, Changes& changes) {
  if (!spec.retention) return;
  changes.spec([](StatefulSetSpec& s) { s.retention.reset(); });
  if (spec.retention->when_deleted != Retention::retain)
    changes.spec([](StatefulSetSpec& s) { s.retention->when_deleted = Retention::retain; });
  if (spec.retention->when_scaled != Retention::retain)
    changes.spec([](StatefulSetSpec& s) { s.retention->when_scaled = Retention::retain; });
}

/// One requirement less still selects what it selected, as long as something is left to select by. A label is plainer
/// than an expression.
void simplify_selector(const StatefulSetSpec& spec, Changes& changes) {
  const LabelSelector& selector = spec.selector;
  const StringMap& labels = spec.pod_template->labels;
  if (selector.match_labels.empty() && !labels.empty())
    changes.spec([&](StatefulSetSpec& s) {
      s.selector = {};
      s.selector.match_labels.set(labels.begin()->first, labels.begin()->second);
    });
  for (std::size_t i = selector.match_expressions.size(); i-- > 0;)
    if (!selector.match_labels.empty() || selector.match_expressions.size() > 1)
      changes.spec([&](StatefulSetSpec& s) {
        s.selector.match_expressions.erase(s.selector.match_expressions.begin() + static_cast<std::ptrdiff_t>(i));
      });
  if (selector.match_labels.size() + selector.match_expressions.size() < 2) return;
  for (const auto& [key, value] : std::views::reverse(selector.match_labels))
    changes.spec([&](StatefulSetSpec& s) { s.selector.match_labels.erase(key); });
}

void simplify_template(const StatefulSetSpec& spec, Changes& changes) {
  const Shared<PodTemplate> bare = bare_template(*spec.pod_template);
  if (bare->faults.empty() && !same(bare, spec.pod_template))
    changes.spec([&](StatefulSetSpec& s) { s.pod_template = bare; });
}

}  // namespace

Step plainest(const Step& step) {
  const StepInfo& row = info(step.kind);
  return {.kind = step.kind, .at_call = 0, .a = simplest(row.a), .b = simplest(row.b)};
}

std::vector<Step> simpler_steps(const Step& step) {
  const StepInfo& row = info(step.kind);
  std::vector<Step> steps;
  const auto add = [&](auto edit) {
    steps.push_back(step);
    edit(steps.back());
  };
  for (const std::int32_t v : nearer(step.at_call, 0)) add([&](Step& s) { s.at_call = static_cast<std::uint8_t>(v); });
  if (row.simpler != step.kind) steps.push_back(as_kind(step, row.simpler));
  if (!row.a.name.empty())
    for (const std::int32_t v : simpler_values(row.a, step.a)) add([&](Step& s) { s.a = v; });
  if (!row.b.name.empty())
    for (const std::int32_t v : simpler_values(row.b, step.b)) add([&](Step& s) { s.b = v; });
  return steps;
}

StatefulSet plainest(const StatefulSet& set) {
  StatefulSet plain = set;
  plain.meta.name = "web";
  if (!is_in_default_namespace(plain.meta)) plain.meta.ns = "default";
  plain.meta.labels = plain.meta.annotations = nullptr;
  plain.meta.owners = nullptr;
  plain.meta.finalizers = nullptr;
  auto spec = std::make_shared<StatefulSetSpec>();
  spec->replicas = set.spec->replicas;
  spec->selector = set.spec->selector;
  spec->service_name = set.spec->service_name;
  spec->pod_template = set.spec->pod_template;
  spec->rolling_update.emplace();
  plain.spec = std::move(spec);
  return plain;
}

std::vector<StatefulSet> simpler_sets(const StatefulSet& set) {
  const StatefulSetSpec& spec = *set.spec;
  Changes changes(set);
  simplify_numbers(spec, changes);
  simplify_strategy(spec, changes);
  if (spec.pod_management != PodManagement::ordered_ready)
    changes.spec([](StatefulSetSpec& s) { s.pod_management = PodManagement::ordered_ready; });
  simplify_claims(spec, changes);
  simplify_retention(spec, changes);
  simplify_selector(spec, changes);
  simplify_template(spec, changes);
  if (!(set.meta.name == "web")) changes.add([](ObjectMeta& meta, StatefulSetSpec&) { meta.name = "web"; });
  if (!is_in_default_namespace(set.meta)) changes.add([](ObjectMeta& meta, StatefulSetSpec&) { meta.ns = "default"; });
  if (set.meta.labels) changes.add([](ObjectMeta& meta, StatefulSetSpec&) { meta.labels = nullptr; });
  if (set.meta.annotations) changes.add([](ObjectMeta& meta, StatefulSetSpec&) { meta.annotations = nullptr; });
  if (set.meta.owners) changes.add([](ObjectMeta& meta, StatefulSetSpec&) { meta.owners = nullptr; });
  if (set.meta.finalizers) changes.add([](ObjectMeta& meta, StatefulSetSpec&) { meta.finalizers = nullptr; });
  return changes.take();
}

std::vector<Environment> simpler_environments(const Environment& environment) {
  std::vector<Environment> made;
  const auto reset = [&](auto side, auto gate) {
    Environment changed = environment;
    changed.*side.*gate = true;
    if (!(changed == environment)) made.push_back(changed);
  };
  each_gate(environment.api, [&](const Gate& gate, bool) { reset(&Environment::api, gate.api); });
  each_gate(environment.gates, [&](const Gate& gate, bool) { reset(&Environment::gates, gate.controller); });
  const auto clear = [&](auto field) {
    Environment changed = environment;
    changed.*field = {};
    if (!(changed == environment)) made.push_back(changed);
  };
  clear(&Environment::list_order);
  clear(&Environment::versions_from);
  clear(&Environment::injects);
  clear(&Environment::namesakes);
  clear(&Environment::binds_late);
  clear(&Environment::between_seconds);
  return made;
}

}  // namespace ordeal::properties
