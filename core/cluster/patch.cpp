#include "core/cluster/patch.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/api/codec.h"

namespace ordeal {

namespace {

using nlohmann::json;

struct MergedList {
  std::string_view name;
  const char* key;
};
constexpr std::array merged_lists{MergedList{"ownerReferences", "uid"}, MergedList{"conditions", "type"}};

constexpr const char* directive = "$patch";
constexpr std::string_view order_directive = "$setElementOrder/", from_list_directive = "$deleteFromPrimitiveList/";

bool says(const json& patch, std::string_view word) {
  const auto found = patch.find(directive);
  return found != patch.end() && *found == word;
}

bool merge(json& target, const json& patch);

json* entry_of(json& list, const char* key, const json& value) {
  const auto at = std::ranges::find_if(
      list, [&](const json& held) { return held.is_object() && held.contains(key) && held[key] == value; });
  return at == list.end() ? nullptr : &*at;
}

/// One entry of a patch for a list whose entries are known by a key.
bool merge_entry(json& list, const char* key, const json& entry) {
  if (!entry.is_object()) return false;
  if (says(entry, "replace")) return true;  // speaks of the whole list: merge_list has heard it
  const auto id = entry.find(key);
  if (id == entry.end()) return false;
  json* held = entry_of(list, key, *id);
  if (says(entry, "delete")) {
    if (held != nullptr) list.erase(list.begin() + (held - &*list.begin()));
    return true;
  }
  return merge(held != nullptr ? *held : list.emplace_back(json::object()), entry);
}

bool merge_list(json& target, const char* key, const json& patch) {
  const bool replaces =
      std::ranges::any_of(patch, [](const json& entry) { return entry.is_object() && says(entry, "replace"); });
  if (!target.is_array() || replaces) target = json::array();
  return std::ranges::all_of(patch, [&](const json& entry) { return merge_entry(target, key, entry); });
}

void merge_primitives(json& target, const json& patch) {
  if (!target.is_array()) target = json::array();
  for (const json& value : patch)
    if (std::ranges::find(target, value) == target.end()) target.push_back(value);
}

/// Any other directive is of unions and lists of a spec.
bool follow_directive(json& target, std::string_view name, const json& value) {
  if (name == directive) return value == "replace" || value == "merge" || value == "delete";
  if (name.starts_with(order_directive)) return true;  // nothing here depends on it
  if (!name.starts_with(from_list_directive) || !value.is_array()) return false;
  const auto list = target.find(name.substr(from_list_directive.size()));
  if (list != target.end() && list->is_array())
    std::erase_if(list->get_ref<json::array_t&>(),
                  [&](const json& held) { return std::ranges::find(value, held) != value.end(); });
  return true;
}

bool merge_member(json& target, const std::string& name, const json& value) {
  if (name.starts_with('$')) return follow_directive(target, name, value);
  if (value.is_null()) {
    target.erase(name);
    return true;
  }
  if (value.is_array()) {
    const auto merged = std::ranges::find(merged_lists, name, &MergedList::name);
    if (merged != merged_lists.end()) return merge_list(target[name], merged->key, value);
    if (name == "finalizers") merge_primitives(target[name], value);
    else target[name] = value;
    return true;
  }
  return merge(target[name], value);
}

bool merge(json& target, const json& patch) {
  if (!patch.is_object()) {
    target = patch;
    return true;
  }
  if (!target.is_object() || says(patch, "replace") || says(patch, "delete")) target = json::object();
  if (says(patch, "delete")) return true;
  return std::ranges::all_of(patch.items(),
                             [&](const auto& member) { return merge_member(target, member.key(), member.value()); });
}

bool is_bearable(const json& operations) {
  const auto copies = std::ranges::count_if(
      operations, [](const json& one) { return one.is_object() && one.contains("op") && one["op"] == "copy"; });
  return operations.is_array() && operations.size() <= max_operations &&
         copies <= static_cast<std::ptrdiff_t>(max_copies);
}

/// What is to change stands in a map or a list, which the library takes for granted. Throws where the way is none, or
/// leads nowhere.
bool has_place(const json& document, const json& operation) {
  const json::json_pointer way(operation.at("path").get<std::string>());
  return way.empty() || document.at(way.parent_pointer()).is_structured();
}

/// Ways are no longer than documents may be deep: what is put at the end of one, again and again, would be.
bool is_short(const json& operation, const char* way) {
  const auto text = operation.find(way);
  return text == operation.end() || !text->is_string() ||
         std::ranges::count(text->get_ref<const std::string&>(), '/') <= max_depth;
}

bool carry_out(json& document, const json& operation) {
  if (!is_short(operation, "path") || !is_short(operation, "from")) return false;
  if (operation.at("op") == "move") {  // its new place is looked for when the old one is gone
    const json from = operation.at("from"), value = document.at(json::json_pointer(from.get<std::string>()));
    return carry_out(document, {{"op", "remove"}, {"path", from}}) &&
           carry_out(document, {{"op", "add"}, {"path", operation.at("path")}, {"value", value}});
  }
  if (operation.at("op") == "test" && operation.at("value").is_null())  // nothing is there, or null
    return !document.contains(json::json_pointer(operation.at("path").get<std::string>())) ||
           document.at(json::json_pointer(operation.at("path").get<std::string>())).is_null();
  if (!has_place(document, operation)) return false;
  document.patch_inplace(json::array({operation}));
  return true;
}

}  // namespace

json merge_patch_between(const json& before, const json& after) {
  if (!before.is_object() || !after.is_object()) return after;
  json patch = json::object();
  for (const auto& [key, value] : before.items())
    if (!after.contains(key)) patch[key] = nullptr;
  for (const auto& [key, value] : after.items()) {
    const auto was = before.find(key);
    if (was == before.end()) patch[key] = value;
    else if (*was != value) patch[key] = merge_patch_between(*was, value);
  }
  return patch;
}

bool apply_patch(json& document, PatchType type, const json& patch) {
  switch (type) {
    case PatchType::merge: document.merge_patch(patch); return true;
    case PatchType::strategic: return merge(document, patch);
    case PatchType::operations: break;
  }
  if (!is_bearable(patch)) return false;
  try {
    return std::ranges::all_of(patch, [&](const json& operation) { return carry_out(document, operation); });
  } catch (const json::exception&) {
    return false;
  }
}

}  // namespace ordeal
