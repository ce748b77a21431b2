// What a view says about a set, worked out for the invariants alone: independent of the controller's code, on purpose.
//
// Built at most once per sync, and only for syncs somebody asks about. Reuses its memory. Covered by facts_test.cpp.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/api/names.h"
#include "properties/evidence/trace.h"

namespace ordeal::properties {

/// One place in the range [start, start + replicas).
struct Slot {
  Ordinal ordinal = Ordinal::none;
  const Pod* pod = nullptr;  // the claimed pod there, or null
};

/// Why a pod may have been deleted, judged by what the controller was shown and not by the reason it gave.
enum class Removal : std::uint8_t {
  unseen,     // the view has no such pod
  foreign,    // it is not the set's
  nameless,   // the set's, but its name holds no ordinal: it has no place to be removed from
  condemned,  // outside the range
  terminal,   // in range, Failed or Succeeded
  outdated,   // in range, at another revision than the update revision
  current,    // in range and up to date: nothing speaks for deleting it
};

/// One DELETE of a pod.
struct Removed {
  const Call* call = nullptr;
  Removal why = Removal::unseen;
  const Pod* pod = nullptr;  // as shown; null when unseen
  std::int32_t index = -1;   // when in range
  bool again = false;        // the same was asked for before in the sync, and may be asked for once more
};

/// How many of the pods that a status speaks of are like that.
struct Recount {
  std::int32_t existing = 0, ready = 0;              // ready: and running
  std::int32_t available = 0, surely_available = 0;  // of the ready ones: as many as may be counted, and have to be
  std::int32_t updated = 0, current = 0;             // not terminating, and labelled with that revision
};

/// maxUnavailable in pods, at least 1. Documents round percentages up, every release rounds them down
/// (kubernetes/kubernetes#142541): what has to be used is the one, what may be exceeded neither.
struct Budget {
  std::int32_t rounded_down = 1, rounded_up = 1;
};

struct Facts {
  /// Works everything out for the set of the sync. With `set` null (absent from the view) all lists but `removals` are
  /// empty. Points into the sync: to be used while that lives.
  void work_out(const Sync& sync, const Gates& gates);
  /// The same of the truth, as a controller with fresh caches would see it that has made no call yet.
  void work_out_truth(const Cluster& truth, const Key& key, const Gates& gates, bool null_times);

  const StatefulSet* set = nullptr;
  Time now{};
  std::int32_t replicas = 1, start = 0, partition = 0, min_ready_seconds = 0;
  /// Effective maxUnavailable; 1 when its gate is off. The documentation speaks of all pods of the range, KEP-961 of
  /// those that the partition does not hold back, and so does Kubernetes from 1.38 on: percentages are of so many, and
  /// of so many those that are unavailable already use it up. The second never allows more than the first.
  Budget budget, budget_of_update;
  bool counts_unavailable = false;  // the gate of maxUnavailable is on
  bool ordered = true;              // OrderedReady
  bool has_rolling_update = false;  // the rollingUpdate block is there
  bool recreates = false;           // its strategy is Recreate, and the gate of that is on
  bool deleting = false;
  bool clean = false;  // the turn ran_cleanly()
  /// Some claimed pod's name is not canonical (web-007): releases differ in whether it holds a place, so what depends
  /// on who holds which place is not judged. It is in `claimed`, maybe in `condemned`, never in `slots`.
  bool irregular = false;
  /// Set beforehand, at level strict: such a pod is nobody's. It is one of the `lookalikes` then, and makes only the
  /// truth at rest irregular, not a view: it may keep the claim of a place in use.
  bool only_canonical = false;

  std::vector<const Pod*> claimed;  // controlled by the set, selector and name match; in the order of the view
  std::vector<const Pod*>
      lookalikes;  // with `only_canonical`: claimed but for their names; they only keep revisions from being pruned
  std::vector<const Pod*> orphans;       // no controller, selector and name match, not terminating: to be adopted
  std::vector<const Pod*> adopted;       // those of them that this sync did adopt; they are in `claimed` too
  std::vector<Slot> slots;               // by index; an orphan adopted by this sync counts as claimed
  std::vector<const Pod*> condemned;     // claimed, outside the range, canonical or not; highest ordinal first
  std::vector<const Revision*> history;  // listed revisions (owned or orphan, selector matches), oldest first

  Shared<std::string> template_bytes;  // the set's template as the controller encodes it

  /// The revision a sync found or made for the set's template, and the current one; null when it could not be known.
  const Revision* update = nullptr;
  const Revision* current = nullptr;
  Text update_name, current_name;  // empty when not known

  std::vector<Removed> removals;  // the pods this sync asked to delete, in the order of its calls

  std::int32_t unavailable = 0;            // slots whose pod is missing, terminating or not available
  std::int32_t unavailable_in_update = 0;  // and which the partition does not hold back

  /// A set on its way out counts all pods it has; any other those in their places and the condemned ones.
  Recount recount;
  /// When the first pod that is ready, but not for long enough yet, will be available; nothing when there is none. A
  /// pod whose name holds no ordinal (web-99999999999) has no place, and nothing waits for it; nor for one that the
  /// turn asked to delete.
  std::optional<Time> next_available;

