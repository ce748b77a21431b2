// What a JSON and a YAML parser report, put together to one JSON value: within limits, with the line of every field.
//
// You may rely on: depth, duplicate keys, the number of errors and what aliases expand to are all bounded here, so
// that neither parser has to be trusted with them. Nothing is thrown but what allocation throws.
// Covered by codec_test.cpp, table of hostile inputs.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/api/codec.h"

namespace ordeal {

/// Adds an error while there are fewer than max_errors; then one last that says so. Long paths and values are cut.
void add_error(FieldErrors& errors, FieldError error);
/// True when add_error takes no more.
bool full(const FieldErrors& errors);

/// `path` with one more key or index: "a" + "b" -> "a.b"; keys that are no plain word go into brackets.
void append_key(std::string& path, std::string_view key);
void append_index(std::string& path, std::size_t index);

struct Spot {
  int line = 0, column = 0;  // 1-based
};

class DocumentBuilder {
 public:
  static constexpr std::size_t copies_at_most = 1u << 20;       // by anchors and aliases: values, or 16 bytes of text
  static constexpr std::size_t line_bytes_at_most = 16u << 20;  // of all paths with a line

  /// `lines` may be null. Errors are appended.
  DocumentBuilder(FieldErrors& errors, Lines* lines) : errors_(errors), lines_(lines) {}

  // Each returns false when a limit is passed: the error is recorded and the parser must stop.
  // An anchor is a number other than 0 under which the value can be used again.
  bool open(bool is_list, Spot at, std::size_t anchor = 0);
  bool close();
  bool key(std::string text, Spot at);
  bool scalar(nlohmann::json value, Spot at, std::size_t anchor = 0);
  bool alias(std::size_t anchor, Spot at);
  /// Instead of a key: the next value is a map, or a list of maps, to be merged into this one (YAML's "<<").
  bool merge_key(Spot at);
  bool fail(std::string message, Spot at, std::string value = {});

  bool wants_key() const { return !frames_.empty() && frames_.back().wants_key; }
  /// What an anchor stands for; null while it is being read or when there is none.
  const nlohmann::json* anchored(std::size_t anchor) const;
  /// The whole, once everything is closed.
  nlohmann::json take();

 private:
  struct Frame {
    nlohmann::json value;
    std::string key;
    std::vector<nlohmann::json> merges;
    std::size_t path_size = 0;  // of path_ without this frame's present member
    std::size_t anchor = 0;
    bool is_list = false, wants_key = false, merges_next = false;
  };
  struct Anchored {
    nlohmann::json value;
    std::size_t weight = 0, depth = 0;
  };
  void enter_value(Spot at);
  void record_line(Spot at);
  bool put(nlohmann::json value, Spot at);
  bool add_merges(Frame& frame, nlohmann::json value, Spot at);
  bool remember(std::size_t anchor, const nlohmann::json& value, Spot at);
  bool spend(std::size_t weight, Spot at);

  FieldErrors& errors_;
  Lines* lines_;
  std::vector<Frame> frames_;
  nlohmann::json whole_;
  std::string path_;
  std::size_t line_bytes_ = 0, copied_ = 0;
  std::map<std::size_t, Anchored> anchors_;
};

}  // namespace ordeal
