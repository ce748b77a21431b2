// JSON bytes as Go's standard encoder writes them, on which the names of revisions depend (semantics.md 5.1).
// Covered by template_test.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ordeal {

/// No spaces; keys in order of bytes; numbers by way of double precision, shortest form; < > & and the line separators
/// escaped; bytes that are no UTF-8 replaced.
std::string go_encode(const nlohmann::json& value);

/// A resource quantity in the one form the API server stores it in: "1000m" -> "1", 0.5 -> "500m", "1024Mi" -> "1Gi".
/// False when it is none; what is too long to work out in 64 bits is left as it is.
bool canonical_quantity(nlohmann::json& value);

/// Both are canonical quantities and none is negative: `1Gi` is more than `500M`. To 64 bits of precision.
bool is_more_than(const nlohmann::json& quantity, const nlohmann::json& other);

}  // namespace ordeal
