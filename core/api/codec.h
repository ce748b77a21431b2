// JSON and YAML to values and back.
//
// Reading is total: any bytes give objects or errors, each error with its field path, the offending value and, where
// the text has lines, its line; all errors at once. Reading defaults templates, whose bytes are what revisions are
// compared by; the set itself apply_defaults does, then comes validate. What a typed field does not cover is kept:
// unknown fields of pod and claim templates come back unchanged. Limits, so that hostile input costs little:
// max_document_bytes, max_depth. Covered by codec_test.cpp.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/api/objects.h"

namespace ordeal {

/// What is wrong with one field of a user's file.
struct FieldError {
  std::string path;     // spec.updateStrategy.rollingUpdate.partition
  std::string message;  // must be greater than or equal to 0
  std::string value;    // -1; empty when absent
  int line = 0;         // 1-based; 0 when unknown
  int column = 0;
  /// "line 14: spec.replicas: must be greater than or equal to 0 (found: -1)"
  std::string text() const;
};
using FieldErrors = std::vector<FieldError>;

inline constexpr std::size_t max_document_bytes = 4u << 20;       // of a whole file
inline constexpr std::size_t max_yaml_document_bytes = 1u << 20;  // of one YAML document in it
inline constexpr int max_depth = 64;
inline constexpr std::size_t max_errors = 100;  // further ones are not listed, as one last error says

using Object = std::variant<StatefulSet, Pod, Claim, Revision, Service>;

/// Where the values of a document stand in the file, by field path. Empty for JSON read without positions.
struct Lines {
  std::vector<std::pair<std::string, int>> of_path;  // sorted by path
  int of(std::string_view path) const;               // the path's line, or its nearest parent's; 0 when unknown
};

struct Document {
  Object object;
  Lines lines;
};
struct Documents {
  std::vector<Document> read;        // in file order; kinds nobody needs here (ConfigMap, ...) are skipped
  std::vector<std::string> skipped;  // "ConfigMap settings"
  /// Of a set of OpenKruise's: "spec.lifecycle of StatefulSet web". The set is read as one of apps/v1 without it.
  std::vector<std::string> left_out;
  FieldErrors errors;  // non-empty: `read` may be partial and must not be used
};
/// A manifest file: YAML (one or several documents) or JSON (an object, or a List). Never throws.
Documents read_manifest(std::string_view bytes);

nlohmann::json to_json(const StatefulSet&);
nlohmann::json to_json(const Pod&);
nlohmann::json to_json(const Claim&);
nlohmann::json to_json(const Revision&);
nlohmann::json to_json(const Service&);
nlohmann::json to_json(const StatefulSetStatus&);
nlohmann::json to_json(const Owners&);
/// Reads one object; errors are appended. `out` is meaningful only when nothing was appended.
bool from_json(const nlohmann::json&, StatefulSet& out, FieldErrors& errors);
bool from_json(const nlohmann::json&, Pod& out, FieldErrors& errors);
bool from_json(const nlohmann::json&, Claim& out, FieldErrors& errors);
bool from_json(const nlohmann::json&, Revision& out, FieldErrors& errors);
bool from_json(const nlohmann::json&, Service& out, FieldErrors& errors);
bool from_json(const nlohmann::json&, StatefulSetStatus& out, FieldErrors& errors);
bool from_json(const nlohmann::json&, Owners& out, FieldErrors& errors);
bool from_json(const nlohmann::json&, ObjectMeta& out, FieldErrors& errors);

/// Defaults and analyses a pod template (semantics.md 5.1 for the bytes of `patch`). Problems go to `faults`.
Shared<PodTemplate> make_template(const nlohmann::json& pod_template);
/// Reads revision data bytes; `decoded` is null when they hold no template.
RevisionData decode_revision(Shared<std::string> bytes);
/// The revision data of a template.
RevisionData revision_of(const Shared<PodTemplate>& pod_template);

/// JSON text parsed with limits and duplicate keys refused; nothing thrown.
bool parse_json(std::string_view bytes, nlohmann::json& out, FieldErrors& errors);

std::string uid_text(Uid uid);        // a UUID; "" for none
Uid read_uid(std::string_view text);  // the inverse; of a foreign UID some number that no uid_text stands for
std::string time_text(Time time);     // RFC 3339; time zero is 2026-01-01T00:00:00Z
std::optional<Time> read_time(std::string_view text);

}  // namespace ordeal
