#include "properties/trial/environment.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "core/api/codec.h"
#include "core/api/names.h"
#include "core/api/older_encoder.h"
#include "core/cluster/kubelet.h"
#include "properties/scenario/wrapped.h"
#include "properties/trial/neighbour.h"
#include "properties/trial/simulate.h"
#include "properties/trial/strangers.h"

namespace ordeal::properties {

namespace {

// A good image nobody else asks for: the one the user of the epilogue fixes a broken template with.
constexpr std::int32_t mended_image = 99;
const Text somebodys_condition = Text::lasting("example.org/BackedUp");
const Text somebodys_finalizer = Text::lasting("example.org/in-use");
bool is_somebodys(const Text& finalizer) { return finalizer.view().starts_with("example.org/"); }

/// The largest is followed by the smallest: files may hold any number.
std::int32_t next_after(std::int32_t number) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(number) + 1); }

template <class T>
const T* pick(std::span<const T* const> all, std::int32_t a) {
  return all.empty() ? nullptr : all[wrapped(a, all.size())];
}

bool controlled_by(const ObjectMeta& meta, const StatefulSet& set) {
  const OwnerReference* owner = meta.controller();
  return owner != nullptr && owner->uid == set.meta.uid;
}

/// What no longer meets a requirement; of a key that must not be there the value is of no matter, and empty.
void miss(const SelectorRequirement& requirement, StringMap& labels) {
  using enum SelectorRequirement::Operator;
  if (requirement.op == exists) labels.erase(requirement.key);
  else if (requirement.op == does_not_exist) labels.set(requirement.key, "");
  else labels.set(requirement.key, requirement.op == not_in ? requirement.values.front() : Text("elsewhere"));
}

/// One requirement missed is enough: the pod's number decides whether labels or an expression, and which of these.
void break_selector(const LabelSelector& selector, const Pod& held, StringMap& labels) {
  const auto& expressions = selector.match_expressions;
  const auto index = static_cast<std::size_t>(std::max(number(parse_member(held.meta.name).ordinal), 0));
  const bool breaks_labels = expressions.empty() || (!selector.match_labels.empty() && index % 2 == 1);
  if (!breaks_labels) return miss(expressions[index / 2 % expressions.size()], labels);
  for (const auto& [key, value] : selector.match_labels) labels.set(key, "elsewhere");
}

/// Labels of a revision that is somebody else's: as those of the set's own but for one expression, or others altogether.
Shared<StringMap> not_selected(const LabelSelector& selector, const StringMap& own, std::int32_t variant) {
  const auto& expressions = selector.match_expressions;
  if (expressions.empty() || variant % 4 == 0) return with_labels({}, {{"app", "elsewhere"}});
  StringMap labels = own;
  miss(expressions.front(), labels);
  return std::make_shared<const StringMap>(std::move(labels));
}

/// Another value for each label of its template that the selector does not ask for and that says nothing of its identity.
void relabel_beside(const LabelSelector& selector, const Pod& held, StringMap& labels) {
  if (!held.made_from) return;
  for (const auto& [key, value] : held.made_from->labels) {
    if (key == label_pod_name || key == label_pod_index || key == label_revision) continue;
    StringMap changed = labels;
    changed.set(key, "changed");
    if (selector.matches(&changed)) labels = std::move(changed);
  }
}

bool mounts_claims(const Pod& pod) {
  return pod.volumes &&
         std::any_of(pod.volumes->begin(), pod.volumes->end(), [](const Volume& v) { return !v.claim.empty(); });
}

Shared<std::string> with_more_storage(const std::string& claim_spec) {
  nlohmann::json larger = nlohmann::json::parse(claim_spec);
  larger.merge_patch({{"resources", {{"requests", {{"storage", "1Ti"}}}}}});  // whatever a user has written there
  return std::make_shared<const std::string>(larger.dump());
}

