// What the body of a call says of the request, and the words in which bodies say it.
//
// An error is a sentence: what is asked for is not served. What an API server would not take either (of another type,
// or without what has to be there) is a request that is refused, with as much as could be read. Covered by
// http_test.cpp.
#pragma once

#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/controller/door.h"

namespace ordeal::fuzz {

/// An object that is made or written; `there`: the namespace of the path, `ns`: the one there is.
std::expected<Request, std::string> with_object(Request request, const nlohmann::json& body, const Text& ns,
                                                std::string_view there);
Request with_status(Request request, const nlohmann::json& body, std::string_view there);
/// DeleteOptions, all of which may be absent; those of the URL where there is no body.
std::expected<Request, std::string> with_options(Request request, const nlohmann::json& body, const std::string& query);
/// Of any type that is served, server-side apply among them.
std::expected<Request, std::string> with_patch(Request request, const nlohmann::json& call, const Text& ns);

std::string_view word_of(Propagation propagation);         // "Background"
std::string_view content_type_of(const Request& request);  // of a patch

}  // namespace ordeal::fuzz
