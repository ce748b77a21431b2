#include "core/cluster/managers.h"

#include <algorithm>
#include <iterator>

namespace ordeal {

namespace {

using nlohmann::json;

constexpr const char* name_of_others = "update";

template <class Operation>
FieldSet combined(const FieldSet& a, const FieldSet& b, Operation operation) {
  FieldSet out;
  operation(a, b, std::inserter(out, out.end()));
  return out;
}
FieldSet difference(const FieldSet& a, const FieldSet& b) { return combined(a, b, std::ranges::set_difference); }
FieldSet both(const FieldSet& a, const FieldSet& b) { return combined(a, b, std::ranges::set_intersection); }
FieldSet all_of(FieldSet a, const FieldSet& b) {
  a.insert(b.begin(), b.end());
  return a;
}

/// What a manager said before and does not say now goes, unless another one owns it; what is below it goes with it.
json pruned(const json& document, const FieldSet& before, const Managers& now) {
  if (before.empty()) return document;
  FieldSet owned = now.others;
  for (const auto& [name, fields] : now.applied) owned.insert(fields.begin(), fields.end());
  const FieldSet there = with_parents(fields_of(document)), said = with_parents(before);
  const FieldSet left = with_parents(fields_of(without(document, said)));
  const json without_unowned = without(document, difference(there, all_of(left, with_parents(owned))));
  return without(document, both(difference(there, with_parents(fields_of(without_unowned))), said));
}

void take_from(FieldSet& fields, const Difference& changes) {
  fields = difference(difference(fields, changes.set), changes.removed);
}

}  // namespace

Managers managers_before_any_apply(const json& live) {
  Managers managers;
  note_update(managers, json::object(), live);
  return managers;
}

void note_update(Managers& managers, const json& before, const json& after) {
  const Difference changes = difference_between(before, after);
  for (auto& [name, fields] : managers.applied) take_from(fields, changes);
  std::erase_if(managers.applied, [](const auto& entry) { return entry.second.empty(); });
  managers.others = all_of(difference(managers.others, changes.removed), changes.set);
}

Applied apply(const json& live, const Managers& managers, const json& config, const std::string& manager, bool forces) {
  Applied out{.document = merged(live, config), .managers = managers, .conflicts = {}};
  FieldSet& own = out.managers.applied[manager];
  const FieldSet said_before = std::exchange(own, fields_of(config));
  out.document = pruned(out.document, said_before, out.managers);
  const Difference changes = difference_between(live, out.document);
  const auto take = [&](const std::string& name, FieldSet& fields) {
    for (const FieldPath& path : both(fields, changes.set)) out.conflicts.push_back({Text(name), Text(readable(path))});
    take_from(fields, changes);
  };
  for (auto& [name, fields] : out.managers.applied)
    if (name != manager) take(name, fields);
  take(name_of_others, out.managers.others);
  std::erase_if(out.managers.applied, [](const auto& entry) { return entry.second.empty(); });
  if (forces) out.conflicts.clear();
  return out;
}

}  // namespace ordeal
