#include "core/api/syntax.h"

#include <algorithm>

namespace ordeal {

namespace {

constexpr std::size_t label_bytes_at_most = 63;
constexpr std::size_t subdomain_bytes_at_most = 253;
constexpr std::size_t port_name_bytes_at_most = 15;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower_or_digit(char c) { return is_lower(c) || is_digit(c); }
bool is_letter_or_digit(char c) { return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z'); }

/// A DNS label of any length: inside a subdomain only the whole is limited.
bool is_label_of_subdomain(std::string_view text) {
  return !text.empty() && is_lower_or_digit(text.front()) && is_lower_or_digit(text.back()) &&
         std::ranges::all_of(text, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

}  // namespace

bool is_dns_label(std::string_view text) { return text.size() <= label_bytes_at_most && is_label_of_subdomain(text); }

bool is_dns_subdomain(std::string_view text) {
  if (text.size() > subdomain_bytes_at_most) return false;
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_label_of_subdomain(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_label_value(std::string_view text) {
  if (text.empty()) return true;
  return text.size() <= label_bytes_at_most && is_letter_or_digit(text.front()) && is_letter_or_digit(text.back()) &&
         std::ranges::all_of(text, [](char c) { return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_qualified_name(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    if (!is_dns_subdomain(text.substr(0, slash))) return false;
    text.remove_prefix(slash + 1);
  }
  return !text.empty() && is_label_value(text);
}

bool is_port_name(std::string_view text) {
  return !text.empty() && text.size() <= port_name_bytes_at_most && text.front() != '-' && text.back() != '-' &&
         text.find("--") == std::string_view::npos && std::ranges::any_of(text, is_lower) &&
         std::ranges::all_of(text, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

}  // namespace ordeal
