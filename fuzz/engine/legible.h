// Bytes of a stranger's, fit for people: a terminal obeys none of them, and every report can hold them. Covered by
// legible_test.cpp.
#pragma once

#include <string>
#include <string_view>

namespace ordeal::fuzz {

/// The text with question marks for what is neither printable nor a newline nor a tab: control characters, bytes that
/// are no UTF-8, and the two characters that XML cannot hold. Tabs stay, since stack traces are set with them.
std::string legible(std::string_view text);

}  // namespace ordeal::fuzz
