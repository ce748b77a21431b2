// What the paths of Kubernetes' API name: /api/v1/namespaces/NS/pods/NAME. Covered by http_test.cpp.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "core/controller/door.h"

namespace ordeal::fuzz {

struct Target {
  Kind kind = Kind::set;
  std::string elsewhere;  // "NS/" in another namespace than that of the set
  std::string name, subresource;
};
/// An error is a sentence. `ns`: the namespace there is.
std::expected<Target, std::string> target_of(std::string_view path, const Text& ns);

/// The path of all objects of a kind.
std::string collection_of(Kind kind, const Text& ns);
const char* resource_of(Kind kind);        // "statefulsets"
std::string_view version_of(Kind kind);    // "apps/v1"
std::string_view list_kind_of(Kind kind);  // "StatefulSetList"
/// Clients know no object without a namespace; a scenario's set may have none.
Text sent_namespace(const Text& ns);

/// Between its slashes.
std::vector<std::string_view> parts_of(std::string_view path);

}  // namespace ordeal::fuzz
