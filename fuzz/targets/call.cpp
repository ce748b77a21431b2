// libFuzzer target: any bytes are a call of an external controller, or a sentence about what is wrong with it; and what was
// understood is said again in the words of the API and understood as the same.
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "core/api/codec.h"
#include "fuzz/adapter/http.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ordeal;
  const auto fail = [](const char* what, const std::string& one, const std::string& other) {
    std::fprintf(stderr, "%s\n%s\n%s\n", what, one.c_str(), other.c_str());
    std::abort();
  };
  const auto text_of = [](const nlohmann::json& value) {
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  };
  nlohmann::json call;
  FieldErrors errors;
  if (!parse_json({reinterpret_cast<const char*>(data), size}, call, errors) || !call.is_object()) return -1;
  const Text ns("default");
  if (fuzz::is_event(call)) {
    if (!fuzz::answer_to_event(call).is_object()) fail("an event has no answer", text_of(call), "");
    return 0;
  }
  const auto request = fuzz::request_of(call, ns);
  if (!request) {
    if (request.error().empty()) fail("refused without a sentence", text_of(call), "");
    return 0;
  }
  const nlohmann::json once = fuzz::call_of(*request, ns);
  const auto again = fuzz::request_of(once, ns);
  if (!again) fail("what was said again is not understood", text_of(once), again.error());
  if (fuzz::call_of(*again, ns) != once) fail("it changes each time it is said", text_of(once), text_of(fuzz::call_of(*again, ns)));
  return 0;
}
