// The object that a request is meant for, be it stale or gone: what the request comes to is said of that one. Covered
// by resolve_test.cpp.
#pragma once

#include "core/cluster/store.h"
#include "core/cluster/update.h"

namespace ordeal {

/// Of that version, else of that UID, else the newest of that name. Null when there never was one.
template <class T>
const T* find_meant(const Store<T>& store, const Text& name, Version version, Uid uid) {
  const T* found = store.find(name);
  if (found != nullptr && !conflicts(found->meta, version, uid)) return found;
  found = nullptr;
  for (const Change<T>& change : store.log()) {
    const T* held = change.after;
    if (held == nullptr || held->meta.name != name) continue;
    if (version != Version::none && held->meta.version == version) return held;
    if (uid == Uid::none || held->meta.uid == uid) found = held;
  }
  return found;
}

}  // namespace ordeal
