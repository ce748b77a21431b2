// The door in the words of Kubernetes' API: what a client sends, as a Request (what a client gets back: answer.h).
//
// A call is {"method", "path", "query", "contentType", "body"}; query, contentType and body may be absent. An answer is
// {"status", "body"}, the body an object or a Status. There is one simulated API server, behind the door; here are only
// its words. Lists are several requests of the door (list.h). What a StatefulSet controller has no use for (watches,
// other kinds) is not served: the sentence says so, and the trial has no verdict. Covered by
// http_test.cpp.
#pragma once

#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/controller/door.h"

namespace ordeal::fuzz {

/// The request that a call asks for; an error is a sentence about what is wrong with it. `ns`: the namespace there is.
std::expected<Request, std::string> request_of(const nlohmann::json& call, const Text& ns);
/// The other side, for controllers that speak the door: the call that asks for a request.
nlohmann::json call_of(const Request& request, const Text& ns);
/// The place in the controller's code that makes the call, if it says so as a line of a report can hold it.
Text line_in(const nlohmann::json& call);

/// How far each cache has come, by resource. Even an empty list has a version; 0 would mean any.
nlohmann::json reached_json(const View& seen);

}  // namespace ordeal::fuzz
