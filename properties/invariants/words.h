// Sentences for violations, put together only when something is wrong. Not for the hot path.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "core/controller/door.h"

namespace ordeal::properties {

inline void append_word(std::string& out, std::string_view word) { out += word; }
inline void append_word(std::string& out, std::integral auto number) { out += std::to_string(number); }
/// "delete pod web-0"
inline void append_word(std::string& out, const Request& request) {
  out.append(name_of(request.verb)).append(" ").append(name_of(request.kind)).append(" ").append(request.name.view());
}

/// words("pod ", name, " has ordinal ", 3) -> "pod web-3 has ordinal 3"
template <class... Parts>
[[gnu::cold, gnu::noinline]] std::string words(const Parts&... parts) {
  std::string out;
  (append_word(out, parts), ...);
  return out;
}

}  // namespace ordeal::properties
