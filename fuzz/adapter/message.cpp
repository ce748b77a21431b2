#include "fuzz/adapter/message.h"

#include <nlohmann/json.hpp>

#include "core/api/encode.h"
#include "fuzz/adapter/subprocess.h"

namespace ordeal::fuzz {

using nlohmann::json;

void append_line(std::string& lines, const json& message) {
  lines += go_encode(message);
  lines += '\n';
}

std::optional<std::int64_t> number_at(const json& message, const char* key) {
  const auto found = message.find(key);
  if (found == message.end() || !found->is_number_integer()) return std::nullopt;
  return found->get<std::int64_t>();
}

std::string excerpt(std::string_view text, std::size_t shown) {
  std::string out(text.substr(0, shown));
  for (char& c : out)
    if (c < ' ' || c > '~') c = '?';
  return out + (text.size() > shown ? "..." : "");
}

bool says(const json& message, const char* key) {
  const auto found = message.find(key);
  return found != message.end() && !found->is_null();
}

std::string words_in(const json& member) {
  return excerpt(member.is_string() ? member.get<std::string>() : member.dump());
}

bool says_yes(const json& message, const char* key, const std::string& what) {
  if (!says(message, key)) return false;
  const json& said = message[key];
  if (!said.is_boolean())
    throw Broken("the adapter says " + what + " by neither true nor false: " + excerpt(said.dump()));
  return said.get<bool>();
}

std::optional<Time> delay_in(const json& message, const char* key) {
  constexpr std::int64_t longest_ms =
      std::int64_t{100} * 365 * 24 * 60 * 60 * 1000;  // minReadySeconds alone may be 68 years
  if (!says(message, key)) return std::nullopt;
  const auto after = number_at(message, key);
  if (!after || *after < 0 || *after > longest_ms)
    throw Broken("the adapter asks to be run again after " + excerpt(message[key].dump()) +
                 " ms, which is no whole number from 0 to a hundred years (" + std::to_string(longest_ms) + ")");
  return Time{*after};
}

}  // namespace ordeal::fuzz
