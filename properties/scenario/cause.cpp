#include "properties/scenario/cause.h"

#include <algorithm>

#include "properties/scenario/counted.h"
#include "properties/scenario/gate_names.h"
#include "properties/scenario/generate.h"
#include "properties/scenario/shrink.h"
#include "properties/scenario/simpler.h"

namespace ordeal::properties {

namespace {

/// Names of what is not plain, or of what happens.
class Names {
 public:
  void add(bool is_plain, std::string_view name) {
    if (!is_plain) names_.emplace_back(name);
  }
  std::vector<std::string> take() {
    std::ranges::sort(names_);
    names_.erase(std::ranges::unique(names_).begin(), names_.end());
    return std::move(names_);
  }

 private:
  std::vector<std::string> names_;
};

// --- steps -----------------------------------------------------------------------------------------------------------

/// " as=leading-zero", " partition<0"; nothing for what is plainest, or a number.
std::string word_of(const Argument& argument, std::int32_t value) {
  if (argument.name.empty()) return {};
  const std::string start = " " + std::string(argument.name);
  if (argument.words.empty()) return value < 0 ? start + "<0" : "";
  const bool is_word = value > 0 && static_cast<std::size_t>(value) < argument.words.size();
  return is_word ? start + "=" + std::string(argument.words[static_cast<std::size_t>(value)]) : "";
}

/// A pod that was given a node and does not start may keep its claims from going, which is a sort of its own.
TemplateFlavour plainest_of_sort(TemplateFlavour flavour) {
  if (!is_broken(flavour)) return TemplateFlavour::plain;
  return flavour == TemplateFlavour::unpulled ? flavour : TemplateFlavour::unready;
}

/// The plainest step of the same sort.
Step plainest_of_sort(Step step) {
  using enum StepKind;
  while (info(step.kind).simpler != step.kind) step.kind = info(step.kind).simpler;
  switch (step.kind) {
    case restart_rollout: return {.kind = edit_template};
    case edit_template:
      return {.kind = edit_template,
              .b = static_cast<std::int32_t>(plainest_of_sort(static_cast<TemplateFlavour>(step.b)))};
    case restart: return {.kind = restart};  // which cache is fresh says little
    default: return step;
  }
}

/// A call that fails is one of a sort, but how it fails is said by arguments of its own kind.
std::string words_of(const Step& step, bool by_sort) {
  const bool keeps_kind = !by_sort || step.kind == StepKind::outage;
  const Step plain = keeps_kind ? step : plainest_of_sort(step);
  const StepInfo& row = info(plain.kind);
  return std::string(row.name) + word_of(row.a, plain.a) + word_of(row.b, plain.b);
}

/// Names the field that a user's step gives another value than the plainest; false of other steps.
bool is_given(const Step& step, Names& fields) {
  using enum StepKind;
  switch (step.kind) {
    case set_partition: fields.add(step.a == 0, step.a < 0 ? "no rollingUpdate" : "partition"); return step.a != 0;
    case set_max_unavailable:
      fields.add(step.a < 0, step.b == 1 ? "maxUnavailable in percent" : "maxUnavailable");
      return step.a >= 0;
    case set_min_ready: fields.add(step.a == 0, "minReadySeconds"); return step.a != 0;
    case set_history_limit: fields.add(false, "revisionHistoryLimit"); return true;
    case set_strategy: fields.add(step.a == 0, step.a == 1 ? "OnDelete" : "Recreate"); return step.a != 0;
    case set_retention:
      fields.add(step.a == 0, "whenDeleted=Delete");
      fields.add(step.b == 0, "whenScaled=Delete");
      return step.a != 0 || step.b != 0;
    default: return false;
  }
}

std::vector<std::string> steps_of(const std::vector<Step>& steps, bool by_sort, Names& fields) {
  Names names;
  for (const Step& step : steps)
    if (!is_progress(plainest_of_sort(step).kind) && !is_given(step, fields)) names.add(false, words_of(step, by_sort));
  return names.take();
}

// --- fields ----------------------------------------------------------------------------------------------------------

/// What cannot be made plainer, such as the only requirement of a selector, is no choice and not named.
void add_meta(const ObjectMeta& meta, Names& fields) {
  fields.add(meta.name == "web", "name");
  fields.add(is_in_default_namespace(meta), "namespace");
  fields.add(meta.labels == nullptr, "labels");
  fields.add(meta.annotations == nullptr, "annotations");
  fields.add(meta.owners == nullptr, "owners of the set");
  fields.add(meta.finalizers == nullptr, "finalizers of the set");
}

/// What the block says matters only to a rolling update.
void add_strategy(const StatefulSetSpec& spec, Names& fields) {
  fields.add(spec.strategy != Strategy::on_delete, "OnDelete");
  fields.add(spec.strategy != Strategy::recreate, "Recreate");
  if (spec.strategy != Strategy::rolling_update) return;
  fields.add(spec.rolling_update.has_value(), "no rollingUpdate");
  if (!spec.rolling_update) return;
  fields.add(!spec.rolling_update->partition, "partition");
  const auto& unavailable = spec.rolling_update->max_unavailable;
  fields.add(!unavailable, unavailable && unavailable->percent ? "maxUnavailable in percent" : "maxUnavailable");
}

void add_claims(const StatefulSetSpec& spec, Names& fields) {
  fields.add(spec.claim_templates.empty(), "claims");
  fields.add(std::ranges::all_of(spec.claim_templates, is_bare), "metadata of claims");
  if (!spec.retention) return;
  const bool deleted = spec.retention->when_deleted == Retention::remove;
  const bool scaled = spec.retention->when_scaled == Retention::remove;
  fields.add(!deleted, "whenDeleted=Delete");
  fields.add(!scaled, "whenScaled=Delete");
  fields.add(deleted || scaled, "retention policy");
}

void add_spec(const StatefulSetSpec& spec, Names& fields) {
  fields.add(spec.pod_management == PodManagement::ordered_ready, "Parallel");
  add_strategy(spec, fields);
  fields.add(spec.min_ready_seconds == 0, "minReadySeconds");
  fields.add(!spec.revision_history_limit, "revisionHistoryLimit");
  fields.add(!spec.ordinals_start, "ordinals.start");
  fields.add(spec.reserve_ordinals.empty(), "reserveOrdinals");
  add_claims(spec, fields);
  fields.add(spec.selector.match_expressions.empty() || spec.pod_template->labels.empty(), "matchExpressions");
  fields.add(spec.selector.match_labels.size() < 2, "several matchLabels");
  const Shared<PodTemplate> bare = bare_template(*spec.pod_template);
  fields.add(!bare->faults.empty() || same(bare, spec.pod_template), "pod template");
}

bool has_recreate(const Scenario& scenario) {
  const auto chooses_it = [](const Step& step) {
    return step.kind == StepKind::set_strategy && step.a == static_cast<std::int32_t>(Strategy::recreate);
  };
  return scenario.set.spec->strategy == Strategy::recreate || std::ranges::any_of(scenario.steps, chooses_it);
}

void add_environment(const Scenario& scenario, Names& fields) {
  const Environment& environment = scenario.environment;
  // That of Recreate is off wherever a release has no such strategy, and then says nothing.
  const auto says_nothing = [&](const Gate& gate) {
    return gate.controller == &Gates::recreate && !has_recreate(scenario);
  };
  each_gate(environment.gates,
            [&](const Gate& gate, bool on) { fields.add(on || says_nothing(gate), std::string(gate.name) + " off"); });
  each_gate(environment.api, [&](const Gate& gate, bool on) {
    fields.add(on || says_nothing(gate), std::string(gate.name) + " off (API server)");
  });
  fields.add(environment.list_order == 0, "lists in no order");
  fields.add(!environment.injects, "admission injects");
  fields.add(!environment.namesakes, "namesakes in another namespace");
  fields.add(!environment.binds_late, "claims bound late");
  fields.add(environment.versions_from == 0, "large versions");
  fields.add(!environment.between_seconds, "fractions of seconds");
}

Cause made_cause(const Scenario& scenario, bool by_sort) {
  Names fields;
  add_meta(scenario.set.meta, fields);
  add_spec(*scenario.set.spec, fields);
  add_environment(scenario, fields);
  std::vector<std::string> steps = steps_of(scenario.steps, by_sort, fields);
  return {.steps = std::move(steps), .fields = fields.take()};
}

}  // namespace

std::string Cause::text() const {
  std::string text = steps.empty() ? "creation alone" : joined(steps);
  return fields.empty() ? text : text + "; " + joined(fields);
}

bool Cause::names(std::string_view ingredient) const {
  const auto is_step = [&](const std::string& step) {
    return step == ingredient || (step.starts_with(ingredient) && step[ingredient.size()] == ' ');
  };
  return std::ranges::find(fields, ingredient) != fields.end() || std::ranges::any_of(steps, is_step);
}

Cause cause_of(const Scenario& scenario) { return made_cause(scenario, /*by_sort=*/true); }

std::string told_cause(const Scenario& scenario) { return made_cause(scenario, /*by_sort=*/false).text(); }

bool is_noisier(const Cause& cause, const Cause& plainer) {
  return cause.fields == plainer.fields && cause.steps.size() > plainer.steps.size() &&
         std::ranges::includes(cause.steps, plainer.steps);
}

}  // namespace ordeal::properties
