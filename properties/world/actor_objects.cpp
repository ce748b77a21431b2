// What becomes of pods, claims and revisions by the hands of others, and what they had made before.
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/api/codec.h"
#include "core/api/names.h"
#include "properties/evidence/claims.h"
#include "properties/scenario/wrapped.h"
#include "properties/world/actor.h"
#include "properties/world/strangers.h"

namespace ordeal::properties {

namespace {

constexpr std::int32_t names_taken_at_most = 5;  // of one template
const Text somebodys_finalizer = Text::lasting("example.org/in-use");

/// The largest is followed by the smallest: files may hold any number.
std::int32_t next_after(std::int32_t number) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(number) + 1);
}

/// What no longer meets a requirement; of a key that must not be there the value is of no matter, and empty.
void miss(const SelectorRequirement& requirement, StringMap& labels) {
  using enum SelectorRequirement::Operator;
  if (requirement.op == exists) labels.erase(requirement.key);
  else if (requirement.op == does_not_exist) labels.set(requirement.key, "");
  else labels.set(requirement.key, requirement.op == not_in ? requirement.values.front() : Text("elsewhere"));
}

/// One requirement missed is enough: the index decides whether a label or an expression, and which.
void miss_one(const LabelSelector& selector, std::size_t index, StringMap& labels) {
  const auto& expressions = selector.match_expressions;
  const auto& asked = selector.match_labels;
  const bool misses_label = expressions.empty() || (!asked.empty() && index % 2 == 1);
  if (!misses_label) return miss(expressions[index / 2 % expressions.size()], labels);
  if (!asked.empty())
    labels.set(std::next(asked.begin(), static_cast<std::ptrdiff_t>(index / 2 % asked.size()))->first, "elsewhere");
}

void break_selector(const LabelSelector& selector, const Pod& held, StringMap& labels) {
  miss_one(selector, static_cast<std::size_t>(std::max(number(parse_member(held.meta.name).ordinal), 0)), labels);
}

/// Labels of a revision that is somebody else's: as those of the set's own but for one requirement, or none at all.
Shared<StringMap> not_selected(const LabelSelector& selector, const StringMap& own, std::int32_t variant) {
  if (variant % 4 == 0) return nullptr;
  StringMap labels = own;
  miss_one(selector, static_cast<std::size_t>(variant / 4), labels);
  return std::make_shared<const StringMap>(std::move(labels));
}

/// Another value for each label of its template that the selector does not ask for and that says nothing of its
/// identity.
void relabel_beside(const LabelSelector& selector, const Pod& held, StringMap& labels) {
  if (!held.made_from) return;
  for (const auto& [key, value] : held.made_from->labels) {
    if (is_identity_label(key)) continue;
    StringMap changed = labels;
    changed.set(key, "changed");
    if (selector.matches(&changed)) labels = std::move(changed);
  }
  for (const SelectorRequirement& asked : selector.match_expressions)  // of several values any will do
    if (asked.op == SelectorRequirement::Operator::in) labels.set(asked.key, asked.values.front());
}

/// Others record revisions, too, and may be called like the set; one of them is of its very kind in another group.
Revision others_revision(const ObjectMeta& set, const RevisionData& data, std::int32_t variant) {
  Revision made = recorded(set, data, 0);
  made.meta.owners = variant % 2 == 0 ? owned_by(group_version_apps, "DaemonSet", set.name, Uid{1'000'000'009})
                                      : namesake_owner(set.name);
  return made;
}

Revision unreadable_revision(const ObjectMeta& set, const RevisionData& data, std::int32_t variant) {
  constexpr std::int64_t past_words = std::int64_t{1} << 40;
  Revision made = recorded(set, data, 0);
  made.meta.name = revision_name(set.name, "unreadable");
  made.data = RevisionData{std::make_shared<const std::string>(R"({"spec":{"template":"?"}})"), nullptr};
  made.number = variant == 3 ? past_words : 1 + 10 * std::clamp(variant, 0, 100);
  return made;
}

}  // namespace

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
      edited.meta.owners =
          is_dropped ? nullptr
                     : other_owners(held.meta, step.a, static_cast<PodOwner>(wrapped(step.b, pod_owner_count)));
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
    case LabelEdit::break_selector: break_selector(made_.spec->selector, held, labels); break;
    case LabelEdit::restore:
      for (const Change<Pod>& change : cluster_->pods().log())
        if (change.after && change.after->meta.uid == held.meta.uid) {
          if (change.after->meta.labels) labels = *change.after->meta.labels;
          break;
        }
      // One that never fitted is made to: nothing else lets a pod of strange labels come to be the set's.
      if (!made_.spec->selector.matches(&labels))
        for (const auto& [key, value] : made_.spec->pod_template->labels) labels.set(key, value);
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
      relabel_beside(made_.spec->selector, held, labels);
      break;
    case LabelEdit::annotate:
      edited.meta.annotations =
          with_labels(held.meta.annotations ? *held.meta.annotations : StringMap{}, {{"example.org/checked", "yes"}});
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
  if (step.kind == StepKind::edit_claim)
    return edit_claim(held, static_cast<ClaimEdit>(wrapped(step.b, claim_edit_count)));
  if (step.kind == StepKind::add_claim_owner)
    return add_claim_owner(held, static_cast<ClaimOwner>(wrapped(step.b, claim_owner_count)));
  Claim edited = held;
  edited.meta.owners = step.kind == StepKind::own_claim ? owners_of_taken(held.meta, step.a) : nullptr;
  cluster_->edit_claim(std::move(edited));
}

