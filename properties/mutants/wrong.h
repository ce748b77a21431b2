// How wrong versions are written down: rows of small tables, one file per part of the table of rules.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "core/controller/decisions.h"

namespace ordeal::properties {

/// One wrong version: what is changed in the strict table, and the promise that must be found broken.
struct Wrong {
  std::string_view id, about, invariant;
  void (*change)(Rules& rules);
};

std::span<const Wrong> wrong_ownership();
std::span<const Wrong> wrong_pods();  // what new and repaired pods are
std::span<const Wrong> wrong_revisions();
std::span<const Wrong> wrong_claims();
std::span<const Wrong> wrong_order();  // which pods count as what, OrderedReady, scaling down
std::span<const Wrong> wrong_updates();
std::span<const Wrong> wrong_status();
std::span<const Wrong> wrong_calls();  // deletions, attempts, batches, own writes

/// Labels of an object about to be made, edited; absent ones count as empty.
template <class Edit>
void edit_labels(ObjectMeta& meta, Edit edit) {
  StringMap labels = meta.labels ? *meta.labels : StringMap();
  edit(labels);
  meta.labels = std::make_shared<const StringMap>(std::move(labels));
}

/// maxUnavailable in pods, where what is left over of a percentage counts once it comes to 100 with `rounding` (99: up,
/// 0: down).
std::int32_t budget_rounded(const StatefulSetSpec& spec, std::int32_t rounding, std::int32_t at_least);

}  // namespace ordeal::properties
