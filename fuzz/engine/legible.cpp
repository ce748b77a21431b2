#include "fuzz/engine/legible.h"

#include "core/api/text_reader.h"

namespace ordeal::fuzz {

namespace {

/// One character of UTF-8, or a byte that begins none.
bool is_legible(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return (first >= 0x20 && first < 0x7F) || first == '\n' || first == '\t';
  const bool is_control =
      first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;  // terminals obey these, too
  return !is_control && character != "\xEF\xBF\xBE" && character != "\xEF\xBF\xBF";
}

}  // namespace

std::string legible(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t size = utf8_size(text);
    const std::string_view character = text.substr(0, size == 0 ? 1 : size);
    if (is_legible(character)) out += character;
    else out += '?';
    text.remove_prefix(character.size());
  }
  return out;
}

}  // namespace ordeal::fuzz
