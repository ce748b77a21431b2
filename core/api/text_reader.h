// Text to JSON values with lines: one reader for JSON, one for YAML, both on a DocumentBuilder.
// Total: any bytes give values or errors. Nothing here knows Kubernetes. Covered by codec_test.cpp.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "core/api/codec.h"

namespace ordeal {

/// More documents than that are no manifest.
inline constexpr std::size_t max_documents = 10000;

struct TextDocument {
  nlohmann::json value;
  Lines lines;
};

/// The values of a JSON text, one after the other as `kubectl get -o json` and jq write them. Stops at the first error
/// of syntax; what was read before is kept.
std::vector<TextDocument> read_json_text(std::string_view bytes, FieldErrors& errors);
/// The documents of a YAML text, empty ones left out. An error of syntax ends its document, not the others.
/// Scalars mean what they mean to kubectl (YAML 1.1 as Go reads it): yes and on are booleans, 010 is eight.
std::vector<TextDocument> read_yaml_text(std::string_view bytes, FieldErrors& errors);

/// What a plain YAML scalar stands for. NaN and the infinities come back as numbers, for the caller to refuse.
nlohmann::json plain_scalar(std::string_view text);

/// Refuses text that is too large or not UTF-8.
bool check_text(std::string_view bytes, FieldErrors& errors);
/// Where the bytes stop being UTF-8; npos when they never do.
std::size_t invalid_utf8(std::string_view bytes);
/// False, with an error, when there are max_documents already.
bool room_for_another(const std::vector<TextDocument>& documents, FieldErrors& errors);
/// How many bytes the character at the front takes; 0 when it is not UTF-8. `bytes` is not empty.
std::size_t utf8_size(std::string_view bytes);
/// The 1-based line of a byte.
int line_of(std::string_view bytes, std::size_t offset);

}  // namespace ordeal
