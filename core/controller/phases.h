// One sync of one set, as phases in the order they run: semantics.md 4.4 and 6. What a phase decides is a row of the
// table.
//
//   own pods and revisions -> choose revisions -> tend pods -> scale down -> update -> status -> history
//
// You may rely on: it reads only the view, acts only through the API, and a quiet sync allocates nothing once the
// object has seen a set of that size. Calls of a batch are made in order. It throws nothing of its own but
// ControllerDied, where the release it stands for would have crashed; one that comes from a call passes through, and
// the next run starts clean. Covered by phases_test.cpp and errors_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "core/controller/claim_cache.h"
#include "core/controller/own_writes.h"
#include "core/controller/rules_table.h"

namespace ordeal {

/// How a step of a phase ended. `stop`: the rest of the work on pods is for a later sync. `fail`: stop, with an error.
enum class Next : std::uint8_t { go_on, stop, fail };

inline Request request_for(Verb verb, Kind kind, Reason reason, const Text& name) {
  return {.verb = verb, .kind = kind, .reason = reason, .name = name};
}

class Phases {
 public:
  Phases(const Rules& rules, const Gates& gates, OwnWrites& writes, ClaimCache& claim_cache)
      : rules_(rules), gates_(gates), writes_(writes), claim_cache_(claim_cache) {}
  SyncResult run(const Key& key, const StatefulSet& set, const View& seen, Api& api, Time now);

 private:
  bool has_moved(Kind kind) const;
  void begin(const Key& key, const StatefulSet& set, const View& seen, Api& api, Time now);
  SyncResult result();
  Next fail(Code code, const char* what);  // a literal; the first failure is the sync's
  Uid owner_of(const Reply& reply) const;
  Reply call(Request request);
  void record(Verb verb, Kind kind, const Text& name, Code answer);
  void work_and_tell();

  // Ownership (phase_ownership.cpp)
  void list_revisions();
  void list_revisions_again();
  Next adopt_revisions();
  Next adopt_revision(const Revision& orphan);
  Next claim_pods();
  Next claim_pod(const Pod& pod);
  Next adopt_pod(const Pod& orphan);
  Next release_pod(const Pod& pod);
  Next confirm_set(bool (*confirms)(const StatefulSet& seen, const StatefulSet& live));

  // What was seen (look.cpp)
  void look_at(const Pod& pod, Ordinal ordinal);
  std::uint32_t label_of(const Pod& pod);
  void note_when_available(const Pod& pod);
  bool claims_are_right(const PodState& state);
  const Claim* find_claim(std::size_t claim_template, const Text& name);
  void relate_to_revisions();
  PodState state_of_missing(std::size_t index) const;

  // Revisions (phase_revisions.cpp)
  Next choose_revisions();
  void choose_without_writing();
  Candidate wanted_revision() const;
  Next record_revision(const Candidate& candidate, std::int64_t number);
  Next resolve_collision(const Revision& wanted, bool& taken);
  Next bump_revision(const Revision& held, std::int64_t number);
  Next use_update_revision(const Revision& update);
  Next truncate_history();
  Next delete_revision(const Revision& unused);
  void mark_live();
  void keep(const Text& name);

  // Work on pods (phase_pods.cpp)
  Next work_on_pods();
  void lay_out_places();
  Next tend(PodState& place);
  Next replace_terminal(PodState& place);
  Next create(PodState& place);
  Next look_again(const PodState& place, const Pod& made);
  Next repair(PodState place);
  bool is_left_to_update(const PodState& place) const;
  Code write_repaired(const PodState& place);
  PodState as_cached(const PodState& place);
  template <class Step>
  Next in_batches(std::size_t count, Step step);
  Next each(std::span<PodState> states, Next (Phases::*step)(PodState&));

