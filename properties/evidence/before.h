// What an object was before a call about it; null: there was none.
#pragma once

#include <type_traits>

#include "core/cluster/cluster.h"
#include "properties/evidence/trace.h"

namespace ordeal::properties {

/// As the call found it stored.
template <class T>
const T* stored_before(const Call& call) {
  if constexpr (std::is_same_v<T, StatefulSet>) return call.set_before;
  else if constexpr (std::is_same_v<T, Pod>) return call.pod_before;
  else if constexpr (std::is_same_v<T, Claim>) return call.claim_before;
  else return call.revision_before;
}

template <class T>
const ObjectMeta* meta_in(const T* object) {
  return object != nullptr ? &object->meta : nullptr;
}
/// Of whatever kind it is.
inline const ObjectMeta* meta_stored_before(const Call& call) {
  return with_type(call.request.kind, [&]<class T>(std::type_identity<T>) { return meta_in(stored_before<T>(call)); });
}
/// As the turn was shown it.
inline const ObjectMeta* meta_shown_before(const View& seen, const Request& request) {
  return with_type(request.kind,
                   [&]<class T>(std::type_identity<T>) { return meta_in(seen.of<T>().find(request.name)); });
}
/// As a read found it; null: it found nothing.
inline const ObjectMeta* meta_read(const Call& read) {
  return with_type(read.request.kind, [&]<class T>(std::type_identity<T>) { return meta_in(read.reply.as<T>()); });
}
/// Nobody has changed what the turn was shown: no news of it will make another turn.
bool is_as_shown(const View& seen, const Call& read);

/// Null: nobody is.
bool is_among(const OwnerReference& owner, const ObjectMeta* meta);
/// An owner in what a patch comes to that was stored, and that the turn was not shown: the patch has not given it.
bool was_met_unseen(const View& seen, const Call& call, const OwnerReference& owner);
/// An update takes away an owner that is stored: one that the turn was shown or, where it took effect, any.
bool drops_owner(const View& seen, const Call& update, const OwnerReference& owner);

/// An update that says of the object what the turn was shown of it, and no more. False for one that was not shown, and
/// for a set's.
bool writes_as_shown(const View& seen, const Request& update);

/// The finalizers of `shown`, or those without some that the pod was created with beyond its template's: these are its
/// controller's own.
bool keeps_finalizers(const Cluster& truth, const Pod& shown, const Pod& sent);
/// What Call::lets_go says.
bool lets_go(const Cluster& truth, const View& seen, const Request& request);

}  // namespace ordeal::properties
