// Typed reading of JSON values: every fault with its path and value, none of them fatal.
//
// A Field is a value with the way to it; the way is only written out when something is wrong. Absent and null are the
// same, as in Kubernetes. Covered by codec_test.cpp.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/api/codec.h"

namespace ordeal {

/// More labels, annotations or claim templates than anybody has; what is compared pair by pair stays cheap.
inline constexpr std::size_t max_entries = 1000;

class Field {
 public:
  /// The root of a document; `path` when it is itself a part of something.
  Field(const nlohmann::json& value, FieldErrors& errors, std::string_view path = {})
      : value_(&value), errors_(&errors), key_(path) {}

  bool present() const { return value_ != nullptr && !value_->is_null(); }
  const nlohmann::json& value() const { return *value_; }
  std::string path() const;
  /// A list of at most max_entries; a longer one is a fault.
  bool is_short_list() const;
  void fault(std::string message) const;  // shows the value

  /// A member of this map; absent when this is none. It points back here, so this field has to have a name.
  Field operator[](std::string_view key) const&;
  Field operator[](std::size_t index) const&;
  Field operator[](std::string_view key) const&& = delete;
  Field operator[](std::size_t index) const&& = delete;
  std::size_t size() const;  // of a list; 0 when it is none

  /// True when it is there and of that shape; a fault when it is there and of another.
  bool is_map() const;
  bool is_list() const;
  void require() const;  // a fault when absent
  /// A fault for every member not named, with the nearest name when one is near.
  void only(std::initializer_list<std::string_view> known, std::initializer_list<std::string_view> more = {}) const;

  // Each leaves `out` untouched when the field is absent or wrong.
  void read(Text& out) const;
  void read(bool& out) const;
  void read(std::int32_t& out) const;
  void read(std::int64_t& out) const;
  void read(std::optional<std::int32_t>& out) const;
  void read(StringMap& out) const;
  void read(std::vector<Text>& out) const;
  /// One of the words, as its position.
  std::optional<std::size_t> read_word(std::initializer_list<std::string_view> words) const;

 private:
  Field(const nlohmann::json* value, const Field* parent, std::string_view key, std::size_t index)
      : value_(value), errors_(parent->errors_), parent_(parent), key_(key), index_(index) {}
  std::optional<std::int64_t> read_integer(std::int64_t low, std::int64_t high) const;

  const nlohmann::json* value_;
  FieldErrors* errors_;
  const Field* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

}  // namespace ordeal
