#include "properties/world/actor.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/api/codec.h"
#include "core/cluster/kubelet.h"
#include "properties/scenario/wrapped.h"
#include "properties/world/neighbour.h"
#include "properties/world/simulate.h"
#include "properties/world/strangers.h"

namespace ordeal::properties {

namespace {

template <class T>
const T* pick(std::span<const T* const> all, std::int32_t a) {
  return all.empty() ? nullptr : all[wrapped(a, all.size())];
}

/// The API server does not ask, but no user wants pods that have no number.
bool has_a_number_for_each(const StatefulSetSpec& spec) { return spec.places() >= spec.replicas.value_or(1); }

/// Of the ordinals from the start on; past the last one there is none.
void turn_reserved(StatefulSetSpec& spec, std::int32_t index) {
  const std::int64_t ordinal = spec.ordinals_start.value_or(0) + std::int64_t{index};
  if (ordinal > std::numeric_limits<std::int32_t>::max()) return;
  auto& reserved = spec.reserve_ordinals;
  const auto at = std::ranges::lower_bound(reserved, static_cast<std::int32_t>(ordinal));
  if (at != reserved.end() && *at == ordinal) reserved.erase(at);
  else reserved.insert(at, static_cast<std::int32_t>(ordinal));
}

}  // namespace

bool is_broken(const PodTemplate& pod_template) { return behaviour_of(pod_template.image) != Behaviour::ready; }

Code Actor::begin(const Scenario& scenario, bool null_times) {
  null_times_ = null_times;
  first_ = scenario.set;
  neighbours_.clear();
  apply_defaults(first_, scenario.environment.api);
  made_ = first_;
  return cluster_->create_set(first_);
}

const StatefulSet* Actor::set() const { return cluster_->sets().find(first_.meta.name); }
const Pod* Actor::pod(std::int32_t a) const { return pick(cluster_->pods().live().all(), a); }
const Claim* Actor::claim(std::int32_t a) const { return pick(cluster_->claims().live().all(), a); }
const Revision* Actor::revision(std::int32_t a) const { return pick(cluster_->revisions().live().all(), a); }

const Revision* Actor::own_revision(std::int32_t a) const {
  const StatefulSet* live = set();
  if (live == nullptr) return nullptr;
  std::vector<const Revision*> own;
  for (const Revision* held : cluster_->revisions().live().all())
    if (held->meta.controlled_by(live->meta.uid)) own.push_back(held);
  return pick(std::span<const Revision* const>(own), a);
}

void Actor::act(const Step& step) {
  switch (step.kind) {
    case StepKind::delete_set:
      cluster_->delete_set(first_.meta.name, static_cast<Propagation>(wrapped(step.a, propagation_count)));
      return;
    case StepKind::add_condition: return add_condition(step.a);
    case StepKind::edit_metadata:
      return edit_metadata(step.a, static_cast<MetadataEdit>(wrapped(step.b, metadata_edit_count)));
    case StepKind::apply_neighbour: return apply_neighbour(neighbour_in(step), step.b);
    case StepKind::delete_neighbour:
      cluster_->delete_set(neighbour_of(first_, neighbour_in(step), 0).meta.name, Propagation::background);
      return;
    case StepKind::create_set: return recreate(static_cast<Recreation>(wrapped(step.a, recreation_count)));
    case StepKind::add_pod: return add_pod(step.a, static_cast<ForeignPod>(wrapped(step.b, foreign_pod_count)));
    case StepKind::add_claim: return add_claim(step.a, static_cast<ForeignClaim>(wrapped(step.b, foreign_claim_count)));
    case StepKind::add_revision:
      return add_revision(step.a, static_cast<ForeignRevision>(wrapped(step.b, foreign_revision_count)));
    case StepKind::let_go: return let_go();
    case StepKind::recover_nodes: cluster_->recover_nodes(); return;
    case StepKind::run_kubelets: cluster_->run_kubelets(); return;
    case StepKind::collect:
      if (step.a > 0) cluster_->collect(static_cast<std::size_t>(step.a));
      else cluster_->collect();
      return;
    case StepKind::advance: cluster_->advance(Time::seconds(std::max(step.a, 0))); return;
    case StepKind::delete_claim:
    case StepKind::drop_claim_owners:
    case StepKind::own_claim:
    case StepKind::add_claim_owner:
    case StepKind::edit_claim:
      if (const Claim* c = claim(step.a)) act_on_claim(step, *c);
      return;
    case StepKind::delete_revision:
    case StepKind::orphan_revision:
      if (const Revision* r = revision(step.a)) act_on_revision(step, *r);
      return;
    default: break;
  }
  if (edits_spec(step.kind)) return edit_set(step);
  if (const Pod* p = pod(step.a)) act_on_pod(step, *p);
}

namespace {

/// It selects by other values, which its pods have, too. As it was where its expressions would not have them.
void select_otherwise(StatefulSetSpec& spec) {
  LabelSelector selector = spec.selector;
  for (const auto& [key, value] : spec.selector.match_labels) selector.match_labels.set(key, "second");
  StringMap labels = spec.pod_template->labels;
  for (const auto& [key, value] : selector.match_labels) labels.set(key, value);
  if (!selector.matches(&labels)) return;
  spec.selector = std::move(selector);
  spec.pod_template = relabelled(*spec.pod_template, labels);
}

/// One more claim for each pod, like the first one if there is one.
void add_claim_template(std::vector<ClaimTemplate>& all) {
  static const Shared<std::string> plain = std::make_shared<const std::string>(
      R"({"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},"volumeMode":"Filesystem"})");
  const Text name = "further";
  if (std::ranges::find(all, name, &ClaimTemplate::name) != all.end()) return;
  ClaimTemplate further;
  further.spec = plain;
  if (!all.empty()) further = all.front();
  further.name = name;
  all.push_back(std::move(further));
}

}  // namespace