  /// The revision of `update_name` or `current_name`; null for any other name.
  const Revision* revision_named(std::string_view name) const;

  bool claims(const Pod& pod) const;  // of the view: it is in `claimed`
  /// Ready for minReadySeconds; the phase does not matter. At the very moment at which they are over a controller may
  /// see it either way: what may only be done to or after an available pod asks `available`, what then has to be done
  /// asks `surely_available`.
  bool available(const Pod& pod) const { return ready_for_at_least(pod, min_ready_seconds, now); }
  bool surely_available(const Pod& pod) const { return ready_for_longer(pod, min_ready_seconds, now); }
  static bool ready_for_at_least(const Pod& pod, std::int32_t seconds, Time now);
  static bool ready_for_longer(const Pod& pod, std::int32_t seconds, Time now);
  /// Percentages are of so many pods.
  static Budget budget_of(const StatefulSetSpec& spec, std::int64_t pods);
  static Budget budget_of(const StatefulSetSpec& spec) { return budget_of(spec, spec.replicas.value_or(1)); }
  static bool running_and_ready(const Pod& pod);
  static bool terminal(const Pod& pod) { return pod.phase == Phase::failed || pod.phase == Phase::succeeded; }
  bool healthy(const Pod& pod) const { return running_and_ready(pod) && available(pod) && !pod.meta.terminating(); }
  bool surely_healthy(const Pod& pod) const { return healthy(pod) && surely_available(pod); }
  bool outdated(const Pod& pod) const;           // its revision label is not update_name
  const Pod* an_outdated_one() const;            // in its place or condemned; null when there is none
  bool is_live(const Revision& revision) const;  // it is the update or the current one, or a claimed pod's
  /// Its strategy is one whose gate is off: Kubernetes leaves its pods as they are then, and says why in every turn.
  /// Nothing is asked of whoever does so but that no pod is updated and both revisions do not run at once.
  bool is_ruled_out() const { return set != nullptr && set->spec->strategy == Strategy::recreate && !recreates; }
  /// Without a rollingUpdate block it is by status.currentReplicas that a pod comes back at one revision or the other.
  bool restores_by_count() const { return rolling() && !has_rolling_update; }
  bool rolling() const { return set != nullptr && set->spec->strategy == Strategy::rolling_update; }
  /// Recreate has pods of another revision to stop, or cannot know: until they are gone it does nothing else.
  bool recreating() const;
  bool may_update(std::int32_t index) const { return rolling() && index >= partition; }
  /// The index of the place that an ordinal has; nothing when it has none.
  std::optional<std::int32_t> place_of(Ordinal ordinal) const;
  bool in_range(Ordinal ordinal) const { return place_of(ordinal).has_value(); }
  std::string range_text() const;  // "3 replicas from 0, without 1"

 private:
  void forget();
  void read_spec(const Gates& gates);
  void read_history(const View& seen);
  void resolve_revisions(const Sync& sync, const Gates& gates);
  void lay_out_slots();
  void read_pods(const Sync& sync);
  bool is_nobodys(const Pod& pod, const Member& member) const;
  bool adopts(const Pod& orphan, const Sync& sync);
  void place(const Pod& pod, const Member& member);
  void note_next_available(const Pod& pod, const Sync& sync);
  void count_unavailable();
  void count_pods();
  void count(const Pod& pod);
  void read_removals(const Sync& sync);
  void explain(Removed& removed) const;
};

/// The pod says that it is of this revision.
inline bool is_at(const Pod& pod, const Text& revision) {
  const Text* label = pod.meta.label(label_revision);
  return label != nullptr && *label == revision;
}

/// How many unused revisions are kept; negative: all.
inline std::int32_t history_limit_of(const StatefulSet& set) { return set.spec->revision_history_limit.value_or(10); }

/// The set may act at all: it is there, it is not going away, its strategy is not ruled out, and it is clear who holds
/// which place.
inline bool is_regular(const Facts& facts) {
  return facts.set != nullptr && !facts.deleting && !facts.irregular && !facts.is_ruled_out();
}

/// A Parallel set that may act, and has no pods of another revision to stop first.
inline bool works_at_once(const Facts& facts) { return is_regular(facts) && !facts.ordered && !facts.recreating(); }

/// A partition holds back pods that are yet to be made: Kubernetes takes such a rollout for complete
/// (kubernetes/kubernetes#121534), and at level strict it is not.
inline bool nobody_is_above_the_partition(const Facts& facts) { return facts.slots.empty() && facts.partition > 0; }

/// A pod's condition, as far as an update cares.
enum class Condition : std::uint8_t {
  available,
  turning,   // at this very moment minReadySeconds are over: either of its neighbours
  settling,  // ready, but not for long enough yet
  broken,
};
inline Condition condition_of(const Facts& facts, const Pod& pod) {
  if (!Facts::running_and_ready(pod)) return Condition::broken;
  if (facts.surely_available(pod)) return Condition::available;
  return facts.available(pod) ? Condition::turning : Condition::settling;
}

}  // namespace ordeal::properties
