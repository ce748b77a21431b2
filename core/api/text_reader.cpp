// What JSON and YAML text have in common: it is UTF-8, and not too much of it.
#include "core/api/text_reader.h"

#include <algorithm>

#include "core/api/document_builder.h"

namespace ordeal {

namespace {

unsigned byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

/// The second byte's range excludes overlong forms, surrogates and what lies beyond U+10FFFF.
bool second_byte_fits(unsigned first, unsigned second) {
  switch (first) {
    case 0xE0: return second >= 0xA0 && second <= 0xBF;
    case 0xED: return second >= 0x80 && second <= 0x9F;
    case 0xF0: return second >= 0x90 && second <= 0xBF;
    case 0xF4: return second >= 0x80 && second <= 0x8F;
    default: return second >= 0x80 && second <= 0xBF;
  }
}

}  // namespace

std::size_t utf8_size(std::string_view bytes) {
  const unsigned first = byte_at(bytes, 0);
  if (first < 0x80) return 1;
  const std::size_t size = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (size == 0 || bytes.size() < size || !second_byte_fits(first, byte_at(bytes, 1))) return 0;
  for (std::size_t i = 2; i < size; ++i)
    if ((byte_at(bytes, i) & 0xC0) != 0x80) return 0;
  return size;
}

std::size_t invalid_utf8(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t size = utf8_size(bytes.substr(at));
    if (size == 0) return at;
    at += size;
  }
  return std::string_view::npos;
}

int line_of(std::string_view bytes, std::size_t offset) {
  return 1 + static_cast<int>(std::ranges::count(bytes.substr(0, offset), '\n'));
}

bool room_for_another(const std::vector<TextDocument>& documents, FieldErrors& errors) {
  if (full(errors)) return false;
  if (documents.size() < max_documents) return true;
  add_error(errors, {{}, "holds more than " + std::to_string(max_documents) + " documents", {}, 0, 0});
  return false;
}

bool check_text(std::string_view bytes, FieldErrors& errors) {
  if (bytes.size() > max_document_bytes) {
    add_error(errors, {{}, "is larger than " + std::to_string(max_document_bytes) + " bytes", {}, 0, 0});
    return false;
  }
  const std::size_t bad = invalid_utf8(bytes);
  if (bad == std::string_view::npos) return true;
  add_error(errors, {{}, "is not valid UTF-8", {}, line_of(bytes, bad), 0});
  return false;
}

}  // namespace ordeal
