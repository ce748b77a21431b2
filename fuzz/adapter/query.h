// What a call says behind the question mark of its URL: name=value&name=value, escaped. Covered by list_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace ordeal::fuzz {

/// Empty when it is not there.
std::string argument(std::string_view query, std::string_view name);
/// As an API server reads a flag: whatever is there and says nothing else.
bool is_set(std::string_view query, std::string_view name);

}  // namespace ordeal::fuzz