/// The API server does not ask, but no user wants pods that have no number.
bool has_a_number_for_each(const StatefulSetSpec& spec) {
  constexpr std::int64_t last = std::numeric_limits<std::int32_t>::max();
  return spec.ordinals_start.value_or(0) + std::int64_t{spec.replicas.value_or(1)} - 1 <= last;
}

bool in_range(const StatefulSet& set, Ordinal ordinal) {
  const std::int64_t index = std::int64_t{number(ordinal)} - set.spec->ordinals_start.value_or(0);
  return index >= 0 && index < set.spec->replicas.value_or(1);
}

}  // namespace

bool is_broken(const PodTemplate& pod_template) { return behaviour_of(pod_template.image) != Behaviour::ready; }

Code Actor::begin(const Scenario& scenario) {
  first_ = scenario.set;
  neighbours_.clear();
  apply_defaults(first_, scenario.environment.api);
  return cluster_->create_set(first_);
}

const StatefulSet* Actor::set() const { return cluster_->sets().find(first_.meta.name); }
const Pod* Actor::pod(std::int32_t a) const { return pick(cluster_->pods().live().all(), a); }
const Claim* Actor::claim(std::int32_t a) const { return pick(cluster_->claims().live().all(), a); }
const Revision* Actor::revision(std::int32_t a) const { return pick(cluster_->revisions().live().all(), a); }

void Actor::act(const Step& step) {
  switch (step.kind) {
    case StepKind::delete_set: cluster_->delete_set(first_.meta.name, static_cast<Propagation>(wrapped(step.a, propagation_count))); return;
    case StepKind::add_condition: return add_condition(step.a);
    case StepKind::edit_metadata: return edit_metadata(step.a, static_cast<MetadataEdit>(wrapped(step.b, metadata_edit_count)));
    case StepKind::apply_neighbour: return apply_neighbour(neighbour_in(step), step.b);
    case StepKind::create_set: return recreate(static_cast<Recreation>(wrapped(step.a, recreation_count)));
    case StepKind::add_pod: return add_pod(step.a, static_cast<ForeignPod>(wrapped(step.b, foreign_pod_count)));
    case StepKind::add_claim: return add_claim(step.a, step.b == 1);
    case StepKind::add_revision: return add_revision(step.a, static_cast<ForeignRevision>(wrapped(step.b, foreign_revision_count)));
    case StepKind::let_go: return let_go();
    case StepKind::recover_nodes: cluster_->recover_nodes(); return;
    case StepKind::run_kubelets: cluster_->run_kubelets(); return;
    case StepKind::collect: cluster_->collect(); return;
    case StepKind::advance: cluster_->advance(Time::seconds(std::max(step.a, 0))); return;
    case StepKind::delete_claim:
    case StepKind::drop_claim_owners:
    case StepKind::own_claim:
    case StepKind::add_claim_owner:
    case StepKind::hold_claim:
      if (const Claim* c = claim(step.a)) act_on_claim(step, *c);
      return;
    case StepKind::delete_revision:
    case StepKind::orphan_revision:
      if (const Revision* r = revision(step.a)) act_on_revision(step, *r);
      return;
    default: break;
  }
  if (step.kind <= StepKind::restart_rollout) return edit_set(step);
  if (const Pod* p = pod(step.a)) act_on_pod(step, *p);
}