  // Claims (phase_claims.cpp)
  Next provide_claims(const PodState& place, Reason reason);
  void write_shared_labels();
  Next provide_claim(const ClaimTemplate& from, const Text& name, const Pod* pod, Reason reason);
  Next retain_claims(const PodState& state, Uid pod);
  bool dies_of_claims() const;  // of those that it looks at
  Code write_claim_owners(const PodState& state, Uid pod);
  bool waits_for_collector(const PodState& place);
  const Text& name_of_claim(const ClaimTemplate& from, const PodState& state);
  Text name_for_claims(const PodState& state) const;
  bool is_in_range_for_claims(const PodState& state) const;
  ClaimSide side_of(const PodState& state, const Text& pod_name, Uid pod) const;

  // Deletions (phase_removals.cpp)
  Next recreate();
  Next stop_all_outdated();
  Next stop_outdated(PodState& state);
  Next scale_down();
  Next mark_all_claims();
  Next mark_claims(PodState& state);
  Next mend_claims();
  Next remove_condemned(PodState& condemned);
  Next remove_condemned_in_order();
  Next update();
  Next remove_outdated(PodState& state, Reason reason);
  Next remove(PodState& state, Reason reason);
  bool recreates() const { return set_->spec->strategy == Strategy::recreate && gates_.recreate; }
  Rollout rollout() const;

  // Status (phase_status.cpp)
  StatefulSetStatus count() const;
  Next write_status();
  Next tell(const StatefulSetStatus& counted);

  const Rules& rules_;
  const Gates gates_;
  OwnWrites& writes_;
  ClaimCache& claim_cache_;

  // Of this sync
  const Key* key_ = nullptr;
  const StatefulSet* set_ = nullptr;
  const View* seen_ = nullptr;
  Api* api_ = nullptr;
  Time now_{};
  std::array<Version, kind_count> reached_{};  // by the caches when it began
  SyncResult failure_;
  std::vector<Event> recorded_;
  bool ordered_ = true;
  std::size_t places_wanted_ = 0;
  std::optional<Code> confirmed_;      // the answer of the live read, once asked
  const Text* update_name_ = nullptr;  // of the revisions chosen
  const Text* current_name_ = nullptr;
  Shared<PodTemplate> update_template_, current_template_;
  const Revision* wanted_ = nullptr;  // the listed revision that was to become the update revision
  std::int32_t collisions_ = 0;
  std::optional<RecreateStage> recreation_;  // how far it has come, unless it failed
  std::int32_t lowered_ = 0;                 // by how much what was asked to be deleted lowers currentReplicas
  std::int32_t updated_lowered_ = 0;         // and updatedReplicas
  Waiting waiting_;
  std::size_t label_writers_ = 0;  // places of this batch so far, where the table has them share claim templates
  bool label_writers_raced_ = false;

  // Reused from sync to sync
  struct Claimed {
    PodState state;
    std::uint32_t label;    // its revision label: an index of labels_
    bool displaced = true;  // laid out neither in the range nor beyond it
  };
  std::vector<const Pod*> pods_;         // as listed
  std::vector<const Revision*> listed_;  // oldest first
  std::vector<char> live_;               // by index in listed_
  std::vector<Claimed> claimed_;         // in the order of the view
  std::vector<const Text*> labels_;      // revision labels of claimed pods, rarely one twice; the first is null: none
  struct Relation {
    bool to_current, to_update;
  };
  std::vector<Relation> relations_;  // of each of labels_
  std::vector<std::size_t> hints_;   // per claim template: where in the view the next claim should be
  std::vector<PodState> places_, condemned_;
  std::vector<Replacement> chosen_;
  Text built_name_;  // of a claim no volume names
};

/// In batches that grow: a failure ends its batch, and no further one is begun; nor after a stop, where the table says
/// so.
template <class Step>
Next Phases::in_batches(std::size_t count, Step step) {
  std::size_t done = 0, batch = 0;
  while (done < count) {
    batch = rules_.next_batch(batch, count - done);
    label_writers_ = 0;
    Next outcome = Next::go_on;
    for (const std::size_t end = done + batch; done < end; ++done) {
      const Next next = step(done);
      if (next == Next::fail || rules_.stop_ends_parallel) outcome = std::max(outcome, next);
    }
    if (outcome != Next::go_on) return outcome;
  }
  return Next::go_on;
}

}  // namespace ordeal
