// A promise made checkable: one small value per promise, a pure function over one moment of a trial.
//
// How to add one: README.md of this room. Invariants read API values, views and calls; they never call the controller's
// code, or both would share a blind spot. What they need worked out of a view is in facts.h, written independently.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cluster/cluster.h"
#include "properties/invariants/trace.h"

namespace ordeal::properties {

struct Facts;
struct History;
struct TwinOutcomes;

enum class Level : std::uint8_t { promised, strict };    // a document says so / a user would expect it
enum class When : std::uint8_t { every_step, settled };  // safety / after faults stopped and time passed
enum class Judges : std::uint8_t { view, truth };  // relative to what the controller was shown / to what is stored

/// What an invariant is asked about; a mask. For calls, Moment::call is set; for changes, the matching change.
enum On : std::uint32_t {
  on_create_pod = 1u << 0,
  on_update_pod = 1u << 1,
  on_delete_pod = 1u << 2,
  on_patch_pod = 1u << 3,
  on_create_claim = 1u << 4,
  on_update_claim = 1u << 5,
  on_delete_claim = 1u << 6,
  on_create_revision = 1u << 7,
  on_update_revision = 1u << 8,
  on_delete_revision = 1u << 9,
  on_patch_revision = 1u << 10,
  on_write_status = 1u << 11,
  on_get = 1u << 12,
  on_other_call = 1u << 13,
  on_any_call = (1u << 14) - 1,
  on_change_set = 1u << 14,
  on_change_pod = 1u << 15,
  on_change_claim = 1u << 16,
  on_change_revision = 1u << 17,
  on_sync = 1u << 18,     // a sync ended, with or without calls
  on_acted = 1u << 19,    // a sync ended that made at least one write
  on_settled = 1u << 20,  // the end: faults stopped, the environment was fair
  on_rest = 1u << 21,     // the syncs after that, which should do nothing
  on_twins = 1u << 22,    // two variants of the scenario were played to the end: of this one's relation, nobody else's
  on_beside = 1u << 23,   // a sync for a neighbour of the set ended; of its calls nobody is asked
};

/// What has to be so of a turn before an invariant applies to it; a mask (given.h).
enum Given : std::uint32_t {
  set_is_regular = 1u << 0,  // it is there to stay, and it is clear who holds which place
  set_is_going = 1u << 1,
  set_is_gone = 1u << 2,
  set_is_rolling = 1u << 3,  // its strategy is RollingUpdate
  in_order = 1u << 4,
  in_parallel = 1u << 5,  // OrderedReady, Parallel
  wants_claims = 1u << 6,
  some_outdated = 1u << 7,
  some_surplus = 1u << 8,      // of its pods
  awaits_available = 1u << 9,  // a pod of it is ready, but not for long enough yet
  turn_is_clean = 1u << 10,    // it ran to its end, and nothing failed
  turn_failed = 1u << 11,
  call_failed = 1u << 12,
  turn_is_quiet = 1u << 13,      // nothing was to be written
  turn_removes = 1u << 14,       // pods were to be deleted
  turn_unasked = 1u << 15,       // no event, retry or timer made it
  shown_nothing_new = 1u << 16,  // since the process's last turn
  with_stale_guard = 1u << 17,   // the gate is on
};

struct Violation {
  std::string claim;                  // one sentence: what is wrong, with names
  std::vector<std::string> evidence;  // facts it follows from
};

/// The answer of a check. One word, handed over in a register: a trial asks thousands of times, and hardly ever is one
/// broken.
class [[clang::trivial_abi]] Judgement {
 public:
  static Judgement not_applicable() { return Judgement(nullptr); }
  static Judgement held() { return Judgement(&nothing_wrong); }
  [[gnu::cold, gnu::noinline]] static Judgement broken(std::string claim, std::vector<std::string> evidence = {}) {
    return Judgement(new Violation{std::move(claim), std::move(evidence)});
  }
  /// held() when `fine`; otherwise broken with what `say` returns (a claim), which is only called then.
  template <class Say>
  static Judgement of(bool fine, Say say) {
    return fine ? held() : broken_by(say);
  }

  Judgement(Judgement&& other) noexcept : answer_(std::exchange(other.answer_, nullptr)) {}
  Judgement& operator=(Judgement&& other) noexcept {
    std::swap(answer_, other.answer_);
    return *this;
  }
  ~Judgement() {
    if (violation() != nullptr) forget();
  }

  bool applied() const { return answer_ != nullptr; }
  const Violation* violation() const { return answer_ != &nothing_wrong ? answer_ : nullptr; }

 private:
  static inline const Violation nothing_wrong;
  // What is said goes elsewhere, away from what is asked all the time: checks are then small enough to stay in the
  // cache.
  template <class Say>
  [[gnu::cold, gnu::noinline]] static Judgement broken_by(const Say& say) {
    return broken(say());
  }
  [[gnu::cold, gnu::noinline]] void forget() { delete answer_; }
  explicit Judgement(const Violation* answer) : answer_(answer) {}
  const Violation* answer_;
};

/// What an invariant is shown.
struct Moment {
  const Cluster& truth;  // as it is now, after what happened
  const Environment& environment;
  const History& history;      // what is remembered of the trial so far
  const Sync* sync = nullptr;  // set for calls, on_sync, on_acted, on_rest, on_beside
  const Facts* facts =
      nullptr;                 // of sync->seen, where sync is set, but not on_beside; on_settled: Facts::work_out_truth
  const Call* call = nullptr;  // set for calls; sync->calls.front() .. call are what led to it
  const Change<StatefulSet>* set_change = nullptr;
  const Change<Pod>* pod_change = nullptr;
  const Change<Claim>* claim_change = nullptr;
  const Change<Revision>* revision_change = nullptr;
  std::uint32_t given = 0;              // mask of Given, where facts are of sync
  const TwinOutcomes* twins = nullptr;  // set on_twins; then truth is the second twin's, and history says nothing
};

struct Invariant {
  std::string_view id;       // "family.promise", public and stable
  std::string_view promise;  // in a user's words
  std::string_view source;   // document and section, or issue thread
  Level level = Level::promised;
  When when = When::every_step;
  Judges judges = Judges::view;
  std::string_view property;  // ids of semantics.md section 10, "ORD-2, ORD-3"
  std::uint32_t on = 0;       // mask of On
  std::uint32_t given = 0;    // mask of Given: unless all is so, it is not applicable
  Judgement (*check)(const Moment&) = nullptr;
  bool by_answers = false;  // it speaks of what a turn made of what it was told: that it was told news is no excuse

  constexpr std::string_view family() const { return id.substr(0, id.find('.')); }
};

}  // namespace ordeal::properties