void Actor::edit_claim(const Claim& held, ClaimEdit edit) {
  if (edit == ClaimEdit::hold) return hold(held);
  if (edit == ClaimEdit::enlarge) return cluster_->resize_claim(held.meta.name, with_storage(*held.spec, much_storage));
  if (edit == ClaimEdit::lose) return cluster_->set_claim_phase(held.meta.name, ClaimPhase::lost);
  Claim edited = held;
  Shared<StringMap>& changed = edit == ClaimEdit::annotate ? edited.meta.annotations : edited.meta.labels;
  changed = edit == ClaimEdit::unlabel
                ? nullptr
                : with_labels(changed ? *changed : StringMap{}, {{"example.org/backed-up", "yes"}});
  cluster_->edit_claim(std::move(edited));
}

/// Adds one owner to the claim. One that exists goes to the end of the list; one that no longer exists goes to the
/// front, since it must have come first, unless `as` says last. Does nothing when that owner is there already, when the
/// claim's pod or set is none that exists, when the claim is not named like one of the set's, or when one that no
/// longer exists would be the only one: the collector would delete the claim at once.
void Actor::add_claim_owner(const Claim& held, ClaimOwner as) {
  Owners owners = held.meta.owners ? *held.meta.owners : Owners{};
  const bool is_gone = as >= ClaimOwner::earlier_set;
  OwnerReference further = further_owner(held.meta.name, first_.meta.name, as);
  if (as == ClaimOwner::its_pod) {
    const Pod* pod = cluster_->pods().find(further.name);
    if (pod == nullptr) return;
    further.uid = pod->meta.uid;
  }
  if (as == ClaimOwner::its_set) {
    const StatefulSet* live = set();
    if (live == nullptr || !place_of_claim(*live, held.meta.name.view())) return;
    further.uid = live->meta.uid;
  }
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
  if (held.meta.has_finalizer(somebodys_finalizer)) return;
  auto finalizers = held.meta.finalizers ? *held.meta.finalizers : std::vector<Text>{};
  finalizers.push_back(somebodys_finalizer);
  edited.meta.finalizers = std::make_shared<const std::vector<Text>>(std::move(finalizers));
  if constexpr (std::is_same_v<T, Pod>) cluster_->edit_pod(edited);
  else cluster_->edit_claim(edited);
}

void Actor::act_on_revision(const Step& step, const Revision& held) {
  if (step.kind == StepKind::delete_revision) {
    cluster_->delete_revision(held.meta.name);
    return;
  }
  Revision edited = held;
  switch (static_cast<RevisionOwner>(wrapped(step.b, revision_owner_count))) {
    case RevisionOwner::nobody: edited.meta.owners = nullptr; break;
    case RevisionOwner::other_controller: edited.meta.owners = foreign_owner(step.a); break;
    case RevisionOwner::set_of_older_version:
      edited.meta.owners = other_owners(held.meta, step.a, PodOwner::set_of_older_version);
      break;
    case RevisionOwner::bystander: edited.meta.owners = other_owners(held.meta, step.a, PodOwner::bystander_alone);
  }
  cluster_->edit_revision(std::move(edited));
}

// --- objects that were there before ------------------------------------------------------------------------------------

