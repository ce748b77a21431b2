// What is made: new pods, repaired ones, and what counts as in order.
#include <algorithm>

#include "core/api/names.h"
#include "properties/mutants/wrong.h"

namespace ordeal::properties {

namespace {

/// A right pod, and one thing changed.
template <auto change>
Pod built_but(const StatefulSet& set, const Shared<PodTemplate>& from, const Text& revision, Ordinal ordinal) {
  Pod pod = decide::build_pod(set, from, revision, ordinal);
  change(pod, set, ordinal);
  return pod;
}
template <auto change>
Pod repaired_but(const StatefulSet& set, const Pod& held, Ordinal ordinal) {
  Pod pod = decide::repair_pod(set, held, ordinal);
  change(pod, set);
  return pod;
}

void label_from_one(Pod& pod, const StatefulSet&, Ordinal ordinal) {
  edit_labels(pod.meta, [&](StringMap& labels) { labels.set(label_pod_index, decimal(number(ordinal) + 1)); });
}
void label_place(Pod& pod, const StatefulSet& set, Ordinal ordinal) {
  const std::int32_t index = number(ordinal) - set.spec->ordinals_start.value_or(0);
  edit_labels(pod.meta, [&](StringMap& labels) { labels.set(label_pod_index, decimal(index)); });
}
void pad_name(Pod& pod, const StatefulSet& set, Ordinal ordinal) {
  pod.meta.name = pod.hostname = set.meta.name.str() + "-0" + decimal(number(ordinal)).str();
}
void disown(Pod& pod, const StatefulSet&, Ordinal) {
  Owners owners = *pod.meta.owners;
  owners.front().controller = false;
  pod.meta.owners = std::make_shared<const Owners>(std::move(owners));
}
void add_owner(Pod& pod, const StatefulSet&, Ordinal) {
  Owners owners = *pod.meta.owners;
  owners.push_back({.api_version = "v1", .kind = "ConfigMap", .name = "settings", .uid = Uid{0xFFFFFF}});
  pod.meta.owners = std::make_shared<const Owners>(std::move(owners));
}
void hold(Pod& pod, const StatefulSet&, Ordinal) {
  std::vector<Text> finalizers = pod.meta.finalizers ? *pod.meta.finalizers : std::vector<Text>();
  finalizers.push_back("example.org/controller");
  pod.meta.finalizers = std::make_shared<const std::vector<Text>>(std::move(finalizers));
}
void annotate_as_the_set(Pod& pod, const StatefulSet& set, Ordinal) {
  if (!set.meta.annotations) return;
  StringMap annotations = pod.meta.annotations ? *pod.meta.annotations : StringMap();
  for (const auto& [key, value] : *set.meta.annotations) annotations.set(key, value);
  pod.meta.annotations = std::make_shared<const StringMap>(std::move(annotations));
}
void keep_only_own_labels(Pod& pod, const StatefulSet& set, Ordinal) {
  StringMap labels = set.spec->selector.match_labels;
  for (const Text& own : {label_pod_name, label_pod_index, label_revision})
    if (const Text* value = pod.meta.label(own)) labels.set(own, *value);
  pod.meta.labels = std::make_shared<const StringMap>(std::move(labels));
}
void use_newest_template(Pod& pod, const StatefulSet& set, Ordinal) { pod.made_from = set.spec->pod_template; }
void label_hash_only(Pod& pod, const StatefulSet& set, Ordinal) {
  edit_labels(pod.meta, [&](StringMap& labels) {
    const std::string_view name = labels.find(label_revision)->view();
    labels.set(label_revision, name.substr(std::min(name.size(), set.meta.name.size() + 1)));
  });
}

void edit_volumes(Pod& pod, auto edit) {
  std::vector<Volume> volumes = pod.volumes ? *pod.volumes : std::vector<Volume>();
  edit(volumes);
  pod.volumes = std::make_shared<const std::vector<Volume>>(std::move(volumes));
}
void keep_shadowed_volumes(Pod& pod, const StatefulSet& set, Ordinal) {
  if (set.spec->claim_templates.empty()) return;
  edit_volumes(pod, [&](std::vector<Volume>& volumes) {
    for (const Volume& own : pod.made_from->volumes)
      if (std::ranges::find(volumes, own) == volumes.end()) volumes.push_back(own);
  });
}
void drop_other_volumes(Pod& pod, const StatefulSet& set, Ordinal) {
  if (set.spec->claim_templates.empty()) return;
  edit_volumes(pod, [](std::vector<Volume>& volumes) {
    std::erase_if(volumes, [](const Volume& v) { return v.claim.empty(); });
  });
}
void share_first_claim(Pod& pod, const StatefulSet& set, Ordinal) {
  edit_volumes(pod, [&](std::vector<Volume>& volumes) {
    for (Volume& volume : volumes)
      if (!volume.claim.empty()) volume.claim = claim_name(volume.name, set.meta.name, Ordinal{0});
  });
}

void take_newest_template(Pod& pod, const StatefulSet& set) { pod.made_from = set.spec->pod_template; }
void take_template_labels(Pod& pod, const StatefulSet& set) {
  edit_labels(pod.meta, [&](StringMap& labels) {
    for (const auto& [key, value] : set.spec->pod_template->labels) labels.set(key, value);
  });
}

constexpr Wrong rows[] = {
    {"identity-no-hostname", "New pods get no host name.", "identity.hostname",
     [](Rules& r) { r.build_pod = built_but<[](Pod& p, const StatefulSet&, Ordinal) { p.hostname = Text(); }>; }},
    {"identity-no-subdomain", "New pods do not name the governing service.", "identity.subdomain",
     [](Rules& r) { r.build_pod = built_but<[](Pod& p, const StatefulSet&, Ordinal) { p.subdomain = Text(); }>; }},
    {"identity-no-name-label", "New pods lack the label with their name.", "identity.pod-name-label",
     [](Rules& r) {
       r.build_pod = built_but<[](Pod& p, const StatefulSet&, Ordinal) {
         edit_labels(p.meta, [](StringMap& labels) { labels.erase(label_pod_name); });
       }>;
     }},
    {"identity-index-from-one", "The index label of new pods counts from one.", "identity.pod-index-label",
     [](Rules& r) { r.build_pod = built_but<label_from_one>; }},
    {"identity-index-is-place", "The index label of new pods is their place, not their ordinal.",
     "identity.pod-index-label", [](Rules& r) { r.build_pod = built_but<label_place>; }},
    {"identity-revision-label-is-hash", "New pods are labelled with the hash alone, not with their revision's name.",
     "identity.revision-label", [](Rules& r) { r.build_pod = built_but<label_hash_only>; }},
    {"identity-newest-template", "New pods get the newest template, whatever revision they are labelled with.",
     "identity.made-from-its-revision", [](Rules& r) { r.build_pod = built_but<use_newest_template>; }},
    {"identity-padded-names", "Ordinals in names are padded with a zero.", "identity.canonical-name",
     [](Rules& r) { r.build_pod = built_but<pad_name>; }},
    {"identity-owner-does-not-control", "New pods refer to the set as an owner, but not as their controller.",
     "identity.one-owner", [](Rules& r) { r.build_pod = built_but<disown>; }},
    {"identity-holds-pods", "New pods have a finalizer of the controller's own.", "identity.no-finalizer-of-its-own",
     [](Rules& r) { r.build_pod = built_but<hold>; }},
    {"identity-copies-the-set", "New pods have the annotations of their set.", "identity.template-labels",
     [](Rules& r) { r.build_pod = built_but<annotate_as_the_set>; }},
    {"ownership-another-owner", "New pods refer to something else beside their set.",
     "ownership.no-owner-beside-the-set", [](Rules& r) { r.build_pod = built_but<add_owner>; }},
    {"identity-drops-template-labels", "New pods get only the labels the set selects by.", "identity.template-labels",
     [](Rules& r) { r.build_pod = built_but<keep_only_own_labels>; }},
    {"identity-drops-annotations", "New pods lack the annotations of the template.", "identity.template-labels",
     [](Rules& r) {
       r.build_pod = built_but<[](Pod& p, const StatefulSet&, Ordinal) { p.meta.annotations = nullptr; }>;
     }},
    {"identity-keeps-shadowed-volumes", "A template's volume of a claim's name is kept beside the claim.",
     "identity.claim-volumes", [](Rules& r) { r.build_pod = built_but<keep_shadowed_volumes>; }},
    {"identity-drops-other-volumes", "Of the volumes only the claims are kept.", "identity.template-volumes",
     [](Rules& r) { r.build_pod = built_but<drop_other_volumes>; }},
    {"identity-shares-claims", "All new pods are bound to the claims of the first.", "identity.claim-volumes",
     [](Rules& r) { r.build_pod = built_but<share_first_claim>; }},
    {"identity-repair-updates-in-place", "A pod that is repaired gets the newest template on the way.",
     "identity.update-changes-identity-only", [](Rules& r) { r.repair_pod = repaired_but<take_newest_template>; }},
    {"identity-repair-relabels", "A pod that is repaired gets all labels of the newest template.",
     "identity.update-changes-identity-only", [](Rules& r) { r.repair_pod = repaired_but<take_template_labels>; }},
    {"convergence-repair-does-nothing", "A pod that lost the label with its name is written as it is.",
     "convergence.identity-repaired",
     [](Rules& r) { r.repair_pod = [](const StatefulSet&, const Pod& held, Ordinal) { return held; }; }},
    {"convergence-never-repairs", "A pod that lost the label with its name is taken for whole.",
     "convergence.identity-repaired",
     [](Rules& r) { r.identity_matches = [](const StatefulSet&, const Pod&, Ordinal) { return true; }; }},
    {"convergence-always-repairs", "Pods are written again in every turn.", "convergence.no-writes-at-rest",
     [](Rules& r) { r.identity_matches = [](const StatefulSet&, const Pod&, Ordinal) { return false; }; }},
    {"convergence-always-rebinds", "Volumes never count as bound, so pods are written again in every turn.",
     "convergence.no-writes-at-rest",
     [](Rules& r) { r.storage_matches = [](const StatefulSet&, const Pod&, Ordinal) { return false; }; }},
};

}  // namespace

std::span<const Wrong> wrong_pods() { return rows; }

}  // namespace ordeal::properties