void Actor::recreate(Recreation as) {
  StatefulSet wanted = first_;
  Spec spec = *first_.spec;
  switch (as) {
    case Recreation::as_first: break;
    case Recreation::other_service: spec.service_name = first_.meta.name.str() + "-2"; break;
    case Recreation::other_management:
      spec.pod_management =
          spec.pod_management == PodManagement::parallel ? PodManagement::ordered_ready : PodManagement::parallel;
      break;
    case Recreation::larger_claims:
      for (ClaimTemplate& claims : spec.claim_templates) claims.spec = with_storage(*claims.spec, much_storage);
      break;
    case Recreation::more_claims: add_claim_template(spec.claim_templates); break;
    case Recreation::fewer_claims:
      if (!spec.claim_templates.empty()) spec.claim_templates.pop_back();
      break;
    case Recreation::other_labels: select_otherwise(spec); break;
  }
  wanted.spec = std::make_shared<const Spec>(std::move(spec));
  if (cluster_->create_set(wanted) == Code::ok) made_ = std::move(wanted);
}

// --- the user's edits of the set ---------------------------------------------------------------------------------------

template <class Edit>
void Actor::edit_spec(Edit edit) {
  const StatefulSet* live = set();
  if (live == nullptr) return;
  StatefulSetSpec spec = *live->spec;
  edit(spec);
  if (!has_a_number_for_each(spec)) return;
  cluster_->update_set(first_.meta.name, std::move(spec));  // refused edits change nothing
}

void Actor::edit_template(Shared<PodTemplate> updated) {
  if (updated) edit_spec([&](Spec& spec) { spec.pod_template = std::move(updated); });
}

