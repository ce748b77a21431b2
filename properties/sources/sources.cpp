#include "properties/sources/sources.h"

#include <algorithm>
#include <array>

#include "properties/invariants/catalogue.h"

namespace ordeal::properties {

std::span<const Document> documents() {
  static const std::array all{
      Document{"StatefulSet Update proposal", "community design proposal, statefulset-update", update_proposal},
      Document{"stateful-apps proposal", "community design proposal, stateful-apps", stateful_apps},
      Document{"StatefulSet source walk-through (v1.20)", "an explanation of the controller's source", walk_through},
      Document{"Kubernetes v1.24 StatefulSets", "the documentation of Kubernetes 1.24", documentation},
      Document{"Maximum Unavailable Replicas article", "Kubernetes blog on 1.24", article},
      Document{"Guarantees", "what follows from documents, code and history, by the ids that invariants name",
               guaranteed},
  };
  return all;
}

const Document& guarantees() { return documents().back(); }

std::vector<std::string_view> split(std::string_view list, std::string_view separator) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    if (end > 0) parts.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + separator.size(), list.size()));
  }
  return parts;
}

std::vector<std::string_view> covered_by(const Sentence& sentence) {
  std::vector<std::string_view> ids = split(sentence.covered_by, " ");
  const auto is_its = [&](const Sentence& s) { return &s == &sentence; };
  if (std::ranges::none_of(guarantees().sentences, is_its)) return ids;
  for (const Invariant& invariant : catalogue)
    if (std::ranges::count(split(invariant.property, ", "), sentence.section) > 0) ids.push_back(invariant.id);
  return ids;
}

bool is_covered(const Sentence& sentence, const Invariant& by) {
  const std::vector<std::string_view> ids = covered_by(sentence);
  return std::ranges::find(ids, by.id) != ids.end();
}

}  // namespace ordeal::properties
