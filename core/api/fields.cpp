#include "core/api/fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/api/document_builder.h"
#include "core/api/encode.h"
#include "core/api/nearest.h"

namespace ordeal {

namespace {

using nlohmann::json;

const char* shape_of(const json& value) {
  if (value.is_object()) return "a map";
  if (value.is_array()) return "a list";
  if (value.is_string()) return "text";
  return value.is_boolean() ? "true or false" : "a number";
}

/// What an error shows of a value: all of a small one, the shape of a large one.
std::string shown(const json& value) {
  if (value.is_structured() && !value.empty()) return shape_of(value);
  return go_encode(value);
}

}  // namespace

std::string Field::path() const {
  if (parent_ == nullptr) return std::string(key_);
  std::string path = parent_->path();
  if (parent_->value_ != nullptr && parent_->value_->is_array()) append_index(path, index_);
  else append_key(path, key_);
  return path;
}

void Field::fault(std::string message) const {
  if (!full(*errors_)) add_error(*errors_, {path(), std::move(message), present() ? shown(*value_) : "", 0, 0});
}

Field Field::operator[](std::string_view key) const& {
  const json* member = nullptr;
  if (value_ != nullptr && value_->is_object())
    if (const auto found = value_->find(key); found != value_->end()) member = &*found;
  return {member, this, key, 0};
}

Field Field::operator[](std::size_t index) const& {
  const bool has = value_ != nullptr && value_->is_array() && index < value_->size();
  return {has ? &(*value_)[index] : nullptr, this, {}, index};
}

std::size_t Field::size() const { return value_ != nullptr && value_->is_array() ? value_->size() : 0; }

bool Field::is_map() const {
  if (!present()) return false;
  if (!value_->is_object()) fault(std::string("must be a map, not ") + shape_of(*value_));
  return value_->is_object();
}

bool Field::is_list() const {
  if (!present()) return false;
  if (!value_->is_array()) fault(std::string("must be a list, not ") + shape_of(*value_));
  return value_->is_array();
}

void Field::require() const {
  if (!present()) fault("is required");
}

void Field::only(std::initializer_list<std::string_view> known, std::initializer_list<std::string_view> more) const {
  if (value_ == nullptr || !value_->is_object()) return;
  std::vector<std::string_view> names(known);
  names.insert(names.end(), more.begin(), more.end());
  for (const auto& item : value_->items()) {
    if (full(*errors_)) return;
    if (std::ranges::find(names, item.key()) != names.end()) continue;
    (*this)[item.key()].fault("is an unknown field" + did_you_mean(item.key(), names));
  }
}

void Field::read(Text& out) const {
  if (!present()) return;
  if (value_->is_string()) out = Text(value_->get_ref<const std::string&>());
  else
    fault(value_->is_structured() ? std::string("must be text, not ") + shape_of(*value_)
                                  : "must be text; put it in quotes");
}

void Field::read(bool& out) const {
  if (!present()) return;
  if (value_->is_boolean()) out = value_->get<bool>();
  else fault("must be true or false");
}

// A float is taken when it is whole: YAML has 3.0 where JSON has 3.
std::optional<std::int64_t> Field::read_integer(std::int64_t low, std::int64_t high) const {
  if (!present()) return std::nullopt;
  const json& value = *value_;
  const bool whole =
      value.is_number_integer() || (value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>());
  const auto bounds = [&] { return std::to_string(low) + " and " + std::to_string(high); };
  if (!whole) {
    fault(std::string("must be a whole number") + (value.is_number() ? "" : std::string(", not ") + shape_of(value)));
    return std::nullopt;
  }
  const bool huge = value.is_number_unsigned() ? value.get<std::uint64_t>() > static_cast<std::uint64_t>(high)
                                               : value.is_number_float() && std::fabs(value.get<double>()) >= 0x1p63;
  if (huge || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
    fault("must be a whole number between " + bounds());
    return std::nullopt;
  }
  return value.get<std::int64_t>();
}

void Field::read(std::int32_t& out) const {
  using limits = std::numeric_limits<std::int32_t>;
  if (const auto value = read_integer(limits::min(), limits::max())) out = static_cast<std::int32_t>(*value);
}

void Field::read(std::int64_t& out) const {
  using limits = std::numeric_limits<std::int64_t>;
  if (const auto value = read_integer(limits::min(), limits::max())) out = *value;
}

void Field::read(std::optional<std::int32_t>& out) const {
  if (!present()) return;
  std::int32_t value = out.value_or(0);
  read(value);
  out = value;
}

void Field::read(StringMap& out) const {
  if (!is_map()) return;
  if (value_->size() > max_entries) return fault("must not have more than " + std::to_string(max_entries) + " entries");
  out.reserve(value_->size());
  for (const auto& item : value_->items()) {
    const Field member = (*this)[std::string_view(item.key())];
    Text text;
    if (item.value().is_null()) member.fault("must be text");
    member.read(text);
    out.set(Text(item.key()), std::move(text));
  }
}

bool Field::is_short_list() const {
  if (!is_list()) return false;
  if (size() <= max_entries) return true;
  fault("must not have more than " + std::to_string(max_entries) + " entries");
  return false;
}

void Field::read(std::vector<Text>& out) const {
  if (!is_list()) return;
  for (std::size_t i = 0; i < size(); ++i) {
    Text text;
    (*this)[i].read(text);
    out.push_back(std::move(text));
  }
}

std::optional<std::size_t> Field::read_word(std::initializer_list<std::string_view> words) const {
  if (!present()) return std::nullopt;
  const std::string* word = value_->get_ptr<const std::string*>();
  if (word != nullptr)
    if (const auto* found = std::ranges::find(words, *word); found != words.end())
      return static_cast<std::size_t>(found - words.begin());
  std::string choice;
  for (const std::string_view w : words) choice += (choice.empty() ? "" : ", ") + std::string(w);
  fault("must be one of " + choice);
  return std::nullopt;
}

}  // namespace ordeal