void Actor::edit_set(const Step& step) {
  const std::int32_t a = step.a;
  const auto rolling = [](Spec& spec) -> RollingUpdate& {
    if (!spec.rolling_update) spec.rolling_update = RollingUpdate{0, {}};
    return *spec.rolling_update;
  };
  switch (step.kind) {
    case StepKind::scale:
      if (a <= max_replicas) edit_spec([&](Spec& spec) { spec.replicas = a; });
      return;
    case StepKind::edit_template:
      return edit_template(variants_.of(made_.spec->pod_template, a,
                                        static_cast<TemplateFlavour>(wrapped(step.b, template_flavour_count))));
    case StepKind::set_partition:
      return edit_spec([&](Spec& spec) {
        if (a < 0) spec.rolling_update.reset();
        else rolling(spec).partition = a;
      });
    case StepKind::set_max_unavailable:
      return edit_spec([&](Spec& spec) {
        if (a < 0) rolling(spec).max_unavailable.reset();
        else rolling(spec).max_unavailable = IntOrPercent{a, step.b == 1};
      });
    case StepKind::set_min_ready: return edit_spec([&](Spec& spec) { spec.min_ready_seconds = a; });
    case StepKind::set_strategy:
      return edit_spec([&](Spec& spec) {
        spec.strategy = static_cast<Strategy>(wrapped(a, strategy_count));
        if (spec.strategy != Strategy::rolling_update) spec.rolling_update.reset();
        else rolling(spec);
      });
    case StepKind::set_retention:
      return edit_spec([&](Spec& spec) {
        spec.retention = RetentionPolicy{static_cast<Retention>(a & 1), static_cast<Retention>(step.b & 1)};
      });
    case StepKind::set_history_limit: return edit_spec([&](Spec& spec) { spec.revision_history_limit = a; });
    case StepKind::set_start:
      return edit_spec([&](Spec& spec) {
        if (a < 0) spec.ordinals_start.reset();
        else spec.ordinals_start = a;
        if (step.b > 0) turn_reserved(spec, step.b - 1);
      });
    case StepKind::roll_back:
      if (const Revision* r = own_revision(a)) edit_template(r->data.decoded);
      return;
    case StepKind::restart_rollout:
      if (const StatefulSet* live = set()) edit_template(variants_.restarted(live->spec->pod_template, a));
      return;
    default: return;
  }
}

/// As those do who gate or report on sets; the controller did not write it and knows nothing of it.
void Actor::add_condition(std::int32_t value) {
  const StatefulSet* live = set();
  if (live == nullptr) return;
  StatefulSet edited = *live;
  auto& conditions = edited.status.conditions;
  const Text type = Text::lasting(somebodys_conditions[wrapped(value, somebodys_conditions.size())]);
  std::erase_if(conditions, [&](const StatefulSetCondition& told) { return told.type == type; });
  constexpr std::array states = {"True", "False", "Unknown"};
  conditions.push_back({type, states[wrapped(value, states.size())], "Value" + std::to_string(value),
                        "as of last night", value == 3 ? std::nullopt : std::optional(Time::seconds(0))});
  cluster_->edit_set(edited);
}

void Actor::edit_metadata(std::int32_t value, MetadataEdit edit) {
  const StatefulSet* live = set();
  if (live == nullptr) return;
  StatefulSet edited = *live;
  const bool annotates = edit == MetadataEdit::change_cause;
  Shared<StringMap>& held = annotates ? edited.meta.annotations : edited.meta.labels;
  StringMap map = held ? *held : StringMap{};
  map.set(annotates ? "kubernetes.io/change-cause" : "team", std::to_string(value));
  held = std::make_shared<const StringMap>(std::move(map));
  cluster_->edit_set(edited);
}

void Actor::apply_neighbour(Neighbour as, std::int32_t replicas) {
  const StatefulSet wanted = neighbour_of(first_, as, replicas);
  if (const StatefulSet* live = cluster_->sets().find(wanted.meta.name)) {
    StatefulSetSpec spec = *live->spec;
    spec.replicas = wanted.spec->replicas;
    cluster_->update_set(wanted.meta.name, std::move(spec));
  } else if (cluster_->create_set(wanted) == Code::ok) {
    neighbours_.push_back(wanted.meta.name);
  }
}

}  // namespace ordeal::properties
