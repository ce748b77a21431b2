// What came of a request, as an API server answers: an object, or a Status. Covered by http_test.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "core/controller/door.h"

namespace ordeal::fuzz {

/// A timeout of half of the requests is no answer of the API server's: the connection was lost, before the request came
/// there or after.
bool is_lost(const Request& request, const Reply& reply);
/// An object in it is of the namespace there is, as every object of an API server is.
nlohmann::json answer_to(const Request& request, const Reply& reply, const Text& ns);

Code code_of_answer(int status, std::string_view reason);
int status_of(Code code);
int status_of_success(const Request& request, const Reply& reply);
std::string_view reason_of(Code code);

}  // namespace ordeal::fuzz
