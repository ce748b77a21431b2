// JSON as server-side apply looks at it: fields that have owners, and lists whose entries are known by a key.
//
// Maps and lists are taken field by field, or as one: which, goes by the name of the member, as the schemas of pods,
// claims, revisions and a set's status have it (Kubernetes v1.37, client-go/applyconfigurations/internal). What of a
// document is anybody's is for managers.h. Source: sigs.k8s.io/structured-merge-diff/v6. Covered by
// managers_test.cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>

namespace ordeal {

/// The way to a field; `readable` has it for people. Every step begins with a mark, so that what is below a field
/// follows it in the order of ways.
using FieldPath = std::string;
using FieldSet = std::set<FieldPath>;
std::string readable(const FieldPath& path);  // .spec.containers[name="web"].image

/// All that a document says, down to what is taken as one.
FieldSet fields_of(const nlohmann::json& document);
/// With the members that these are below.
FieldSet with_parents(const FieldSet& fields);

/// `live` with all that `config` says. Lists keep the order of `config` where both have one.
nlohmann::json merged(const nlohmann::json& live, const nlohmann::json& config);
/// Without these fields and what is below them; what they leave empty is null.
nlohmann::json without(const nlohmann::json& document, const FieldSet& fields);
nlohmann::json without_nulls(const nlohmann::json& document);

struct Difference {
  FieldSet set, removed;  // changed or added; gone
};
Difference difference_between(const nlohmann::json& before, const nlohmann::json& after);

/// What is wrong with the lists of a document: an entry that lacks its key, or has that of another one. Empty: nothing.
std::string fault_in_lists(const nlohmann::json& document);

}  // namespace ordeal