void Actor::recreate(Recreation as) {
  StatefulSet wanted = first_;
  Spec spec = *first_.spec;
  switch (as) {
    case Recreation::as_first: break;
    case Recreation::other_service: spec.service_name = first_.meta.name.str() + "-2"; break;
    case Recreation::other_management:
      spec.pod_management = spec.pod_management == PodManagement::parallel ? PodManagement::ordered_ready : PodManagement::parallel;
      break;
    case Recreation::larger_claims:
      for (ClaimTemplate& claims : spec.claim_templates) claims.spec = with_more_storage(*claims.spec);
      break;
  }
  wanted.spec = std::make_shared<const Spec>(std::move(spec));
  cluster_->create_set(std::move(wanted));
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
      return edit_template(variants_.of(first_.spec->pod_template, a, static_cast<TemplateFlavour>(wrapped(step.b, template_flavour_count))));
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
    case StepKind::set_start: return edit_spec([&](Spec& spec) { spec.ordinals_start = a; });
    case StepKind::roll_back:
      if (const Revision* r = revision(a)) edit_template(r->data.decoded);
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
  std::erase_if(conditions, [](const StatefulSetCondition& told) { return told.type == somebodys_condition; });
  constexpr std::array states = {"True", "False", "Unknown"};
  conditions.push_back({somebodys_condition, states[wrapped(value, states.size())], "Value" + std::to_string(value), "as of last night", Time::seconds(0)});
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

// --- pods, claims, revisions -------------------------------------------------------------------------------------------

void Actor::act_on_pod(const Step& step, const Pod& held) {
  const Text name = held.meta.name;
  switch (step.kind) {
    case StepKind::delete_pod: cluster_->delete_pod(name); return;
    case StepKind::force_delete_pod: cluster_->delete_pod(name, 0); return;
    case StepKind::edit_labels: return edit_labels(held, static_cast<LabelEdit>(wrapped(step.b, label_edit_count)));
    case StepKind::drop_owner:
    case StepKind::own_pod: {
      Pod edited = held;
      const bool is_dropped = step.kind == StepKind::drop_owner;
      edited.meta.owners = is_dropped ? nullptr : other_owners(held.meta, step.a, static_cast<PodOwner>(wrapped(step.b, pod_owner_count)));
      cluster_->edit_pod(std::move(edited));
      return;
    }
    case StepKind::hold_pod: return hold(held);
    case StepKind::start_pod: cluster_->start_pod(name); return;
    case StepKind::make_ready: cluster_->set_ready(name, true); return;
    case StepKind::make_unready: cluster_->set_ready(name, false); return;
    case StepKind::fail_pod: cluster_->finish_pod(name, Phase::failed); return;
    case StepKind::declare_failed: cluster_->finish_pod(name, Phase::failed, Readiness::left); return;
    case StepKind::succeed_pod: cluster_->finish_pod(name, Phase::succeeded); return;
    case StepKind::evict_pod:  // under pressure a node fails the pod; then the pod collector deletes it
      if (cluster_->finish_pod(name, Phase::failed)) cluster_->delete_pod(name);
      return;
    case StepKind::stop_pod: cluster_->finish_termination(name); return;
    case StepKind::become_unknown: cluster_->lose_sight(name); return;
    case StepKind::lose_node: cluster_->lose_node(name); return;
    default: return;
  }
}

void Actor::edit_labels(const Pod& held, LabelEdit edit) {
  Pod edited = held;
  StringMap labels = held.meta.labels ? *held.meta.labels : StringMap{};
  switch (edit) {
    case LabelEdit::break_selector:
      break_selector(first_.spec->selector, held, labels);
      break;
    case LabelEdit::restore:
      for (const Change<Pod>& change : cluster_->pods().log())
        if (change.after && change.after->meta.uid == held.meta.uid) {
          if (change.after->meta.labels) labels = *change.after->meta.labels;
          break;
        }
      // One that never fitted is made to: nothing else lets a pod of strange labels come to be the set's.
      if (!first_.spec->selector.matches(&labels))
        for (const auto& [key, value] : first_.spec->pod_template->labels) labels.set(key, value);
      break;
    case LabelEdit::drop_pod_name: labels.erase(label_pod_name); break;
    case LabelEdit::drop_revision: labels.erase(label_revision); break;
    case LabelEdit::other_pod_name:
      labels.set(label_pod_name, first_.meta.name.str() + "-999");
      // Every second one is mistaken in its number, too: nothing may be read from that label but what the name says.
      if (number(parse_member(held.meta.name).ordinal) % 2 == 1) labels.set(label_pod_index, "999");
      break;
    case LabelEdit::beside_selector:
      labels.set("example.org/role", "primary");
      relabel_beside(first_.spec->selector, held, labels);
      break;
  }
  edited.meta.labels = std::make_shared<const StringMap>(std::move(labels));
  cluster_->edit_pod(std::move(edited));
}

void Actor::act_on_claim(const Step& step, const Claim& held) {
  if (step.kind == StepKind::delete_claim) {
    cluster_->delete_claim(held.meta.name);
    return;
  }
  if (step.kind == StepKind::hold_claim) return hold(held);
  if (step.kind == StepKind::add_claim_owner)
    return add_claim_owner(held, static_cast<ClaimOwner>(wrapped(step.b, claim_owner_count)));
  Claim edited = held;
  edited.meta.owners = step.kind == StepKind::own_claim ? foreign_owner(step.a) : nullptr;
  cluster_->edit_claim(std::move(edited));
}

/// One more owner, last, or first if it is no more: it came before, unless whoever wrote the list put it elsewhere. The same
/// again changes nothing, nor does one that is no more and would be the only one: such a claim is collected at once, and
/// nobody makes one.
void Actor::add_claim_owner(const Claim& held, ClaimOwner as) {
  Owners owners = held.meta.owners ? *held.meta.owners : Owners{};
  const bool is_gone = as >= ClaimOwner::earlier_set;
  const OwnerReference further = further_owner(held.meta.name, first_.meta.name, as);
  if ((is_gone && owners.empty()) || std::ranges::find(owners, further) != owners.end()) return;
  const bool last = !is_gone || as >= ClaimOwner::earlier_set_last;
  owners.insert(last ? owners.end() : owners.begin(), further);
  Claim edited = held;
  edited.meta.owners = std::make_shared<const Owners>(std::move(owners));
  cluster_->edit_claim(std::move(edited));
}

/// A finalizer nobody in this cluster acts on; taken before, it changes nothing.
template <class T>
void Actor::hold(const T& held) {
  T edited = held;
  auto finalizers = held.meta.finalizers ? *held.meta.finalizers : std::vector<Text>{};
  if (std::ranges::find(finalizers, somebodys_finalizer) != finalizers.end()) return;
  finalizers.push_back(somebodys_finalizer);
  edited.meta.finalizers = std::make_shared<const std::vector<Text>>(std::move(finalizers));
  if constexpr (std::is_same_v<T, Pod>) cluster_->edit_pod(edited);
  else cluster_->edit_claim(edited);
}

void Actor::let_go() {
  const auto each = [](const auto& store, auto edit) {
    const auto live = store.live().all();
    const std::vector all(live.begin(), live.end());  // an edit may remove what it edits
    for (const auto* held : all) {
      if (!has_finalizers(held->meta)) continue;
      auto edited = *held;
      auto finalizers = *held->meta.finalizers;
      if (std::erase_if(finalizers, is_somebodys) == 0) continue;
      edited.meta.finalizers = std::make_shared<const std::vector<Text>>(std::move(finalizers));
      edit(edited);
    }
  };
  each(cluster_->pods(), [&](const Pod& pod) { cluster_->edit_pod(pod); });
  each(cluster_->claims(), [&](const Claim& claim) { cluster_->edit_claim(claim); });
}

void Actor::act_on_revision(const Step& step, const Revision& held) {
  if (step.kind == StepKind::delete_revision) {
    cluster_->delete_revision(held.meta.name);
    return;
  }
  Revision edited = held;
  edited.meta.owners.reset();
  cluster_->edit_revision(std::move(edited));
}

// --- objects that were there before ------------------------------------------------------------------------------------

void Actor::add_pod(std::int32_t index, ForeignPod as) {
  const StatefulSet* live = set();
  const StatefulSet& like = live ? *live : first_;
  Pod made = strange_pod(like, live, index, as);
  // Who brings a pod with claims of its own brings these, too: it would never start without them.
  if (as == ForeignPod::other_claims || as == ForeignPod::near_claims)
    for (Claim& claim : claims_of(made, like))
      if (cluster_->claims().find(claim.meta.name) == nullptr) cluster_->create_claim(std::move(claim));
  cluster_->create_pod(std::move(made));
}

void Actor::add_claim(std::int32_t index, bool owned) {
  if (first_.spec->claim_templates.empty()) return;
  const StatefulSet* live = set();
  cluster_->create_claim(strange_claim(first_, member_at(live ? *live : first_, index), owned));
}

void Actor::add_revision(std::int32_t variant, ForeignRevision as) {
  const StatefulSet* live = set();
  const Shared<PodTemplate>& current = live ? live->spec->pod_template : first_.spec->pod_template;
  Shared<PodTemplate> content = current;
  if (as == ForeignRevision::colliding_name) content = variants_.of(first_.spec->pod_template, variant, TemplateFlavour::plain);
  // Of names that are all taken the next is, up to the third collision.
  std::int32_t collisions = 0;
  const auto is_taken = [&] {
    return cluster_->revisions().find(revision_name(first_.meta.name, revision_suffix(content->patch_hash, collisions))) != nullptr;
  };
  while (as == ForeignRevision::colliding_name && collisions < 2 && is_taken()) ++collisions;
  Revision made = recorded(first_.meta, content, collisions);
  if (as == ForeignRevision::older_encoder) made.data = older_encoding(current);
  if (as == ForeignRevision::colliding_name) {  // the name of that template, the data of another, and nobody's
    const std::int32_t others = variant % 3 == 0 ? variant : next_after(variant);  // its image may be the same
    made.data = revision_of(variants_.of(first_.spec->pod_template, others, TemplateFlavour::with_env));
    if (variant % 2 == 0) made.meta.labels = not_selected(first_.spec->selector, *made.meta.labels, variant);
  }
  if (as == ForeignRevision::equal_orphan && variant == 3) made.meta.owners = other_owners(made.meta, 0, PodOwner::bystander);
  // Others record revisions, too, and may be called like the set; one of them is of its very kind in another group.
  if (as == ForeignRevision::owned_by_other)
    made.meta.owners = variant % 2 == 0 ? owned_by(group_version_apps, "DaemonSet", first_.meta.name, Uid{1'000'000'009})
                                        : namesake_owner(first_.meta.name);
  if (as == ForeignRevision::unreadable) {
    made.meta.name = revision_name(first_.meta.name, "unreadable");
    made.data = RevisionData{std::make_shared<const std::string>(R"({"spec":{"template":"?"}})"), nullptr};
    constexpr std::int64_t past_words = std::int64_t{1} << 40;
    made.number = variant == 3 ? past_words : 1 + 10 * std::clamp(variant, 0, 100);
  }
  if (as == ForeignRevision::older_encoder) {
    made.meta.name = revision_name(first_.meta.name, revision_suffix(fnv1_32(*made.data.bytes), 0));
    if (live) made.meta.owners = owned_by(group_version_apps, kind_stateful_set, live->meta.name, live->meta.uid);
  }
  cluster_->create_revision(std::move(made));
}

const RevisionData& Actor::older_encoding(const Shared<PodTemplate>& current) {
  std::string bytes = with_null_times(*current->patch);
  for (const RevisionData& made : older_)
    if (*made.bytes == bytes) return made;
  return older_.emplace_back(decode_revision(std::make_shared<const std::string>(std::move(bytes))));
}

// --- the epilogue ------------------------------------------------------------------------------------------------------

void Actor::heal() {
  for (const Text& name : neighbours_) cluster_->delete_set(name, Propagation::background);
  cluster_->recover_nodes();
  let_go();
  const StatefulSet* live = set();
  if (live == nullptr || live->meta.terminating()) return;
  remove_blockers(*live);
  mend_template(*live);
}

/// A claim that is being deleted and goes no sooner than this pod.
bool Actor::mounts_dying_claim(const Pod& pod) const {
  return pod.volumes && std::ranges::any_of(*pod.volumes, [&](const Volume& volume) {
           const Claim* claim = volume.claim.empty() ? nullptr : cluster_->claims().find(volume.claim);
           return claim != nullptr && claim->meta.terminating();
         });
}

/// It was made from what the revision it is labelled with holds.
bool Actor::is_what_it_says(const Pod& pod) const {
  const Text* label = pod.meta.label(label_revision);
  const Revision* revision = label != nullptr ? cluster_->revisions().find(*label) : nullptr;
  return revision == nullptr || !revision->data.decoded || *revision->data.decoded == *pod.made_from;
}

/// Pods that hold a name or a claim the set needs, and that it may not keep or take over; and pods somebody made that can
/// never be ready and say that they are of a revision whose pods can: no update would touch them.
void Actor::remove_blockers(const StatefulSet& live) {
  std::vector<Text> blocking;
  for (const Pod* p : cluster_->pods().live().all()) {
    const Member member = parse_member(p->meta.name);
    if (member.parent != live.meta.name.view()) continue;
    const bool canonical = member.ordinal != Ordinal::none && p->meta.name == pod_name(live.meta.name, member.ordinal);
    const bool needed = in_range(live, member.ordinal);
    const bool selected = live.spec->selector.matches(p->meta.labels.get());
    const bool adoptable = p->meta.controller() == nullptr && !p->meta.terminating();
    const bool owned = controlled_by(p->meta, live);
    const bool holds_name = needed && (!selected || (!owned && !adoptable));
    const bool waited_for = !owned || member.ordinal == Ordinal::none || mounts_dying_claim(*p);
    const bool holds_claim = !canonical && waited_for && mounts_claims(*p);
    const bool hides = (owned || adoptable) && is_broken(*p->made_from) && !is_what_it_says(*p);
    if (holds_name || holds_claim || hides) blocking.push_back(p->meta.name);
  }
  for (const Text& name : blocking) cluster_->delete_pod(name);
}

bool Actor::has_broken_pod(const StatefulSet& live, std::int32_t below) const {
  const std::int64_t end = std::int64_t{live.spec->ordinals_start.value_or(0)} + below;
  return std::ranges::any_of(cluster_->pods().live().all(), [&](const Pod* p) {
    const bool ours = p->meta.controller() == nullptr || controlled_by(p->meta, live);
    return ours && is_broken(*p->made_from) && number(parse_member(p->meta.name).ordinal) < end;
  });
}

/// Whoever rolls out a template that works helps no further than that, but where no controller could go on alone: below a partition,
/// and where pods are made at a current revision that is broken.
void Actor::mend_template(const StatefulSet& live) {
  if (is_broken(*live.spec->pod_template))
    edit_template(variants_.of(first_.spec->pod_template, mended_image, TemplateFlavour::plain));
  if (live.spec->strategy == Strategy::on_delete) return delete_broken(live);
  if (live.spec->strategy != Strategy::rolling_update) return;
  const Revision* current = cluster_->revisions().find(live.status.current_revision);
  const bool current_is_broken = current != nullptr && current->data.decoded && is_broken(*current->data.decoded);
  const std::int32_t partition = live.spec->rolling_update ? live.spec->rolling_update->partition.value_or(0) : 0;
  if (!current_is_broken && !has_broken_pod(live, partition)) return;
  edit_spec([](Spec& spec) {
    if (!spec.rolling_update) spec.rolling_update = RollingUpdate{};
    spec.rolling_update->partition = 0;
  });
}

/// With OnDelete only a user replaces pods of the range. Those outside it are the controller's to remove.
void Actor::delete_broken(const StatefulSet& live) {
  std::vector<Text> broken;
  for (const Pod* p : cluster_->pods().live().all()) {
    const bool ours = p->meta.controller() == nullptr || controlled_by(p->meta, live);
    if (ours && is_broken(*p->made_from) && in_range(live, parse_member(p->meta.name).ordinal))
      broken.push_back(p->meta.name);
  }
  for (const Text& name : broken) cluster_->delete_pod(name);
}

}  // namespace ordeal::properties
