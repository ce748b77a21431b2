#include "core/cluster/structured.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace ordeal {

namespace {

using nlohmann::json;

constexpr char mark = '\n';  // sorts before whatever a name holds

// --- what is taken as one ------------------------------------------------------------------------------------------------

/// The name that entries go by which are taken as one; other entries go by none.
constexpr std::string_view whole_entry = "(whole entry)";

struct KeyedList {
  std::string_view name;
  std::array<const char*, 2> keys;
  std::string_view entry{};
};
constexpr std::array keyed_lists{
    KeyedList{"ownerReferences", {"uid"}, whole_entry},
    KeyedList{"conditions", {"type"}},
    KeyedList{"containers", {"name"}},
    KeyedList{"initContainers", {"name"}},
    KeyedList{"ephemeralContainers", {"name"}},
    KeyedList{"volumes", {"name"}},
    KeyedList{"env", {"name"}},
    KeyedList{"ports", {"containerPort", "protocol"}},
    KeyedList{"volumeMounts", {"mountPath"}},
    KeyedList{"volumeDevices", {"devicePath"}},
    KeyedList{"claims", {"name"}},
    KeyedList{"resourceClaims", {"name"}},
    KeyedList{"schedulingGates", {"name"}},
    KeyedList{"hostAliases", {"ip"}},
    KeyedList{"imagePullSecrets", {"name"}, whole_entry},
    KeyedList{"evictionResponders", {"name"}, whole_entry},
    KeyedList{"topologySpreadConstraints", {"topologyKey", "whenUnsatisfiable"}},
};
constexpr std::array<std::string_view, 2> sets{"finalizers", "bindMountOptions"};
/// A revision's data among them.
constexpr std::array<std::string_view, 16> whole_maps{whole_entry,
                                                      "data",
                                                      "dataSource",
                                                      "selector",
                                                      "labelSelector",
                                                      "namespaceSelector",
                                                      "nodeSelector",
                                                      "preference",
                                                      "requiredDuringSchedulingIgnoredDuringExecution",
                                                      "fieldRef",
                                                      "resourceFieldRef",
                                                      "secretKeyRef",
                                                      "configMapKeyRef",
                                                      "fileKeyRef",
                                                      "secretRef",
                                                      "nodePublishSecretRef"};

const KeyedList* keyed_list(std::string_view name) {
  const auto at = std::ranges::find(keyed_lists, name, &KeyedList::name);
  return at == keyed_lists.end() ? nullptr : &*at;
}

enum class Shape : std::uint8_t { leaf, map, list };

Shape shape_of(std::string_view name, const json& value) {
  if (value.is_object()) return std::ranges::find(whole_maps, name) != whole_maps.end() ? Shape::leaf : Shape::map;
  if (!value.is_array()) return Shape::leaf;
  return keyed_list(name) != nullptr || std::ranges::find(sets, name) != sets.end() ? Shape::list : Shape::leaf;
}

std::string_view name_of_entries(std::string_view list) {
  const KeyedList* keyed = keyed_list(list);
  return keyed != nullptr ? keyed->entry : std::string_view();
}

// --- steps of a way ------------------------------------------------------------------------------------------------------

/// A port that names no protocol is one of TCP.
json key_of(const json& entry, const char* key) {
  if (const auto at = entry.find(key); at != entry.end()) return *at;
  return std::string_view(key) == "protocol" ? json("TCP") : json();
}

/// The step to an entry; empty when it lacks its key.
std::string step_to(std::string_view list, const json& entry) {
  const KeyedList* keyed = keyed_list(list);
  if (keyed == nullptr) return std::string(1, mark) + "[=" + entry.dump() + "]";
  if (!entry.is_object()) return {};
  std::string step(1, mark);
  for (const char* key : keyed->keys) {
    if (key == nullptr) continue;
    const json value = key_of(entry, key);
    if (value.is_null()) return {};
    step.append(step.size() == 1 ? "[" : ",").append(key).append("=").append(value.dump());
  }
  return step + "]";
}

std::string step_to_member(const std::string& name) { return mark + ("." + name); }

std::vector<std::string> steps_of(std::string_view list, const json& entries) {
  std::vector<std::string> steps;
  for (const json& entry : entries) steps.push_back(step_to(list, entry));
  return steps;
}

const json* entry_at(const json* entries, const std::vector<std::string>& steps, const std::string& step) {
  const auto at = std::ranges::find(steps, step);
  return at == steps.end() ? nullptr : &(*entries)[static_cast<std::size_t>(at - steps.begin())];
}

bool has_below(const FieldSet& fields, const FieldPath& path) {
  const auto next = fields.lower_bound(path + mark);
  return next != fields.end() && next->starts_with(path + mark);
}

// --- the walks -----------------------------------------------------------------------------------------------------------

void collect(std::string_view name, const json& value, const FieldPath& at, FieldSet& out) {
  const Shape shape = shape_of(name, value);
  if (shape == Shape::leaf || (shape == Shape::map && value.empty())) out.insert(at);
  if (shape == Shape::map)
    for (const auto& [key, member] : value.items()) collect(key, member, at + step_to_member(key), out);
  if (shape != Shape::list) return;
  for (const json& entry : value) {
    const FieldPath path = at + step_to(name, entry);
    collect(name_of_entries(name), entry, path, out);
    out.insert(path);
  }
}

json merge(std::string_view name, const json& live, const json& config);

/// Entries that both have follow the order of `config`, and what is in `live` alone stays between them.
json merge_lists(std::string_view name, const json& live, const json& config) {
  const auto here = steps_of(name, live), wanted = steps_of(name, config);
  const auto is_in = [](const auto& list, const std::string& step) {
    return std::ranges::find(list, step) != list.end();
  };
  std::vector<std::string> shared, done;
  std::ranges::copy_if(wanted, std::back_inserter(shared), [&](const std::string& step) { return is_in(here, step); });
  json out = json::array();
  std::size_t next = 0;  // of the shared ones
  const auto take_wanted = [&](std::size_t i) {
    const json* held = entry_at(&live, here, wanted[i]);
    out.push_back(held != nullptr ? merge(name_of_entries(name), *held, config[i]) : config[i]);
    done.push_back(wanted[i]);
  };
  for (std::size_t l = 0, w = 0; l < here.size() || w < wanted.size();) {
    if (l < here.size() && w < wanted.size()) {
      if (here[l] == wanted[w]) {
        take_wanted(w);
        ++l, ++w, ++next;
        continue;
      }
      if (is_in(wanted, here[l]) && next < shared.size() && shared[next] != here[l]) {
        ++l;  // its turn comes later
        continue;
      }
    }
    if (l < here.size()) {
      if (!is_in(wanted, here[l])) {
        out.push_back(live[l++]);
        continue;
      }
      if (is_in(done, here[l])) ++l;
    }
    if (w < wanted.size()) {
      take_wanted(w);
      if (next < shared.size() && shared[next] == wanted[w]) ++next;
      ++w;
    }
  }
  return out;
}

json merge(std::string_view name, const json& live, const json& config) {
  const Shape shape = shape_of(name, config);
  if (shape == Shape::leaf || shape != shape_of(name, live)) return config;
  if (shape == Shape::list) return merge_lists(name, live, config);
  json out = live;
  for (const auto& [key, member] : config.items()) {
    const auto held = live.find(key);
    out[key] = held != live.end() ? merge(key, *held, member) : member;
  }
  return out;
}

/// What is left empty is null.
std::optional<json> keep(std::string_view name, const json& value, const FieldPath& at, const FieldSet& gone) {
  if (gone.contains(at)) return std::nullopt;
  const Shape shape = shape_of(name, value);
  if (shape == Shape::leaf || !has_below(gone, at)) return value;
  json out = shape == Shape::map ? json::object() : json::array();
  if (shape == Shape::map) {
    for (const auto& [key, member] : value.items())
      if (auto kept = keep(key, member, at + step_to_member(key), gone)) out[key] = std::move(*kept);
  } else {
    for (const json& entry : value)
      if (auto kept = keep(name_of_entries(name), entry, at + step_to(name, entry), gone))
        out.push_back(std::move(*kept));
  }
  return out.empty() ? json() : out;
}

void compare(std::string_view name, const json* before, const json* after, const FieldPath& at, Difference& out);

/// What is not there, or null, has nothing in it.
const json& entries_of(const json* value, Shape shape) {
  static const json none_of_map = json::object(), none_of_list = json::array();
  if (value != nullptr && !value->is_null()) return *value;
  return shape == Shape::map ? none_of_map : none_of_list;
}

void compare_below(Shape shape, std::string_view name, const json& was, const json& is, const FieldPath& at,
                   Difference& out) {
  if (shape == Shape::map) {
    for (const auto& [key, member] : was.items())
      compare(key, &member, is.contains(key) ? &is[key] : nullptr, at + step_to_member(key), out);
    for (const auto& [key, member] : is.items())
      if (!was.contains(key)) compare(key, nullptr, &member, at + step_to_member(key), out);
    return;
  }
  const auto old_steps = steps_of(name, was), new_steps = steps_of(name, is);
  for (std::size_t i = 0; i < was.size(); ++i)
    compare(name_of_entries(name), &was[i], entry_at(&is, new_steps, old_steps[i]), at + old_steps[i], out);
  for (std::size_t i = 0; i < is.size(); ++i)
    if (entry_at(&was, old_steps, new_steps[i]) == nullptr)
      compare(name_of_entries(name), nullptr, &is[i], at + new_steps[i], out);
}

/// One of the two may be null: it is not there.
void compare(std::string_view name, const json* before, const json* after, const FieldPath& at, Difference& out) {
  const auto says = [](const json* value) { return value != nullptr && !value->is_null(); };
  const Shape shape = says(before) ? shape_of(name, *before) : says(after) ? shape_of(name, *after) : Shape::leaf;
  const bool same_shape = !says(before) || !says(after) || shape == shape_of(name, *after);
  const auto is_empty = [&](const json* value) { return entries_of(value, shape).empty(); };
  if (shape != Shape::leaf && same_shape && !(is_empty(before) && is_empty(after)))
    compare_below(shape, name, entries_of(before, shape), entries_of(after, shape), at, out);
  else if (before != nullptr && after != nullptr && *before != *after) out.set.insert(at);
  if (before == nullptr) out.set.insert(at);
  if (after == nullptr) out.removed.insert(at);
}

std::string fault_in(std::string_view name, const json& value, const FieldPath& at) {
  if (shape_of(name, value) == Shape::map)
    for (const auto& [key, member] : value.items())
      if (std::string fault = fault_in(key, member, at + step_to_member(key)); !fault.empty()) return fault;
  if (shape_of(name, value) != Shape::list) return {};
  const auto steps = steps_of(name, value);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].empty()) return readable(at) + ": element " + std::to_string(i) + ": lacks its key";
    if (std::ranges::count(steps, steps[i]) > 1)
      return readable(at) + ": duplicate entries for key " + readable(steps[i]);
    if (std::string fault = fault_in(name_of_entries(name), value[i], at + steps[i]); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::string readable(const FieldPath& path) {
  std::string text = path;
  std::erase(text, mark);
  return text;
}

FieldSet fields_of(const json& document) {
  FieldSet fields;
  collect({}, document, {}, fields);
  fields.erase(FieldPath());
  return fields;
}

FieldSet with_parents(const FieldSet& fields) {
  FieldSet all = fields;
  for (const FieldPath& path : fields)
    for (std::size_t end = path.rfind(mark); end != path.npos && end > 0; end = path.rfind(mark, end - 1)) {
      const FieldPath parent = path.substr(0, end);
      if (const std::size_t last = parent.rfind(mark); parent[last + 1] == '.') all.insert(parent);
    }
  return all;
}

json merged(const json& live, const json& config) { return merge({}, live, config); }

json without(const json& document, const FieldSet& fields) {
  json out = keep({}, document, {}, fields).value_or(json());
  return out.is_null() ? json::object() : out;
}

json without_nulls(const json& document) {
  if (!document.is_structured()) return document;
  json out = document.is_object() ? json::object() : json::array();
  for (const auto& [key, member] : document.items()) {
    if (document.is_array()) out.push_back(without_nulls(member));
    else if (!member.is_null()) out[key] = without_nulls(member);
  }
  return out;
}

Difference difference_between(const json& before, const json& after) {
  Difference out;
  compare({}, &before, &after, {}, out);
  return out;
}

std::string fault_in_lists(const json& document) { return fault_in({}, document, {}); }

}  // namespace ordeal
