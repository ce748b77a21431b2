// The sets that scenarios start from: those of the user's manifests, or of the corpus.
//
// Reading is total: what is wrong with a file comes back as text, all of it, each line naming file, line and field.
// Covered by first_sets_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/api/objects.h"

namespace ordeal::fuzz {

/// Which set a trial starts from. Manifests are taken in turn. With `drawn_too`, every second trial draws a set of its
/// own instead; and so does every trial when there are no manifests.
struct FirstSets {
  std::vector<StatefulSet> given;  // as their users wrote them, before defaulting
  bool drawn_too = false;

  const StatefulSet* of_trial(std::uint64_t trial) const {
    if (given.empty() || (drawn_too && trial % 2 == 1)) return nullptr;
    return &given[(drawn_too ? trial / 2 : trial) % given.size()];
  }
};

/// The StatefulSets of some manifests, and every reason why they cannot be used.
struct ReadSets {
  std::vector<StatefulSet> sets;
  std::vector<std::string> errors;  // "web.yaml:14: spec.replicas: must be ... (found: -1)"
  std::vector<std::string> notes;   // "web.yaml: ConfigMap settings is not needed"
};
/// One manifest. `name` is what messages call it.
ReadSets read_sets(std::string_view name, std::string_view bytes);
/// Files, directories of them (by name), or "-" for standard input.
ReadSets read_set_files(const std::vector<std::string>& paths);

/// The sets of corpus/manifests as they were when this was built, so that a run without a manifest needs no files.
std::vector<StatefulSet> corpus_sets();
/// The one set of a file such as "corpus/manifests/web.yaml". Throws std::logic_error when there is no such file, or
/// not one set in it.
StatefulSet corpus_set(std::string_view file);

}  // namespace ordeal::fuzz
