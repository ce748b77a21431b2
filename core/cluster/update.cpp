#include "core/cluster/update.h"

#include <algorithm>

#include "core/cluster/admission.h"

namespace ordeal {

void take_meta(ObjectMeta& next, const ObjectMeta& wanted) {
  next.labels = wanted.labels;
  next.annotations = wanted.annotations;
  next.owners = wanted.owners;
  next.finalizers = wanted.finalizers && !wanted.finalizers->empty() ? wanted.finalizers : nullptr;
}

bool conflicts(const ObjectMeta& stored, Version version, Uid uid) {
  const bool wrong_version = version != Version::none && version != stored.version;
  const bool wrong_uid = uid != Uid::none && uid != stored.uid;
  return wrong_version || wrong_uid;
}

bool changes_nothing(const Pod& wanted, const Pod& stored) { return same_meta(wanted.meta, stored.meta); }
bool changes_nothing(const Claim& wanted, const Claim& stored) { return same_meta(wanted.meta, stored.meta); }
bool changes_nothing(const Revision& wanted, const Revision& stored) {
  return same_meta(wanted.meta, stored.meta) && wanted.number == stored.number;
}

void take_changes(Pod& next, const Pod& wanted) { take_meta(next.meta, wanted.meta); }
void take_changes(Claim& next, const Claim& wanted) { take_meta(next.meta, wanted.meta); }
void take_changes(Revision& next, const Revision& wanted) {
  take_meta(next.meta, wanted.meta);
  next.number = wanted.number;
}

Shared<Owners> owners_after(const Owners* owners, const OwnerPatch& patch) {
  Owners next = owners ? *owners : Owners{};
  if (patch.remove) std::erase_if(next, [&](const OwnerReference& o) { return o.uid == *patch.remove; });
  if (patch.add) {
    const auto same_uid = [&](const OwnerReference& o) { return o.uid == patch.add->uid; };
    const auto at = std::find_if(next.begin(), next.end(), same_uid);
    if (at == next.end()) next.push_back(*patch.add);
    else *at = *patch.add;
  }
  return next.empty() ? nullptr : std::make_shared<const Owners>(std::move(next));
}

}  // namespace ordeal
