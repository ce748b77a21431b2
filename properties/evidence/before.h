// What a pod, a claim or a revision was before a call about it. Null: there was none, or the call is about a set.
#pragma once

#include "properties/evidence/trace.h"

namespace ordeal::properties {

template <class T>
const ObjectMeta* meta_in(const T* object) {
  return object != nullptr ? &object->meta : nullptr;
}

/// As the turn was shown it.
inline const ObjectMeta* shown_before(const View& seen, const Request& request) {
  switch (request.kind) {
    case Kind::pod: return meta_in(seen.pods.find(request.name));
    case Kind::claim: return meta_in(seen.claims.find(request.name));
    case Kind::revision: return meta_in(seen.revisions.find(request.name));
    case Kind::set: break;
  }
  return nullptr;
}
/// As the call found it stored.
inline const ObjectMeta* stored_before(const Call& call) {
  switch (call.request.kind) {
    case Kind::pod: return meta_in(call.pod_before);
    case Kind::claim: return meta_in(call.claim_before);
    case Kind::revision: return meta_in(call.revision_before);
    case Kind::set: break;
  }
  return nullptr;
}

}  // namespace ordeal::properties
