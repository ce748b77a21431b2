// The two passes over a pod template's JSON: defaults as the API server applies them, and what it would refuse.
// Both take any JSON. Covered by template_test.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ordeal {

/// Fills in defaults and drops what an encoder of the API would not write: absent, null and empty members of the parts
/// known here. Everything else stays as it is.
void apply_template_defaults(nlohmann::json& pod_template);
/// The same for the spec of a claim.
void apply_claim_defaults(nlohmann::json& claim_spec);

/// "path: sentence" or "path: sentence (found: value)" for everything wrong; "template" is the path of the whole.
std::vector<std::string> template_faults(const nlohmann::json& pod_template);

}  // namespace ordeal
