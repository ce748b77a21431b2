// What admission adds to a pod, by the plugins of every API server and by a webhook (Habits::injects), and to a claim:
// clients see it, whatever the template says.
//
// It is no part of what is stored here, for nothing depends on it. A client that holds a pod against a template has to
// leave it out, or finds all pods outdated. Covered by admitted_test.cpp.
#pragma once

#include <nlohmann/json.hpp>

#include "core/api/codec.h"

namespace ordeal {

/// A stored object as clients see it. A pod has, beside what its template says itself: the service account and a volume
/// with its token, tolerations of nodes that fail, the priority, and what defaults a pod has and no template
/// (kubernetes/kubernetes, plugin/pkg/admission serviceaccount, defaulttolerationseconds, priority); and what
/// webhooks inject: a further container, and what the first one asks for.
nlohmann::json seen_by_clients(const Pod& stored);
/// A claim has the finalizer that protects it (plugin/pkg/admission storageobjectinuseprotection), and is Bound where
/// nothing else is known of it.
nlohmann::json seen_by_clients(const Claim& stored);
template <class T>
nlohmann::json seen_by_clients(const T& stored) {
  return to_json(stored);
}

/// A pod that is sent as clients see `stored`, with whatever labels and volumes, is made from the same template.
void take_for_stored(Pod& sent, const Pod& stored);
/// A claim that is sent as clients see `stored` says no more than that one: its finalizers are the sender's own.
void take_for_stored(Claim& sent, const Claim& stored);

}  // namespace ordeal
