#include "core/cluster/admission.h"

#include <algorithm>

#include "core/api/names.h"
#include "core/api/syntax.h"

namespace ordeal {

namespace {

// Creating a pod is what a controller does most, and reading its labels was most of that. So what was read before is
// not read again: the keys that every controller writes, and what came with the template (PodTemplate::faults).

bool is_label_key(const Text& key) { return is_identity_label(key) || is_qualified_name(key); }

bool may_label(const StringMap& labels, const PodTemplate* made_from = nullptr) {
  return std::all_of(labels.begin(), labels.end(), [&](const StringMap::Entry& entry) {
    if (made_from != nullptr && made_from->labels.has(entry.first, entry.second)) return true;
    return is_label_value(entry.second) && is_label_key(entry.first);
  });
}

bool may_create_meta(const ObjectMeta& meta) {
  if (!is_dns_subdomain(meta.name)) return false;
  return (!meta.labels || may_label(*meta.labels)) && (!meta.owners || may_own(*meta.owners));
}

/// The host name is nearly always the name, and then has the stricter grammar of the two.
bool may_name(const Pod& pod) {
  if (pod.hostname == pod.meta.name) return is_dns_label(pod.hostname);
  return is_dns_subdomain(pod.meta.name) && (pod.hostname.empty() || is_dns_label(pod.hostname));
}

/// An object on its way out takes no new finalizers.
bool may_hold(const ObjectMeta& wanted, const ObjectMeta& stored) {
  if (!stored.terminating() || !wanted.finalizers || wanted.finalizers == stored.finalizers) return true;
  return std::all_of(wanted.finalizers->begin(), wanted.finalizers->end(), [&](const Text& name) {
    return stored.finalizers && std::count(stored.finalizers->begin(), stored.finalizers->end(), name) > 0;
  });
}

bool may_update_meta(const ObjectMeta& wanted, const ObjectMeta& stored) {
  const bool labels_fine = wanted.labels == stored.labels || !wanted.labels || may_label(*wanted.labels);
  const bool owners_fine = wanted.owners == stored.owners || !wanted.owners || may_own(*wanted.owners);
  return labels_fine && owners_fine && may_hold(wanted, stored);
}

bool has_data(const Revision& revision) { return revision.data.bytes != nullptr && revision.number >= 0; }

}  // namespace

bool may_own(const Owners& owners) {
  int controllers = 0;
  for (const OwnerReference& o : owners) {
    if (o.uid == Uid::none || o.name.empty() || o.kind.empty() || o.api_version.empty()) return false;
    controllers += o.controller ? 1 : 0;
  }
  return controllers <= 1;
}

bool may_create(const Pod& pod) {
  if (!pod.made_from || !pod.made_from->faults.empty() || !may_name(pod)) return false;
  const ObjectMeta& meta = pod.meta;
  return (!meta.labels || may_label(*meta.labels, pod.made_from.get())) && (!meta.owners || may_own(*meta.owners));
}

bool may_create(const Claim& claim) { return may_create_meta(claim.meta); }

bool may_create(const Revision& revision) { return has_data(revision) && may_create_meta(revision.meta); }

bool may_update(const Pod& wanted, const Pod& stored) {
  const bool same_spec = same(wanted.made_from, stored.made_from) && alike(wanted.volumes, stored.volumes) &&
                         wanted.hostname == stored.hostname && wanted.subdomain == stored.subdomain &&
                         wanted.node == stored.node;
  return same_spec && may_update_meta(wanted.meta, stored.meta);
}

bool may_update(const Claim& wanted, const Claim& stored) {
  return same(wanted.spec, stored.spec) && may_update_meta(wanted.meta, stored.meta);
}

bool may_update(const Revision& wanted, const Revision& stored) {
  return has_data(wanted) && same(wanted.data.bytes, stored.data.bytes) && may_update_meta(wanted.meta, stored.meta);
}

}  // namespace ordeal
