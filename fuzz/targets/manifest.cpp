// libFuzzer target: any bytes are a manifest or a clear error, and what is read survives being written and read again.
//
// Asked of every StatefulSet that was read: defaulting twice is defaulting once; validation has an answer; the JSON of
// the defaulted set reads back without error as an equal set. Other kinds are only read, and so is what stands beside a
// document that is wrong: whoever gives such a manifest is told of the errors, and nothing else is done with it.
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/api/codec.h"
#include "core/api/validation.h"

namespace {

using namespace ordeal;

[[noreturn]] void fail(const char* what, const std::string& one, const std::string& other) {
  std::fprintf(stderr, "%s\n%s\n%s\n", what, one.c_str(), other.c_str());
  std::abort();
}

std::string text_of(const StatefulSet& set) {
  return to_json(set).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void survives(const StatefulSet& read) {
  StatefulSet once = read;
  apply_defaults(once);
  StatefulSet twice = once;
  apply_defaults(twice);
  if (text_of(once) != text_of(twice)) fail("defaulting is not idempotent", text_of(once), text_of(twice));
  for (const FieldError& error : validate_create(once))
    if (error.text().empty()) fail("an error says nothing", error.path, error.message);
  StatefulSet again;
  FieldErrors errors;
  if (!from_json(to_json(once), again, errors))
    fail("what was written cannot be read", text_of(once), errors.front().text());
  if (text_of(again) != text_of(once)) fail("writing and reading changed it", text_of(once), text_of(again));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Documents documents = read_manifest({reinterpret_cast<const char*>(data), size});
  for (const FieldError& error : documents.errors)
    if (error.text().empty()) fail("an error says nothing", error.path, error.message);
  if (!documents.errors.empty()) return 0;
  for (const Document& document : documents.read)
    if (const auto* set = std::get_if<StatefulSet>(&document.object)) survives(*set);
  return 0;
}
