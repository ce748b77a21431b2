// Ownership: a set acts on what is its own, takes what is nobody's and fits, lets go of what fits no more.
// semantics.md 3 and 10.9. Covered by ownership_test.cpp.
//
// Not judged here, because: which set an event wakes (OWN-8) is decided by the queue, which is the world's here and has
// its own test; the owner of a new pod is a matter of identity, owners of claims of storage.
#pragma once

#include <array>

#include "properties/invariants/invariant.h"

namespace ordeal::properties::ownership {

Judgement foreign_pods_untouched(const Moment&);
Judgement sets_apart(const Moment&);
Judgement namespaces_apart(const Moment&);
Judgement orphan_adopted_first(const Moment&);
Judgement adopts_only_matching(const Moment&);
Judgement adopts_nothing_dying(const Moment&);
Judgement adopts_in_its_own_name(const Moment&);
Judgement confirms_before_adopting(const Moment&);
Judgement names_the_incarnation(const Moment&);
Judgement stops_without_its_set(const Moment&);
Judgement never_steals(const Moment&);
Judgement releases_only_mismatched(const Moment&);
Judgement releases_only_itself(const Moment&);
Judgement other_owners_kept(const Moment&);
Judgement one_controller(const Moment&);
Judgement adopted_at_once(const Moment&);
Judgement refusal_holds_up_no_other(const Moment&);
Judgement released_at_once(const Moment&);
Judgement foreign_revisions_untouched(const Moment&);
Judgement adopts_only_orphan_revisions(const Moment&);
Judgement new_revision_is_owned(const Moment&);
Judgement no_owner_beside_the_set(const Moment&);
Judgement orphans_adopted_at_rest(const Moment&);
Judgement mismatched_released_at_rest(const Moment&);
Judgement revisions_adopted_at_rest(const Moment&);

inline constexpr std::array invariants{
    Invariant{.id = "ownership.foreign-pods-untouched",
              .promise = "A pod that somebody else controls is not changed, deleted or taken over.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "OWN-1",
              .on = on_update_pod | on_delete_pod | on_patch_pod,
              .check = foreign_pods_untouched},
    Invariant{.id = "ownership.sets-apart",
              .promise = "A turn for one set changes nothing that is another's, however alike their selectors are.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .judges = Judges::truth,
              .property = "OWN-6",
              .on = on_sync | on_beside,
              .check = sets_apart},
    Invariant{.id = "ownership.namespaces-apart",
              .promise = "A turn for a set asks for nothing in another namespace, whatever bears the same names there.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "OWN-6",
              .on = on_sync | on_beside,
              .check = namespaces_apart},
    Invariant{.id = "ownership.orphan-adopted-first",
              .promise = "A pod that nobody controls is adopted before anything else is done to it.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "OWN-1",
              .on = on_update_pod | on_delete_pod,
              .check = orphan_adopted_first},
    Invariant{.id = "ownership.adopts-only-matching",
              .promise = "Only pods that nobody controls, that the set selects and that bear its name are adopted.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "OWN-2",
              .on = on_patch_pod,
              .check = adopts_only_matching},
    Invariant{.id = "ownership.adopts-nothing-dying",
              .promise = "A pod that is being deleted is not adopted, nor any pod by a set that is.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "OWN-2",
              .on = on_patch_pod,
              .check = adopts_nothing_dying},
    Invariant{
        .id = "ownership.adopts-in-its-own-name",
        .promise =
            "What is adopted comes to refer to the set as its controller, by name and UID, and so that the set waits for it.",
        .source = "StatefulSet source walk-through (v1.20), section sync",
        .property = "OWN-2",
        .on = on_patch_pod | on_patch_revision,
        .check = adopts_in_its_own_name},
    Invariant{.id = "ownership.confirms-before-adopting",
              .promise = "Before it adopts, a controller asks the API server whether its set still lives.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "OWN-2, LIF-2",
              .on = on_patch_pod | on_patch_revision,
              .check = confirms_before_adopting,
              .by_answers = true},
    Invariant{
        .id = "ownership.names-the-incarnation",
        .promise =
            "Adoption and release are meant for the very pod or revision that was seen, and for no later one of its name.",
        .source = "StatefulSet source walk-through (v1.20), section sync",
        .property = "OWN-5",
        .on = on_patch_pod | on_patch_revision,
        .check = names_the_incarnation},
    Invariant{
        .id = "ownership.stops-without-its-set",
        .promise = "A turn that is told that its set is gone, going or another one by now makes and deletes nothing.",
        .source = "StatefulSet source walk-through (v1.20), section sync",
        .level = Level::strict,
        .property = "beyond",
        .on = on_sync,
        .check = stops_without_its_set,
        .by_answers = true},
    Invariant{.id = "ownership.never-steals",
              .promise = "No pod is taken from another controller, however far behind the caches are.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .judges = Judges::truth,
              .property = "OWN-5",
              .on = on_patch_pod | on_update_pod,
              .check = never_steals},
    Invariant{.id = "ownership.releases-only-mismatched",
              .promise = "A pod is released only when it is the set's and the set no longer selects it.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "OWN-3",
              .on = on_patch_pod,
              .check = releases_only_mismatched},
    Invariant{.id = "ownership.adopted-at-once",
              .promise = "A turn that finds pods which fit the set and belong to nobody adopts one of them at least.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .level = Level::strict,
              .property = "OWN-1, FIX-1",
              .on = on_sync,
              .given = turn_is_clean,
              .check = adopted_at_once},
    Invariant{.id = "ownership.released-at-once",
              .promise = "A turn that finds pods of the set which fit it no more releases one of them at least.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .level = Level::strict,
              .property = "OWN-3, FIX-1",
              .on = on_sync,
              .given = turn_is_clean,
              .check = released_at_once},
    Invariant{.id = "ownership.refusal-holds-up-no-other",
              .promise = "When a pod cannot be adopted or released, the others that are to be are tried all the same.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .level = Level::strict,
              .property = "beyond",
              .on = on_sync,
              .given = call_failed,
              .check = refusal_holds_up_no_other},
    Invariant{.id = "ownership.releases-only-itself",
              .promise = "A release takes away the set's own reference and no other.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "OWN-3",
              .on = on_patch_pod,
              .check = releases_only_itself},
    Invariant{.id = "ownership.other-owners-kept",
              .promise = "An update of a pod or a revision keeps whoever owns it without controlling it.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "OWN-3",
              .on = on_update_pod | on_update_revision,
              .check = other_owners_kept},
    Invariant{.id = "ownership.one-controller",
              .promise = "No pod, claim or revision is given two controllers.",
              .source = "stateful-apps proposal, section Accessing pods by stable network identity",
              .property = "OWN-4",
              .on = on_create_pod | on_update_pod | on_create_claim | on_update_claim | on_create_revision |
                    on_update_revision,
              .check = one_controller},
    Invariant{.id = "ownership.foreign-revisions-untouched",
              .promise = "Only the set's own revisions are renumbered or deleted.",
              .source = "StatefulSet Update proposal, section PodTemplate Deletion",
              .property = "OWN-7",
              .on = on_update_revision | on_delete_revision,
              .check = foreign_revisions_untouched},
    Invariant{.id = "ownership.adopts-only-orphan-revisions",
              .promise = "Only revisions that nobody controls and that the set selects are adopted.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .property = "OWN-7",
              .on = on_patch_revision,
              .check = adopts_only_orphan_revisions},
    Invariant{.id = "ownership.new-revision-is-owned",
              .promise = "A new revision is controlled by the set it is made for, by name and UID.",
              .source = "StatefulSet Update proposal, section PodTemplate Creation",
              .property = "REV-11, OWN-7",
              .on = on_create_revision,
              .check = new_revision_is_owned},
    Invariant{.id = "ownership.no-owner-beside-the-set",
              .promise =
                  "A new pod or revision has no owner but its set: it goes when that goes, and stays while that stays.",
              .source = "Kubernetes Garbage Collection, section Owners and dependents",
              .level = Level::strict,
              .property = "beyond",
              .on = on_create_pod | on_create_revision,
              .check = no_owner_beside_the_set},
    Invariant{.id = "ownership.orphans-adopted-at-rest",
              .promise = "Left in peace, every pod that fits and that nobody controls has been adopted.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "FIX-1",
              .on = on_settled,
              .check = orphans_adopted_at_rest},
    Invariant{.id = "ownership.mismatched-released-at-rest",
              .promise = "Left in peace, every pod that the set no longer selects has been released.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "FIX-1",
              .on = on_settled,
              .check = mismatched_released_at_rest},
    Invariant{.id = "ownership.revisions-adopted-at-rest",
              .promise = "Left in peace, every revision that fits and that nobody controls has been adopted.",
              .source = "StatefulSet source walk-through (v1.20), section sync",
              .when = When::settled,
              .judges = Judges::truth,
              .property = "FIX-1",
              .on = on_settled,
              .check = revisions_adopted_at_rest},
};

}  // namespace ordeal::properties::ownership
