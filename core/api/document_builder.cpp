#include "core/api/document_builder.h"

#include <algorithm>

namespace ordeal {

namespace {

using nlohmann::json;

constexpr std::size_t shown_bytes_at_most = 200;
constexpr std::size_t bytes_per_weight = 16;

void cut(std::string& text) {
  if (text.size() <= shown_bytes_at_most) return;
  std::size_t end = shown_bytes_at_most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // never inside a character
  text.resize(end);
  text += "...";
}

bool is_plain_word(std::string_view key) {
  return !key.empty() && std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '$';
  });
}

/// How much a copy of `value` costs; stops counting above `enough`. The builder has bounded the depth.
std::size_t weight_of(const json& value, std::size_t enough) {
  std::size_t weight = 1;
  if (value.is_string()) weight += value.get_ref<const std::string&>().size() / bytes_per_weight;
  if (!value.is_structured()) return weight;
  for (const auto& item : value.items()) {
    weight += (value.is_object() ? item.key().size() / bytes_per_weight : 0) + weight_of(item.value(), enough);
    if (weight > enough) break;
  }
  return weight;
}

std::size_t depth_of(const json& value) {
  std::size_t deepest = 0;
  if (value.is_structured())
    for (const json& item : value) deepest = std::max(deepest, depth_of(item));
  return deepest + (value.is_structured() ? 1 : 0);
}

}  // namespace

bool full(const FieldErrors& errors) { return errors.size() > max_errors; }

void add_error(FieldErrors& errors, FieldError error) {
  if (full(errors)) return;
  if (errors.size() == max_errors) error = {{}, "there are more errors; they are not listed", {}, 0, 0};
  cut(error.path);
  cut(error.message);
  cut(error.value);
  errors.push_back(std::move(error));
}

void append_key(std::string& path, std::string_view key) {
  if (!is_plain_word(key)) {
    path.append("[").append(key).append("]");
    return;
  }
  if (!path.empty()) path += '.';
  path += key;
}

void append_index(std::string& path, std::size_t index) { path += "[" + std::to_string(index) + "]"; }

bool DocumentBuilder::fail(std::string message, Spot at, std::string value) {
  add_error(errors_, {path_, std::move(message), std::move(value), at.line, at.column});
  return false;
}

void DocumentBuilder::record_line(Spot at) {
  if (lines_ == nullptr || line_bytes_ + path_.size() > line_bytes_at_most) return;
  line_bytes_ += path_.size();
  lines_->of_path.emplace_back(path_, at.line);
}

/// Every value begins here, so that path_ names it.
void DocumentBuilder::enter_value(Spot at) {
  if (!frames_.empty() && frames_.back().is_list) {
    path_.resize(frames_.back().path_size);
    append_index(path_, frames_.back().value.size());
    record_line(at);
  } else if (frames_.empty()) {
    record_line(at);
  }
}

bool DocumentBuilder::open(bool is_list, Spot at, std::size_t anchor) {
  enter_value(at);
  if (frames_.size() >= static_cast<std::size_t>(max_depth))
    return fail("is nested deeper than " + std::to_string(max_depth) + " levels", at);
  Frame frame;
  frame.value = is_list ? json::array() : json::object();
  frame.path_size = path_.size();
  frame.anchor = anchor;
  frame.is_list = is_list;
  frame.wants_key = !is_list;
  frames_.push_back(std::move(frame));
  return true;
}

bool DocumentBuilder::close() {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  path_.resize(frame.path_size);
  for (json& merged : frame.merges)
    for (auto& item : merged.items()) frame.value.emplace(item.key(), std::move(item.value()));
  if (!remember(frame.anchor, frame.value, {})) return false;
  return put(std::move(frame.value), {});
}

bool DocumentBuilder::key(std::string text, Spot at) {
  Frame& frame = frames_.back();
  path_.resize(frame.path_size);
  append_key(path_, text);
  frame.wants_key = false;
  const bool is_new = !frame.value.contains(text);
  frame.key = std::move(text);
  if (is_new) record_line(at);
  return is_new || fail("is given twice", at) || !full(errors_);
}

bool DocumentBuilder::merge_key(Spot at) {
  if (!key("<<", at)) return false;
  frames_.back().merges_next = true;
  return true;
}

bool DocumentBuilder::scalar(json value, Spot at, std::size_t anchor) {
  enter_value(at);
  return remember(anchor, value, at) && put(std::move(value), at);
}

bool DocumentBuilder::alias(std::size_t anchor, Spot at) {
  enter_value(at);
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) return fail("is an alias for the value it is part of", at);
  const Anchored& meant = found->second;
  if (frames_.size() + meant.depth > static_cast<std::size_t>(max_depth))
    return fail("is nested deeper than " + std::to_string(max_depth) + " levels", at);
  return spend(meant.weight, at) && put(meant.value, at);
}

bool DocumentBuilder::spend(std::size_t weight, Spot at) {
  copied_ += weight;
  return copied_ <= copies_at_most || fail("aliases expand to too much", at);
}

bool DocumentBuilder::remember(std::size_t anchor, const json& value, Spot at) {
  if (anchor == 0) return true;
  const std::size_t weight = weight_of(value, copies_at_most);
  if (!spend(weight, at)) return false;
  anchors_[anchor] = {value, weight, depth_of(value)};
  return true;
}

const json* DocumentBuilder::anchored(std::size_t anchor) const {
  const auto found = anchors_.find(anchor);
  return found == anchors_.end() ? nullptr : &found->second.value;
}

bool DocumentBuilder::put(json value, Spot at) {
  if (frames_.empty()) {
    whole_ = std::move(value);
    return true;
  }
  Frame& frame = frames_.back();
  if (frame.is_list) {
    frame.value.push_back(std::move(value));
    return true;
  }
  frame.wants_key = true;
  if (frame.merges_next) return add_merges(frame, std::move(value), at);
  frame.value[frame.key] = std::move(value);
  return true;
}

bool DocumentBuilder::add_merges(Frame& frame, json value, Spot at) {
  frame.merges_next = false;
  if (value.is_object()) {
    frame.merges.push_back(std::move(value));
    return true;
  }
  const bool all_maps = value.is_array() && std::ranges::all_of(value, [](const json& v) { return v.is_object(); });
  if (!all_maps) return fail("must be a map or a list of maps", at);
  for (json& map : value) frame.merges.push_back(std::move(map));
  return true;
}

json DocumentBuilder::take() {
  if (lines_ != nullptr) std::ranges::sort(lines_->of_path);
  return std::move(whole_);
}

}  // namespace ordeal
