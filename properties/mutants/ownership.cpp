// Whose pod is it: membership, adoption, release, and which place a pod has.
#include "properties/mutants/wrong.h"

namespace ordeal::properties {

namespace {

bool single_digits_are_members(std::string_view set, std::string_view pod, const Member& parsed) {
  return decide::canonical_names_are_members(set, pod, parsed) && number(parsed.ordinal) < 10;
}

Claiming strict_claiming(const ObjectMeta& set, const ObjectMeta& pod, Fit fit) {
  return decide::claim_adopt_or_release_strangers(set, pod, fit);
}

/// The strict answer, unless it is `from`: then `to`.
template <Claiming from, Claiming to>
Claiming instead(const ObjectMeta& set, const ObjectMeta& pod, Fit fit) {
  const Claiming claiming = strict_claiming(set, pod, fit);
  return claiming == from ? to : claiming;
}

Claiming claims_foreign(const ObjectMeta& set, const ObjectMeta& pod, Fit fit) {
  return pod.controller() != nullptr && fit.selected && fit.member ? Claiming::claim : strict_claiming(set, pod, fit);
}

Claiming adopts_foreign(const ObjectMeta& set, const ObjectMeta& pod, Fit fit) {
  const OwnerReference* owner = pod.controller();
  const bool foreign = owner != nullptr && owner->uid != set.uid;
  return foreign && fit.selected && fit.member ? Claiming::adopt : strict_claiming(set, pod, fit);
}

/// The pod with these owners changed.
template <class Change>
ObjectMeta with_owners(const ObjectMeta& pod, Change change) {
  ObjectMeta other = pod;
  Owners owners = pod.owners ? *pod.owners : Owners{};
  change(owners);
  other.owners = std::make_shared<const Owners>(std::move(owners));
  return other;
}

Claiming takes_any_reference(const ObjectMeta& set, const ObjectMeta& pod, Fit fit) {
  if (pod.controller() != nullptr) return strict_claiming(set, pod, fit);
  const auto let_control = [&](Owners& owners) {
    for (OwnerReference& owner : owners) owner.controller = owner.uid == set.uid;
  };
  return strict_claiming(set, with_owners(pod, let_control), fit);
}

Claiming looks_at_the_first_owner(const ObjectMeta& set, const ObjectMeta& pod, Fit fit) {
  const auto drop_others = [](Owners& owners) {
    if (owners.size() > 1) owners.resize(1);
  };
  return strict_claiming(set, with_owners(pod, drop_others), fit);
}

Claiming adopts_unselected(const ObjectMeta& set, const ObjectMeta& pod, Fit fit) {
  if (pod.controller() == nullptr) fit.selected = true;
  return strict_claiming(set, pod, fit);
}

Claiming adopts_dying(const ObjectMeta& set, const ObjectMeta& pod, Fit fit) {
  const bool orphan = pod.controller() == nullptr && fit.selected && fit.member && !set.terminating();
  return orphan ? Claiming::adopt : strict_claiming(set, pod, fit);
}

Claiming releases_while_deleting(const ObjectMeta& set, const ObjectMeta& pod, Fit fit) {
  ObjectMeta staying = set;
  staying.deletion.reset();
  const Claiming claiming = strict_claiming(staying, pod, fit);
  return claiming == Claiming::release ? claiming : strict_claiming(set, pod, fit);
}

constexpr Wrong rows[] = {
    {"identity-any-digits-are-a-member", "A pod web-01 is taken for member 1 of web.", "convergence.no-writes-at-rest",
     [](Rules& r) { r.is_member = decide::any_digits_are_a_member; }},
    {"identity-single-digits", "Pods are members up to ordinal 9 only.", "identity.no-second-pod",
     [](Rules& r) { r.is_member = single_digits_are_members; }},
    {"ownership-never-releases", "Pods that the set no longer selects are not released.",
     "ownership.mismatched-released-at-rest",
     [](Rules& r) { r.claiming = instead<Claiming::release, Claiming::ignore>; }},
    {"ownership-releases-what-fits", "The set releases pods that it selects.", "ownership.releases-only-mismatched",
     [](Rules& r) { r.claiming = instead<Claiming::claim, Claiming::release>; }},
    {"revisions-of-strange-names-pruned",
     "The revision of a pod of the set's whose name is no member's counts as used by nobody.",
     "revisions.pruned-beyond-limit", [](Rules& r) { r.claiming = instead<Claiming::keep, Claiming::ignore>; }},
    {"ownership-never-adopts", "Orphans are left alone.", "ownership.orphans-adopted-at-rest",
     [](Rules& r) { r.claiming = instead<Claiming::adopt, Claiming::ignore>; }},
    {"ownership-works-on-orphans", "Orphans are worked on without being adopted.", "ownership.orphan-adopted-first",
     [](Rules& r) { r.claiming = instead<Claiming::adopt, Claiming::claim>; }},
    {"ownership-claims-foreign", "Pods of other controllers are worked on when their labels and names fit.",
     "ownership.foreign-pods-untouched", [](Rules& r) { r.claiming = claims_foreign; }},
    {"ownership-adopts-foreign", "Pods of other controllers are adopted when their labels and names fit.",
     "ownership.foreign-pods-untouched", [](Rules& r) { r.claiming = adopts_foreign; }},
    {"ownership-takes-any-reference", "A pod that names the set as an owner is taken for controlled by it.",
     "ownership.orphan-adopted-first", [](Rules& r) { r.claiming = takes_any_reference; }},
    {"ownership-looks-at-the-first-owner", "Only the first owner of a pod is asked whether it is the controller.",
     "ownership.adopts-only-matching", [](Rules& r) { r.claiming = looks_at_the_first_owner; }},
    {"ownership-adopts-unselected", "Orphans are adopted by name, whatever their labels.",
     "ownership.adopts-only-matching", [](Rules& r) { r.claiming = adopts_unselected; }},
    {"ownership-adopts-dying", "Orphans that are being deleted are adopted.", "ownership.adopts-nothing-dying",
     [](Rules& r) { r.claiming = adopts_dying; }},
    {"lifecycle-releases-while-deleting", "A set that is being deleted releases pods.",
     "lifecycle.deleting-leaves-owners", [](Rules& r) { r.claiming = releases_while_deleting; }},
    {"ownership-confirms-by-name", "Adoption goes on when another set of the name lives by now.",
     "ownership.confirms-before-adopting",
     [](Rules& r) {
       r.confirms =
           r.confirms_revisions = [](const StatefulSet&, const StatefulSet& live) { return !live.meta.terminating(); };
     }},
    {"ownership-confirms-while-deleting", "Adoption goes on when the set turns out to be going away.",
     "ownership.confirms-before-adopting", [](Rules& r) { r.confirms = decide::same_uid; }},
    {"ownership-confirms-revisions-while-deleting",
     "Adoption of revisions goes on when the set turns out to be going away.", "ownership.confirms-before-adopting",
     [](Rules& r) { r.confirms_revisions = decide::same_uid; }},
    {"ownership-never-confirms", "The live set is never found to be the one that was seen.",
     "convergence.comes-to-rest",
     [](Rules& r) {
       r.confirms = r.confirms_revisions = [](const StatefulSet&, const StatefulSet&) { return false; };
     }},
    {"errors-release-always-done", "A release that failed is taken for done.", "errors.unclear-owners-stop-work",
     [](Rules& r) { r.released = [](Code) { return true; }; }},
    {"lifecycle-works-while-deleting", "Pods are still worked on while the set is being deleted.",
     "lifecycle.deleting-leaves-pods",
     [](Rules& r) {
       r.may_work = [](const StatefulSet&) { return true; };
       r.records_while_deleting = true;  // or there would be no template to work with
     }},
    {"lifecycle-never-works", "Pods are never worked on.", "identity.whole-range-at-rest",
     [](Rules& r) { r.may_work = [](const StatefulSet&) { return false; }; }},
    {"identity-start-ignored", "Places are counted from 0, whatever spec.ordinals.start says.",
     "identity.no-second-pod",
     [](Rules& r) {
       r.place_of = [](const StatefulSetSpec& spec, Ordinal ordinal, std::size_t places) {
         StatefulSetSpec from_zero = spec;
         from_zero.ordinals_start.reset();
         return decide::by_start_and_replicas(from_zero, ordinal, places);
       };
     }},
    {"scaling-one-too-many", "The pod of the last place is taken for a surplus one.", "identity.no-second-pod",
     [](Rules& r) {
       r.place_of = [](const StatefulSetSpec& spec, Ordinal ordinal, std::size_t places) {
         return decide::by_start_and_replicas(spec, ordinal, places == 0 ? 0 : places - 1);
       };
     }},
};

}  // namespace

std::span<const Wrong> wrong_ownership() { return rows; }

}  // namespace ordeal::properties
