// Which template a pod was made from, when it comes back as JSON.
//
// Reading a pod gives its template as far as that can be seen (core/api/codec.h). Not to be seen is a volume of the
// template that gave way to a claim of the same name. So a new pod is held against the templates that its maker was
// shown: one that would look the same is the one. Of a pod that is written again the API server knows which it is
// (core/cluster/admitted.h). Covered by recognise_test.cpp.
#pragma once

#include "core/controller/door.h"

namespace ordeal::fuzz {

/// Replaces `pod.made_from` by the template of `seen` that gives the same pod of this set, if there is one.
void recognise_template(Pod& pod, const Key& set, const View& seen);
/// The same of the pod that a request makes, or that an apply may make.
void recognise_template(Request& request, const Key& set, const View& seen);

}  // namespace ordeal::fuzz
