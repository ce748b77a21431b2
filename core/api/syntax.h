// What Kubernetes accepts as a name, a label or a key: the small grammars, each a pass over the bytes without
// allocation. Covered by validation_test.cpp and template_test.cpp.
#pragma once

#include <string_view>

namespace ordeal {

/// At most 63 of a-z 0-9 "-", beginning and ending with a letter or digit.
bool is_dns_label(std::string_view text);
/// DNS labels joined by dots, at most 253 bytes in all.
bool is_dns_subdomain(std::string_view text);
/// Empty, or at most 63 of A-Z a-z 0-9 "-" "_" ".", beginning and ending with a letter or digit.
bool is_label_value(std::string_view text);
/// A label or annotation key: a name like a non-empty label value, optionally after a DNS subdomain and "/".
bool is_qualified_name(std::string_view text);
/// A port's name: at most 15 of a-z 0-9 "-", a letter among them, no "-" at either end or twice in a row.
bool is_port_name(std::string_view text);

// The sentences that go with them.
inline constexpr const char* says_dns_label =
    "must be a DNS label: at most 63 lower case letters, digits or '-', beginning and ending with a letter or digit";
inline constexpr const char* says_dns_subdomain =
    "must be a DNS subdomain: lower case letters, digits, '-' and '.', at most 253 of them";
inline constexpr const char* says_label_value =
    "must be a label value: at most 63 letters, digits, '-', '_' or '.', beginning and ending with a letter or digit";
inline constexpr const char* says_qualified_name =
    "must be a key: a name of at most 63 letters, digits, '-', '_' or '.', optionally after a DNS subdomain and '/'";
inline constexpr const char* says_port_name =
    "must be at most 15 lower case letters, digits or '-', with a letter among them";

}  // namespace ordeal
