// The three forms of a patch, applied to JSON as an API server applies them.
//
// Strategic merge is that of metadata and status, where alone a patch may change something here: ownerReferences are
// merged by uid, conditions by type, finalizers as a set; other lists are replaced. Not here: what may be changed
// (update.h). Source: RFC 7386, RFC 6902, Kubernetes' "Update API Objects in Place Using kubectl patch". Covered by
// patch_test.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/controller/door.h"

namespace ordeal {

/// Operations of one document: more are refused, and more copies, since each may double what is there.
inline constexpr std::size_t max_operations = 1000, max_copies = 8;

/// Changes `document` as the patch says. False when it cannot be: a path that is not there, a test that fails, a
/// directive that nobody knows; `document` is then worth nothing.
bool apply_patch(nlohmann::json& document, PatchType type, const nlohmann::json& patch);

/// The merge patch (RFC 7386) that makes the one of the other; `after` holds no null.
nlohmann::json merge_patch_between(const nlohmann::json& before, const nlohmann::json& after);

}  // namespace ordeal
