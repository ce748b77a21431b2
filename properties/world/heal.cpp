// The environment in the end: what fairness.h assumes of it, made true.
#include <algorithm>

#include "core/api/names.h"
#include "properties/world/actor.h"

namespace ordeal::properties {

namespace {

// A good image nobody else asks for: the one the user of the epilogue fixes a broken template with.
constexpr std::int32_t mended_image = 99;
/// Not the collector's, which acts on its own.
bool is_somebodys(const Text& finalizer) { return finalizer != finalizer_foreground && finalizer != finalizer_orphan; }

bool mounts_claims(const Pod& pod) {
  return pod.volumes &&
         std::any_of(pod.volumes->begin(), pod.volumes->end(), [](const Volume& v) { return !v.claim.empty(); });
}

}  // namespace

void Actor::let_go() {
  const auto each = [](const auto& store, auto edit) {
    const auto live = store.live().all();
    std::vector<typename decltype(live)::value_type> held_back;  // an edit may remove what it edits
    for (const auto* held : live)
      if (held->meta.has_finalizers()) held_back.push_back(held);
    for (const auto* held : held_back) {
      auto edited = *held;
      auto finalizers = *held->meta.finalizers;
      if (std::erase_if(finalizers, is_somebodys) == 0) continue;
      edited.meta.finalizers = std::make_shared<const std::vector<Text>>(std::move(finalizers));
      edit(edited);
    }
  };
  each(cluster_->sets(), [&](const StatefulSet& set) { cluster_->edit_set(set); });
  each(cluster_->pods(), [&](const Pod& pod) { cluster_->edit_pod(pod); });
  each(cluster_->claims(), [&](const Claim& claim) { cluster_->edit_claim(claim); });
}

/// Whoever restores a volume binds its claim to it again.
void Actor::restore_volumes() {
  const auto live = cluster_->claims().live().all();
  for (const Claim* claim : std::vector(live.begin(), live.end()))
    if (claim->phase == ClaimPhase::lost) cluster_->set_claim_phase(claim->meta.name, ClaimPhase::bound);
}

/// What comes up while the world settles: finalizers of the template are on every new pod, and a pod that is released
/// may hold a claim.
void Actor::keep_healing() {
  let_go();
  if (const StatefulSet* live = set(); live != nullptr && !live->meta.terminating()) remove_blockers(*live);
}

void Actor::heal() {
  for (const Text& name : neighbours_) cluster_->delete_set(name, Propagation::background);
  cluster_->recover_nodes();
  restore_volumes();
  let_go();
  const StatefulSet* live = set();
  if (live == nullptr || live->meta.terminating()) return;
  remove_blockers(*live);
  mend_template(*live);
}

/// A claim that is being deleted and goes no sooner than this pod; `of_another_place` than the pod's, if only these are
/// asked for.
bool Actor::mounts_dying_claim(const Pod& pod, bool of_another_place) const {
  return pod.volumes && std::ranges::any_of(*pod.volumes, [&](const Volume& volume) {
           const Claim* claim = volume.claim.empty() ? nullptr : cluster_->claims().find(volume.claim);
           if (claim == nullptr || !claim->meta.terminating()) return false;
           return !of_another_place || parse_member(claim->meta.name).ordinal != parse_member(pod.meta.name).ordinal;
         });
}

/// It was made from what the revision it is labelled with holds.
bool Actor::is_what_it_says(const Pod& pod) const {
  const Text* label = pod.meta.label(label_revision);
  const Revision* revision = label != nullptr ? cluster_->revisions().find(*label) : nullptr;
  return revision == nullptr || !revision->data.decoded || *revision->data.decoded == *pod.made_from;
}

/// Pods that hold a name or a claim the set needs, and that it may not keep or take over; and pods somebody made that
/// can never be ready and say that they are of a revision whose pods can: no update would touch them.
void Actor::remove_blockers(const StatefulSet& live) {
  std::vector<Text> blocking;
  for (const Pod* p : cluster_->pods().live().all()) {
    const Member member = parse_member(p->meta.name);
    if (member.parent != live.meta.name.view()) continue;
    const bool needed = live.spec->covers(member.ordinal);
    const bool adoptable = p->meta.controller() == nullptr && !p->meta.terminating();
    const bool owned = p->meta.controlled_by(live.meta.uid);
    const bool holds_name = needed && !owned && (!adoptable || !live.spec->selector.matches(p->meta.labels.get()));
    const bool waited_for =
        !owned || member.ordinal == Ordinal::none || mounts_dying_claim(*p, /*of_another_place=*/false);
    const bool holds_claim = (waited_for && mounts_claims(*p) && !is_given_name(p->meta.name)) ||
                             mounts_dying_claim(*p, /*of_another_place=*/true);
    const bool hides = (owned || adoptable) && is_broken(*p->made_from) && !is_what_it_says(*p);
    if (holds_name || holds_claim || hides) blocking.push_back(p->meta.name);
  }
  for (const Text& name : blocking) cluster_->delete_pod(name);
}

bool Actor::has_broken_pod(const StatefulSet& live, std::int32_t below) const {
  const std::int64_t end = live.spec->ordinal_at(below);
  return std::ranges::any_of(cluster_->pods().live().all(), [&](const Pod* p) {
    const bool ours = p->meta.controller() == nullptr || p->meta.controlled_by(live.meta.uid);
    return ours && is_broken(*p->made_from) && number(parse_member(p->meta.name).ordinal) < end;
  });
}

/// Whoever rolls out a template that works helps no further than that, but where no controller could go on alone: below
/// a partition, and where pods are made at a current revision that is broken.
void Actor::mend_template(const StatefulSet& live) {
  if (is_broken(*live.spec->pod_template))
    edit_template(variants_.of(made_.spec->pod_template, mended_image, TemplateFlavour::plain));
  if (live.spec->strategy == Strategy::on_delete) return delete_broken(live);
  if (live.spec->strategy != Strategy::rolling_update) return;
  const Revision* current = cluster_->revisions().find(live.status.current_revision);
  const bool current_is_broken = current != nullptr && current->data.decoded && is_broken(*current->data.decoded);
  const std::int32_t partition = live.spec->rolling_update ? live.spec->rolling_update->partition.value_or(0) : 0;
  if (!current_is_broken && !has_broken_pod(live, partition)) return;
  act(Step{.kind = StepKind::set_partition, .a = 0});
}

/// With OnDelete only a user replaces pods of the range. Those outside it are the controller's to remove.
void Actor::delete_broken(const StatefulSet& live) {
  std::vector<Text> broken;
  for (const Pod* p : cluster_->pods().live().all()) {
    const bool ours = p->meta.controller() == nullptr || p->meta.controlled_by(live.meta.uid);
    if (ours && is_broken(*p->made_from) && live.spec->covers(parse_member(p->meta.name).ordinal))
      broken.push_back(p->meta.name);
  }
  for (const Text& name : broken) cluster_->delete_pod(name);
}

}  // namespace ordeal::properties
