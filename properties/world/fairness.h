// What liveness is promised under: the assumptions the epilogue of every trial makes true (settle.cpp, heal.cpp),
// by name. A promise judged at rest says nothing about a world in which one of them fails.
#pragma once

#include <string_view>

namespace ordeal::properties {

struct Assumption {
  std::string_view name, about;
};

inline constexpr Assumption fairness[] = {
    {"faults-stop", "no call fails any more but for a reason of the API server's own"},
    {"one-leader", "one process of the controller acts, and goes on"},
    {"clocks-agree", "the controller's clock shows the API server's time"},
    {"neighbours-leave",
     "other sets of the namespace are deleted, so that nothing of theirs keeps the set from coming to rest"},
    {"caches-catch-up", "every event is delivered, in order"},
    {"one-resync", "the set is looked at once, since events of claims and revisions wake nobody"},
    {"time-passes", "the clock goes on to the next delayed key when nothing else moves"},
    {"nodes-return", "lost nodes report again, and end what has no object"},
    {"volumes-return", "lost volumes are restored, and their claims bound to them again"},
    {"kubelets-progress", "pods whose claims are there start, become ready if their image can, and stop when told"},
    {"collector-runs",
     "dependents without an owner and pods declared failed are deleted, and claims nothing protects go"},
    {"holders-let-go", "finalizers nobody in the cluster acts on are removed"},
    {"names-are-free",
     "pods under the set's names that it may neither keep nor adopt are deleted, and pods somebody made that can "
     "never be ready and are labelled with a good revision, and pods no release gave their name that mount claims"},
    {"templates-mend",
     "a template whose pods cannot become ready is replaced by a good one, a partition is lifted that a broken pod is below, "
     "or a broken current revision, and with OnDelete a user deletes its pods"},
};

}  // namespace ordeal::properties
