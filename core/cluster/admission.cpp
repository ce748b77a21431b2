#include "core/cluster/admission.h"

#include <algorithm>

#include "core/api/syntax.h"

namespace ordeal {

namespace {

bool may_label(const StringMap& labels) {
  return std::all_of(labels.begin(), labels.end(), [](const StringMap::Entry& entry) {
    return is_label_value(entry.second) && is_qualified_name(entry.first);
  });
}

bool may_create_meta(const ObjectMeta& meta) {
  return is_dns_subdomain(meta.name) && (!meta.labels || may_label(*meta.labels)) && (!meta.owners || may_own(*meta.owners));
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
  if (!pod.made_from || !pod.made_from->faults.empty()) return false;
  if (!pod.hostname.empty() && !is_dns_label(pod.hostname)) return false;
  return may_create_meta(pod.meta);
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
