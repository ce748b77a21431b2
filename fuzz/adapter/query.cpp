#include "fuzz/adapter/query.h"

#include <algorithm>
#include <charconv>

namespace ordeal::fuzz {

namespace {

/// As in a URL: %3D, and + for a space.
std::string decoded(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    unsigned value = 0;
    const bool is_escape = text.size() >= 3 && text[0] == '%' &&
                           std::from_chars(text.data() + 1, text.data() + 3, value, 16).ptr == text.data() + 3;
    out += is_escape ? static_cast<char>(value) : text[0] == '+' ? ' ' : text[0];
    text.remove_prefix(is_escape ? 3 : 1);
  }
  return out;
}

}  // namespace

std::string argument(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    if (one.substr(0, one.find('=')) == name) return decoded(one.substr(std::min(one.find('=') + 1, one.size())));
  }
  return {};
}

bool is_set(std::string_view query, std::string_view name) {
  const std::string value = argument(query, name);
  return !value.empty() && value != "false" && value != "False" && value != "FALSE" && value != "0";
}

}  // namespace ordeal::fuzz
