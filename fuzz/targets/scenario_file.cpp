// libFuzzer target: any bytes are a stored scenario or errors that say something, and what is read is written and read
// again as the same scenario.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "properties/scenario/scenario_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ordeal::properties;
  const auto fail = [](const char* what, const std::string& one, const std::string& other) {
    std::fprintf(stderr, "%s\n%s\n%s\n", what, one.c_str(), other.c_str());
    std::abort();
  };
  const auto read = read_scenario({reinterpret_cast<const char*>(data), size});
  if (!read) {
    if (read.error().empty()) fail("refused without an error", "", "");
    for (const ordeal::FieldError& error : read.error())
      if (error.text().empty()) fail("an error says nothing", error.path, error.message);
    return 0;
  }
  const std::string once = write_scenario(*read);
  const auto again = read_scenario(once);
  if (!again) fail("what was written cannot be read", once, again.error().front().text());
  if (write_scenario(*again) != once) fail("reading and writing changed it", once, write_scenario(*again));
  return 0;
}
