// Who manages which fields of an object, and what an apply makes of it: server-side apply, without its requests
// (apply.cpp).
//
// Each manager that has applied owns what it said last. What was written in any other way, by whomever, is owned by one
// more, `others`, whose name is "update": who of them it was makes no difference to an apply but in the sentence of a
// conflict. Source: Kubernetes v1.37, apimachinery/pkg/util/managedfields, and
// structured-merge-diff/v6/merge/update.go. Covered by managers_test.cpp.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/cluster/structured.h"
#include "core/controller/door.h"

namespace ordeal {

struct Managers {
  std::map<std::string, FieldSet> applied{};  // by manager; none is empty
  FieldSet others{};
  friend bool operator==(const Managers&, const Managers&) = default;
};

/// Of an object that nobody has applied: all that it says is the others'.
Managers managers_before_any_apply(const nlohmann::json& live);

/// What somebody changed or took away by another request than an apply is theirs from then on.
void note_update(Managers& managers, const nlohmann::json& before, const nlohmann::json& after);

struct Applied {
  nlohmann::json document{};               // the object as it is then
  Managers managers{};                     // of it
  std::vector<FieldConflict> conflicts{};  // not empty: it is refused, and the rest of this is worth nothing
};
/// `live`: an empty map where there is no object.
Applied apply(const nlohmann::json& live, const Managers& managers, const nlohmann::json& config,
              const std::string& manager, bool forces);

}  // namespace ordeal
