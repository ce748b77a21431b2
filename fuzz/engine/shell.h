// Words of a command line that a report asks the reader to type.
#pragma once

#include <string>
#include <string_view>

namespace ordeal::fuzz {

/// The word as it is when a shell takes it as it is; otherwise in single quotes.
inline std::string shell_quoted(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return std::string(word);
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace ordeal::fuzz