void Actor::add_pod(std::int32_t index, ForeignPod as) {
  const StatefulSet* live = set();
  const StatefulSet& like = live ? *live : made_;
  Pod made = strange_pod(like, live, index, as);
  // Who brings a pod with claims of its own brings these, too: it would never start without them.
  if (as == ForeignPod::other_claims || as == ForeignPod::near_claims)
    for (Claim& claim : claims_of(made, like))
      if (cluster_->claims().find(claim.meta.name) == nullptr) cluster_->create_claim(std::move(claim));
  cluster_->create_pod(std::move(made));
}

void Actor::add_claim(std::int32_t index, ForeignClaim as) {
  if (made_.spec->claim_templates.empty()) return;
  const StatefulSet* live = set();
  cluster_->create_claim(strange_claim(made_, member_at(live ? *live : made_, index), as));
}

void Actor::add_revision(std::int32_t variant, ForeignRevision as) {
  cluster_->create_revision(strange_revision(variant, as));
}

Revision Actor::strange_revision(std::int32_t variant, ForeignRevision as) {
  const StatefulSet* live = set();
  const Shared<PodTemplate>& current = live ? live->spec->pod_template : made_.spec->pod_template;
  switch (as) {
    case ForeignRevision::equal_orphan: return equal_orphan(current, variant);
    case ForeignRevision::colliding_name: return colliding_revision(variant);
    case ForeignRevision::older_encoder:
    case ForeignRevision::undefaulted: return older_revision(current, as);
    case ForeignRevision::owned_by_other: return others_revision(first_.meta, written(current), variant);
    case ForeignRevision::unreadable: return unreadable_revision(first_.meta, written(current), variant);
  }
  std::unreachable();
}

/// As earlier controllers of this kind have recorded it.
RevisionData Actor::written(const Shared<PodTemplate>& content) const {
  return {null_times_ ? content->older_patch : content->patch, content};
}

/// Of names that are all taken the next is.
Revision Actor::under_next_name(const Shared<PodTemplate>& content) const {
  const RevisionData data = written(content);
  Revision made = recorded(first_.meta, data, 0);
  const auto is_taken = [&] { return cluster_->revisions().find(made.meta.name) != nullptr; };
  for (std::int32_t collisions = 1; collisions <= names_taken_at_most && is_taken(); ++collisions)
    made = recorded(first_.meta, data, collisions);
  return made;
}

/// Nobody's: without the label of its hash, not selected, with a further owner, with a hash that reads as a number, of
/// 32 bits or of more, or as it is.
Revision Actor::equal_orphan(const Shared<PodTemplate>& content, std::int32_t variant) const {
  Revision made = under_next_name(content);
  StringMap labels = *made.meta.labels;
  if (variant == 1) labels.erase(label_revision_hash);
  if (variant == 2) miss_one(made_.spec->selector, 1, labels);
  if (variant == 3) made.meta.owners = other_owners(made.meta, 0, PodOwner::bystander);
  if (variant == 4) labels.set(label_revision_hash, "1234567890");
  if (variant == 5) labels.set(label_revision_hash, "3000000000");
  made.meta.labels = std::make_shared<const StringMap>(std::move(labels));
  return made;
}

/// The name of one template, the data of another, and nobody's.
Revision Actor::colliding_revision(std::int32_t variant) {
  Revision made = under_next_name(variants_.of(made_.spec->pod_template, variant, TemplateFlavour::plain));
  const std::int32_t other = variant % 3 == 0 ? variant : next_after(variant);  // its image may be the same
  made.data = written(variants_.of(made_.spec->pod_template, other, TemplateFlavour::with_env));
  if (variant % 2 == 0) made.meta.labels = not_selected(made_.spec->selector, *made.meta.labels, variant);
  return made;
}

/// The set's own, as an older release wrote it down.
Revision Actor::older_revision(const Shared<PodTemplate>& content, ForeignRevision as) {
  Revision made = recorded(first_.meta, written(content), 0);
  made.data = older_.get(content, static_cast<std::int64_t>(as), [&] {
    return as == ForeignRevision::undefaulted ? without_defaults(*content) : decode_revision(content->older_patch);
  });
  made.meta.name = revision_name(first_.meta.name, revision_suffix(fnv1_32(*made.data.bytes), 0));
  if (const StatefulSet* live = set())
    made.meta.owners = owned_by(group_version_apps, kind_stateful_set, live->meta.name, live->meta.uid);
  return made;
}

}  // namespace ordeal::properties
